//! The names and shapes that the users of these tools know, and what holds where a call says
//! nothing.

use crate::call::Call;
use crate::client::Client;
use crate::options::{ClientRoots, ToolSet, Usual};
use crate::prompt;
use dossier_core::id::{OwnerId, ReceiptId};
use dossier_core::time::Timestamp;
use dossier_engine::{Embedder, Engine, Models, Roots, builtin_catalogue, now};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A store of its own, and somebody who calls the tools.
struct Desk {
    call: Call,
    _folder: TempDir,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
        let models = Models::new(builtin_catalogue().clone(), []).unwrap();
        let engine = Engine::open(&url, Embedder::none()).await.unwrap().with_models(models);
        let call = Call {
            workspace: engine.owner(&OwnerId::local()),
            usual_project: None,
            usual: Usual::new(7),
            roots: Roots::default(),
            client_roots: ClientRoots::Ignored,
            client: Client::silent(),
            name: None,
            now: now(),
        };
        Self { call, _folder: folder }
    }

    /// What a tool gives.
    async fn given(&self, tool: &str, arguments: Value) -> Value {
        let tools = super::tools();
        let tool = tools.iter().find(|known| known.listed.name == tool).unwrap();
        let result = tool.run(self.call.clone(), arguments).await;
        result.structured_content.unwrap_or_else(|| panic!("{:?}", result.content))
    }

    async fn make(&self, name: &str) -> Value {
        let made = json!({
            "action": "create", "name": name, "systemPrompt": "You are calm, and you stay so.",
            "personality": "calm", "model": "builtin/extractive",
        });
        self.given("context-manage", made).await
    }

    async fn chat(&self, more: Value) -> Value {
        let mut said = json!({"contextId": "Ada", "message": "Are you calm?"});
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.given("context-chat", said).await
    }

    /// Whether the model was reminded to keep the persona.
    async fn was_reminded(&self, chat: &Value) -> bool {
        let receipt = ReceiptId::from(chat["metadata"]["receiptId"].as_str().unwrap());
        let receipt = self.call.workspace.receipt(&receipt).await.unwrap();
        receipt.items.iter().any(|item| item.source.id.ends_with("#upkeep"))
    }
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// How many of them are given, and how many there are.
fn counts(listed: &Value, name: &str) -> (usize, u64) {
    (listed[name].as_array().unwrap().len(), listed["totalCount"].as_u64().unwrap())
}

#[tokio::test]
async fn a_persona_has_its_fields_and_the_usual_numbers() {
    let desk = Desk::new().await;
    let made = desk.make("Ada").await;
    assert_eq!(keys(&made), ["context", "message", "success"]);
    let ada = &made["context"];
    let expected = [
        "createdAt",
        "expiresAt",
        "expiryDays",
        "id",
        "isActive",
        "maxHistoryTokens",
        "maxTokens",
        "model",
        "name",
        "personality",
        "systemPrompt",
        "temperature",
        "updatedAt",
    ];
    assert_eq!(keys(ada), expected);
    let numbers = ["temperature", "maxTokens", "maxHistoryTokens", "expiryDays"];
    assert_eq!(json!(numbers.map(|name| &ada[name])), json!([0.7, 1_000, 15_000, 7]));
    assert_eq!((&made["success"], &ada["isActive"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn what_is_said_comes_with_both_messages_and_what_became_of_the_history() {
    let desk = Desk::new().await;
    let id = desk.make("Ada").await["context"]["id"].clone();
    let chat = desk.chat(json!({})).await;
    let expected =
        ["assistantResponse", "contextName", "metadata", "personality", "response", "userMessage"];
    assert_eq!(keys(&chat), expected);
    for (message, role) in [("userMessage", "user"), ("assistantResponse", "assistant")] {
        let said = &chat[message];
        let expected = ["content", "contextId", "createdAt", "id", "role", "tokenCount"];
        assert_eq!(keys(said), expected);
        assert_eq!((&said["contextId"], &said["role"]), (&id, &json!(role)));
        assert!(said["tokenCount"].as_u64().unwrap() > 0, "{said}");
    }
    assert_eq!(chat["response"], chat["assistantResponse"]["content"]);
    assert_eq!((&chat["contextName"], &chat["personality"]), (&json!("Ada"), &json!("calm")));
    let expected = [
        "contextExpiry",
        "historyTokens",
        "historyTruncated",
        "isExpired",
        "model",
        "receiptId",
        "tokensUsed",
    ];
    let about = &chat["metadata"];
    assert_eq!(keys(about), expected, "{about}");
    let fresh = ["historyTokens", "historyTruncated", "isExpired"].map(|name| &about[name]);
    assert_eq!(json!(fresh), json!([0, false, false]));
    assert!(desk.was_reminded(&chat).await);
    let second = desk.chat(json!({"maintainPersonality": false})).await;
    assert!(second["metadata"]["historyTokens"].as_u64().unwrap() > 0, "{second}");
    assert!(!desk.was_reminded(&second).await);
}

#[tokio::test]
async fn ten_personas_are_listed_at_once_and_none_whose_time_is_over() {
    let mut desk = Desk::new().await;
    for number in 0..11 {
        desk.make(&format!("Ada {number}")).await;
    }
    let list = async |desk: &Desk, more: Value| {
        let mut wanted = json!({"action": "list"});
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        counts(&desk.given("context-manage", wanted).await, "contexts")
    };
    assert_eq!(list(&desk, json!({})).await, (10, 11));
    assert_eq!(list(&desk, json!({"page": 2})).await, (1, 11));
    assert_eq!(list(&desk, json!({"pageSize": 4, "page": 3})).await, (3, 11));
    let days = 7 * 24 * 3_600_000 + 1_000;
    desk.call.now = Timestamp::from_millis(now().as_millis() + days);
    assert_eq!(list(&desk, json!({})).await, (0, 0));
    assert_eq!(list(&desk, json!({"includeExpired": true})).await, (10, 11));
}

#[tokio::test]
async fn presets_have_their_fields_and_those_put_away_are_listed_when_wanted() {
    let desk = Desk::new().await;
    let manage = async |wanted: Value| desk.given("personality-preset-manage", wanted).await;
    let made = manage(json!({
        "action": "create", "name": "Pilot", "description": "Knows the harbour.",
        "systemPrompt": "You are a pilot.", "defaultPersonality": "gruff",
        "defaultSettings": {"temperature": 0.0}, "metadata": {"experimental": true},
    }))
    .await;
    let preset = &made["preset"];
    let expected = [
        "createdAt",
        "defaultPersonality",
        "defaultSettings",
        "description",
        "id",
        "isActive",
        "metadata",
        "name",
        "systemPrompt",
        "updatedAt",
    ];
    assert_eq!(keys(preset), expected);
    let settings = json!({
        "temperature": 0.0, "maxTokens": 1_000, "maxHistoryTokens": 15_000, "expiryDays": 7,
    });
    assert_eq!(preset["defaultSettings"], settings);
    assert_eq!(preset["metadata"]["experimental"], true);
    assert_eq!(counts(&manage(json!({"action": "list"})).await, "presets"), (7, 7));
    let away = json!({"action": "update", "presetId": preset["id"], "isActive": false});
    assert_eq!(manage(away).await["preset"]["isActive"], false);
    assert_eq!(counts(&manage(json!({"action": "list"})).await, "presets"), (6, 6));
    let all = json!({"action": "list", "includeInactive": true});
    assert_eq!(counts(&manage(all).await, "presets"), (7, 7));
}

#[tokio::test]
async fn twenty_messages_are_listed_at_once_the_newest_first_and_go_by_id_or_age() {
    let desk = Desk::new().await;
    desk.make("Ada").await;
    for number in 0..11 {
        desk.chat(json!({"message": format!("Question {number}?")})).await;
    }
    let manage = async |more: Value| {
        let mut wanted = json!({"contextId": "Ada"});
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        desk.given("conversation-manage", wanted).await
    };
    let listed = manage(json!({"action": "list"})).await;
    assert_eq!(counts(&listed, "conversations"), (20, 22));
    let newest = &listed["conversations"][1];
    assert_eq!(newest["content"], "Question 10?");
    let oldest = manage(json!({"action": "list", "reverse": false, "pageSize": 1})).await;
    assert_eq!(oldest["conversations"][0]["content"], "Question 0?");
    let delete = async |which: (&str, Value)| {
        let (name, value) = which;
        manage(json!({"action": "delete", name: value})).await["deletedCount"].clone()
    };
    assert_eq!(delete(("conversationIds", json!([newest["id"]]))).await, 1);
    assert_eq!(delete(("olderThan", json!("2000-01-01T00:00:00Z"))).await, 0);
    assert_eq!(delete(("olderThan", json!("2999-01-01T00:00:00Z"))).await, 21);
    desk.chat(json!({})).await;
    assert_eq!(manage(json!({"action": "clear"})).await["deletedCount"], 2);
}

#[tokio::test]
async fn a_conversation_is_summed_up_with_what_is_known_or_what_is_given() {
    let desk = Desk::new().await;
    desk.make("Ada").await;
    desk.chat(json!({})).await;
    let prompt = "You are calm, and you stay so.";
    let plain = json!({"action": "create", "name": "Bea", "systemPrompt": prompt});
    desk.given("context-manage", plain).await;
    let about = async |arguments: Value| {
        let (sets, arguments) = (ToolSet::ALL.into(), arguments.as_object().unwrap().clone());
        let filled = prompt::get(&desk.call, &sets, prompt::SUMMARY, &arguments).await.unwrap();
        let text = json!(filled.messages[0].content)["text"].as_str().unwrap().to_owned();
        text.split("\n\n").nth(1).unwrap().to_owned()
    };
    let known = about(json!({"contextName": "Ada"})).await;
    let day = now().to_string().chars().take(10).collect::<String>();
    let expected = "Its personality: calm\nMessages exchanged: 2\nTime span: ";
    assert_eq!(known, format!("{expected}{day} to {day}"));
    let given = json!({
        "contextName": "Ada", "personality": "gruff", "interactionCount": "9", "timeSpan": "May",
    });
    let expected = "Its personality: gruff\nMessages exchanged: 9\nTime span: May";
    assert_eq!(about(given).await, expected);
    let expected = "Messages exchanged: 0\nTime span: nothing was said yet";
    assert_eq!(about(json!({"contextName": "Bea"})).await, expected);
}
