//! Which thread a conversation becomes: the one that is named, the one that begins alike, a branch
//! where it departs.

use super::{chatting, complete, request, said};
use crate::database::Database;
use crate::desk::{Desk, Reply};
use anyhow::Result;
use dossier_testkit::Reply as Scripted;
use serde_json::{Value, json};

stories! {
    a_conversation_is_known_by_what_was_said,
    a_long_history_is_stored_and_found_at_once,
    a_retried_answer_becomes_a_branch,
    a_thread_goes_by_the_name_that_the_client_gives_it,
    a_named_thread_needs_no_history,
    equal_conversations_are_not_mixed_up,
    nobody_finds_the_conversations_of_others,
    what_was_stated_before_the_question_is_remembered,
}

fn thread(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    reply.headers["x-dossier-thread"].to_str().unwrap().to_owned()
}

/// What was said in a thread, by whom.
async fn stored(desk: &Desk, thread: &str) -> Result<Vec<String>> {
    let document = desk.get(&format!("/api/conversations/{thread}")).await?.json();
    let messages = document["messages"].as_array().unwrap().clone();
    Ok(messages.iter().map(|it| it["content"].as_str().unwrap().to_owned()).collect())
}

async fn threads(desk: &Desk) -> Result<usize> {
    let projects = desk.get("/api/projects").await?.json();
    let mut count = 0;
    for project in projects["projects"].as_array().unwrap() {
        let path = format!("/api/projects/{}/conversations", project["id"].as_str().unwrap());
        count += desk.get(&path).await?.json()["conversations"].as_array().unwrap().len();
    }
    Ok(count)
}

fn replies(texts: &[&str]) -> Vec<Scripted> {
    texts.iter().map(|text| Scripted::chat(text)).collect()
}

async fn what_was_stated_before_the_question_is_remembered(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, replies(&["Well.", "Well."])).await?;
    let stated = ["We chose Redis for the queue.", "Fine.", "The launch is on March 5, 2027."];
    let mut said = stated.to_vec();
    said.extend(["Noted.", "What now?"]);
    complete(&desk, &[], &request(&said)).await?;
    said.extend(["Well.", "And then?"]);
    complete(&desk, &[], &request(&said)).await?;
    // A reply is told before anything is learned from its turn.
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..200 {
        let facts = desk.get("/api/facts").await?.json()["facts"].clone();
        let facts = facts.as_array().unwrap().iter();
        texts = facts.map(|fact| fact["text"].as_str().unwrap().to_owned()).collect();
        if texts.len() > 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    texts.sort();
    assert_eq!(texts, [stated[2], stated[0]]);
    desk.stopped().await
}

async fn a_conversation_is_known_by_what_was_said(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, replies(&["one", "two", "three"])).await?;
    let first = complete(&desk, &[], &request(&["a"])).await?;
    let second = complete(&desk, &[], &request(&["a", "one", "b"])).await?;
    // System text, and white space at the ends, make no other conversation.
    let mut third = request(&["a\n", " one", "b", "two", "c"]);
    third["messages"].as_array_mut().unwrap().insert(0, json!({"role": "system", "content": "x"}));
    let third = complete(&desk, &[], &third).await?;
    assert_eq!(thread(&second), thread(&first));
    assert_eq!(thread(&third), thread(&first));
    assert_eq!(stored(&desk, &thread(&first)).await?, ["a", "one", "b", "two", "c", "three"]);
    let sent = script.requests()[2].body["messages"].clone();
    let sent = sent.as_array().unwrap();
    let history: Vec<&Value> = sent[1..].iter().map(|message| &message["content"]).collect();
    assert_eq!(history, ["a", "one", "b", "two", "c"]);
    assert_eq!(threads(&desk).await?, 1);
    desk.stopped().await
}

async fn a_long_history_is_stored_and_found_at_once(database: Database) -> Result<()> {
    let (desk, script) = chatting(&database, replies(&["one", "two"])).await?;
    let mut said: Vec<String> = (0..120).map(|number| format!("thing number {number}")).collect();
    said[7] = "the password of the harbour gate is swordfish-seven".to_owned();
    said.push("What opens the harbour gate?".to_owned());
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let reply = complete(&desk, &[], &request(&said)).await?;
    assert_eq!(stored(&desk, &thread(&reply)).await?.len(), 100, "the first page is full");
    let sent = script.requests()[0].body.clone();
    assert!(sent["messages"].to_string().contains("harbour gate is"), "{sent}");
    let mut more = said.clone();
    more.extend(["one", "And then?"]);
    let next = complete(&desk, &[], &request(&more)).await?;
    assert_eq!(thread(&next), thread(&reply));
    desk.stopped().await
}

async fn a_retried_answer_becomes_a_branch(database: Database) -> Result<()> {
    let script = replies(&["one", "two", "other", "more", "first anew"]);
    let (desk, _script) = chatting(&database, script).await?;
    let first = complete(&desk, &[], &request(&["a"])).await?;
    complete(&desk, &[], &request(&["a", "one", "b"])).await?;
    let branch = complete(&desk, &[], &request(&["a", "one", "b edited"])).await?;
    assert_ne!(thread(&branch), thread(&first));
    assert_eq!(stored(&desk, &thread(&first)).await?, ["a", "one", "b", "two"]);
    assert_eq!(stored(&desk, &thread(&branch)).await?, ["a", "one", "b edited", "other"]);
    let on = complete(&desk, &[], &request(&["a", "one", "b edited", "other", "c"])).await?;
    assert_eq!(thread(&on), thread(&branch));
    // The very first question again is a conversation of its own.
    let anew = complete(&desk, &[], &request(&["a"])).await?;
    assert_eq!(stored(&desk, &thread(&anew)).await?, ["a", "first anew"]);
    assert_eq!(threads(&desk).await?, 3);
    desk.stopped().await
}

async fn a_thread_goes_by_the_name_that_the_client_gives_it(database: Database) -> Result<()> {
    let script = replies(&["one", "two", "three", "four", "five"]);
    let (desk, _script) = chatting(&database, script).await?;
    let named = [("x-dossier-thread", "chat 42")];
    let first = complete(&desk, &named, &request(&["a"])).await?;
    let mut by_metadata = request(&["a", "one", "b"]);
    by_metadata["metadata"] = json!({"dossier_thread": "chat 42"});
    assert_eq!(thread(&complete(&desk, &[], &by_metadata).await?), thread(&first));
    let id = thread(&first);
    let by_id = [("x-dossier-thread", id.as_str())];
    // A client that has forgotten the beginning.
    let third = complete(&desk, &by_id, &request(&["b", "two", "c"])).await?;
    assert_eq!(thread(&third), id);
    // An edited message is another story, which goes on under the same name.
    let edited = complete(&desk, &named, &request(&["a", "one", "b edited"])).await?;
    assert_ne!(thread(&edited), id);
    let on = complete(&desk, &named, &request(&["a", "one", "b edited", "four", "d"])).await?;
    assert_eq!(thread(&on), thread(&edited));
    assert_eq!(stored(&desk, &id).await?, ["a", "one", "b", "two", "c", "three"]);
    let branch = stored(&desk, &thread(&on)).await?;
    assert_eq!(branch, ["a", "one", "b edited", "four", "d", "five"]);
    desk.stopped().await
}

async fn a_named_thread_needs_no_history(database: Database) -> Result<()> {
    let script = replies(&["one", "two", "two again"]);
    let (desk, _script) = chatting(&database, script).await?;
    let named = [("x-dossier-thread", "desk")];
    let first = complete(&desk, &named, &request(&["a"])).await?;
    complete(&desk, &named, &request(&["b"])).await?;
    complete(&desk, &named, &request(&["b"])).await?;
    let expected = ["a", "one", "b", "two", "b", "two again"];
    assert_eq!(stored(&desk, &thread(&first)).await?, expected);
    let imported = desk
        .post(
            &format!("/api/projects/{}/conversations/import", desk.project("old").await?),
            json!({"title": "x", "messages": [
                {"speaker": "user", "content": "u"}, {"speaker": "assistant", "content": "v"},
            ]}),
        )
        .await?
        .json();
    assert!(imported.is_object(), "{imported}");
    desk.stopped().await
}

async fn equal_conversations_are_not_mixed_up(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, (0..24).map(|_| Scripted::chat("same"))).await?;
    let ask = async |said: &[&str]| complete(&desk, &[], &request(said)).await;
    let round = async |said: &[&str]| -> Result<Vec<String>> {
        let (a, b, c, d) = tokio::try_join!(ask(said), ask(said), ask(said), ask(said))?;
        Ok([a, b, c, d].iter().map(thread).collect())
    };
    for said in [&["a"][..], &["a", "same", "b"], &["a", "same", "b", "same", "c"]] {
        let mut found = round(said).await?;
        for thread in &found {
            let stored = stored(&desk, thread).await?;
            assert_eq!(stored[..said.len()], *said, "{stored:?}");
            assert_eq!(stored.len(), said.len() + 1, "{stored:?}");
        }
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 4);
    }
    let reply = ask(&["a", "same", "b", "same", "c", "same", "d"]).await?;
    assert_eq!(said(&reply), "same");
    desk.stopped().await
}

async fn nobody_finds_the_conversations_of_others(database: Database) -> Result<()> {
    let (desk, _script) = chatting(&database, replies(&["one", "two", "three"])).await?;
    let token = desk.token("ann", "a").await?;
    let hers = [("authorization", token.as_str())];
    let body = request(&["a"]).to_string();
    let json = ("content-type", "application/json");
    let path = "/v1/chat/completions";
    let first = desk.send(hyper::Method::POST, path, &[json, hers[0]], body).await?;
    let own = complete(&desk, &[], &request(&["a", "one", "b"])).await?;
    assert_ne!(thread(&own), thread(&first));
    assert_eq!(stored(&desk, &thread(&own)).await?, ["a", "one", "b", "two"]);
    let id = thread(&first);
    let reply = complete(&desk, &[("x-dossier-thread", &id)], &request(&["b"])).await?;
    assert_eq!(reply.status, 404);
    desk.stopped().await
}
