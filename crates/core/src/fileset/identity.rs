//! The identity of a set of files: paths and contents, whatever their order and their line ends.
//! Two people with the same identity have the same material in front of them.

use crate::hash::ContentHash;
use std::collections::BTreeMap;

/// The hash of a text with line ends alike.
pub fn canonical(text: &str) -> ContentHash {
    ContentHash::of(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The identity of files, each given by its path and its canonical hash.
pub fn identity<'a>(files: impl IntoIterator<Item = (&'a str, &'a ContentHash)>) -> ContentHash {
    let files: BTreeMap<&str, &ContentHash> = files.into_iter().collect();
    ContentHash::of_parts(files.iter().flat_map(|(path, hash)| [*path, hash.as_str()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> ContentHash {
        let hashed: Vec<_> = files.iter().map(|(path, text)| (*path, canonical(text))).collect();
        identity(hashed.iter().map(|(path, hash)| (*path, hash)))
    }

    #[test]
    fn order_and_line_ends_do_not_count_but_paths_and_contents_do() {
        let set = of(&[("a", "one\ntwo\n"), ("b", "three")]);
        assert_eq!(set, of(&[("b", "three"), ("a", "one\r\ntwo\r\n")]));
        assert_ne!(set, of(&[("b", "three"), ("c", "one\ntwo\n")]));
        assert_ne!(set, of(&[("b", "three"), ("a", "one two\n")]));
        assert_ne!(set, of(&[("b", "three")]));
    }
}
