//! Settings: all that were asked for are set, or none.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use dossier_core::time::Timestamp;
use dossier_engine::Limits;
use serde_json::{Value, json};

fn row(key: &str, value: &str, origin: &str, locked: bool) -> Value {
    json!({ "key": key, "value": value, "origin": origin, "locked": locked, "applies": "now" })
}

async fn settings_are_set_together_or_not_at_all(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let role = |value: &str, origin: &str| {
        json!({ "settings": [
            row("database", "", "default", true),
            row("profile", "", "default", false),
            row("user.role", value, origin, false),
        ], "skipped_folders": Limits::default().skip_folders })
    };
    let path = "/api/settings";
    assert_eq!(desk.get(path).await?.told(), (200, role("", "default")));
    let set = desk.put(path, json!({ "values": { "user.role": "pilot" } })).await?;
    assert_eq!(set.told(), (200, role("pilot", "database")));
    for (values, problem) in [
        (json!({ "user.role": "cook", "profile": "fat" }), (422, "invalid")),
        (json!({ "user.role": "cook", "zzz": "1" }), (422, "invalid")),
        (json!({ "database": "x", "user.role": "cook" }), (409, "conflict")),
        (json!({ "user.role": 7 }), (422, "invalid")),
    ] {
        let refused = desk.put(path, json!({ "values": values })).await?;
        assert_eq!(refused.problem(), (problem.0, problem.1.to_owned()));
    }
    assert_eq!(desk.get(path).await?.told(), (200, role("pilot", "database")));
    let unset = desk.put(path, json!({ "values": { "user.role": null } })).await?;
    assert_eq!(unset.told(), (200, role("", "default")));
    desk.stopped().await
}

async fn the_folders_that_are_passed_over_are_told_as_they_are_set(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let store = database.owner().await?;
    store.set_config("files.skip", &json!("fixtures, !vendor"), Timestamp::from_millis(0)).await?;
    let told = desk.get("/api/settings").await?.json();
    let expected = Limits::default().skipping("fixtures, !vendor").skip_folders;
    assert_eq!(told["skipped_folders"], json!(expected));
    desk.stopped().await
}

stories![
    settings_are_set_together_or_not_at_all,
    the_folders_that_are_passed_over_are_told_as_they_are_set,
];
