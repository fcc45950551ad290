//! Refs in an archive. Texts name them, so they come along as long as they last.

use super::save::{Lines, missing};
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::compress::content::canonical_hash;
use dossier_core::exchange::ExchangeError;
use dossier_core::exchange::archive::{self, Bytes, Line};
use dossier_core::hash::ContentHash;
use dossier_core::id::ProjectId;
use dossier_core::refs::{Kind, RefName};
use dossier_core::time::Timestamp;
use dossier_store::{RefFilter, RefRow};

/// Refs that are read at once.
const PAGE: usize = 100;

impl Workspace {
    /// Writes the refs of the projects that are wanted, one that belongs to several once for each.
    pub(super) async fn save_refs(
        &self,
        is_wanted: impl Fn(Option<&ProjectId>) -> bool,
        lines: &mut Lines<'_>,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let shared = self.store.shared_refs().await?;
        let mut after = None;
        loop {
            let page = self.store.refs(&RefFilter::default(), after.as_ref(), PAGE, now).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some((last.created_at, format!("{}{}", last.hash, last.kind)));
            for row in page {
                let name = RefName::whole(row.kind.clone(), &row.hash).to_string();
                let homes = match shared.get(&name) {
                    Some(projects) => projects.iter().cloned().map(Some).collect(),
                    None => vec![row.project.clone()],
                };
                let homes: Vec<_> =
                    homes.into_iter().filter(|home| is_wanted(home.as_ref())).collect();
                if homes.is_empty() {
                    continue;
                }
                if let Some(content) = self.store.blob(&row.content).await? {
                    for project in homes {
                        let row = RefRow { project, ..row.clone() };
                        lines.put(&Line::Ref(line(row, content.clone())))?;
                    }
                    continue;
                }
                // One that was forgotten meanwhile is no part of the archive.
                let found = self.store.find_ref(&row.kind, &row.hash, now).await?;
                if found.is_some_and(|found| found.content == row.content) {
                    return Err(missing(&format!("the content of ref {}", row.hash)));
                }
            }
        }
    }

    /// Stores a ref in this project; whether it was new. Its name is made of its content, and one
    /// that is not would pass for another.
    pub(super) async fn restore_ref(
        &self,
        line: archive::Ref,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<bool, EngineError> {
        let content = line.content.into_bytes()?;
        let kind = Kind::new(&line.kind).ok_or_else(|| ExchangeError::Wrong {
            place: format!("ref {}", line.hash),
            what: format!("`{}` is no kind", line.kind),
        })?;
        let text = std::str::from_utf8(&content).ok();
        if text.map(canonical_hash).as_ref() != Some(&line.hash) {
            return Err(ExchangeError::Wrong {
                place: format!("ref {}", line.hash),
                what: "its content is another than its hash says".to_owned(),
            }
            .into());
        }
        let row = RefRow {
            kind,
            hash: line.hash,
            content: ContentHash::of(&content),
            project,
            summary: line.summary,
            summary_model: line.summary_model,
            compressed: line.compressed,
            tokens: line.tokens,
            compressed_tokens: line.compressed_tokens,
            created_at: line.created_at,
            refreshed_at: line.refreshed_at,
            expires_at: line.expires_at,
            is_stale: line.is_stale,
            access_count: line.access_count,
            last_accessed_at: line.last_accessed_at,
            source: line.source,
            source_key: line.source_key,
        };
        Ok(self.store.restore_ref(&row, &content, now).await?)
    }
}

fn line(row: RefRow, content: Vec<u8>) -> archive::Ref {
    archive::Ref {
        kind: row.kind.as_str().to_owned(),
        hash: row.hash,
        project: row.project,
        summary: row.summary,
        summary_model: row.summary_model,
        compressed: row.compressed,
        tokens: row.tokens,
        compressed_tokens: row.compressed_tokens,
        created_at: row.created_at,
        refreshed_at: row.refreshed_at,
        expires_at: row.expires_at,
        is_stale: row.is_stale,
        access_count: row.access_count,
        last_accessed_at: row.last_accessed_at,
        source: row.source,
        source_key: row.source_key,
        content: Bytes::of(content),
    }
}
