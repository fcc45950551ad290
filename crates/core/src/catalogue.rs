//! What is known of models: windows, prices, tiers, abilities. The one source of it; the data is
//! in a file that another crate reads.
//!
//! Invariant: every name gives an entry. What is not known counts as balanced, with a window that
//! nearly every model has, and without a price.

mod name;

use crate::chat::Usage;
use crate::tier::{Tier, Window};
use crate::tokens::Tokenizer;
use serde::{Deserialize, Serialize};

/// What is known of one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    pub provider: String,
    /// As the provider names it.
    pub id: String,
    pub aliases: Vec<String>,
    pub name: String,
    pub window: Window,
    /// None when it is not known; a model that costs nothing has zeros.
    pub costs: Option<Costs>,
    pub tier: Tier,
    pub capabilities: Capabilities,
    pub tokenizer: Tokenizer,
    /// The shortest beginning of a prompt that the provider keeps when it is asked to; none where
    /// it is not asked.
    pub cache_min_tokens: Option<u32>,
    /// Where the model is had by another interface than its provider's usual one.
    pub protocol: Option<Protocol>,
}

/// Dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    pub input: f64,
    pub output: f64,
    pub cached_input: f64,
    pub cache_write: f64,
}

impl Costs {
    /// What an answer cost, in dollars.
    pub fn of(&self, usage: Usage) -> f64 {
        let special = usage.cached_input.saturating_add(usage.cache_write);
        let dollars = |tokens: u32, price: f64| f64::from(tokens) * price / 1e6;
        dollars(usage.input.saturating_sub(special), self.input)
            + dollars(usage.cached_input, self.cached_input)
            + dollars(usage.cache_write, self.cache_write)
            + dollars(usage.output, self.output)
    }
}

/// What a model can do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    pub tools: bool,
    pub vision: bool,
    pub streaming: bool,
    pub thinking: bool,
    /// Whether the model refuses a temperature, as many that think do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fixed_sampling: bool,
}

/// The interfaces that models are had by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// OpenAI's chat completions, which most servers speak.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Anthropic,
    /// Google's generateContent.
    Gemini,
}

impl ModelInfo {
    /// What is assumed of a model that nothing is known of.
    pub fn unknown(provider: &str, id: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            id: id.to_owned(),
            aliases: Vec::new(),
            name: id.to_owned(),
            window: Window::CAUTIOUS,
            costs: None,
            tier: Tier::Balanced,
            // Nothing is kept from it: its provider says what it cannot do.
            capabilities: Capabilities {
                tools: true,
                vision: true,
                streaming: true,
                thinking: true,
                fixed_sampling: false,
            },
            tokenizer: Tokenizer::for_model(id),
            cache_min_tokens: None,
            protocol: None,
        }
    }

    /// Whether it is known to cost nothing.
    pub fn is_free(&self) -> bool {
        let Some(Costs { input, output, cached_input, cache_write }) = self.costs else {
            return false;
        };
        [input, output, cached_input, cache_write] == [0.0; 4]
    }

    /// The name that means this model and no other: `provider/id`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.provider, self.id)
    }

    fn is_called(&self, name: &str) -> bool {
        let same = |own: &String| own.eq_ignore_ascii_case(name);
        same(&self.id) || self.aliases.iter().any(same)
    }
}

/// Models by name, sorted by provider and id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalogue {
    models: Vec<ModelInfo>,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub enum Found<'a> {
    One(&'a ModelInfo),
    /// Several providers have a model of this name.
    Several(Vec<&'a ModelInfo>),
    Nothing,
}

impl Catalogue {
    pub fn new(models: impl IntoIterator<Item = ModelInfo>) -> Self {
        let mut catalogue = Self::default();
        catalogue.merge(models);
        catalogue
    }

    pub fn models(&self) -> &[ModelInfo] {
        &self.models
    }

    /// Adds entries; one that is here already is replaced.
    pub fn merge(&mut self, models: impl IntoIterator<Item = ModelInfo>) {
        for model in models {
            let key = |model: &ModelInfo| (model.provider.clone(), model.id.clone());
            match self.models.binary_search_by_key(&key(&model), key) {
                Ok(place) => self.models[place] = model,
                Err(place) => self.models.insert(place, model),
            }
        }
    }

    /// The entry of exactly this provider and id or alias.
    pub fn get(&self, provider: &str, id: &str) -> Option<&ModelInfo> {
        let own = |model: &&ModelInfo| model.provider == provider && model.is_called(id);
        self.models.iter().find(own)
    }

    /// What a user means by `provider/model`, or by a bare id.
    pub fn find(&self, name: &str) -> Found<'_> {
        let name = name.trim();
        if let Some((provider, id)) = name.split_once('/')
            && let Some(model) = self.get(name::provider(provider), id)
        {
            return Found::One(model);
        }
        let named: Vec<&ModelInfo> =
            self.models.iter().filter(|model| model.is_called(name)).collect();
        match named.as_slice() {
            [] => Found::Nothing,
            [model] => Found::One(model),
            _ => Found::Several(named),
        }
    }

    /// What is known or assumed of a model by any name it goes by: with a date behind it, with a
    /// gateway before it.
    pub fn info(&self, name: &str) -> ModelInfo {
        match self.find(name) {
            Found::One(model) => return model.clone(),
            Found::Several(models) if !models.is_empty() => return models[0].clone(),
            _ => {}
        }
        let (provider, id) = match name.trim().split_once('/') {
            Some((provider, id)) => (name::provider(provider), id),
            None => ("", name.trim()),
        };
        let known = name::forms(id)
            .find_map(|form| self.models.iter().find(|model| model.is_called(&form)).cloned());
        match known {
            // Another seller's price is not known, nor how it is called there.
            Some(known) if known.provider != provider && !provider.is_empty() => ModelInfo {
                provider: provider.to_owned(),
                id: id.to_owned(),
                aliases: Vec::new(),
                costs: None,
                cache_min_tokens: None,
                protocol: None,
                ..known
            },
            Some(known) => ModelInfo { id: id.to_owned(), aliases: Vec::new(), ..known },
            None => ModelInfo::unknown(provider, id),
        }
    }

    /// The full names most like this one, best first.
    pub fn near(&self, name: &str) -> Vec<String> {
        const MOST: usize = 3;
        let bare = name.trim().rsplit('/').next().unwrap_or_default().to_lowercase();
        let distance = |model: &ModelInfo| {
            let names = std::iter::once(&model.id).chain(&model.aliases);
            names.map(|own| name::distance(&own.to_lowercase(), &bare)).min().unwrap_or(usize::MAX)
        };
        let far = bare.chars().count().div_ceil(2);
        let mut near: Vec<(usize, String)> = self
            .models
            .iter()
            .map(|model| (distance(model), model.full_name()))
            .filter(|(distance, _)| *distance <= far)
            .collect();
        near.sort();
        near.into_iter().take(MOST).map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(provider: &str, id: &str, aliases: &[&str]) -> ModelInfo {
        ModelInfo {
            aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            window: Window { context: 200_000, output: 64_000 },
            tier: Tier::Smart,
            costs: Some(Costs { input: 3.0, output: 15.0, cached_input: 0.3, cache_write: 3.75 }),
            ..ModelInfo::unknown(provider, id)
        }
    }

    fn catalogue() -> Catalogue {
        Catalogue::new([
            model("openai", "gpt-4o", &[]),
            model("openai", "gpt-4o-mini", &[]),
            model("anthropic", "claude-sonnet-4-5", &["sonnet"]),
            model("google", "gemini-2.5-pro", &[]),
            model("here", "gpt-4o", &[]),
        ])
    }

    #[test]
    fn a_model_is_named_with_its_provider_or_alone_where_that_is_clear() {
        let catalogue = catalogue();
        let full = |name: &str| match catalogue.find(name) {
            Found::One(model) => model.full_name(),
            Found::Several(models) => {
                models.into_iter().map(ModelInfo::full_name).collect::<Vec<_>>().join(" or ")
            }
            Found::Nothing => "nothing".to_owned(),
        };
        assert_eq!(full("openai/gpt-4o"), "openai/gpt-4o");
        assert_eq!(full(" GPT-4o-mini"), "openai/gpt-4o-mini");
        assert_eq!(full("sonnet"), "anthropic/claude-sonnet-4-5");
        assert_eq!(full("gemini/gemini-2.5-pro"), "google/gemini-2.5-pro");
        assert_eq!(full("gpt-4o"), "here/gpt-4o or openai/gpt-4o");
        assert_eq!(full("gpt-4o-2024-08-06"), "nothing");
        assert_eq!(full(""), "nothing");
    }

    #[test]
    fn what_is_known_of_a_model_holds_under_other_names_too() {
        let catalogue = catalogue();
        for name in [
            "claude-sonnet-4-5-20250929",
            "anthropic/claude-sonnet-4-5@20250929",
            "openrouter/anthropic/claude-sonnet-4-5",
            "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "gpt-4o-mini-2024-07-18",
            "ft:gpt-4o-mini:acme::abc123",
            "models/gemini-2.5-pro-latest",
        ] {
            assert_eq!(catalogue.info(name).tier, Tier::Smart, "{name}");
        }
        assert_eq!(catalogue.info("azure/gpt-4o").costs, None);
        for name in ["gpt-4o-realtime", "marco-o1", "someone's-own", "", "x/"] {
            let info = catalogue.info(name);
            assert_eq!((info.tier, info.window), (Tier::Balanced, Window::CAUTIOUS), "{name}");
        }
    }

    #[test]
    fn a_name_that_nothing_has_is_told_what_is_near() {
        let catalogue = catalogue();
        assert_eq!(
            catalogue.near("openai/gpt-4o-mni"),
            ["openai/gpt-4o-mini", "here/gpt-4o", "openai/gpt-4o"]
        );
        assert_eq!(catalogue.near("sonet"), ["anthropic/claude-sonnet-4-5"]);
        assert_eq!(catalogue.near("zzz"), Vec::<String>::new());
    }

    #[test]
    fn an_entry_that_comes_later_replaces_the_earlier() {
        let mut catalogue = catalogue();
        catalogue.merge([model("openai", "gpt-4o", &["four"])]);
        assert_eq!(catalogue.models().len(), 5);
        assert!(matches!(catalogue.find("four"), Found::One(_)));
    }

    #[test]
    fn cached_tokens_have_prices_of_their_own() {
        let costs = Costs { input: 3.0, output: 15.0, cached_input: 0.3, cache_write: 3.75 };
        let usage = Usage {
            input: 1_000_000,
            output: 100_000,
            cached_input: 500_000,
            cache_write: 100_000,
            reasoning: 50_000,
        };
        let expected = 0.4 * 3.0 + 0.5 * 0.3 + 0.1 * 3.75 + 0.1 * 15.0;
        assert!((costs.of(usage) - expected).abs() < 1e-9);
    }
}
