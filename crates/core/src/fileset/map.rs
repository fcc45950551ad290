//! The map of a call's files, as the model reads it: what is before it, what has changed, and what
//! it must search for. It stays small however many files there are.

use super::{Seen, Split};
use crate::render::clean;
use crate::tokens::Tokenizer;
use std::collections::{BTreeMap, BTreeSet};

/// The most that the names of searchable files may take, in tokens.
const NAMES: u32 = 800;

/// The most folders that are named one by one.
const FOLDERS: usize = 40;

/// The most files that are named as changed or gone.
const NAMED: usize = 40;

/// What a map is made of.
#[derive(Debug, Clone, Copy)]
pub struct Map<'a> {
    pub split: &'a Split,
    /// Files that the model was sent before, and is sent again.
    pub again: &'a BTreeSet<String>,
    /// Files that an earlier message shows as they were, and that are not sent again.
    pub outdated: &'a [String],
    /// Files that the model was sent and that are no longer there.
    pub gone: &'a [String],
    /// Files of this call alone.
    pub attachments: &'a [Seen],
    /// How the model gets at what it is not shown; none where it cannot.
    pub tools: Option<&'a str>,
}

impl Map<'_> {
    /// The text; none where there is nothing to tell.
    pub fn text(&self, tokenizer: Tokenizer) -> Option<String> {
        let Self { split, again, outdated, gone, attachments, .. } = self;
        if split.searchable.is_empty()
            && attachments.is_empty()
            && split.unchanged.is_empty()
            && gone.is_empty()
            && again.is_empty()
        {
            return None;
        }
        let mut lines = vec![format!(
            "Files: {} in this message, {} unchanged in earlier ones, {} to be searched.",
            split.send.len(),
            split.unchanged.len(),
            split.searchable.len() + attachments.len(),
        )];
        if !again.is_empty() {
            let names: Vec<&str> = again.iter().map(String::as_str).collect();
            lines
                .push(format!("Changed since they were sent; go by the new text: {}", few(&names)));
        }
        if !outdated.is_empty() {
            let names: Vec<&str> = outdated.iter().map(String::as_str).collect();
            lines.push(format!(
                "Changed since they were sent, and not sent again; the new text is not shown: {}",
                few(&names)
            ));
        }
        if !gone.is_empty() {
            let names: Vec<&str> = gone.iter().map(String::as_str).collect();
            lines.push(format!("No longer there: {}", few(&names)));
        }
        if !attachments.is_empty() {
            lines.push(format!("Attached, {}:", self.reached()));
            lines.push(named(attachments, tokenizer));
        }
        if !split.searchable.is_empty() {
            lines.push(format!("Not shown, {}:", self.reached()));
            lines.push(named(&split.searchable, tokenizer));
        }
        Some(clean(&format!("{}\n", lines.join("\n"))))
    }

    fn reached(&self) -> String {
        match self.tools {
            Some(tools) => format!("reached by {tools}"),
            None => "the passages that fit best follow".to_owned(),
        }
    }
}

/// Some names, and how many more there are.
fn few(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Files by folder: by name while that is short, else by number.
fn named(files: &[Seen], tokenizer: Tokenizer) -> String {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or((".", &file.path));
        folders.entry(folder).or_default().push(name);
    }
    // A name takes two tokens at the least, so very many need not be counted.
    if files.len() <= NAMES as usize / 2 {
        let line =
            |(folder, names): (&&str, &Vec<&str>)| format!("{folder}/: {}", names.join(", "));
        let text = folders.iter().map(line).collect::<Vec<_>>().join("\n");
        if tokenizer.count(&text) <= NAMES {
            return text;
        }
    }
    let mut counted: Vec<(&str, usize)> =
        folders.iter().map(|(folder, names)| (*folder, names.len())).collect();
    counted.sort_by(|left, right| (right.1, left.0).cmp(&(left.1, right.0)));
    let rest: usize = counted.iter().skip(FOLDERS).map(|(_, files)| files).sum();
    counted.truncate(FOLDERS);
    counted.sort_unstable();
    let mut lines: Vec<String> =
        counted.iter().map(|(folder, files)| format!("{folder}/ ({files} files)")).collect();
    if rest > 0 {
        lines.push(format!("and {rest} files in other folders"));
    }
    lines.join("\n")
}
