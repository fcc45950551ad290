//! What a walk may read and how much of it.

const MIB: u64 = 1024 * 1024;

/// Folders that hold what tools made or fetched. The hidden ones are listed for links that lead
/// into them.
const SKIP_FOLDERS: &[&str] = &[
    ".cache",
    ".git",
    ".gradle",
    ".hg",
    ".jj",
    ".mypy_cache",
    ".next",
    ".nuxt",
    ".pnpm-store",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".terraform",
    ".tox",
    ".venv",
    "CVS",
    "DerivedData",
    "Pods",
    "__pycache__",
    "__pypackages__",
    "bower_components",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "target",
    "vendor",
    "venv",
];

/// What a walk may read and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A larger file is skipped.
    pub max_file_bytes: u64,
    /// Bounds the sizes of all found files together; named files are counted first.
    pub max_total_bytes: u64,
    /// Names of folders that are not entered, wherever they lie below a root. A root itself may
    /// have such a name.
    pub skip_folders: Vec<String>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file_bytes: 50 * MIB,
            max_total_bytes: 200 * MIB,
            skip_folders: SKIP_FOLDERS.iter().map(|&name| name.to_owned()).collect(),
        }
    }
}

impl Limits {
    /// The same with a list of folders such as `fixtures, !vendor`: those that are skipped as well,
    /// and, with a mark before them, those that are read nevertheless.
    #[must_use]
    pub fn skipping(mut self, list: &str) -> Self {
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name.strip_prefix('!') {
                Some(wanted) => self.skip_folders.retain(|skipped| skipped != wanted),
                None => self.skip_folders.push(name.to_owned()),
            }
        }
        self
    }
}
