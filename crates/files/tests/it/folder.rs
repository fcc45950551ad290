//! A temporary folder to fill, and walks rendered as short lines that are compared whole.

use std::fs;
use std::path::{Path, PathBuf};

use dossier_files::{Found, Limits, SkipReason, Text, Walk, read, walk};

/// A folder that goes away with the test.
pub struct Folder {
    temporary: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> Self {
        // The default prefix is ".tmp": hidden, which a root may be, but a folder below a root may
        // not.
        let temporary =
            tempfile::Builder::new().prefix("files").tempdir().expect("a temporary folder");
        Self { temporary }
    }

    /// A folder with these files, each holding its own path.
    pub fn of(files: &[&str]) -> Self {
        let folder = Self::new();
        for file in files {
            folder.write(file, file);
        }
        folder
    }

    pub fn root(&self) -> PathBuf {
        self.temporary.path().canonicalize().expect("the folder exists")
    }

    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file has a parent"))
            .expect("the parent is made");
        fs::write(path, content).expect("the file is written");
    }

    #[cfg(unix)]
    pub fn link(&self, link: &str, target: impl AsRef<Path>) {
        let link = self.path(link);
        fs::create_dir_all(link.parent().expect("a link has a parent"))
            .expect("the parent is made");
        std::os::unix::fs::symlink(target, link).expect("the link is made");
    }

    #[cfg(unix)]
    pub fn pipe(&self, path: &str) {
        let status = std::process::Command::new("mkfifo")
            .arg(self.path(path))
            .status()
            .expect("mkfifo runs");
        assert!(status.success());
    }

    /// The one file of that path in a walk of the folder.
    pub fn found(&self, path: &str) -> Found {
        let walk = walk(&[self.root()], &Limits::default()).expect("the walk succeeds");
        walk.found.into_iter().find(|found| found.path == path).expect("the file is found")
    }

    pub fn read(&self, path: &str) -> Result<Text, SkipReason> {
        read(&self.found(path), &Limits::default())
    }

    /// Walks the whole folder.
    #[track_caller]
    pub fn check(&self, expected: &[&str]) {
        check(&[self.root()], &Limits::default(), expected);
    }

    /// Walks paths given relative to the folder.
    #[track_caller]
    pub fn check_paths(&self, paths: &[&str], expected: &[&str]) {
        let paths: Vec<_> = paths.iter().map(|path| self.path(path)).collect();
        check(&paths, &Limits::default(), expected);
    }
}

#[track_caller]
pub fn check(paths: &[PathBuf], limits: &Limits, expected: &[&str]) {
    let walk = walk(paths, limits).expect("the walk succeeds");
    for found in &walk.found {
        assert_eq!(found.root.join(&found.path), found.real_path);
        assert_eq!(found.real_path.canonicalize().expect("a found file exists"), found.real_path);
    }
    assert_eq!(render(&walk), expected);
}

/// Found files one a line, then the skipped ones with their reasons.
pub fn render(walk: &Walk) -> Vec<String> {
    let found = walk.found.iter().map(|found| found.path.clone());
    let skipped =
        walk.skipped.iter().map(|skipped| format!("- {}: {}", skipped.path, skipped.reason));
    found.chain(skipped).collect()
}
