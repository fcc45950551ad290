//! What a walk finds: every file once, in one order, with what a later comparison needs.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use dossier_files::{FilesError, Found, Limits, walk, walk_while};

use crate::folder::{Folder, check};

#[test]
fn files_are_sorted_by_path() {
    Folder::of(&["b.md", "a/z.md", "a.md", "a/b/c.md"])
        .check(&["a.md", "a/b/c.md", "a/z.md", "b.md"]);
}

#[test]
fn a_found_file_carries_its_place_size_and_time() {
    let folder = Folder::of(&["src/main.rs"]);
    let file = std::fs::File::options().write(true).open(folder.path("src/main.rs")).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_nanos(1_700_000_000_123_456_789)).unwrap();
    let expected = Found {
        real_path: folder.path("src/main.rs"),
        path: "src/main.rs".to_owned(),
        root: folder.root(),
        size: 11,
        modified_ns: 1_700_000_000_123_456_789,
        named: false,
    };
    assert_eq!(folder.found("src/main.rs"), expected);
}

#[test]
fn a_named_file_stands_in_its_parent_folder() {
    let folder = Folder::of(&["src/main.rs", "src/lib.rs"]);
    let walk = walk(&[folder.path("src/main.rs")], &Limits::default()).unwrap();
    let places: Vec<_> =
        walk.found.into_iter().map(|found| (found.root, found.path, found.named)).collect();
    assert_eq!(places, [(folder.path("src"), "main.rs".to_owned(), true)]);
}

#[test]
fn a_path_named_twice_is_found_once() {
    Folder::of(&["a.md"]).check_paths(&["a.md", "a.md", "./a.md"], &["a.md"]);
}

#[test]
fn a_file_named_beside_its_folder_is_found_once_and_marked() {
    let folder = Folder::of(&["docs/a.md", "docs/b.md"]);
    let walk = walk(&[folder.path("docs/a.md"), folder.root()], &Limits::default()).unwrap();
    let marks: Vec<_> = walk.found.iter().map(|found| (found.path.as_str(), found.named)).collect();
    assert_eq!(marks, [("docs/a.md", true), ("docs/b.md", false)]);
}

#[test]
fn nested_folders_belong_to_the_outermost_whatever_the_order() {
    let folder = Folder::of(&["docs/a.md", "b.md"]);
    folder.check_paths(&["docs", ""], &["b.md", "docs/a.md"]);
    folder.check_paths(&["", "docs"], &["b.md", "docs/a.md"]);
}

#[test]
fn equal_paths_of_two_roots_are_told_apart_by_root() {
    let folder = Folder::of(&["one/x.md", "two/x.md"]);
    let walk = walk(&[folder.path("two"), folder.path("one")], &Limits::default()).unwrap();
    let places: Vec<_> = walk.found.into_iter().map(|found| (found.path, found.root)).collect();
    assert_eq!(
        places,
        [("x.md".to_owned(), folder.path("one")), ("x.md".to_owned(), folder.path("two"))]
    );
}

#[test]
fn hidden_files_and_folders_are_left_out_unless_named() {
    let folder = Folder::of(&[".hidden.md", ".config/a.md", "b.md"]);
    folder.check(&["b.md"]);
    folder.check_paths(&["", ".hidden.md"], &[".hidden.md", "b.md"]);
    folder.check_paths(&[".config"], &["a.md"]);
}

#[test]
fn dependency_and_build_folders_are_left_out_with_a_note() {
    Folder::of(&["a.md", "web/node_modules/x/index.js", "target/debug/out.txt", ".git/HEAD"])
        .check(&[
            "a.md",
            "- target: a dependency, build or version-control folder",
            "- web/node_modules: a dependency, build or version-control folder",
        ]);
}

#[test]
fn a_build_folder_is_walked_when_it_is_named() {
    let folder = Folder::of(&["target/notes.md"]);
    folder.check_paths(&["target"], &["notes.md"]);
    folder.check_paths(&["target/notes.md"], &["notes.md"]);
    folder.check_paths(&["", "target"], &["target/notes.md"]);
}

#[test]
fn the_list_of_skipped_folders_is_configurable() {
    let folder = Folder::of(&["target/a.md", "secret/b.md"]);
    let limits = Limits { skip_folders: vec!["secret".to_owned()], ..Limits::default() };
    check(
        &[folder.root()],
        &limits,
        &["target/a.md", "- secret: a dependency, build or version-control folder"],
    );
    let limits = Limits::default().skipping("secret, !target,");
    check(
        &[folder.root()],
        &limits,
        &["target/a.md", "- secret: a dependency, build or version-control folder"],
    );
}

#[test]
fn files_with_a_binary_extension_are_skipped_with_a_note() {
    let folder = Folder::of(&["a.md", "logo.PNG"]);
    folder.check(&["a.md", "- logo.PNG: binary"]);
    folder.check_paths(&["logo.PNG"], &["- logo.PNG: binary"]);
}

#[test]
fn a_path_that_does_not_exist_fails_with_advice() {
    let error = walk(&[PathBuf::from("/no/such/folder")], &Limits::default()).unwrap_err();
    assert!(matches!(error, FilesError::NotFound { .. }));
    assert_eq!(
        error.to_string(),
        "/no/such/folder does not exist; check its spelling and the folder it is relative to"
    );
}

#[test]
fn an_error_never_repeats_control_characters() {
    let error = walk(&[PathBuf::from("/no/\u{1b}[31mred")], &Limits::default()).unwrap_err();
    assert!(error.to_string().starts_with("/no/\\u{1b}[31mred does not exist"));
}

#[test]
fn no_paths_find_nothing() {
    check(&[], &Limits::default(), &[]);
}

#[test]
fn an_empty_folder_holds_nothing() {
    Folder::new().check(&[]);
}

#[test]
fn a_walk_ends_when_it_is_not_wanted_any_more() {
    let folder = Folder::of(&["a.txt", "b.txt", "deep/c.txt", "deep/d.txt"]);
    let left = Cell::new(2);
    let is_wanted = || left.replace(left.get() - 1) > 0;
    let walk = walk_while(&is_wanted, &[folder.root()], &Limits::default()).unwrap();
    assert!(walk.found.len() <= 2, "{walk:?}");
}
