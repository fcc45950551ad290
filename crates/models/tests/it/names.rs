//! What a name means among the providers that are set up.

use dossier_core::catalogue::{ModelInfo, Protocol};
use dossier_models::{Models, ModelsError, Provider, Secret, builtin_catalogue};

fn models(names: &[&str]) -> Models {
    let provider = |name: &&str| {
        Provider::new(name, Protocol::Chat, "https://host.example/v1", Secret::new("k")).unwrap()
    };
    Models::new(builtin_catalogue().clone(), names.iter().map(provider)).unwrap()
}

fn told(models: &Models, name: &str) -> String {
    match models.get(name) {
        Ok(model) => model.info().full_name(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_model_is_had_by_its_full_name_its_id_or_an_alias() {
    let models = models(&["openai", "anthropic", "home"]);
    for (name, expected) in [
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("gpt-4o", "openai/gpt-4o"),
        ("o3", "openai/o3"),
        ("sonnet", "anthropic/claude-sonnet-5-5"),
        ("openai/gpt-4o-2024-08-06", "openai/gpt-4o-2024-08-06"),
        ("home/whatever-7b", "home/whatever-7b"),
        ("home/org/model", "home/org/model"),
        ("extractive", "builtin/extractive"),
        ("builtin/extractive", "builtin/extractive"),
        ("gemini", "the provider `google` is not set up; set GEMINI_API_KEY, or store a key"),
        ("llama3.2", "the provider `ollama` is not set up; start ollama on this machine"),
        (
            "gpt4o",
            "no model is called `gpt4o`; near it are openai/gpt-4o, openai/gpt-4, openai/gpt-5",
        ),
        (
            "whatever-7b",
            "no model is called `whatever-7b`; write provider/model, as in openai/gpt-4o",
        ),
        ("office/x", "no model is called `office/x`; write provider/model, as in openai/gpt-4o"),
        ("", "no model is called ``; write provider/model, as in openai/gpt-4o"),
        ("openai/", "no model is called `openai/`; write provider/model, as in openai/gpt-4o"),
    ] {
        assert_eq!(told(&models, name), expected, "{name}");
    }
}

#[test]
fn an_id_that_several_have_means_the_one_that_is_set_up() {
    let own = ModelInfo::unknown("home", "gpt-4o");
    let mut catalogue = builtin_catalogue().clone();
    catalogue.merge([own]);
    let at = |name| {
        Provider::new(name, Protocol::Chat, "https://host.example/v1", Secret::new("k")).unwrap()
    };
    let one = Models::new(catalogue.clone(), [at("home")]).unwrap();
    assert_eq!(told(&one, "gpt-4o"), "home/gpt-4o");
    let both = Models::new(catalogue, [at("home"), at("openai")]).unwrap();
    let expected = ModelsError::Ambiguous {
        name: "gpt-4o".to_owned(),
        choices: vec!["home/gpt-4o".to_owned(), "openai/gpt-4o".to_owned()],
    };
    assert_eq!(both.get("gpt-4o").unwrap_err(), expected);
}

#[test]
fn without_any_provider_the_built_in_model_is_ready() {
    let ready: Vec<String> = models(&[]).ready().into_iter().map(ModelInfo::full_name).collect();
    assert_eq!(ready, ["builtin/extractive"]);
    let some = models(&["xai"]);
    let ready: Vec<String> = some.ready().into_iter().map(ModelInfo::full_name).collect();
    assert_eq!(ready.first().map(String::as_str), Some("xai/grok-4"));
    assert_eq!(ready.last().map(String::as_str), Some("builtin/extractive"));
}
