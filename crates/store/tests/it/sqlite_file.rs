//! What is true of the SQLite file and its folder only.

use crate::database::{Database, on_sqlite};
use crate::sample::{project, whole_file};
use anyhow::Result;
use dossier_store::{LARGE_CONTENT, Store};

#[tokio::test]
async fn the_file_and_its_folder_are_for_their_owner_alone() -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir()?;
    let inner = folder.path().join("new folder/50%/ü");
    let file = inner.join("a?b.db".replace('?', " "));
    let store = Store::open(&format!("sqlite:{}", file.display())).await?;
    store.owner(&"me".into()).create_project(&project("a")).await?;
    let mode = |path: &std::path::Path| anyhow::Ok(path.metadata()?.permissions().mode() & 0o777);
    assert_eq!(mode(&file)?, 0o600);
    assert_eq!(mode(&inner)?, 0o700);
    assert_eq!(mode(&file.with_file_name("a b.db-wal"))?, 0o600);
    Ok(())
}

#[tokio::test]
async fn what_a_crash_left_of_large_contents_is_swept() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let store = database.owner().await?;
        let project = project("a");
        store.create_project(&project).await?;
        let large = whole_file(&project, "a.txt", &"x".repeat(LARGE_CONTENT));
        store.put_files(std::slice::from_ref(&large)).await?;
        let root = database.folder.path().join("blobs");
        let owner = std::fs::read_dir(&root)?.next().unwrap()?.path();
        std::fs::write(owner.join("new"), "half written")?;
        std::fs::write(owner.join("0".repeat(64)), "its row was rolled back")?;
        let next = database.store().await?;
        assert_eq!(next.sweep_contents().await?, 2);
        assert_eq!(database.large_blobs()?, 1);
        let next = next.owner(&dossier_core::id::OwnerId::local());
        assert_eq!(next.file_content(&large.0.id).await?, Some(large.1));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_database_is_in_wal_mode() -> Result<()> {
    on_sqlite(|database: Database| async move {
        database.owner().await?;
        database.execute("CREATE TABLE modes AS SELECT * FROM pragma_journal_mode").await?;
        let wal = "SELECT COUNT(*) FROM modes WHERE journal_mode = 'wal'";
        assert_eq!(database.number(wal).await?, 1);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_journal_is_written_back_while_the_database_is_in_use() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let store = database.owner().await?;
        let file = database.folder.path().join("dossier.db");
        let before = file.metadata()?.len();
        let project = project("a");
        store.create_project(&project).await?;
        for number in 0..120 {
            let path = format!("{number}.txt");
            store.put_files(&[whole_file(&project, &path, &"word ".repeat(2_000))]).await?;
        }
        let mut clock = tokio::time::interval(std::time::Duration::from_millis(20));
        for _ in 0..500 {
            if file.metadata()?.len() > before {
                return Ok(());
            }
            clock.tick().await;
        }
        anyhow::bail!("everything stands in the journal alone")
    })
    .await
}
