//! Receipts: what a model was given and why, item by item, and what was left out. A receipt names
//! its blocks by hash, so that the stored blocks give back the exact messages.

use crate::hash::ContentHash;
use crate::id::{ProjectId, ReceiptId, ThreadId};
use crate::intent::Intent;
use crate::item::{Form, Item, Kind, Mode, Scores, Section, Source};
use crate::render::{Block, WireRole};
use crate::sameness::Cached;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The record of one dossier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    pub id: ReceiptId,
    pub now: Timestamp,
    pub project: ProjectId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadId>,
    pub question: String,
    pub intent: Intent,
    pub profile: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tools that the model was offered, or that the header names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tools: Vec<String>,
    /// Those of them whose schemas come when they are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lazy_tools: Vec<String>,
    /// Who runs the tools that were offered: `dossier`, or the `client` that brought them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool_server: Option<String>,
    pub budget: BudgetUse,
    pub coverage: Coverage,
    /// The pool that was ranked: every candidate, shown or not.
    pub items: Vec<ReceiptItem>,
    pub beyond: Beyond,
    pub blocks: Vec<ReceiptBlock>,
    /// Hash of the messages as they are sent.
    pub sent: ContentHash,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<SharedPrefix>,
    /// The reply that was repeated. Then no model was asked: the dossier was only compared with the
    /// one that the reply was made from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cached: Option<Cached>,
}

impl Receipt {
    /// The blocks, by their places, that show something of these files or messages.
    pub fn quoting(&self, sources: &HashSet<String>) -> Vec<usize> {
        let quotes = |block: &ReceiptBlock| {
            let item = block.item.and_then(|item| self.items.get(item));
            item.is_some_and(|item| sources.contains(&item.source.id))
        };
        let blocks = self.blocks.iter().enumerate();
        blocks.filter(|(_, block)| quotes(block)).map(|(place, _)| place).collect()
    }

    /// Tokens of the summaries that are shown.
    pub fn summary_tokens(&self) -> u32 {
        let is_shown =
            |item: &&ReceiptItem| item.kind == Kind::Summary && item.form != Form::Dropped;
        self.items.iter().filter(is_shown).map(|item| item.tokens).sum()
    }
}

/// How the budget was spent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetUse {
    pub limit: u32,
    pub used: u32,
    /// How tokens were counted.
    pub counted_by: String,
    pub sections: BTreeMap<Section, u32>,
    pub warnings: Vec<String>,
}

/// How much of the project has vectors; the rest is found by words alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    pub chunks: u64,
    pub with_vectors: u64,
}

/// What was not even ranked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beyond {
    /// Chunks of the project that were found too weak to be considered, or not found at all.
    pub chunks: u64,
    /// Rounds of the thread before the recent ones.
    pub rounds: u64,
}

/// One candidate and its fate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptItem {
    pub kind: Kind,
    pub source: Source,
    pub include_mode: Mode,
    /// The fused score of what was ranked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f32>,
    #[serde(skip_serializing_if = "Scores::is_empty", default)]
    pub scores: Scores,
    pub tokens: u32,
    pub form: Form,
    pub reason: String,
}

impl From<&Item> for ReceiptItem {
    fn from(item: &Item) -> Self {
        Self {
            kind: item.kind,
            source: item.source.clone(),
            include_mode: item.mode,
            score: Some(item.score).filter(|_| item.mode == Mode::Retrieved),
            scores: item.scores.clone(),
            tokens: item.tokens,
            form: item.form,
            reason: item.reason.clone(),
        }
    }
}

/// A block by its hash, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptBlock {
    pub hash: ContentHash,
    pub message: usize,
    pub role: WireRole,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    pub bytes: usize,
}

impl From<&Block> for ReceiptBlock {
    fn from(block: &Block) -> Self {
        Self {
            hash: ContentHash::of(&block.text),
            message: block.message,
            role: block.role,
            item: block.item,
            bytes: block.text.len(),
        }
    }
}

/// The part of a receipt that says what was given, and to whom: most of it tells what was not.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Given {
    pub id: ReceiptId,
    pub model: Option<String>,
    pub blocks: Vec<ReceiptBlock>,
    /// Set where no model was given it.
    #[serde(default)]
    pub cached: Option<Cached>,
}

/// How far this dossier begins like the thread's previous one: what a vendor's cache can reuse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedPrefix {
    pub previous: ReceiptId,
    /// Bytes in blocks that are equal from the start; the next byte is the first that may differ.
    pub bytes: usize,
}

impl SharedPrefix {
    pub fn between(previous: &Given, blocks: &[ReceiptBlock]) -> Self {
        let bytes = previous
            .blocks
            .iter()
            .zip(blocks)
            .take_while(|(old, new)| old.hash == new.hash && old.message == new.message)
            .map(|(_, new)| new.bytes)
            .sum();
        Self { previous: previous.id.clone(), bytes }
    }
}
