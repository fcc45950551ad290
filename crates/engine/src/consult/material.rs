//! The files that a call is about: found and measured, each under one name.
//!
//! A file goes by its path below the session's folder, or by its whole path where it lies elsewhere.
//! Everything that is read has passed the roots and the guard, also what was named in earlier calls.

use super::given_up::GivenUp;
use super::report::SkippedFile;
use crate::error::EngineError;
use dossier_core::fileset::{Measured, Seen};
use dossier_core::render;
use dossier_core::tokens::Tokenizer;
use dossier_files::{FilesError, Found, Limits, Roots, Skipped, Walk, read, walk_while};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What to look for.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub roots: Roots,
    pub context: Vec<PathBuf>,
    pub priority: Vec<PathBuf>,
    pub attachments: Vec<PathBuf>,
    /// Paths of earlier calls, by name.
    pub remembered: Vec<String>,
    /// Files that were sent, by name.
    pub listed: BTreeSet<String>,
    pub base: Option<String>,
    pub limits: Limits,
    pub given_up: GivenUp,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Material {
    pub files: BTreeMap<String, Found>,
    pub attachments: BTreeMap<String, Found>,
    pub priority: BTreeSet<String>,
    /// The paths that hold for the session, by name.
    pub context: BTreeSet<String>,
    pub base: Option<String>,
    /// Files that were sent and are no longer there.
    pub gone: Vec<String>,
    pub skipped: Vec<SkippedFile>,
}

impl Wanted {
    fn walked(&self, paths: &[PathBuf]) -> Result<Walk, EngineError> {
        match paths {
            [] => Ok(Walk::default()),
            paths => Ok(walk_while(&|| !self.given_up.is_so(), paths, &self.limits)?),
        }
    }
}

impl Material {
    /// Looks at the disk. A path that is refused fails the call, one that is not there is noted;
    /// but when nothing that was named is there, that is an error.
    pub(super) fn find(wanted: &Wanted) -> Result<Self, EngineError> {
        let mut material = Self { base: wanted.base.clone(), ..Self::default() };
        let mut missing = None;
        let mut admit = |paths: &[PathBuf]| -> Result<Vec<PathBuf>, EngineError> {
            let mut admitted = Vec::new();
            for path in paths {
                match wanted.roots.admit(path) {
                    Ok(path) => admitted.push(path),
                    Err(error @ FilesError::NotFound { .. }) => {
                        material.skipped.push(SkippedFile {
                            path: path.display().to_string(),
                            reason: "it does not exist".to_owned(),
                        });
                        missing = Some(error);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(admitted)
        };
        let context = admit(&wanted.context)?;
        let priority = admit(&wanted.priority)?;
        let attachments = admit(&wanted.attachments)?;
        if let Some(missing) = missing
            && context.is_empty()
            && priority.is_empty()
            && attachments.is_empty()
        {
            return Err(missing.into());
        }
        let remembered = material.admit_again(wanted, &wanted.remembered);
        let all: Vec<PathBuf> =
            context.iter().chain(&priority).chain(&remembered).cloned().collect();
        let walked = wanted.walked(&all)?;
        if material.base.is_none() {
            material.base = common(&walked.found);
        }
        let found = material.note(walked);
        material.files = material.named(found);
        let unseen: Vec<String> = wanted
            .listed
            .iter()
            .filter(|name| !material.files.contains_key(*name))
            .cloned()
            .collect();
        let listed = material.admit_again(wanted, &unseen);
        let found = wanted.walked(&listed)?;
        let found = material.note(found);
        let listed = material.named(found);
        material.files.extend(listed);
        let found = wanted.walked(&priority)?.found;
        material.priority = material.named(found).into_keys().collect();
        let found = wanted.walked(&attachments)?;
        let found = material.note(found);
        material.attachments = material.named(found);
        let names = context.iter().chain(&remembered).map(|path| material.name(path));
        material.context = names.collect();
        material.skipped.sort_by(|left, right| left.path.cmp(&right.path));
        material.skipped.dedup();
        Ok(material)
    }

    /// Paths of earlier calls, as far as they are there and may still be read.
    fn admit_again(&mut self, wanted: &Wanted, names: &[String]) -> Vec<PathBuf> {
        let mut admitted = Vec::new();
        for name in names {
            match wanted.roots.admit(&self.real(name)) {
                Ok(path) => admitted.push(path),
                Err(FilesError::NotFound { .. }) => self.gone.push(name.clone()),
                Err(error) => {
                    let reason = error.to_string();
                    self.skipped.push(SkippedFile { path: name.clone(), reason });
                }
            }
        }
        admitted
    }

    /// Notes what was left out, under the names of this session.
    fn note(&mut self, walk: Walk) -> Vec<Found> {
        let noted: Vec<SkippedFile> =
            walk.skipped.iter().map(|skipped| self.noted(skipped)).collect();
        self.skipped.extend(noted);
        walk.found
    }

    fn noted(&self, skipped: &Skipped) -> SkippedFile {
        let path = self.name(&skipped.root.join(&skipped.path));
        SkippedFile { path, reason: skipped.reason.to_string() }
    }

    fn named(&self, found: Vec<Found>) -> BTreeMap<String, Found> {
        found.into_iter().map(|found| (self.name(&found.real_path), found)).collect()
    }

    /// What a path is called in this session.
    fn name(&self, path: &Path) -> String {
        let below = self.base.as_ref().and_then(|base| path.strip_prefix(base).ok());
        let name = below.unwrap_or(path).to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        if name.is_empty() { ".".to_owned() } else { name }
    }

    fn real(&self, name: &str) -> PathBuf {
        match &self.base {
            Some(base) => Path::new(base).join(name),
            None => PathBuf::from(name),
        }
    }
}

/// The innermost folder around all files.
fn common(found: &[Found]) -> Option<String> {
    let mut parents = found.iter().filter_map(|found| found.real_path.parent());
    let mut base = parents.next()?.to_owned();
    for parent in parents {
        while !parent.starts_with(&base) {
            base.pop();
        }
    }
    base.to_str().map(str::to_owned)
}

/// As the disk tells it.
pub(super) fn seen((name, found): (&String, &Found)) -> Seen {
    Seen { path: name.clone(), size: found.size, modified_ns: found.modified_ns }
}

/// A file that was read.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub measured: Measured,
    pub text: String,
}

/// Why a file cannot be searched; nothing where it can be read.
pub(super) fn unreadable((name, found): (&String, &Found)) -> Option<SkippedFile> {
    let reason = read(found, &Limits::default()).err()?.to_string();
    Some(SkippedFile { path: name.clone(), reason })
}

/// Reads files and counts what they take inline; what cannot be read is noted.
pub(super) fn measure<'a>(
    files: impl IntoIterator<Item = (&'a Seen, &'a Found)>,
    tokenizer: Tokenizer,
    given_up: &GivenUp,
) -> (Vec<Text>, Vec<SkippedFile>) {
    let (mut texts, mut skipped) = (Vec::new(), Vec::new());
    for (seen, found) in files.into_iter().take_while(|_| !given_up.is_so()) {
        match read(found, &Limits::default()) {
            Ok(text) => {
                let tokens = tokenizer.count(&render::whole_file(&seen.path, &text.content));
                let measured = Measured { file: seen.clone(), tokens };
                texts.push(Text { measured, text: text.content });
            }
            Err(reason) => {
                skipped.push(SkippedFile { path: seen.path.clone(), reason: reason.to_string() });
            }
        }
    }
    (texts, skipped)
}
