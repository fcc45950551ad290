//! A file with wrong bytes in it is read, or refused with a way out; never anything else.

use crate::database::{Database, on_sqlite};
use crate::isolation::fill;
use crate::sample::{matching, project, terms};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_store::{Store, StoreError};

/// Bytes of a page of the database.
const PAGE: usize = 8192;

/// Everything that reads, one after the other.
async fn read_everything(url: &str) -> Result<bool, StoreError> {
    let store = Store::open(url).await?;
    let local = store.owner(&OwnerId::local());
    local.projects().await?;
    let found = matching(&local, &project("p").id, &terms("secret plan")).await?;
    local.chunks(&found).await?;
    local.files(&project("p").id).await?;
    for thread in local.threads(&project("p").id).await? {
        local.messages(&thread.id).await?;
    }
    let sound = store.verify().await?.is_sound();
    store.close().await;
    Ok(sound)
}

async fn whole(database: &Database) -> Result<Vec<u8>> {
    let store = database.store().await?;
    fill(&store.owner(&OwnerId::local())).await?;
    store.close().await;
    Ok(std::fs::read(database.folder.path().join("dossier.db"))?)
}

/// Reads a file of these bytes in a folder of its own: a connection that a refused opening left
/// behind may still have the file before it mapped.
async fn check(bytes: &[u8], what: &str) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("dossier.db");
    std::fs::write(&file, bytes)?;
    match read_everything(&format!("sqlite:{}", file.display())).await {
        Ok(sound) => Ok(sound),
        Err(StoreError::Other(error)) => panic!("{what}: {error} says not how to mend it"),
        Err(_) => Ok(false),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overwritten_pages_are_noticed() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let whole = whole(&database).await?;
        assert!(check(&whole, "whole").await?);
        let mut noticed = 0;
        let pages = whole.len() / PAGE;
        for page in 0..pages {
            let mut bytes = whole.clone();
            bytes[page * PAGE..][..64].fill(0xa5);
            noticed += usize::from(!check(&bytes, &format!("page {page}")).await?);
        }
        // The first of the free pages names the others, which hold nothing.
        let free = u32::from_be_bytes(whole[36..40].try_into()?).saturating_sub(1) as usize;
        assert_eq!(noticed, pages - free, "every page that holds something is looked at");
        Ok(())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_cut_short_or_turned_to_noise_is_refused() -> Result<()> {
    on_sqlite(|database: Database| async move {
        let whole = whole(&database).await?;
        for length in [1, 15, 100, PAGE - 1, PAGE, PAGE + 1, whole.len() / 2, whole.len() - PAGE] {
            let what = format!("{length} bytes");
            assert!(!check(&whole[..length], &what).await?, "{what}");
        }
        for byte in 16..100 {
            let mut bytes = whole.clone();
            bytes[byte] ^= 0xff;
            // Some bytes of the header mean nothing; the others are noticed or do no harm.
            check(&bytes, &format!("byte {byte}")).await?;
        }
        Ok(())
    })
    .await
}
