//! Which paths the ignore files leave out.
//!
//! As in git: deeper files win over those above, later lines over earlier ones, `!` takes back, and
//! a repository does not see the `.gitignore` of a folder around it. It need not be a repository,
//! though. `.ignore` files go before `.gitignore`. Rules above the root hold only within the root's
//! repository; the user's global ones never.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::open;

/// No honest ignore file comes near it.
const MAX_BYTES: u64 = 1024 * 1024;

/// The rules of one folder and of those around it.
pub(crate) struct Rules {
    around: Option<Rc<Rules>>,
    ignore: Gitignore,
    gitignore: Gitignore,
    is_repository: bool,
}

impl Rules {
    /// The rules that hold in `folder`, which is `root` or lies below it.
    ///
    /// Whoever asks for a folder that the rules around it leave out wants it nonetheless: those
    /// rules then end there.
    pub(crate) fn at(folder: &Path, root: &Path) -> Rc<Self> {
        let top = root.ancestors().find(|ancestor| is_repository(ancestor)).unwrap_or(root);
        let mut folders: Vec<_> =
            folder.ancestors().take_while(|ancestor| ancestor.starts_with(top)).collect();
        folders.reverse();
        let outermost = Self::within(None, top);
        folders.into_iter().skip(1).fold(outermost, |rules, folder| {
            let around = (!rules.ignores(folder, Kind::Folder)).then_some(rules);
            Self::within(around, folder)
        })
    }

    /// The rules that hold in `folder`, given those that hold around it.
    pub(crate) fn within(around: Option<Rc<Self>>, folder: &Path) -> Rc<Self> {
        let is_repository = is_repository(folder);
        let ignore = parse(folder, &[".ignore"]);
        let gitignore = parse(folder, &[".git/info/exclude", ".gitignore"]);
        match around {
            Some(around) if !is_repository && ignore.is_empty() && gitignore.is_empty() => around,
            around => Rc::new(Self { around, ignore, gitignore, is_repository }),
        }
    }

    pub(crate) fn ignores(&self, path: &Path, kind: Kind) -> bool {
        let is_folder = matches!(kind, Kind::Folder);
        let mut by_git = Match::None;
        let mut in_repository = true;
        let mut level = Some(self);
        while let Some(rules) = level {
            let verdict = rules.ignore.matched(path, is_folder);
            if !verdict.is_none() {
                return verdict.is_ignore();
            }
            if in_repository && by_git.is_none() {
                by_git = rules.gitignore.matched(path, is_folder);
            }
            in_repository &= !rules.is_repository;
            level = rules.around.as_deref();
        }
        by_git.is_ignore()
    }
}

/// What a pattern that ends in a slash wants to know. A link is no folder, as in git.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Folder,
    Other,
}

fn is_repository(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(".git")).is_ok()
}

/// The patterns of the given files in `folder`, the last file the strongest. A pattern that makes
/// no sense is left out.
fn parse(folder: &Path, files: &[&str]) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    for file in files {
        let Ok((file, _)) = open::regular(&folder.join(file)) else {
            continue;
        };
        let mut bytes = Vec::new();
        if file.take(MAX_BYTES).read_to_end(&mut bytes).is_ok() {
            let content = String::from_utf8_lossy(&bytes);
            for line in content.trim_start_matches('\u{feff}').lines() {
                builder.add_line(None, line).ok();
            }
        }
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
