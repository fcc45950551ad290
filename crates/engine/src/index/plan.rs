//! What an indexing run has to do: which files are new or changed, which are gone. A file is told
//! apart by where it really lies, so that a folder indexed on its own and again through its
//! parent is there once.

use crate::mint;
use dossier_core::id::FileId;
use dossier_files::{Found, SkipReason, Skipped, Walk};
use dossier_store::FileRecord;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A file that must be read.
#[derive(Debug)]
pub(super) struct Work {
    pub found: Found,
    pub id: FileId,
    /// Its path in the project.
    pub path: String,
    pub known: Option<FileRecord>,
    /// Whether it is to be written even if its content is the one that is known.
    pub hidden: bool,
}

/// The difference between the files that were found and those that are known.
#[derive(Debug)]
pub(super) struct Plan {
    pub work: Vec<Work>,
    /// Paths in the project of all files that were found.
    pub named: Vec<String>,
    pub gone: Vec<FileId>,
    pub unchanged: usize,
    pub skipped: Vec<Skipped>,
}

impl Plan {
    /// Hidden files that are found come back under their paths; others do not get these.
    pub(super) fn new(
        known: &[FileRecord],
        hidden: &[FileRecord],
        walk: Walk,
        asked: &[PathBuf],
    ) -> Self {
        let by_place = places(known);
        let hidden_by_place = places(hidden);
        let mut taken: HashSet<String> =
            known.iter().chain(hidden).map(|file| file.path.clone()).collect();
        let present: HashSet<&Path> =
            walk.found.iter().map(|found| found.real_path.as_path()).collect();
        let gone = gone(&by_place, &present, asked, &walk.skipped);
        let mut plan =
            Self { work: Vec::new(), named: Vec::new(), gone, unchanged: 0, skipped: walk.skipped };
        for found in walk.found.iter().cloned() {
            let shown = by_place.get(&found.real_path);
            let hidden = shown.is_none() && hidden_by_place.contains_key(&found.real_path);
            let known = shown.or_else(|| hidden_by_place.get(&found.real_path));
            let known = known.map(|file| (*file).clone());
            let path = match &known {
                Some(file) => file.path.clone(),
                None => new_path(&found, &taken),
            };
            taken.insert(path.clone());
            plan.named.push(path.clone());
            if !hidden && known.as_ref().is_some_and(|file| is_same(file, &found)) {
                plan.unchanged += 1;
            } else {
                let id = known.as_ref().map_or_else(mint::id, |file| file.id.clone());
                plan.work.push(Work { found, id, path, known, hidden });
            }
        }
        plan
    }
}

/// Files by where they lie on disk.
fn places(files: &[FileRecord]) -> HashMap<PathBuf, &FileRecord> {
    let placed = |file: &'_ FileRecord| file.origin.as_ref().map(PathBuf::from);
    files.iter().filter_map(|file| Some((placed(file)?, file))).collect()
}

/// The path of a new file in the project: relative to its folder, with the folder's name in front
/// where that path is taken.
fn new_path(found: &Found, taken: &HashSet<String>) -> String {
    if !taken.contains(&found.path) {
        return found.path.clone();
    }
    let folder = found.root.file_name().map_or("files".into(), |name| name.to_string_lossy());
    let mut path = format!("{folder}/{}", found.path);
    let mut number = 2;
    while taken.contains(&path) {
        path = format!("{folder}-{number}/{}", found.path);
        number += 1;
    }
    path
}

/// Size and time tell whether a file may have changed; its content is not looked at.
fn is_same(file: &FileRecord, found: &Found) -> bool {
    file.size == found.size as i64 && file.modified_ns == Some(found.modified_ns)
}

/// Known files below the folders that were asked for, which are there no more.
fn gone(
    known: &HashMap<PathBuf, &FileRecord>,
    present: &HashSet<&Path>,
    asked: &[PathBuf],
    skipped: &[Skipped],
) -> Vec<FileId> {
    let folders: Vec<PathBuf> = asked.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut gone: Vec<FileId> = known
        .iter()
        .filter(|(place, _)| {
            !present.contains(place.as_path())
                && folders.iter().any(|folder| place.starts_with(folder))
                && !is_out_of_sight(place, skipped)
        })
        .map(|(_, file)| file.id.clone())
        .collect();
    gone.sort();
    gone
}

/// Whether a file may still be there, though this run could not look at it.
fn is_out_of_sight(place: &Path, skipped: &[Skipped]) -> bool {
    skipped.iter().any(|skipped| {
        is_passing(&skipped.reason) && place.starts_with(skipped.root.join(&skipped.path))
    })
}

/// Whether a reason may be gone with the next run.
pub(super) fn is_passing(reason: &SkipReason) -> bool {
    matches!(
        reason,
        SkipReason::Unreadable(_)
            | SkipReason::TotalExceeded
            | SkipReason::StoreFull
            | SkipReason::Replaced
    )
}

/// The paths that can be walked, and the known files below those that are there no more. A missing
/// path below which nothing is known stays, so that the walk refuses it.
pub(super) fn vanished(known: &[FileRecord], asked: &[PathBuf]) -> (Vec<PathBuf>, Vec<FileId>) {
    let mut paths = Vec::new();
    let mut gone = Vec::new();
    for path in asked {
        let below: Vec<FileId> = match real_place(path) {
            Some(place) if !place.exists() => known
                .iter()
                .filter(|file| {
                    file.origin.as_ref().is_some_and(|own| Path::new(own).starts_with(&place))
                })
                .map(|file| file.id.clone())
                .collect(),
            _ => Vec::new(),
        };
        match below.as_slice() {
            [] => paths.push(path.clone()),
            _ => gone.extend(below),
        }
    }
    (paths, gone)
}

/// Where a path leads, also if its last part is missing.
fn real_place(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_looked_at_this_time_is_not_forgotten() {
        let skipped = |path: &str, reason| Skipped {
            path: path.to_owned(),
            root: PathBuf::from("/notes"),
            reason,
        };
        let list = [
            skipped("locked", SkipReason::Unreadable("permission denied".to_owned())),
            skipped("image", SkipReason::Binary),
        ];
        for (place, out_of_sight) in
            [("/notes/locked/a.md", true), ("/notes/image", false), ("/notes/b.md", false)]
        {
            assert_eq!(is_out_of_sight(Path::new(place), &list), out_of_sight, "{place}");
        }
    }
}
