//! Sessions: kept apart, listed, described, reset, and used by several processes at once.

use super::{Table, ask, figures, models};
use crate::database::Database;
use crate::desk::noon;
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_engine::{
    ConsultRequest, Embedder, Engine, EngineError, Project, SessionChoice, Workspace,
};
use dossier_testkit::{Provider as Script, Reply};
use std::collections::BTreeSet;
use std::sync::mpsc;

stories! {
    nobody_is_believed_to_have_what_another_was_sent,
    a_session_is_listed_described_and_reset,
    a_reset_during_the_first_call_forgets_no_place,
    a_session_lives_for_months_and_not_for_ever,
    several_processes_ask_in_one_session_and_nothing_is_lost,
    a_session_that_is_hidden_makes_room_for_another,
}

fn choice(name: &str) -> SessionChoice {
    SessionChoice { name: name.to_owned(), ..SessionChoice::default() }
}

fn days(days: i64) -> Timestamp {
    Timestamp::from_millis(noon().as_millis() + days * 24 * 3_600_000)
}

async fn nobody_is_believed_to_have_what_another_was_sent(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let request = table.request("small", "Look.", &["a.rs"]);
    assert_eq!(figures(&table.ask(&request).await?.1), (1, 0, 0));
    let workspace = &table.desk.workspace;
    let project = workspace.project(Some("other"), noon()).await?;
    let others = [
        ConsultRequest { assistant: "other".to_owned(), ..request.clone() },
        ConsultRequest { session_id: "Plan".to_owned(), ..request.clone() },
        ConsultRequest { project, ..request.clone() },
    ];
    for other in &others {
        assert_eq!(figures(&table.ask(other).await?.1), (1, 0, 0));
        assert_eq!(table.sent().last().unwrap().len(), 2);
    }
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let bob = engine.with_models(models(&table.script)?).owner(&OwnerId::from("bob"));
    let named = serde_json::json!("small=openai/small");
    bob.set_config("consult.assistants", &named, noon()).await?;
    assert_eq!(bob.consult_sessions(None, noon()).await?, []);
    assert!(bob.describe_consult(&choice("Plan"), noon()).await.is_err());
    assert!(bob.reset_consult(&choice("Plan"), noon()).await.is_err());
    let project: Project = bob.project(Some("story"), noon()).await?;
    let own = ConsultRequest { project, ..request.clone() };
    assert_eq!(figures(&ask(&bob, &own).await?.1), (1, 0, 0));
    assert_eq!(figures(&table.ask(&request).await?.1), (0, 1, 0));
    Ok(())
}

async fn a_session_is_listed_described_and_reset(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("src/a.rs", "fn a() {}\n");
    let workspace = &table.desk.workspace;
    let first = table.consult("Plan the login.", &["src"]).await?;
    let second = table.consult("And the logout?", &[]).await?;
    let mut other = table.request("other", "Something else.", &[]);
    other.now = days(1);
    table.ask(&other).await?;
    let listed = workspace.consult_sessions(None, days(2)).await?;
    let names: Vec<(&str, &str, i64)> = listed
        .iter()
        .map(|row| (row.session_id.as_str(), row.assistant.as_str(), row.rounds))
        .collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&("plan", "other", 1)) && names.contains(&("plan", "small", 2)));
    assert_eq!(workspace.consult_sessions(Some("SMALL pl"), days(2)).await?.len(), 1);
    assert_eq!(workspace.consult_sessions(Some("nothing"), days(2)).await?, []);

    let both = workspace.describe_consult(&choice("plan"), days(2)).await.unwrap_err();
    assert!(both.to_string().contains("several sessions are called `plan`"), "{both}");
    let mine = SessionChoice { assistant: Some("small".to_owned()), ..choice("plan") };
    let described = workspace.describe_consult(&mine, days(2)).await?;
    assert_eq!(described.first.as_deref(), Some("Plan the login."));
    assert_eq!(described.last.as_deref(), Some("And the logout?"));
    assert_eq!((described.inline, described.frozen), (1, false));
    assert_eq!(described.tokens_saved, u64::from(second.tokens_saved));
    assert_eq!(second.tokens_saved, first.tokens_sent);
    assert_eq!(described.context, ["."]);
    assert!(described.tokens_used > 0 && described.tokens_used < described.tokens_limit);

    let reset = workspace.reset_consult(&choice(&described.session.id), days(2)).await?;
    assert_eq!(reset, described.session);
    let described = workspace.describe_consult(&mine, days(2)).await?;
    assert_eq!((described.inline, described.context.as_slice()), (0, &[".".to_owned()][..]));
    // It is split anew and sent, in the same conversation, without being named again.
    assert_eq!(figures(&table.consult("Once more.", &[]).await?), (1, 0, 0));
    assert_eq!(table.sent().last().unwrap().len(), 6);
    let unknown = workspace.reset_consult(&choice("nothing"), days(2)).await.unwrap_err();
    assert!(matches!(unknown, EngineError::NotFound { .. }), "{unknown}");
    Ok(())
}

async fn a_reset_during_the_first_call_forgets_no_place(database: Database) -> Result<()> {
    let (asked, is_asked) = mpsc::channel::<()>();
    let (release, released) = mpsc::channel::<()>();
    let script = Script::answering(move |_| {
        let _ = asked.send(());
        let _ = released.recv();
        Reply::chat("Noted.")
    })?;
    let table = Table::set(&database, script).await?;
    table.desk.write("src/a.rs", "fn a() {}\n");
    table.desk.write("b.rs", "fn b() {}\n");
    let workspace = &table.desk.workspace;
    let request = table.request("small", "Look.", &["src", "b.rs"]);
    let started = workspace.start_consult(&request).await?;
    tokio::task::spawn_blocking(move || is_asked.recv()).await??;
    workspace.reset_consult(&choice("plan"), noon()).await?;
    drop(release);
    workspace.turns_idle().await;
    assert!(workspace.consult_job(&started.turn.id).await?.outcome.is_some());
    assert_eq!(figures(&table.consult("Once more.", &[]).await?), (2, 0, 0));
    Ok(())
}

async fn a_session_lives_for_months_and_not_for_ever(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let engine = &table.desk.workspace;
    let key = "consult.retention_days";
    table.consult("Begin.", &["a.rs"]).await?;
    // The last use is by the clock, and not by the story's time.
    let used = engine.consult_sessions(None, noon()).await?[0].used_at;
    let after = |days: i64| Timestamp::from_millis(used.as_millis() + days * 24 * 3_600_000);
    let mut later = table.request("small", "Go on.", &["a.rs"]);
    later.now = after(180);
    assert_eq!(figures(&table.ask(&later).await?.1), (0, 1, 0));
    engine.set_config(key, &serde_json::json!("30"), noon()).await?;
    assert_eq!(engine.consult_sessions(None, after(29)).await?.len(), 1);
    let mut late = table.request("small", "Still there?", &["a.rs"]);
    late.now = after(40);
    assert_eq!(figures(&table.ask(&late).await?.1), (1, 0, 0));
    assert_eq!(table.sent().last().unwrap().len(), 2);
    Ok(())
}

async fn several_processes_ask_in_one_session_and_nothing_is_lost(
    database: Database,
) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let mut asked = tokio::task::JoinSet::new();
    for number in 0..6 {
        table.desk.write(&format!("{number}/file.rs"), format!("fn f{number}() {{}}\n"));
        // A store of its own, as another process has it.
        let engine = Engine::open(&database.url, Embedder::none()).await?;
        let workspace: Workspace =
            engine.with_models(models(&table.script)?).owner(&OwnerId::local());
        let name = format!("{number}");
        let request = table.request("small", &format!("Question {number}."), &[&name]);
        asked.spawn(async move { ask(&workspace, &request).await });
    }
    for answered in asked.join_all().await {
        assert_eq!(answered?.0, "Noted.");
    }
    let sent = table.sent();
    let lengths: BTreeSet<usize> = sent.iter().map(Vec::len).collect();
    // One after the other: each saw all that were answered before it.
    assert_eq!(lengths, BTreeSet::from([2, 4, 6, 8, 10, 12]));
    let session = table.desk.workspace.describe_consult(&choice("plan"), noon()).await?;
    assert_eq!((session.inline, session.session.rounds), (6, 6));
    let last = table.consult("All?", &["."]).await?;
    assert_eq!(figures(&last), (0, 6, 0));
    Ok(())
}

async fn a_session_that_is_hidden_makes_room_for_another(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    table.consult("Begin.", &["a.rs"]).await?;
    let workspace = &table.desk.workspace;
    let id = workspace.consult_sessions(None, noon()).await?.remove(0).id;
    database.execute(&format!("UPDATE conversations SET hidden_at = 1 WHERE id = '{id}'")).await?;
    assert_eq!(workspace.consult_sessions(None, noon()).await?, []);
    assert_eq!(figures(&table.consult("Begin anew.", &["a.rs"]).await?), (1, 0, 0));
    assert_ne!(workspace.consult_sessions(None, noon()).await?.remove(0).id, id);
    Ok(())
}
