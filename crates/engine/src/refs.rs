//! Refs: large contents are stored once, without their secrets, and stand in texts by their names;
//! whoever holds a name asks for a part or for all of it.

use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::workspace::{Engine, Workspace};
use dossier_core::compress::content::{
    Audit, Compression, Content, Kind as Form, Outcome, summary,
};
use dossier_core::compress::in_short;
use dossier_core::guard::masked;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ProjectId, ThreadId};
use dossier_core::json::Path;
use dossier_core::refs::{
    Expanded, Kind, NotARef, RefName, Request, STALE, Slice, View, expand, freshness, is_stale,
    source_key,
};
use dossier_core::time::Timestamp;
use dossier_store::{Look, RefFilter, RefRow, RefSum, RefsBy};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const DAY: i64 = 24 * 3_600_000;
/// How long a ref is kept after it was stored or last expanded, unless it is said.
const DAYS: u32 = 30;
const MOST_DAYS: u32 = 3_650;

/// A content that is to be stored.
#[derive(Debug, Clone, Default)]
pub struct NewRef {
    pub text: String,
    /// What it is called, such as `github_search`; told from the content when it is missing.
    pub kind: Option<String>,
    /// The path or the name of a file it comes from.
    pub file: Option<String>,
    pub project: Option<ProjectId>,
    /// The thread in whose turn it came up.
    pub thread: Option<ThreadId>,
    /// Where it comes from: a JSON object of the caller's.
    pub source: Value,
    /// Days that it is kept.
    pub days: Option<u32>,
}

/// A ref as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct RefShown {
    /// As texts show it.
    pub name: RefName,
    pub row: RefRow,
    pub freshness: f64,
    pub is_stale: bool,
}

impl RefShown {
    fn of(row: RefRow, name: RefName, now: Timestamp) -> Self {
        let freshness = freshness(row.refreshed_at, row.expires_at, now);
        let is_stale = row.is_stale || is_stale(freshness);
        Self { name, row, freshness, is_stale }
    }

    /// The name with every digit.
    pub fn whole_name(&self) -> RefName {
        RefName::whole(self.row.kind.clone(), &self.row.hash)
    }

    /// The summary, marked when it is stale.
    pub fn summary(&self) -> String {
        let mark = if self.is_stale { STALE } else { "" };
        format!("{mark}{}", self.row.summary)
    }

    /// Who wrote the summary: the full name of a model, or what quotes without one.
    pub fn summary_by(&self) -> &str {
        self.row.summary_model.as_deref().unwrap_or("extractive")
    }
}

/// A ref that is not stored yet.
#[derive(Debug, Clone)]
pub(crate) struct DraftedRef {
    /// As texts show it.
    pub name: RefName,
    pub compression: Compression,
    row: RefRow,
    content: Content,
    thread: Option<ThreadId>,
}

impl DraftedRef {
    /// The content without its details: what it is, and its name.
    pub fn brief(&self) -> String {
        in_short(&self.name.to_string(), &self.row.summary)
    }
}

/// Some refs, and where the next begin.
#[derive(Debug, Clone, PartialEq)]
pub struct RefPage {
    pub refs: Vec<RefShown>,
    pub next: Option<(Timestamp, String)>,
}

/// What is asked of a ref or a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpandRequest {
    /// Paths such as `items[].full_name`.
    pub fields: Vec<String>,
    pub slice: Option<Slice>,
}

/// What was asked for, with what it is a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// As texts show it.
    pub id: String,
    /// Of the ref; `message` for a message.
    pub kind: String,
    pub text: String,
    /// Items or lines of what was sliced.
    pub total: Option<usize>,
    /// Whether it was stale when it was asked for. A message never is.
    pub was_stale: bool,
    pub created_at: Timestamp,
    /// None for what is kept.
    pub expires_at: Option<Timestamp>,
}

/// How much compressing saved, for contents of one form with one outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CompressionSum {
    pub count: u64,
    pub tokens_before: u64,
    pub tokens_after: u64,
}

/// What was compressed since the start.
#[derive(Debug, Default)]
pub(crate) struct Tally(Mutex<BTreeMap<(Form, Outcome), CompressionSum>>);

impl Tally {
    fn add(&self, audit: &Audit) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = sums.entry((audit.kind, audit.outcome)).or_default();
        sum.count += 1;
        sum.tokens_before += u64::from(audit.tokens_before);
        sum.tokens_after += u64::from(audit.tokens_after);
    }
}

impl Engine {
    /// What was compressed since the start, whoever's it was, by form and outcome.
    pub fn compressed(&self) -> BTreeMap<(Form, Outcome), CompressionSum> {
        self.tally.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Workspace {
    /// Stores a content and compresses it, and calls for a summary by a model. The text of the
    /// compression names the ref, unless the content is shown whole.
    pub async fn put_ref(
        &self,
        new: NewRef,
        now: Timestamp,
    ) -> Result<(RefShown, Compression), EngineError> {
        let drafted = self.draft_ref(new, now).await?;
        let compression = drafted.compression.clone();
        Ok((self.store_ref(drafted, now).await?, compression))
    }

    /// A ref as it would be stored.
    pub(crate) async fn draft_ref(
        &self,
        new: NewRef,
        now: Timestamp,
    ) -> Result<DraftedRef, EngineError> {
        let days = new.days.unwrap_or(DAYS);
        if !(1..=MOST_DAYS).contains(&days) {
            return Err(EngineError::Invalid(format!("days is a number from 1 to {MOST_DAYS}")));
        }
        if new.text.trim().is_empty() {
            return Err(EngineError::Invalid("there is no content; give some".to_owned()));
        }
        let given = new.kind.as_deref().map(|kind| {
            Kind::new(kind).ok_or_else(|| {
                EngineError::Invalid(format!(
                    "`{kind}` is no kind; write lower-case letters, digits and underscores"
                ))
            })
        });
        let given = given.transpose()?;
        let source_key = source_key(&new.source, new.file.as_deref());
        let (text, file) = (new.text, new.file);
        let compressor = self.compressor.clone();
        // Megabytes are read and counted.
        let (content, kind, told) = tokio::task::spawn_blocking(move || {
            // No database takes a NUL as text.
            let content = Content::new(&text.replace('\0', "\u{fffd}"), file.as_deref());
            let kind = given.unwrap_or_else(|| content.ref_kind(compressor.extractors()));
            let told = summary(&content, kind.as_str());
            (content, kind, told)
        })
        .await?;
        let whole = RefName::whole(kind.clone(), &content.hash());
        let name = self.shown(&whole, now).await?;
        let reference = name.to_string();
        let compressor = self.compressor.clone();
        let (content, compression) = tokio::task::spawn_blocking(move || {
            let compression = compressor.compress(&content, &reference);
            (content, compression)
        })
        .await?;
        let source = match without_secrets(new.source) {
            Value::Object(mut source) => {
                source.insert("audit".to_owned(), json!(compression.audit));
                Value::Object(source)
            }
            _ => json!({ "audit": compression.audit }),
        };
        let row = RefRow {
            kind,
            hash: content.hash(),
            content: ContentHash::of(content.text()),
            project: new.project,
            summary: told,
            summary_model: None,
            compressed: compression.text.clone(),
            tokens: content.tokens(),
            compressed_tokens: compression.audit.tokens_after,
            created_at: now,
            refreshed_at: now,
            expires_at: after(now, days),
            is_stale: false,
            access_count: 0,
            last_accessed_at: None,
            source,
            source_key,
        };
        Ok(DraftedRef { name, compression, row, content, thread: new.thread })
    }

    pub(crate) async fn store_ref(
        &self,
        drafted: DraftedRef,
        now: Timestamp,
    ) -> Result<RefShown, EngineError> {
        let DraftedRef { name, compression, row, content, thread } = drafted;
        self.tally.add(&compression.audit);
        let row = self.store.put_ref(&row, content.text().as_bytes()).await?;
        self.tell(Change::reference(Action::Created, row.project.as_ref(), &name));
        self.call_for_summary(&row, thread.as_ref(), now).await?;
        Ok(RefShown::of(row, name, now))
    }

    /// What a model is given of a tool's result: a small one as it is, a large one in short with
    /// the name of its ref. What a tool says when it fails is no result, and is given as it is.
    pub async fn short_result(&self, new: NewRef, now: Timestamp) -> Result<String, EngineError> {
        let content = Content::new(&new.text, new.file.as_deref());
        if content.is_small() {
            self.tally.add(&self.compressor.compress(&content, "").audit);
            return Ok(new.text);
        }
        let (_, compression) = self.put_ref(new, now).await?;
        Ok(compression.text)
    }

    /// A ref by its name, of which eight digits are enough.
    pub async fn get_ref(&self, name: &str, now: Timestamp) -> Result<RefShown, EngineError> {
        let found = self.found(name, now).await?;
        self.store.touch_ref(&found.row, Look::Summary, now).await?;
        self.call_for_summary(&found.row, None, now).await?;
        Ok(found)
    }

    /// Refs, the last stored first; of a kind, or with a text in their name or summary.
    pub async fn list_refs(
        &self,
        kind: Option<&str>,
        text: Option<&str>,
        after: Option<&(Timestamp, String)>,
        most: usize,
        now: Timestamp,
    ) -> Result<RefPage, EngineError> {
        let kind = match kind {
            Some(kind) => match Kind::new(kind) {
                Some(kind) => Some(kind),
                None => return Ok(RefPage { refs: Vec::new(), next: None }),
            },
            None => None,
        };
        let filter = RefFilter { kind, text: text.unwrap_or_default().trim().to_owned() };
        let mut rows = self.store.refs(&filter, after, most.saturating_add(1), now).await?;
        let has_more = rows.len() > most;
        rows.truncate(most);
        let last = rows.last().filter(|_| has_more);
        let next = last.map(|row| (row.created_at, format!("{}{}", row.hash, row.kind)));
        let mut refs = Vec::with_capacity(rows.len());
        for row in rows {
            let whole = RefName::whole(row.kind.clone(), &row.hash);
            let name = self.shown(&whole, now).await?;
            refs.push(RefShown::of(row, name, now));
        }
        Ok(RefPage { refs, next })
    }

    /// What refs come to, by kinds or days, from a moment on.
    pub async fn ref_sums(
        &self,
        by: RefsBy,
        since: Timestamp,
        project: Option<&ProjectId>,
        now: Timestamp,
    ) -> Result<Vec<RefSum>, EngineError> {
        Ok(self.store.ref_sums_by(by, since, project, now).await?)
    }

    /// The part that is asked for of a ref, or of a message by its id, to the letter. A ref is fresh
    /// again, unless only a view of it was looked at.
    pub async fn expand_ref(
        &self,
        name: &str,
        request: &ExpandRequest,
        now: Timestamp,
    ) -> Result<Expansion, EngineError> {
        let fields = request
            .fields
            .iter()
            .map(|field| {
                Path::parse(field).ok_or_else(|| {
                    EngineError::Invalid(format!(
                        "`{field}` is no path; write one such as items[].full_name"
                    ))
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let request = Request { fields, slice: request.slice };
        let named: Result<RefName, NotARef> = name.parse();
        let view = match named {
            Ok(named) => named.view,
            Err(error) => {
                let message = self.expand_message(name.trim(), &request).await?;
                return message.ok_or_else(|| EngineError::Invalid(error.to_string()));
            }
        };
        let found = self.found(name, now).await?;
        let content = match view {
            View::Summary => found.summary(),
            View::Compressed => found.row.compressed.clone(),
            View::Full => {
                let content = self.store.blob(&found.row.content).await?;
                let content = content.ok_or_else(|| unknown(name))?;
                String::from_utf8_lossy(&content).into_owned()
            }
        };
        let Expanded { text, total } =
            tokio::task::spawn_blocking(move || expand(&content, &request)).await?;
        let part = Expansion {
            id: found.name.to_string(),
            kind: found.row.kind.to_string(),
            text,
            total,
            was_stale: found.is_stale,
            created_at: found.row.created_at,
            expires_at: Some(found.row.expires_at),
        };
        let look = match view {
            View::Summary => Some(Look::Summary),
            View::Compressed => Some(Look::Compressed),
            View::Full => None,
        };
        if let Some(look) = look {
            self.store.touch_ref(&found.row, look, now).await?;
            return Ok(part);
        }
        let days = found.row.expires_at.as_millis() - found.row.refreshed_at.as_millis();
        let expires_at = Timestamp::from_millis(now.as_millis().saturating_add(days.max(DAY)));
        self.store.refresh_ref(&found.row, expires_at, now).await?;
        self.tell(Change::reference(Action::Changed, found.row.project.as_ref(), &found.name));
        Ok(Expansion { expires_at: Some(expires_at), ..part })
    }

    /// A message that a text shows in short: all of it, its secrets masked, or a part.
    async fn expand_message(
        &self,
        id: &str,
        request: &Request,
    ) -> Result<Option<Expansion>, EngineError> {
        let Some(message) = self.store.message(&MessageId::from(id)).await? else {
            return Ok(None);
        };
        let Expanded { text, total } = expand(&masked(&message.content), request);
        Ok(Some(Expansion {
            id: message.id.to_string(),
            kind: "message".to_owned(),
            text,
            total,
            was_stale: false,
            created_at: message.created_at,
            expires_at: None,
        }))
    }

    /// Says that what a ref was made from has changed.
    pub async fn mark_ref_stale(
        &self,
        name: &str,
        now: Timestamp,
    ) -> Result<RefShown, EngineError> {
        let found = self.found(name, now).await?;
        self.store.mark_ref_stale(&found.row).await?;
        self.tell(Change::reference(Action::Changed, found.row.project.as_ref(), &found.name));
        let row = RefRow { is_stale: true, ..found.row };
        Ok(RefShown::of(row, found.name, now))
    }

    /// Deletes a ref for good, with its content when nothing else holds it.
    pub async fn forget_ref(&self, name: &str, now: Timestamp) -> Result<RefShown, EngineError> {
        let found = self.found(name, now).await?;
        self.store.forget_ref(&found.row).await?;
        self.tell(Change::reference(Action::Deleted, found.row.project.as_ref(), &found.name));
        Ok(found)
    }

    /// The one ref that a name means.
    async fn found(&self, text: &str, now: Timestamp) -> Result<RefShown, EngineError> {
        let name: RefName =
            text.parse().map_err(|error: NotARef| EngineError::Invalid(error.to_string()))?;
        let mut rows = self.store.refs_named(&name, now).await?;
        rows.retain(|row| name.fits(&row.hash));
        match (rows.pop(), rows.is_empty()) {
            (Some(row), true) => {
                let whole = RefName::whole(row.kind.clone(), &row.hash);
                let name = self.shown(&whole, now).await?;
                Ok(RefShown::of(row, name, now))
            }
            (Some(_), false) => Err(EngineError::Conflict(format!(
                "several refs begin as `{text}` does; write more digits of the hash"
            ))),
            (None, _) => Err(unknown(text)),
        }
    }

    /// The name that a text shows: as long as it takes to mean one ref only.
    async fn shown(&self, whole: &RefName, now: Timestamp) -> Result<RefName, EngineError> {
        let others = self.store.refs_named(&whole.shown([]), now).await?;
        Ok(whole.shown(others.iter().map(|row| row.hash.as_str())))
    }
}

fn unknown(name: &str) -> EngineError {
    EngineError::not_found("ref", name, "it may have expired; see dossier refs list")
}

/// Where a content comes from, as it is kept: arguments of a tool may hold keys.
fn without_secrets(source: Value) -> Value {
    let content = Content::new(&source.to_string(), None);
    serde_json::from_str(content.text()).unwrap_or_default()
}

fn after(now: Timestamp, days: u32) -> Timestamp {
    Timestamp::from_millis(now.as_millis().saturating_add(i64::from(days).saturating_mul(DAY)))
}

/// A tally that all views of an engine share.
pub(crate) type SharedTally = Arc<Tally>;
