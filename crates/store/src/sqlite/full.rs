//! A disk without room: nothing is half done, and everything works again when there is room. The
//! limit is SQLite's own on the size of its file, which ends in the same error as a full disk.

use crate::error::StoreError;
use crate::sql;
use crate::store::Store;
use dossier_core::id::OwnerId;
use serde_json::json;

/// Limits the file to so many pages, on every connection there is.
async fn limit(store: &Store, pages: i64) -> Result<(), StoreError> {
    let limit = || sql::script(format!("PRAGMA max_page_count = {pages}"));
    let mut writing = store.inner.pool.begin("BEGIN IMMEDIATE").await?;
    limit().execute(&mut writing).await?;
    drop(writing);
    let mut held = Vec::new();
    for _ in 0..super::CONNECTIONS {
        let mut connection = store.inner.pool.acquire().await?;
        limit().execute(&mut connection).await?;
        held.push(connection);
    }
    Ok(())
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_is_got_over() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
    let store = Store::open(&url).await.unwrap();
    let owner = store.owner(&OwnerId::local());
    let now = dossier_core::time::Timestamp::from_millis(1);
    let text = "x".repeat(10_000);
    limit(&store, 200).await.unwrap();
    let mut kept = 0;
    let error = loop {
        match owner.set_config(&format!("key {kept}"), &json!(text), now).await {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(
        error.to_string(),
        "the disk is full, and this change was not made; free some space and try again; what was \
         acknowledged before is kept"
    );
    assert!(kept > 0);
    assert_eq!(owner.config().await.unwrap().len(), kept);
    assert!(store.verify().await.unwrap().is_sound());
    // Making room by hand works even now.
    assert!(owner.unset_config("key 0").await.unwrap());
    limit(&store, 1 << 20).await.unwrap();
    owner.set_config("later", &json!(text), now).await.unwrap();
    assert_eq!(owner.config().await.unwrap().len(), kept);
    assert!(store.verify().await.unwrap().is_sound());
}
