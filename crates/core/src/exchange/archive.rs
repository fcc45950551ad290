//! Dossier's archive: everything of a store, one JSON object a line, to be kept and to be moved
//! from one database to the other.
//!
//! The first line says what it is and in which version, the last one counts the lines and holds
//! their hash; so an archive that was cut or changed is known before anything is stored. Lines
//! stand in an order in which each names only what came before it. The index is not in it: it is
//! made anew, and finds the same.

use super::ExchangeError;
use crate::facts;
use crate::hash::ContentHash;
use crate::id::{
    FileId, MessageId, PersonaId, PresetId, ProjectId, ReceiptId, SessionId, ThreadId,
};
use crate::message::Role;
use crate::persona::Settings;
use crate::time::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The version that is written. Older ones are read, newer ones refused.
pub const VERSION: u64 = 4;

/// One line of an archive behind the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    Config(Config),
    Model(Model),
    Project(Project),
    File(File),
    Thread(Thread),
    Message(Message),
    Session(Session),
    Receipt(Receipt),
    Consult(Consult),
    Preset(Preset),
    Persona(Persona),
    Fact(Fact),
    Ref(Ref),
    End(End),
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    dossier: Format,
    version: u64,
    pub created_at: Timestamp,
    /// The one project that it holds; everything without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    Archive,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub key: String,
    pub value: Value,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub provider: String,
    pub model: String,
    pub display_name: String,
    pub context_window: i64,
    pub max_output: i64,
    pub input_cost: f64,
    pub output_cost: f64,
    pub tier: String,
    pub capabilities: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    pub description: String,
    pub settings: Value,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub id: FileId,
    pub project: ProjectId,
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    pub canonical: ContentHash,
    pub mime: String,
    pub size: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_ns: Option<i64>,
    pub metadata: Value,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub content: Bytes,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thread {
    pub id: ThreadId,
    pub project: ProjectId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    pub context_state: Value,
    pub round_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub id: MessageId,
    pub thread: ThreadId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<MessageId>,
    pub position: i64,
    pub round: i64,
    pub role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    pub metadata: Value,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    pub id: SessionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    pub client: Value,
    pub last_active: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    pub id: ReceiptId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    pub body: Value,
    pub blocks: Vec<ContentHash>,
    /// The contents of those blocks that no earlier line has brought.
    pub contents: Vec<String>,
    pub created_at: Timestamp,
}

/// A session in which an assistant is consulted, behind the receipts of what it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consult {
    pub thread: ThreadId,
    pub project: ProjectId,
    pub assistant: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    pub context: Vec<String>,
    pub inline: Vec<String>,
    pub frozen: bool,
    pub sent: Vec<SentFile>,
    pub created_at: Timestamp,
    pub used_at: Timestamp,
}

/// A file as an assistant was last sent it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentFile {
    pub path: String,
    pub size: u64,
    pub modified_ns: i64,
    pub tokens: u32,
    pub round: i64,
}

/// A preset of the owner's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    pub id: PresetId,
    pub name: String,
    pub description: String,
    pub system_prompt: String,
    pub personality: String,
    pub settings: Settings,
    pub metadata: Value,
    pub is_active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A persona, behind what was said with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    pub id: PersonaId,
    pub thread: ThreadId,
    pub name: String,
    pub system_prompt: String,
    pub personality: String,
    pub settings: Settings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<PresetId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub last_used_at: Timestamp,
    pub expires_at: Timestamp,
}

/// What is remembered, behind what was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    pub project: ProjectId,
    pub fact: facts::Fact,
}

/// A content that texts name, behind the project that it belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ref {
    pub kind: String,
    /// Of its canonical form.
    pub hash: ContentHash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_model: Option<String>,
    pub compressed: String,
    pub tokens: u32,
    pub compressed_tokens: u32,
    pub created_at: Timestamp,
    pub refreshed_at: Timestamp,
    pub expires_at: Timestamp,
    pub is_stale: bool,
    pub access_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_accessed_at: Option<Timestamp>,
    pub source: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_key: Option<String>,
    pub content: Bytes,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    pub counts: BTreeMap<String, u64>,
    /// The hash of all lines before this one, with their ends.
    pub sha256: ContentHash,
}

/// Content: as text where it is text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bytes {
    Text(String),
    Base64(String),
}

impl Bytes {
    pub fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Base64(STANDARD.encode(error.as_bytes())),
        }
    }

    pub fn into_bytes(self) -> Result<Vec<u8>, ExchangeError> {
        match self {
            Self::Text(text) => Ok(text.into_bytes()),
            Self::Base64(text) => {
                STANDARD.decode(text).map_err(|error| ExchangeError::wrong("base64", error))
            }
        }
    }
}

impl Header {
    pub fn new(created_at: Timestamp, project: Option<String>) -> Self {
        Self { dossier: Format::Archive, version: VERSION, created_at, project }
    }

    /// The header, if a text begins as an archive does; an error when a newer version has written
    /// it.
    pub fn find(first_line: &str) -> Result<Option<Self>, ExchangeError> {
        let Ok(header @ Value::Object(_)) = serde_json::from_str::<Value>(first_line) else {
            return Ok(None);
        };
        if header.get("dossier").and_then(Value::as_str) != Some("archive") {
            return Ok(None);
        }
        match header.get("version").and_then(Value::as_u64) {
            Some(found) if found > VERSION => {
                Err(ExchangeError::NewerArchive { found, known: VERSION })
            }
            _ => serde_json::from_value(header)
                .map(Some)
                .map_err(|error| ExchangeError::wrong("line 1", error)),
        }
    }
}

impl Line {
    /// What it is counted as; the end is not.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::End(_) => None,
            Self::Config(_) => Some("config"),
            Self::Model(_) => Some("models"),
            Self::Project(_) => Some("projects"),
            Self::File(_) => Some("files"),
            Self::Thread(_) => Some("threads"),
            Self::Message(_) => Some("messages"),
            Self::Session(_) => Some("sessions"),
            Self::Receipt(_) => Some("receipts"),
            Self::Consult(_) => Some("consultations"),
            Self::Preset(_) => Some("presets"),
            Self::Persona(_) => Some("personas"),
            Self::Fact(_) => Some("facts"),
            Self::Ref(_) => Some("refs"),
        }
    }

    /// Reads a line by its number.
    pub fn parse(text: &str, number: u64) -> Result<Self, ExchangeError> {
        let wrong = |error| ExchangeError::wrong(format!("line {number}"), error);
        serde_json::from_str(text).map_err(wrong)
    }
}

/// A line with its end.
pub fn write(line: &impl Serialize) -> Result<String, ExchangeError> {
    let mut text = serde_json::to_string(line)
        .map_err(|error| ExchangeError::wrong("a line of the archive", error))?;
    text.push('\n');
    Ok(text)
}

/// Counts and hashes lines as they are written or read.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    counts: BTreeMap<String, u64>,
    digest: Sha256,
}

impl Tally {
    /// Takes the next line: its text, with its end, and what it is counted as.
    pub fn take(&mut self, text: &str, kind: Option<&str>) {
        self.digest.update(text);
        if let Some(kind) = kind {
            *self.counts.entry(kind.to_owned()).or_default() += 1;
        }
    }

    /// The last line, for all that came before.
    pub fn end(self) -> End {
        let sha256 = ContentHash::from_digest(&self.digest.finalize());
        End { counts: self.counts, sha256 }
    }

    /// The end of an archive that has come to it whole.
    pub fn check(self, end: Option<End>) -> Result<End, ExchangeError> {
        let found = self.end();
        let Some(end) = end else {
            let lines = found.counts.iter().map(|(kind, count)| format!("{count} {kind}"));
            let lines: Vec<String> = lines.collect();
            let what = format!("its last line is missing; it holds {}", listed(&lines));
            return Err(ExchangeError::incomplete(what));
        };
        let missing: Vec<String> = end
            .counts
            .iter()
            .filter_map(|(kind, count)| {
                let here = found.counts.get(kind).copied().unwrap_or(0);
                (here != *count).then(|| format!("{here} of {count} {kind}"))
            })
            .collect();
        let what = match (missing.is_empty(), found.sha256 == end.sha256) {
            (true, true) => return Ok(end),
            (false, _) => format!("it holds {}", listed(&missing)),
            (true, false) => return Err(ExchangeError::Changed),
        };
        Err(ExchangeError::incomplete(what))
    }
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => "nothing".to_owned(),
        parts => parts.join(", "),
    }
}
