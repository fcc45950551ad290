//! Symbolic links: resolved first, followed once, never out of the root and never in circles. Pipes
//! and sockets too.

use std::os::unix::net::UnixListener;

use dossier_files::{FilesError, Limits, walk};

use crate::folder::{Folder, check};

#[test]
fn a_link_beside_its_target_adds_nothing() {
    let folder = Folder::of(&["AGENTS.md", "docs/a.md"]);
    folder.link("CLAUDE.md", "AGENTS.md");
    folder.link("manual", "docs");
    folder.check(&["AGENTS.md", "docs/a.md"]);
}

#[test]
fn a_link_is_followed_to_hidden_and_ignored_places() {
    let folder = Folder::of(&[".docs/a.md", ".docs/.deep/b.md", "made/c.md", "made/d.md"]);
    folder.write(".gitignore", "made/\n");
    folder.link("docs", ".docs");
    folder.link("c.md", "made/c.md");
    folder.check(&[".docs/a.md", "made/c.md"]);
}

#[test]
fn a_link_into_a_skipped_folder_is_not_followed() {
    let folder = Folder::of(&["target/doc/a.md", ".git/HEAD", "bin/build"]);
    folder.link("docs", "target/doc");
    folder.link("git", ".git");
    folder.link("head", ".git/HEAD");
    folder.link("script", "bin/build");
    let skipped = "a dependency, build or version-control folder";
    let notes = ["docs", "git", "head", "target"].map(|name| format!("- {name}: {skipped}"));
    let mut expected = vec!["bin/build"];
    expected.extend(notes.iter().map(String::as_str));
    folder.check(&expected);
}

#[test]
fn a_link_into_a_skipped_folder_is_followed_where_that_folder_was_given() {
    let folder = Folder::of(&["target/doc/.a/a.md"]);
    folder.link("docs", "target/doc/.a");
    folder.check_paths(&["", "target"], &["target/doc/.a/a.md"]);
}

#[test]
fn a_link_that_leaves_the_root_is_skipped() {
    let outside = Folder::of(&["a.md", "docs/b.md"]);
    let folder = Folder::of(&["c.md"]);
    folder.link("a.md", outside.path("a.md"));
    folder.link("docs", outside.path("docs"));
    folder.link("up", "..");
    folder.check(&[
        "c.md",
        "- a.md: a link that leaves the folder",
        "- docs: a link that leaves the folder",
        "- up: a link that leaves the folder",
    ]);
}

#[test]
fn a_link_that_is_named_may_lead_anywhere() {
    let outside = Folder::of(&["a.md", "docs/b.md"]);
    let folder = Folder::of(&["c.md"]);
    folder.link("link.md", outside.path("a.md"));
    folder.link("manual", outside.path("docs"));
    folder.check_paths(&["", "link.md", "manual"], &["a.md", "b.md", "c.md"]);
}

#[test]
fn a_link_from_one_root_into_another_stays_inside() {
    let folder = Folder::of(&["one/a.md", "two/.b/b.md"]);
    folder.link("one/b", "../two/.b");
    check(&[folder.path("one"), folder.path("two")], &Limits::default(), &[".b/b.md", "a.md"]);
}

#[test]
fn link_loops_end() {
    let folder = Folder::of(&["sub/a.md"]);
    folder.link("sub/again", "..");
    folder.link("sub/self", ".");
    folder.link("x", "y");
    folder.link("y", "x");
    folder.check(&[
        "sub/a.md",
        "- x: a link that leads back to itself",
        "- y: a link that leads back to itself",
    ]);
}

#[test]
fn a_named_link_loop_fails_and_a_broken_one_is_not_found() {
    let folder = Folder::new();
    folder.link("x", "x");
    folder.link("y", "nothing");
    let error = walk(&[folder.path("x")], &Limits::default()).unwrap_err();
    assert!(matches!(error, FilesError::Unreadable { .. }));
    let error = walk(&[folder.path("y")], &Limits::default()).unwrap_err();
    assert!(matches!(error, FilesError::NotFound { .. }));
}

#[test]
fn a_broken_link_is_skipped() {
    let folder = Folder::of(&["a.md"]);
    folder.link("b.md", "nothing");
    folder.check(&["a.md", "- b.md: a link to nothing"]);
}

#[test]
fn links_that_double_at_every_level_do_not_multiply_the_work() {
    let folder = Folder::of(&[".0/a.md"]);
    for level in 1..40 {
        folder.link(&format!(".{level}/left"), format!("../.{}", level - 1));
        folder.link(&format!(".{level}/right"), format!("../.{}", level - 1));
    }
    folder.link("top", ".39");
    folder.check(&[".0/a.md"]);
}

#[test]
fn pipes_and_sockets_are_skipped_without_waiting() {
    let folder = Folder::of(&["a.md"]);
    folder.pipe("pipe.md");
    folder.link("link.md", "pipe.md");
    let _socket = UnixListener::bind(folder.path("socket.md")).unwrap();
    folder.check(&["a.md", "- pipe.md: not a regular file", "- socket.md: not a regular file"]);
    folder.check_paths(&["pipe.md"], &["- pipe.md: not a regular file"]);
}
