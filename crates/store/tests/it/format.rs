//! Opening a database: its format, and what is said when it cannot be.

use crate::database::Database;
use crate::sample::{MODEL, at, matching, project, terms};
use anyhow::Result;
use dossier_core::hash::ContentHash;
use dossier_core::rank::Statistics;
use dossier_core::vector::Quantised;
use dossier_store::{DatabaseKind, Store, StoreError};

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

/// The first format that was ever given away, with a little of everything that changed since.
macro_rules! first_format {
    ($database:literal) => {
        [
            include_str!(concat!("../../migrations/", $database, "/20261115000001_blobs.sql")),
            include_str!(concat!("../../migrations/", $database, "/20261115000002_projects.sql")),
            include_str!(concat!(
                "../../migrations/",
                $database,
                "/20261115000003_conversations.sql"
            )),
            include_str!(concat!("../../migrations/", $database, "/20261115000004_chunks.sql")),
            include_str!(concat!("../../migrations/", $database, "/20261115000005_vectors.sql")),
            include_str!(concat!("../../migrations/", $database, "/20261115000006_receipts.sql")),
            include_str!(concat!("../../migrations/", $database, "/20261115000007_jobs.sql")),
        ]
    };
}

async fn an_older_database_is_brought_up_to_date_with_all_it_holds(
    database: Database,
) -> Result<()> {
    let (tables, vectors) = match database.kind {
        DatabaseKind::Sqlite => (
            first_format!("sqlite"),
            "INSERT INTO vectors (owner, model, content_hash, ordinal, dimension, quantised) VALUES
                 ('local', 'mini', 'h', 1, 2, X'0000003F0001'),
                 ('local', 'mini', 'h', 0, 2, X'0000803F7F00');",
        ),
        DatabaseKind::Postgres => (
            first_format!("postgres"),
            "INSERT INTO vectors (owner, model, content_hash, ordinal, dimension, quantised,
                 embedding) VALUES
                 ('local', 'mini', 'h', 1, 2, '\\x0000003F0001', '[0,1]'),
                 ('local', 'mini', 'h', 0, 2, '\\x0000803F7F00', '[1,0]');",
        ),
    };
    if let Some(path) = database.url.strip_prefix("sqlite:") {
        std::fs::write(path, "")?;
    }
    for sql in tables {
        database.execute(sql).await?;
    }
    let [first, second] = ["first", "second"].map(ContentHash::of);
    database
        .execute(&format!(
            "CREATE TABLE format (version BIGINT NOT NULL);
             INSERT INTO format VALUES (20261115000007);
             INSERT INTO owners (id) VALUES ('local');
             INSERT INTO blobs (owner, hash, size, content) VALUES ('local', 'b', 7, '');
             INSERT INTO projects VALUES ('local', 'prj_a', 'a', '', '{{}}', 1, 1);
             INSERT INTO project_statistics VALUES ('local', 'prj_a', 1, 3);
             INSERT INTO term_statistics VALUES ('local', 'prj_a', 'fox', 1);
             INSERT INTO project_files VALUES
                 ('local', 'fil_a', 'prj_a', 'a.txt', NULL, 'b', 'b', 'text/plain', 0, NULL,
                  '{{}}', 0, 1, 1);
             INSERT INTO conversations VALUES
                 ('local', 'thr_a', 'prj_a', 'Talk', NULL, '{{}}', 1, 1, 1);
             INSERT INTO conversation_messages (owner, id, conversation_id, position,
                 round_number, role, content, created_at) VALUES
                 ('local', 'msg_a', 'thr_a', 0, 1, 'user', 'grün', 1);
             INSERT INTO content_chunks (owner, project_id, file_id, chunk_index, content,
                 content_hash, location, tokens, profile, words) VALUES
                 ('local', 'prj_a', 'fil_a', 0, 'the fox fox', 'h',
                  '{{\"file\":{{\"path\":\"a.txt\",\"start_line\":1,\"end_line\":1,
                    \"start_char\":0,\"end_char\":11}}}}', 3, 'fox 2
the 1
', 3);
             INSERT INTO blobs (owner, hash, size, content) VALUES
                 ('local', '{first}', 0, ''), ('local', '{second}', 0, '');
             INSERT INTO receipts (owner, id, project_id, body, created_at) VALUES
                 ('local', 'rcp_a', 'prj_a', '{{}}', 1), ('local', 'rcp_b', 'prj_a', '{{}}', 1);
             INSERT INTO receipt_blocks VALUES
                 ('local', 'rcp_a', 0, '{first}'), ('local', 'rcp_a', 2, '{second}'),
                 ('local', 'rcp_a', 3, '{first}'), ('local', 'rcp_b', 0, '{second}');
             {vectors}"
        ))
        .await?;
    let store = database.owner().await?;
    let project = project("a");
    let ids = matching(&store, &project.id, &terms("fox")).await?;
    assert_eq!(store.chunks(&ids).await?[0].content, "the fox fox");
    let expected = Statistics {
        documents: 1,
        total_length: 3,
        frequency: [("fox".to_owned(), 1), ("the".to_owned(), 1)].into(),
        strong: [("fox".to_owned(), 1), ("the".to_owned(), 1)].into(),
    };
    assert_eq!(store.statistics(&project.id, &terms("fox the")).await?, expected);
    for direction in [[1.0, 0.0], [0.0, 1.0]] {
        let query = Quantised::of(&direction);
        let alike = store.alike(&project.id, MODEL, &[query], &[], 1).await?;
        assert_eq!(alike.chunks.len(), 1);
        assert!(alike.chunks[0].1[0] > 0.0, "{direction:?}: {alike:?}");
    }
    let counts = database.row_counts().await?;
    assert_eq!((counts["vectors"], counts["format"]), (1, 1));
    let titles: Vec<_> =
        store.threads(&project.id).await?.into_iter().map(|thread| thread.title).collect();
    assert_eq!(titles, [Some("Talk".to_owned())]);
    assert_eq!(store.messages(&"thr_a".into()).await?[0].content, "grün");
    assert_eq!(store.files(&project.id).await?[0].path, "a.txt");
    let receipt = store.receipt(&"rcp_a".into()).await?.unwrap();
    assert_eq!(receipt.blocks, [first.clone(), second.clone(), first.clone()]);
    assert_eq!(database.number("SELECT COUNT(*) FROM blobs WHERE shown = 1").await?, 2);
    // The place of one that was forgotten before.
    let lengths = "SELECT CAST(SUM(octet_length(hashes)) AS BIGINT) FROM block_lists";
    assert_eq!(database.number(lengths).await?, (4 + 1) * 32);
    assert_eq!((store.hidden().await?, store.overdue(at(99)).await?), (vec![], None));
    assert_eq!(database.number("SELECT content_bytes FROM owners").await?, 7 + 5);
    Ok(())
}

stories![
    an_older_database_is_brought_up_to_date_with_all_it_holds,
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

/// Takes the newest change of format back, as if an older version had written the database.
pub async fn make_older(database: &Database) -> Result<()> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite");
    let mut migrations: Vec<_> =
        std::fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    migrations.sort();
    migrations.pop();
    let file = database.folder.path().join("dossier.db");
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", file.display()));
    }
    std::fs::write(&file, "")?;
    let mut version = 0;
    for migration in &migrations {
        database.execute(&std::fs::read_to_string(migration)?).await?;
        let name = migration.file_name().unwrap().to_string_lossy().into_owned();
        version = name.split('_').next().unwrap().parse::<i64>()?;
    }
    database
        .execute(&format!(
            "CREATE TABLE format (version BIGINT NOT NULL);
             INSERT INTO format VALUES ({version});
             INSERT INTO owners (id) VALUES ('local');
             INSERT INTO projects (owner, id, name, description, settings, created_at, updated_at)
                 VALUES ('local', 'prj_old', 'old', '', '{{}}', 1, 1);
             INSERT INTO project_statistics VALUES ('local', 'prj_old', 0, 0);"
        ))
        .await
}
