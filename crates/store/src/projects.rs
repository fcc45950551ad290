//! Projects. Deleting one takes everything in it along: files, threads, index, receipts, and
//! vectors and blobs nothing else uses.

use crate::blocks;
use crate::chunks::{self, Removed};
use crate::error::{StoreError, check_text};
use crate::refs;
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::time::Timestamp;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    pub id: ProjectId,
    /// Unique among the owner's projects.
    pub name: String,
    pub description: String,
    pub settings: serde_json::Value,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// How much a project holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProjectCounts {
    pub files: u64,
    /// Of its files.
    pub bytes: u64,
    pub threads: u64,
    /// When one of its files or threads last changed.
    pub last_used: Option<Timestamp>,
}

impl Project {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            name: row.text("name")?,
            description: row.text("description")?,
            settings: row.json("settings")?,
            created_at: row.time("created_at")?,
            updated_at: row.time("updated_at")?,
        })
    }

    fn check(&self) -> Result<(), StoreError> {
        check_text("name", &self.name)?;
        check_text("description", &self.description)
    }
}

impl OwnerStore {
    /// Fails with `Conflict` when the id or the name is taken.
    pub async fn create_project(&self, project: &Project) -> Result<(), StoreError> {
        project.check()?;
        let mut write = self.write().await?;
        sql::query(
            "INSERT INTO projects
                 (owner, id, name, description, settings, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(self.owner.as_str())
        .bind(project.id.as_str())
        .bind(project.name.as_str())
        .bind(project.description.as_str())
        .bind(to_json(&project.settings)?)
        .bind(project.created_at.as_millis())
        .bind(project.updated_at.as_millis())
        .execute(write.connection())
        .await?;
        sql::query(
            "INSERT INTO project_statistics (owner, project_id, documents, words)
             VALUES ($1, $2, 0, 0)",
        )
        .bind(self.owner.as_str())
        .bind(project.id.as_str())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    pub async fn project(&self, id: &ProjectId) -> Result<Option<Project>, StoreError> {
        let row = sql::query("SELECT * FROM visible_projects WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(Project::read).transpose()
    }

    /// Whether a project has files; nothing where there is no such project.
    pub async fn project_has_files(&self, id: &ProjectId) -> Result<Option<bool>, StoreError> {
        let row = sql::query(
            "SELECT (SELECT COUNT(*) FROM (
                 SELECT 1 FROM visible_files WHERE owner = $1 AND project_id = $2 LIMIT 1
             ) AS first) AS files
             FROM visible_projects WHERE owner = $1 AND id = $2",
        )
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.map(|row| Ok(row.number("files")? > 0)).transpose()
    }

    pub async fn project_named(&self, name: &str) -> Result<Option<Project>, StoreError> {
        let row = sql::query("SELECT * FROM visible_projects WHERE owner = $1 AND name = $2")
            .bind(self.owner.as_str())
            .bind(name)
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(Project::read).transpose()
    }

    /// All projects of the owner, by name.
    pub async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        let rows = sql::query("SELECT * FROM visible_projects WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let mut projects =
            rows.iter().map(Project::read).collect::<Result<Vec<_>, StoreError>>()?;
        // The databases collate text differently.
        projects.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(projects)
    }

    /// What the projects hold; one that holds nothing is not among them.
    pub async fn project_counts(&self) -> Result<BTreeMap<ProjectId, ProjectCounts>, StoreError> {
        let mut counts: BTreeMap<ProjectId, ProjectCounts> = BTreeMap::new();
        for sql in [
            "SELECT project_id, COUNT(*) AS files, CAST(SUM(size_bytes) AS BIGINT) AS bytes,
                 CAST(0 AS BIGINT) AS threads, MAX(updated_at) AS last_used
             FROM visible_files WHERE owner = $1 GROUP BY project_id",
            "SELECT project_id, CAST(0 AS BIGINT) AS files, CAST(0 AS BIGINT) AS bytes,
                 COUNT(*) AS threads, MAX(updated_at) AS last_used
             FROM visible_conversations WHERE owner = $1 GROUP BY project_id",
        ] {
            let rows = sql::query(sql)
                .bind(self.owner.as_str())
                .fetch_all(&mut *self.connection().await?)
                .await?;
            for row in &rows {
                let counts = counts.entry(row.text("project_id")?).or_default();
                counts.files += row.number("files")?.unsigned_abs();
                counts.bytes += row.number("bytes")?.unsigned_abs();
                counts.threads += row.number("threads")?.unsigned_abs();
                counts.last_used = counts.last_used.max(Some(row.time("last_used")?));
            }
        }
        Ok(counts)
    }

    /// Writes everything but `created_at`.
    pub async fn update_project(&self, project: &Project) -> Result<(), StoreError> {
        project.check()?;
        let mut write = self.write().await?;
        let updated = sql::query(
            "UPDATE projects SET name = $1, description = $2, settings = $3, updated_at = $4
             WHERE owner = $5 AND id = $6 AND hidden_at IS NULL",
        )
        .bind(project.name.as_str())
        .bind(project.description.as_str())
        .bind(to_json(&project.settings)?)
        .bind(project.updated_at.as_millis())
        .bind(self.owner.as_str())
        .bind(project.id.as_str())
        .execute(write.connection())
        .await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::not_found(format!("project {}", project.id)));
        }
        write.commit().await
    }

    /// Whether there was one to delete.
    pub async fn delete_project(&self, id: &ProjectId) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let deleted = delete(&mut write, id).await?;
        write.commit().await?;
        Ok(deleted)
    }
}

pub(crate) async fn delete(write: &mut Write, id: &ProjectId) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let files = sql::query(
        "SELECT DISTINCT content_hash FROM project_files WHERE owner = $1 AND project_id = $2",
    )
    .bind(owner.as_str())
    .bind(id.as_str())
    .fetch_all(write.connection())
    .await?;
    for row in &files {
        write.loose_blobs.insert(ContentHash::from_stored(row.text("content_hash")?));
    }
    let lists = sql::query(
        "SELECT hashes FROM block_lists WHERE owner = $1 AND receipt_id IN
             (SELECT id FROM receipts WHERE owner = $1 AND (project_id = $2 OR conversation_id IN
                 (SELECT id FROM conversations WHERE owner = $1 AND project_id = $2)))",
    )
    .bind(owner.as_str())
    .bind(id.as_str())
    .slowly()
    .fetch_all(write.connection())
    .await?;
    blocks::let_go(write, &lists)?;
    refs::loosen(write, id).await?;
    chunks::remove(write, id, Removed::Project).await?;
    // They go with the project, term by term.
    write.changes.remove(id);
    let deleted = sql::query("DELETE FROM projects WHERE owner = $1 AND id = $2")
        .bind(owner.as_str())
        .bind(id.as_str())
        .slowly()
        .execute(write.connection())
        .await?;
    Ok(deleted.rows_affected() > 0)
}

/// Fails with `NotFound` for a project that does not exist or is hidden: nothing is added to it.
pub(crate) async fn expect(write: &mut Write, id: &ProjectId) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let row = sql::query("SELECT id FROM visible_projects WHERE owner = $1 AND id = $2")
        .bind(owner.as_str())
        .bind(id.as_str())
        .fetch_optional(write.connection())
        .await?;
    row.map(drop).ok_or_else(|| StoreError::not_found(format!("project {id}")))
}
