//! The plan of a call, made before anything is stored: the history that is shown again, the files
//! with their sides, and what they take. The disk is looked at once.

use super::begin::ConsultRequest;
use super::hosted::Remote;
use super::material::{Material, Text, Wanted, measure, seen};
use super::replay::Replay;
use super::report::{FilesReport, SkippedFile};
use super::settings::{ConsultSettings, StableList};
use super::view::View;
use crate::assemble::{AssembleRequest, Shape};
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::fileset::{FileState, Measured, Room, Seen, Sides, sides};
use dossier_core::guard::masked;
use dossier_core::id::TurnId;
use dossier_core::item::Item;
use dossier_core::profile::{Profile, ProfileName};
use dossier_core::render::{self, Asking, WireRole};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_models::{ChatModel, HostedStores};
use dossier_store::{ConsultRecord, ConsultSession};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use tokio::task::spawn_blocking;

/// The most files that one call searches.
pub(super) const MOST_SEARCHED: usize = 10_000;

/// The most paths that a session keeps for later calls; files that stand inline need none.
const MOST_REMEMBERED: usize = 1_000;

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct Consulting {
    pub(super) assistant: String,
    pub(super) name: String,
    pub(super) state: FileState,
    pub(super) list: StableList,
    pub(super) priority: BTreeSet<String>,
    /// What is done with the files, as far as their sizes and times tell.
    pub(super) sides: Sides,
    /// The same by the list, where that is only recorded.
    pub(super) shadow: Option<Sides>,
    pub(super) texts: BTreeMap<String, Text>,
    pub(super) attachments: Vec<Seen>,
    pub(super) gone: Vec<String>,
    pub(super) skipped: Vec<SkippedFile>,
    pub(super) replay: Replay,
    pub(super) header: Vec<Item>,
    pub(super) header_tokens: u32,
    pub(super) question: String,
    pub(super) tokenizer: Tokenizer,
    pub(super) room: Room,
    /// Whether the model can search for itself.
    pub(super) has_tools: bool,
    pub(super) view: View,
    base: Option<String>,
    context: BTreeSet<String>,
    /// The provider's own stores, where these are to be searched.
    pub(super) stores: Option<HostedStores>,
    pub(super) remote: tokio::sync::Mutex<Option<Remote>>,
    turn: Option<TurnId>,
    /// Number and revision, once it is stored.
    session: Option<(i64, i64)>,
    /// What was made of it for the request that is answered.
    arranged: Mutex<Arranged>,
}

/// What a request was made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Arranged {
    pub report: FilesReport,
    pub after: Option<FileState>,
}

impl Workspace {
    /// Plans a call of a session, which may be new.
    pub(super) async fn plan(
        &self,
        request: &ConsultRequest,
        session: Option<&ConsultSession>,
        model: &dyn ChatModel,
        settings: &ConsultSettings,
    ) -> Result<Consulting, EngineError> {
        let info = model.info();
        let tokenizer = self.learned(info.tokenizer).await?;
        let question = masked(&request.instructions).into_owned();
        let (state, replay) = match session {
            Some(session) => (
                self.store.consult_files(session.number).await?,
                self.replay(&session.thread, tokenizer).await?,
            ),
            None => Default::default(),
        };
        let header = self.consult_header(request, &info.full_name(), tokenizer).await?;
        let wanted = Wanted {
            roots: request.roots.clone(),
            context: request.context.clone(),
            priority: request.priority_context.clone(),
            attachments: request.attachments.clone(),
            remembered: session.map(|session| session.context.clone()).unwrap_or_default(),
            listed: state.inline.clone(),
            base: session.and_then(|session| session.base.clone()),
        };
        let (list, held) = (settings.list, replay.held.clone());
        let known = state.clone();
        let looked =
            spawn_blocking(move || look(&wanted, list, &known, &held, tokenizer)).await??;
        let header_tokens = header_tokens(&header, tokenizer);
        let Looked { material, sides, shadow, texts, skipped } = looked;
        let searched = sides.searchable.len() + sides.new.len() + material.attachments.len();
        if searched > MOST_SEARCHED {
            return Err(EngineError::Invalid(format!(
                "{searched} files would have to be searched and {MOST_SEARCHED} may be in one \
                 call; name fewer folders"
            )));
        }
        let attachments: Vec<Seen> = material
            .attachments
            .iter()
            .filter(|(name, _)| !material.files.contains_key(*name))
            .map(seen)
            .collect();
        let view = View::of(&material);
        let mut skipped_files = material.skipped;
        skipped_files.extend(skipped);
        Ok(Consulting {
            assistant: request.assistant.clone(),
            name: request.session_id.clone(),
            state,
            list,
            priority: material.priority,
            sides,
            shadow,
            texts,
            attachments,
            gone: material.gone,
            skipped: skipped_files,
            replay,
            header,
            header_tokens,
            question,
            tokenizer,
            room: Room::of(info.window, tokenizer),
            has_tools: info.capabilities.tools,
            view,
            base: material.base,
            context: material.context,
            session: session.map(|session| (session.number, session.revision)),
            stores: match settings.hosted {
                true => self.models()?.hosted(&info.provider),
                false => None,
            },
            remote: tokio::sync::Mutex::default(),
            turn: None,
            arranged: Mutex::default(),
        })
    }

    async fn consult_header(
        &self,
        request: &ConsultRequest,
        model: &str,
        tokenizer: Tokenizer,
    ) -> Result<Vec<Item>, EngineError> {
        let wanted = AssembleRequest {
            project: request.project.clone(),
            thread: None,
            question: request.instructions.clone(),
            shape: Shape::Profile(ProfileName::Consult),
            budget: None,
            model: Some(model.to_owned()),
            intent: None,
            topics: Vec::new(),
            tools: Vec::new(),
            history: None,
            round: None,
            brought: None,
            now: request.now,
        };
        self.header(&wanted, &Profile::consult(), tokenizer).await
    }
}

/// What the disk tells.
struct Looked {
    material: Material,
    sides: Sides,
    shadow: Option<Sides>,
    texts: BTreeMap<String, Text>,
    skipped: Vec<SkippedFile>,
}

fn look(
    wanted: &Wanted,
    list: StableList,
    state: &FileState,
    held: &BTreeSet<i64>,
    tokenizer: Tokenizer,
) -> Result<Looked, EngineError> {
    let material = Material::find(wanted)?;
    let parted =
        |state: &FileState| sides(material.files.iter().map(seen), state, &material.priority, held);
    let (sides, shadow) = match list {
        StableList::On => (parted(state), None),
        StableList::Shadow => (parted(&FileState::default()), Some(parted(state))),
        StableList::Off => (parted(&FileState::default()), None),
    };
    let unread = sides.due.iter().chain(&sides.new);
    let files = unread.filter_map(|seen| Some((seen, material.files.get(&seen.path)?)));
    let (texts, skipped) = measure(files, tokenizer);
    let texts = texts.into_iter().map(|text| (text.measured.file.path.clone(), text)).collect();
    Ok(Looked { material, sides, shadow, texts, skipped })
}

/// Of the message that stands before all others.
fn header_tokens(header: &[Item], tokenizer: Tokenizer) -> u32 {
    let asking = Asking { question: "", reader: None, standing: None };
    let blocks = render::blocks(header, &vec![true; header.len()], asking);
    let system: Vec<_> =
        render::messages(&blocks).into_iter().filter(|one| one.role == WireRole::System).collect();
    render::count(&system, tokenizer)
}

impl Consulting {
    pub(crate) fn tokenizer(&self) -> Tokenizer {
        self.tokenizer
    }

    /// Tells which turn it has become, and of which session.
    pub(super) fn stored_as(&mut self, turn: &TurnId, session: Option<&ConsultSession>) {
        self.turn = Some(turn.clone());
        let known = session.map(|session| (session.number, session.revision));
        self.session = known.or(self.session);
    }

    pub(super) fn turn(&self) -> Option<TurnId> {
        self.turn.clone()
    }

    /// The measured ones of these sides.
    pub(super) fn measured(&self, sides: &Sides) -> Vec<Measured> {
        let texts =
            sides.due.iter().chain(&sides.new).filter_map(|seen| self.texts.get(&seen.path));
        texts.map(|text| text.measured.clone()).collect()
    }

    pub(super) fn keep(&self, arranged: Arranged) {
        *self.arranged.lock().unwrap_or_else(PoisonError::into_inner) = arranged;
    }

    /// What became of the files in the request that was last made.
    pub(crate) fn report(&self) -> FilesReport {
        self.arranged.lock().unwrap_or_else(PoisonError::into_inner).report.clone()
    }

    /// What the session remembers once that request is answered; nothing where it is switched off.
    pub(crate) fn record(&self, now: Timestamp) -> Option<ConsultRecord> {
        let arranged = self.arranged.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (Some(after), Some((session, revision))) = (arranged.after, self.session) else {
            return None;
        };
        let context = self.remembered(&after);
        Some(ConsultRecord {
            session,
            revision,
            base: self.base.clone(),
            context,
            before: self.state.clone(),
            after,
            now,
        })
    }

    /// The paths that are looked at again in later calls: all but files that stand inline.
    fn remembered(&self, after: &FileState) -> Vec<String> {
        let paths = self.context.iter().filter(|path| !after.inline.contains(*path));
        paths.take(MOST_REMEMBERED).cloned().collect()
    }
}
