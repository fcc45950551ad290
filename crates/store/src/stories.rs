//! Links of stories: under which names the beginnings of a project's threads are known when a client
//! tells them again.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::{Row, text_list};
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ProjectId, ThreadId};

/// Where a beginning ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryLink {
    pub hash: ContentHash,
    pub thread: ThreadId,
    pub position: i64,
}

impl OwnerStore {
    /// Those of these beginnings that threads of the project have.
    pub async fn story_links(
        &self,
        project: &ProjectId,
        hashes: impl IntoIterator<Item = &ContentHash>,
    ) -> Result<Vec<StoryLink>, StoreError> {
        let among = self.kind().text_among("hash", "$3");
        let rows = sql::composed(format!(
            "SELECT hash, conversation_id, position FROM story_links
             WHERE owner = $1 AND project_id = $2 AND {among}
                 AND EXISTS (SELECT 1 FROM visible_conversations AS thread
                     WHERE thread.owner = $1 AND thread.id = story_links.conversation_id)"
        ))
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(text_list(hashes.into_iter().map(ContentHash::as_str))?)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &Row| {
            Ok(StoryLink {
                hash: ContentHash::from_stored(row.text("hash")?),
                thread: row.text("conversation_id")?,
                position: row.number("position")?,
            })
        };
        rows.iter().map(read).collect()
    }
}

/// Of two threads that begin alike, the later is found.
pub(crate) async fn put(
    write: &mut Write,
    project: &ProjectId,
    links: &[StoryLink],
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    Insert {
        into: "INSERT INTO story_links (owner, project_id, hash, conversation_id, position)",
        row: "(?, ?, ?, ?, ?)",
        then: "ON CONFLICT (owner, project_id, hash) DO UPDATE
               SET conversation_id = excluded.conversation_id, position = excluded.position",
    }
    .run(write.connection(), links, |query, link| {
        query
            .bind(owner.as_str())
            .bind(project.as_str())
            .bind(link.hash.as_str())
            .bind(link.thread.as_str())
            .bind(link.position)
    })
    .await
}
