//! Backups of an SQLite store: whole, private, and back in place by one call.

use crate::database::{Database, on_sqlite};
use crate::sample::{at, file_id, project, whole_file};
use anyhow::{Context, Result};
use dossier_core::backup::{Cause, Retention};
use dossier_core::id::OwnerId;
use dossier_store::{Backups, LARGE_CONTENT, OwnerStore, Store, StoreError};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const HOUR: i64 = 3_600_000;

fn backups(database: &Database) -> Result<Backups> {
    Backups::of(&database.url)?.context("SQLite has backups")
}

async fn put(store: &OwnerStore, path: &str, content: &str) -> Result<()> {
    store.put_files(&[whole_file(&project("a"), path, content)]).await?;
    Ok(())
}

/// A store with a small file and a large one.
async fn begun(database: &Database) -> Result<(Store, OwnerStore)> {
    let store = database.store().await?;
    let owner = store.owner(&OwnerId::local());
    owner.create_project(&project("a")).await?;
    put(&owner, "small.txt", "a walrus").await?;
    put(&owner, "large.txt", &"x".repeat(LARGE_CONTENT)).await?;
    Ok((store, owner))
}

fn mode(path: &Path) -> Result<u32> {
    Ok(path.metadata()?.permissions().mode() & 0o777)
}

#[tokio::test]
async fn a_restored_backup_is_the_store_as_it_was() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, owner) = begun(&database).await?;
        let made = store.back_up(Cause::Asked, at(HOUR)).await?.context("nobody else is at it")?;
        put(&owner, "small.txt", "an otter").await?;
        owner.delete_files(&project("a").id, &[file_id("large.txt")]).await?;
        put(&owner, "later.txt", "since then").await?;
        store.close().await;
        drop((store, owner));

        let restored = backups(&database)?.restore(None, at(2 * HOUR)).await?;
        assert_eq!((&restored.backup, restored.missing), (&made.folder, 0));
        assert_eq!(restored.made_at, Some(at(HOUR)));
        let store = database.store().await?;
        let owner = store.owner(&OwnerId::local());
        let content = async |path: &str| owner.file_content(&file_id(path)).await;
        assert_eq!(content("small.txt").await?.as_deref(), Some("a walrus"));
        assert_eq!(content("large.txt").await?, Some("x".repeat(LARGE_CONTENT)));
        assert_eq!(content("later.txt").await?, None);
        assert!(store.verify().await?.is_sound(), "{:#?}", store.verify().await?);
        store.close().await;
        drop((store, owner));

        // What was replaced can be had again, too.
        let replaced = restored.replaced.context("there was a database")?;
        backups(&database)?.restore(replaced.to_str(), at(3 * HOUR)).await?;
        let store = database.store().await?;
        let owner = store.owner(&OwnerId::local());
        assert_eq!(owner.file_content(&file_id("small.txt")).await?.as_deref(), Some("an otter"));
        assert_eq!(owner.file_content(&file_id("large.txt")).await?, None);
        assert_eq!(store.sweep_contents().await?, 1, "the large file of the backup");
        assert!(store.verify().await?.is_sound());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn backups_are_for_their_owner_alone() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, _) = begun(&database).await?;
        let made = store.back_up(Cause::Daily, at(1)).await?.context("made")?;
        let root = made.folder.parent().context("a folder")?;
        assert_eq!([mode(root)?, mode(&made.folder)?], [0o700; 2]);
        assert_eq!(mode(&made.folder.join("dossier.db"))?, 0o600);
        let owner = std::fs::read_dir(made.folder.join("blobs"))?.next().context("one")??.path();
        let blob = std::fs::read_dir(&owner)?.next().context("one")??.path();
        assert_eq!((mode(&owner)?, mode(&blob)?), (0o700, 0o600));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_open_database_is_not_exchanged() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, owner) = begun(&database).await?;
        store.back_up(Cause::Asked, at(1)).await?;
        put(&owner, "later.txt", "since then").await?;
        let error = backups(&database)?.restore(None, at(2)).await.unwrap_err();
        assert!(error.to_string().starts_with("another process has the database open"), "{error}");
        store.close().await;
        drop((store, owner));
        // A program that knows nothing of our lock is noticed as well.
        let mut foreign = database.raw().await?;
        sqlx::raw_sql("BEGIN; SELECT COUNT(*) FROM projects").execute(&mut foreign).await?;
        let error = backups(&database)?.restore(None, at(2)).await.unwrap_err();
        assert!(error.to_string().starts_with("another process has the database open"), "{error}");
        drop(foreign);
        let owner = database.owner().await?;
        assert_eq!(owner.file_content(&file_id("later.txt")).await?.as_deref(), Some("since then"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_changes_nothing() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, owner) = begun(&database).await?;
        let made = store.back_up(Cause::Asked, at(1)).await?.context("made")?;
        put(&owner, "later.txt", "since then").await?;
        store.close().await;
        drop((store, owner));
        let file = made.folder.join("dossier.db");
        let mut bytes = std::fs::read(&file)?;
        let middle = bytes.len() / 2;
        bytes[middle..middle + 8192].fill(0x5a);
        std::fs::write(&file, bytes)?;
        let error = backups(&database)?.restore(None, at(2)).await.unwrap_err().to_string();
        assert!(error.contains("cannot be used: it is damaged"), "{error}");
        let error = backups(&database)?.restore(Some("nowhere"), at(2)).await.unwrap_err();
        assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
        let owner = database.owner().await?;
        assert_eq!(owner.file_content(&file_id("later.txt")).await?.as_deref(), Some("since then"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_newest_backup_that_can_be_used_is_restored() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, owner) = begun(&database).await?;
        let old = store.back_up(Cause::Asked, at(1)).await?.context("made")?;
        put(&owner, "later.txt", "since then").await?;
        let good = store.back_up(Cause::Daily, at(2)).await?.context("made")?;
        let bad = store.back_up(Cause::Daily, at(3)).await?.context("made")?;
        let empty = store.back_up(Cause::Daily, at(4)).await?.context("made")?;
        store.close().await;
        drop((store, owner));
        std::fs::write(bad.folder.join("dossier.db"), "noise ".repeat(9_000))?;
        std::fs::remove_file(empty.folder.join("dossier.db"))?;
        let backups = backups(&database)?;
        assert_eq!(backups.examine(&good).await?, 0);
        assert!(matches!(backups.examine(&bad).await, Err(StoreError::Damaged { .. })));
        let restored = backups.restore(None, at(5)).await?;
        let passed_over = vec![
            (empty.folder.clone(), "its database is missing".to_owned()),
            (bad.folder.clone(), "it is damaged: file is not a database".to_owned()),
        ];
        assert_eq!((&restored.backup, restored.passed_over), (&good.folder, passed_over));
        for backup in [old, good] {
            std::fs::write(backup.folder.join("dossier.db"), "noise ".repeat(9_000))?;
        }
        let error = backups.restore(None, at(6)).await.unwrap_err().to_string();
        assert_eq!(error.matches("cannot be used").count(), 4, "{error}");
        let owner = database.owner().await?;
        assert_eq!(owner.file_content(&file_id("later.txt")).await?.as_deref(), Some("since then"));
        Ok(())
    })
    .await
}

/// A database that cannot be read, with a journal that cannot either. Returns the journal.
async fn damaged_with_journal(database: &Database) -> Result<Vec<u8>> {
    let (store, owner) = begun(database).await?;
    store.back_up(Cause::Daily, at(1)).await?;
    put(&owner, "later.txt", "since then").await?;
    let folder = database.folder.path();
    let mut journal = std::fs::read(folder.join("dossier.db-wal"))?;
    // SQLite takes such a journal for none, and removes it.
    journal[0] ^= 0xff;
    store.close().await;
    std::fs::write(folder.join("dossier.db"), "noise ".repeat(9_000))?;
    std::fs::write(folder.join("dossier.db-wal"), &journal)?;
    Ok(journal)
}

#[tokio::test]
async fn what_is_left_of_a_database_is_kept_with_its_journal() -> Result<()> {
    for lost in [false, true] {
        on_sqlite(|database: Database| async move {
            let journal = damaged_with_journal(&database).await?;
            if lost {
                std::fs::remove_file(database.folder.path().join("dossier.db"))?;
            }
            let restored = backups(&database)?.restore(None, at(2)).await?;
            let kept = restored.replaced.context("something was there")?;
            assert_eq!(std::fs::read(kept.join("dossier.db-wal"))?, journal);
            assert_eq!(kept.join("dossier.db").exists(), !lost);
            assert!(database.store().await?.verify().await?.is_sound());
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// As after a kill between taking the journal away and exchanging the file.
#[tokio::test]
async fn a_journal_kept_by_an_interrupted_restoration_stays() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let journal = damaged_with_journal(&database).await?;
        let folder = database.folder.path();
        let kept = folder.join("backups/1970-01-01T00-00-00.002Z-replaced");
        std::fs::create_dir(&kept)?;
        for name in ["dossier.db", "dossier.db-wal"] {
            std::fs::hard_link(folder.join(name), kept.join(name))?;
        }
        assert_eq!(backups(&database)?.list()?.len(), 1, "it is the store itself");
        std::fs::remove_file(folder.join("dossier.db-wal"))?;
        backups(&database)?.restore(None, at(3)).await?;
        assert_eq!(std::fs::read(kept.join("dossier.db-wal"))?, journal);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn looking_at_a_database_changes_nothing() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let file = database.folder.path().join("dossier.db");
        crate::format::make_older(&database).await?;
        let before = std::fs::read(&file)?;
        let error = Store::open_as_it_is(&database.url).await.unwrap_err();
        assert!(matches!(error, StoreError::OlderFormat { .. }), "{error}");
        assert_eq!(std::fs::read(&file)?, before);
        database.store().await?.close().await;

        let before = std::fs::read(&file)?;
        let store = Store::open_as_it_is(&database.url).await?;
        assert!(store.verify().await?.is_sound());
        let error = store.owner(&OwnerId::local()).create_project(&project("b")).await.unwrap_err();
        assert!(error.to_string().contains("can only be read"), "{error}");
        store.close().await;
        assert_eq!(std::fs::read(&file)?, before);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_destroyed_database_comes_back() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, owner) = begun(&database).await?;
        store.back_up(Cause::Daily, at(1)).await?;
        store.close().await;
        drop((store, owner));
        let file = database.folder.path().join("dossier.db");
        std::fs::write(&file, "not a database at all".repeat(500))?;
        let error = Store::open(&database.url).await.unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        backups(&database)?.restore(None, at(2)).await?;
        assert!(database.store().await?.verify().await?.is_sound());
        std::fs::remove_file(&file)?;
        backups(&database)?.restore(None, at(3)).await?;
        assert!(database.store().await?.verify().await?.is_sound());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_daily_backup_is_due_once_a_day_and_old_ones_go() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (store, _) = begun(&database).await?;
        let retention = Retention { days: 2, weeks: 0, special: 0 };
        let mut made = Vec::new();
        for hour in 0..80 {
            if store.is_backup_due(&retention, at(hour * HOUR))? {
                store.back_up(Cause::Daily, at(hour * HOUR)).await?;
                made.push(hour);
            }
        }
        assert_eq!(made, [0, 24, 48, 72]);
        assert_eq!(store.rotate_backups(&retention).await?, 2);
        let kept: Vec<i64> =
            backups(&database)?.list()?.iter().map(|backup| backup.name.at.as_millis()).collect();
        assert_eq!(kept, [48 * HOUR, 72 * HOUR]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_change_of_format_comes_after_a_backup() -> Result<()> {
    on_sqlite(|database: Database| async move {
        crate::format::make_older(&database).await?;
        let store = database.store().await?;
        assert!(store.verify().await?.is_sound(), "{:#?}", store.verify().await?);
        let list = backups(&database)?.list()?;
        assert_eq!(
            list.iter().map(|backup| backup.name.cause).collect::<Vec<_>>(),
            [Cause::Format]
        );
        store.close().await;
        drop(store);
        // And without one it does not come.
        crate::format::make_older(&database).await?;
        let root = database.folder.path().join("backups");
        std::fs::remove_dir_all(&root)?;
        std::fs::write(&root, "in the way")?;
        let error = Store::open(&database.url).await.unwrap_err().to_string();
        assert!(error.starts_with("the database keeps its older format"), "{error}");
        std::fs::remove_file(&root)?;
        assert!(database.store().await?.verify().await?.is_sound());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn two_databases_in_one_folder_keep_their_contents_apart() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let (first, owner) = begun(&database).await?;
        let second = Store::open(&database.url.replace("dossier.db", "second.db")).await?;
        assert_eq!(second.sweep_contents().await?, 0);
        second.back_up(Cause::Asked, at(1)).await?;
        assert_eq!(backups(&database)?.list()?, []);
        assert_eq!(first.sweep_contents().await?, 0);
        assert!(owner.file_content(&file_id("large.txt")).await?.is_some());
        Ok(())
    })
    .await
}
