//! What happens to a file between the walk and the read: nothing hangs, and nothing else is read in
//! its place.

use std::fs;

use dossier_files::{Limits, SkipReason, read};

use crate::folder::Folder;

/// Finds `docs/a.md`, lets `swap` do its work, then reads.
fn read_after(swap: impl FnOnce(&Folder)) -> Result<String, SkipReason> {
    let folder = Folder::of(&["docs/a.md"]);
    let found = folder.found("docs/a.md");
    swap(&folder);
    read(&found, &Limits::default()).map(|text| text.content)
}

fn remove(folder: &Folder) {
    fs::remove_dir_all(folder.path("docs")).unwrap();
}

#[test]
fn a_file_saved_anew_is_read_anew() {
    let result = read_after(|folder| {
        folder.write("docs/new", "new");
        fs::rename(folder.path("docs/new"), folder.path("docs/a.md")).unwrap();
    });
    assert_eq!(result, Ok("new".to_owned()));
}

#[test]
fn a_file_that_is_gone_is_unreadable() {
    assert!(matches!(read_after(remove), Err(SkipReason::Unreadable(_))));
}

#[test]
fn a_file_swapped_for_a_pipe_does_not_hang() {
    let result = read_after(|folder| {
        fs::remove_file(folder.path("docs/a.md")).unwrap();
        folder.pipe("docs/a.md");
    });
    assert_eq!(result, Err(SkipReason::NotAFile));
}

#[test]
fn a_file_swapped_for_a_link_is_not_followed() {
    let outside = Folder::of(&["secret.md"]);
    let result = read_after(|folder| {
        fs::remove_file(folder.path("docs/a.md")).unwrap();
        folder.link("docs/a.md", outside.path("secret.md"));
    });
    assert_eq!(result, Err(SkipReason::NotAFile));
}

#[test]
fn a_folder_swapped_for_a_link_is_noticed() {
    let outside = Folder::of(&["a.md"]);
    let result = read_after(|folder| {
        remove(folder);
        folder.link("docs", outside.root());
    });
    assert_eq!(result, Err(SkipReason::Replaced));
}
