//! Names: which virtual paths are taken, and which file names are left out.

use dossier_files::{FilesError, virtual_path};
use proptest::prelude::*;

use crate::folder::Folder;

#[track_caller]
fn check(path: &str, expected: &str) {
    assert_eq!(virtual_path(path).unwrap(), expected);
}

#[track_caller]
fn check_invalid(path: &str, expected: &str) {
    match virtual_path(path) {
        Err(FilesError::Invalid { fault, .. }) => assert_eq!(fault, expected),
        other => panic!("{path:?} gives {other:?}"),
    }
}

#[test]
fn a_plain_path_stays_as_it_is() {
    for path in [
        "a",
        "src/main.rs",
        ".github/x.yml",
        "ein Ordner/übung…md",
        "a..b/...c",
        "100%/a%2Fb",
        ".a:b",
    ] {
        check(path, path);
    }
}

#[test]
fn separators_and_empty_parts_are_normalised() {
    check("./src//main.rs/", "src/main.rs");
    check(r"src\sub\main.rs", "src/sub/main.rs");
    check(".//a", "a");
}

#[test]
fn percent_signs_are_literal() {
    check("%2e%2e/%2fetc", "%2e%2e/%2fetc");
}

#[test]
fn a_path_that_leads_out_is_invalid() {
    let fault = "it holds '..' or another part made only of dots and spaces";
    for path in [
        "..",
        "../a",
        "a/../../b",
        "a/..",
        r"a\..\b",
        ".. /a",
        "a/.../b",
        "a/ /b",
        "．．/a",
        "‥/a",
        "a／．．／b",
    ] {
        check_invalid(path, fault);
    }
}

#[test]
fn an_absolute_path_is_invalid() {
    for path in
        ["./／etc/passwd", "/etc/passwd", "//server/share", r"\\server\share", r"\a", "／etc"]
    {
        check_invalid(path, "it is absolute");
    }
    for path in ["C:/a", r"c:\a", "C:a", "./C:/a", "Ｃ：/a", "./Ｃ:/a"] {
        check_invalid(path, "it begins with a drive letter");
    }
}

#[test]
fn control_characters_and_marks_that_reorder_text_are_invalid() {
    for path in ["a\0b", "a\nb", "a\u{1b}[2Jb", "a\u{7f}", "a\u{2028}b", "a\u{202e}dm.exe"] {
        check_invalid(path, "it holds control characters");
    }
}

#[test]
fn a_path_without_a_name_or_without_end_is_invalid() {
    for path in ["", ".", "./", "././."] {
        check_invalid(path, "it names no file");
    }
    check_invalid(&"a/".repeat(2049), "it is longer than 4096 bytes");
}

#[test]
fn an_error_shows_the_path_safely_and_says_what_would_do() {
    assert_eq!(
        virtual_path("../\u{1b}[2J").unwrap_err().to_string(),
        "../\\u{1b}[2J is not a valid path: it holds control characters; \
         give a path below the project's folder, such as src/main.rs"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_virtual_path_is_plain_and_normalising_it_again_changes_nothing(path in r"([./\\ a:~．]|\PC){0,12}") {
        if let Ok(normalised) = virtual_path(&path) {
            prop_assert_eq!(virtual_path(&normalised).unwrap(), normalised.clone());
            prop_assert!(!normalised.starts_with('/') && !normalised.contains('\\'));
            prop_assert!(normalised.split('/').all(|part| !matches!(part, "" | "." | "..")));
        }
    }
}

#[cfg(unix)]
#[test]
fn files_with_misleading_names_are_skipped_and_shown_safely() {
    let unsafe_name = "its name holds control characters, backslashes or other parts that mislead";
    Folder::of(&["a.md", "b\n.md", "c\\d.md", "e\u{202e}.md"]).check(&[
        "a.md",
        &format!("- b\\n.md: {unsafe_name}"),
        &format!("- c\\d.md: {unsafe_name}"),
        &format!("- e\\u{{202e}}.md: {unsafe_name}"),
    ]);
}

#[cfg(target_os = "linux")]
#[test]
fn files_with_names_that_are_not_utf8_are_skipped() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::of(&["a.md"]);
    folder.write(std::ffi::OsStr::from_bytes(b"caf\xE9.md"), "");
    folder.check(&["a.md", "- caf\u{fffd}.md: its name is not UTF-8"]);
}
