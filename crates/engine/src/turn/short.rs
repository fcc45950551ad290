//! A question that a model has no room for: its long parts, pasted or attached, stand behind refs and
//! are shown in short, and the words beside them say what is wanted. The message itself is kept
//! whole.
//!
//! Invariant: nothing is stored before it is sure that somebody can be asked so.

use super::tools::LARGE;
use super::{Reader, Terms, assembling};
use crate::assemble::{AssembleRequest, Dossier, Seat, shown_in_short};
use crate::error::EngineError;
use crate::flags::{REFS, flag};
use crate::mint;
use crate::refs::{DraftedRef, NewRef};
use crate::workspace::Workspace;
use dossier_core::compress::content::Outcome;
use dossier_core::id::ThreadId;
use dossier_core::refs::{Pasted, pasted};
use dossier_core::time::Timestamp;
use dossier_models::ChatModel;
use dossier_store::Project;
use serde_json::json;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How much of a long part is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Showing {
    /// What says most of it.
    Excerpt,
    /// What it is.
    Summary,
}

/// Ways to shorten a question, each shorter than the one before: from how many bytes on a part is
/// shown in short, and how.
const WAYS: [(usize, Showing); 3] =
    [(LARGE, Showing::Excerpt), (LARGE, Showing::Summary), (1_200, Showing::Summary)];

/// What a turn is to ask, of whom and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub project: &'a Project,
    pub thread: Option<&'a ThreadId>,
    pub question: &'a str,
    pub terms: &'a Terms,
    pub now: Timestamp,
}

/// Models with their seats, and the refs that their questions name.
pub(crate) struct Seated {
    pub readers: Vec<Reader>,
    pub refs: Vec<DraftedRef>,
}

/// A question in short.
struct Short {
    question: String,
    refs: Vec<DraftedRef>,
}

impl Workspace {
    /// The models with their seats, where the question is too large with the question in short. One
    /// that cannot be asked so fails alone; where none can be asked, that is an error.
    pub(crate) async fn seated(
        &self,
        asking: Asking<'_>,
        models: Vec<(usize, Arc<dyn ChatModel>)>,
    ) -> Result<Seated, EngineError> {
        let asked = models.iter().map(|(_, model)| &**model);
        let (seats, refs) = self.seats(asking, asked).await;
        let mut readers = Vec::with_capacity(models.len());
        let mut refused = None;
        for ((ordinal, model), seat) in models.into_iter().zip(seats) {
            let seat = seat.map_err(|error| refused.get_or_insert(error)).ok();
            readers.push(Reader { ordinal, model, seat, before: None });
        }
        match refused {
            Some(error) if readers.iter().all(|reader| reader.seat.is_none()) => Err(error),
            _ => Ok(Seated { readers, refs }),
        }
    }

    /// Each model's seat, or why it has none; and the refs that questions name.
    pub(super) async fn seats<'a>(
        &self,
        asking: Asking<'_>,
        models: impl Iterator<Item = &'a dyn ChatModel> + Send,
    ) -> (Vec<Result<Seat, EngineError>>, Vec<DraftedRef>) {
        let mut shorts = Shorts::default();
        let mut seats = Vec::new();
        for model in models {
            seats.push(self.seat_of(asking, model, &mut shorts).await);
        }
        (seats, shorts.used())
    }

    /// Stores what the questions of models name, for as long as refs are kept from now on.
    pub(crate) async fn store_refs(&self, refs: Vec<DraftedRef>) -> Result<(), EngineError> {
        for drafted in refs {
            self.store_ref(drafted, mint::now()).await?;
        }
        Ok(())
    }

    /// The seat of one model, with as much of the question as it has room for.
    async fn seat_of(
        &self,
        asking: Asking<'_>,
        model: &dyn ChatModel,
        shorts: &mut Shorts,
    ) -> Result<Seat, EngineError> {
        let Asking { project, question, terms, now, .. } = asking;
        let seat = self.seat(&assembling(project, question, terms, model.info(), now)).await;
        let Err(EngineError::TooLarge(_)) = seat else { return seat };
        if !flag(project, REFS) {
            return seat;
        }
        for way in 0..WAYS.len() {
            let Some(short) = self.short(asking, way, shorts).await? else { continue };
            let request = assembling(project, &short.question, terms, model.info(), now);
            if let Ok(mut seat) = self.seat(&request).await {
                seat.behind = short.refs.iter().map(|drafted| drafted.name.to_string()).collect();
                shorts.used.insert(way);
                return Ok(seat);
            }
        }
        seat
    }

    /// The question, shortened in this way; nothing where that changes nothing.
    async fn short<'a>(
        &self,
        asking: Asking<'_>,
        way: usize,
        shorts: &'a mut Shorts,
    ) -> Result<Option<&'a Short>, EngineError> {
        if let Entry::Vacant(place) = shorts.made.entry(way) {
            let Asking { project, thread, question, .. } = asking;
            place.insert(self.shorten(project, thread, question, WAYS[way]).await?);
        }
        Ok(shorts.made.get(&way).and_then(Option::as_ref))
    }

    /// The dossier that a turn would send for a question that has no room, with the refs that it
    /// names; nothing is stored, and nothing comes of it where the question has no long parts.
    pub(crate) async fn assemble_in_short(
        &self,
        request: &AssembleRequest,
    ) -> Result<Option<(Dossier, Vec<DraftedRef>)>, EngineError> {
        if !flag(&request.project, REFS) {
            return Ok(None);
        }
        for way in WAYS {
            let (thread, text) = (request.thread.as_ref(), request.question.as_str());
            let short = self.shorten(&request.project, thread, text, way).await?;
            let Some(Short { question, refs }) = short else { continue };
            match self.assemble(&AssembleRequest { question, ..request.clone() }).await {
                Err(EngineError::TooLarge(_)) => {}
                dossier => {
                    let mut dossier = dossier?;
                    let names: Vec<String> =
                        refs.iter().map(|drafted| drafted.name.to_string()).collect();
                    dossier.receipt.budget.warnings.extend(shown_in_short(&names));
                    return Ok(Some((dossier, refs)));
                }
            }
        }
        Ok(None)
    }

    async fn shorten(
        &self,
        project: &Project,
        thread: Option<&ThreadId>,
        text: &str,
        (least, showing): (usize, Showing),
    ) -> Result<Option<Short>, EngineError> {
        let mut short = Short { question: String::new(), refs: Vec::new() };
        let mut end = 0;
        for Pasted { range, name } in pasted(text, least) {
            let source = match &name {
                Some(name) => json!({ "attachment": name }),
                None => json!({ "pasted": true }),
            };
            let new = NewRef {
                text: text[range.clone()].to_owned(),
                file: name,
                project: Some(project.id.clone()),
                thread: thread.cloned(),
                source,
                ..NewRef::default()
            };
            let drafted = self.draft_ref(new, mint::now()).await?;
            let shown = match (drafted.compression.audit.outcome, showing) {
                (Outcome::Small, _) => continue,
                (Outcome::Compressed, Showing::Excerpt) => drafted.compression.text.clone(),
                _ => drafted.brief(),
            };
            short.question.push_str(&text[end..range.start]);
            // It stands on lines of its own.
            if !short.question.is_empty() && !short.question.ends_with('\n') {
                short.question.push_str("\n\n");
            }
            short.question.push_str(&shown);
            if !text[range.end..].is_empty() && !text[range.end..].starts_with(['\n', '\r']) {
                short.question.push_str("\n\n");
            }
            end = range.end;
            short.refs.push(drafted);
        }
        short.question.push_str(&text[end..]);
        Ok((!short.refs.is_empty()).then_some(short))
    }
}

/// A question in each way that was tried, and the ways by which somebody is asked.
#[derive(Default)]
struct Shorts {
    made: BTreeMap<usize, Option<Short>>,
    used: BTreeSet<usize>,
}

impl Shorts {
    fn used(self) -> Vec<DraftedRef> {
        let used = self.made.into_iter().filter(|(way, _)| self.used.contains(way));
        used.filter_map(|(_, short)| short).flat_map(|short| short.refs).collect()
    }
}
