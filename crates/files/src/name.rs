//! Virtual paths: the names files go by inside a project.
//!
//! A virtual path is relative, '/'-separated and plain: normalising it again changes nothing, and
//! neither it nor its Unicode compatibility form leads out of its folder. The path of every found
//! file is one.

use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use crate::{FilesError, guard};

const MAX_BYTES: usize = 4096;

/// The normalised form of a path inside a project, or why it is none.
///
/// Backslashes count as separators, `.` and empty parts are dropped, percent signs are literal.
pub fn virtual_path(path: &str) -> Result<String, FilesError> {
    let invalid = |fault| Err(FilesError::Invalid { path: printable(Path::new(path)), fault });
    let separated = path.replace('\\', "/");
    let normalised = parts(&separated).collect::<Vec<_>>().join("/");

    if path.len() > MAX_BYTES {
        return invalid("it is longer than 4096 bytes");
    }
    if path.contains(is_unsafe) {
        return invalid("it holds control characters");
    }
    // A later step that folds look-alikes must not turn a harmless name into a way out.
    let folded = |text: &str| text.nfkc().collect::<String>().replace('\\', "/");
    for form in [&separated, &folded(&separated), &folded(&normalised)] {
        if parts(form).next().is_some_and(has_drive) {
            return invalid("it begins with a drive letter");
        }
        if form.starts_with('/') {
            return invalid("it is absolute");
        }
        if form.split('/').any(leads_out) {
            return invalid("it holds '..' or another part made only of dots and spaces");
        }
    }
    if normalised.is_empty() {
        return invalid("it names no file");
    }
    if guard::refuses(Path::new(&normalised)) {
        return Err(FilesError::Forbidden { path: normalised });
    }
    Ok(normalised)
}

/// The path as text that no terminal or page can be deceived by.
pub(crate) fn printable(path: &Path) -> String {
    let mut text = String::new();
    for character in path.to_string_lossy().chars() {
        if is_unsafe(character) {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    text
}

/// The parts that name something.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !matches!(*part, "" | "."))
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Some systems drop trailing dots and spaces, so `.. ` is as good as `..`.
fn leads_out(part: &str) -> bool {
    !matches!(part, "" | ".") && part.chars().all(|character| matches!(character, '.' | ' '))
}

/// Control characters, line breaks, and marks that reorder the text around them.
fn is_unsafe(character: char) -> bool {
    let breaks_or_reorders = matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || breaks_or_reorders
}
