//! Content by its hash, once per owner. A blob goes in the transaction that takes its last user:
//! which files, receipts and refs use it is asked of their tables, not counted beside them.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::text_list;
use crate::sql;
use crate::squeeze::{restored, squeezed};
use crate::store::{Backend, OwnerStore};
use crate::write::Write;
use dossier_core::hash::ContentHash;
use std::collections::HashMap;

/// From this size on, SQLite keeps content in a folder beside the database. PostgreSQL keeps all
/// of it, since several servers share it.
pub const LARGE_CONTENT: usize = 1 << 20;

impl OwnerStore {
    pub async fn put_blob(&self, bytes: &[u8]) -> Result<ContentHash, StoreError> {
        let hash = ContentHash::of(bytes);
        let mut write = self.write().await?;
        put(&mut write, &[(&hash, bytes)]).await?;
        write.commit().await?;
        Ok(hash)
    }

    pub async fn blob(&self, hash: &ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        let row = sql::query("SELECT size, content FROM blobs WHERE owner = $1 AND hash = $2")
            .bind(self.owner.as_str())
            .bind(hash.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        let Some(row) = row else { return Ok(None) };
        match (row.get_as::<Option<Vec<u8>>>("content")?, &self.inner.backend) {
            (Some(content), _) => restore(content, row.number("size")?).map(Some),
            (None, Backend::Sqlite(local)) => local.read_blob(&self.owner, hash).await,
            (None, Backend::Postgres) => Ok(None),
        }
    }
}

impl OwnerStore {
    /// Several contents at once, as far as they are there.
    pub async fn blobs(
        &self,
        hashes: &[ContentHash],
    ) -> Result<HashMap<ContentHash, Vec<u8>>, StoreError> {
        let sql = format!(
            "SELECT hash, size, content FROM blobs WHERE owner = $1 AND {}",
            self.inner.kind().text_among("hash", "$2")
        );
        let rows = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(text_list(hashes.iter().map(ContentHash::as_str))?)
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let mut found = HashMap::with_capacity(rows.len());
        for row in &rows {
            let hash = ContentHash::from_stored(row.text("hash")?);
            let content = match (row.get_as::<Option<Vec<u8>>>("content")?, &self.inner.backend) {
                (Some(content), _) => Some(restore(content, row.number("size")?)?),
                (None, Backend::Sqlite(local)) => local.read_blob(&self.owner, &hash).await?,
                (None, Backend::Postgres) => None,
            };
            found.extend(content.map(|content| (hash, content)));
        }
        Ok(found)
    }
}

/// The content of a row. What takes less than its size was squeezed.
pub(crate) fn restore(content: Vec<u8>, size: i64) -> Result<Vec<u8>, StoreError> {
    if (content.len() as i64) < size { restored(&content) } else { Ok(content) }
}

/// Stores contents that are not stored yet.
pub(crate) async fn put(
    write: &mut Write,
    contents: &[(&ContentHash, &[u8])],
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let mut rows = Vec::with_capacity(contents.len());
    for (hash, bytes) in contents {
        let outside = match write.backend() {
            Backend::Sqlite(local) if bytes.len() >= LARGE_CONTENT => {
                local.write_blob(&owner, hash, bytes).await?;
                write.outside.push((*hash).clone());
                true
            }
            _ => false,
        };
        let content = (!outside).then(|| squeezed(bytes).unwrap_or_else(|| bytes.to_vec()));
        write.grown.bytes += bytes.len() as u64;
        rows.push((*hash, bytes.len() as i64, content));
    }
    Insert {
        into: "INSERT INTO blobs (owner, hash, size, content)",
        row: "(?, ?, ?, ?)",
        then: "ON CONFLICT DO NOTHING",
    }
    .run(write.connection(), &rows, |query, (hash, size, content)| {
        query.bind(owner.as_str()).bind(hash.as_str()).bind(*size).bind(content.clone())
    })
    .await
}

/// Removes blobs that lost their last user. Returns those whose bytes lie outside the database.
pub(crate) async fn collect(write: &mut Write) -> Result<Vec<ContentHash>, StoreError> {
    if write.loose_blobs.is_empty() {
        return Ok(Vec::new());
    }
    let loose = text_list(write.loose_blobs.iter().map(ContentHash::as_str))?;
    let hashes = write.kind().text_among("hash", "$2");
    let owner = write.owner.clone();
    let rows = sql::composed(format!(
        "DELETE FROM blobs WHERE owner = $1 AND {hashes} AND shown = 0
             AND NOT EXISTS (SELECT 1 FROM project_files
                 WHERE project_files.owner = $1 AND content_hash = blobs.hash)
             AND NOT EXISTS (SELECT 1 FROM cas_refs
                 WHERE cas_refs.owner = $1 AND full_content = blobs.hash)
         RETURNING hash, size"
    ))
    .bind(owner.as_str())
    .bind(loose)
    .fetch_all(write.connection())
    .await?;
    let mut outside = Vec::new();
    for row in &rows {
        if row.number("size")? >= LARGE_CONTENT as i64 {
            outside.push(ContentHash::from_stored(row.text("hash")?));
        }
    }
    Ok(outside)
}
