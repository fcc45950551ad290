//! Refs: contents that stand in texts by their names, once for each owner and kind. What has
//! expired, or belongs only to projects that are hidden, is found by nobody.

mod sharing;
mod sums;

pub(crate) use sharing::loosen;
pub use sums::{CompressedSum, RefSum, RefSums, RefsBy, Summarised};

use crate::error::{StoreError, check_text};
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use crate::{answers, blobs, projects, receipts, replies};
use dossier_core::hash::ContentHash;
use dossier_core::id::{Id as _, JobId, ProjectId};
use dossier_core::refs::{Kind, RefName};
use dossier_core::time::Timestamp;
use serde_json::Value;
use sharing::{SHARED, belongs_to, share};
use std::collections::HashSet;

/// A ref without its content.
#[derive(Debug, Clone, PartialEq)]
pub struct RefRow {
    pub kind: Kind,
    /// Of its canonical form.
    pub hash: ContentHash,
    /// The blob that holds it.
    pub content: ContentHash,
    /// The only project that it belongs to; none for one of several, or of nobody's.
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

/// A ref as a dossier shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct RefBrief {
    pub kind: Kind,
    pub hash: ContentHash,
    pub summary: String,
    pub refreshed_at: Timestamp,
    pub expires_at: Timestamp,
    pub is_stale: bool,
    /// Whether it belongs to the project that was asked for, or to none.
    pub is_own: bool,
}

/// Which refs are listed.
#[derive(Debug, Clone, Default)]
pub struct RefFilter {
    pub kind: Option<Kind>,
    /// What the name or the summary has in it.
    pub text: String,
}

impl RefRow {
    /// The job in which a model summarises it.
    pub fn summary_job(&self) -> JobId {
        JobId::from(summary_job(&format!("{}_{}", self.kind, self.hash)))
    }
}

fn summary_job(of: &str) -> String {
    format!("{}_ref_{of}", JobId::PREFIX)
}

/// What is looked at of a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Summary,
    Compressed,
}

/// Rows that may be seen at a moment, `$2`.
const SEEN: &str = "owner = $1 AND ttl_expires_at > $2 AND CASE
    WHEN cas_refs.project_id IS NOT NULL THEN EXISTS
        (SELECT 1 FROM visible_projects AS project
         WHERE project.owner = $1 AND project.id = cas_refs.project_id)
    ELSE NOT EXISTS
        (SELECT 1 FROM ref_projects AS sharing WHERE sharing.owner = $1
             AND sharing.kind = cas_refs.kind AND sharing.content_hash = cas_refs.content_hash)
        OR EXISTS
        (SELECT 1 FROM ref_projects AS sharing JOIN visible_projects AS project
             ON project.owner = sharing.owner AND project.id = sharing.project_id
         WHERE sharing.owner = $1
             AND sharing.kind = cas_refs.kind AND sharing.content_hash = cas_refs.content_hash)
    END";

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

fn kind(row: &Row) -> Result<Kind, StoreError> {
    let kind: String = row.text("kind")?;
    Kind::new(&kind).ok_or_else(|| StoreError::unreadable("kind", kind.as_str()))
}

fn read(row: &Row) -> Result<RefRow, StoreError> {
    let small =
        |column: &str| Ok::<_, StoreError>(u32::try_from(row.number(column)?).unwrap_or(u32::MAX));
    Ok(RefRow {
        kind: kind(row)?,
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
    /// wrote of it, and belongs to all projects that have stored it, unless it was stored without
    /// one. What the same source gave before is stale. Gives what is stored.
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
        let before = sql::query(
            "SELECT full_content, project_id FROM cas_refs
             WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .fetch_optional(write.connection())
        .await?;
        if let Some(before) = &before {
            write.loose_blobs.insert(ContentHash::from_stored(before.text("full_content")?));
        }
        let fresh =
            RefRow { is_stale: false, access_count: 0, last_accessed_at: None, ..row.clone() };
        let renewed = "DO UPDATE SET
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
                 source_meta = excluded.source_meta, source_key = excluded.source_key,
                 summary_uses = cas_refs.summary_uses
                     + CASE WHEN cas_refs.summary_model IS NULL THEN 0 ELSE 1 END";
        let stored = insert(&mut write, &fresh, source, renewed).await?;
        let stored = stored.ok_or_else(|| StoreError::not_found("the ref that was stored"))?;
        if let Some(before) = before {
            let project: Option<ProjectId> = before.optional_text("project_id")?;
            share(&mut write, row, project.as_ref()).await?;
        }
        if let Some(key) = &stored.source_key {
            sql::query(
                "UPDATE cas_refs SET is_stale = 1
                 WHERE owner = $1 AND source_key = $2 AND content_hash <> $3
                     AND COALESCE(project_id, '') = $4",
            )
            .bind(self.owner.as_str())
            .bind(key.as_str())
            .bind(stored.hash.as_str())
            .bind(stored.project.as_ref().map_or("", ProjectId::as_str))
            .execute(write.connection())
            .await?;
        }
        write.commit().await?;
        Ok(stored)
    }

    /// Stores a ref as it was kept elsewhere; whether it was new, here or in its project. One that is
    /// here and lasts stays as it is, and belongs to this project, too.
    pub async fn restore_ref(
        &self,
        row: &RefRow,
        content: &[u8],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let source = to_json(&row.source)?;
        for text in [&row.summary, &row.compressed, &source] {
            check_text("ref", text)?;
        }
        let mut write = self.write().await?;
        if let Some(project) = &row.project {
            projects::expect(&mut write, project).await?;
        }
        blobs::put(&mut write, &[(&row.content, content)]).await?;
        // The one that is here may be written in another order.
        write.loose_blobs.insert(row.content.clone());
        let expired = sql::query(
            "DELETE FROM cas_refs WHERE owner = $1 AND kind = $2 AND content_hash = $3
                 AND ttl_expires_at <= $4
             RETURNING full_content",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .bind(now.as_millis())
        .fetch_optional(write.connection())
        .await?;
        if let Some(expired) = expired {
            write.loose_blobs.insert(ContentHash::from_stored(expired.text("full_content")?));
        }
        let stored = insert(&mut write, row, source, "DO NOTHING").await?;
        let mut is_new = stored.is_some();
        if stored.is_none() {
            let here = "SELECT project_id FROM cas_refs
                 WHERE owner = $1 AND kind = $2 AND content_hash = $3";
            let only = "UPDATE cas_refs SET project_id = NULL
                 WHERE owner = $1 AND kind = $2 AND content_hash = $3 AND project_id <> $4";
            let before = sql::query(here)
                .bind(self.owner.as_str())
                .bind(row.kind.as_str())
                .bind(row.hash.as_str())
                .fetch_one(write.connection())
                .await?;
            let before: Option<ProjectId> = before.optional_text("project_id")?;
            sql::query(only)
                .bind(self.owner.as_str())
                .bind(row.kind.as_str())
                .bind(row.hash.as_str())
                .bind(row.project.as_ref().map_or("", ProjectId::as_str))
                .execute(write.connection())
                .await?;
            is_new = share(&mut write, row, before.as_ref()).await?;
        }
        write.commit().await?;
        Ok(is_new)
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
        let row = sql::composed(format!(
            "SELECT * FROM cas_refs WHERE {SEEN} AND {condition}
             ORDER BY refreshed_at DESC, content_hash, kind LIMIT 1"
        ))
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
        let rows = sql::composed(format!(
            "SELECT * FROM cas_refs WHERE {SEEN} AND kind = $3
                 AND content_hash >= $4 AND content_hash < $5
             ORDER BY content_hash LIMIT 8"
        ))
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
        let rows = sql::composed(format!(
            "SELECT * FROM cas_refs WHERE {SEEN} AND ($3 = '' OR kind = $3)
                 AND (created_at < $4 OR created_at = $4 AND content_hash || kind > $5)
                 AND LOWER('ref:' || kind || ':' || content_hash || ' ' || summary)
                     LIKE LOWER($7) ESCAPE '!'
             ORDER BY created_at DESC, content_hash || kind LIMIT $6"
        ))
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

    /// The refs that any of these names could mean, the last stored or expanded first. Those that
    /// belong to other projects are told apart, for a name must not mean two.
    pub async fn refs_at_hand(
        &self,
        project: &ProjectId,
        names: &[RefName],
        now: Timestamp,
    ) -> Result<Vec<RefBrief>, StoreError> {
        /// However many begin alike.
        const MOST: usize = 200;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let range = |place: usize| {
            let [kind, from, to] = [0, 1, 2].map(|offset| 4 + place * 3 + offset);
            format!("kind = ${kind} AND content_hash >= ${from} AND content_hash < ${to}")
        };
        let ranges: Vec<String> = (0..names.len()).map(range).collect();
        let sql = format!(
            "SELECT kind, content_hash, summary, refreshed_at, ttl_expires_at, is_stale,
                 CAST(CASE WHEN {} OR project_id IS NULL
                     AND NOT EXISTS (SELECT 1 FROM {SHARED}) THEN 1 ELSE 0 END AS BIGINT) AS is_own
             FROM cas_refs WHERE owner = $1 AND ttl_expires_at > $2 AND ({})
             ORDER BY refreshed_at DESC, content_hash, kind LIMIT {MOST}",
            belongs_to("$3"),
            ranges.join(" OR "),
        );
        let mut query = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(now.as_millis())
            .bind(project.as_str());
        for name in names {
            // As far as texts show it, so that what it shares a shown name with is found as well.
            let shown = name.shown([]);
            query = query
                .bind(name.kind.as_str().to_owned())
                .bind(shown.digits().to_owned())
                .bind(format!("{}g", shown.digits()));
        }
        let rows = query.fetch_all(&mut *self.connection().await?).await?;
        let brief = |row: &Row| {
            Ok(RefBrief {
                kind: kind(row)?,
                hash: ContentHash::from_stored(row.text("content_hash")?),
                summary: row.text("summary")?,
                refreshed_at: row.time("refreshed_at")?,
                expires_at: row.time("ttl_expires_at")?,
                is_stale: row.number("is_stale")? != 0,
                is_own: row.number("is_own")? != 0,
            })
        };
        rows.iter().map(brief).collect()
    }

    /// Counts a look at a ref.
    pub async fn touch_ref(
        &self,
        row: &RefRow,
        look: Look,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "UPDATE cas_refs SET access_count = access_count + 1, last_accessed_at = $4,
                 summary_uses = summary_uses
                     + CASE WHEN summary_model IS NULL THEN 0 ELSE CAST($5 AS BIGINT) END
             WHERE owner = $1 AND kind = $2 AND content_hash = $3",
        )
        .bind(self.owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .bind(now.as_millis())
        .bind(i64::from(look == Look::Summary))
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
        sql::query(
            "UPDATE cas_refs SET access_count = access_count + 1, last_accessed_at = $4,
                 refreshed_at = $4, ttl_expires_at = $5,
                 is_stale = CASE WHEN is_stale = 1 AND EXISTS (
                     SELECT 1 FROM cas_refs AS newer
                     WHERE newer.owner = $1 AND newer.source_key = cas_refs.source_key
                         AND COALESCE(newer.project_id, '') = COALESCE(cas_refs.project_id, '')
                         AND newer.content_hash <> cas_refs.content_hash
                         AND newer.is_stale = 0 AND newer.ttl_expires_at > $4
                 ) THEN 1 ELSE 0 END
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
        let marked = sql::query(
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
        let deleted =
            sql::query("DELETE FROM cas_refs WHERE owner = $1 AND kind = $2 AND content_hash = $3")
                .bind(self.owner.as_str())
                .bind(row.kind.as_str())
                .bind(row.hash.as_str())
                .execute(write.connection())
                .await?;
        if deleted.rows_affected() > 0 {
            // What was said of it may quote it.
            replies::forget(&mut write).await?;
            answers::forget(&mut write).await?;
            let name = RefName::whole(row.kind.clone(), &row.hash).to_string();
            receipts::unquote_everywhere(&mut write, &[name].into()).await?;
        }
        write.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Deletes the refs whose time is over; how many there were.
    pub async fn expire_refs(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut write = self.shredding().await?;
        let rows = sql::query(
            "DELETE FROM cas_refs WHERE owner = $1 AND ttl_expires_at <= $2
             RETURNING kind, content_hash, full_content",
        )
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_all(write.connection())
        .await?;
        let mut expired = HashSet::new();
        for row in &rows {
            write.loose_blobs.insert(ContentHash::from_stored(row.text("full_content")?));
            let hash = ContentHash::from_stored(row.text("content_hash")?);
            expired.insert(RefName::whole(kind(row)?, &hash).to_string());
        }
        if !expired.is_empty() {
            receipts::unquote_everywhere(&mut write, &expired).await?;
        }
        write.commit().await?;
        Ok(rows.len() as u64)
    }
}

/// Writes a ref, and says what becomes of one that is there; what is stored, if anything was.
async fn insert(
    write: &mut Write,
    row: &RefRow,
    source: String,
    conflict: &'static str,
) -> Result<Option<RefRow>, StoreError> {
    let owner = write.owner.clone();
    let stored = sql::composed(format!(
        "INSERT INTO cas_refs (owner, kind, content_hash, full_content, project_id, summary,
             compressed, tokens, compressed_tokens, created_at, refreshed_at, ttl_expires_at,
             is_stale, access_count, last_accessed_at, source_meta, summary_model, source_key)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
         ON CONFLICT (owner, kind, content_hash) {conflict}
         RETURNING *"
    ))
    .bind(owner.as_str())
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
    .bind(i64::from(row.is_stale))
    .bind(row.access_count)
    .bind(row.last_accessed_at.map(Timestamp::as_millis))
    .bind(source)
    .bind(row.summary_model.as_deref())
    .bind(row.source_key.as_deref())
    .fetch_optional(write.connection())
    .await?;
    stored.as_ref().map(read).transpose()
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
    sql::query(
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

/// Counts that the summaries of refs were shown in a dossier.
pub(crate) async fn shown(
    write: &mut Write,
    names: &[RefName],
    now: Timestamp,
) -> Result<(), StoreError> {
    if names.is_empty() {
        return Ok(());
    }
    let owner = write.owner.clone();
    let one = |place: usize| format!("kind = ${} AND content_hash = ${}", place + 3, place + 4);
    let any: Vec<String> = (0..names.len()).map(|place| one(place * 2)).collect();
    let mut query = sql::composed(format!(
        "UPDATE cas_refs SET access_count = access_count + 1, last_accessed_at = $2,
             summary_uses = summary_uses + CASE WHEN summary_model IS NULL THEN 0 ELSE 1 END
         WHERE owner = $1 AND ({})",
        any.join(" OR "),
    ))
    .bind(owner.as_str())
    .bind(now.as_millis());
    for name in names {
        query = query.bind(name.kind.as_str().to_owned()).bind(name.digits().to_owned());
    }
    query.execute(write.connection()).await?;
    Ok(())
}
