//! Sessions in archives: what an assistant was sent comes along as far as the history that holds it
//! does, and no further.

use super::{Table, ask, figures, models};
use crate::database::Database;
use crate::desk::noon;
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_engine::{
    ConsultRequest, Embedder, Engine, FilesReport, Incoming, Restored, SessionChoice, Silent,
    Workspace,
};
use serde_json::json;
use std::io::Write as _;

stories! {
    a_session_goes_on_where_it_was_moved_to,
    what_the_history_there_does_not_hold_is_sent_again,
}

async fn saved(workspace: &Workspace) -> Result<Vec<u8>> {
    let mut archive = Vec::new();
    workspace.save(None, &mut archive, noon(), &Silent).await?;
    Ok(archive)
}

async fn restored(workspace: &Workspace, archive: &[u8]) -> Result<Restored> {
    let mut file = tempfile::tempfile()?;
    file.write_all(archive)?;
    let Incoming::Archive(mut archive) = Incoming::read(file)? else {
        anyhow::bail!("this is no archive");
    };
    Ok(workspace.restore(&mut archive, &Silent).await?)
}

/// Somebody else's store, with the same models; nothing crosses between owners.
async fn elsewhere(database: &Database, table: &Table) -> Result<Workspace> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    Ok(engine.with_models(models(&table.script)?).owner(&OwnerId::from("bob")))
}

/// The same question, asked there.
async fn asked(
    there: &Workspace,
    table: &Table,
    instructions: &str,
    context: &[&str],
) -> Result<FilesReport> {
    let project = there.project(Some("story"), noon()).await?;
    let request = table.request("small", instructions, context);
    Ok(ask(there, &ConsultRequest { project, ..request }).await?.1)
}

async fn a_session_goes_on_where_it_was_moved_to(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("src/a.rs", "fn a() {}\n");
    table.consult("First.", &["src/a.rs"]).await?;
    table.desk.write("src/b.rs", "fn b() {}\n");
    table.consult("Second.", &["src"]).await?;
    let archive = saved(&table.desk.workspace).await?;

    let there = elsewhere(&database, &table).await?;
    let report = restored(&there, &archive).await?;
    assert_eq!(report.added.get("consultations"), Some(&1));
    let choice = SessionChoice { name: "plan".to_owned(), ..SessionChoice::default() };
    let here = table.desk.workspace.describe_consult(&choice, noon()).await?;
    assert_eq!(there.describe_consult(&choice, noon()).await?, here);
    assert_eq!(figures(&asked(&there, &table, "Third.", &["src"]).await?), (0, 2, 0));
    let sent = table.sent();
    // The assistant is shown what was said where the session comes from, to the byte.
    assert_eq!(sent[2][..4], sent[1][..]);
    assert_eq!(sent[2].len(), 6);

    let before = saved(&there).await?;
    let again = restored(&there, &archive).await?;
    assert_eq!((again.added.len(), again.here.get("consultations")), (0, Some(&1)));
    assert_eq!(saved(&there).await?, before);
    Ok(())
}

async fn what_the_history_there_does_not_hold_is_sent_again(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    for name in ["a", "b", "c"] {
        table.desk.write(&format!("{name}.rs"), format!("fn {name}() {{}}\n"));
    }
    table.consult("First.", &["a.rs"]).await?;
    let early = saved(&table.desk.workspace).await?;
    table.consult("Second.", &["b.rs"]).await?;
    let late = saved(&table.desk.workspace).await?;

    // There the session goes on differently, and is over when the later archive comes.
    let there = elsewhere(&database, &table).await?;
    restored(&there, &early).await?;
    assert_eq!(figures(&asked(&there, &table, "Another.", &["c.rs"]).await?), (1, 1, 0));
    let used = there.consult_sessions(None, noon()).await?[0].used_at;
    let ended = Timestamp::from_millis(used.as_millis() + 200 * 24 * 3_600_000);
    assert_eq!(there.consult_sessions(None, ended).await?, []);
    let report = restored(&there, &late).await?;
    assert_eq!(report.added.get("consultations"), Some(&1), "{report:?}");
    assert!(report.notes.iter().any(|note| note.contains("gone on differently")), "{report:?}");
    there.set_config("consult.retention_days", &json!("9000"), noon()).await?;
    // In the second round there stands another file.
    assert_eq!(figures(&asked(&there, &table, "And b?", &["a.rs", "b.rs"]).await?), (1, 1, 0));
    assert!(table.last_sent().contains("fn b()"), "{}", table.last_sent());
    Ok(())
}
