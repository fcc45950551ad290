//! Images that a client sends with a conversation, at both doors: those of every message of the
//! user reach a model that sees, and what is stored has a placeholder for each.

use super::{calling, chatting, complete, post, weather};
use crate::database::Database;
use crate::desk::{Desk, Reply};
use anyhow::Result;
use dossier_testkit::{Provider as Script, Reply as Scripted};
use serde_json::{Value, json};

stories! {
    an_image_reaches_the_model_with_its_question,
    an_image_that_came_in_a_message_of_its_own_reaches_the_model,
    an_image_reaches_the_model_with_every_question_that_follows_it,
    a_model_that_cannot_see_is_told_of_earlier_images,
    a_binary_in_a_text_is_not_stored_and_its_conversation_goes_on,
    a_binary_is_not_stored_with_a_turn_or_an_import,
}

/// The two ways to tell a conversation.
const DOORS: [&str; 2] = ["/v1/chat/completions", "/v1/responses"];

const CAT: &str = "data:image/png;base64,iVBORw0KGgo=";
const DOG: &str = "data:image/jpeg;base64,/9j/4AAQ";

/// A message of the user: images, and a text if there is one.
fn user(door: &str, images: &[&str], text: &str) -> Value {
    let is_chat = door == DOORS[0];
    let image = |url: &&str| match is_chat {
        true => json!({"type": "image_url", "image_url": {"url": url}}),
        false => json!({"type": "input_image", "image_url": url}),
    };
    let kind = if is_chat { "text" } else { "input_text" };
    let text = (!text.is_empty()).then(|| json!({"type": kind, "text": text}));
    let parts: Vec<Value> = images.iter().map(image).chain(text).collect();
    json!({"role": "user", "content": parts})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

async fn ask(desk: &Desk, door: &str, model: &str, said: &[Value]) -> Result<Reply> {
    let field = if door == DOORS[0] { "messages" } else { "input" };
    let reply = post(desk, door, &[], &json!({"model": model, field: said})).await?;
    assert_eq!(reply.status, 200, "{door}: {:?}", reply.body);
    Ok(reply)
}

/// The images in the last request, each with the text of the message that it stands in.
fn seen(script: &Script) -> Vec<(String, String)> {
    let body = script.requests().pop().unwrap().body;
    let mut seen = Vec::new();
    for message in body["messages"].as_array().unwrap() {
        let parts = message["content"].as_array().cloned().unwrap_or_default();
        let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let urls = parts.iter().filter_map(|part| part["image_url"]["url"].as_str());
        seen.extend(urls.map(|url| (url.to_owned(), text.clone())));
    }
    seen
}

/// What the receipt says of images.
async fn warnings(desk: &Desk, reply: &Reply) -> Result<Vec<String>> {
    let receipt = reply.headers["x-dossier-receipt"].to_str()?;
    let receipt = desk.get(&format!("/api/receipts/{receipt}")).await?.json();
    let warnings = receipt["budget"]["warnings"].as_array().unwrap().iter();
    let warnings = warnings.map(|warning| warning.as_str().unwrap().to_owned());
    Ok(warnings.filter(|warning| warning.contains("image")).collect())
}

async fn stored(desk: &Desk, reply: &Reply) -> Result<Vec<String>> {
    let thread = reply.headers["x-dossier-thread"].to_str()?;
    let document = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    let messages = document["messages"].as_array().unwrap().iter();
    Ok(messages.map(|it| it["content"].as_str().unwrap().to_owned()).collect())
}

fn along(earlier: usize) -> [String; 1] {
    [format!(
        "images of earlier messages are sent with the question, oldest first and before its own: \
         {earlier}"
    )]
}

async fn an_image_reaches_the_model_with_its_question(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, ["one", "two"].map(Scripted::chat)).await?;
    for door in DOORS {
        let question = format!("What does {door} show?");
        let reply = ask(&desk, door, "here/m", &[user(door, &[CAT, DOG], &question)]).await?;
        let whole = format!("[image/png, 8 bytes]\n\n[image/jpeg, 6 bytes]\n\n{question}");
        assert_eq!(stored(&desk, &reply).await?[0], whole);
        let seen = seen(&script);
        assert_eq!(seen.iter().map(|(url, _)| &**url).collect::<Vec<_>>(), [CAT, DOG], "{door}");
        assert!(seen[0].1.ends_with(&whole), "{door}: {seen:?}");
        assert!(warnings(&desk, &reply).await?.is_empty(), "{door}");
    }
    desk.stopped().await
}

async fn an_image_that_came_in_a_message_of_its_own_reaches_the_model(
    database: Database,
) -> Result<()> {
    let (desk, script) = chatting(&database, ["one", "two"].map(Scripted::chat)).await?;
    for door in DOORS {
        let question = format!("What does {door} show?");
        let said = [user(door, &[CAT], ""), user(door, &[], &question)];
        let reply = ask(&desk, door, "here/m", &said).await?;
        let [(url, text)] = seen(&script).try_into().unwrap();
        assert_eq!(url, CAT, "{door}");
        assert!(text.ends_with(&question), "{door}: {text}");
        assert_eq!(stored(&desk, &reply).await?[..2], ["[image/png, 8 bytes]", &question]);
        assert_eq!(warnings(&desk, &reply).await?, along(1), "{door}");
    }
    desk.stopped().await
}

async fn an_image_reaches_the_model_with_every_question_that_follows_it(
    database: Database,
) -> Result<()> {
    let replies = ["A cat.", "Grey.", "Both.", "A cat.", "Grey.", "Both."].map(Scripted::chat);
    let (desk, script) = chatting(&database, replies).await?;
    for door in DOORS {
        let urls = || seen(&script).into_iter().map(|(url, _)| url).collect::<Vec<_>>();
        let mut said = vec![user(door, &[CAT], &format!("What does {door} show?"))];
        let first = ask(&desk, door, "here/m", &said).await?;
        said.extend([assistant("A cat."), user(door, &[], "Which colour?")]);
        let second = ask(&desk, door, "here/m", &said).await?;
        assert_eq!(urls(), [CAT], "{door}");
        assert_eq!(warnings(&desk, &second).await?, along(1), "{door}");
        said.extend([assistant("Grey."), user(door, &[DOG], "Which is larger?")]);
        let third = ask(&desk, door, "here/m", &said).await?;
        assert_eq!(urls(), [CAT, DOG], "{door}");
        assert_eq!(warnings(&desk, &third).await?, along(1), "{door}");
        // It is one conversation, in which no image is stored.
        for reply in [&second, &third] {
            assert_eq!(reply.headers["x-dossier-thread"], first.headers["x-dossier-thread"]);
        }
        let stored = stored(&desk, &third).await?;
        assert_eq!(stored[4], "[image/jpeg, 6 bytes]\n\nWhich is larger?");
        assert!(!stored.concat().contains("base64"), "{stored:?}");
    }
    desk.stopped().await
}

async fn a_model_that_cannot_see_is_told_of_earlier_images(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, ["one", "two"].map(Scripted::chat)).await?;
    for door in DOORS {
        let said = [user(door, &[CAT], ""), user(door, &[], &format!("What does {door} show?"))];
        let reply = ask(&desk, door, "here/gpt-3.5-turbo", &said).await?;
        assert_eq!(seen(&script), [], "{door}");
        let blind = "here/gpt-3.5-turbo cannot see images and is told that there are some";
        assert_eq!(warnings(&desk, &reply).await?, [blind], "{door}");
    }
    desk.stopped().await
}

/// A picture in words.
fn binary() -> String {
    format!("data:image/png;base64,{}", "QUJD".repeat(500))
}

const PLACEHOLDER: &str = "[image/png, 1500 bytes]";

async fn a_binary_in_a_text_is_not_stored_and_its_conversation_goes_on(
    database: Database,
) -> Result<()> {
    let drawn = format!("Here: ![cat]({})", binary());
    let script = [calling("call_1", "{}"), Scripted::chat(&drawn), Scripted::chat("two")];
    let (desk, script) = chatting(&database, script).await?;
    let mut said = vec![json!({"role": "user", "content": format!("Draw {} anew", binary())})];
    let mut asked = json!({"model": "here/m", "tools": weather(), "messages": said});
    let first = complete(&desk, &[], &asked).await?;
    said.push(first.json()["choices"][0]["message"].clone());
    said.push(json!({"role": "tool", "tool_call_id": "call_1", "content": binary()}));
    asked["messages"] = json!(said);
    let second = complete(&desk, &[], &asked).await?;
    // What the client's own tool gave reaches the model, and the model's answer the client.
    let sent = script.requests()[1].body["messages"].clone();
    assert_eq!(sent.as_array().unwrap().last().unwrap()["content"], binary());
    let answer = second.json()["choices"][0]["message"].clone();
    assert_eq!(answer["content"], drawn);
    said.extend([answer, json!({"role": "user", "content": "More"})]);
    asked["messages"] = json!(said);
    let third = complete(&desk, &[], &asked).await?;
    for reply in [&second, &third] {
        assert_eq!(reply.headers["x-dossier-thread"], first.headers["x-dossier-thread"]);
    }
    let question = format!("Draw {PLACEHOLDER} anew");
    let expected = [&question, "[calls weather({})]", PLACEHOLDER, &drawn, "More", "two"];
    assert_eq!(stored(&desk, &third).await?, expected);
    desk.stopped().await
}

async fn a_binary_is_not_stored_with_a_turn_or_an_import(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, []).await?;
    let project = desk.project("garden").await?;
    let attachments = json!([{"name": "a.md", "content": format!("see {}\n", binary())}]);
    let turn = json!({
        "project_id": project, "message": format!("Look: {}", binary()),
        "models": ["builtin/extractive"], "attachments": attachments,
    });
    let turn = desk.post("/api/turn", turn).await?.json();
    let talk = json!({"messages": [{"speaker": "user", "content": format!("a {} b", binary())}]});
    let import = format!("/api/projects/{project}/conversations/import");
    let first = desk.post(&import, talk.clone()).await?.json();
    let again = desk.post(&import, talk).await?.json();
    assert_eq!(again["conversation_id"], first["conversation_id"]);
    let attached = format!("<attachment name=\"a.md\">\nsee {PLACEHOLDER}\n</attachment>");
    for (conversation, expected) in [
        (&turn, format!("Look: {PLACEHOLDER}\n\n{attached}")),
        (&first, format!("a {PLACEHOLDER} b")),
    ] {
        let id = conversation["conversation_id"].as_str().unwrap();
        let document = desk.get(&format!("/api/conversations/{id}")).await?.json();
        assert_eq!(document["messages"][0]["content"], expected);
    }
    desk.stopped().await
}
