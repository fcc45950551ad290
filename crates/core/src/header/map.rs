//! The project's files as a header shows them: one by one with their sizes where they are few, by
//! top-level folder where they are many.

use crate::tokens::Tokenizer;

/// So many files are listed one by one.
pub const MOST_LISTED: usize = 50;

/// What a project holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectMap {
    /// Paths with sizes in bytes, up to [`MOST_LISTED`].
    Files(Vec<(String, u64)>),
    /// Top-level folders with how many files they hold; the empty name is for files in none.
    Folders(Vec<(String, u64)>),
}

impl ProjectMap {
    pub fn is_empty(&self) -> bool {
        match self {
            ProjectMap::Files(rows) | ProjectMap::Folders(rows) => rows.is_empty(),
        }
    }

    /// As many lines as there is room for; the rest is counted.
    pub(super) fn text(&self, room: u32, tokenizer: Tokenizer) -> Option<String> {
        let (heading, lines): (String, Vec<String>) = match self {
            ProjectMap::Files(files) => {
                let line =
                    |(path, size): &(String, u64)| format!("- {} ({})", flat(path), bytes(*size));
                ("The project's files:".to_owned(), files.iter().map(line).collect())
            }
            ProjectMap::Folders(folders) => {
                let line = |(folder, count): &(String, u64)| match folder.as_str() {
                    "" => format!("- {count} outside of folders"),
                    folder => format!("- {}/ ({count})", flat(folder)),
                };
                let all: u64 = folders.iter().map(|(_, count)| count).sum();
                let heading = format!("The project's {all} files by folder:");
                (heading, folders.iter().map(line).collect())
            }
        };
        let text = |shown: usize| {
            let mut text = heading.clone();
            for line in &lines[..shown] {
                text.push('\n');
                text.push_str(line);
            }
            if shown < lines.len() {
                text.push_str(&format!("\nand {} more", lines.len() - shown));
            }
            text
        };
        let fits = |shown: usize| tokenizer.count(&text(shown)) <= room;
        // More lines are more tokens, so the last number that fits can be halved towards.
        let shown = (1..=lines.len()).collect::<Vec<_>>().partition_point(|shown| fits(*shown));
        let shown = if fits(lines.len()) { lines.len() } else { shown };
        (shown > 0).then(|| text(shown))
    }
}

/// A name on one line: names come from elsewhere, and may hold anything.
fn flat(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

fn bytes(size: u64) -> String {
    match size {
        0..1_000 => format!("{size} B"),
        1_000..1_000_000 => format!("{:.1} kB", size as f64 / 1e3),
        _ => format!("{:.1} MB", size as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(map: &ProjectMap, room: u32) -> Option<String> {
        map.text(room, Tokenizer::O200k)
    }

    #[test]
    fn files_are_listed_with_their_sizes_each_on_one_line() {
        let files = [("a.md", 12), ("src/b\nc.rs", 3_456), ("d.pdf", 7_000_000)];
        let map = ProjectMap::Files(files.map(|(path, size)| (path.to_owned(), size)).to_vec());
        let expected =
            "The project's files:\n- a.md (12 B)\n- src/b\u{fffd}c.rs (3.5 kB)\n- d.pdf (7.0 MB)";
        assert_eq!(text(&map, 1_000).as_deref(), Some(expected));
    }

    #[test]
    fn many_files_are_counted_by_folder() {
        let map = ProjectMap::Folders(vec![(String::new(), 3), ("src".to_owned(), 900)]);
        let expected = "The project's 903 files by folder:\n- 3 outside of folders\n- src/ (900)";
        assert_eq!(text(&map, 1_000).as_deref(), Some(expected));
    }

    #[test]
    fn the_map_keeps_to_its_room_and_counts_what_it_leaves_out() {
        let folders = (0..500).map(|number| (format!("folder-{number}"), 7)).collect();
        let map = ProjectMap::Folders(folders);
        for room in [40, 100, 2_000, 10_000] {
            let text = text(&map, room).unwrap();
            assert!(Tokenizer::O200k.count(&text) <= room, "{room}");
            assert_eq!(text.contains("more"), room < 10_000, "{room}");
        }
        assert_eq!(text(&map, 10), None);
    }
}
