//! Looking through a whole store: whether the index, the statistics, the vectors and the contents
//! agree with the rows they were made from. Everything is counted again and nothing is changed.
//!
//! What is read is one snapshot, so writers at work are no reason for a difference.

use crate::error::StoreError;
use crate::reindex::{self, IndexedChunk, chunk_page};
use crate::search::{scope, word};
use crate::sql::{self, Connection};
use crate::statistics::Changes;
use crate::store::{Backend, DatabaseKind, Inner, Store};
use crate::vectors::MISSHAPEN;
use crate::{blobs, blocks, postgres, sqlite};
use dossier_core::hash::ContentHash;
use dossier_core::health::{BlobFacts, IndexFacts, StoreFacts, VectorFacts};
use dossier_core::id::{OwnerId, ProjectId};
use dossier_core::rank::Strength;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Contents that are read at once; one may have up to a mebibyte.
const BLOB_PAGE: i64 = 16;

/// What an index holds: its rows, and in how many of them each term stands.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct IndexContent {
    pub(crate) rows: HashSet<i64>,
    pub(crate) terms: HashMap<String, u64>,
}

impl Store {
    /// What database it is and which format it has, in words.
    pub async fn format_told(&self) -> Result<String, StoreError> {
        let mut connection = self.inner.pool.apart().await?;
        let row = sql::query(match self.kind() {
            DatabaseKind::Sqlite => {
                "SELECT version, 'SQLite ' || sqlite_version() AS server FROM format"
            }
            DatabaseKind::Postgres => {
                "SELECT version, 'PostgreSQL ' || current_setting('server_version') AS server
                 FROM format"
            }
        })
        .fetch_one(&mut connection)
        .await?;
        Ok(format!("{} on {}", row.number("version")?, row.text::<String>("server")?))
    }

    /// Counts everything again, for all owners.
    pub async fn verify(&self) -> Result<StoreFacts, StoreError> {
        let inner = &*self.inner;
        let mut connection = inner.pool.apart().await?;
        if let Backend::Sqlite(_) = inner.backend {
            // Where there is no index to look at, counting will say so.
            let _ = sqlite::prepare_vocabulary(&mut connection).await;
        }
        let mut snapshot = connection.begin(inner.kind().snapshot()).await?;
        let counted = count(inner, &mut snapshot).await;
        snapshot.rollback().await?;
        counted
    }
}

async fn count(inner: &Inner, connection: &mut Connection) -> Result<StoreFacts, StoreError> {
    let (damage, strays) = match inner.kind() {
        DatabaseKind::Sqlite => {
            let (damage, strays) = sqlite::integrity(connection).await?;
            (Some(damage), strays)
        }
        DatabaseKind::Postgres => (None, 0),
    };
    Ok(StoreFacts {
        damage,
        strays,
        index: index(inner, connection).await?,
        vectors: vectors(connection).await?,
        blobs: blobs(inner, connection).await?,
    })
}

type Counted = BTreeMap<(OwnerId, ProjectId), Changes>;

async fn index(inner: &Inner, connection: &mut Connection) -> Result<IndexFacts, StoreError> {
    let mut counted = Counted::new();
    let mut chunks = HashSet::new();
    recount(connection, &mut counted, &mut chunks).await?;
    let mut facts = IndexFacts {
        chunks: chunks.len() as u64,
        wrong_statistics: wrong_statistics(connection, &counted).await?,
        ..IndexFacts::default()
    };
    let content = match inner.kind() {
        DatabaseKind::Sqlite => sqlite::index_content(connection).await,
        DatabaseKind::Postgres => postgres::index_content(connection).await,
    };
    match content {
        Ok(content) => {
            facts.missing = chunks.difference(&content.rows).count() as u64;
            facts.surplus = content.rows.difference(&chunks).count() as u64;
            facts.wrong_terms = differences(&expected_words(&counted), &content.terms);
        }
        Err(error) => facts.unreadable = Some(error.to_string()),
    }
    Ok(facts)
}

/// Counts the chunks themselves.
async fn recount(
    connection: &mut Connection,
    counted: &mut Counted,
    chunks: &mut HashSet<i64>,
) -> Result<(), StoreError> {
    let mut last = i64::MIN;
    loop {
        let page = chunk_page(connection, last).await?;
        let read = page.len();
        for IndexedChunk { id, owner, project, words, profile } in page {
            last = id;
            chunks.insert(id);
            counted.entry((owner, project)).or_default().add(words, &profile);
        }
        if read < reindex::PAGE {
            return Ok(());
        }
    }
}

/// In how many rows of the index each word should stand.
fn expected_words(counted: &Counted) -> HashMap<String, u64> {
    let mut expected = HashMap::new();
    for ((owner, project), counts) in counted {
        let scope = scope(owner, project);
        for (term, (all, strong)) in &counts.terms {
            for (strength, count) in [(Strength::Strong, *strong), (Strength::Weak, all - strong)] {
                if count > 0 {
                    expected.insert(word(&scope, strength, term), count.unsigned_abs());
                }
            }
        }
    }
    expected
}

/// How many keys have another value in one map than in the other.
fn differences(left: &HashMap<String, u64>, right: &HashMap<String, u64>) -> u64 {
    let wrong = left.iter().filter(|(key, value)| right.get(*key) != Some(value)).count();
    let surplus = right.keys().filter(|key| !left.contains_key(*key)).count();
    (wrong + surplus) as u64
}

/// How many stored counts a recount does not give.
async fn wrong_statistics(
    connection: &mut Connection,
    counted: &Counted,
) -> Result<u64, StoreError> {
    let mut wrong = 0;
    let rows = sql::query(
        "SELECT projects.owner AS owner, projects.id AS project_id,
             COALESCE(documents, -1) AS documents, COALESCE(words, -1) AS words
         FROM projects LEFT JOIN project_statistics
             ON project_statistics.owner = projects.owner AND project_id = projects.id",
    )
    .fetch_all(&mut *connection)
    .await?;
    let none = Changes::default();
    for row in &rows {
        let counts = counted.get(&(row.text("owner")?, row.text("project_id")?)).unwrap_or(&none);
        let stored = (row.number("documents")?, row.number("words")?);
        wrong += u64::from(stored != (counts.documents, counts.words));
    }
    let rows = sql::query("SELECT owner, project_id, term, documents, strong FROM term_statistics")
        .slowly()
        .fetch_all(connection)
        .await?;
    let mut present = 0;
    for row in &rows {
        let counts = counted.get(&(row.text("owner")?, row.text("project_id")?)).unwrap_or(&none);
        let count = counts.terms.get(row.get_as::<&str>("term")?).copied();
        present += u64::from(count.is_some());
        let stored = (row.number("documents")?, row.number("strong")?);
        wrong += u64::from(count != Some(stored));
    }
    let expected: usize = counted.values().map(|counts| counts.terms.len()).sum();
    Ok(wrong + (expected as u64).saturating_sub(present))
}

async fn vectors(connection: &mut Connection) -> Result<VectorFacts, StoreError> {
    let row = sql::composed(format!(
        "SELECT
             (SELECT COUNT(*) FROM vectors) AS vectors,
             (SELECT COUNT(*) FROM vectors WHERE NOT EXISTS (
                 SELECT 1 FROM content_chunks WHERE content_chunks.owner = vectors.owner
                     AND content_chunks.content_hash = vectors.content_hash)) AS orphans,
             (SELECT COUNT(*) FROM vectors WHERE {MISSHAPEN}) AS misshapen,
             (SELECT COUNT(*) FROM (
                 SELECT 1 FROM vectors GROUP BY owner, model
                 HAVING MIN(dimension) <> MAX(dimension)) AS mixed) AS mixed_models"
    ))
    .slowly()
    .fetch_one(connection)
    .await?;
    let number = |column| row.number(column).map(i64::unsigned_abs);
    Ok(VectorFacts {
        vectors: number("vectors")?,
        orphans: number("orphans")?,
        misshapen: number("misshapen")?,
        mixed_models: number("mixed_models")?,
    })
}

async fn blobs(inner: &Inner, connection: &mut Connection) -> Result<BlobFacts, StoreError> {
    let mut facts = BlobFacts { missing: blocks::missing(connection).await?, ..Default::default() };
    let mut outside = HashSet::new();
    let (mut owner, mut hash) = (String::new(), String::new());
    loop {
        let rows = sql::query(
            "SELECT owner, hash, size, content FROM blobs
             WHERE owner > $1 OR (owner = $1 AND hash > $2) ORDER BY owner, hash LIMIT $3",
        )
        .bind(owner.as_str())
        .bind(hash.as_str())
        .bind(BLOB_PAGE)
        .fetch_all(&mut *connection)
        .await?;
        for row in &rows {
            owner = row.text("owner")?;
            hash = row.text("hash")?;
            facts.blobs += 1;
            let own = ContentHash::from_stored(hash.clone());
            let content = match (row.get_as::<Option<Vec<u8>>>("content")?, &inner.backend) {
                // What cannot be restored is not what its hash says either.
                (Some(content), _) => {
                    Some(blobs::restore(content, row.number("size")?).unwrap_or_default())
                }
                (None, Backend::Sqlite(local)) => {
                    outside.insert(local.blob_path(&owner, &hash));
                    local.read_blob(&OwnerId::from(owner.as_str()), &own).await?
                }
                (None, Backend::Postgres) => None,
            };
            match content {
                Some(content) => facts.altered += u64::from(ContentHash::of(content) != own),
                None => facts.missing += 1,
            }
        }
        if (rows.len() as i64) < BLOB_PAGE {
            break;
        }
    }
    if let Backend::Sqlite(local) = &inner.backend {
        let files = local.blob_files().await?;
        facts.unnamed = files.iter().filter(|file| !outside.contains(*file)).count() as u64;
    }
    Ok(facts)
}
