//! Refs: contents that stand in texts by their names, once for each owner and kind. What has
//! expired, or belongs to a project that is hidden, is found by nobody.

use crate::error::{StoreError, check_text};
use crate::row::{Columns, to_json};
use crate::store::OwnerStore;
use crate::write::Write;
use crate::{blobs, projects};
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::refs::{Kind, RefName};
use dossier_core::time::Timestamp;
use serde_json::Value;
use sqlx::any::AnyRow;

/// A ref without its content.
#[derive(Debug, Clone, PartialEq)]
pub struct RefRow {
    pub kind: Kind,
    /// Of its canonical form.
    pub hash: ContentHash,
    /// The blob that holds it.
    pub content: ContentHash,
    pub project: Option<ProjectId>,
    pub summary: String,
    /// The full name of the model that wrote the summary; none for one made without a model.
    pub summary_model: Option<String>,
    pub compressed: String,
    pub tokens: u32,
    pub compressed_tokens: u32,
    pub created_at: Timestamp,
    /// When it was last stored or expanded.
    pub refreshed_at: Timestamp,
    pub expires_at: Timestamp,
    /// Whether somebody said that its source has changed.
    pub is_stale: bool,
    pub access_count: i64,
    pub last_accessed_at: Option<Timestamp>,
    /// Where it comes from, as JSON.
    pub source: Value,
    /// By what it is known when it comes again with changes.
    pub source_key: Option<String>,
}

/// Refs added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RefSums {
    pub count: u64,
    pub tokens: u64,
    pub compressed_tokens: u64,
    pub accesses: u64,
}

/// Which refs are listed.
#[derive(Debug, Clone, Default)]
pub struct RefFilter {
    pub kind: Option<Kind>,
    /// What the name or the summary has in it.
    pub text: String,
}

/// What refs are added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefsBy {
    Kind,
    /// On which they were first stored.
    Day,
}

/// Refs of one kind, or of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefSum {
    pub key: String,
    pub count: u64,
    pub tokens: u64,
    /// Of what is shown of them in short, which is never more.
    pub compressed_tokens: u64,
}

/// Rows that may be seen at a moment, `$2`.
const SEEN: &str = "owner = $1 AND ttl_expires_at > $2 AND (project_id IS NULL OR EXISTS
    (SELECT 1 FROM visible_projects AS project
     WHERE project.owner = $1 AND project.id = cas_refs.project_id))";

/// In milliseconds.
const DAY: i64 = 86_400_000;

/// A day by its number since 1970, as it is written.
fn day(number: &str) -> String {
    let begin = number.parse::<i64>().unwrap_or_default().saturating_mul(DAY);
    Timestamp::from_millis(begin).to_string().chars().take("2026-11-15".len()).collect()
}

/// A pattern for all that has the text in it.
fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

fn read(row: &AnyRow) -> Result<RefRow, StoreError> {
    let kind: String = row.text("kind")?;
    let small =
        |column: &str| Ok::<_, StoreError>(u32::try_from(row.number(column)?).unwrap_or(u32::MAX));
    Ok(RefRow {
        kind: Kind::new(&kind).ok_or_else(|| StoreError::unreadable("kind", kind.as_str()))?,
        hash: ContentHash::from_stored(row.text("content_hash")?),
        content: ContentHash::from_stored(row.text("full_content")?),
        project: row.optional_text("project_id")?,
        summary: row.text("summary")?,
        summary_model: row.optional_text("summary_model")?,
        compressed: row.text("compressed")?,
        tokens: small("tokens")?,
        compressed_tokens: small("compressed_tokens")?,
        created_at: row.time("created_at")?,
        refreshed_at: row.time("refreshed_at")?,
        expires_at: row.time("ttl_expires_at")?,
        is_stale: row.number("is_stale")? != 0,
        access_count: row.number("access_count")?,
        last_accessed_at: row
            .get_as::<Option<i64>>("last_accessed_at")?
            .map(Timestamp::from_millis),
        source: row.json("source_meta")?,
        source_key: row.optional_text("source_key")?,
    })
}

impl OwnerStore {
    /// Stores a content under its name. One that is there already is fresh again, keeps what a model
    /// wrote of it, and belongs to no project when two have stored it. Gives what is stored.
    pub async fn put_ref(&self, row: &RefRow, content: &[u8]) -> Result<RefRow, StoreError> {
        for text in [&row.summary, &row.compressed] {
            check_text("ref", text)?;
        }
        let source = to_json(&row.source)?;
        check_text("source", &source)?;
        let mut write = self.write().await?;
        if let Some(project) = &row.project {
            projects::expect(&mut write, project).await?;
        }
        blobs::put(&mut write, &[(&row.content, content)]).await?;
        // What was stored under the name before may have been written in another order.
        let before = sqlx::query(
            "SELECT full_content FROM cas_refs WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .fetch_optional(write.connection())
        .await?;
        if let Some(before) = before {
            write.loose_blobs.insert(ContentHash::from_stored(before.text("full_content")?));
        }
        let stored = sqlx::query(
            "INSERT INTO cas_refs (owner, kind, content_hash, full_content, project_id, summary,
                 compressed, tokens, compressed_tokens, created_at, refreshed_at, ttl_expires_at,
                 is_stale, access_count, last_accessed_at, source_meta, summary_model, source_key)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 0, NULL, $13, $14, $15)
             ON CONFLICT (owner, kind, content_hash) DO UPDATE SET
                 full_content = excluded.full_content,
                 summary = CASE WHEN cas_refs.summary_model IS NULL
                     THEN excluded.summary ELSE cas_refs.summary END,
                 compressed = excluded.compressed, tokens = excluded.tokens,
                 compressed_tokens = excluded.compressed_tokens,
                 refreshed_at = excluded.refreshed_at, is_stale = 0,
                 ttl_expires_at = CASE WHEN excluded.ttl_expires_at > cas_refs.ttl_expires_at
                     THEN excluded.ttl_expires_at ELSE cas_refs.ttl_expires_at END,
                 project_id = CASE WHEN excluded.project_id = cas_refs.project_id
                     THEN cas_refs.project_id ELSE NULL END,
                 source_meta = excluded.source_meta, source_key = excluded.source_key
             RETURNING *",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .bind(row.content.as_str())
        .bind(row.project.as_ref().map(ProjectId::as_str))
        .bind(row.summary.as_str())
        .bind(row.compressed.as_str())
        .bind(i64::from(row.tokens))
        .bind(i64::from(row.compressed_tokens))
        .bind(row.created_at.as_millis())
        .bind(row.refreshed_at.as_millis())
        .bind(row.expires_at.as_millis())
        .bind(source)
        .bind(row.summary_model.as_deref())
        .bind(row.source_key.as_deref())
        .fetch_one(write.connection())
        .await?;
        let stored = read(&stored)?;
        write.commit().await?;
        Ok(stored)
    }

    /// The ref of this kind and hash.
    pub async fn find_ref(
        &self,
        kind: &Kind,
        hash: &ContentHash,
        now: Timestamp,
    ) -> Result<Option<RefRow>, StoreError> {
        self.first_ref("kind = $3 AND content_hash = $4", [kind.as_str(), hash.as_str()], now).await
    }

    /// What a model wrote of the same content under another kind.
    pub async fn summarised_alike(
        &self,
        row: &RefRow,
        now: Timestamp,
    ) -> Result<Option<RefRow>, StoreError> {
        let condition = "kind <> $3 AND content_hash = $4 AND summary_model IS NOT NULL";
        self.first_ref(condition, [row.kind.as_str(), row.hash.as_str()], now).await
    }

    /// The last content of the same source and project, before this one, of which a model wrote a
    /// summary.
    pub async fn summarised_before(
        &self,
        row: &RefRow,
        now: Timestamp,
    ) -> Result<Option<RefRow>, StoreError> {
        let Some(key) = &row.source_key else { return Ok(None) };
        let condition = "source_key = $3 AND content_hash <> $4 AND summary_model IS NOT NULL";
        let found = self.first_ref(condition, [key, row.hash.as_str()], now).await?;
        Ok(found.filter(|found| found.project == row.project))
    }

    async fn first_ref(
        &self,
        condition: &'static str,
        [third, fourth]: [&str; 2],
        now: Timestamp,
    ) -> Result<Option<RefRow>, StoreError> {
        let row = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT * FROM cas_refs WHERE {SEEN} AND {condition}
             ORDER BY refreshed_at DESC, content_hash, kind LIMIT 1"
        )))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(third)
        .bind(fourth)
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(read).transpose()
    }

    /// The refs of a kind whose hashes begin as the name says: none, one, or, for a short name,
    /// some of those it could mean.
    pub async fn refs_named(
        &self,
        name: &RefName,
        now: Timestamp,
    ) -> Result<Vec<RefRow>, StoreError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT * FROM cas_refs WHERE {SEEN} AND kind = $3
                 AND content_hash >= $4 AND content_hash < $5
             ORDER BY content_hash LIMIT 8"
        )))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(name.kind.as_str())
        .bind(name.digits())
        // Behind every hexadecimal digit.
        .bind(format!("{}g", name.digits()))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// Refs, the last stored first, after one that was shown.
    pub async fn refs(
        &self,
        filter: &RefFilter,
        after: Option<&(Timestamp, String)>,
        most: usize,
        now: Timestamp,
    ) -> Result<Vec<RefRow>, StoreError> {
        let (time, hash) = match after {
            Some((time, hash)) => (time.as_millis(), hash.as_str()),
            None => (i64::MAX, ""),
        };
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT * FROM cas_refs WHERE {SEEN} AND ($3 = '' OR kind = $3)
                 AND (created_at < $4 OR created_at = $4 AND content_hash || kind > $5)
                 AND LOWER('ref:' || kind || ':' || content_hash || ' ' || summary)
                     LIKE LOWER($7) ESCAPE '!'
             ORDER BY created_at DESC, content_hash || kind LIMIT $6"
        )))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(filter.kind.as_ref().map_or("", Kind::as_str))
        .bind(time)
        .bind(hash)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .bind(containing(&filter.text))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(read).collect()
    }

    /// What refs come to that were first stored at a moment or later, of a project or of all.
    pub async fn ref_sums_by(
        &self,
        by: RefsBy,
        since: Timestamp,
        project: Option<&ProjectId>,
        now: Timestamp,
    ) -> Result<Vec<RefSum>, StoreError> {
        let key = match by {
            RefsBy::Kind => "kind".to_owned(),
            RefsBy::Day => format!("CAST(created_at / {DAY} AS TEXT)"),
        };
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT {key} AS key, CAST(COUNT(*) AS BIGINT) AS refs,
                 CAST(SUM(tokens) AS BIGINT) AS tokens,
                 CAST(SUM(CASE WHEN compressed_tokens < tokens THEN compressed_tokens
                     ELSE tokens END) AS BIGINT) AS compressed
             FROM cas_refs WHERE {SEEN} AND created_at >= $3
                 AND (CAST($4 AS TEXT) = '' OR project_id = $4)
             GROUP BY {key} ORDER BY {key}"
        )))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .bind(since.as_millis())
        .bind(project.map_or("", ProjectId::as_str))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let sum = |row: &AnyRow| {
            let count =
                |column| Ok::<_, StoreError>(u64::try_from(row.number(column)?).unwrap_or(0));
            let key: String = row.text("key")?;
            Ok(RefSum {
                key: if by == RefsBy::Day { day(&key) } else { key },
                count: count("refs")?,
                tokens: count("tokens")?,
                compressed_tokens: count("compressed")?,
            })
        };
        rows.iter().map(sum).collect()
    }

    /// What the refs come to together, by their kinds.
    pub async fn ref_sums(&self, now: Timestamp) -> Result<Vec<(String, RefSums)>, StoreError> {
        let sum = |column: &str, name: &str| {
            format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT) AS {name}")
        };
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT kind, CAST(COUNT(*) AS BIGINT) AS refs, {}, {}, {} FROM cas_refs WHERE {SEEN}
             GROUP BY kind ORDER BY kind",
            sum("tokens", "tokens"),
            sum("compressed_tokens", "compressed"),
            sum("access_count", "accesses"),
        )))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &AnyRow| {
            let count =
                |column| Ok::<_, StoreError>(u64::try_from(row.number(column)?).unwrap_or(0));
            let sums = RefSums {
                count: count("refs")?,
                tokens: count("tokens")?,
                compressed_tokens: count("compressed")?,
                accesses: count("accesses")?,
            };
            Ok((row.text("kind")?, sums))
        };
        rows.iter().map(read).collect()
    }

    /// Counts a look at a ref.
    pub async fn touch_ref(&self, row: &RefRow, now: Timestamp) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sqlx::query(
            "UPDATE cas_refs SET access_count = access_count + 1, last_accessed_at = $4
             WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// Makes a ref fresh and counts a look at it.
    pub async fn refresh_ref(
        &self,
        row: &RefRow,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sqlx::query(
            "UPDATE cas_refs SET access_count = access_count + 1, last_accessed_at = $4,
                 refreshed_at = $4, is_stale = 0, ttl_expires_at = $5
             WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .bind(now.as_millis())
        .bind(expires_at.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// Says that the source of a ref has changed; whether there was such a ref.
    pub async fn mark_ref_stale(&self, row: &RefRow) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let marked = sqlx::query(
            "UPDATE cas_refs SET is_stale = 1
             WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(marked.rows_affected() > 0)
    }

    /// Deletes a ref for good, with its content when nothing else holds it; whether there was one.
    pub async fn forget_ref(&self, row: &RefRow) -> Result<bool, StoreError> {
        let mut write = self.shredding().await?;
        write.loose_blobs.insert(row.content.clone());
        let deleted = sqlx::query(
            "DELETE FROM cas_refs WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Deletes the refs whose time is over; how many there were.
    pub async fn expire_refs(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut write = self.shredding().await?;
        let rows = sqlx::query(
            "DELETE FROM cas_refs WHERE owner = $1 AND ttl_expires_at <= $2 RETURNING full_content",
        )
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_all(write.connection())
        .await?;
        for row in &rows {
            write.loose_blobs.insert(ContentHash::from_stored(row.text("full_content")?));
        }
        write.commit().await?;
        Ok(rows.len() as u64)
    }
}

/// Puts what a model wrote in the place of a ref's summary.
pub(crate) async fn summarise(
    write: &mut Write,
    row: &RefRow,
    summary: &str,
    model: &str,
) -> Result<(), StoreError> {
    check_text("summary", summary)?;
    let owner = write.owner.clone();
    sqlx::query(
        "UPDATE cas_refs SET summary = $4, summary_model = $5
         WHERE owner = $1 AND kind = $2 AND content_hash = $3",
    )
    .bind(owner.as_str())
    .bind(row.kind.as_str())
    .bind(row.hash.as_str())
    .bind(summary)
    .bind(model)
    .execute(write.connection())
    .await?;
    Ok(())
}

/// Notes the contents of a project's refs, which go with it.
pub(crate) async fn loosen(write: &mut Write, project: &ProjectId) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let rows =
        sqlx::query("SELECT full_content FROM cas_refs WHERE owner = $1 AND project_id = $2")
            .bind(owner.as_str())
            .bind(project.as_str())
            .fetch_all(write.connection())
            .await?;
    for row in &rows {
        write.loose_blobs.insert(ContentHash::from_stored(row.text("full_content")?));
    }
    Ok(())
}
