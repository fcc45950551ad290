//! Values that the database holds.

use crate::desk::{Desk, strings};

#[test]
fn a_value_is_kept_until_it_is_unset() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes"]).ok();
    let set = desk.dossier(&["config", "set", "user.role", "gardener"]).ok();
    assert_eq!(set.err, "user.role is now gardener in the database\n");
    let shown = desk.dossier(&["config", "show"]).ok().out;
    let row = shown.lines().find(|line| line.starts_with("user.role")).unwrap();
    assert!(row.contains("gardener") && row.ends_with("database"), "{shown}");
    let rendered = desk.dossier(&["explain", "tulips", "--rendered"]).ok().out;
    assert!(rendered.contains("role: gardener"), "{rendered}");

    let unset = desk.dossier(&["config", "unset", "user.role"]).ok();
    assert_eq!(unset.err, "the database no longer holds user.role\n");
    let again = desk.dossier(&["config", "unset", "user.role"]).ok();
    assert_eq!(again.err, "the database held no user.role\n");
    let rendered = desk.dossier(&["explain", "tulips", "--rendered"]).ok().out;
    assert!(!rendered.contains("gardener"), "{rendered}");
}

#[test]
fn an_unknown_key_is_refused_with_the_known_ones() {
    let desk = Desk::new();
    for args in [&["config", "set", "colour", "red"][..], &["config", "unset", "colour"]] {
        let known = "embedder, profile, model, models.timeout_seconds, user.role, user.time_zone, backups.days, receipts.days, \
                     budget.usd_per_day, budget.usd_per_month, summaries.tokens_per_day, \
                     summaries.tokens_per_thread, summaries.usd_per_day, forget.grace_days, limits.threads, limits.personas, \
                     limits.messages, limits.bytes, consult.assistants, \
                     consult.enable_stable_inline_list, consult.shadow, consult.retention_days, \
                     consult.hosted_store, files.skip, listen, server.tokens_required, server.hosts, \
                     server.log, server.log_level";
        desk.dossier(args).failed(2, &["colour", known]);
    }
}

#[test]
fn a_value_that_a_key_cannot_have_is_refused() {
    let desk = Desk::new();
    desk.dossier(&["config", "set", "embedder", "huge"])
        .failed(1, &["choose local, none, or a service"]);
    desk.dossier(&["config", "set", "profile", "fat"]).failed(1, &["choose lean or project"]);
    desk.dossier(&["config", "set", "budget.usd_per_day", "much"])
        .failed(1, &["no sum of dollars"]);
    for seconds in ["0", "86401", "soon"] {
        desk.dossier(&["config", "set", "models.timeout_seconds", seconds])
            .failed(1, &["no number of seconds", "from 1 to 86400"]);
    }
    desk.dossier(&["config", "set", "user.role", " "])
        .failed(1, &["dossier config unset user.role"]);
    desk.dossier(&["config", "set", "user.role", "a\nb"]).failed(1, &["on one line"]);
    desk.dossier(&["config", "set", "user.role", &"x".repeat(201)]).failed(1, &["200 characters"]);
}

#[test]
fn folders_are_skipped_or_read_as_it_is_set() {
    let desk = Desk::new();
    for path in ["work/vendor/a.md", "work/fixtures/b.md", "work/c.md"] {
        desk.write(path, path);
    }
    let skipped = || {
        let indexed = desk.json(&["index", "work"]);
        let paths: Vec<String> =
            strings(&indexed["skipped"], "/path").into_iter().map(str::to_owned).collect();
        paths
    };
    assert_eq!(skipped(), ["vendor"]);
    desk.dossier(&["config", "set", "files.skip", "fixtures,!vendor"]).ok();
    assert_eq!(skipped(), ["fixtures"]);
    desk.dossier(&["config", "set", "files.skip", "a/b"]).failed(1, &["names without paths"]);
}

#[test]
fn a_value_that_something_stronger_hides_is_kept_with_a_warning() {
    let desk = Desk::new();
    let set = desk.dossier(&["config", "set", "embedder", "local"]).ok();
    assert!(
        set.err
            .contains("warning: none still holds here: environment DOSSIER_EMBEDDER is stronger"),
        "{}",
        set.err
    );
}
