//! Many chunks in one row: what a row costs on its way here is more than what it costs to find.

use crate::chunks::content_of;
use crate::error::StoreError;
use crate::row::to_json;
use crate::sql::{self, Connection};
use dossier_core::analyse::Profile;
use dossier_core::chunk::{Chunk, Draft, Origin};
use dossier_core::id::{ChunkId, FileId, MessageId, OwnerId};
use serde::Deserialize;

/// A chunk without its texts, of which only the lengths are told.
#[derive(Deserialize)]
struct Head {
    id: i64,
    file: Option<FileId>,
    message: Option<MessageId>,
    index: u32,
    tokens: u32,
    location: usize,
    profile: usize,
    content: usize,
    squeezed: u8,
}

/// Those of the chunks that exist and belong to the owner.
pub(crate) async fn chunks(
    connection: &mut Connection,
    owner: &OwnerId,
    ids: &[ChunkId],
) -> Result<Vec<Chunk>, StoreError> {
    let row = sql::query(
        "SELECT json_group_array(json_array(id, file_id, message_id, chunk_index, tokens,
                 octet_length(location), octet_length(profile), octet_length(content),
                 typeof(content) = 'blob')) AS heads,
             CAST(COALESCE(group_concat(location, ''), '') AS BLOB) AS locations,
             CAST(COALESCE(group_concat(profile, ''), '') AS BLOB) AS profiles,
             CAST(COALESCE(group_concat(content, ''), '') AS BLOB) AS contents
         FROM content_chunks
         WHERE id IN (SELECT value FROM json_each($2)) AND +owner = $1",
    )
    .bind(owner.as_str())
    .bind(to_json(&ids)?)
    .fetch_one(connection)
    .await?;
    let heads: Vec<Head> = row.json("heads")?;
    let mut locations: &[u8] = row.get_as("locations")?;
    let mut profiles: &[u8] = row.get_as("profiles")?;
    let mut contents: &[u8] = row.get_as("contents")?;
    let chunk = |head: Head| {
        let origin = match (head.file, head.message) {
            (Some(file), _) => Origin::File(file),
            (None, message) => Origin::Message(message.unwrap_or_else(|| MessageId::from(""))),
        };
        let location = take(&mut locations, head.location);
        let profile = take(&mut profiles, head.profile);
        let content = take(&mut contents, head.content);
        Ok(Chunk::new(
            ChunkId(head.id),
            Draft {
                origin,
                index: head.index,
                content: content_of(content, head.squeezed != 0)?,
                location: serde_json::from_slice(location)
                    .map_err(|error| StoreError::unreadable("location", error))?,
                tokens: head.tokens,
                profile: Profile::decode(text("profile", profile)?),
            },
        ))
    };
    heads.into_iter().map(chunk).collect()
}

/// The next so many bytes.
fn take<'a>(bytes: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (taken, rest) = bytes.split_at(length.min(bytes.len()));
    *bytes = rest;
    taken
}

fn text(column: &str, bytes: &[u8]) -> Result<String, StoreError> {
    let text = str::from_utf8(bytes).map_err(|error| StoreError::unreadable(column, error))?;
    Ok(text.to_owned())
}
