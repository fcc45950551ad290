//! Sessions: which client last worked where. They outlive the thread and project they name.

use crate::error::StoreError;
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::id::{ProjectId, SessionId, ThreadId};
use dossier_core::time::Timestamp;

#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub id: SessionId,
    pub thread: Option<ThreadId>,
    pub project: Option<ProjectId>,
    pub client: serde_json::Value,
    pub last_active: Timestamp,
}

impl Session {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            thread: row.optional_text("conversation_id")?,
            project: row.optional_text("project_id")?,
            client: row.json("client_info")?,
            last_active: row.time("last_active")?,
        })
    }
}

impl OwnerStore {
    /// Writes the session, new or not. Fails with `NotFound` for a missing thread or project.
    pub async fn touch_session(&self, session: &Session) -> Result<(), StoreError> {
        if let Some(thread) = &session.thread
            && self.thread(thread).await?.is_none()
        {
            return Err(StoreError::not_found(format!("thread {thread}")));
        }
        if let Some(project) = &session.project
            && self.project(project).await?.is_none()
        {
            return Err(StoreError::not_found(format!("project {project}")));
        }
        let mut write = self.write().await?;
        sql::query(
            "INSERT INTO sessions
                 (owner, id, conversation_id, project_id, client_info, last_active)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (owner, id) DO UPDATE
             SET conversation_id = excluded.conversation_id, project_id = excluded.project_id,
                 client_info = excluded.client_info, last_active = excluded.last_active",
        )
        .bind(self.owner.as_str())
        .bind(session.id.as_str())
        .bind(session.thread.as_ref().map(ThreadId::as_str))
        .bind(session.project.as_ref().map(ProjectId::as_str))
        .bind(to_json(&session.client)?)
        .bind(session.last_active.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    pub async fn session(&self, id: &SessionId) -> Result<Option<Session>, StoreError> {
        let row = sql::query("SELECT * FROM visible_sessions WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(Session::read).transpose()
    }

    /// All sessions of the owner, by id.
    pub async fn sessions(&self) -> Result<Vec<Session>, StoreError> {
        let rows = sql::query("SELECT * FROM visible_sessions WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let mut sessions =
            rows.iter().map(Session::read).collect::<Result<Vec<_>, StoreError>>()?;
        sessions.sort_by(|left, right| left.id.cmp(&right.id));
        Ok(sessions)
    }
}
