//! Hiding, bringing back and forgetting: projects, threads and files alike.
//!
//! Everything is read through views that leave hidden rows out. A hidden file or thread has no
//! chunks either, so search, statistics and vectors are as if it were gone; its content and its
//! messages stay, and its chunks are made anew when it comes back. A hidden project keeps its
//! chunks, which nobody can ask for without it.

use crate::chunks::{self, Removed};
use crate::error::StoreError;
use crate::files::{self, FileRecord};
use crate::messages;
use crate::row::{Row, text_list};
use crate::sql;
use crate::store::{DatabaseKind, OwnerStore};
use crate::write::Write;
use crate::{answers, facts, projects, replies, sqlite, threads};
use dossier_core::chunk::Draft;
use dossier_core::id::{FileId, ProjectId, ThreadId};
use dossier_core::message::Message;
use dossier_core::time::Timestamp;
use std::collections::HashSet;

/// What an owner holds, and can forget.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holding {
    Project(ProjectId),
    Thread(ThreadId),
    File(FileId),
}

/// A kind of holding.
struct Kind {
    table: &'static str,
    /// The column that holds the project it is, or is in.
    project: &'static str,
    /// The column of its name while it is hidden.
    name: &'static str,
    holding: fn(String) -> Holding,
}

const PROJECTS: Kind = Kind {
    table: "projects",
    project: "id",
    name: "hidden_name",
    holding: |id| Holding::Project(id.into()),
};

const THREADS: Kind = Kind {
    table: "conversations",
    project: "project_id",
    name: "title",
    holding: |id| Holding::Thread(id.into()),
};

const FILES: Kind = Kind {
    table: "project_files",
    project: "project_id",
    name: "path",
    holding: |id| Holding::File(id.into()),
};

impl Holding {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Project(id) => id.as_str(),
            Self::Thread(id) => id.as_str(),
            Self::File(id) => id.as_str(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Project(_) => PROJECTS,
            Self::Thread(_) => THREADS,
            Self::File(_) => FILES,
        }
    }
}

/// Something hidden, and how long it can be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    pub holding: Holding,
    /// The project it is, or is in.
    pub project: ProjectId,
    /// Name, title or path; a thread without a title goes by its id.
    pub name: String,
    pub hidden_at: Timestamp,
    pub purge_at: Timestamp,
}

impl OwnerStore {
    /// Hides something; whether it was there to be hidden.
    pub async fn hide(
        &self,
        holding: &Holding,
        now: Timestamp,
        purge_at: Timestamp,
    ) -> Result<bool, StoreError> {
        // Its chunks go now, and must not outlast it in the file.
        let mut write = self.shredding().await?;
        let Kind { table, project, .. } = holding.kind();
        let name = match holding {
            // No name that is given begins with a control character.
            Holding::Project(_) => ", hidden_name = name, name = '\u{1}' || id",
            _ => "",
        };
        let row = sql::composed(format!(
            "UPDATE {table} SET hidden_at = $1, purge_at = $2{name}
             WHERE owner = $3 AND id = $4 AND hidden_at IS NULL RETURNING {project} AS project_id"
        ))
        .bind(now.as_millis())
        .bind(purge_at.as_millis())
        .bind(self.owner.as_str())
        .bind(holding.as_str())
        .fetch_optional(write.connection())
        .await?;
        let Some(row) = row else { return Ok(false) };
        replies::forget(&mut write).await?;
        answers::forget(&mut write).await?;
        let project: ProjectId = row.text("project_id")?;
        match holding {
            Holding::Project(_) => {}
            Holding::Thread(id) => {
                chunks::remove(&mut write, &project, Removed::Thread(id)).await?;
                facts::veiled(&mut write, &project).await?;
            }
            Holding::File(id) => {
                let files = std::slice::from_ref(id);
                chunks::remove(&mut write, &project, Removed::Files(files)).await?;
            }
        }
        write.commit().await?;
        Ok(true)
    }

    /// Brings something back, with the chunks of a file or a thread; whether it was still hidden.
    /// Fails with `Conflict` when a project's name has been taken meanwhile.
    pub async fn show(&self, hidden: &Hidden, chunks: &[Draft]) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let table = hidden.holding.kind().table;
        let name = match &hidden.holding {
            Holding::Project(_) => ", name = hidden_name, hidden_name = NULL",
            _ => "",
        };
        // What was brought back and hidden again since may have other chunks.
        let shown = sql::composed(format!(
            "UPDATE {table} SET hidden_at = NULL, purge_at = NULL{name}
             WHERE owner = $1 AND id = $2 AND hidden_at = $3"
        ))
        .bind(self.owner.as_str())
        .bind(hidden.holding.as_str())
        .bind(hidden.hidden_at.as_millis())
        .execute(write.connection())
        .await?;
        if shown.rows_affected() == 0 {
            return Ok(false);
        }
        chunks::add(&mut write, &hidden.project, &chunks.iter().collect::<Vec<_>>()).await?;
        facts::veiled(&mut write, &hidden.project).await?;
        write.commit().await?;
        Ok(true)
    }

    /// What is hidden, the last first. What a hidden project holds goes with it.
    pub async fn hidden(&self) -> Result<Vec<Hidden>, StoreError> {
        let mut hidden = Vec::new();
        for Kind { table, project, name, holding } in [PROJECTS, THREADS, FILES] {
            let inside = match project {
                "id" => "",
                _ => "AND project_id IN (SELECT id FROM visible_projects WHERE owner = $1)",
            };
            let rows = sql::composed(format!(
                "SELECT id, {project} AS project_id, COALESCE({name}, id) AS name, hidden_at,
                     purge_at
                 FROM {table} WHERE owner = $1 AND hidden_at IS NOT NULL {inside}"
            ))
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
            let read = |row: &Row| {
                Ok(Hidden {
                    holding: holding(row.text("id")?),
                    project: row.text("project_id")?,
                    name: row.text("name")?,
                    hidden_at: row.time("hidden_at")?,
                    purge_at: row.time("purge_at")?,
                })
            };
            hidden.extend(rows.iter().map(read).collect::<Result<Vec<_>, StoreError>>()?);
        }
        hidden.sort_by(|left, right| {
            let order = right.hidden_at.cmp(&left.hidden_at);
            order.then_with(|| left.name.cmp(&right.name)).then(left.holding.cmp(&right.holding))
        });
        Ok(hidden)
    }

    /// The hidden thread of the project that was imported under this id.
    pub async fn hidden_from(
        &self,
        project: &ProjectId,
        external_id: &str,
    ) -> Result<Option<ThreadId>, StoreError> {
        let row = sql::query(
            "SELECT id FROM conversations WHERE owner = $1 AND project_id = $2
                 AND external_id = $3 AND hidden_at IS NOT NULL",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(external_id)
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.map(|row| row.text("id")).transpose()
    }

    /// The hidden files of a project, by path.
    pub async fn hidden_files(&self, project: &ProjectId) -> Result<Vec<FileRecord>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM project_files
             WHERE owner = $1 AND project_id = $2 AND hidden_at IS NOT NULL",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        files::by_path(&rows)
    }

    /// A file, if it is hidden.
    pub async fn hidden_file(&self, id: &FileId) -> Result<Option<FileRecord>, StoreError> {
        let row = sql::query(
            "SELECT * FROM project_files WHERE owner = $1 AND id = $2 AND hidden_at IS NOT NULL",
        )
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(FileRecord::read).transpose()
    }

    /// The messages of a hidden thread, without deleted ones.
    pub async fn hidden_messages(&self, thread: &ThreadId) -> Result<Vec<Message>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM conversation_messages
             WHERE owner = $1 AND conversation_id = $2 AND deleted_at IS NULL
                 AND EXISTS (SELECT 1 FROM conversations
                     WHERE owner = $1 AND id = $2 AND hidden_at IS NOT NULL)
             ORDER BY position",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(messages::read).collect()
    }

    /// Which of these files and messages are hidden.
    pub async fn hidden_among<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> Result<HashSet<String>, StoreError> {
        let files = self.kind().text_among("id", "$2");
        let messages = self.kind().text_among("conversation_messages.id", "$2");
        let rows = sql::composed(format!(
            "SELECT id FROM project_files WHERE owner = $1 AND hidden_at IS NOT NULL AND {files}
             UNION
             SELECT conversation_messages.id AS id FROM conversation_messages JOIN conversations
                 ON conversations.owner = conversation_messages.owner
                 AND conversations.id = conversation_id
             WHERE conversation_messages.owner = $1 AND hidden_at IS NOT NULL AND {messages}"
        ))
        .bind(self.owner.as_str())
        .bind(text_list(ids)?)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        rows.iter().map(|row| row.text("id")).collect()
    }

    /// Deletes something at once, hidden or not, with every block of a receipt that quotes it;
    /// whether it was there.
    pub async fn forget(&self, holding: &Holding) -> Result<bool, StoreError> {
        let mut write = self.shredding().await?;
        let forgotten = delete(&mut write, holding).await?;
        write.commit().await?;
        Ok(forgotten)
    }

    /// When the last of the things was hidden whose time has come; nothing when none has.
    pub async fn overdue(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let mut last = None;
        for Kind { table, .. } in [PROJECTS, THREADS, FILES] {
            let row = sql::composed(format!(
                "SELECT MAX(hidden_at) AS last FROM {table}
                 WHERE owner = $1 AND hidden_at IS NOT NULL AND purge_at <= $2"
            ))
            .bind(self.owner.as_str())
            .bind(now.as_millis())
            .fetch_one(&mut *self.connection().await?)
            .await?;
            last = last.max(row.get_as::<Option<i64>>("last")?);
        }
        let row = sql::query(
            "SELECT MAX(hidden_at) AS last FROM personality_presets
             WHERE owner = $1 AND purge_at <= $2",
        )
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_one(&mut *self.connection().await?)
        .await?;
        last = last.max(row.get_as::<Option<i64>>("last")?);
        Ok(last.map(Timestamp::from_millis))
    }

    /// Deletes for good what was hidden before a moment and whose time has come; how many there
    /// were.
    pub async fn purge(&self, before: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        let mut write = self.shredding().await?;
        let mut purged = 0;
        for Kind { table, holding, .. } in [PROJECTS, THREADS, FILES] {
            let rows = sql::composed(format!(
                "SELECT id FROM {table} WHERE owner = $1 AND hidden_at < $2 AND purge_at <= $3"
            ))
            .bind(self.owner.as_str())
            .bind(before.as_millis())
            .bind(now.as_millis())
            .fetch_all(write.connection())
            .await?;
            for row in &rows {
                purged += u64::from(delete(&mut write, &holding(row.text("id")?)).await?);
            }
        }
        let presets = sql::query(
            "DELETE FROM personality_presets
             WHERE owner = $1 AND hidden_at < $2 AND purge_at <= $3",
        )
        .bind(self.owner.as_str())
        .bind(before.as_millis())
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        purged += presets.rows_affected();
        write.commit().await?;
        Ok(purged)
    }

    /// A transaction that leaves nothing readable in the file of what it deletes.
    pub(crate) async fn shredding(&self) -> Result<Write, StoreError> {
        let mut write = self.write().await?;
        if self.kind() == DatabaseKind::Sqlite {
            sqlite::shred(write.connection()).await?;
        }
        Ok(write)
    }
}

async fn delete(write: &mut Write, holding: &Holding) -> Result<bool, StoreError> {
    replies::forget(write).await?;
    answers::forget(write).await?;
    match holding {
        Holding::Project(id) => projects::delete(write, id).await,
        Holding::Thread(id) => threads::delete(write, id).await,
        Holding::File(id) => files::forget(write, id).await,
    }
}
