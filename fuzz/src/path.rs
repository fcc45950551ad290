//! Paths that someone typed: a path that is taken is plain, stays as it is when it is taken again,
//! and leads nowhere else when look-alikes in it are folded.

use crate::text;
use dossier_files::{FilesError, virtual_path};
use unicode_normalization::UnicodeNormalization;

pub fn path(data: &[u8]) {
    let Ok(taken) = virtual_path(&text(data)) else { return };
    match virtual_path(&taken) {
        Ok(again) => assert_eq!(again, taken),
        Err(error) => unreachable!("{taken:?} is refused: {error}"),
    }
    assert!(!taken.contains(|c: char| c.is_control() || c == '\\'), "{taken:?}");
    let folded: String = taken.nfkc().collect();
    for form in [&taken, &folded] {
        assert!(!form.starts_with(['/', '\\']), "{form:?}");
        assert!(!form.split(['/', '\\']).any(|part| part.trim() == ".."), "{form:?}");
    }
    if let Err(FilesError::Invalid { fault, .. }) = virtual_path(&folded) {
        let harmless = ["it is longer than 4096 bytes", "it names no file"];
        assert!(harmless.contains(&fault), "{taken:?} folds to {folded:?}: {fault}");
    }
}
