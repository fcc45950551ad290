//! What a provider says about its models. Most give names alone; some give windows and prices.

use super::Provider;
use super::trouble::{connection, refused};
use crate::client::Client;
use crate::error::{ModelsError, Trouble};
use dossier_core::catalogue::{Catalogue, Costs, ModelInfo, Protocol};
use dossier_core::tier::Window;
use futures::StreamExt as _;
use serde_json::Value;
use std::time::Duration;

/// A list that takes longer is not waited for.
const LONGEST: Duration = Duration::from_secs(15);
/// The longest list in use has some hundred entries.
const LARGEST: usize = 16 << 20;

/// A model as its provider lists it. What it does not say is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Listed {
    id: String,
    name: Option<String>,
    context: Option<u32>,
    output: Option<u32>,
    thinking: Option<bool>,
    costs: Option<Costs>,
}

impl Listed {
    pub(crate) fn into_id(self) -> String {
        self.id
    }

    /// What is known of the model, with what its provider says.
    pub(crate) fn merged(self, provider: &str, catalogue: &Catalogue) -> ModelInfo {
        let mut info = match catalogue.get(provider, &self.id) {
            Some(known) => known.clone(),
            None => catalogue.info(&format!("{provider}/{}", self.id)),
        };
        info.name = self.name.unwrap_or(info.name);
        let context = self.context.unwrap_or(info.window.context);
        let output = self.output.unwrap_or(info.window.output).min(context / 2).max(1);
        info.window = Window { context, output };
        info.costs = self.costs.or(info.costs);
        info.capabilities.thinking = self.thinking.unwrap_or(info.capabilities.thinking);
        info
    }
}

/// The models of a provider that can be talked with.
pub(crate) async fn list(provider: &Provider, client: &Client) -> Result<Vec<Listed>, ModelsError> {
    let answer = fetch(provider, client).await.map_err(|trouble| ModelsError::Call {
        provider: provider.name.clone(),
        model: "models".to_owned(),
        trouble,
    })?;
    Ok(read(&answer))
}

async fn fetch(provider: &Provider, client: &Client) -> Result<Value, Trouble> {
    let suffix = match provider.protocol {
        Protocol::Chat | Protocol::Responses => "models",
        Protocol::Anthropic => "models?limit=1000",
        Protocol::Gemini => "models?pageSize=1000",
    };
    let url = reqwest::Url::parse(&format!("{}{suffix}", provider.base_url))
        .map_err(|error| Trouble::Invalid { said: error.to_string() })?;
    let mut request = client.to(&url).get(url.clone()).timeout(LONGEST);
    if let Some(key) = provider.key() {
        request = match provider.protocol {
            Protocol::Chat | Protocol::Responses => request.bearer_auth(key.reveal()),
            Protocol::Anthropic => request.header("x-api-key", key.reveal()),
            Protocol::Gemini => request.header("x-goog-api-key", key.reveal()),
        };
    }
    if provider.protocol == Protocol::Anthropic {
        request = request.header("anthropic-version", "2023-06-01");
    }
    let failed = |error: reqwest::Error| connection(provider, &error);
    let answer = request.send().await.map_err(failed)?;
    let (status, headers) = (answer.status(), answer.headers().clone());
    let mut body = Vec::new();
    let mut chunks = answer.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk.map_err(failed)?);
        if body.len() > LARGEST {
            return Err(Trouble::Invalid { said: "its list of models has no end".to_owned() });
        }
    }
    if !status.is_success() {
        let body = String::from_utf8_lossy(&body);
        return Err(refused(provider, status.as_u16(), &body, &headers));
    }
    serde_json::from_slice(&body)
        .map_err(|_| Trouble::Invalid { said: "its list of models is no JSON".to_owned() })
}

/// The models of a list, in any of the forms that are in use.
fn read(answer: &Value) -> Vec<Listed> {
    let models = [answer.get("data"), answer.get("models"), Some(answer)]
        .into_iter()
        .flatten()
        .find_map(Value::as_array);
    models.into_iter().flatten().filter_map(model).collect()
}

fn model(entry: &Value) -> Option<Listed> {
    let text = |names: &[&str]| names.iter().find_map(|name| entry.get(name)?.as_str());
    let number = |places: &[&str]| {
        let number = places.iter().find_map(|place| entry.pointer(place)?.as_u64());
        number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0)
    };
    let id = text(&["id", "name"])?;
    let id = id.strip_prefix("models/").unwrap_or(id);
    let methods = entry.get("supportedGenerationMethods").and_then(Value::as_array);
    let cannot_chat = methods.is_some_and(|methods| {
        !methods.iter().any(|method| method.as_str() == Some("generateContent"))
    });
    if cannot_chat || is_other(id) {
        return None;
    }
    let context = [
        "/inputTokenLimit",
        "/max_input_tokens",
        "/context_length",
        "/context_window",
        "/max_model_len",
        "/meta/n_ctx",
        "/meta/n_ctx_train",
    ];
    let output = ["/outputTokenLimit", "/max_tokens", "/top_provider/max_completion_tokens"];
    Some(Listed {
        id: id.to_owned(),
        name: text(&["display_name", "displayName"]).map(str::to_owned),
        context: number(&context),
        output: number(&output),
        thinking: entry.get("thinking").and_then(Value::as_bool),
        costs: costs(entry),
    })
}

/// Prices in dollars a token, as gateways list them.
fn costs(entry: &Value) -> Option<Costs> {
    let price = |name: &str| {
        let value = entry.get("pricing")?.get(name)?;
        let dollars = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
        Some(dollars * 1e6).filter(|price| (0.0..1e6).contains(price))
    };
    let input = price("prompt")?;
    Some(Costs {
        input,
        output: price("completion")?,
        cached_input: price("input_cache_read").unwrap_or(input),
        cache_write: price("input_cache_write").unwrap_or(input),
    })
}

/// Whether a model is for something else than talking.
fn is_other(id: &str) -> bool {
    const PARTS: [&str; 16] = [
        "embed",
        "whisper",
        "tts",
        "dall-e",
        "image",
        "audio",
        "realtime",
        "moderation",
        "transcribe",
        "sora",
        "davinci",
        "babbage",
        "video",
        "veo",
        "rerank",
        "live",
    ];
    let id = id.to_lowercase();
    PARTS.iter().any(|part| id.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_are_read_in_every_form_that_is_in_use() {
        let ids = |answer: Value| read(&answer).into_iter().map(|m| m.id).collect::<Vec<_>>();
        assert_eq!(
            ids(json!({"data": [{"id": "gpt-4o"}, {"id": "text-embedding-3-small"}, {"no": 1}]})),
            ["gpt-4o"]
        );
        let gemini = json!({"models": [
            {"name": "models/gemini-2.5-pro", "displayName": "Gemini 2.5 Pro",
             "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536, "thinking": true,
             "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/aqa", "supportedGenerationMethods": ["generateAnswer"]},
        ]});
        assert_eq!(
            read(&gemini),
            [Listed {
                id: "gemini-2.5-pro".to_owned(),
                name: Some("Gemini 2.5 Pro".to_owned()),
                context: Some(1_048_576),
                output: Some(65_536),
                thinking: Some(true),
                costs: None,
            }]
        );
        let gateway = json!({"data": [{"id": "a/b", "context_length": 8192,
            "pricing": {"prompt": "0.000001", "completion": "0.000002"}}]});
        let costs = Costs { input: 1.0, output: 2.0, cached_input: 1.0, cache_write: 1.0 };
        assert_eq!(read(&gateway)[0].costs, Some(costs));
        assert_eq!(ids(json!({"error": "no"})), Vec::<String>::new());
        assert_eq!(ids(json!([1, "x", null])), Vec::<String>::new());
    }

    #[test]
    fn what_a_provider_says_is_added_to_what_is_known() {
        let catalogue = crate::builtin_catalogue();
        let listed = Listed { id: "gpt-4o".to_owned(), context: Some(64_000), ..Listed::default() };
        let known = catalogue.info("openai/gpt-4o");
        let merged = listed.merged("openai", catalogue);
        let window = Window { context: 64_000, output: known.window.output };
        assert_eq!(merged, ModelInfo { window, ..known });
        let new = Listed { id: "brand-new".to_owned(), ..Listed::default() };
        assert_eq!(new.merged("openai", catalogue), ModelInfo::unknown("openai", "brand-new"));
    }
}
