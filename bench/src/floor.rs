//! The floor: what any search over the same messages must do at the least, which is to embed the
//! question once and to ask FTS5 once for its terms.

use anyhow::Result;
use dossier_core::analyse::Question;
use dossier_engine::Embedder;
use dossier_engine::eval::Case;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::path::Path;
use std::time::{Duration, Instant};

/// A plain FTS5 table with Porter stemming over the messages of a case.
pub struct Floor {
    pool: SqlitePool,
    embedder: Embedder,
}

impl Floor {
    pub async fn of(case: &Case, folder: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(folder.join(format!("{}.floor.db", case.id)))
            .create_if_missing(true);
        let pool = SqlitePool::connect_with(options).await?;
        sqlx::query("CREATE VIRTUAL TABLE said USING fts5(content, tokenize = 'porter unicode61')")
            .execute(&pool)
            .await?;
        for message in &case.messages {
            sqlx::query("INSERT INTO said (content) VALUES ($1)")
                .bind(&message.content)
                .execute(&pool)
                .await?;
        }
        Ok(Self { pool, embedder: Embedder::local() })
    }

    /// The time of one embedding and of one query.
    pub async fn time(&self, question: &str) -> Result<(Duration, Duration)> {
        let start = Instant::now();
        self.embedder.embed(&[question])?;
        let embedding = start.elapsed();
        let terms = Question::new(question).terms;
        let quoted: Vec<String> = terms.iter().map(|term| format!("\"{term}\"")).collect();
        let start = Instant::now();
        sqlx::query("SELECT rowid FROM said WHERE said MATCH $1 ORDER BY rank LIMIT 100")
            .bind(quoted.join(" OR "))
            .fetch_all(&self.pool)
            .await?;
        Ok((embedding, start.elapsed()))
    }
}
