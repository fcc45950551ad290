//! Finding files, by name and metadata alone.
//!
//! A file is known by its real path: it is found once, however many names lead to it, and its root
//! joined with its virtual path is its real path. The result depends neither on the order of the
//! given paths nor on that of the disk.

mod descent;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::name::printable;
use crate::{FilesError, Limits, SkipReason, guard, kind, virtual_path};
use descent::Descent;

/// One file found, before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Free of links.
    pub real_path: PathBuf,
    /// Relative to `root`, '/'-separated; see [`virtual_path`].
    pub path: String,
    /// The outermost given folder around the file; for a named file outside all of them, its
    /// parent.
    pub root: PathBuf,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified_ns: i64,
    /// Whether the file itself was asked for, not only a folder around it.
    pub named: bool,
}

/// A file or folder that was left out. What ignore files and hidden names leave out is not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Like [`Found::path`], safe to show; for a link, the link itself.
    pub path: String,
    pub root: PathBuf,
    pub reason: SkipReason,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Sorted by path, then root.
    pub found: Vec<Found>,
    /// Sorted likewise.
    pub skipped: Vec<Skipped>,
}

/// Every file below `paths` (folders are walked, files stand for themselves), each once, sorted by
/// path.
///
/// Ignore files, hidden names and [`Limits::skip_folders`] apply to what is below a given folder,
/// never to a path that was given. A visible link is followed even to where those rules would not
/// go, but not into skipped folders and not out of the given ones.
pub fn walk(paths: &[PathBuf], limits: &Limits) -> Result<Walk, FilesError> {
    walk_while(&|| true, paths, limits)
}

/// The same for as long as it is wanted, which is asked for each entry of a folder. What was found
/// by then is given back.
pub fn walk_while(
    is_wanted: &dyn Fn() -> bool,
    paths: &[PathBuf],
    limits: &Limits,
) -> Result<Walk, FilesError> {
    let mut collection = Collection::default();
    for path in paths {
        let real_path = resolve(path)?;
        let metadata =
            fs::symlink_metadata(&real_path).map_err(|source| unreadable(path, source))?;
        if metadata.is_dir() {
            collection.folders.push(real_path);
        } else {
            collection.add(real_path, &metadata, Reached::ByName);
        }
    }
    // A folder sorts before what lies in it.
    collection.folders.sort();
    collection.folders.dedup();
    Descent::new(&mut collection, &limits.skip_folders).run(is_wanted);
    Ok(collection.finish(limits))
}

/// The folders that a walk enters, of those paths that can be walked at all.
pub(crate) fn folders(paths: &[PathBuf], limits: &Limits) -> HashSet<PathBuf> {
    let mut folders: Vec<PathBuf> = paths.iter().filter_map(|path| resolve(path).ok()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders.dedup();
    let mut collection = Collection { folders, ..Collection::default() };
    Descent::new(&mut collection, &limits.skip_folders).run(&|| true)
}

/// The path without links, if the guard lets it pass both as it is written and as it is.
pub(crate) fn resolve(path: &Path) -> Result<PathBuf, FilesError> {
    let absolute = std::path::absolute(path).map_err(|source| unreadable(path, source))?;
    if guard::refuses(&absolute) {
        return Err(FilesError::Forbidden { path: printable(path) });
    }
    let real_path = fs::canonicalize(path).map_err(|source| unreadable(path, source))?;
    if guard::refuses(&real_path) {
        return Err(FilesError::Forbidden { path: printable(path) });
    }
    Ok(real_path)
}

fn unreadable(path: &Path, source: io::Error) -> FilesError {
    let path = printable(path);
    match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => FilesError::NotFound { path },
        _ => FilesError::Unreadable { path, source },
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    ByName,
    ByWalk,
}

struct Candidate {
    size: u64,
    modified_ns: i64,
    named: bool,
}

/// What has been come across so far.
#[derive(Default)]
struct Collection {
    folders: Vec<PathBuf>,
    candidates: BTreeMap<PathBuf, Candidate>,
    skipped: BTreeMap<PathBuf, SkipReason>,
}

impl Collection {
    /// Takes a path that has passed the guard.
    fn add(&mut self, real_path: PathBuf, metadata: &Metadata, reached: Reached) {
        if !metadata.is_file() {
            return self.skip(real_path, SkipReason::NotAFile);
        }
        let candidate =
            Candidate { size: metadata.len(), modified_ns: modified_ns(metadata), named: false };
        let candidate = self.candidates.entry(real_path).or_insert(candidate);
        candidate.named |= reached == Reached::ByName;
    }

    fn skip(&mut self, path: PathBuf, reason: SkipReason) {
        self.skipped.insert(path, reason);
    }

    /// The outermost given folder around a path.
    fn root_of(&self, path: &Path) -> Option<&Path> {
        self.folders.iter().map(PathBuf::as_path).find(|folder| path.starts_with(folder))
    }

    fn innermost_root_of(&self, path: &Path) -> Option<&Path> {
        self.folders.iter().map(PathBuf::as_path).rfind(|folder| path.starts_with(folder))
    }

    /// The root of a path, and the path relative to it.
    fn place<'a>(&'a self, path: &'a Path) -> (&'a Path, &'a Path) {
        let root = self.root_of(path).or(path.parent()).unwrap_or(path);
        (root, path.strip_prefix(root).unwrap_or(path))
    }

    fn finish(mut self, limits: &Limits) -> Walk {
        let found = self.admit_each(limits);
        let mut found = self.admit_together(found, limits);
        found.sort_by(|a, b| (&a.path, &a.root).cmp(&(&b.path, &b.root)));
        let notes = self.skipped.iter();
        let mut skipped: Vec<_> = notes.map(|(path, reason)| self.note(path, reason)).collect();
        skipped.sort_by(|a, b| (&a.path, &a.root).cmp(&(&b.path, &b.root)));
        Walk { found, skipped }
    }

    fn admit_each(&mut self, limits: &Limits) -> Vec<Found> {
        let mut admitted = Vec::new();
        for (real_path, candidate) in std::mem::take(&mut self.candidates) {
            let (root, relative) = self.place(&real_path);
            match admit(relative, candidate.size, limits) {
                Err(reason) => self.skip(real_path, reason),
                Ok(path) => admitted.push(Found {
                    path,
                    root: root.to_owned(),
                    real_path,
                    size: candidate.size,
                    modified_ns: candidate.modified_ns,
                    named: candidate.named,
                }),
            }
        }
        admitted
    }

    fn admit_together(&mut self, mut found: Vec<Found>, limits: &Limits) -> Vec<Found> {
        let mut left = limits.max_total_bytes;
        found.sort_by(|a, b| {
            (Reverse(a.named), &a.path, &a.root).cmp(&(Reverse(b.named), &b.path, &b.root))
        });
        found.retain(|found| match left.checked_sub(found.size) {
            Some(rest) => {
                left = rest;
                true
            }
            None => {
                self.skip(found.real_path.clone(), SkipReason::TotalExceeded);
                false
            }
        });
        found
    }

    fn note(&self, path: &Path, reason: &SkipReason) -> Skipped {
        let (root, relative) = self.place(path);
        let is_root = relative.as_os_str().is_empty();
        let relative = if is_root { Path::new(".") } else { relative };
        Skipped {
            path: separated(&printable(relative)),
            root: root.to_owned(),
            reason: reason.clone(),
        }
    }
}

/// The virtual path of a file that its name and size do not rule out.
fn admit(relative: &Path, size: u64, limits: &Limits) -> Result<String, SkipReason> {
    let path = separated(relative.to_str().ok_or(SkipReason::NameNotUtf8)?);
    if virtual_path(&path).ok().as_ref() != Some(&path) {
        return Err(SkipReason::UnsafeName);
    }
    if kind::is_binary(&path) {
        return Err(SkipReason::Binary);
    }
    if kind::is_unread(&path) {
        return Err(SkipReason::UnreadFormat);
    }
    let limit = limits.max_file_bytes;
    if size > limit {
        return Err(SkipReason::TooLarge { size, limit });
    }
    Ok(path)
}

fn separated(path: &str) -> String {
    path.replace(std::path::MAIN_SEPARATOR, "/")
}

fn modified_ns(metadata: &Metadata) -> i64 {
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanoseconds| -nanoseconds)
        }
    }
}
