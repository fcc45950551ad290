//! The stable list switched off, and watched without being followed.

use super::{Table, figures};
use crate::database::Database;
use crate::desk::noon;
use anyhow::Result;
use dossier_engine::SessionChoice;
use serde_json::json;

stories! {
    without_the_list_every_call_sends_everything,
    a_list_in_the_shadow_is_recorded_and_changes_nothing,
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
