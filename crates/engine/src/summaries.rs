//! What a dossier can show in short: refs that are spoken of, and what is known of a thread's rounds.

use crate::assemble::AssembleRequest;
use crate::error::EngineError;
use crate::flags::{REFS, flag};
use crate::workspace::Workspace;
use dossier_core::history::History;
use dossier_core::item::{Form, Kind as ItemKind};
use dossier_core::receipt::{Receipt, ReceiptItem};
use dossier_core::refs::{Kind, RefName, freshness, is_stale, names};
use dossier_core::summaries::{Brief, Earlier};
use dossier_store::{RefBrief, Thread};
use serde_json::{Map, Value, json};

/// So many names are looked up: those of the question, then those of the last messages.
const LOOKED_UP: usize = 30;

/// Which rounds a summary stands for, in what is remembered of a thread.
const ROUNDS: &str = "summary_rounds";

impl Workspace {
    /// The refs in short that the question or what was said before it names, of the project or of
    /// none.
    pub(crate) async fn refs_at_hand(
        &self,
        request: &AssembleRequest,
        question: &str,
        history: &History,
    ) -> Result<Vec<Brief>, EngineError> {
        if !flag(&request.project, REFS) {
            return Ok(Vec::new());
        }
        let said = history.items.iter().rev().map(|item| item.text.as_str());
        let mut named: Vec<RefName> = Vec::new();
        for name in std::iter::once(question).chain(said).flat_map(names) {
            if named.len() == LOOKED_UP {
                break;
            }
            if !named.contains(&name) {
                named.push(name);
            }
        }
        let now = request.now;
        let rows = self.store.refs_at_hand(&request.project.id, &named, now).await?;
        let digits = |kind: &Kind| {
            let alike = rows.iter().filter(|row| row.kind == *kind);
            alike.map(|row| row.hash.as_str()).collect::<Vec<_>>()
        };
        let brief = |row: &RefBrief| {
            let whole = RefName::whole(row.kind.clone(), &row.hash);
            Brief {
                name: whole.shown(digits(&row.kind)),
                whole,
                summary: row.summary.clone(),
                is_stale: row.is_stale
                    || is_stale(freshness(row.refreshed_at, row.expires_at, now)),
                refreshed_at: row.refreshed_at,
            }
        };
        Ok(rows.iter().filter(|row| row.is_own).map(brief).collect())
    }
}

/// The whole names of the refs whose summaries a dossier shows.
pub(crate) fn shown_refs(receipt: &Receipt) -> Vec<RefName> {
    let is_shown = |item: &&ReceiptItem| {
        item.kind == ItemKind::Summary && item.form != Form::Dropped && item.source.kind == "ref"
    };
    let shown = receipt.items.iter().filter(is_shown);
    shown.filter_map(|item| item.source.id.parse().ok()).collect()
}

/// What is known of a thread's earlier rounds.
pub(crate) fn earlier(thread: &Thread) -> Option<Earlier<'_>> {
    let rounds = thread.context_state.get(ROUNDS).and_then(Value::as_array);
    let rounds = rounds.and_then(|rounds| match rounds.as_slice() {
        [first, last] => Some((first.as_i64()?, last.as_i64()?)),
        _ => None,
    });
    let summary = thread.summary.as_deref()?;
    Some(Earlier { thread: &thread.id, summary, rounds })
}

/// What is remembered of a thread, with the rounds that its new summary stands for.
pub(crate) fn summarised(state: &Value, first: i64, last: i64) -> Value {
    let mut state: Map<String, Value> = state.as_object().cloned().unwrap_or_default();
    state.insert(ROUNDS.to_owned(), json!([first, last]));
    Value::Object(state)
}
