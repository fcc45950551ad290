//! The plan of a call, made before anything is stored: the history that is shown again, the files
//! with their sides, and what they take. The disk is looked at once.

use super::begin::ConsultRequest;
use super::given_up::WhileWanted;
use super::hosted::Remote;
use super::material::{Material, Text, Wanted, measure, seen, unreadable};
use super::replay::Replay;
use super::report::{FilesReport, SkippedFile};
use super::settings::{ConsultSettings, StableList};
use super::view::View;
use crate::assemble::{AssembleRequest, Shape, ToolUse};
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::fileset::{FileState, Measured, Room, Seen, Sides, sides};
use dossier_core::guard::masked;
use dossier_core::id::{ReceiptId, TurnId};
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
    /// What was made there, or why it was not.
    pub(super) remote: tokio::sync::Mutex<Option<Result<Remote, String>>>,
    turn: Option<TurnId>,
    /// Number and revision, once it is stored.
    session: Option<(i64, i64)>,
    /// What was made of it for each request, by its receipt: the last one need not be the one whose
    /// answer stands.
    arranged: Mutex<BTreeMap<ReceiptId, Arranged>>,
}

/// What a request was made of.
#[derive(Debug, Clone)]
pub(super) struct Arranged {
    pub report: FilesReport,
    pub after: FileState,
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
        let while_wanted = WhileWanted::default();
        let wanted = Wanted {
            roots: request.roots.clone(),
            context: request.context.clone(),
            priority: request.priority_context.clone(),
            attachments: request.attachments.clone(),
            remembered: session.map(|session| session.context.clone()).unwrap_or_default(),
            listed: state.inline.iter().chain(state.sent.keys()).cloned().collect(),
            base: session.and_then(|session| session.base.clone()),
            limits: self.file_limits().await?,
            given_up: while_wanted.given_up(),
        };
        let (list, held) = (settings.list, replay.held.clone());
        let known = state.clone();
        let looked =
            spawn_blocking(move || look(&wanted, list, &known, &held, tokenizer)).await??;
        drop(while_wanted);
        let header_tokens = header_tokens(&header, tokenizer);
        let Looked { material, sides, shadow, texts, skipped } = looked;
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
            tools: ToolUse::None,
            history: None,
            round: None,
            brought: None,
            now: request.now,
        };
        self.header(&wanted, &Profile::consult(), &[], tokenizer).await
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
    let mut material = Material::find(wanted)?;
    let parted =
        |state: &FileState| sides(material.files.iter().map(seen), state, &material.priority, held);
    let (sides, shadow) = match list {
        StableList::On => (parted(state), None),
        StableList::Shadow => (parted(&FileState::default()), Some(parted(state))),
        StableList::Off => (parted(&FileState::default()), None),
    };
    let unread = sides.due.iter().chain(&sides.new);
    let files = unread.filter_map(|seen| Some((seen, material.files.get(&seen.path)?)));
    let (texts, mut skipped) = measure(files, tokenizer, &wanted.given_up);
    // What nobody could search is not attached: whoever has named it is told.
    let known = |name: &&String| material.files.contains_key(*name);
    let attached = material.attachments.iter().filter(|(name, _)| !known(name));
    let attached = attached.take_while(|_| !wanted.given_up.is_so());
    let broken: Vec<SkippedFile> = attached.filter_map(unreadable).collect();
    for file in &broken {
        material.attachments.remove(&file.path);
    }
    skipped.extend(broken);
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

    pub(super) fn keep(&self, receipt: &ReceiptId, arranged: Arranged) {
        let mut all = self.arranged.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(receipt.clone(), arranged);
    }

    fn arranged(&self, receipt: &ReceiptId) -> Option<Arranged> {
        self.arranged.lock().unwrap_or_else(PoisonError::into_inner).get(receipt).cloned()
    }

    /// What became of the files in the request of this receipt.
    pub(crate) fn report(&self, receipt: &ReceiptId) -> FilesReport {
        self.arranged(receipt).map(|arranged| arranged.report).unwrap_or_default()
    }

    /// What the session remembers once that request is answered.
    pub(crate) fn record(&self, receipt: &ReceiptId, now: Timestamp) -> Option<ConsultRecord> {
        let Arranged { after, .. } = self.arranged(receipt)?;
        let (session, revision) = self.session?;
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
        self.lasting(after).take(MOST_REMEMBERED).cloned().collect()
    }

    /// Those that are too many for that.
    pub(super) fn not_remembered(&self, after: &FileState) -> Vec<SkippedFile> {
        let told = |path: &String| SkippedFile {
            path: path.clone(),
            reason: format!(
                "later calls do not look at it unless it is named again, since a session keeps \
                 {MOST_REMEMBERED} paths; name folders"
            ),
        };
        self.lasting(after).skip(MOST_REMEMBERED).map(told).collect()
    }

    fn lasting<'a>(&'a self, after: &'a FileState) -> impl Iterator<Item = &'a String> {
        self.context.iter().filter(|path| !after.inline.contains(*path))
    }
}
