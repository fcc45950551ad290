//! Ten turns over a tree of a thousand files: what is sent against sending everything each time,
//! what changes sides, and what is kept.

use super::{Table, figures};
use crate::database::Database;
use anyhow::Result;
use dossier_engine::FilesReport;
use std::fmt::Write as _;

stories! {
    ten_turns_over_a_thousand_files,
}

/// A file of some five hundred tokens; every tenth is ten times as long.
fn source(number: usize, version: usize) -> String {
    let mut text = format!("//! Part {number}, version {version}.\n");
    let lines = if number.is_multiple_of(10) { 250 } else { 25 };
    for line in 0..lines {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "pub fn part_{number}_{line}(x: u32) -> u32 {{ x + {line} }}");
    }
    text
}

async fn ten_turns_over_a_thousand_files(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let path = |number: usize| format!("src/module_{:02}/part_{number:03}.rs", number % 40);
    for number in 0..1_000 {
        table.desk.write(&path(number), source(number, 0));
    }
    let mut request = table.request("gpt_4_1", "Review the modules.", &["src"]);
    let first = table.ask(&request).await?.1;
    assert_eq!(first.sent + first.searchable, 1_000);
    let inline = first.sent;
    let mut later: Vec<FilesReport> = Vec::new();
    for turn in 2..=10 {
        // Three files are edited between two turns.
        for edited in 0..3 {
            let number = turn * 10 + edited + 1;
            table.desk.write(&path(number), source(number, turn));
        }
        request.instructions = format!("What about turn {turn}?");
        let (_, files) = table.ask(&request).await?;
        assert_eq!(figures(&files), (3, inline - 3, 1_000 - inline), "turn {turn}");
        later.push(files);
    }
    let sent: u32 = later.iter().map(|files| files.tokens_sent).sum();
    let whole: u32 = later.iter().map(|files| files.tokens_sent + files.tokens_saved).sum();
    assert!(sent * 10 < whole, "{sent} of {whole} tokens");
    // All of what is new in a question, map and all.
    let own = table.sent();
    let mut said = own.iter().map(|messages| messages.last().unwrap().1.len());
    let first = said.next().unwrap();
    assert!(said.all(|bytes| bytes * 10 < first), "{first}");
    let bytes = database
        .number(
            "SELECT CAST((SELECT SUM(LENGTH(inline_paths)) FROM stable_inline_lists)
                 + (SELECT SUM(LENGTH(base) + LENGTH(context) + LENGTH(name) + 100)
                    FROM consult_sessions)
                 + (SELECT SUM(LENGTH(file_path) + LENGTH(owner) + 24) FROM sent_files)
             AS BIGINT)",
        )
        .await?;
    assert!(bytes < 100_000, "{bytes} bytes");
    Ok(())
}
