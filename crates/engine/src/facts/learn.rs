//! Learning from what is said. What fails here fails alone: memory lacks a fact, and the turn stands.

use super::ATTEMPTS;
use crate::changes::{Action, Change};
use crate::error::EngineError;
use crate::flags::{FACTS, flag};
use crate::mint;
use crate::turn::{Attachment, Terms};
use crate::workspace::Workspace;
use dossier_core::facts::{Caps, Draft, Ledger, Utterance, extract};
use dossier_core::id::{FactId, ProjectId, TurnId};
use dossier_core::item::Kind;
use dossier_core::message::Message;
use dossier_core::profile::ProfileName;
use dossier_core::receipt::Receipt;
use dossier_store::Turn;
use std::collections::BTreeSet;

impl Workspace {
    /// Remembers what the question of a turn states, and what was told with it of the conversation
    /// before, unless it was shown to its writer. Personas and consultations have memories of their
    /// own. A question is learned from once, however often models are asked: what was forgotten
    /// since must not come back. Whether that is still to be noted.
    pub(crate) async fn learn_from(&self, turn: &Turn) -> Result<bool, EngineError> {
        let terms: Option<Terms> = serde_json::from_value(turn.request.clone()).ok();
        let Some(terms) = terms else { return Ok(false) };
        let is_own = terms.brought.as_ref().is_some_and(|brought| brought.persona.is_some());
        let learns = ProfileName::ALL.contains(&terms.profile) && !is_own;
        let Some(project) = self.store.project(&turn.project).await? else { return Ok(false) };
        if !learns || !flag(&project, FACTS) {
            return Ok(false);
        }
        let Some(question) = self.store.message(&turn.message).await? else { return Ok(false) };
        let mut is_new = !self.store.is_question_learned(turn).await?;
        if is_new {
            let mut said = match terms.brought {
                Some(_) => self.store.told_with(&question).await?,
                None => Vec::new(),
            };
            said.push(question.clone());
            if said.iter().any(|message| !drafts(message).is_empty()) {
                let shown = self.quoted_files(&turn.id).await?;
                let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
                self.learn_facts(&turn.project, &said, &shown).await?;
                self.store.question_learned(&turn.id, mint::now()).await?;
                is_new = false;
            }
        }
        // A job has the id of its question, so that it is done once as well.
        self.call_for_facts(&project, turn, &question).await?;
        Ok(is_new)
    }

    /// Remembers what messages state. `shown` are texts that their writers were shown.
    pub(crate) async fn learn_facts(
        &self,
        project: &ProjectId,
        messages: &[Message],
        shown: &[&str],
    ) -> Result<(), EngineError> {
        let stated = |message| (message, drafts(message));
        let stated: Vec<(&Message, Vec<Draft>)> = messages.iter().map(stated).collect();
        self.take_facts(project, &stated, shown).await
    }

    /// Remembers what was found in messages, as far as the gate lets it in.
    pub(crate) async fn take_facts(
        &self,
        project: &ProjectId,
        stated: &[(&Message, Vec<Draft>)],
        shown: &[&str],
    ) -> Result<(), EngineError> {
        if stated.iter().all(|(_, drafts)| drafts.is_empty()) {
            return Ok(());
        }
        for _ in 0..ATTEMPTS {
            let known = self.store.facts(project).await?;
            let mut ledger = Ledger::new(known.facts.to_vec());
            for (message, drafts) in stated {
                ledger.hear(message, drafts, shown, mint::id::<FactId>);
            }
            let lesson = ledger.lesson(Caps::default(), mint::now());
            if lesson.is_empty() {
                return Ok(());
            }
            if self.store.write_facts(project, &known, &lesson.written, &lesson.dropped).await? {
                if let Some(fact) = lesson.written.first() {
                    self.tell(Change::fact(Action::Created, project, &fact.id));
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// What the models of a turn were shown of files, whether they have replied or not: who repeats
    /// it states nothing new.
    pub(crate) async fn quoted_files(&self, turn: &TurnId) -> Result<Vec<String>, EngineError> {
        let mut seen = BTreeSet::new();
        let replies = self.store.turn(turn).await?.map(|turn| turn.replies).unwrap_or_default();
        for id in replies.iter().filter_map(|reply| reply.receipt.as_ref()) {
            let Some(row) = self.store.receipt(id).await? else { continue };
            let Ok(receipt) = serde_json::from_str::<Receipt>(&row.body) else { continue };
            for block in &receipt.blocks {
                let item = block.item.and_then(|item| receipt.items.get(item));
                if item.is_some_and(|item| item.kind == Kind::File) {
                    seen.insert(block.hash.clone());
                }
            }
        }
        let mut texts = Vec::with_capacity(seen.len());
        for hash in seen {
            let text = self.store.blob(&hash).await?.unwrap_or_default();
            texts.push(String::from_utf8_lossy(&text).into_owned());
        }
        Ok(texts)
    }
}

fn drafts(message: &Message) -> Vec<Draft> {
    extract(said(message))
}

/// What the writer of a message says in it, without what is attached.
pub(crate) fn said(message: &Message) -> Utterance<'_> {
    let content = &message.content;
    let attached = format!("\n\n{}", Attachment::OPENING);
    let mut begins = content.match_indices(&attached).map(|(place, _)| place);
    // Its writer may speak of attachments, too.
    let is_attached = |place: &usize| {
        let rest = &content[place + attached.len()..];
        rest.lines().next().is_some_and(|line| line.contains(" name=\"") && line.ends_with("\">"))
    };
    let end = begins.find(is_attached).unwrap_or(content.len());
    Utterance { speaker: &message.speaker, content: &content[..end] }
}
