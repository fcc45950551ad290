//! The folders that paths from outside may lead into.
//!
//! A path is judged twice: as it is written, so that nothing is told about files elsewhere, and as
//! it is once its links are followed.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::FilesError;
use crate::name::printable;

/// Folders that may be read from. None at all means that nothing may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// As they were given, absolute.
    given: Vec<PathBuf>,
    /// The same without links.
    real: Vec<PathBuf>,
}

impl Roots {
    /// These folders, which must be there.
    pub fn new(folders: &[PathBuf]) -> Result<Self, FilesError> {
        let mut roots = Self::default();
        for folder in folders {
            let missing = || FilesError::NotFound { path: printable(folder) };
            let given = std::path::absolute(folder).map_err(|_| missing())?;
            let real = fs::canonicalize(folder).map_err(|_| missing())?;
            if !real.is_dir() {
                return Err(missing());
            }
            roots.given.push(plain(&given));
            roots.real.push(real);
        }
        Ok(roots)
    }

    /// Those of these folders that are there.
    pub fn existing(folders: &[PathBuf]) -> Self {
        let there =
            folders.iter().filter_map(|folder| Self::new(std::slice::from_ref(folder)).ok());
        there.fold(Self::default(), |mut all, one| {
            all.given.extend(one.given);
            all.real.extend(one.real);
            all
        })
    }

    /// The folders without links, in the order in which they were given.
    pub fn folders(&self) -> &[PathBuf] {
        &self.real
    }

    /// The real path of what a path from outside names. A relative one is below the first root that
    /// has it, or else below the first.
    pub fn admit(&self, path: &Path) -> Result<PathBuf, FilesError> {
        let fault = match path.as_os_str().as_encoded_bytes() {
            [] => Some("it is empty"),
            bytes if bytes.contains(&0) => Some("it holds a NUL character"),
            _ => None,
        };
        if let Some(fault) = fault {
            return Err(FilesError::Invalid { path: printable(path), fault });
        }
        let outside = || FilesError::OutsideRoots { path: printable(path) };
        let written = if path.is_absolute() {
            plain(path)
        } else {
            let below = |root: &PathBuf| plain(&root.join(path));
            let found = self.real.iter().map(below).find(|path| path.exists());
            found.or_else(|| self.real.first().map(below)).ok_or_else(outside)?
        };
        let mut roots = self.given.iter().chain(&self.real);
        if !roots.any(|root| written.starts_with(root)) {
            return Err(outside());
        }
        let real = crate::walk::resolve(&written)?;
        if !self.real.iter().any(|root| real.starts_with(root)) {
            return Err(outside());
        }
        Ok(real)
    }
}

/// A path without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
