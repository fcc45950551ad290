//! Chunks and their index rows, which come and go together.

use crate::error::{StoreError, check_text};
use crate::insert::Insert;
use crate::row::{Row, text_list, to_json};
use crate::search;
use crate::sql;
use crate::squeeze::{restored, squeezed};
use crate::store::{Backend, DatabaseKind, OwnerStore};
use crate::write::Write;
use crate::{postgres, sqlite};
use dossier_core::analyse::Profile;
use dossier_core::chunk::{Chunk, Draft, Origin};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, FileId, MessageId, ProjectId, ThreadId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl OwnerStore {
    /// The chunks that exist among these, in the order asked for.
    pub async fn chunks(&self, ids: &[ChunkId]) -> Result<Vec<Arc<Chunk>>, StoreError> {
        let cache = &self.inner.cache;
        let moment = cache.moment();
        let mut found = cache.get(&self.owner, ids);
        let missing: Vec<ChunkId> = found
            .iter()
            .zip(ids)
            .filter_map(|(chunk, id)| chunk.is_none().then_some(*id))
            .collect();
        if !missing.is_empty() {
            let mut read: HashMap<ChunkId, Arc<Chunk>> = HashMap::with_capacity(missing.len());
            for chunk in self.read_chunks(&missing).await? {
                let chunk = Arc::new(chunk);
                cache.put(moment, &self.owner, &chunk);
                read.insert(chunk.id, chunk);
            }
            for (chunk, id) in found.iter_mut().zip(ids).filter(|(chunk, _)| chunk.is_none()) {
                *chunk = read.get(id).map(Arc::clone);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    async fn read_chunks(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>, StoreError> {
        let connection = &mut *self.connection().await?;
        if self.kind() == DatabaseKind::Sqlite {
            return sqlite::chunks(connection, &self.owner, ids).await;
        }
        let own = self.kind().own_among("id", "owner", "$2");
        let sql = format!("SELECT {COLUMNS} FROM content_chunks WHERE {own}");
        let query = sql::composed(sql).bind(self.owner.as_str());
        let rows = query.bind(to_json(&ids)?).fetch_all(connection).await?;
        rows.iter().map(read).collect()
    }

    /// The chunks of some files, the oldest first; no more than so many.
    pub async fn chunks_of_files(
        &self,
        files: &[FileId],
        limit: usize,
    ) -> Result<Vec<ChunkId>, StoreError> {
        // The sum keeps both databases from walking through all chunks in their order.
        let rows = sql::composed(format!(
            "SELECT id FROM content_chunks WHERE owner = $1 AND {}
             ORDER BY id + 0 LIMIT $3",
            self.kind().text_among("file_id", "$2")
        ))
        .bind(self.owner.as_str())
        .bind(text_list(files.iter().map(FileId::as_str))?)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(|row| row.number("id").map(ChunkId)).collect()
    }

    /// The hashes of a project's chunks in their order, by the file or message they are of.
    pub async fn chunk_hashes(
        &self,
        project: &ProjectId,
    ) -> Result<HashMap<String, Vec<ContentHash>>, StoreError> {
        let rows = sql::query(
            "SELECT COALESCE(file_id, message_id) AS source, content_hash FROM content_chunks
             WHERE owner = $1 AND project_id = $2 ORDER BY source, chunk_index, id",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .fetch_all(&mut *self.connection_apart().await?)
        .await?;
        let mut hashes: HashMap<String, Vec<ContentHash>> = HashMap::new();
        for row in &rows {
            let hash = ContentHash::from_stored(row.text("content_hash")?);
            hashes.entry(row.text("source")?).or_default().push(hash);
        }
        Ok(hashes)
    }

    /// Exchanges the chunks of some files or messages of a project; with a file comes the content
    /// that its chunks were made from. What was deleted or changed meanwhile is passed over.
    pub async fn replace_chunks(
        &self,
        project: &ProjectId,
        sources: &[(Origin, Option<ContentHash>)],
        drafts: &[Draft],
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        let present = present(&mut write, project, sources).await?;
        let drafts: Vec<Draft> =
            drafts.iter().filter(|draft| present.contains(&draft.origin)).cloned().collect();
        replace(&mut write, project, &present, &drafts).await?;
        write.commit().await
    }
}

/// Which chunks of a project to remove.
pub(crate) enum Removed<'a> {
    Project,
    Thread(&'a ThreadId),
    Files(&'a [FileId]),
    Messages(&'a [MessageId]),
}

/// Removes chunks and notes what they leave behind.
pub(crate) async fn remove(
    write: &mut Write,
    project: &ProjectId,
    removed: Removed<'_>,
) -> Result<(), StoreError> {
    let kind = write.kind();
    let (condition, argument) = match removed {
        Removed::Project => ("CAST($3 AS TEXT) = ''".to_owned(), String::new()),
        Removed::Thread(thread) => (
            "message_id IN (SELECT id FROM conversation_messages
                 WHERE owner = $1 AND conversation_id = $3)"
                .to_owned(),
            thread.to_string(),
        ),
        Removed::Files([]) | Removed::Messages([]) => return Ok(()),
        Removed::Files(files) => {
            (kind.text_among("file_id", "$3"), text_list(files.iter().map(FileId::as_str))?)
        }
        Removed::Messages(messages) => (
            kind.text_among("message_id", "$3"),
            text_list(messages.iter().map(MessageId::as_str))?,
        ),
    };
    let owner = write.owner.clone();
    let rows = sql::composed(format!(
        "DELETE FROM content_chunks WHERE owner = $1 AND project_id = $2 AND {condition}
         RETURNING id, content_hash, words, profile"
    ))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(argument)
    .slowly()
    .fetch_all(write.connection())
    .await?;
    if rows.is_empty() {
        return Ok(());
    }
    let changes = write.changes.entry(project.clone()).or_default();
    let removed = write.removed.entry(project.clone()).or_default();
    for row in &rows {
        let profile = Profile::decode(row.text("profile")?);
        changes.remove(row.number("words")?, &profile);
        let hash = ContentHash::from_stored(row.text("content_hash")?);
        removed.push((ChunkId(row.number("id")?), hash.clone()));
        write.loose_vectors.insert(hash);
    }
    Ok(())
}

/// Adds chunks of one project with their index rows.
pub(crate) async fn add(
    write: &mut Write,
    project: &ProjectId,
    drafts: &[&Draft],
) -> Result<(), StoreError> {
    if drafts.is_empty() {
        return Ok(());
    }
    let owner = write.owner.clone();
    let ids = match write.backend() {
        Backend::Sqlite(_) => sqlite::new_chunk_ids(write.connection(), drafts.len()).await?,
        Backend::Postgres => postgres::new_chunk_ids(write.connection(), drafts.len()).await?,
    };
    let changes = write.changes.entry(project.clone()).or_default();
    let mut rows = Vec::with_capacity(drafts.len());
    for (id, draft) in ids.into_iter().zip(drafts) {
        check_text("chunk content", &draft.content)?;
        check_text("chunk terms", draft.profile.encoded())?;
        changes.add(i64::from(draft.profile.length()), &draft.profile);
        rows.push((id, draft, draft.hash(), to_json(&draft.location)?));
    }
    let kind = write.kind();
    Insert {
        into: "INSERT INTO content_chunks (id, owner, project_id, file_id, message_id,
                   chunk_index, content, content_hash, location, tokens, profile, words)",
        row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        then: "",
    }
    .run(write.connection(), &rows, |query, (id, draft, hash, location)| {
        let (file, message) = match &draft.origin {
            Origin::File(file) => (Some(file.as_str()), None),
            Origin::Message(message) => (None, Some(message.as_str())),
        };
        let query = query
            .bind(*id)
            .bind(owner.as_str())
            .bind(project.as_str())
            .bind(file)
            .bind(message)
            .bind(i64::from(draft.index));
        // PostgreSQL squeezes long texts by itself, and its columns hold one type.
        let query = match squeezed(draft.content.as_bytes()) {
            Some(content) if kind == DatabaseKind::Sqlite => query.bind(content),
            _ => query.bind(draft.content.as_str()),
        };
        query
            .bind(hash.as_str())
            .bind(location.as_str())
            .bind(i64::from(draft.tokens))
            .bind(draft.profile.encoded())
            .bind(i64::from(draft.profile.length()))
    })
    .await?;
    let indexed: Vec<(i64, &Profile)> =
        rows.iter().map(|(id, draft, ..)| (*id, &draft.profile)).collect();
    search::index(write.connection(), &owner, project, &indexed).await
}

/// Exchanges the chunks of some files or messages of a project.
pub(crate) async fn replace(
    write: &mut Write,
    project: &ProjectId,
    origins: &[Origin],
    drafts: &[Draft],
) -> Result<(), StoreError> {
    if let Some(stray) = drafts.iter().find(|draft| !origins.contains(&draft.origin)) {
        return Err(StoreError::invalid(
            "chunks",
            format!("one belongs to {:?}, which is not being indexed", stray.origin),
        ));
    }
    let (mut files, mut messages) = (Vec::new(), Vec::new());
    for origin in origins {
        match origin {
            Origin::File(file) => files.push(file.clone()),
            Origin::Message(message) => messages.push(message.clone()),
        }
    }
    remove(write, project, Removed::Files(&files)).await?;
    remove(write, project, Removed::Messages(&messages)).await?;
    add(write, project, &drafts.iter().collect::<Vec<_>>()).await
}

/// Which of these the project still has, with this content.
async fn present(
    write: &mut Write,
    project: &ProjectId,
    sources: &[(Origin, Option<ContentHash>)],
) -> Result<Vec<Origin>, StoreError> {
    let files = write.kind().text_among("id", "$3");
    let messages = write.kind().text_among("visible_messages.id", "$3");
    let of_files = format!(
        "SELECT id, content_hash FROM visible_files
         WHERE owner = $1 AND project_id = $2 AND {files}"
    );
    let of_messages = format!(
        "SELECT visible_messages.id AS id, CAST(NULL AS TEXT) AS content_hash
         FROM visible_messages JOIN conversations
             ON conversations.owner = visible_messages.owner
             AND conversations.id = conversation_id
         WHERE visible_messages.owner = $1 AND project_id = $2
             AND visible_messages.deleted_at IS NULL AND {messages}"
    );
    let names = text_list(sources.iter().map(|(origin, _)| origin.as_str()))?;
    let owner = write.owner.clone();
    let mut present = HashSet::new();
    for (sql, origin) in [
        (of_files, (|id| Origin::File(FileId::from(id))) as fn(String) -> Origin),
        (of_messages, |id| Origin::Message(MessageId::from(id))),
    ] {
        let rows = sql::composed(sql)
            .bind(owner.as_str())
            .bind(project.as_str())
            .bind(names.as_str())
            .fetch_all(write.connection())
            .await?;
        for row in &rows {
            let content: Option<String> = row.optional_text("content_hash")?;
            present.insert((origin(row.text("id")?), content.map(ContentHash::from_stored)));
        }
    }
    let present = sources.iter().filter(|source| present.contains(source));
    Ok(present.map(|(origin, _)| origin.clone()).collect())
}

/// What makes a chunk.
pub(crate) const COLUMNS: &str =
    "id, file_id, message_id, chunk_index, content, location, tokens, profile";

pub(crate) fn read(row: &Row) -> Result<Chunk, StoreError> {
    let origin = match row.optional_text("file_id")? {
        Some(file) => Origin::File(file),
        None => Origin::Message(row.text("message_id")?),
    };
    let small = |column: &str| {
        u32::try_from(row.number(column)?).map_err(|error| StoreError::unreadable(column, error))
    };
    Ok(Chunk::new(
        ChunkId(row.number("id")?),
        Draft {
            origin,
            index: small("chunk_index")?,
            content: content(row)?,
            location: row.json("location")?,
            tokens: small("tokens")?,
            profile: Profile::decode(row.text("profile")?),
        },
    ))
}

/// The text of a chunk, which SQLite may hold squeezed.
fn content(row: &Row) -> Result<String, StoreError> {
    match row.get_as::<&str>("content") {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => content_of(row.get_as("content")?, true),
    }
}

pub(crate) fn content_of(bytes: &[u8], is_squeezed: bool) -> Result<String, StoreError> {
    let bytes = if is_squeezed { restored(bytes)? } else { bytes.to_vec() };
    String::from_utf8(bytes).map_err(|error| StoreError::unreadable("content", error))
}
