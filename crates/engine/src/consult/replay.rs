//! The session's history as the model is shown it again: each answered question to the byte as it
//! was sent, files and all, and the answer. What nobody answered is not shown.

use super::report::FilesReport;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::compress::Age;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ReceiptId, ThreadId};
use dossier_core::item::{Form, Item, Kind, Mode};
use dossier_core::message::{Message, Role};
use dossier_core::receipt::{Receipt, ReceiptItem};
use dossier_core::render;
use dossier_core::tokens::Tokenizer;
use dossier_store::MessageRow;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Debug, Clone, Default)]
pub(super) struct Replay {
    pub items: Vec<Item>,
    /// Rounds whose question is shown with its files.
    pub held: BTreeSet<i64>,
    /// Of all these messages.
    pub tokens: u32,
}

/// One question and its answer.
struct Round {
    question: Message,
    answer: MessageRow,
    receipt: Option<ReceiptId>,
}

impl Workspace {
    pub(super) async fn replay(
        &self,
        thread: &ThreadId,
        tokenizer: Tokenizer,
    ) -> Result<Replay, EngineError> {
        let mut replay = Replay::default();
        for round in self.answered_rounds(thread).await? {
            let sent = match &round.receipt {
                Some(receipt) => self.sent_text(receipt).await?,
                None => None,
            };
            replay.add(round, sent, tokenizer);
        }
        Ok(replay)
    }

    /// By what the messages say of themselves, which comes along when a thread is moved.
    async fn answered_rounds(&self, thread: &ThreadId) -> Result<Vec<Round>, EngineError> {
        let mut questions: HashMap<MessageId, Message> = HashMap::new();
        let mut rounds = Vec::new();
        for row in self.store.message_rows(thread, 0, usize::MAX).await? {
            let MessageRow { message, deleted_at: None, .. } = &row else { continue };
            match (message.speaker.role, &message.parent) {
                (Role::User, _) => {
                    questions.insert(message.id.clone(), message.clone());
                }
                (Role::Agent, Some(parent)) => {
                    let Some(question) = questions.remove(parent) else { continue };
                    let receipt = row.metadata.get("receipt").and_then(Value::as_str);
                    let receipt = receipt.map(ReceiptId::from);
                    rounds.push(Round { question, answer: row, receipt });
                }
                _ => {}
            }
        }
        Ok(rounds)
    }

    /// The files that each round of a session shows whole, as its receipt tells.
    pub(crate) async fn files_shown(
        &self,
        thread: &ThreadId,
    ) -> Result<BTreeMap<i64, BTreeSet<String>>, EngineError> {
        let mut shown = BTreeMap::new();
        for Round { question, receipt, .. } in self.answered_rounds(thread).await? {
            let Some(id) = receipt else { continue };
            let Some(row) = self.store.receipt(&id).await? else { continue };
            let Ok(receipt) = serde_json::from_str::<Receipt>(&row.body) else { continue };
            // Passages of files that were searched are shown as well, but were not asked for whole.
            let is_whole = |item: &ReceiptItem| {
                item.kind == Kind::File
                    && item.include_mode == Mode::Always
                    && item.form == Form::Full
            };
            let whole = receipt.items.into_iter().filter(is_whole);
            shown.insert(question.round, whole.filter_map(|item| item.source.path).collect());
        }
        Ok(shown)
    }

    /// The last message of a receipt, if all of it is still there.
    async fn sent_text(&self, receipt: &ReceiptId) -> Result<Option<String>, EngineError> {
        let Some(row) = self.store.receipt(receipt).await? else { return Ok(None) };
        let Ok(receipt) = serde_json::from_str::<Receipt>(&row.body) else { return Ok(None) };
        let last = receipt.blocks.last().map(|block| block.message);
        let own = receipt.blocks.into_iter().filter(|block| Some(block.message) == last);
        let own: Vec<ContentHash> = own.map(|block| block.hash).collect();
        let blobs = self.store.blobs(&own).await?;
        let texts: Option<Vec<&[u8]>> =
            own.iter().map(|hash| blobs.get(hash).map(Vec::as_slice)).collect();
        Ok(texts.and_then(|texts| String::from_utf8(texts.concat()).ok()))
    }
}

impl Replay {
    fn add(&mut self, round: Round, sent: Option<String>, tokenizer: Tokenizer) {
        let Round { question, answer, .. } = round;
        let report: FilesReport = answer
            .metadata
            .get("consult")
            .cloned()
            .and_then(|report| serde_json::from_value(report).ok())
            .unwrap_or_default();
        let asked = Item::recent(&question, Age::Fresh, tokenizer);
        let asked = match sent {
            Some(text) => {
                self.held.insert(question.round);
                let counted = report.own_tokens > 0 && report.counted_by == tokenizer.method();
                let tokens = match counted {
                    true => report.own_tokens,
                    false => tokenizer.count(&text),
                };
                Item { text, tokens, ..asked }
            }
            None => asked,
        };
        let answered = Item::recent(&answer.message, Age::Fresh, tokenizer);
        for item in [asked, answered] {
            self.tokens = self.tokens.saturating_add(item.tokens).saturating_add(render::OVERHEAD);
            self.items.push(item);
        }
    }
}
