//! How a consultation begins: planned before anything is stored, and one after the other within a
//! session, whichever process they come from.

use super::report::FilesReport;
use super::settings::ConsultSettings;
use crate::assemble::check_length;
use crate::error::EngineError;
use crate::mint;
use crate::turn::{
    ATTEMPTS, Asked, Begun, Freshness, Gathering, Reader, Replied, Spending, Terms, TurnEvent,
    TurnStream, new_thread, new_turn, unbroken,
};
use crate::workspace::Workspace;
use dossier_core::chat::{Images, Options, without_binaries};
use dossier_core::id::{ThreadId, TurnId};
use dossier_core::message::{Message, Speaker};
use dossier_core::profile::ProfileName;
use dossier_core::time::Timestamp;
use dossier_files::Roots;
use dossier_models::ChatModel;
use dossier_store::{
    ConsultKey, ConsultSession, MessageRow, NewConsult, NewTurn, Project, StoreError, Turn,
};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest name of a session, in characters.
const LONGEST_NAME: usize = 256;

/// The most paths of each kind that one call names.
const MOST_PATHS: usize = 10_000;

/// How often it is looked whether the session is free.
const LOOK: Duration = Duration::from_millis(100);

/// How long a call waits for the one before it in its session.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long a call looks after what an earlier one left at a provider.
const SWEEPING: Duration = Duration::from_secs(5);

/// A question for an assistant, about files.
#[derive(Debug, Clone)]
pub struct ConsultRequest {
    pub project: Project,
    pub assistant: String,
    /// The client's own name for the conversation; a new one begins a new conversation.
    pub session_id: String,
    pub instructions: String,
    /// Files and folders that hold for the whole session.
    pub context: Vec<PathBuf>,
    /// Files and folders of this call alone, which are searched.
    pub attachments: Vec<PathBuf>,
    /// Files that are shown even beyond the budget.
    pub priority_context: Vec<PathBuf>,
    /// The folders that may be read from.
    pub roots: Roots,
    /// One that the caller brings, in the place of the assistant's own.
    pub model: Option<Arc<dyn ChatModel>>,
    /// What the client calls the call: asking again by the same name gives the first result.
    pub client_message_id: Option<String>,
    pub now: Timestamp,
}

/// A consultation that has begun.
#[derive(Debug)]
pub struct Consultation {
    pub stream: TurnStream,
    pub files: FilesReport,
}

impl Consultation {
    /// The same for a caller that has it, and may leave for a while.
    pub(super) fn shared(self) -> Self {
        Self { stream: self.stream.shared(), ..self }
    }
}

/// How far a consultation has come.
#[derive(Debug)]
pub struct ConsultJob {
    pub turn: Turn,
    pub files: FilesReport,
    /// The answer, or why there is none; nothing while it is worked on.
    pub outcome: Option<Result<Replied, TurnEvent>>,
}

/// A call that can begin.
struct Planned {
    request: ConsultRequest,
    begun: Begun,
    consulting: Box<super::Consulting>,
    files: FilesReport,
    model: Arc<dyn ChatModel>,
}

impl ConsultRequest {
    fn check(&self) -> Result<(), EngineError> {
        let invalid = |what: String| Err(EngineError::Invalid(what));
        let length = self.session_id.chars().count();
        if length == 0
            || length > LONGEST_NAME
            || self.session_id.trim().is_empty()
            || self.session_id.chars().any(char::is_control)
        {
            return invalid(format!(
                "session_id has 1 to {LONGEST_NAME} characters, none of them a control"
            ));
        }
        if self.instructions.trim().is_empty() {
            return invalid("instructions are empty; say what the assistant is to do".to_owned());
        }
        for paths in [&self.context, &self.attachments, &self.priority_context] {
            if paths.len() > MOST_PATHS {
                return invalid(format!(
                    "{} paths are named and {MOST_PATHS} is the most; name folders",
                    paths.len()
                ));
            }
        }
        check_length(&self.instructions)
    }

    pub(super) fn key(&self) -> ConsultKey {
        ConsultKey {
            project: self.project.id.clone(),
            assistant: self.assistant.clone(),
            name: self.session_id.clone(),
        }
    }
}

impl Workspace {
    /// Asks an assistant, and gives what happens. A call that the client has made before by the
    /// same name is not made again. While another call of the session goes on, this one waits.
    pub async fn consult(&self, request: &ConsultRequest) -> Result<Consultation, EngineError> {
        self.begin_consult(request, PATIENCE).await
    }

    /// The same for whoever will not wait: it is worked on whether anybody listens or not, and
    /// [`Workspace::consult_job`] tells how far it is. A session that is busy is an error.
    pub async fn start_consult(&self, request: &ConsultRequest) -> Result<ConsultJob, EngineError> {
        let Consultation { mut stream, files } =
            self.begin_consult(request, Duration::ZERO).await?;
        let turn = stream.turn.clone();
        tokio::spawn(async move { while stream.next().await.is_some() {} });
        Ok(ConsultJob { turn, files, outcome: None })
    }

    /// How far a consultation has come. It is given up with [`Workspace::cancel_turn`].
    pub async fn consult_job(&self, id: &TurnId) -> Result<ConsultJob, EngineError> {
        self.recover_turns(mint::now()).await?;
        let turn = self.turn_by_id(id).await?;
        let Some(mut files) = report_of(&turn) else {
            return Err(EngineError::not_found("consultation", id.as_str(), "this turn is none"));
        };
        let mut outcome = None;
        for event in self.told(&turn).await? {
            match event {
                TurnEvent::Reply(reply) => outcome = Some(Ok(reply)),
                error @ TurnEvent::Error { .. } => outcome = Some(Err(error)),
                _ => {}
            }
        }
        if let Some(Ok(reply)) = &outcome
            && let Some(row) = self.store.message_row(&reply.message_id).await?
            && let Some(told) = row.metadata.get("consult").cloned()
        {
            files = serde_json::from_value(told).unwrap_or(files);
        }
        Ok(ConsultJob { turn, files, outcome })
    }

    async fn begin_consult(
        &self,
        request: &ConsultRequest,
        patience: Duration,
    ) -> Result<Consultation, EngineError> {
        let instructions = without_binaries(&request.instructions).into_owned();
        let request = &ConsultRequest { instructions, ..request.clone() };
        request.check()?;
        let deadline = Instant::now() + patience;
        if let Some(known) = self.consulted(request, deadline).await? {
            return Ok(known);
        }
        self.expect_project(&request.project.id).await?;
        let settings = self.consult_settings().await?;
        let model = match &request.model {
            Some(brought) => Arc::clone(brought),
            None => self.assistant(&request.assistant, &settings).await?.1,
        };
        let project = Some(&request.project);
        let spending = self.check_budgets_for(model.info(), project, request.now).await?;
        self.store.expire_consults(settings.oldest(request.now)).await?;
        // A provider that does not answer must not keep anybody from asking another.
        let _ = tokio::time::timeout(SWEEPING, self.sweep_hosted()).await;
        for _ in 0..ATTEMPTS {
            let free = self.free_session(&request.key(), deadline).await?;
            let planned = self.planned(request, free, &model, &settings).await?;
            if let Some(begun) = self.begun(planned, spending.clone()).await? {
                return Ok(begun);
            }
            // Somebody was quicker: with the same call, or with another in the same session.
            if let Some(known) = self.consulted(request, deadline).await? {
                return Ok(known);
            }
        }
        Err(EngineError::Conflict(format!(
            "the session `{}` is used without pause; try again",
            request.session_id
        )))
    }

    /// Stores the question of a call and has it worked on; nothing where another was quicker. Whoever
    /// leaves meanwhile has given the call up.
    async fn begun(
        &self,
        planned: Planned,
        spending: Spending,
    ) -> Result<Option<Consultation>, EngineError> {
        let workspace = self.clone();
        let begin = async move {
            let Planned { request, begun, mut consulting, files, model } = planned;
            let Some(opened) = workspace.stored(&request, &begun).await? else { return Ok(None) };
            consulting.stored_as(&begun.turn.id, opened.as_ref());
            let asked = asked(&request, begun.question, spending, *consulting);
            let (readers, gathering) = (Reader::only(model), Gathering::nothing());
            let stream = workspace.run(begun.turn, asked, readers, Some(gathering)).alone();
            Ok(Some(Consultation { stream, files }))
        };
        Ok(unbroken(begin).await?.map(Consultation::shared))
    }

    /// The session, once no call of it goes on, and the place in its thread that the next question
    /// takes. The place is read before all else: whoever says something after that has taken it, and
    /// whatever was said before is known.
    pub(super) async fn free_session(
        &self,
        key: &ConsultKey,
        deadline: Instant,
    ) -> Result<Option<(ConsultSession, i64)>, EngineError> {
        loop {
            let session = self.store.consult_session(key).await?;
            let Some(ConsultSession { thread, .. }) = session else { return Ok(None) };
            let position = self.store.next_position(&thread).await?;
            if !self.store.is_busy(&thread).await? {
                let session = self.store.consult_session(key).await?;
                let session = session.filter(|session| session.thread == thread);
                let Some(session) = session else { continue };
                return Ok(Some((session, position)));
            }
            // A call whose process has ended is not waited for.
            if self.recover_turns(mint::now()).await? > 0 {
                continue;
            }
            if Instant::now() >= deadline {
                return Err(EngineError::Conflict(format!(
                    "the session `{}` is answering another call; wait for it, or give that up",
                    key.name
                )));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Plans the call.
    async fn planned(
        &self,
        request: &ConsultRequest,
        free: Option<(ConsultSession, i64)>,
        model: &Arc<dyn ChatModel>,
        settings: &ConsultSettings,
    ) -> Result<Planned, EngineError> {
        let place = free.as_ref().map(|(session, position)| (&session.thread, *position));
        let mut begun = self.draft_consult(request, place, model).await?;
        let session = free.map(|(session, _)| session);
        let consulting = self.plan(request, session.as_ref(), model.as_ref(), settings).await?;
        let files = consulting.check()?;
        begun.turn.request["consult"] = json!({
            "assistant": request.assistant, "session": request.session_id, "files": files,
        });
        let (request, consulting) = (request.clone(), Box::new(consulting));
        Ok(Planned { request, begun, consulting, files, model: Arc::clone(model) })
    }

    /// Stores the question: the session that was opened for it, if one was; nothing where another
    /// was quicker.
    async fn stored(
        &self,
        request: &ConsultRequest,
        begun: &Begun,
    ) -> Result<Option<Option<ConsultSession>>, EngineError> {
        let new = NewTurn {
            turn: &begun.turn,
            thread: begun.new_thread.as_ref(),
            messages: &begun.messages,
            chunks: &begun.chunks,
            end: begun.end,
        };
        let key = request.key();
        let opened = begun.new_thread.as_ref().map(|thread| NewConsult {
            key: &key,
            thread: &thread.id,
            now: request.now,
        });
        match self.store.create_consult_turn(new, opened).await {
            Ok(()) => {}
            Err(StoreError::Conflict { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        self.tell_of_new(begun);
        Ok(Some(match begun.new_thread {
            Some(_) => self.store.consult_session(&key).await?,
            None => None,
        }))
    }

    async fn draft_consult(
        &self,
        request: &ConsultRequest,
        place: Option<(&ThreadId, i64)>,
        model: &Arc<dyn ChatModel>,
    ) -> Result<Begun, EngineError> {
        let now = request.now;
        let is_new = place.is_none();
        let (thread, position) = match place {
            Some((id, position)) => (self.thread_by_id(id).await?, position),
            None => (new_thread(&request.project, now), 0),
        };
        let previous = match is_new {
            true => None,
            false => self.store.recent_messages(&thread.id, 1).await?.pop(),
        };
        let question = Message {
            id: mint::id(),
            thread: thread.id.clone(),
            parent: previous.as_ref().map(|message| message.id.clone()),
            position,
            round: thread.round_count + 1,
            speaker: Speaker::user(),
            section: None,
            content: request.instructions.clone(),
            external_id: None,
            created_at: now,
        };
        let models = std::slice::from_ref(model);
        let turn = new_turn(&request.project, &question, &terms(), 0, models, now);
        let turn = Turn { client_message_id: request.client_message_id.clone(), ..turn };
        let row = MessageRow { message: question.clone(), metadata: json!({}), deleted_at: None };
        let new_thread = is_new.then_some(thread);
        let chunks = Vec::new();
        Ok(Begun { turn, new_thread, messages: vec![row], chunks, question, end: None })
    }
}

pub(super) fn asked(
    request: &ConsultRequest,
    question: Message,
    spending: Spending,
    consulting: super::Consulting,
) -> Asked {
    Asked {
        project: request.project.clone(),
        terms: terms(),
        parent: question.id.clone(),
        question,
        images: Images::default(),
        spending,
        links: None,
        consulting: Some(Arc::new(consulting)),
    }
}

fn terms() -> Terms {
    Terms {
        profile: ProfileName::Consult,
        budget: None,
        options: Options::default(),
        brought: None,
        freshness: Freshness::default(),
    }
}

/// What became of a turn's files; nothing where it is no consultation.
pub(super) fn report_of(turn: &Turn) -> Option<FilesReport> {
    let files = turn.request.get("consult")?.get("files")?.clone();
    serde_json::from_value(files).ok()
}
