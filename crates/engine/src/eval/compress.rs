//! How much compressing saves on real payloads, and whether anything is lost. Each value of a
//! payload is looked for in the compressed text; one that does not stand there must come back from
//! an expansion of the ref that the text names. The check knows nothing of how texts are compressed.

use crate::error::EngineError;
use crate::eval::Quantiles;
use crate::refs::{ExpandRequest, NewRef};
use crate::workspace::Workspace;
use dossier_core::compress::content::{Compressor, Content};
use dossier_core::json::Json;
use dossier_core::refs::names;
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

/// A response of a tool.
#[derive(Debug, Clone)]
pub struct Payload {
    pub name: String,
    pub source: String,
    /// As it was written, without white space.
    pub text: String,
}

/// The figures of one source, or of all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompressSum {
    pub payloads: usize,
    pub tokens_minified: u64,
    pub tokens_compressed: u64,
    /// The share of the tokens that is saved.
    pub saved: f64,
    pub protected_values: usize,
    /// Values that stand in the text.
    pub shown_values: usize,
    /// Values that came back from an expansion.
    pub recovered_values: usize,
    pub lost_values: usize,
    /// Payloads that are shown whole because the check after compressing failed.
    pub failed_checks: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompressReport {
    #[serde(flatten)]
    pub all: CompressSum,
    pub sources: BTreeMap<String, CompressSum>,
    pub compress_ms: Quantiles<f64>,
}

/// Reads a data set: a list of `{"name", "source"?, "payload"}`.
pub fn read_payloads(text: &str) -> Result<Vec<Payload>, EngineError> {
    let wrong = |what: &str| {
        EngineError::Invalid(format!(
            "{what}; expected a list of {{\"name\", \"source\", \"payload\"}}"
        ))
    };
    let Some(Json::List(items)) = Json::parse(text) else { return Err(wrong("no JSON list")) };
    if items.is_empty() {
        return Err(wrong("the data set is empty"));
    }
    let word = |item: &Json, key: &str| item.member(key).and_then(Json::scalar).map(str::to_owned);
    let read = |(number, item): (usize, &Json)| {
        let payload = item.member("payload");
        let payload = payload.ok_or_else(|| wrong(&format!("item {number} has no payload")))?;
        let text = match payload {
            Json::Text(text) => text.clone(),
            document => document.minified(),
        };
        let name = word(item, "name").unwrap_or_else(|| number.to_string());
        Ok(Payload { name, source: word(item, "source").unwrap_or_else(|| "-".to_owned()), text })
    };
    items.iter().enumerate().map(read).collect()
}

/// Measures payloads in a workspace that is thrown away.
pub async fn measure(
    workspace: &Workspace,
    payloads: &[Payload],
    now: Timestamp,
) -> Result<CompressReport, EngineError> {
    let mut all = Counts::default();
    let mut sources: BTreeMap<String, Counts> = BTreeMap::new();
    let mut times = Vec::with_capacity(payloads.len());
    for payload in payloads {
        let began = Instant::now();
        let content = Content::new(&payload.text, None);
        let _ = Compressor::default().compress(&content, "ref:eval:0123456789ab");
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
        let counts = one(workspace, payload, now).await?;
        all.add(counts);
        sources.entry(payload.source.clone()).or_default().add(counts);
    }
    let sources = sources.into_iter().map(|(source, counts)| (source, counts.sum())).collect();
    Ok(CompressReport { all: all.sum(), sources, compress_ms: Quantiles::of(times) })
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    payloads: usize,
    before: u64,
    after: u64,
    values: usize,
    shown: usize,
    recovered: usize,
    lost: usize,
    failed: usize,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.payloads += other.payloads;
        self.before += other.before;
        self.after += other.after;
        self.values += other.values;
        self.shown += other.shown;
        self.recovered += other.recovered;
        self.lost += other.lost;
        self.failed += other.failed;
    }

    fn sum(self) -> CompressSum {
        CompressSum {
            payloads: self.payloads,
            tokens_minified: self.before,
            tokens_compressed: self.after,
            saved: 1.0 - self.after as f64 / self.before.max(1) as f64,
            protected_values: self.values,
            shown_values: self.shown,
            recovered_values: self.recovered,
            lost_values: self.lost,
            failed_checks: self.failed,
        }
    }
}

async fn one(
    workspace: &Workspace,
    payload: &Payload,
    now: Timestamp,
) -> Result<Counts, EngineError> {
    let new = NewRef { text: payload.text.clone(), source: Value::Null, ..NewRef::default() };
    let (_, compression) = workspace.put_ref(new, now).await?;
    let values = values(&payload.text);
    let mut behind: HashSet<String> = HashSet::new();
    let missing = values.iter().filter(|value| !stands_in(&compression.text, value)).count();
    if missing > 0 {
        for name in names(&compression.text) {
            let all = ExpandRequest::default();
            // A name that the payload itself brought leads nowhere.
            if let Ok(expanded) = workspace.expand_ref(&name.to_string(), &all, now).await {
                behind.extend(self::values(&expanded.text));
            }
        }
    }
    let shown = values.len() - missing;
    let is_lost =
        |value: &&String| !stands_in(&compression.text, value) && !behind.contains(*value);
    let lost = values.iter().filter(is_lost).count() + made_up(&compression.text, &payload.text);
    Ok(Counts {
        payloads: 1,
        before: u64::from(Tokenizer::O200k.count(&payload.text)),
        after: u64::from(Tokenizer::O200k.count(&compression.text)),
        values: values.len(),
        shown,
        recovered: missing.saturating_sub(lost),
        lost,
        failed: usize::from(compression.audit.outcome.as_str() == "check_failed"),
    })
}

/// Every number, and every text with a digit, a link or an error in it; of a text, its words.
fn values(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let is_value = |text: &str| {
        let lower = text.to_lowercase();
        text.contains(|c: char| c.is_numeric()) || text.contains("://") || lower.contains("error")
    };
    match Json::parse(text) {
        Some(json) => json.scalars(&mut |_, value| {
            let words = value.scalar().map(str::trim).filter(|words| is_value(words));
            found.extend(words.map(str::to_owned));
        }),
        None => {
            found.extend(text.split_whitespace().filter(|word| is_value(word)).map(str::to_owned))
        }
    }
    found
}

/// Whether a value stands in a text by itself, not as a part of a longer one.
fn stands_in(text: &str, value: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(value).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + value.len()..].starts_with(is_part)
    })
}

/// Links and long numbers of a compressed text that the original does not have.
fn made_up(text: &str, original: &str) -> usize {
    let mut known = String::new();
    match Json::parse(original) {
        Some(json) => json.scalars(&mut |_, value| {
            known.push_str(value.scalar().unwrap_or_default());
            known.push('\n');
        }),
        None => known.push_str(original),
    }
    let is_long = |word: &&str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        word.contains("://") || digits >= 6
    };
    let border = |c: char| c.is_whitespace() || "|\"[](),;=".contains(c);
    text.split(border)
        .map(|word| word.trim_matches(|c: char| ".:…×".contains(c)))
        .filter(is_long)
        .filter(|word| !word.starts_with("ref:") && !known.contains(word))
        .count()
}
