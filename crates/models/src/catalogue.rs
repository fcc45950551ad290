//! The catalogue's data: what comes with the program, and what a user's file says otherwise.

use crate::error::ModelsError;
use dossier_core::catalogue::{Catalogue, Costs, ModelInfo, Protocol};
use dossier_core::tier::Tier;
use dossier_core::tokens::Tokenizer;
use serde::Deserialize;
use std::sync::OnceLock;

const BUILT_IN: &str = include_str!("../models.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    model: Vec<Entry>,
}

/// An entry of a file. What it leaves out stays as it is known, or as it is assumed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    provider: String,
    id: String,
    aliases: Option<Vec<String>>,
    name: Option<String>,
    window: Option<u32>,
    max_output: Option<u32>,
    input: Option<f64>,
    output: Option<f64>,
    cached_input: Option<f64>,
    cache_write: Option<f64>,
    tier: Option<Tier>,
    capabilities: Option<Vec<Capability>>,
    tokenizer: Option<Tokenizer>,
    cache_min_tokens: Option<u32>,
    protocol: Option<Protocol>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Capability {
    Tools,
    Vision,
    Streaming,
    Thinking,
    FixedSampling,
}

/// What comes with the program.
pub fn builtin() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // A test reads it, so that it can always be read.
    let read = || read(BUILT_IN, "models.toml", Catalogue::default()).unwrap_or_default();
    CATALOGUE.get_or_init(read)
}

/// What a user's own file says of models. It is kept apart from the rest, since it is laid over
/// whatever else becomes known.
#[derive(Debug, Clone, Default)]
pub struct OwnCatalogue {
    entries: Vec<Entry>,
}

impl OwnCatalogue {
    /// A file in the form of `models.toml`; `file` is its name in errors.
    pub fn read(text: &str, file: &str) -> Result<Self, ModelsError> {
        read(text, file, builtin().clone())?;
        let File { model } = toml::from_str(text).map_err(|error| bad(file, error.to_string()))?;
        Ok(Self { entries: model })
    }

    /// A catalogue with what the file says. A window that a provider tells and that does not go
    /// with the file's own numbers does not count.
    pub(crate) fn over(&self, mut catalogue: Catalogue) -> Catalogue {
        for entry in &self.entries {
            let info = entry.over(&catalogue).or_else(|_| entry.over(builtin()));
            catalogue.merge(info);
        }
        catalogue
    }
}

/// A catalogue with what a file says, in the form of `models.toml`; `file` is its name in errors.
fn read(text: &str, file: &str, mut catalogue: Catalogue) -> Result<Catalogue, ModelsError> {
    let File { model } = toml::from_str(text).map_err(|error| bad(file, error.to_string()))?;
    for entry in model {
        let name = format!("{}/{}", entry.provider, entry.id);
        let info =
            entry.over(&catalogue).map_err(|reason| bad(file, format!("{name}: {reason}")))?;
        catalogue.merge([info]);
    }
    Ok(catalogue)
}

fn bad(file: &str, reason: String) -> ModelsError {
    ModelsError::BadCatalogue { file: file.to_owned(), reason }
}

impl Entry {
    fn over(&self, catalogue: &Catalogue) -> Result<ModelInfo, &'static str> {
        if self.provider.is_empty() || self.provider.contains('/') || self.id.is_empty() {
            return Err("provider and id must be named, and a provider has no `/`");
        }
        let name = format!("{}/{}", self.provider, self.id);
        let mut info = match catalogue.get(&self.provider, &self.id) {
            Some(known) => known.clone(),
            None => catalogue.info(&name),
        };
        let window = &mut info.window;
        window.context = self.window.unwrap_or(window.context);
        window.output = self.max_output.unwrap_or(window.output.min(window.context / 2));
        if window.output == 0 || window.output > window.context {
            return Err("max_output must be above 0, and not above window");
        }
        info.costs = costs(self)?.or(info.costs);
        info.aliases = self.aliases.clone().unwrap_or(info.aliases);
        info.name = self.name.clone().unwrap_or(info.name);
        info.tier = self.tier.unwrap_or(info.tier);
        if let Some(capabilities) = &self.capabilities {
            let has = |capability| capabilities.contains(&capability);
            info.capabilities.tools = has(Capability::Tools);
            info.capabilities.vision = has(Capability::Vision);
            info.capabilities.streaming = has(Capability::Streaming);
            info.capabilities.thinking = has(Capability::Thinking);
            info.capabilities.fixed_sampling = has(Capability::FixedSampling);
        }
        info.tokenizer = self.tokenizer.unwrap_or(info.tokenizer);
        info.cache_min_tokens = self.cache_min_tokens.or(info.cache_min_tokens);
        info.protocol = self.protocol.or(info.protocol);
        Ok(info)
    }
}

fn costs(entry: &Entry) -> Result<Option<Costs>, &'static str> {
    let all = [entry.input, entry.output, entry.cached_input, entry.cache_write];
    if all.iter().flatten().any(|price| !(0.0..1e6).contains(price)) {
        return Err("a price is a number of dollars per million tokens, from 0");
    }
    match (entry.input, entry.output) {
        (Some(input), Some(output)) => Ok(Some(Costs {
            input,
            output,
            cached_input: entry.cached_input.unwrap_or(input),
            cache_write: entry.cache_write.unwrap_or(input),
        })),
        (None, None) if entry.cached_input.is_none() && entry.cache_write.is_none() => Ok(None),
        _ => Err("a price needs both input and output"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dossier_core::catalogue::Found;
    use dossier_core::tier::Window;
    use std::collections::BTreeSet;

    #[test]
    fn the_built_in_catalogue_is_whole_and_every_name_in_it_means_one_model() {
        let catalogue = read(BUILT_IN, "models.toml", Catalogue::default()).unwrap();
        assert!(catalogue.models().len() > 40);
        for model in catalogue.models() {
            let name = model.full_name();
            assert_ne!(model.window, Window::CAUTIOUS, "{name}");
            assert!(model.costs.is_some() || model.provider == "ollama", "{name}");
            for alias in std::iter::once(&model.id).chain(&model.aliases) {
                assert_eq!(catalogue.find(alias), Found::One(model), "{alias}");
            }
        }
        let providers: BTreeSet<&str> =
            catalogue.models().iter().map(|model| model.provider.as_str()).collect();
        let expected = ["anthropic", "builtin", "google", "ollama", "openai", "xai"];
        assert_eq!(providers, BTreeSet::from(expected));
    }

    #[test]
    fn tiers_are_those_of_the_table() {
        let catalogue = builtin();
        for (model, tier) in [
            ("gpt-4", Tier::Smart),
            ("gpt-4-turbo-2024-04-09", Tier::Smart),
            ("gpt-4o", Tier::Smart),
            ("claude-opus-4", Tier::Smart),
            ("claude-opus-4-1", Tier::Smart),
            ("claude-sonnet-4", Tier::Smart),
            ("claude-sonnet-4-5-20250929", Tier::Smart),
            ("gemini-2.0-pro", Tier::Smart),
            ("google/gemini-2.5-pro", Tier::Smart),
            ("openai/gpt-4o-mini", Tier::Balanced),
            ("claude-sonnet-3.5", Tier::Balanced),
            ("gemini-1.5-pro", Tier::Balanced),
            ("gpt-3.5-turbo", Tier::Fast),
            ("claude-haiku-3.5", Tier::Fast),
            ("gemini-1.5-flash", Tier::Fast),
            ("gemini-2.0-flash", Tier::Fast),
            ("someone's-own", Tier::Balanced),
        ] {
            assert_eq!(catalogue.info(model).tier, tier, "{model}");
        }
        assert_eq!(catalogue.info("gpt-4").window.context, 8_192);
        assert_eq!(catalogue.info("openai/gpt-4.1").window.context, 1_047_576);
        for (model, window) in
            [("openai/o3", 200_000), ("openai/o3-pro", 200_000), ("gemini-2.5-pro", 1_048_576)]
        {
            assert_eq!(catalogue.info(model).window.context, window, "{model}");
        }
    }

    #[test]
    fn a_users_file_overrides_what_it_names_and_nothing_else() {
        let before = builtin();
        let text = r#"
            [[model]]
            provider = "openai"
            id = "gpt-4o"
            tier = "smart"

            [[model]]
            provider = "home"
            id = "qwen-coder"
            window = 16384
            capabilities = ["tools"]
        "#;
        let after = read(text, "mine.toml", before.clone()).unwrap();
        let known = before.info("openai/gpt-4o");
        assert_eq!(after.info("openai/gpt-4o"), ModelInfo { tier: Tier::Smart, ..known });
        let own = after.info("qwen-coder");
        assert_eq!(own.window, Window { context: 16_384, output: 4_096 });
        assert!(own.capabilities.tools && !own.capabilities.vision);
        assert_eq!(after.models().len(), before.models().len() + 1);
    }

    #[test]
    fn a_file_that_makes_no_sense_is_refused_with_its_name() {
        let reason =
            |text: &str| read(text, "mine.toml", builtin().clone()).unwrap_err().to_string();
        assert!(reason("[[model]]\nid = \"x\"").contains("mine.toml"));
        let entry = |rest: &str| format!("[[model]]\nprovider = \"p\"\nid = \"m\"\n{rest}");
        assert!(reason(&entry("tier = \"huge\"")).contains("huge"));
        assert!(reason(&entry("windw = 3")).contains("windw"));
        assert!(reason(&entry("input = 3")).contains("p/m: a price needs both"));
        assert!(reason(&entry("input = -3\noutput = 1")).contains("from 0"));
        assert!(reason(&entry("window = 10\nmax_output = 11")).contains("max_output"));
        assert!(reason(&entry("tokenizer = \"wordpiece\"")).contains("wordpiece"));
    }
}
