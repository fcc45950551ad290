//! Responses: a text or items, tools, what follows a response, and the sequence of a stream.

use super::{calling, chatting, desk, frames, post};
use crate::database::Database;
use crate::desk::{Desk, Reply};
use crate::steady::steady;
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_testkit::{Provider as Script, Reply as Scripted};
use serde_json::{Value, json};

stories! {
    a_response_answers_a_text,
    a_response_follows_another_by_its_id,
    items_are_a_conversation_like_any_other,
    the_client_runs_its_own_tools,
    a_stream_is_the_vendors_sequence,
    what_a_model_thinks_comes_before_its_answer_if_it_is_wanted,
    what_is_the_vendors_own_is_refused,
    a_provider_that_speaks_it_is_passed_on,
}

async fn respond(desk: &Desk, body: &Value) -> Result<Reply> {
    post(desk, "/v1/responses", &[], body).await
}

fn thread(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    reply.headers["x-dossier-thread"].to_str().unwrap().to_owned()
}

fn text(reply: &Reply) -> String {
    reply.json()["output"][0]["content"][0]["text"].as_str().unwrap().to_owned()
}

async fn stored(desk: &Desk, thread: &str) -> Result<Vec<String>> {
    let document = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    let messages = document["messages"].as_array().unwrap().clone();
    Ok(messages.iter().map(|it| it["content"].as_str().unwrap().to_owned()).collect())
}

async fn a_response_answers_a_text(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, [Scripted::chat("At the quay.")]).await?;
    let asked = json!({
        "model": "here/m", "input": "Where is the ferry?", "instructions": "Be brief.",
        "max_output_tokens": 99, "text": {"format": {"type": "text"}},
        "metadata": {"k": "v"}, "store": true,
    });
    let reply = respond(&desk, &asked).await?;
    assert!(reply.headers.contains_key("x-dossier-receipt"));
    let mut response = reply.json();
    let id = response["id"].take();
    assert!(id.as_str().unwrap().starts_with("resp_"), "{id}");
    assert!(response["created_at"].take().is_i64());
    assert!(response["output"][0]["id"].take().as_str().unwrap().starts_with("msg_"));
    assert_eq!(
        response,
        json!({
            "id": null, "object": "response", "created_at": null, "status": "completed",
            "error": null, "incomplete_details": null, "instructions": "Be brief.",
            "max_output_tokens": 99, "model": "here/m",
            "output": [{
                "id": null, "type": "message", "status": "completed", "role": "assistant",
                "content": [{
                    "type": "output_text", "text": "At the quay.", "annotations": [],
                    "logprobs": [],
                }],
            }],
            "parallel_tool_calls": true, "previous_response_id": null,
            "reasoning": {"effort": null, "summary": null}, "store": true, "temperature": null,
            "text": {"format": {"type": "text"}}, "tool_choice": "auto", "tools": [],
            "top_p": null, "truncation": "disabled",
            "usage": {
                "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 15,
            },
            "metadata": {"k": "v"},
        })
    );
    let sent = script.requests()[0].body.clone();
    assert!(sent["messages"][0]["content"].as_str().unwrap().contains("Be brief."));
    assert_eq!(sent["max_tokens"], 99);
    desk.stopped().await
}

async fn a_response_follows_another_by_its_id(database: Database) -> Result<()> {
    let script = ["one", "two", "other", "three", "four"].map(Scripted::chat);
    let (desk, script) = chatting(&database, script).await?;
    let first = respond(&desk, &json!({"model": "here/m", "input": "a"})).await?;
    let follow = async |id: &Value, input: &str| {
        let asked = json!({"model": "here/m", "input": input, "previous_response_id": id});
        respond(&desk, &asked).await
    };
    let id = first.json()["id"].clone();
    let second = follow(&id, "b").await?;
    assert_eq!(second.json()["previous_response_id"], id);
    assert_eq!(thread(&second), thread(&first));
    // From the first response two stories go on.
    let branch = follow(&id, "b2").await?;
    assert_ne!(thread(&branch), thread(&first));
    assert_eq!(thread(&follow(&second.json()["id"], "c").await?), thread(&first));
    assert_eq!(stored(&desk, &thread(&first)).await?, ["a", "one", "b", "two", "c", "three"]);
    assert_eq!(stored(&desk, &thread(&branch)).await?, ["a", "one", "b2", "other"]);
    let sent = script.requests()[3].body["messages"].clone();
    let words: Vec<&Value> =
        sent.as_array().unwrap()[1..].iter().map(|it| &it["content"]).collect();
    assert_eq!(words, ["a", "one", "b", "two", "c"]);
    desk.project("other").await?;
    for (project, status) in [("other", 422), ("unheard", 404), ("default", 200)] {
        let asked = json!({"model": "here/m", "input": "d", "previous_response_id": id});
        let home = [("x-dossier-project", project)];
        let reply = post(&desk, "/v1/responses", &home, &asked).await?;
        assert_eq!(reply.status, status, "{project}: {:?}", reply.body);
    }
    let unknown = follow(&json!("resp_none"), "x").await?;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.json()["error"]["param"], "previous_response_id");
    desk.stopped().await
}

async fn items_are_a_conversation_like_any_other(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, ["one", "two"].map(Scripted::chat)).await?;
    let first = respond(&desk, &json!({"model": "here/m", "input": "a"})).await?;
    let output = first.json()["output"][0].clone();
    let items = json!([
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        output,
        {"type": "message", "role": "user", "content": "b"},
    ]);
    let second = respond(&desk, &json!({"model": "here/m", "input": items})).await?;
    assert_eq!(text(&second), "two");
    assert_eq!(thread(&second), thread(&first));
    assert_eq!(stored(&desk, &thread(&first)).await?, ["a", "one", "b", "two"]);
    desk.stopped().await
}

async fn the_client_runs_its_own_tools(database: Database) -> Result<()> {
    let script = [calling("call_1", "{\"city\":\"Bergen\"}"), Scripted::chat("It rains.")];
    let (desk, script) = chatting(&database, script).await?;
    let tools = json!([{
        "type": "function", "name": "weather", "description": "Tells the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }]);
    let asked = json!({"model": "here/m", "input": "Rain?", "tools": tools});
    let first = respond(&desk, &asked).await?;
    let mut call = first.json()["output"][0].clone();
    assert!(call["id"].take().as_str().unwrap().starts_with("fc_"));
    assert_eq!(
        call,
        json!({
            "id": null, "type": "function_call", "status": "completed", "call_id": "call_1",
            "name": "weather", "arguments": "{\"city\":\"Bergen\"}",
        })
    );
    let result = json!([{"type": "function_call_output", "call_id": "call_1", "output": "heavy"}]);
    let asked = json!({
        "model": "here/m", "input": result, "tools": tools,
        "previous_response_id": first.json()["id"],
    });
    let second = respond(&desk, &asked).await?;
    assert_eq!(text(&second), "It rains.");
    let sent = script.requests()[1].body["messages"].clone();
    let sent = sent.as_array().unwrap();
    assert_eq!(sent[sent.len() - 3]["content"], "Rain?");
    assert_eq!(sent[sent.len() - 2]["tool_calls"][0]["id"], "call_1");
    assert_eq!(sent[sent.len() - 1]["content"], "heavy");
    let expected = ["Rain?", "[calls weather({\"city\":\"Bergen\"})]", "heavy", "It rains."];
    assert_eq!(stored(&desk, &thread(&second)).await?, expected);
    desk.stopped().await
}

async fn a_stream_is_the_vendors_sequence(database: Database) -> Result<()> {
    let script = [calling("call_1", "{}")];
    let (desk, _script) = chatting(&database, script).await?;
    let tools = json!([{"type": "function", "name": "weather"}]);
    let asked = json!({"model": "here/m", "input": "Rain?", "tools": tools, "stream": true});
    let reply = respond(&desk, &asked).await?;
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    let body = String::from_utf8(reply.body.to_vec())?;
    let names: Vec<&str> = body.lines().filter_map(|it| it.strip_prefix("event: ")).collect();
    let events: Vec<Value> =
        frames(&reply).iter().map(|frame| serde_json::from_str(frame).unwrap()).collect();
    for (number, (name, event)) in names.iter().zip(&events).enumerate() {
        assert_eq!((&event["type"], &event["sequence_number"]), (&json!(name), &json!(number)));
    }
    assert_eq!(
        names,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    assert_eq!(events[0]["response"]["status"], "in_progress");
    assert_eq!(events[2]["item"]["arguments"], "");
    assert_eq!(events[3]["delta"], "{}");
    assert_eq!(events[4]["arguments"], "{}");
    assert_eq!(events[6]["response"]["output"][0], events[5]["item"]);
    assert_eq!(events[6]["response"]["usage"]["total_tokens"], 15);
    assert_eq!(steady(&events[0]["response"]["id"]), steady(&events[6]["response"]["id"]));
    desk.stopped().await
}

async fn what_a_model_thinks_comes_before_its_answer_if_it_is_wanted(
    database: Database,
) -> Result<()> {
    let reply = || Scripted::chat_after(&["Ferries ", "moor."], "At the quay.");
    let (desk, _script) = chatting(&database, [reply(), reply(), reply()]).await?;
    let asked = json!({"model": "here/m", "input": "Where is the ferry?"});
    let kinds = |response: &Value| -> Vec<String> {
        let items = response["output"].as_array().unwrap();
        items.iter().map(|item| item["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&respond(&desk, &asked).await?.json()), ["message"]);
    let mut asked = asked;
    asked["reasoning"] = json!({"summary": "auto"});
    let response = respond(&desk, &asked).await?.json();
    assert_eq!(kinds(&response), ["reasoning", "message"]);
    let thought = json!([{"type": "summary_text", "text": "Ferries moor."}]);
    assert_eq!(response["output"][0]["summary"], thought);
    assert_eq!(response["reasoning"]["summary"], "auto");
    asked["stream"] = json!(true);
    let reply = respond(&desk, &asked).await?;
    let events: Vec<Value> =
        frames(&reply).iter().map(|frame| serde_json::from_str(frame).unwrap()).collect();
    let told: Vec<(&str, &Value)> = events
        .iter()
        .filter(|event| event["output_index"] == 0)
        .map(|event| (event["type"].as_str().unwrap(), &event["delta"]))
        .collect();
    let none = Value::Null;
    assert_eq!(
        told,
        [
            ("response.output_item.added", &none),
            ("response.reasoning_summary_part.added", &none),
            ("response.reasoning_summary_text.delta", &json!("Ferries ")),
            ("response.reasoning_summary_text.delta", &json!("moor.")),
            ("response.reasoning_summary_text.done", &none),
            ("response.reasoning_summary_part.done", &none),
            ("response.output_item.done", &none),
        ]
    );
    let whole = &events.last().unwrap()["response"];
    assert_eq!(
        (&whole["output"][0]["summary"], whole["output"][1]["type"].as_str()),
        (&thought, Some("message"))
    );
    asked["reasoning"] = json!({"summary": "loud"});
    assert_eq!(respond(&desk, &asked).await?.status, 422);
    desk.stopped().await
}

async fn what_is_the_vendors_own_is_refused(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, []).await?;
    for (field, value, param) in [
        ("tools", json!([{"type": "web_search"}]), "tools"),
        ("background", json!(true), "background"),
        ("conversation", json!("conv_1"), "conversation"),
        ("input", json!([{"type": "item_reference", "id": "x"}]), "input[0]"),
        ("input", json!([{"role": "king", "content": "x"}]), "input[0].role"),
        ("input", json!([{"type": "function_call_output", "output": "x"}]), "input[0]"),
        ("input", json!([]), "messages"),
        ("text", json!({"format": {"type": "grammar"}}), "text.format"),
    ] {
        let mut asked = json!({"model": "here/m", "input": "x"});
        asked[field] = value;
        let reply = respond(&desk, &asked).await?;
        let document = reply.json();
        assert_eq!(reply.status, 422, "{field}: {document}");
        assert_eq!(document["error"]["param"], param, "{field}: {document}");
    }
    assert_eq!(script.requests().len(), 0);
    desk.stopped().await
}

async fn a_provider_that_speaks_it_is_passed_on(database: Database) -> Result<()> {
    let answer = json!({"id": "resp_x", "usage": {"input_tokens": 3, "output_tokens": 1}});
    let script = Script::start([Scripted::json(200, &answer)])?;
    let desk = desk(&database, &script, Protocol::Responses).await?;
    let mut asked = json!({"model": "here/m", "input": "x", "tools": [{"type": "web_search"}]});
    let off = [("x-dossier-profile", "off")];
    let reply = post(&desk, "/v1/responses", &off, &asked).await?;
    assert_eq!((reply.status, reply.json()), (200, answer));
    asked["model"] = json!("m");
    let sent = &script.requests()[0];
    assert_eq!((sent.line.as_str(), &sent.body), ("POST /v1/responses", &asked));
    desk.stopped().await
}
