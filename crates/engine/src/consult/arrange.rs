//! From the plan to the request: the files split, the turn's own message written, the whole counted.
//! Every message is counted by itself, so what was counted in earlier turns need not be again.

use super::plan::{Arranged, Consulting};
use super::report::FilesReport;
use super::settings::StableList;
use super::tools;
use crate::assemble::{Dossier, Effort, Past};
use crate::error::EngineError;
use crate::mint;
use crate::turn::Asked;
use crate::workspace::Workspace;
use dossier_core::fileset::{self, Crowded, FileState, Map, Measured, Seen, Split, Used};
use dossier_core::fit::Fitting;
use dossier_core::intent;
use dossier_core::item::{Form, Item, Kind, Section, Source};
use dossier_core::receipt::{Beyond, BudgetUse, Coverage, Receipt, ReceiptItem, SharedPrefix};
use dossier_core::render::{self, Asking};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// What is kept free for the map and what stands around files, in tokens.
const AROUND: u32 = 1_200;

/// The most that passages may take which a model is given that cannot search.
const PASSAGES: u32 = 6_000;

/// The most files that one call searches.
const MOST_SEARCHED: usize = 10_000;

/// The most files that a receipt names which are not sent.
const NAMED: usize = 100;

/// How much of the room for files is used, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share(pub u32);

impl Consulting {
    /// Whether the files can be sent at all, and what becomes of them.
    pub(super) fn check(&self) -> Result<FilesReport, EngineError> {
        let split = self.split(Share(100))?;
        let searched = split.searchable.len() + self.attachments.len();
        if searched > MOST_SEARCHED {
            return Err(EngineError::Invalid(format!(
                "{searched} files would have to be searched and {MOST_SEARCHED} may be in one \
                 call; name fewer folders"
            )));
        }
        Ok(self.told(&split, 0))
    }

    /// The dossier of this call.
    pub(crate) async fn arrange(
        &self,
        workspace: &Workspace,
        asked: &Asked,
        model: &str,
        share: Share,
    ) -> Result<Dossier, EngineError> {
        let began = Instant::now();
        let split = self.split(share)?;
        self.open_view(&split);
        let mut items = self.header.clone();
        items.extend(self.replay.items.iter().cloned());
        if !self.has_tools && !self.view.is_empty() {
            let used = self.used().whole.saturating_add(split.sent_tokens());
            let left = self.room.whole.saturating_sub(used);
            items.extend(self.view.best(workspace, &self.question, left.min(PASSAGES)).await?);
        }
        let own = items.len();
        items.extend(split.send.iter().filter_map(|measured| self.sent(measured)));
        let map = self.map(&split);
        items.extend(map.map(|text| {
            let tokens = self.tokenizer.count(&text);
            fileset::map_item(text, tokens, "pinned: where the files of this call are")
        }));
        let asking = Asking { question: &self.question, reader: Some(model), standing: None };
        let blocks = fileset::blocks(&items, own, asking);
        let messages = render::messages(&blocks);
        let own_tokens = messages.last().map_or(0, |own| self.tokenizer.count(&own.content));
        let used = self
            .header_tokens
            .saturating_add(self.replay.tokens)
            .saturating_add(render::OVERHEAD)
            .saturating_add(own_tokens);
        let limit = self.limit();
        if used > limit {
            return Err(self.full(used, limit));
        }
        let mut receipt = self.receipt(asked, model, &items, (used, split.sent_tokens()));
        receipt.items.extend(not_sent(&split));
        receipt.blocks = blocks.iter().map(Into::into).collect();
        receipt.sent = render::hash(&messages);
        let previous =
            workspace.previous_given(&asked.question.thread, Some(model), Past::Sent).await?;
        receipt.prefix = previous.map(|previous| SharedPrefix::between(&previous, &receipt.blocks));
        let mut report = self.told(&split, used);
        report.own_tokens = own_tokens;
        let after = self.after(&split, asked.question.round, share);
        report.leave_out(self.not_remembered(&after));
        self.keep(&receipt.id, Arranged { report, after });
        // What does not fit is refused above, or searched.
        let effort = Effort { took: began.elapsed(), recalled: None, fitting: Fitting::Whole };
        Ok(Dossier { blocks, messages, receipt, effort, ranking: Arc::default() })
    }

    /// Lets exactly that be searched which the model is not shown.
    fn open_view(&self, split: &Split) {
        let searchable = split.searchable.iter().chain(&self.attachments);
        self.view.open(searchable.map(|file| file.path.clone()).collect());
    }

    /// What the request takes beside the files that are about to be sent.
    fn used(&self) -> Used {
        let question = self.tokenizer.count(&self.question).saturating_add(render::OVERHEAD);
        let whole = self
            .header_tokens
            .saturating_add(self.replay.tokens)
            .saturating_add(question)
            .saturating_add(AROUND);
        let files = match self.list {
            StableList::On => self.state.tokens_held(&self.replay.held),
            StableList::Shadow | StableList::Off => 0,
        };
        Used { whole, files }
    }

    /// The most that the request may take: more where the caller insists on a file.
    fn limit(&self) -> u32 {
        let insisted = self.sides.due.iter().any(|file| self.priority.contains(&file.path));
        if insisted { self.room.most } else { self.room.whole }
    }

    fn split(&self, share: Share) -> Result<Split, EngineError> {
        let state = match self.list {
            StableList::On => self.state.clone(),
            StableList::Shadow | StableList::Off => FileState::default(),
        };
        let used = self.used();
        if used.whole - AROUND > self.limit() {
            return Err(self.full(used.whole - AROUND, self.limit()));
        }
        let (sides, room) = (self.sides.clone(), self.room.reduced(share.0));
        let measured = self.measured(&sides);
        Split::of(sides, measured, &state, &self.priority, room, used)
            .map_err(|crowded| self.crowded(&crowded))
    }

    /// What the session remembers of its files after this is answered; without the list, what it
    /// knew before.
    fn after(&self, split: &Split, round: i64, share: Share) -> FileState {
        let shadow = match (self.list, &self.shadow) {
            (StableList::Off, _) => return self.state.clone(),
            (StableList::Shadow, Some(shadow)) => shadow.clone(),
            _ => return self.state.after(split, round),
        };
        let measured = self.measured(&shadow);
        let used = Used { files: self.state.tokens_held(&self.replay.held), ..self.used() };
        let room = self.room.reduced(share.0);
        let recorded = Split::of(shadow, measured, &self.state, &self.priority, room, used);
        // What the list would not have had room for is not sent by it either.
        let Ok(mut recorded) = recorded else { return self.state.clone() };
        recorded.send.retain(|file| split.send.contains(file));
        self.state.after(&recorded, round)
    }

    fn sent(&self, measured: &Measured) -> Option<Item> {
        let text = self.texts.get(&measured.file.path)?.text.clone();
        let reason = if self.priority.contains(&measured.file.path) {
            "inline: insisted on"
        } else if self.state.sent.contains_key(&measured.file.path) {
            "inline: changed since it was sent"
        } else {
            "inline: named for the first time"
        };
        Some(fileset::sent_item(measured, text, reason))
    }

    fn map(&self, split: &Split) -> Option<String> {
        let again: BTreeSet<String> = split
            .send
            .iter()
            .map(|file| file.file.path.clone())
            .filter(|path| self.state.sent.contains_key(path))
            .collect();
        let outdated = match self.list {
            StableList::On => split.searchable.as_slice(),
            StableList::Shadow | StableList::Off => &[],
        };
        let outdated: Vec<String> = outdated
            .iter()
            .filter(|file| self.state.is_outdated(file, &self.replay.held))
            .map(|file| file.path.clone())
            .collect();
        let map = Map {
            split,
            again: &again,
            outdated: &outdated,
            gone: &self.gone,
            attachments: &self.attachments,
            tools: self.has_tools.then_some(tools::NAMES),
        };
        map.text(self.tokenizer)
    }

    fn told(&self, split: &Split, used: u32) -> FilesReport {
        let mut report = FilesReport {
            sent: split.send.len(),
            unchanged: split.unchanged.len(),
            searchable: split.searchable.len() + self.attachments.len(),
            tokens_sent: split.sent_tokens(),
            tokens_saved: split.saved_tokens(),
            tokens_used: used,
            tokens_limit: self.limit(),
            frozen: split.frozen,
            counted_by: self.tokenizer.method(),
            ..FilesReport::default()
        };
        report.leave_out(self.skipped.clone());
        report
    }

    fn crowded(&self, crowded: &Crowded) -> EngineError {
        let Crowded { needed, left, largest } = crowded;
        if self.replay.items.is_empty() {
            return EngineError::Invalid(format!(
                "the files that must be sent take {needed} tokens and {left} are left in the \
                 window: {}; name fewer in priority_context",
                largest.join(", ")
            ));
        }
        self.full(self.used().whole.saturating_add(*needed), self.limit())
    }

    /// The end of a session, with the way on.
    fn full(&self, used: u32, limit: u32) -> EngineError {
        EngineError::SessionFull(format!(
            "the session `{}` with {} is full: {used} tokens would be sent and {limit} is the \
             most; nothing was dropped or asked. Go on under a new session_id, and name the files \
             that still matter",
            self.name, self.assistant
        ))
    }

    fn receipt(
        &self,
        asked: &Asked,
        model: &str,
        items: &[Item],
        (used, files): (u32, u32),
    ) -> Receipt {
        let mut sections: BTreeMap<Section, u32> = BTreeMap::new();
        sections.insert(Section::Header, self.header_tokens);
        sections.insert(Section::History, self.replay.tokens);
        sections.insert(Section::Summaries, files);
        let named: u32 = sections.values().sum();
        sections.insert(Section::Question, used.saturating_sub(named));
        let mut warnings = Vec::new();
        if !self.tokenizer.is_exact() {
            warnings
                .push("tokens are estimated for this model; a twentieth is kept back".to_owned());
        }
        Receipt {
            id: mint::id(),
            now: mint::now(),
            project: asked.project.id.clone(),
            thread: Some(asked.question.thread.clone()),
            question: self.question.clone(),
            intent: intent::detect(&self.question),
            profile: "consult".to_owned(),
            model: Some(model.to_owned()),
            tools: Vec::new(),
            lazy_tools: Vec::new(),
            tool_server: None,
            budget: BudgetUse {
                limit: self.limit(),
                used,
                counted_by: self.tokenizer.method(),
                sections,
                warnings,
            },
            coverage: Coverage::default(),
            items: items.iter().map(Into::into).collect(),
            beyond: Beyond::default(),
            blocks: Vec::new(),
            sent: render::hash(&[]),
            prefix: None,
            cached: None,
        }
    }
}

/// Files that are before the model already, and those it must search for.
fn not_sent(split: &Split) -> Vec<ReceiptItem> {
    let item = |file: &Seen, tokens: u32, form: Form, reason: &str| {
        let source = Source::file(&file.path, &file.path, (1, 1));
        let item = Item::pinned(Kind::File, source, String::new(), tokens, reason);
        ReceiptItem { form, ..ReceiptItem::from(&item) }
    };
    let unchanged = split.unchanged.iter().take(NAMED).map(|file| {
        item(&file.file, file.tokens, Form::Pointer, "unchanged: it stands in an earlier question")
    });
    let searchable = split.searchable.iter().take(NAMED).map(|file| {
        item(file, 0, Form::Dropped, "left to search: it does not fit beside what was there first")
    });
    unchanged.chain(searchable).collect()
}
