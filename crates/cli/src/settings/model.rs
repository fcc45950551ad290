//! The models that are asked when none is named: one name, or several with commas between.

use anyhow::bail;
use dossier_engine::MOST_MODELS;
use serde::Deserialize;
use std::fmt;

/// The longest name of a model.
const LONGEST: usize = 200;

/// Names of models, as a person writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "OneOrSeveral")]
pub struct ModelNames(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrSeveral {
    One(String),
    Several(Vec<String>),
}

impl TryFrom<OneOrSeveral> for ModelNames {
    type Error = anyhow::Error;

    fn try_from(given: OneOrSeveral) -> anyhow::Result<Self> {
        match given {
            OneOrSeveral::One(text) => Self::parse(&text),
            OneOrSeveral::Several(names) => Self::parse(&names.join(",")),
        }
    }
}

impl fmt::Display for ModelNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl ModelNames {
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let names: Vec<String> = text
            .split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        if names.is_empty() {
            bail!("no model is named; write one such as openai/gpt-4o");
        }
        if names.len() > MOST_MODELS {
            bail!("{} models are named and {MOST_MODELS} may answer at once", names.len());
        }
        if let Some(name) =
            names.iter().find(|name| name.len() > LONGEST || name.chars().any(char::is_control))
        {
            bail!("`{}` is no name of a model", name.escape_debug());
        }
        Ok(Self(names))
    }
}
