//! Services that behave, stumble and misbehave.

use crate::service::{Reply, Service, vector};
use dossier_embed::{Address, EmbedError, Embedder, Key, Trouble};
use serde_json::json;

const KEY: &str = "sk-hunter2";

fn embedder(service: &Service, options: &str) -> Embedder {
    let address = format!("http://{}/v1{options}#m", service.address);
    Embedder::endpoint(address.parse::<Address>().unwrap(), Key::new(KEY))
}

fn says(status: u16, headers: &'static str, message: &str) -> Reply {
    Reply::Says(status, headers, json!({ "error": { "message": message } }).to_string())
}

/// The vector that the service means, of length one.
fn unit(text: &str) -> Vec<f32> {
    let vector = vector(text);
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    vector.iter().map(|value| (f64::from(*value) / length) as f32).collect()
}

fn trouble(error: EmbedError) -> Trouble {
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    match error {
        EmbedError::Service { trouble, .. } => trouble,
        error => panic!("{error}"),
    }
}

/// What becomes of one text when the service follows this script.
fn check(script: Vec<Reply>, expected: Result<(), Trouble>) {
    let service = Service::start(script);
    let result = embedder(&service, "?timeout=1").embed(&["text"]);
    let expected = expected.map(|()| vec![unit("text")]);
    assert_eq!(result.map_err(trouble), expected);
}

#[test]
fn texts_get_their_own_vectors_though_answers_come_in_another_order() {
    let service = Service::start(Vec::new());
    let embedder = embedder(&service, "?batch=3&dimensions=3");
    let texts: Vec<String> = (0..40).map(|number| format!("{} text", "x".repeat(number))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let expected: Vec<Vec<f32>> = texts.iter().map(|text| unit(text)).collect();
    assert_eq!(embedder.embed(&texts).unwrap(), expected);
    assert_eq!(embedder.dimension(), 3);

    let requests = service.requests();
    assert_eq!(requests.len(), 14);
    for request in &requests {
        assert_eq!(request.line, "POST /v1/embeddings HTTP/1.1");
        assert_eq!(request.authorization.as_deref(), Some("Bearer sk-hunter2"));
        let input = &request.body["input"];
        assert!(input.as_array().unwrap().len() <= 3);
        let expected =
            json!({ "model": "m", "input": input, "encoding_format": "float", "dimensions": 3 });
        assert_eq!(request.body, expected);
    }
}

#[test]
fn the_name_of_the_vectors_is_learnt_once_from_the_first_answer() {
    let service = Service::start(Vec::new());
    let embedder = embedder(&service, "");
    let name = format!("m@{}/v1:3", service.address);
    assert_eq!(embedder.dimension(), 0);
    assert_eq!(embedder.model().unwrap(), Some(name.as_str()));
    assert_eq!(embedder.model().unwrap(), Some(name.as_str()));
    assert_eq!(service.requests().len(), 1);
    assert_eq!(embedder.embed(&[]).unwrap(), Vec::<Vec<f32>>::new());
    assert_eq!(service.requests().len(), 1);
}

#[test]
fn a_service_that_is_busy_or_stumbles_is_asked_again() {
    check(vec![says(429, "retry-after: 0\r\n", "rate limit exceeded")], Ok(()));
    check(vec![says(429, "", "too many requests"), says(503, "", "loading")], Ok(()));
    check(vec![says(500, "retry-after-ms: 1\r\n", "oops"), Reply::Drops], Ok(()));
}

#[test]
fn a_service_that_asks_for_too_long_a_pause_is_given_up() {
    let busy = says(429, "retry-after: 86400\r\n", "come back tomorrow");
    check(
        vec![busy],
        Err(Trouble::Refused {
            status: 429,
            said: " (come back tomorrow)".to_owned(),
            mend: "wait, or lower `batch` in its URL",
        }),
    );
}

#[test]
fn a_question_does_not_wait_for_a_busy_service() {
    let service = Service::start(vec![says(429, "retry-after: 30\r\n", "busy")]);
    let error = embedder(&service, "").embed_soon(&["text"]).unwrap_err();
    assert!(matches!(trouble(error), Trouble::Refused { status: 429, .. }));
    assert_eq!(service.requests().len(), 1);
}

#[test]
fn a_key_that_is_refused_is_not_repeated() {
    check(
        vec![says(401, "", "incorrect key sk-hunter2\nsee \u{1b}[31mhelp")],
        Err(Trouble::Refused {
            status: 401,
            said: " (incorrect key *** see  [31mhelp)".to_owned(),
            mend: "check the key in DOSSIER_EMBEDDER_KEY, or in the variable of `key_env`",
        }),
    );
    let service = Service::start(vec![says(404, "", "no such model")]);
    let error = embedder(&service, "").embed(&["text"]).unwrap_err().to_string();
    let expected = format!(
        "the embedding service at {} refused with status 404 (no such model); check the URL, \
         which goes up to and with /v1, and the model",
        service.address
    );
    assert_eq!(error, expected);
}

#[test]
fn a_key_that_no_header_can_carry_is_not_repeated() {
    let service = Service::start(Vec::new());
    let address = format!("http://{}/v1#m", service.address).parse::<Address>().unwrap();
    let embedder = Embedder::endpoint(address, Key::new("sk-hunter2\u{7}"));
    assert!(!format!("{embedder:?}").contains("hunter2"));
    let expected = "the key holds characters that no header can carry".to_owned();
    let error = embedder.embed(&["text"]).unwrap_err();
    assert_eq!(trouble(error), Trouble::Unreachable(expected));
}

#[test]
fn a_redirection_is_not_followed_with_the_key() {
    let elsewhere = Service::start(Vec::new());
    let location = format!("location: http://{}/v1/embeddings\r\n", elsewhere.address).leak();
    for status in [302, 307] {
        let service = Service::start(vec![Reply::Says(status, location, String::new())]);
        let error = trouble(embedder(&service, "").embed(&["text"]).unwrap_err());
        assert!(matches!(error, Trouble::Refused { status: got, .. } if got == status));
    }
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn a_service_that_says_nothing_is_given_up() {
    check(vec![Reply::Hangs], Err(Trouble::Silent(1)));
}

#[test]
fn an_answer_without_end_is_given_up() {
    let service = Service::start(vec![Reply::Endless]);
    let error = trouble(embedder(&service, "").embed(&["text"]).unwrap_err());
    assert_eq!(error, Trouble::TooLong(128));
}

#[test]
fn a_service_that_is_not_there_is_named() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let embedder =
        Embedder::endpoint(format!("http://{address}/v1#m").parse().unwrap(), Key::new(KEY));
    let error = embedder.embed_soon(&["text"]).unwrap_err();
    let expected = format!("the embedding service at {address} cannot be reached: ");
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert!(matches!(trouble(error), Trouble::Unreachable(_)));
}

#[test]
fn vectors_of_another_length_than_before_are_refused() {
    let other = json!({ "data": [{ "index": 0, "embedding": [1.0, 2.0] }] }).to_string();
    let service = Service::start(vec![Reply::Vectors, Reply::Says(200, "", other)]);
    let embedder = embedder(&service, "");
    embedder.embed(&["text"]).unwrap();
    let error = embedder.embed(&["text"]).unwrap_err();
    assert_eq!(trouble(error), Trouble::Dimension { expected: 3, got: 2 });
    assert_eq!(embedder.embed(&["text"]).unwrap(), [unit("text")]);
}

#[test]
fn vectors_of_another_length_than_asked_for_are_refused() {
    let service = Service::start(Vec::new());
    let error = embedder(&service, "?dimensions=2").embed(&["text"]).unwrap_err();
    assert_eq!(trouble(error), Trouble::Dimension { expected: 2, got: 3 });
}

#[test]
fn a_page_in_place_of_an_answer_is_refused() {
    let page = Reply::Says(200, "", "<html>".to_owned());
    let service = Service::start(vec![page]);
    let error = embedder(&service, "").embed(&["text"]).unwrap_err();
    assert!(matches!(trouble(error), Trouble::NoVectors(_)));
}

#[test]
fn a_batch_that_is_too_large_is_halved_and_a_text_shortened() {
    let too_large = || says(500, "", "input is too large to process");
    let service = Service::start(vec![too_large(), too_large()]);
    let vectors = embedder(&service, "").embed(&["words", "text"]).unwrap();
    assert_eq!(vectors, [unit("wo"), unit("text")]);
    let inputs: Vec<_> =
        service.requests().into_iter().map(|request| request.body["input"].clone()).collect();
    assert_eq!(
        inputs,
        [json!(["words", "text"]), json!(["words"]), json!(["wo"]), json!(["text"])]
    );
}

#[test]
fn tokens_are_counted_exactly_where_the_tokenizer_is_public_and_high_elsewhere() {
    let count = |model: &str| {
        let address = format!("http://localhost/v1#{model}").parse::<Address>().unwrap();
        let embedder = Embedder::endpoint(address, None);
        (embedder.count("hello world"), embedder.max_tokens(), embedder.at_once())
    };
    assert_eq!(count("text-embedding-3-small"), (2, 512, 128));
    assert_eq!(count("nomic-embed-text"), (3, 512, 128));
}
