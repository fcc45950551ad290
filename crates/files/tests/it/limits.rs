//! Limits per file and for all files together.

use dossier_files::{Limits, SkipReason, read};

use crate::folder::{Folder, check};

fn limits(max_file_bytes: u64, max_total_bytes: u64) -> Limits {
    Limits { max_file_bytes, max_total_bytes, ..Limits::default() }
}

#[test]
fn the_defaults_are_50_and_200_mebibytes() {
    let limits = Limits::default();
    assert_eq!((limits.max_file_bytes, limits.max_total_bytes), (52_428_800, 209_715_200));
}

#[test]
fn a_file_above_the_limit_is_skipped_and_one_at_it_is_not() {
    let folder = Folder::new();
    folder.write("at.txt", "12345");
    folder.write("above.txt", "123456");
    check(
        &[folder.root()],
        &limits(5, 100),
        &["at.txt", "- above.txt: too large: 6 bytes, the limit is 5"],
    );
}

#[test]
fn a_file_that_does_not_fit_into_the_total_is_skipped_and_smaller_ones_still_fit() {
    let folder = Folder::new();
    folder.write("a.txt", "123");
    folder.write("b.txt", "123");
    folder.write("c.txt", "12");
    check(
        &[folder.root()],
        &limits(5, 5),
        &["a.txt", "c.txt", "- b.txt: the limit for all files together is used up"],
    );
}

#[test]
fn named_files_are_counted_before_walked_ones() {
    let folder = Folder::new();
    folder.write("a.txt", "123");
    folder.write("z.txt", "123");
    check(
        &[folder.root(), folder.path("z.txt")],
        &limits(5, 5),
        &["z.txt", "- a.txt: the limit for all files together is used up"],
    );
}

#[test]
fn binary_files_do_not_use_up_the_total() {
    let folder = Folder::new();
    folder.write("a.png", "12345");
    folder.write("b.txt", "12345");
    check(&[folder.root()], &limits(5, 5), &["b.txt", "- a.png: binary"]);
}

#[test]
fn a_file_that_grew_after_the_walk_is_held_to_the_limit() {
    let folder = Folder::of(&["a.txt"]);
    let found = folder.found("a.txt");
    folder.write("a.txt", "123456");
    assert_eq!(read(&found, &limits(5, 5)), Err(SkipReason::TooLarge { size: 6, limit: 5 }));
}

#[test]
fn a_line_of_ten_megabytes_is_read_whole() {
    let folder = Folder::new();
    let line = "0123456789".repeat(1024 * 1024);
    folder.write("line.txt", &line);
    assert_eq!(folder.read("line.txt").map(|text| text.content == line), Ok(true));
}
