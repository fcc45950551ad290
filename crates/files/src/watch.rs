//! Waiting for changes below the given paths.
//!
//! Only folders that a walk enters are watched, so what is ignored costs neither watches nor
//! passes. A new folder is watched before `wait` returns: whatever is put into it later is told,
//! and whatever was put into it before is found by the walk that follows. Where the system cannot
//! watch, `wait` returns every few seconds instead, and the walk finds out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::Limits;
use crate::rules::{Kind, Rules};
use crate::walk::folders;

/// Changes that follow one another faster are one change: a checkout, a save in several steps.
const QUIET: Duration = Duration::from_millis(300);
/// Changes without a pause are told after so long all the same.
const LONGEST: Duration = Duration::from_secs(5);
/// How often to look where the system cannot watch.
const POLL: Duration = Duration::from_secs(2);

/// Tells when something below the given paths may have changed.
#[derive(Debug)]
pub struct Watch {
    /// Absolute.
    paths: Vec<PathBuf>,
    /// Those of the paths that were there at the last look.
    present: HashSet<PathBuf>,
    limits: Limits,
    watcher: Option<RecommendedWatcher>,
    events: Receiver<notify::Result<Event>>,
    watched: HashSet<PathBuf>,
    trouble: Option<String>,
}

impl Watch {
    pub fn new(paths: &[PathBuf], limits: &Limits) -> Watch {
        let (sender, events) = mpsc::channel();
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let paths: Vec<PathBuf> = paths.iter().map(absolute).collect();
        let mut watch = Watch {
            present: paths.iter().cloned().collect(),
            paths,
            limits: limits.clone(),
            watcher: None,
            events,
            watched: HashSet::new(),
            trouble: None,
        };
        match notify::recommended_watcher(sender) {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.give_up(&error),
        }
        watch.catch_up();
        watch
    }

    /// Why folders are looked at every few seconds instead of being watched, and what can be
    /// done about it.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Returns when something has changed that a walk would see, and all is quiet again.
    pub fn wait(&mut self) {
        let mut first: Option<Instant> = None;
        while self.watcher.is_some() {
            let event = match first {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(began) if began.elapsed() > LONGEST => break,
                Some(_) => self.events.recv_timeout(QUIET),
            };
            match event {
                Ok(event) => {
                    let paths = self.take(event);
                    if first.is_none() && paths.is_some_and(|paths| self.is_wanted(&paths)) {
                        first = Some(Instant::now());
                    }
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    self.watcher = None;
                    self.trouble = Some("the system has stopped watching".to_owned());
                }
            }
        }
        if first.is_none() {
            thread::sleep(POLL);
        }
        self.catch_up();
    }

    /// The paths to walk now: those that are there, and those that were at the last look, so that
    /// what lay below them is forgotten.
    pub fn due(&mut self) -> Vec<PathBuf> {
        let there = |path: &&PathBuf| path.exists();
        let there: HashSet<PathBuf> = self.paths.iter().filter(there).cloned().collect();
        let before = std::mem::replace(&mut self.present, there);
        let is_due = |path: &&PathBuf| before.contains(*path) || self.present.contains(*path);
        self.paths.iter().filter(is_due).cloned().collect()
    }

    /// The paths that an event is about, unless it is about reading. Folders that it removes or
    /// renames are watched anew, for another may stand in their place.
    fn take(&mut self, event: notify::Result<Event>) -> Option<Vec<PathBuf>> {
        let event = event.ok()?;
        if event.need_rescan() {
            self.forget(|_| true);
            return Some(self.paths.clone());
        }
        match event.kind {
            EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write) => return None,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
                self.forget(|folder| event.paths.iter().any(|path| folder.starts_with(path)));
            }
            _ => {}
        }
        Some(event.paths)
    }

    fn is_wanted(&self, changed: &[PathBuf]) -> bool {
        self.paths.iter().any(|given| {
            let root = given.canonicalize().unwrap_or_else(|_| given.clone());
            changed.iter().any(|path| {
                let around = given.starts_with(path) || root.starts_with(path);
                around || (path.starts_with(&root) && !is_ignored(path, &root))
            })
        })
    }

    /// Watches every folder that a walk would enter, and those around the given paths.
    fn catch_up(&mut self) {
        loop {
            let mut wanted = folders(&self.paths, &self.limits);
            wanted.extend(self.paths.iter().filter_map(|path| around(path)));
            self.forget(|folder| !wanted.contains(folder));
            let new: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
            let watched = self.watched.len();
            for folder in new {
                self.watch(folder);
            }
            // While these were being watched, others may have come into them.
            if self.watched.len() == watched {
                return;
            }
        }
    }

    fn watch(&mut self, folder: PathBuf) {
        let Some(watcher) = &mut self.watcher else { return };
        match watcher.watch(&folder, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.watched.insert(folder);
            }
            Err(error) if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) => {
                self.give_up(&error);
            }
            // It is gone again, or nobody may look into it.
            Err(_) => {}
        }
    }

    fn forget(&mut self, is_gone: impl Fn(&Path) -> bool) {
        let Some(watcher) = &mut self.watcher else { return };
        self.watched.retain(|folder| {
            let stays = !is_gone(folder);
            if !stays {
                // The system has let go of it when it is gone.
                watcher.unwatch(folder).ok();
            }
            stays
        });
    }

    fn give_up(&mut self, error: &notify::Error) {
        self.watcher = None;
        self.watched.clear();
        let mend = if cfg!(target_os = "linux") {
            "; raise the limit: sysctl fs.inotify.max_user_watches=1048576 \
             fs.inotify.max_user_instances=1024"
        } else {
            ""
        };
        self.trouble = Some(format!("folders cannot be watched ({error}){mend}"));
    }
}

/// The nearest folder around a path that is there, for a path may vanish and come back.
fn around(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|folder| folder.is_dir())?.canonicalize().ok()
}

fn is_ignored(path: &Path, root: &Path) -> bool {
    let (Some(name), Some(folder)) = (path.file_name(), path.parent()) else { return false };
    if path == root || name == ".gitignore" || name == ".ignore" {
        return false;
    }
    let kind = if path.is_dir() { Kind::Folder } else { Kind::Other };
    name.as_encoded_bytes().starts_with(b".") || Rules::at(folder, root).ignores(path, kind)
}
