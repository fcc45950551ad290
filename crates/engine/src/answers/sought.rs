//! What an answer is looked for by, and kept under.

use crate::assemble::Dossier;
use crate::turn::Terms;
use dossier_core::chat::{Options, ToolSpec};
use dossier_core::chunk::{Location, Origin};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, MessageId, OwnerId};
use dossier_core::item::{Mode, Source};
use dossier_core::rank::Ranked;
use dossier_core::refs::names;
use dossier_core::render;
use dossier_core::sameness::{Asked, Evidence, Form, Keeping, Signature, Unfit, Used};
use dossier_core::time::Timestamp;
use dossier_store::{AnswerRow, Project};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// A question with everything by which its answer can be known.
#[derive(Debug)]
pub(crate) struct Sought {
    pub(super) keeping: Keeping,
    /// Without secrets, as the model is asked.
    pub(super) question: String,
    pub(super) form: Form,
    signature: Signature,
    pub(crate) key: ContentHash,
    pub(super) evidence: Evidence,
    /// The messages among what is shown.
    pub(super) messages: BTreeMap<ChunkId, MessageId>,
}

/// Who would be asked, and how.
pub(crate) struct Reader<'a> {
    pub owner: &'a OwnerId,
    pub project: &'a Project,
    /// The full name of the model.
    pub model: &'a str,
    pub address: Option<&'a str>,
    pub terms: &'a Terms,
    pub tools: &'a [ToolSpec],
    /// The newest chunk there was before anything was looked for.
    pub newest: ChunkId,
}

impl Sought {
    /// The question of a dossier; or why it can be compared with no other.
    pub(crate) fn of(
        keeping: Keeping,
        reader: &Reader<'_>,
        dossier: &Dossier,
    ) -> Result<Self, Unfit> {
        let question = dossier.receipt.question.clone();
        let form = Form::of(&question)?;
        let shown = Shown::of(dossier);
        let signature = Signature::of(&Used {
            owner: reader.owner.to_string(),
            project: reader.project.id.to_string(),
            model: reader.manner(dossier),
            persona: None,
            instructions: instructions(dossier),
            tools: reader.tools.iter().map(|tool| json!(tool).to_string()).collect(),
            sources: shown.others,
        });
        let refs = dossier.messages.iter().flat_map(|message| names(&message.content));
        let evidence = Evidence {
            chunks: shown.chunks,
            newest: if was_searched(dossier) { reader.newest } else { ChunkId::default() },
            refs: refs.map(|name| name.to_string()).collect(),
        };
        let key = form.key(&signature);
        let messages = shown.messages;
        Ok(Self { keeping, question, form, signature, key, evidence, messages })
    }

    pub(super) fn asked(&self) -> Asked<'_> {
        Asked { text: &self.question, signature: &self.signature }
    }

    /// Until when an answer of that time holds.
    pub(super) fn expires_at(&self, created_at: Timestamp) -> Timestamp {
        let lifetime = self.keeping.lifetime.saturating_mul(1_000);
        Timestamp::from_millis(created_at.as_millis().saturating_add(lifetime))
    }

    /// The row that keeps this answer.
    pub(crate) fn row(
        &self,
        reader: (&Project, &str),
        question: &MessageId,
        answer: (&MessageId, &str),
        now: Timestamp,
    ) -> AnswerRow {
        let (project, model) = reader;
        let (id, text) = answer;
        let mut evidence = self.evidence.clone();
        evidence.refs.extend(names(text).iter().map(ToString::to_string));
        AnswerRow {
            key: self.key.clone(),
            project: project.id.clone(),
            question: question.clone(),
            answer: id.clone(),
            model: model.to_owned(),
            signature: self.signature.clone(),
            evidence,
            created_at: now,
            expires_at: self.expires_at(now),
        }
    }
}

impl Reader<'_> {
    /// The model with everything that changes what it says, and by what its material was found.
    fn manner(&self, dossier: &Dossier) -> String {
        // Where a provider keeps a prompt changes nothing of what its model says.
        let options = Options { cache_key: None, ..self.terms.options.clone() };
        let most = self.project.settings.get("max_context_tokens");
        let found_by = &dossier.receipt.coverage.embedder;
        let Terms { profile, budget, .. } = self.terms;
        json!([self.model, self.address, options, profile, budget, most, found_by]).to_string()
    }
}

/// Whether everything there was could be found by its meaning. What lacked its vectors then is news
/// when it is found by them.
fn was_searched(dossier: &Dossier) -> bool {
    let coverage = &dossier.receipt.coverage;
    coverage.embedder.is_none() || coverage.with_vectors >= coverage.chunks
}

/// All that is said before this turn's own items, with who says it.
fn instructions(dossier: &Dossier) -> String {
    let blocks = render::before_items(&dossier.blocks);
    let said = blocks.map(|block| (block.message, block.role.as_str(), block.text.as_str()));
    json!(said.collect::<Vec<_>>()).to_string()
}

/// What a dossier shows beside header and history.
struct Shown {
    chunks: BTreeSet<ChunkId>,
    messages: BTreeMap<ChunkId, MessageId>,
    /// What is no chunk, by name and content.
    others: BTreeSet<(String, ContentHash)>,
}

impl Shown {
    fn of(dossier: &Dossier) -> Self {
        let mut shown =
            Self { chunks: BTreeSet::new(), messages: BTreeMap::new(), others: BTreeSet::new() };
        for block in &dossier.blocks {
            let item = block.item.and_then(|item| dossier.receipt.items.get(item));
            let Some(item) = item.filter(|item| item.include_mode == Mode::Retrieved) else {
                continue;
            };
            let own = chunks_of(&item.source, &dossier.ranking);
            if own.is_empty() {
                let name = format!("{}:{}", item.source.kind, item.source.id);
                shown.others.insert((name, ContentHash::of(&block.text)));
            }
            for ranked in own {
                shown.chunks.insert(ranked.chunk.id);
                if let Origin::Message(message) = &ranked.chunk.origin {
                    shown.messages.insert(ranked.chunk.id, message.clone());
                }
            }
        }
        shown
    }
}

/// The chunk that a source is; where that cannot be told, since it was trimmed, all of its file.
fn chunks_of<'a>(source: &Source, ranking: &'a [Ranked]) -> Vec<&'a Ranked> {
    let own = |ranked: &&Ranked| ranked.chunk.origin.as_str() == source.id;
    let all: Vec<&Ranked> = ranking.iter().filter(own).collect();
    let is_same = |ranked: &&&Ranked| match &ranked.chunk.location {
        Location::File { start_line, end_line, place, .. } => {
            source.lines == Some((*start_line, *end_line)) && source.place == *place
        }
        Location::Message { .. } => true,
    };
    let same: Vec<&Ranked> = all.iter().filter(is_same).copied().collect();
    if same.is_empty() { all } else { same }
}
