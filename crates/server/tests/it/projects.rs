//! Projects: made, listed page by page, changed and deleted.

use crate::database::Database;
use crate::desk::Desk;
use crate::steady::steady;
use anyhow::Result;
use serde_json::{Value, json};

async fn a_project_is_made_changed_and_deleted(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let garden = json!({
        "id": "<prj 1>", "name": "garden", "description": "what grows",
        "settings": { "max_context_tokens": 900 }, "created_at": "<time>", "updated_at": "<time>",
    });
    let made = desk
        .post(
            "/api/projects",
            json!({
                "name": " garden ", "description": "what grows",
                "settings": { "max_context_tokens": 900 },
            }),
        )
        .await?;
    assert_eq!(made.told(), (201, garden.clone()));
    let place = format!("/api/projects/{}", made.json()["id"].as_str().unwrap());
    assert_eq!(made.headers["location"], place);
    assert_eq!(desk.get(&place).await?.told(), (200, garden.clone()));

    let changed = desk.put(&place, json!({ "name": "orchard" })).await?;
    let mut orchard = garden;
    orchard["name"] = json!("orchard");
    assert_eq!(changed.told(), (200, orchard.clone()));
    let list = json!({ "projects": [orchard], "next_cursor": null });
    assert_eq!(desk.get("/api/projects").await?.told(), (200, list));

    let hidden = desk.delete(&place).await?;
    assert_eq!((hidden.status, &hidden.json()["name"]), (200, &json!("orchard")));
    assert_eq!(desk.get(&place).await?.problem(), (404, "not_found".to_owned()));
    assert_eq!(desk.delete(&place).await?.problem(), (404, "not_found".to_owned()));
    let gone = desk.delete(&format!("{place}?now=true")).await?;
    assert_eq!((gone.status, &*gone.body), (204, &b""[..]));
    desk.stopped().await
}

async fn pages_hold_every_project_once(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    for name in ["b", "a", "Z", "ö", "c"] {
        desk.project(name).await?;
    }
    let mut names = Vec::new();
    let mut path = "/api/projects?limit=2".to_owned();
    loop {
        let page = desk.get(&path).await?.json();
        let projects = page["projects"].as_array().unwrap();
        assert!(projects.len() <= 2, "{page}");
        names.extend(projects.iter().map(|project| project["name"].as_str().unwrap().to_owned()));
        let Value::String(cursor) = &page["next_cursor"] else { break };
        path = format!("/api/projects?limit=2&cursor={cursor}");
    }
    assert_eq!(names, ["Z", "a", "b", "c", "ö"]);
    desk.stopped().await
}

async fn a_name_is_taken_once_and_what_is_wrong_changes_nothing(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    desk.project("garden").await?;
    let other = desk.project("other").await?;
    let before = desk.get("/api/projects").await?.json();
    let again = desk.post("/api/projects", json!({ "name": "garden" })).await?;
    assert_eq!(again.problem(), (409, "conflict".to_owned()));
    let place = format!("/api/projects/{other}");
    assert_eq!(
        desk.put(&place, json!({ "name": "garden" })).await?.problem(),
        (409, "conflict".to_owned())
    );
    for wrong in [
        json!({ "name": "" }),
        json!({ "name": "a\nb" }),
        json!({ "name": "x".repeat(201) }),
        json!({ "name": "n", "description": "\0" }),
        json!({ "name": "n", "settings": { "max_context_tokens": 0 } }),
        json!({ "name": "n", "settings": { "text": "x".repeat(70_000) } }),
        json!({ "name": "n", "settings": { "budget_usd_per_month": "lots" } }),
        json!({ "name": "n", "settings": { "context_strategy": "huge" } }),
        json!({ "name": "n", "settings": [] }),
        json!({ "name": "n", "colour": "red" }),
        json!({ "name": 7 }),
        json!([]),
    ] {
        let refused = desk.post("/api/projects", wrong.clone()).await?;
        assert_eq!(refused.problem(), (422, "invalid".to_owned()), "{wrong}");
        let refused = desk.put(&place, wrong.clone()).await?;
        assert_eq!(refused.problem(), (422, "invalid".to_owned()), "{wrong}");
    }
    assert_eq!(steady(&desk.get("/api/projects").await?.json()), steady(&before));
    desk.stopped().await
}

stories![
    a_project_is_made_changed_and_deleted,
    pages_hold_every_project_once,
    a_name_is_taken_once_and_what_is_wrong_changes_nothing,
];
