//! Going down the given folders.
//!
//! Every folder is entered once, under its real path and with the rules of that place, so links can
//! neither trap the walk nor make it repeat itself.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Collection, Reached};
use crate::open::unreadable;
use crate::rules::{Kind, Rules};
use crate::{SkipReason, guard};

pub(super) struct Descent<'a> {
    collection: &'a mut Collection,
    skip_folders: &'a [String],
    entered: HashSet<PathBuf>,
    /// Folders to enter, each with the rules that hold in it.
    pending: Vec<(PathBuf, Rc<Rules>)>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(collection: &'a mut Collection, skip_folders: &'a [String]) -> Self {
        Self { collection, skip_folders, entered: HashSet::new(), pending: Vec::new() }
    }

    /// Gives back every folder that was entered.
    pub(super) fn run(mut self, is_wanted: &dyn Fn() -> bool) -> HashSet<PathBuf> {
        for folder in self.collection.folders.clone() {
            self.start(folder);
        }
        while let Some((folder, rules)) = self.pending.pop() {
            if let Err(reason) = self.enter(&folder, &rules, is_wanted) {
                self.collection.skip(folder, reason);
            }
        }
        self.entered
    }

    /// Begins at a folder that was given, or that a link leads to.
    fn start(&mut self, folder: PathBuf) {
        if let Some(root) = self.collection.root_of(&folder)
            && self.entered.insert(folder.clone())
        {
            let rules = Rules::at(&folder, root);
            self.pending.push((folder, rules));
        }
    }

    fn enter(
        &mut self,
        folder: &Path,
        rules: &Rc<Rules>,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<(), SkipReason> {
        for entry in fs::read_dir(folder).map_err(unreadable)?.take_while(|_| is_wanted()) {
            let entry = entry.map_err(unreadable)?;
            if let Err(reason) = self.visit(&entry, rules) {
                self.collection.skip(entry.path(), reason);
            }
        }
        Ok(())
    }

    fn visit(&mut self, entry: &DirEntry, rules: &Rc<Rules>) -> Result<(), SkipReason> {
        let path = entry.path();
        let file_type = entry.file_type().map_err(unreadable)?;
        let kind = if file_type.is_dir() { Kind::Folder } else { Kind::Other };
        if is_hidden(&path) || rules.ignores(&path, kind) {
            return Ok(());
        }
        if guard::refuses(&path) {
            return Err(SkipReason::Credential);
        }
        if file_type.is_symlink() {
            return self.follow(&path);
        }
        if !file_type.is_dir() {
            let metadata = entry.metadata().map_err(unreadable)?;
            self.collection.add(path, &metadata, Reached::ByWalk);
            return Ok(());
        }
        // A folder that was given is in already, whatever its name.
        if !self.entered.contains(&path) {
            if self.has_skipped_name(&path) {
                return Err(SkipReason::SkippedFolder);
            }
            let rules = Rules::within(Some(Rc::clone(rules)), &path);
            self.entered.insert(path.clone());
            self.pending.push((path, rules));
        }
        Ok(())
    }

    fn follow(&mut self, link: &Path) -> Result<(), SkipReason> {
        let target = fs::canonicalize(link).map_err(broken)?;
        if guard::refuses(&target) {
            return Err(SkipReason::Credential);
        }
        let Some(root) = self.collection.innermost_root_of(&target) else {
            let is_named = self.collection.candidates.contains_key(&target);
            let outside = Err(SkipReason::OutsideRoot);
            return if is_named { Ok(()) } else { outside };
        };
        let metadata = fs::symlink_metadata(&target).map_err(unreadable)?;
        let folders = target.ancestors().skip(usize::from(!metadata.is_dir()));
        let mut below_root = folders.take_while(|folder| *folder != root);
        if below_root.any(|folder| self.has_skipped_name(folder)) {
            return Err(SkipReason::SkippedFolder);
        }
        if metadata.is_dir() {
            self.start(target);
        } else {
            self.collection.add(target, &metadata, Reached::ByWalk);
        }
        Ok(())
    }

    fn has_skipped_name(&self, path: &Path) -> bool {
        path.file_name()
            .is_some_and(|name| self.skip_folders.iter().any(|skipped| name == skipped.as_str()))
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn broken(error: io::Error) -> SkipReason {
    if error.kind() == io::ErrorKind::NotFound {
        return SkipReason::BrokenLink;
    }
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ELOOP) {
        return SkipReason::LinkLoop;
    }
    unreadable(error)
}
