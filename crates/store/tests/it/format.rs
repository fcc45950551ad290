//! Opening a database: its format, and what is said when it cannot be.

use crate::database::Database;
use crate::sample::project;
use anyhow::Result;
use dossier_store::{Store, StoreError};

async fn a_newer_format_is_refused(database: Database) -> Result<()> {
    database.owner().await?.create_project(&project("a")).await?;
    database.execute("UPDATE format SET version = 99999999999999").await?;
    let error = Store::open(&database.url).await.unwrap_err();
    let StoreError::NewerFormat { found, known } = error else { panic!("{error}") };
    assert_eq!((found, known / 10_000_000_000), (99_999_999_999_999, 2026));
    Ok(())
}

async fn opening_again_changes_nothing(database: Database) -> Result<()> {
    let first = database.owner().await?;
    first.create_project(&project("a")).await?;
    let before = database.row_counts().await?;
    assert_eq!(database.owner().await?.projects().await?, [project("a")]);
    assert_eq!(database.row_counts().await?, before);
    assert_eq!(before["format"], 1);
    Ok(())
}

async fn many_may_open_a_new_database_at_once(database: Database) -> Result<()> {
    let opening: Vec<_> = (0..8)
        .map(|_| {
            let url = database.url.clone();
            tokio::spawn(async move { Store::open(&url).await })
        })
        .collect();
    for store in opening {
        store.await??;
    }
    assert_eq!(database.row_counts().await?["format"], 1);
    Ok(())
}

stories![
    a_newer_format_is_refused,
    opening_again_changes_nothing,
    many_may_open_a_new_database_at_once,
];

#[tokio::test]
async fn a_url_of_neither_database_is_refused_with_the_right_form() {
    let error = Store::open("mysql://root:hunter2@host/db").await.unwrap_err().to_string();
    assert!(error.contains("sqlite:<path> or postgres://"), "{error}");
    let error = Store::open("sqlite::memory:").await.unwrap_err().to_string();
    assert_eq!(error, "database url: names no file; write sqlite:<path>");
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_unavailable_and_its_password_unsaid() {
    for url in ["postgres://me:hunter2@127.0.0.1:1/db", "postgres://me:hunter2@host:port/db"] {
        let error = Store::open(url).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}
