//! The stable list switched off, and watched without being followed.

use super::{Table, figures, text};
use crate::database::Database;
use crate::desk::noon;
use anyhow::Result;
use dossier_engine::SessionChoice;
use serde_json::json;

stories! {
    without_the_list_every_call_sends_everything,
    without_the_list_a_session_still_knows_its_files_and_its_last_use,
    a_session_says_which_paths_it_does_not_keep,
    a_list_in_the_shadow_is_recorded_and_changes_nothing,
    a_list_in_the_shadow_that_has_no_room_keeps_what_was_named,
}

async fn without_the_list_every_call_sends_everything(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let workspace = &table.desk.workspace;
    workspace.set_config("consult.enable_stable_inline_list", &json!("false"), noon()).await?;
    table.desk.write("a.rs", "fn a() {}\n");
    for _ in 0..2 {
        assert_eq!(figures(&table.consult("Look.", &["a.rs"]).await?), (1, 0, 0));
        assert!(table.last_sent().contains("fn a()"));
    }
    let choice = SessionChoice { name: "plan".to_owned(), ..SessionChoice::default() };
    assert_eq!(workspace.describe_consult(&choice, noon()).await?.inline, 0);
    workspace.unset_config("consult.enable_stable_inline_list").await?;
    assert_eq!(figures(&table.consult("Look.", &["a.rs"]).await?), (1, 0, 0));
    assert_eq!(figures(&table.consult("Look.", &["a.rs"]).await?), (0, 1, 0));
    Ok(())
}

async fn without_the_list_a_session_still_knows_its_files_and_its_last_use(
    database: Database,
) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let workspace = &table.desk.workspace;
    workspace.set_config("consult.enable_stable_inline_list", &json!("false"), noon()).await?;
    table.desk.write("src/a.rs", "fn a() {}\n");
    table.desk.write("b.rs", "fn b() {}\n");
    assert_eq!(figures(&table.consult("Look.", &["src"]).await?), (1, 0, 0));
    assert_eq!(figures(&table.consult("And this.", &["b.rs"]).await?), (2, 0, 0));
    assert_eq!(figures(&table.consult("Go on.", &[]).await?), (2, 0, 0));
    let session = workspace.consult_sessions(None, noon()).await?.remove(0);
    assert!(session.used_at > session.created_at, "{session:?}");
    Ok(())
}

async fn a_session_says_which_paths_it_does_not_keep(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let workspace = &table.desk.workspace;
    workspace.set_config("consult.enable_stable_inline_list", &json!("false"), noon()).await?;
    let names: Vec<String> = (0..1_003).map(|number| format!("{number:04}.rs")).collect();
    for name in &names {
        table.desk.write(name, "fn f() {}\n");
    }
    let named: Vec<&str> = names.iter().map(String::as_str).collect();
    let started = workspace.start_consult(&table.request("gpt_4_1", "Look.", &named)).await?;
    workspace.turns_idle().await;
    let told = workspace.consult_job(&started.turn.id).await?.files.skipped;
    let paths: Vec<&str> = told.iter().map(|left_out| left_out.path.as_str()).collect();
    assert_eq!(paths, ["1000.rs", "1001.rs", "1002.rs"]);
    assert!(told[0].reason.contains("a session keeps 1000 paths"), "{told:?}");
    let next = table.ask(&table.request("gpt_4_1", "Go on.", &[])).await?.1;
    assert_eq!(figures(&next), (1_000, 0, 0));
    Ok(())
}

async fn a_list_in_the_shadow_that_has_no_room_keeps_what_was_named(
    database: Database,
) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let workspace = &table.desk.workspace;
    workspace.set_config("consult.shadow", &json!(true), noon()).await?;
    for name in ["a", "b"] {
        table.desk.write(&format!("{name}.rs"), text(name, 2_000));
    }
    assert_eq!(figures(&table.consult("Look.", &["a.rs", "b.rs"]).await?), (2, 0, 0));
    // The list would send both again, for which there is no room beside the first question.
    for name in ["a", "b"] {
        table.desk.write(&format!("{name}.rs"), text(name, 2_100));
    }
    table.desk.write("c.rs", "fn c() {}\n");
    let crowded = table.consult("Look again.", &["c.rs"]).await?;
    assert!(crowded.searchable > 0, "{crowded:?}");
    let choice = SessionChoice { name: "plan".to_owned(), ..SessionChoice::default() };
    let described = workspace.describe_consult(&choice, noon()).await?;
    assert_eq!((described.inline, described.context.as_slice()), (2, &["c.rs".to_owned()][..]));
    Ok(())
}

async fn a_list_in_the_shadow_is_recorded_and_changes_nothing(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let workspace = &table.desk.workspace;
    workspace.set_config("consult.shadow", &json!(true), noon()).await?;
    table.desk.write("a.rs", "fn a() {}\n");
    for _ in 0..2 {
        assert_eq!(figures(&table.consult("Look.", &["a.rs"]).await?), (1, 0, 0));
        assert!(table.last_sent().contains("fn a()"));
    }
    let choice = SessionChoice { name: "plan".to_owned(), ..SessionChoice::default() };
    assert_eq!(workspace.describe_consult(&choice, noon()).await?.inline, 1);
    workspace.unset_config("consult.shadow").await?;
    assert_eq!(figures(&table.consult("Look.", &["a.rs"]).await?), (0, 1, 0));
    Ok(())
}
