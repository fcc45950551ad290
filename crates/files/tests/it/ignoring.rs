//! Ignore files: at every level, with negation, with or without a repository, and never beyond it.

use std::process::Command;

use dossier_files::{Limits, walk};
use proptest::prelude::*;

use crate::folder::{Folder, render};

/// A folder of empty-handed files and of ignore files with these lines.
fn folder(files: &[&str], rules: &[(&str, &str)]) -> Folder {
    let folder = Folder::of(files);
    for (path, lines) in rules {
        folder.write(path, lines);
    }
    folder
}

#[test]
fn a_gitignore_holds_without_a_repository() {
    folder(&["a.log", "a.md", "sub/b.log"], &[(".gitignore", "*.log\n")]).check(&["a.md"]);
}

#[test]
fn a_negation_takes_back_an_earlier_line() {
    folder(&["a.log", "keep.log"], &[(".gitignore", "*.log\n!keep.log\n")]).check(&["keep.log"]);
}

#[test]
fn a_deeper_gitignore_wins_over_one_above() {
    let rules = [(".gitignore", "*.log\n"), ("sub/.gitignore", "!b.log\n*.md\n")];
    folder(&["a.log", "a.md", "sub/a.log", "sub/b.log", "sub/c.md"], &rules)
        .check(&["a.md", "sub/b.log"]);
}

#[test]
fn a_file_in_an_ignored_folder_cannot_be_taken_back() {
    folder(&["out/a.md", "out/b.md", "c.md"], &[(".gitignore", "out/\n!out/a.md\n")])
        .check(&["c.md"]);
}

#[test]
fn a_pattern_with_a_slash_is_bound_to_its_folder() {
    let rules = [(".gitignore", "/a.md\n"), ("sub/.gitignore", "deep/x.md\n")];
    folder(&["a.md", "sub/a.md", "sub/deep/x.md", "deep/x.md"], &rules)
        .check(&["deep/x.md", "sub/a.md"]);
}

#[test]
fn a_named_file_bypasses_the_rules() {
    let folder = folder(&["a.log", "b.log", "c.md"], &[(".gitignore", "*.log\n")]);
    folder.check_paths(&["", "a.log"], &["a.log", "c.md"]);
}

#[test]
fn a_named_folder_bypasses_the_rules_that_leave_it_out() {
    let folder = folder(
        &[".git/HEAD", "made/a.md", "made/b.tmp"],
        &[(".gitignore", "*\n"), ("made/.gitignore", "*.tmp\n")],
    );
    folder.check_paths(&["made"], &["a.md"]);
    folder.check(&[]);
    folder.check_paths(&["", "made"], &["made/a.md"]);
}

#[test]
fn rules_above_the_root_hold_inside_the_same_repository() {
    folder(&[".git/HEAD", "src/a.log", "src/a.md"], &[(".gitignore", "*.log\n")])
        .check_paths(&["src"], &["a.md"]);
}

#[test]
fn rules_above_the_root_do_not_hold_without_a_repository() {
    folder(&["src/a.log", "src/a.md"], &[(".gitignore", "*.log\n"), (".ignore", "*.md\n")])
        .check_paths(&["src"], &["a.log", "a.md"]);
}

#[test]
fn a_repository_does_not_see_the_gitignore_around_it() {
    let files = ["a.log", "inner/.git/HEAD", "inner/b.log", "inner/sub/c.log"];
    let folder = folder(&files, &[(".gitignore", "*.log\n")]);
    folder.check(&["inner/b.log", "inner/sub/c.log"]);
    folder.check_paths(&["inner/sub"], &["c.log"]);
}

#[test]
fn the_exclude_file_of_a_repository_holds_but_is_the_weakest() {
    let rules = [(".git/info/exclude", "*.log\n"), (".gitignore", "!keep.log\n")];
    folder(&["a.log", "keep.log", "a.md"], &rules).check(&["a.md", "keep.log"]);
}

#[test]
fn an_ignore_file_goes_before_a_gitignore() {
    let rules = [(".gitignore", "made/\n"), (".ignore", "!made/\n*.tmp\n")];
    folder(&["made/a.md", "made/b.tmp"], &rules).check(&["made/a.md"]);
}

#[test]
fn a_negation_never_uncovers_hidden_or_dependency_folders() {
    folder(
        &[".git/HEAD", ".x/a.rs", "node_modules/a.rs", "src/a.rs", "b.md"],
        &[(".gitignore", "*\n!*/\n!*.rs\n")],
    )
    .check(&["src/a.rs", "- node_modules: a dependency, build or version-control folder"]);
}

#[test]
fn byte_order_marks_windows_line_ends_and_broken_patterns_do_no_harm() {
    folder(&["a.log", "a.tmp", "a.md"], &[(".gitignore", "\u{feff}*.log\r\n[\r\n*.tmp\r\n")])
        .check(&["a.md"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_named_gitignore_does_not_hang_the_walk() {
    let folder = Folder::of(&["a.md"]);
    folder.pipe(".gitignore");
    folder.check(&["a.md"]);
}

/// What git itself would take into its index.
fn listed_by_git(folder: &Folder) -> Vec<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command
            .current_dir(folder.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        let output = command.args(arguments).output().expect("git runs: apt-get install git");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("the names are ASCII")
    };
    git(&["init", "--quiet"]);
    let mut paths: Vec<_> =
        git(&["ls-files", "--others", "--exclude-standard"]).lines().map(str::to_owned).collect();
    paths.retain(|path| !path.ends_with(".gitignore"));
    paths.sort();
    paths
}

fn pattern() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "c", "*", "**", "a*", "?", "[ab]"]);
    let parts = prop::collection::vec(part, 1..4);
    ("!?/?", parts, "/?")
        .prop_map(|(before, parts, after)| format!("{before}{}{after}\n", parts.join("/")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn git_leaves_out_the_same_files(
        files in prop::collection::btree_set("[abc](/[abc]){0,3}/x", 1..12),
        rules in prop::collection::btree_map("([abc]/){0,2}", prop::collection::vec(pattern(), 1..5), 1..4),
    ) {
        let folder = Folder::new();
        for file in &files {
            folder.write(file, file);
        }
        for (place, patterns) in &rules {
            folder.write(format!("{place}.gitignore"), patterns.concat());
        }
        let found = walk(&[folder.root()], &Limits::default()).unwrap();
        prop_assert_eq!(render(&found), listed_by_git(&folder));
    }
}
