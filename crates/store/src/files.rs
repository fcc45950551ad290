//! Files of a project, by virtual path. A file, its content and its chunks are written in one
//! transaction, so a search never finds lines that a file no longer has.

use crate::blobs;
use crate::chunks::{self, Removed};
use crate::error::{StoreError, check_text};
use crate::insert::Insert;
use crate::row::{Row, text_list, to_json};
use crate::sql;
use crate::store::{DatabaseKind, OwnerStore};
use crate::write::Write;
use crate::{answers, projects, receipts};
use dossier_core::chunk::{Draft, Origin, Place};
use dossier_core::hash::ContentHash;
use dossier_core::id::{FileId, ProjectId};
use dossier_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct FileRecord {
    pub id: FileId,
    pub project: ProjectId,
    /// Virtual, and unique in its project.
    pub path: String,
    /// Where it really lies on disk, if it was read from there.
    pub origin: Option<String>,
    pub content: ContentHash,
    /// The hash of the content with line ends alike.
    pub canonical: ContentHash,
    pub mime: String,
    /// Bytes on disk, or of the content when it was uploaded.
    pub size: i64,
    pub modified_ns: Option<i64>,
    pub metadata: FileMetadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// How a file takes part in assembling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileMetadata {
    pub always_in_context: bool,
    pub retrieval_eligible: bool,
    pub tool_accessible: bool,
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Where the parts of a document begin in its text; empty for plain text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
}

impl Default for FileMetadata {
    fn default() -> Self {
        Self {
            always_in_context: false,
            retrieval_eligible: true,
            tool_accessible: true,
            tags: Vec::new(),
            summary: None,
            places: Vec::new(),
        }
    }
}

/// What the disk says of a file whose content is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStat {
    pub id: FileId,
    pub size: i64,
    pub modified_ns: Option<i64>,
}

impl FileRecord {
    pub(crate) fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            project: row.text("project_id")?,
            path: row.text("path")?,
            origin: row.optional_text("origin")?,
            content: ContentHash::from_stored(row.text("content_hash")?),
            canonical: ContentHash::from_stored(row.text("canonical_hash")?),
            mime: row.text("mime_type")?,
            size: row.number("size_bytes")?,
            modified_ns: row.get_as("modified_ns")?,
            metadata: row.json("metadata")?,
            created_at: row.time("created_at")?,
            updated_at: row.time("updated_at")?,
        })
    }

    fn check(&self, content: &[u8], chunks: &[Draft]) -> Result<(), StoreError> {
        check_text("path", &self.path)?;
        check_text("mime", &self.mime)?;
        if self.content != ContentHash::of(content) {
            return Err(StoreError::invalid("content", "is not what its hash says"));
        }
        if chunks.iter().any(|chunk| chunk.origin != Origin::File(self.id.clone())) {
            return Err(StoreError::invalid("chunks", "belong to another file"));
        }
        Ok(())
    }
}

impl OwnerStore {
    /// Writes a file with its content and chunks. Whatever had its path or its id is replaced.
    pub async fn put_file(
        &self,
        file: &FileRecord,
        content: &str,
        chunks: &[Draft],
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        put(&mut write, &file.project, &[(file, content.as_bytes(), chunks)]).await?;
        write.commit().await
    }

    /// Writes many files in one transaction. Contents that are no text are kept, and have no
    /// chunks.
    pub async fn put_files(
        &self,
        files: &[(FileRecord, impl AsRef<[u8]>, Vec<Draft>)],
    ) -> Result<(), StoreError> {
        let mut by_project: BTreeMap<&ProjectId, Vec<Written<'_>>> = BTreeMap::new();
        for (file, content, chunks) in files {
            by_project.entry(&file.project).or_default().push((file, content.as_ref(), chunks));
        }
        let mut write = self.write().await?;
        for (project, files) in by_project {
            put(&mut write, project, &files).await?;
        }
        write.commit().await
    }

    pub async fn file(&self, id: &FileId) -> Result<Option<FileRecord>, StoreError> {
        let row = sql::query("SELECT * FROM visible_files WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(FileRecord::read).transpose()
    }

    pub async fn file_at(
        &self,
        project: &ProjectId,
        path: &str,
    ) -> Result<Option<FileRecord>, StoreError> {
        let row = sql::query(
            "SELECT * FROM visible_files WHERE owner = $1 AND project_id = $2 AND path = $3",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .bind(path)
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        row.as_ref().map(FileRecord::read).transpose()
    }

    /// All files of the project, by path.
    pub async fn files(&self, project: &ProjectId) -> Result<Vec<FileRecord>, StoreError> {
        let rows = sql::query("SELECT * FROM visible_files WHERE owner = $1 AND project_id = $2")
            .bind(self.owner.as_str())
            .bind(project.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        by_path(&rows)
    }

    /// What its files are called, in no order.
    pub async fn paths(&self, project: &ProjectId) -> Result<Vec<(FileId, String)>, StoreError> {
        let sql = "SELECT id, path FROM visible_files WHERE owner = $1 AND project_id = $2";
        let query = sql::query(sql).bind(self.owner.as_str()).bind(project.as_str());
        let rows = query.fetch_all(&mut *self.connection().await?).await?;
        rows.iter().map(|row| Ok((row.text("id")?, row.text("path")?))).collect()
    }

    /// How many files each top-level folder of the project holds, by name; the empty name is for
    /// files in none.
    pub async fn folders(&self, project: &ProjectId) -> Result<Vec<(String, u64)>, StoreError> {
        let slash = match self.kind() {
            DatabaseKind::Sqlite => "instr(path, '/')",
            DatabaseKind::Postgres => "strpos(path, '/')",
        };
        let statement = format!(
            "SELECT CASE WHEN {slash} = 0 THEN '' ELSE substr(path, 1, {slash} - 1) END AS folder,
                    COUNT(*) AS files
             FROM visible_files WHERE owner = $1 AND project_id = $2 GROUP BY 1"
        );
        let rows = sql::composed(statement)
            .bind(self.owner.as_str())
            .bind(project.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let folder = |row: &Row| {
            let files = u64::try_from(row.number("files")?).unwrap_or(0);
            Ok((row.text("folder")?, files))
        };
        let mut folders: Vec<(String, u64)> =
            rows.iter().map(folder).collect::<Result<_, StoreError>>()?;
        // Databases sort by different rules.
        folders.sort();
        Ok(folders)
    }

    /// The files that every dossier of the project holds, by path.
    pub async fn always_files(&self, project: &ProjectId) -> Result<Vec<FileRecord>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM visible_files
             WHERE owner = $1 AND project_id = $2 AND always_in_context = 1",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        by_path(&rows)
    }

    pub async fn file_content(&self, id: &FileId) -> Result<Option<String>, StoreError> {
        let Some(file) = self.file(id).await? else {
            return Ok(None);
        };
        let Some(bytes) = self.blob(&file.content).await? else {
            return Ok(None);
        };
        String::from_utf8(bytes).map(Some).map_err(|error| StoreError::unreadable("content", error))
    }

    /// Notes sizes and times of files whose content turned out to be unchanged.
    pub async fn touch_files(&self, files: &[FileStat]) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        for file in files {
            sql::query(
                "UPDATE project_files SET size_bytes = $1, modified_ns = $2
                 WHERE owner = $3 AND id = $4 AND hidden_at IS NULL",
            )
            .bind(file.size)
            .bind(file.modified_ns)
            .bind(self.owner.as_str())
            .bind(file.id.as_str())
            .execute(write.connection())
            .await?;
        }
        write.commit().await
    }

    pub async fn set_file_metadata(
        &self,
        id: &FileId,
        metadata: &FileMetadata,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        let updated = sql::query(
            "UPDATE project_files SET metadata = $1, updated_at = $2, always_in_context = $5
             WHERE owner = $3 AND id = $4 AND hidden_at IS NULL",
        )
        .bind(to_json(metadata)?)
        .bind(now.as_millis())
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .bind(i64::from(metadata.always_in_context))
        .execute(write.connection())
        .await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::not_found(format!("file {id}")));
        }
        write.commit().await
    }

    /// How many of these files the project had.
    pub async fn delete_files(
        &self,
        project: &ProjectId,
        files: &[FileId],
    ) -> Result<usize, StoreError> {
        let mut write = self.write().await?;
        let deleted = delete(&mut write, project, files).await?;
        if deleted > 0 {
            answers::forget(&mut write).await?;
        }
        write.commit().await?;
        Ok(deleted)
    }
}

type Written<'a> = (&'a FileRecord, &'a [u8], &'a [Draft]);

pub(crate) async fn put(
    write: &mut Write,
    project: &ProjectId,
    files: &[Written<'_>],
) -> Result<(), StoreError> {
    for (file, content, chunks) in files {
        file.check(content, chunks)?;
    }
    projects::expect(write, project).await?;
    let replaced = replaced(write, project, files).await?;
    delete(write, project, &replaced).await?;
    let contents: Vec<_> =
        files.iter().map(|(file, content, _)| (&file.content, *content)).collect();
    blobs::put(write, &contents).await?;
    let owner = write.owner.clone();
    let rows = files
        .iter()
        .map(|(file, ..)| Ok((*file, to_json(&file.metadata)?)))
        .collect::<Result<Vec<_>, StoreError>>()?;
    Insert {
        into: "INSERT INTO project_files (owner, id, project_id, path, origin, content_hash,
                   canonical_hash, mime_type, size_bytes, modified_ns, metadata, always_in_context, created_at,
                   updated_at)",
        row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        then: "",
    }
    .run(write.connection(), &rows, |query, (file, metadata)| {
        query
            .bind(owner.as_str())
            .bind(file.id.as_str())
            .bind(file.project.as_str())
            .bind(file.path.as_str())
            .bind(file.origin.as_deref())
            .bind(file.content.as_str())
            .bind(file.canonical.as_str())
            .bind(file.mime.as_str())
            .bind(file.size)
            .bind(file.modified_ns)
            .bind(metadata.as_str())
            .bind(i64::from(file.metadata.always_in_context))
            .bind(file.created_at.as_millis())
            .bind(file.updated_at.as_millis())
    })
    .await?;
    let drafts: Vec<&Draft> = files.iter().flat_map(|(_, _, chunks)| *chunks).collect();
    chunks::add(write, project, &drafts).await
}

/// Files in the order of their paths: the databases collate text differently.
pub(crate) fn by_path(rows: &[Row]) -> Result<Vec<FileRecord>, StoreError> {
    let mut files = rows.iter().map(FileRecord::read).collect::<Result<Vec<_>, StoreError>>()?;
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

/// The project's files that have an id or a path of these.
async fn replaced(
    write: &mut Write,
    project: &ProjectId,
    files: &[Written<'_>],
) -> Result<Vec<FileId>, StoreError> {
    let ids = write.kind().text_among("id", "$3");
    let paths = write.kind().text_among("path", "$4");
    let owner = write.owner.clone();
    let rows = sql::composed(format!(
        "SELECT id FROM project_files WHERE owner = $1 AND project_id = $2 AND {ids}
         UNION
         SELECT id FROM project_files WHERE owner = $1 AND project_id = $2 AND {paths}"
    ))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(text_list(files.iter().map(|(file, ..)| file.id.as_str()))?)
    .bind(text_list(files.iter().map(|(file, ..)| file.path.as_str()))?)
    .fetch_all(write.connection())
    .await?;
    rows.iter().map(|row| row.text("id")).collect()
}

/// Deletes a file and what receipts quote of it; whether it was there.
pub(crate) async fn forget(write: &mut Write, file: &FileId) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let row = sql::query("SELECT project_id FROM project_files WHERE owner = $1 AND id = $2")
        .bind(owner.as_str())
        .bind(file.as_str())
        .fetch_optional(write.connection())
        .await?;
    let Some(row) = row else { return Ok(false) };
    let project: ProjectId = row.text("project_id")?;
    receipts::unquote(write, &project, &[file.to_string()].into()).await?;
    Ok(delete(write, &project, std::slice::from_ref(file)).await? > 0)
}

async fn delete(
    write: &mut Write,
    project: &ProjectId,
    files: &[FileId],
) -> Result<usize, StoreError> {
    if files.is_empty() {
        return Ok(0);
    }
    chunks::remove(write, project, Removed::Files(files)).await?;
    let list = write.kind().text_among("id", "$3");
    let owner = write.owner.clone();
    let rows = sql::composed(format!(
        "DELETE FROM project_files WHERE owner = $1 AND project_id = $2 AND {list}
         RETURNING content_hash"
    ))
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(text_list(files.iter().map(FileId::as_str))?)
    .fetch_all(write.connection())
    .await?;
    for row in &rows {
        write.loose_blobs.insert(ContentHash::from_stored(row.text("content_hash")?));
    }
    Ok(rows.len())
}
