//! The headers that the OpenAPI document names, by rules that hold for all operations alike: what is
//! told in one place of the server is told in one place here.

use utoipa::openapi::header::Header;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Response};

const REQUEST_ID: &str = "X-Request-Id";
const REPLAYED: &str = "Idempotency-Replayed";
const THREAD: &str = "X-Dossier-Thread";
const TURN: &str = "X-Dossier-Turn";
const RECEIPT: &str = "X-Dossier-Receipt";
const CACHE: &str = "X-Dossier-Cache";

/// Every header that a client may rely on, and what it says.
const MEANINGS: [(&str, &str); 6] = [
    (
        REQUEST_ID,
        "The id of the request, by which the log tells more: the client's own, if it sent one",
    ),
    (REPLAYED, "`true` if this is the reply that the same Idempotency-Key had before"),
    (THREAD, "The conversation; of a turn, streams alone name it here"),
    (TURN, "The turn, of a stream"),
    (RECEIPT, "The receipt of what the model was given"),
    (CACHE, "`hit`, `stale` or `miss`, where the project keeps answers"),
];

const STREAM: &str = "text/event-stream";

/// Names in the document what the server takes and sends beside the bodies.
pub fn name(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    for (name, meaning) in MEANINGS {
        let mut header =
            Header::new(ObjectBuilder::new().schema_type(SchemaType::new(Type::String)));
        header.description = Some(meaning.to_owned());
        components.headers.insert(name.to_owned(), RefOr::T(header));
    }
    for (path, item) in &mut document.paths.paths {
        let PathItem { get, put, post, delete, patch, .. } = item;
        if let Some(operation) = post {
            operation.parameters.get_or_insert_default().push(RefOr::T(idempotency_key()));
            add(operation, |_| vec![REPLAYED]);
        }
        for operation in [get, put, post, delete, patch].into_iter().flatten() {
            add(operation, |response| of_streams(path, response));
            add(operation, |_| vec![REQUEST_ID]);
        }
    }
}

/// What is said of an answer that can come as a stream.
fn of_streams(path: &str, response: &Response) -> Vec<&'static str> {
    match response.content.contains_key(STREAM) {
        true if path.starts_with("/v1/") => vec![THREAD, RECEIPT, CACHE],
        true if path != "/api/events" => vec![THREAD, TURN],
        _ => Vec::new(),
    }
}

/// Headers of the responses that are no problems; those name their request in the document.
fn add(operation: &mut Operation, headers: impl Fn(&Response) -> Vec<&'static str>) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        if !status.starts_with('2') {
            continue;
        }
        for name in headers(response) {
            let place = Ref::new(format!("#/components/headers/{name}"));
            response.headers.insert(name.to_owned(), RefOr::Ref(place));
        }
    }
}

fn idempotency_key() -> Parameter {
    let text = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .min_length(Some(1))
        .max_length(Some(255))
        .pattern(Some("^[!-~]+$"));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .description(Some("The same request with the same key is done once, and answered the same"))
        .schema(Some(text))
        .build()
}
