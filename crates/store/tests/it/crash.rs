//! Real processes on one database, killed while they write.

use crate::database::Database;
use crate::sample::{matching, message, message_chunk, project, terms, thread};
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// Names the database to a child, and the thread it writes to.
const CHILD_URL: &str = "DOSSIER_TEST_CHILD_URL";
const CHILD_THREAD: &str = "DOSSIER_TEST_CHILD_THREAD";
const ACKNOWLEDGED: &str = "acknowledged ";

async fn a_killed_process_leaves_what_it_acknowledged(database: Database) -> Result<()> {
    if let Ok(url) = std::env::var(CHILD_URL) {
        return write_until_killed(Database { url, ..database }).await;
    }
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let mut children = Vec::new();
    for name in ["one", "two"] {
        store.create_thread(&thread(name, &project)).await?;
        children.push((name, Writer::start(&database.url, name)?));
    }
    let mut acknowledged = Vec::new();
    for (name, child) in &mut children {
        acknowledged.push((*name, child.wait_for(10)?));
    }
    for (_, child) in &mut children {
        child.process.kill()?;
        child.process.wait()?;
    }

    let mut written = 0;
    for (name, last) in acknowledged {
        let messages = store.messages(&thread(name, &project).id).await?;
        assert!(messages.len() as i64 > last, "{name}: {} of {last}", messages.len());
        written += messages.len();
    }
    let found = matching(&store, &project.id, &terms("common")).await?;
    assert_eq!(found.len(), written);
    let statistics = store.statistics(&project.id, &terms("common")).await?;
    assert_eq!(statistics.documents, written as u64);
    assert_eq!(statistics.frequency, [("common".to_owned(), written as u64)].into());
    Ok(())
}

async fn write_until_killed(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let thread = thread(&std::env::var(CHILD_THREAD)?, &project("a"));
    for position in 0.. {
        let said = message(&thread.id, position, "common words");
        let chunk = message_chunk(&said, "");
        store.append_messages(&thread.id, &[said], &[chunk]).await?;
        writeln!(std::io::stdout(), "{ACKNOWLEDGED}{position}")?;
    }
    Ok(())
}

/// This same test in a process of its own.
struct Writer {
    process: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Writer {
    fn start(url: &str, thread: &str) -> Result<Self> {
        let test = "crash::on_sqlite::a_killed_process_leaves_what_it_acknowledged";
        let mut process = Command::new(std::env::current_exe()?)
            .args([test, "--exact", "--nocapture"])
            .env(CHILD_URL, url)
            .env(CHILD_THREAD, thread)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, output })
    }

    /// Waits until the writer has acknowledged this position; returns it.
    fn wait_for(&mut self, position: i64) -> Result<i64> {
        let mut line = String::new();
        while self.output.read_line(&mut line)? > 0 {
            if line.trim().ends_with(&format!("{ACKNOWLEDGED}{position}")) {
                return Ok(position);
            }
            line.clear();
        }
        anyhow::bail!("the writer ended by itself")
    }
}

stories![a_killed_process_leaves_what_it_acknowledged];
