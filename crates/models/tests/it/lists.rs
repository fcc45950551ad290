//! Asking providers for their models.

use crate::desk::KEY;
use dossier_core::catalogue::{ModelInfo, Protocol};
use dossier_core::tier::Tier;
use dossier_models::{Models, OwnCatalogue, Provider, Refreshed, Secret, builtin_catalogue};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::json;

fn told(refreshed: &[Refreshed]) -> Vec<ModelInfo> {
    refreshed.iter().flat_map(|provider| provider.told.clone()).collect()
}

#[tokio::test]
async fn a_refresh_takes_in_what_providers_tell_and_one_that_fails_fails_alone() {
    let anthropic = Script::start([Reply::json(
        200,
        &json!({"data": [{"type": "model", "id": "claude-opus-9", "display_name": "Claude Opus 9"}],
            "has_more": false}),
    )])
    .unwrap();
    let google = Script::start([Reply::json(
        200,
        &json!({"models": [{"name": "models/gemini-2.5-pro", "inputTokenLimit": 2_000_000,
            "supportedGenerationMethods": ["generateContent"]}]}),
    )])
    .unwrap();
    let openai = Script::start([Reply::json(401, &json!({"error": {"message": "no"}}))]).unwrap();
    let provider = |name, protocol, script: &Script, path| {
        Provider::new(name, protocol, &script.url(path), Secret::new(KEY)).unwrap()
    };
    let providers = [
        provider("anthropic", Protocol::Anthropic, &anthropic, "/v1"),
        provider("google", Protocol::Gemini, &google, "/v1beta"),
        provider("openai", Protocol::Chat, &openai, "/v1"),
    ];
    let models = Models::new(builtin_catalogue().clone(), providers).unwrap();
    let before = models.catalogue().info("google/gemini-2.5-pro");
    let refreshed = models.refresh().await;
    let models = models.with_told(told(&refreshed));
    let refreshed: Vec<(String, Option<usize>)> = refreshed
        .into_iter()
        .map(|refreshed| (refreshed.provider, refreshed.models.ok()))
        .collect();
    let expected = [("anthropic", Some(1)), ("google", Some(1)), ("openai", None)];
    assert_eq!(refreshed, expected.map(|(name, count)| (name.to_owned(), count)));
    assert_eq!(models.catalogue().info("claude-opus-9").name, "Claude Opus 9");
    let after = models.catalogue().info("google/gemini-2.5-pro");
    assert_eq!(after.window.context, 2_000_000);
    assert_eq!((after.costs, after.tier), (before.costs, before.tier));

    let asked = |script: &Script, header: &str| {
        let request = script.requests().remove(0);
        (request.line.clone(), request.header(header).map(str::to_owned))
    };
    let line = |line: &str, key: &str| (line.to_owned(), Some(key.to_owned()));
    assert_eq!(asked(&anthropic, "x-api-key"), line("GET /v1/models?limit=1000", KEY));
    assert_eq!(asked(&google, "x-goog-api-key"), line("GET /v1beta/models?pageSize=1000", KEY));
    assert_eq!(asked(&openai, "authorization"), line("GET /v1/models", &format!("Bearer {KEY}")));
}

#[tokio::test]
async fn a_users_own_file_overrides_what_a_provider_tells_and_what_is_told_is_kept_without_it() {
    let list = json!({"data": [
        {"id": "qwen", "display_name": "Qwen", "context_length": 8_000},
        {"id": "small", "context_length": 2_000},
    ]});
    let home = Script::start([Reply::json(200, &list)]).unwrap();
    let own = r#"
        [[model]]
        provider = "home"
        id = "qwen"
        window = 64000
        tier = "fast"

        [[model]]
        provider = "home"
        id = "small"
        max_output = 4000
    "#;
    let provider = Provider::new("home", Protocol::Chat, &home.url("/v1"), None).unwrap();
    let models = Models::new(builtin_catalogue().clone(), [provider]).unwrap();
    let models = models.with_own(OwnCatalogue::read(own, "mine.toml").unwrap());
    let told = told(&models.refresh().await);
    let windows: Vec<u32> = told.iter().map(|model| model.window.context).collect();
    assert_eq!((windows, told[0].tier), (vec![8_000, 2_000], Tier::Balanced));
    let models = models.with_told(told);
    let qwen = models.catalogue().info("home/qwen");
    assert_eq!((qwen.name.as_str(), qwen.window.context, qwen.tier), ("Qwen", 64_000, Tier::Fast));
    // What a provider tells and what the file says do not go together: the file holds.
    assert_eq!(models.catalogue().info("home/small").window.output, 4_000);
}
