//! Which projects a ref belongs to: one, which its row names; several, which have rows of their own;
//! or none, when it was stored without a project. It goes with the last project that it belongs to.

use super::RefRow;
use crate::error::StoreError;
use crate::sql;
use crate::store::OwnerStore;
use crate::write::Write;
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::refs::RefName;
use std::collections::HashMap;

/// Rows that stand for the projects of a ref of which a query reads the row.
pub(super) const SHARED: &str = "ref_projects AS sharing WHERE sharing.owner = $1
    AND sharing.kind = cas_refs.kind AND sharing.content_hash = cas_refs.content_hash";

/// Whether a ref belongs to a project, `$n`.
pub(super) fn belongs_to(place: &str) -> String {
    format!(
        "(project_id = {place}
          OR EXISTS (SELECT 1 FROM {SHARED} AND sharing.project_id = {place}))"
    )
}

/// Notes that a ref was stored once more, which belonged to no other project than `before`, if its
/// row named one. Whether it belongs to a project more now.
pub(super) async fn share(
    write: &mut Write,
    row: &RefRow,
    before: Option<&ProjectId>,
) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let condition = match (before, &row.project) {
        (Some(before), Some(project)) if before == project => return Ok(false),
        (_, None) => {
            let free = "DELETE FROM ref_projects
                 WHERE owner = $1 AND kind = $2 AND content_hash = $3";
            sql::query(free)
                .bind(owner.as_str())
                .bind(row.kind.as_str())
                .bind(row.hash.as_str())
                .execute(write.connection())
                .await?;
            return Ok(false);
        }
        (Some(_), Some(_)) => "TRUE",
        // What is nobody's stays so.
        (None, Some(_)) => {
            "EXISTS (SELECT 1 FROM ref_projects
                 WHERE owner = $1 AND kind = $2 AND content_hash = $3)"
        }
    };
    let mut is_more = false;
    for project in [before, row.project.as_ref()].into_iter().flatten() {
        let added = sql::composed(format!(
            "INSERT INTO ref_projects (owner, kind, content_hash, project_id)
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT)
             WHERE {condition}
             ON CONFLICT DO NOTHING"
        ))
        .bind(owner.as_str())
        .bind(row.kind.as_str())
        .bind(row.hash.as_str())
        .bind(project.as_str())
        .execute(write.connection())
        .await?;
        is_more |= added.rows_affected() > 0;
    }
    Ok(is_more)
}

/// Notes the contents of the refs that go with a project, and deletes those of them that others had
/// stored, too.
pub(crate) async fn loosen(write: &mut Write, project: &ProjectId) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    for going in [
        "SELECT full_content FROM cas_refs WHERE owner = $1 AND project_id = $2".to_owned(),
        format!(
            "DELETE FROM cas_refs WHERE owner = $1 AND project_id IS NULL
                 AND EXISTS (SELECT 1 FROM {SHARED} AND sharing.project_id = $2)
                 AND NOT EXISTS (SELECT 1 FROM {SHARED} AND sharing.project_id <> $2)
             RETURNING full_content"
        ),
    ] {
        let rows = sql::composed(going)
            .bind(owner.as_str())
            .bind(project.as_str())
            .fetch_all(write.connection())
            .await?;
        for row in &rows {
            write.loose_blobs.insert(ContentHash::from_stored(row.text("full_content")?));
        }
    }
    Ok(())
}

impl OwnerStore {
    /// The projects of the refs that belong to several, by the whole names of the refs.
    pub async fn shared_refs(&self) -> Result<HashMap<String, Vec<ProjectId>>, StoreError> {
        let rows = sql::query(
            "SELECT kind, content_hash, project_id FROM ref_projects WHERE owner = $1
             ORDER BY kind, content_hash, project_id",
        )
        .bind(self.owner.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let mut shared: HashMap<String, Vec<ProjectId>> = HashMap::new();
        for row in &rows {
            let hash = ContentHash::from_stored(row.text("content_hash")?);
            let name = RefName::whole(super::kind(row)?, &hash).to_string();
            shared.entry(name).or_default().push(row.text("project_id")?);
        }
        Ok(shared)
    }
}
