//! Dossiers, their receipts, and search.

use crate::database::Database;
use crate::desk::Desk;
use crate::steady::steady;
use anyhow::Result;
use dossier_store::ReceiptRow;
use serde_json::{Value, json};

/// A project with two files and a conversation.
async fn ferry(desk: &Desk) -> Result<(String, String)> {
    let project = desk.project("ferry").await?;
    desk.file(&project, "docs/wind.md", "# Wind\n\nBookings are refused above 50 knots.\n").await?;
    desk.file(&project, "docs/fares.md", "# Fares\n\nA child pays half.\n").await?;
    let talk = json!({
        "title": "Planning",
        "messages": [
            { "speaker": "user", "content": "Who decided the limit of the wind?", "created_at": "2026-03-16T09:00:00Z" },
            { "speaker": "assistant", "content": "Ines decided it in March.", "created_at": "2026-03-16T09:01:00Z" },
        ],
    });
    let import = format!("/api/projects/{project}/conversations/import");
    let made = desk.post(&import, talk).await?.json();
    Ok((project, made["conversation_id"].as_str().unwrap().to_owned()))
}

async fn a_dossier_comes_with_its_receipt_which_gives_the_messages_again(
    database: Database,
) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let (project, conversation) = ferry(&desk).await?;
    let request = json!({
        "conversation_id": conversation, "user_turn": "Why are bookings refused?",
        "token_budget": 800, "intent": "deep_analysis", "force_refresh": true,
    });
    let assembled = desk.post("/api/context/assemble", request.clone()).await?;
    assert_eq!(assembled.status, 200);
    let document = assembled.json();
    insta::assert_json_snapshot!("assembled", steady(&document));

    let receipt = document["receipt"]["id"].as_str().unwrap();
    let kept = desk.get(&format!("/api/receipts/{receipt}")).await?;
    assert_eq!((kept.status, &kept.json()), (200, &document["receipt"]));
    let rendered = desk.get(&format!("/api/receipts/{receipt}/rendered")).await?.json();
    let messages: Vec<&Value> = [&document["header"], &document["working_set"]]
        .into_iter()
        .flat_map(|part| part.as_array().unwrap())
        .collect();
    assert_eq!(rendered, json!({ "receipt_id": receipt, "messages": messages }));

    let again = desk.post("/api/context/assemble", request).await?.json();
    assert_eq!(again["cache_key"], document["cache_key"]);
    let other = json!({ "project_id": project, "user_turn": "What does a child pay?" });
    let other = desk.post("/api/context/assemble", other).await?.json();
    assert_eq!(other["receipt"]["profile"], "lean");
    assert_ne!(other["cache_key"], document["cache_key"]);
    let named = ["read_project_file", "list_project_files", "search_project", "expand_ref"];
    assert_eq!(other["lazy_tools"], json!(named));
    assert_eq!(other["receipt"]["tools"], json!(named));
    let purpose = "Reads a file of the project, or some of its lines";
    assert_eq!(other["receipt"]["tool_purposes"]["read_project_file"], purpose);
    assert_eq!(other["receipt"]["tool_purposes"].as_object().map(|all| all.len()), Some(4));
    desk.stopped().await
}

async fn a_reply_knows_what_its_writer_was_given(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let (_, conversation) = ferry(&desk).await?;
    let request = json!({ "conversation_id": conversation, "user_turn": "Who decided?" });
    let made = desk.post("/api/context/assemble", request).await?.json();
    let messages = desk.get(&format!("/api/conversations/{conversation}")).await?.json();
    let reply = messages["messages"][1]["id"].as_str().unwrap();
    let store = database.owner().await?;
    let kept = store.receipt(&made["receipt"]["id"].as_str().unwrap().into()).await?.unwrap();
    let mut own = ReceiptRow { id: "rcp_own".into(), message: Some(reply.into()), ..kept };
    let mut body: Value = serde_json::from_str(&own.body)?;
    body["id"] = json!("rcp_own");
    own.body = body.to_string();
    store.put_receipt(&own, &[]).await?;

    let context = format!("/api/messages/{reply}/context");
    let mut receipt = made["receipt"].clone();
    receipt["id"] = json!("rcp_own");
    assert_eq!(desk.get(&context).await?.json(), receipt);
    let rendered = desk.get(&format!("{context}/rendered")).await?.json();
    let again = desk.get("/api/receipts/rcp_own/rendered").await?.json();
    assert_eq!((&rendered["receipt_id"], &rendered), (&json!("rcp_own"), &again));
    assert_eq!(rendered["messages"][0], made["header"][0]);
    desk.stopped().await
}

async fn a_session_is_known_from_its_first_use(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let (project, conversation) = ferry(&desk).await?;
    let place = async |request: Value| -> Result<(Value, Value)> {
        let made = desk.post("/api/context/assemble", request.clone()).await?;
        assert_eq!(made.status, 200, "{request} {:?}", made.body);
        let receipt = made.json()["receipt"].clone();
        Ok((receipt["project_id"].clone(), receipt["conversation_id"].clone()))
    };
    let there = (json!(project), json!(conversation));
    let first = json!({
        "session_id": "laptop", "conversation_id": conversation, "user_turn": "Why?",
    });
    assert_eq!(place(first).await?, there);
    assert_eq!(place(json!({ "session_id": "laptop", "user_turn": "Why?" })).await?, there);
    assert_eq!(place(json!({ "session_id": conversation, "user_turn": "Why?" })).await?, there);
    // It goes where its client goes.
    let garden = desk.project("garden").await?;
    let moved = json!({ "session_id": "laptop", "project_id": garden, "user_turn": "Why?" });
    assert_eq!(place(moved).await?, (json!(garden), Value::Null));
    let next = json!({ "session_id": "laptop", "user_turn": "Why?" });
    assert_eq!(place(next).await?, (json!(garden), Value::Null));
    desk.stopped().await
}

async fn what_cannot_be_assembled_says_why(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let (project, conversation) = ferry(&desk).await?;
    let with = |key: &str, value: Value| {
        let mut request = json!({ "project_id": project, "user_turn": "Why?" });
        request[key] = value;
        request
    };
    for (request, problem) in [
        (with("user_turn", json!("  ")), (422, "invalid")),
        (with("user_turn", json!("x".repeat(2 << 20))), (422, "invalid")),
        (with("token_budget", json!(0)), (422, "invalid")),
        (with("token_budget", json!(-1)), (422, "invalid")),
        (with("token_budget", json!(5)), (422, "budget_too_small")),
        (with("profile", json!("fat")), (422, "invalid")),
        (with("intent", json!("mischief")), (422, "invalid")),
        (with("project_id", json!("prj_none")), (404, "not_found")),
        (with("conversation_id", json!("thr_none")), (404, "not_found")),
        (with("session_id", json!("")), (422, "invalid")),
    ] {
        let refused = desk.post("/api/context/assemble", request.clone()).await?;
        assert_eq!(refused.problem(), (problem.0, problem.1.to_owned()), "{request}");
    }
    // A session that was refused has been nowhere.
    let refused = json!({ "session_id": "new", "conversation_id": conversation, "user_turn": " " });
    assert_eq!(desk.post("/api/context/assemble", refused).await?.status, 422);
    let next = json!({ "session_id": "new", "user_turn": "Why?" });
    let next = desk.post("/api/context/assemble", next).await?;
    assert_eq!(next.status, 200);
    assert_ne!(next.json()["receipt"]["project_id"], project);
    for path in ["/api/receipts/rcp_none", "/api/receipts/rcp_none/rendered"] {
        assert_eq!(desk.get(path).await?.problem(), (404, "not_found".to_owned()));
    }
    let messages = desk.get(&format!("/api/conversations/{conversation}")).await?.json();
    let message = messages["messages"][0]["id"].as_str().unwrap();
    for path in ["context", "context/rendered"] {
        let path = format!("/api/messages/{message}/{path}");
        assert_eq!(desk.get(&path).await?.problem(), (404, "not_found".to_owned()));
    }
    desk.stopped().await
}

async fn search_finds_in_one_project_or_in_all(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let (ferry, _) = ferry(&desk).await?;
    let garden = desk.project("garden").await?;
    desk.file(&garden, "wind.md", "The wind breaks the tulips.\n").await?;
    let found =
        desk.post(&format!("/api/projects/{ferry}/search"), json!({ "query": "wind" })).await?;
    assert_eq!(found.status, 200);
    insta::assert_json_snapshot!("found", steady(&found.json()));
    let found = desk.post("/api/search/global", json!({ "query": "wind" })).await?.json();
    let hits = found["hits"].as_array().unwrap();
    let projects: Vec<&str> = hits.iter().map(|hit| hit["project"].as_str().unwrap()).collect();
    assert!(projects.contains(&"ferry") && projects.contains(&"garden"), "{found}");
    let one = desk.post("/api/search/global", json!({ "query": "wind", "limit": 1 })).await?.json();
    assert_eq!(one["hits"].as_array().unwrap(), &hits[..1]);
    let nothing = json!({ "hits": [], "warnings": [] });
    for query in ["", "zeppelin", "\"wind wind wind\""] {
        let found = desk.post("/api/search/global", json!({ "query": query })).await?;
        assert_eq!(found.told(), (200, nothing.clone()), "{query}");
    }
    for wrong in
        [json!({ "query": "a", "limit": 0 }), json!({ "query": "a", "limit": 1001 }), json!({})]
    {
        let refused = desk.post("/api/search/global", wrong).await?;
        assert_eq!(refused.problem(), (422, "invalid".to_owned()));
    }
    desk.stopped().await
}

stories![
    a_dossier_comes_with_its_receipt_which_gives_the_messages_again,
    a_reply_knows_what_its_writer_was_given,
    a_session_is_known_from_its_first_use,
    what_cannot_be_assembled_says_why,
    search_finds_in_one_project_or_in_all,
];
