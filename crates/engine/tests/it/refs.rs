//! Refs and messages behind their names: what is kept of where they come from, how they age, and how
//! they are given back, also to a model in the middle of a turn.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon};
use crate::turn::{calls, desk, request, told};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_engine::{Embedder, ExpandRequest, Expansion, NewRef, RefShown, Slice};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::json;

stories! {
    where_a_content_comes_from_is_kept_without_its_secrets,
    a_newer_content_of_the_same_source_makes_the_older_stale,
    a_view_of_a_ref_is_given_by_its_name,
    a_message_is_given_back_by_its_id_to_its_owner,
    a_model_expands_a_ref_and_a_message_in_a_turn,
}

fn log(word: &str) -> String {
    (0..90).map(|step| format!("step {step} of the backup {word}\n")).collect()
}

async fn put(desk: &Desk, text: &str, source: serde_json::Value) -> Result<RefShown> {
    let new = NewRef { text: text.to_owned(), source, ..NewRef::default() };
    Ok(desk.workspace.put_ref(new, noon()).await?.0)
}

async fn expand(desk: &Desk, name: &str) -> Result<Expansion> {
    Ok(desk.workspace.expand_ref(name, &ExpandRequest::default(), noon()).await?)
}

async fn where_a_content_comes_from_is_kept_without_its_secrets(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let arguments = r#"{"url":"https://ana:hunter2hunter2@ops.org/log","password":"s3cret-Xk29"}"#;
    let source = json!({
        "tool": "fetch", "arguments": arguments, "url": "https://ana:hunter2hunter2@ops.org/log",
        "nested": [{ "api_key": "sk-proj-Zx81kQp92LmVt37RbYc64WdNf05HgJs" }], "page": 7,
    });
    let shown = put(&desk, &log("is done"), source).await?;
    let found = desk.workspace.get_ref(&shown.name.to_string(), noon()).await?.row.source;
    let told = found.to_string();
    for secret in ["hunter2", "s3cret", "Zx81kQp92"] {
        assert!(!told.contains(secret), "{told}");
    }
    assert_eq!((&found["tool"], &found["page"]), (&json!("fetch"), &json!(7)));
    assert!(found["url"].as_str().unwrap().ends_with("@ops.org/log"), "{told}");
    Ok(())
}

async fn a_newer_content_of_the_same_source_makes_the_older_stale(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let source = || json!({ "tool": "backup", "arguments": "{}" });
    let first = put(&desk, &log("is done"), source()).await?;
    let other = put(&desk, &log("is over"), json!({ "tool": "other" })).await?;
    let second = put(&desk, &log("failed"), source()).await?;
    let look =
        async |shown: &RefShown| desk.workspace.get_ref(&shown.name.to_string(), noon()).await;
    assert!(look(&first).await?.summary().starts_with("[stale; "));
    assert_eq!((look(&other).await?.is_stale, look(&second).await?.is_stale), (false, false));
    // Whoever expands it is told, and that makes it no newer.
    assert!(expand(&desk, &first.name.to_string()).await?.was_stale);
    assert!(expand(&desk, &first.name.to_string()).await?.was_stale);
    // One whose source has given nothing else since is fresh again.
    desk.workspace.mark_ref_stale(&other.name.to_string(), noon()).await?;
    assert!(expand(&desk, &other.name.to_string()).await?.was_stale);
    assert!(!expand(&desk, &other.name.to_string()).await?.was_stale);
    // The old content once more is the newest.
    put(&desk, &log("is done"), source()).await?;
    assert_eq!((look(&first).await?.is_stale, look(&second).await?.is_stale), (false, true));
    let marked = desk.workspace.mark_ref_stale(&first.name.to_string(), noon()).await?;
    assert!(marked.is_stale && look(&first).await?.is_stale);
    Ok(())
}

async fn a_view_of_a_ref_is_given_by_its_name(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let shown = put(&desk, &log("is done"), json!({})).await?;
    desk.workspace.mark_ref_stale(&shown.name.to_string(), noon()).await?;
    let view = async |view: &str| expand(&desk, &format!("{}{view}", shown.name)).await;
    let summary = format!("[stale; expand it to look again] {}", shown.row.summary);
    assert_eq!(view(":summary").await?.text, summary);
    assert_eq!(view(":compressed").await?.text, shown.row.compressed);
    // Only the whole makes it fresh.
    assert!(view(":full").await?.was_stale);
    assert_eq!((view("").await?.text, view("").await?.was_stale), (log("is done"), false));
    Ok(())
}

async fn a_message_is_given_back_by_its_id_to_its_owner(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let secret = "sk-proj-Zx81kQp92LmVt37RbYc64WdNf05HgJs";
    let text = format!("The key is {secret}.\nOrder ORD-4711 is paid.\nThat is all.");
    let talk = desk
        .workspace
        .import(&desk.project.id, &conversation("talk", &[("user", &text)]), noon())
        .await?;
    let id = desk.workspace.messages(&talk.thread).await?[0].id.to_string();
    let whole = expand(&desk, &id).await?;
    assert_eq!((whole.id.as_str(), whole.kind.as_str(), whole.expires_at), (&*id, "message", None));
    assert!(whole.text.ends_with("ORD-4711 is paid.\nThat is all."), "{}", whole.text);
    assert!(!whole.text.contains(secret), "{}", whole.text);
    let slice = Some(Slice { offset: 1, limit: Some(1) });
    let line = ExpandRequest { slice, ..ExpandRequest::default() };
    let line = desk.workspace.expand_ref(&id, &line, noon()).await?;
    assert_eq!((line.text.as_str(), line.total), ("Order ORD-4711 is paid.\n", Some(3)));
    let bob = Desk::with(&database, Embedder::none(), &OwnerId::from("bob")).await?;
    let refused = expand(&bob, &id).await.unwrap_err().to_string();
    assert!(refused.starts_with("not a ref; write ref:"), "{refused}");
    Ok(())
}

async fn a_model_expands_a_ref_and_a_message_in_a_turn(database: Database) -> Result<()> {
    let before = Desk::new(&database).await?;
    let new = NewRef { text: log("is done"), ..NewRef::default() };
    // A turn looks at the clock.
    let shown = before.workspace.put_ref(new, dossier_engine::now()).await?.0;
    let story = "The walrus swims to the quay and looks at the boats. ".repeat(700);
    let story = format!("{story}The boat is ORD-4711. {story}");
    let talk = before
        .workspace
        .import(&before.project.id, &conversation("talk", &[("user", &story)]), noon())
        .await?;
    let id = before.workspace.messages(&talk.thread).await?[0].id.to_string();
    let script = Script::start([
        calls(&[
            (
                "expand_ref",
                json!({ "ref_id": shown.name.to_string(), "slice": { "offset": 41, "limit": 1 } }),
            ),
            ("expand_ref", json!({ "ref_id": id })),
            ("expand_ref", json!({ "ref_id": "ref:log:000000000000" })),
        ]),
        Reply::chat("It is done."),
    ])?;
    let desk = desk(&database, &script).await?;
    let mut question = request(&desk, "What does the walrus do?", &["openai/gpt-5"]);
    question.terms.profile = ProfileName::Project;
    let happened = told(desk.workspace.turn(&question).await?).await;
    assert_eq!(
        happened,
        [
            "done",
            "openai/gpt-5 replied: It is done.",
            "openai/gpt-5 used expand_ref",
            "openai/gpt-5 used expand_ref",
            "openai/gpt-5 used expand_ref in vain",
        ]
    );
    let requests = script.requests();
    let messages = requests[1].body["messages"].as_array().unwrap();
    let results: Vec<&str> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(results[0], "step 41 of the backup is done\n\n[of 90]");
    assert!(results[1].starts_with("The walrus swims to the quay"), "{}", results[1]);
    assert!(results[2].contains("ref `ref:log:000000000000` is not known"), "{}", results[2]);
    Ok(())
}
