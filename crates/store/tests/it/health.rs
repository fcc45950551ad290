//! Whatever is taken away or put in behind the store's back is noticed, and what was derived is
//! made anew.

use crate::database::Database;
use crate::isolation::fill;
use crate::sample::{matching, project, terms};
use anyhow::Result;
use dossier_core::health::{StoreFacts, judge};
use dossier_core::id::OwnerId;
use dossier_store::{DatabaseKind, Store};

async fn filled(database: &Database) -> Result<Store> {
    let store = database.store().await?;
    for owner in ["ann", "bob"] {
        fill(&store.owner(&OwnerId::from(owner))).await?;
    }
    let facts = store.verify().await?;
    assert!(facts.is_sound(), "{facts:#?}");
    Ok(store)
}

async fn a_filled_store_is_sound_and_counted(database: Database) -> Result<()> {
    let store = filled(&database).await?;
    let facts = store.verify().await?;
    assert_eq!((facts.index.chunks, facts.vectors.vectors, facts.blobs.blobs), (4, 4, 6));
    store.owner(&OwnerId::from("ann")).delete_project(&project("p").id).await?;
    let facts = store.verify().await?;
    assert!(facts.is_sound(), "{facts:#?}");
    assert_eq!((facts.index.chunks, facts.vectors.vectors, facts.blobs.blobs), (2, 2, 3));
    Ok(())
}

async fn what_is_wrong_is_counted(database: Database) -> Result<()> {
    let store = filled(&database).await?;
    let index_row = match database.kind {
        DatabaseKind::Sqlite => "DELETE FROM retrieval_index WHERE rowid = 1",
        DatabaseKind::Postgres => "DELETE FROM retrieval_index WHERE chunk_id = 1",
    };
    for sql in [
        index_row,
        "UPDATE term_statistics SET documents = 7 WHERE owner = 'ann' AND term = 'plan'",
        "DELETE FROM term_statistics WHERE owner = 'bob' AND term = 'plan'",
        "UPDATE project_statistics SET words = 7 WHERE owner = 'bob'",
        "UPDATE vectors SET dimension = 17
             WHERE id = (SELECT MIN(id) FROM vectors WHERE owner = 'ann')",
        "UPDATE vectors SET content_hash = 'none' WHERE owner = 'bob'
             AND content_hash = (SELECT MIN(content_hash) FROM vectors)",
        "UPDATE blobs SET content = CAST('altered' AS BLOB) WHERE owner = 'ann'",
    ] {
        let sql = match database.kind {
            DatabaseKind::Sqlite => sql.to_owned(),
            DatabaseKind::Postgres => sql.replace("AS BLOB", "AS BYTEA"),
        };
        database.execute(&sql).await?;
    }
    let damage = (database.kind == DatabaseKind::Sqlite).then(Vec::new);
    let mut expected = StoreFacts { damage, ..StoreFacts::default() };
    expected.index.chunks = 4;
    expected.index.missing = 1;
    // The words of the chunk.
    expected.index.wrong_terms = 2;
    expected.index.wrong_statistics = 3;
    expected.vectors.vectors = 4;
    expected.vectors.misshapen = 1;
    expected.vectors.mixed_models = 1;
    expected.vectors.orphans = 1;
    expected.blobs.blobs = 6;
    expected.blobs.altered = 3;
    assert_eq!(store.verify().await?, expected);

    assert_eq!(store.mend_index().await?, 4);
    let facts = store.verify().await?;
    assert_eq!((facts.index.missing, facts.index.wrong_terms), (0, 0), "{facts:#?}");
    assert_eq!((facts.index.wrong_statistics, facts.vectors.orphans), (0, 0), "{facts:#?}");
    assert_eq!(facts.vectors.misshapen, 0, "{facts:#?}");
    Ok(())
}

async fn an_index_that_is_gone_is_made_anew(database: Database) -> Result<()> {
    let store = filled(&database).await?;
    database.execute("DROP TABLE retrieval_index").await?;
    let facts = store.verify().await?;
    assert!(facts.index.unreadable.is_some(), "{facts:#?}");
    assert_eq!(store.mend_index().await?, 4);
    assert!(store.verify().await?.is_sound(), "{:#?}", store.verify().await?);
    let ann = store.owner(&OwnerId::from("ann"));
    assert_eq!(matching(&ann, &project("p").id, &terms("plan")).await?.len(), 1);
    ann.delete_project(&project("p").id).await?;
    assert!(store.verify().await?.is_sound());
    Ok(())
}

stories![
    a_filled_store_is_sound_and_counted,
    what_is_wrong_is_counted,
    an_index_that_is_gone_is_made_anew,
];

/// Each way of spoiling the index of words, as far down as its pages.
#[tokio::test]
async fn an_index_in_whatever_state_is_made_anew() -> Result<()> {
    for spoil in [
        "DELETE FROM retrieval_index_data",
        "DELETE FROM retrieval_index_config",
        "DROP TABLE retrieval_index_docsize",
        "DROP TABLE retrieval_index_data; DROP TABLE retrieval_index_config",
        "UPDATE retrieval_index_data SET block = zeroblob(7)",
        "PRAGMA writable_schema = ON;
         DELETE FROM sqlite_master WHERE name = 'retrieval_index';
         PRAGMA writable_schema = RESET",
    ] {
        crate::database::on_sqlite(|database: Database| async move {
            filled(&database).await?.close().await;
            database.execute(spoil).await?;
            let store = database.store().await?;
            match store.verify().await {
                Ok(facts) => assert!(!facts.is_sound(), "{spoil}: {facts:#?}"),
                Err(error) => assert!(error.to_string().contains("damaged"), "{spoil}: {error}"),
            }
            store.mend_index().await?;
            let facts = store.verify().await?;
            assert!(facts.is_sound(), "{spoil}: {facts:#?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// The same for wrong bytes in its pages, which the store is told from others by name.
#[tokio::test]
async fn pages_of_the_index_may_be_lost() -> Result<()> {
    for table in ["retrieval_index_data", "retrieval_index_idx", "retrieval_index_docsize"] {
        crate::database::on_sqlite(|database: Database| async move {
            filled(&database).await?.close().await;
            let root = format!("SELECT rootpage FROM sqlite_master WHERE name = '{table}'");
            let page = database.number(&root).await? as usize;
            let file = database.folder.path().join("dossier.db");
            let mut bytes = std::fs::read(&file)?;
            bytes[(page - 1) * 8192..page * 8192].fill(0xa5);
            std::fs::write(&file, bytes)?;
            let store = database.store().await?;
            let facts = store.verify().await?;
            let mend = judge(&facts)[0].mend.clone().unwrap_or_default();
            assert!(mend.contains("dossier maintain --rebuild"), "{table}: {facts:#?}");
            assert_eq!(store.mend_index().await?, 4);
            let facts = store.verify().await?;
            assert!(facts.is_sound(), "{table}: {facts:#?}");
            Ok(())
        })
        .await?;
    }
    Ok(())
}
