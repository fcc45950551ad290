//! The floor: what any search over the same messages must do at the least, which is to embed the
//! question once and to ask FTS5 once for its terms.

use anyhow::Result;
use dossier_core::analyse::Question;
use dossier_engine::Embedder;
use dossier_engine::eval::Case;
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};

/// A plain FTS5 table with Porter stemming over the messages of a case.
pub struct Floor {
    database: Connection,
    embedder: Embedder,
}

impl Floor {
    pub fn of(case: &Case, folder: &Path) -> Result<Self> {
        let database = Connection::open(folder.join(format!("{}.floor.db", case.id)))?;
        database.execute_batch(
            "CREATE VIRTUAL TABLE said USING fts5(content, tokenize = 'porter unicode61')",
        )?;
        for message in &case.messages {
            database.execute("INSERT INTO said (content) VALUES (?1)", [&message.content])?;
        }
        Ok(Self { database, embedder: Embedder::local() })
    }

    /// The time of one embedding and of one query.
    pub fn time(&self, question: &str) -> Result<(Duration, Duration)> {
        let start = Instant::now();
        self.embedder.embed(&[question])?;
        let embedding = start.elapsed();
        let terms = Question::new(question).terms;
        let quoted: Vec<String> = terms.iter().map(|term| format!("\"{term}\"")).collect();
        let start = Instant::now();
        let mut best = self
            .database
            .prepare_cached("SELECT rowid FROM said WHERE said MATCH ?1 ORDER BY rank LIMIT 100")?;
        let found = best.query_map([quoted.join(" OR ")], |row| row.get::<_, i64>(0))?;
        found.collect::<Result<Vec<i64>, _>>()?;
        Ok((embedding, start.elapsed()))
    }
}
