//! The embedder as settings name it: `local`, `none`, or the URL and model of a service. The key of
//! a service is no part of it: it comes from the environment alone, and is never shown.

use anyhow::{Context as _, anyhow};
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use dossier_engine::{Address, Embedder, Key};
use serde::Deserialize;
use std::ffi::OsStr;
use std::fmt;

/// What turns text into vectors.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum EmbedderChoice {
    /// The model in the program itself.
    Local,
    None,
    Service(Address),
}

impl EmbedderChoice {
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        match text {
            "local" => Ok(Self::Local),
            "none" => Ok(Self::None),
            url if url.contains("://") => {
                let address = url.parse().context("the embedder's URL cannot be used");
                address.map(Self::Service)
            }
            _ => Err(anyhow!(
                "there is no embedder `{text}`; choose local, none, or a service: \
                 https://host/v1#model"
            )),
        }
    }

    /// The embedder, with the key for its service.
    pub fn embedder(&self, key: Option<Key>) -> Embedder {
        match self {
            Self::Local => Embedder::local(),
            Self::None => Embedder::none(),
            Self::Service(address) => Embedder::endpoint(address.clone(), key),
        }
    }
}

impl fmt::Display for EmbedderChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str("local"),
            Self::None => f.write_str("none"),
            Self::Service(address) => address.fmt(f),
        }
    }
}

impl TryFrom<String> for EmbedderChoice {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).map_err(|error| format!("{error:#}"))
    }
}

/// Reads the flag. The usual parser repeats a wrong value, and a URL may hold a password.
#[derive(Debug, Clone, Copy)]
pub struct EmbedderParser;

impl TypedValueParser for EmbedderParser {
    type Value = EmbedderChoice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<EmbedderChoice, clap::Error> {
        let text = value.to_str().unwrap_or_default();
        EmbedderChoice::parse(text).map_err(|error| {
            let more = "For more information, try '--help'.";
            let message = format!("--embedder: {error:#}\n\n{more}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}
