//! What can be read by its address: personas, presets, templates for them, and receipts. What is
//! read is JSON, with the fields that the tools give.

use crate::call::Call;
use crate::options::ToolSet;
use crate::persona;
use dossier_core::id::MessageId;
use dossier_core::receipt::Receipt;
use dossier_core::render::WireMessage;
use dossier_engine::EngineError;
use percent_encoding::percent_decode_str;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde::Serialize;
use std::collections::BTreeSet;

const PERSONAS: &str = "mcp-llm-generator://";
const RECEIPTS: &str = "dossier://receipt/";
const JSON: &str = "application/json";

/// What an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Address {
    Contexts,
    Context(String),
    Templates,
    Presets,
    Preset(String),
    Receipt(String),
}

impl Address {
    fn parse(uri: &str) -> Option<Self> {
        let decoded = |text: &str| {
            let text = percent_decode_str(text).decode_utf8().ok()?;
            (!text.is_empty()).then(|| text.into_owned())
        };
        if let Some(message) = uri.strip_prefix(RECEIPTS) {
            return decoded(message).map(Self::Receipt);
        }
        match uri.strip_prefix(PERSONAS)? {
            "contexts" => Some(Self::Contexts),
            "personality-templates" => Some(Self::Templates),
            "personality-presets" => Some(Self::Presets),
            named => {
                let (kind, name) = named.split_once('/')?;
                match kind {
                    "context" => decoded(name).map(Self::Context),
                    "preset" => decoded(name).map(Self::Preset),
                    _ => None,
                }
            }
        }
    }

    fn set(&self) -> Option<ToolSet> {
        (!matches!(self, Self::Receipt(_))).then_some(ToolSet::Persona)
    }
}

/// The address of one persona.
pub fn context_uri(id: &str) -> String {
    format!("{PERSONAS}context/{id}")
}

/// Those that everybody has, in the order of their addresses.
pub fn fixed(sets: &BTreeSet<ToolSet>) -> Vec<Resource> {
    if !sets.contains(&ToolSet::Persona) {
        return Vec::new();
    }
    [
        ("contexts", "Personas", "The personas that can be talked with."),
        ("personality-presets", "Presets", "What personas are made from."),
        ("personality-templates", "Templates", "Personas with places to fill in."),
    ]
    .map(|(name, title, description)| {
        Resource::new(format!("{PERSONAS}{name}"), name)
            .with_title(title)
            .with_description(description)
            .with_mime_type(JSON)
    })
    .to_vec()
}

/// Addresses with a place to fill in, in their order.
pub fn patterns(sets: &BTreeSet<ToolSet>) -> Vec<ResourceTemplate> {
    let of_personas = [
        ("context/{contextId}", "context", "One persona", "A persona and what was said last."),
        ("preset/{presetId}", "preset", "One preset", "A preset with its default settings."),
    ];
    let receipt = ResourceTemplate::new(format!("{RECEIPTS}{{messageId}}"), "receipt")
        .with_title("Receipt of a reply")
        .with_description("What a model was given for a reply, what was left out, and why.")
        .with_mime_type(JSON);
    let mut patterns = vec![receipt];
    if sets.contains(&ToolSet::Persona) {
        patterns.extend(of_personas.map(|(pattern, name, title, description)| {
            ResourceTemplate::new(format!("{PERSONAS}{pattern}"), name)
                .with_title(title)
                .with_description(description)
                .with_mime_type(JSON)
        }));
    }
    patterns
}

/// What stands at an address.
pub async fn read(
    call: &Call,
    sets: &BTreeSet<ToolSet>,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let address = Address::parse(uri)
        .filter(|address| address.set().is_none_or(|set| sets.contains(&set)))
        .ok_or_else(|| {
            let what = "nothing stands at this address; resources/list and \
                        resources/templates/list tell which there are";
            ErrorData::resource_not_found(what, Some(serde_json::json!({ "uri": uri })))
        })?;
    let text = match &address {
        Address::Contexts => json(&persona::contexts_resource(call).await.map_err(failed(uri))?),
        Address::Context(name) => {
            json(&persona::context_resource(call, name).await.map_err(failed(uri))?)
        }
        Address::Templates => json(&dossier_core::persona::templates()),
        Address::Presets => json(&persona::presets_resource(call).await.map_err(failed(uri))?),
        Address::Preset(id) => {
            json(&persona::preset_resource(call, id).await.map_err(failed(uri))?)
        }
        Address::Receipt(message) => json(&receipt(call, message).await.map_err(failed(uri))?),
    }?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]))
}

/// A receipt with the messages as they were sent.
#[derive(Serialize)]
struct Sent {
    receipt: Receipt,
    messages: Vec<WireMessage>,
}

async fn receipt(call: &Call, message: &str) -> Result<Sent, EngineError> {
    let receipt = call.workspace.receipt_of(&MessageId::from(message)).await?;
    let messages = call.workspace.rendered(&receipt).await?;
    Ok(Sent { receipt, messages })
}

fn json(value: &impl Serialize) -> Result<String, ErrorData> {
    serde_json::to_string(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn failed(uri: &str) -> impl Fn(EngineError) -> ErrorData {
    move |error| match error {
        EngineError::NotFound { .. } | EngineError::Unknown { .. } => {
            ErrorData::resource_not_found(
                error.to_string(),
                Some(serde_json::json!({ "uri": uri })),
            )
        }
        other => ErrorData::internal_error(other.to_string(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_one_thing_or_nothing() {
        let named = |name: &str| name.to_owned();
        for (uri, address) in [
            ("mcp-llm-generator://contexts", Some(Address::Contexts)),
            ("mcp-llm-generator://context/Ada%20L", Some(Address::Context(named("Ada L")))),
            ("mcp-llm-generator://preset/preset-x", Some(Address::Preset(named("preset-x")))),
            ("dossier://receipt/msg_1", Some(Address::Receipt(named("msg_1")))),
            ("mcp-llm-generator://context/", None),
            ("mcp-llm-generator://context/%ff", None),
            ("mcp-llm-generator://contexts/", None),
            ("file:///etc/passwd", None),
        ] {
            assert_eq!(Address::parse(uri), address, "{uri}");
        }
    }
}
