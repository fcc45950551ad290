//! Chat completions: one answer, a stream, tools of the client, and what is refused.

use super::{calling, chatting, chunks, complete, frames, request, said, talk, weather};
use crate::database::Database;
use anyhow::Result;
use dossier_testkit::Reply as Scripted;
use hyper::Method;
use serde_json::{Value, json};

stories! {
    a_question_is_answered_with_a_dossier_and_its_receipt,
    a_stream_has_the_vendors_chunks_and_its_end,
    the_client_runs_its_own_tools_in_one_round,
    the_clients_instructions_and_options_reach_the_model,
    what_a_provider_refuses_keeps_its_status,
    a_stream_that_breaks_says_so,
    an_answer_that_is_cut_off_before_its_first_word_is_an_answer,
    what_cannot_be_honoured_is_refused_with_a_way_out,
    a_client_that_leaves_ends_the_call,
    a_question_beyond_the_window_is_shown_in_short_and_continues_its_thread,
}

async fn a_question_beyond_the_window_is_shown_in_short_and_continues_its_thread(
    database: Database,
) -> Result<()> {
    let script = ["The pump.", "Of dock 4."].map(Scripted::chat);
    let (desk, script) = chatting(&database, script).await?;
    let log: String = (0..5_000).map(|n| format!("INFO request {n} took {n} ms\n")).collect();
    let question = format!("What failed here?\n\n{log}\nAnswer in one word.");
    let reply = complete(&desk, &[], &request(&[&question])).await?;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    let sent = script.requests()[0].body["messages"].to_string();
    assert!(sent.contains("[in part; expand_ref ref:log:") && sent.len() < 20_000, "{sent}");
    assert!(sent.contains("What failed here?") && sent.contains("Answer in one word."), "{sent}");
    let thread = reply.headers["x-dossier-thread"].clone();
    let stored = desk.get(&format!("/api/conversations/{}", thread.to_str()?)).await?.json();
    assert_eq!(stored["messages"][0]["content"], question);
    let next = request(&[&question, "The pump.", "Which?"]);
    let reply = complete(&desk, &[], &next).await?;
    assert_eq!(reply.headers["x-dossier-thread"], thread);
    assert_eq!(said(&reply), "Of dock 4.");
    desk.stopped().await
}

async fn a_question_is_answered_with_a_dossier_and_its_receipt(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, [Scripted::chat("At the quay.")]).await?;
    let project = desk.project("default").await?;
    desk.file(&project, "ferry.md", "The ferry leaves from the old quay at noon.").await?;
    let reply = complete(&desk, &[], &request(&["Where is the ferry?"])).await?;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    let mut answer = reply.json();
    assert!(answer["id"].take().as_str().unwrap().starts_with("chatcmpl-"));
    assert!(answer["created"].take().as_i64().unwrap() > 1_700_000_000);
    assert_eq!(
        answer,
        json!({
            "id": null, "object": "chat.completion", "created": null, "model": "here/m",
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": "At the quay.", "refusal": null},
                "logprobs": null, "finish_reason": "stop",
            }],
            "usage": {
                "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
                "prompt_tokens_details": {"cached_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 0},
            },
        })
    );
    let sent = script.requests()[0].body.clone();
    assert_eq!(sent["model"], "m");
    assert!(sent["messages"].to_string().contains("leaves from the old quay"), "{sent}");
    let receipt = reply.headers["x-dossier-receipt"].to_str()?;
    let rendered = desk.get(&format!("/api/receipts/{receipt}/rendered")).await?;
    assert_eq!(rendered.json()["messages"], sent["messages"]);
    let thread = reply.headers["x-dossier-thread"].to_str()?;
    let stored = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    assert_eq!(stored["messages"].as_array().map(Vec::len), Some(2));
    assert_eq!(stored["messages"][1]["content"], "At the quay.");
    let usage = desk.get("/api/usage?by=component").await?.json();
    assert_eq!(usage["sums"][0]["input_tokens"], 10);
    desk.stopped().await
}

async fn a_stream_has_the_vendors_chunks_and_its_end(database: Database) -> Result<()> {
    let script = [Scripted::chat("At the quay."), Scripted::chat("At noon.")];
    let (desk, _script) = chatting(&database, script).await?;
    let mut asked = request(&["Where is the ferry?"]);
    asked["stream"] = json!(true);
    asked["stream_options"] = json!({"include_usage": true});
    let reply = complete(&desk, &[], &asked).await?;
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    assert!(reply.headers.contains_key("x-dossier-receipt"));
    assert_eq!(frames(&reply).last().unwrap(), "[DONE]");
    let told: Vec<Value> = chunks(&reply)
        .into_iter()
        .map(|mut chunk| {
            assert!(chunk["id"].take().as_str().unwrap().starts_with("chatcmpl-"));
            assert!(chunk["created"].take().is_i64());
            assert_eq!(chunk["object"].take(), "chat.completion.chunk");
            assert_eq!(chunk["model"].take(), "here/m");
            json!([chunk["choices"], chunk["usage"]])
        })
        .collect();
    let choice = |delta: Value, finish: Value| json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]);
    let usage = json!({
        "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    });
    assert_eq!(
        told,
        [
            json!([choice(json!({"role": "assistant", "content": ""}), Value::Null), null]),
            json!([choice(json!({"content": "At the quay."}), Value::Null), null]),
            json!([choice(json!({}), json!("stop")), null]),
            json!([[], usage]),
        ]
    );
    asked["stream_options"] = Value::Null;
    let reply = complete(&desk, &[], &asked).await?;
    assert!(chunks(&reply).iter().all(|chunk| chunk.get("usage").is_none()));
    desk.stopped().await
}

async fn the_client_runs_its_own_tools_in_one_round(database: Database) -> Result<()> {
    let script = [
        calling("call_1", "{\"city\": \"Bergen\"}"),
        Scripted::chat("It rains."),
        Scripted::chat("Take a coat."),
    ];
    let (desk, script) = chatting(&database, script).await?;
    let mut asked = request(&["Does it rain in Bergen?"]);
    asked["tools"] = weather();
    let reply = complete(&desk, &[], &asked).await?;
    let choice = reply.json()["choices"][0].clone();
    let call = json!({
        "id": "call_1", "type": "function",
        "function": {"name": "weather", "arguments": "{\"city\": \"Bergen\"}"},
    });
    let message = json!({
        "role": "assistant", "content": null, "refusal": null, "tool_calls": [call],
    });
    assert_eq!((&choice["message"], &choice["finish_reason"]), (&message, &json!("tool_calls")));

    let thread = reply.headers["x-dossier-thread"].clone();
    let result = json!({"role": "tool", "tool_call_id": "call_1", "content": "heavy rain"});
    asked["messages"].as_array_mut().unwrap().extend([message, result.clone()]);
    let reply = complete(&desk, &[], &asked).await?;
    assert_eq!(said(&reply), "It rains.");
    assert_eq!(reply.headers["x-dossier-thread"], thread);
    let receipt = reply.headers["x-dossier-receipt"].to_str()?;
    let receipt = desk.get(&format!("/api/receipts/{receipt}")).await?.json();
    let warnings = receipt["budget"]["warnings"].to_string();
    let counted =
        "tokens of the client's own calls of tools and their results are sent as they are";
    assert!(warnings.contains(counted), "{receipt}");

    let requests = script.requests();
    assert_eq!(requests[0].body["tools"][0]["function"]["name"], "weather");
    let sent = requests[1].body["messages"].as_array().unwrap();
    let tail = &sent[sent.len() - 3..];
    assert_eq!(tail[0]["content"], "Does it rain in Bergen?");
    assert_eq!(tail[1]["tool_calls"][0]["id"], "call_1");
    assert_eq!(tail[2], result);

    // The next question finds all of it in the thread.
    let answer = json!({"role": "assistant", "content": "It rains."});
    asked["messages"].as_array_mut().unwrap().push(answer);
    let next = json!({"role": "user", "content": "What should I wear?"});
    asked["messages"].as_array_mut().unwrap().push(next);
    let reply = complete(&desk, &[], &asked).await?;
    assert_eq!(said(&reply), "Take a coat.");
    assert_eq!(reply.headers["x-dossier-thread"], thread);
    let stored = desk.get(&format!("/api/conversations/{}", thread.to_str()?)).await?.json();
    let said: Vec<(&str, i64)> = stored["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["content"].as_str().unwrap(), it["round"].as_i64().unwrap()))
        .collect();
    assert_eq!(
        said,
        [
            ("Does it rain in Bergen?", 1),
            ("[calls weather({\"city\":\"Bergen\"})]", 1),
            ("heavy rain", 1),
            ("It rains.", 1),
            ("What should I wear?", 2),
            ("Take a coat.", 2),
        ]
    );
    desk.stopped().await
}

async fn the_clients_instructions_and_options_reach_the_model(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, [Scripted::chat("Aye.")]).await?;
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let mut tools = weather();
    tools[0]["function"]["strict"] = json!(true);
    let asked = json!({
        "model": "here/m",
        "messages": [
            {"role": "developer", "content": [{"type": "text", "text": "Speak like a sailor."}]},
            {"role": "user", "content": "Ready?"},
        ],
        "temperature": 0, "top_p": 0.5, "max_tokens": 50, "stop": "END", "seed": 7,
        "frequency_penalty": 0.25, "user": "u-1",
        "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}},
        "tools": tools, "tool_choice": {"type": "function", "function": {"name": "weather"}},
        "a_field_of_the_future": {"x": 1},
    });
    assert_eq!(said(&complete(&desk, &[], &asked).await?), "Aye.");
    let mut sent = script.requests()[0].body.clone();
    let header = sent["messages"][0].take();
    assert!(header["content"].as_str().unwrap().contains("Speak like a sailor."), "{header}");
    assert_eq!(sent["messages"], json!([null, {"role": "user", "content": "Ready?"}]));
    assert_eq!(sent["tools"][0]["function"]["strict"], true);
    for (name, value) in [
        ("temperature", json!(0.0)),
        ("top_p", json!(0.5)),
        ("max_tokens", json!(50)),
        ("stop", json!(["END"])),
        ("seed", json!(7)),
        ("frequency_penalty", json!(0.25)),
        ("user", json!("u-1")),
        ("tool_choice", json!({"type": "function", "function": {"name": "weather"}})),
    ] {
        assert_eq!(sent[name], value, "{name}: {sent}");
    }
    assert_eq!(sent["response_format"]["json_schema"]["name"], "a");
    desk.stopped().await
}

async fn what_a_provider_refuses_keeps_its_status(database: Database) -> Result<()> {
    let error = |message: &str| json!({"error": {"message": message}});
    let busy = || Scripted::json(429, &error("slow down")).with_header("retry-after", "7");
    let script = [
        busy(),
        busy(),
        Scripted::json(401, &error("bad key")),
        Scripted::json(400, &error("maximum context length is 10")),
        Scripted::json(503, &error("overloaded")),
        Scripted::chat("At last."),
    ];
    let (desk, script) = chatting(&database, script).await?;
    let asked = request(&["Where?"]);
    let mut streamed = asked.clone();
    streamed["stream"] = json!(true);
    for (request, status, kind, code) in [
        (&asked, 429, "rate_limit_error", "rate_limit_exceeded"),
        (&streamed, 429, "rate_limit_error", "rate_limit_exceeded"),
        (&asked, 401, "authentication_error", "key_refused"),
        (&asked, 400, "invalid_request_error", "context_length_exceeded"),
        (&asked, 503, "server_error", "model_unavailable"),
    ] {
        let reply = complete(&desk, &[], request).await?;
        let document = reply.json();
        assert_eq!(reply.status, status, "{document}");
        assert_eq!(reply.headers["content-type"], "application/problem+json");
        assert_eq!(document["status"], status);
        assert_eq!(document["error"]["message"], document["detail"]);
        assert_eq!(
            (&document["error"]["type"], &document["error"]["code"]),
            (&json!(kind), &json!(code))
        );
        assert_eq!(reply.headers.get("retry-after").is_some(), status == 429);
        assert!(!document.to_string().contains("our-key"));
    }
    // The same question, asked again, is the same question.
    let reply = complete(&desk, &[], &asked).await?;
    assert_eq!(said(&reply), "At last.");
    let thread = reply.headers["x-dossier-thread"].to_str()?;
    let stored = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    assert_eq!(stored["messages"].as_array().map(Vec::len), Some(2), "{stored}");
    assert_eq!(script.requests().len(), 6);
    desk.stopped().await
}

async fn an_answer_that_is_cut_off_before_its_first_word_is_an_answer(
    database: Database,
) -> Result<()> {
    let script = ["", "", "At the quay."].map(Scripted::chat_cut);
    let (desk, _script) = chatting(&database, script).await?;
    let mut asked = request(&["Where?"]);
    asked["max_tokens"] = json!(5);
    let reply = complete(&desk, &[], &asked).await?;
    assert_eq!(said(&reply), "");
    assert_eq!(reply.json()["choices"][0]["finish_reason"], "length");
    asked["stream"] = json!(true);
    let told = chunks(&complete(&desk, &[], &asked).await?);
    assert_eq!(told.last().unwrap()["choices"][0]["finish_reason"], "length");
    asked["stream"] = json!(false);
    assert_eq!(said(&complete(&desk, &[], &asked).await?), "At the quay.");
    desk.stopped().await
}

async fn a_stream_that_breaks_says_so(database: Database) -> Result<()> {
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": "At the"}}]});
    let broken = Scripted::events(&format!("data: {chunk}\n\n")).cut_off();
    let (desk, _script) = chatting(&database, [broken]).await?;
    let mut asked = request(&["Where?"]);
    asked["stream"] = json!(true);
    let reply = complete(&desk, &[], &asked).await?;
    assert_eq!(reply.status, 200);
    let told = chunks(&reply);
    assert_eq!(told[1]["choices"][0]["delta"]["content"], "At the");
    assert_eq!(told[2]["error"]["type"], "server_error");
    assert_eq!(told.len(), 3);
    assert!(!frames(&reply).contains(&"[DONE]".to_owned()));
    desk.stopped().await
}

async fn what_cannot_be_honoured_is_refused_with_a_way_out(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, []).await?;
    let image = json!([{"role": "user", "content": [
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
    ]}]);
    let broken = json!([{"role": "user", "content": [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,no"}},
    ]}]);
    let sound = json!([{"role": "user", "content": [{"type": "input_audio"}]}]);
    let alone = json!([{"role": "tool", "tool_call_id": "x", "content": "1"}]);
    let result = json!([
        {"role": "user", "content": "x"}, {"role": "tool", "tool_call_id": "x", "content": "1"},
    ]);
    for (field, value, status, param) in [
        ("n", json!(2), 422, json!("n")),
        ("modalities", json!(["text", "audio"]), 422, json!("modalities")),
        ("logprobs", json!(true), 422, json!("logprobs")),
        ("tools", json!([{"type": "web_search"}]), 422, json!("tools")),
        ("tool_choice", json!("always"), 422, json!("tool_choice")),
        ("reasoning_effort", json!("huge"), 422, json!("reasoning_effort")),
        ("model", json!("here"), 404, json!("model")),
        ("model", json!("nobody/m"), 404, json!("model")),
        ("model", json!(7), 422, Value::Null),
        ("messages", json!([]), 422, json!("messages")),
        ("messages", json!("Where?"), 422, Value::Null),
        ("messages", json!([{"role": "user"}]), 422, json!("messages[0].content")),
        ("messages", json!([{"role": "king", "content": "x"}]), 422, json!("messages[0].role")),
        ("messages", talk(&["\n"]), 422, json!("messages")),
        ("messages", talk(&[&"word ".repeat(300_000)]), 422, json!("messages")),
        ("messages", image, 422, json!("messages[0].content")),
        ("messages", broken, 422, json!("messages[0].content")),
        ("messages", sound, 422, json!("messages[0].content")),
        ("messages", alone, 422, json!("messages")),
        ("messages", result, 422, json!("messages")),
    ] {
        let mut asked = request(&["Where?"]);
        asked[field] = value;
        let reply = complete(&desk, &[], &asked).await?;
        let document = reply.json();
        assert_eq!(reply.status, status, "{field}: {document}");
        assert_eq!(document["error"]["param"], param, "{field}: {document}");
    }
    for (headers, status) in [
        (("x-dossier-profile", "huge"), 422),
        (("x-dossier-project", "nowhere"), 404),
        (("x-dossier-thread", "thr_01hqvjx9kf3t0q2z8w1mxnbr4c"), 404),
    ] {
        let reply = complete(&desk, &[headers], &request(&["Where?"])).await?;
        assert_eq!(reply.status, status, "{headers:?}: {:?}", reply.body);
        assert!(reply.json()["error"]["message"].is_string());
    }
    let json = [("content-type", "application/json")];
    let path = "/v1/chat/completions";
    for (headers, body, status) in [
        (&json[..], b"{".to_vec(), 400),
        (&json[..], b"{\"model\": \"\xff\"}".to_vec(), 400),
        (&json[..], vec![b' '; 50_000_000], 413),
        (&[], b"{}".to_vec(), 415),
    ] {
        let reply = desk.send(Method::POST, path, headers, body).await?;
        assert_eq!(reply.status, status);
        assert!(reply.json()["error"]["message"].is_string());
    }
    assert_eq!(script.requests().len(), 0);
    let listed = desk.get("/api/projects").await?.json();
    for project in listed["projects"].as_array().unwrap() {
        let path = format!("/api/projects/{}/conversations", project["id"].as_str().unwrap());
        assert_eq!(desk.get(&path).await?.json()["conversations"], json!([]));
    }
    desk.stopped().await
}

async fn a_client_that_leaves_ends_the_call(database: Database) -> Result<()> {
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": "At the"}}]});
    let slow = || Scripted::events(&format!("data: {chunk}\n\n")).then_silence();
    let (desk, script) = chatting(&database, [slow(), slow()]).await?;
    for profile in ["lean", "off"] {
        let mut asked = request(&["Where?"]);
        asked["stream"] = json!(true);
        let headers = [("content-type", "application/json"), ("x-dossier-profile", profile)];
        let path = "/v1/chat/completions";
        let response = desk.response(Method::POST, path, &headers, asked.to_string()).await?;
        assert_eq!(response.status(), 200);
        drop(response);
        let script = &script;
        assert!(tokio::task::block_in_place(|| script.was_hung_up_on()), "{profile}");
    }
    desk.stopped().await
}
