//! A turn: one question, answered by one or several models at once, each with the dossier that
//! suits it.
//!
//! Invariant: a turn is a durable state machine. The question is stored before anybody is asked,
//! each reply is stored whole or not at all, and whatever ends the process, the thread is whole and
//! says of every model whether it has replied.

mod answer;
mod begin;
mod branch;
mod brought;
mod cached;
mod event;
mod failure;
mod forecast;
mod learn;
mod reply;
mod request;
mod running;
mod served;
mod short;
mod spend;
mod stream;
mod tools;

pub(crate) use begin::{Begun, lease, new_thread, new_turn};
pub(crate) use branch::root;
pub use brought::Brought;
pub use event::{Replied, TurnEvent};
pub use forecast::{Forecast, LeftOut, ModelForecast};
pub use request::{Attachment, Freshness, MOST_MODELS, Terms, TurnRequest};
pub(crate) use running::Running;
pub(crate) use short::{Asking, Seated};
pub(crate) use spend::Spending;
pub use stream::TurnStream;
pub(crate) use tools::arguments;

use crate::assemble::{AssembleRequest, Before, Seat, Shape, ToolUse};
use crate::changes::{Action, Change};
use crate::consult::Consulting;
use crate::error::EngineError;
use crate::gather::{Pool, Search};
use crate::mint;
use crate::workspace::Workspace;
use begin::{LEASE, Prepared};
use dossier_core::analyse::Question;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::Images;
use dossier_core::guard::masked;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, TurnId};
use dossier_core::message::Message;
use dossier_core::persona::Manner;
use dossier_core::sameness::Keeping;
use dossier_core::time::Timestamp;
use dossier_core::turn::ReplyState;
use dossier_models::ChatModel;
use dossier_store::{Project, Reply, StoryLink, Turn};
use futures::FutureExt as _;
use futures::future::{BoxFuture, Shared, ready};
use running::{Channel, Room};
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use stream::Telling;
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, JoinSet, spawn_blocking, yield_now};
use tracing::Instrument as _;

/// How many images were sent with a question, in what is stored of its turn.
pub(crate) const IMAGES: &str = "images";

/// Attempts at a place in a thread that others write to as well.
pub(crate) const ATTEMPTS: usize = 20;

impl Workspace {
    /// Begins a turn and gives what happens in it. A turn that the client has begun before is not
    /// begun again: what happened in it is told once more.
    pub async fn turn(&self, request: &TurnRequest) -> Result<TurnStream, EngineError> {
        request.check()?;
        if let Some(name) = &request.client_message_id
            && let Some(turn) = self.store.turn_named(name).await?
        {
            return self.follow_turn(&turn.id, None).await;
        }
        let models = self.models_named(&request.models)?;
        self.begin_turn(request, models).await
    }

    /// Begins a turn that these models answer.
    pub(crate) async fn begin_turn(
        &self,
        request: &TurnRequest,
        models: Vec<Arc<dyn ChatModel>>,
    ) -> Result<TurnStream, EngineError> {
        let TurnRequest { project, thread, terms, now, .. } = request;
        let thread = thread.as_ref();
        let spending = self.check_spending(project, thread, &models, terms.freshness, *now).await?;
        let question = request.question();
        let asking = Asking { project, thread, question: &question, terms, now: *now };
        let seated = (0..).zip(models.iter().cloned()).collect();
        let Seated { readers, refs } = self.seated(asking, seated).await?;
        self.store_refs(refs).await?;
        let (workspace, request) = (self.clone(), request.clone());
        let begin = async move {
            let (turn, question) = match workspace.prepare(&request, &models).await? {
                Prepared::New(turn, question) => (turn, question),
                Prepared::Known(turn) => return workspace.follow_turn(&turn.id, None).await,
            };
            let asked = Asked {
                parent: question.id.clone(),
                question,
                images: request.images().into(),
                project: request.project,
                terms: request.terms,
                spending,
                links: None,
                consulting: None,
            };
            Ok(workspace.run(turn, asked, readers, None).alone())
        };
        Ok(unbroken(begin).await?.shared())
    }

    /// Asks the models again that have not replied; all of them, or those that are named. Where they
    /// are being asked already, that is followed.
    pub async fn retry_turn(
        &self,
        id: &TurnId,
        models: &[String],
        now: Timestamp,
    ) -> Result<TurnStream, EngineError> {
        self.recover_turns(mint::now()).await?;
        let turn = self.turn_by_id(id).await?;
        let named = |reply: &Reply| models.is_empty() || models.contains(&reply.model);
        let wanted = |reply: &Reply| reply.state.can_be_retried() && named(reply);
        let ordinals: Vec<usize> =
            (0..turn.replies.len()).filter(|place| wanted(&turn.replies[*place])).collect();
        if ordinals.is_empty() {
            if turn.replies.iter().any(|reply| reply.state.is_open() && named(reply)) {
                return self.follow_turn(id, None).await;
            }
            return Err(EngineError::Invalid(
                "no model of this turn can be asked again; those that replied stay as they are"
                    .to_owned(),
            ));
        }
        if turn.request.get("consult").is_some() {
            return Err(EngineError::Invalid(
                "a consultation is not asked again by its turn, for its files may have changed; \
                 consult the assistant once more"
                    .to_owned(),
            ));
        }
        let names: Vec<String> =
            ordinals.iter().map(|place| turn.replies[*place].model.clone()).collect();
        let models = self.models_named(&names)?;
        self.ask_again(turn, ordinals.into_iter().zip(models).collect(), now).await
    }

    /// Asks these models in the places of those that have not replied.
    pub(crate) async fn ask_again(
        &self,
        turn: Turn,
        models: Vec<(usize, Arc<dyn ChatModel>)>,
        now: Timestamp,
    ) -> Result<TurnStream, EngineError> {
        let project = self.project_of_turn(&turn).await?;
        let asked: Vec<_> = models.iter().map(|(_, model)| Arc::clone(model)).collect();
        let spending =
            self.check_spending(&project, Some(&turn.thread), &asked, Freshness::Anew, now).await?;
        let terms: Terms = serde_json::from_value(turn.request.clone()).map_err(|error| {
            EngineError::Invalid(format!("turn {} cannot be read: {error}", turn.id))
        })?;
        // Whoever asks again wants another answer.
        let terms = Terms { freshness: Freshness::Anew, ..terms };
        let question = self.question_of(&turn).await?;
        if turn.request.get(IMAGES).is_some() {
            return Err(EngineError::Invalid(
                "the images that came with this question are not kept; ask it anew with them"
                    .to_owned(),
            ));
        }
        let ordinals: Vec<usize> = models.iter().map(|(ordinal, _)| *ordinal).collect();
        let asking = Asking {
            project: &project,
            thread: Some(&turn.thread),
            question: &question.content,
            terms: &terms,
            now,
        };
        let Seated { mut readers, refs } = self.seated(asking, models).await?;
        self.store_refs(refs).await?;
        let asked = Asked {
            project,
            terms,
            parent: question.id.clone(),
            question,
            images: Images::default(),
            spending,
            links: None,
            consulting: None,
        };
        let workspace = self.clone();
        let begin = async move {
            // Until it can be followed here: whoever asks again at the same time looks for it.
            let one_at_a_time = workspace.running.recovering.lock().await;
            let until = lease(mint::now());
            let again = workspace.store.retry_turn(&turn.id, &ordinals, until).await?;
            if again.is_empty() {
                drop(one_at_a_time);
                return workspace.follow_turn(&turn.id, None).await;
            }
            readers.retain(|reader| again.contains(&reader.ordinal));
            Ok(workspace.run(turn, asked, readers, None).alone())
        };
        Ok(unbroken(begin).await?.shared())
    }

    pub(crate) async fn question_of(&self, turn: &Turn) -> Result<Message, EngineError> {
        self.store.message(&turn.message).await?.ok_or_else(|| {
            EngineError::not_found("message", turn.message.as_str(), "the question was deleted")
        })
    }

    /// What happens in a turn, after the event of this number. A turn that this process does not
    /// work on is told from the store, as its replies come there.
    pub async fn follow_turn(
        &self,
        id: &TurnId,
        after: Option<usize>,
    ) -> Result<TurnStream, EngineError> {
        let next = after.map_or(0, |after| after + 1);
        if let Some(channel) = self.running.get(self.store.owner(), id) {
            let turn = self.turn_by_id(id).await?;
            // Of one that has ended here, another process may ask a model again.
            if !channel.has_ended() || turn.replies.iter().all(|reply| !reply.state.is_open()) {
                return Ok(TurnStream::live(turn, channel, next));
            }
        }
        self.recover_turns(mint::now()).await?;
        let turn = self.turn_by_id(id).await?;
        let told = Telling::new(self.clone(), next);
        Ok(TurnStream::told(turn, told))
    }

    /// Gives up a turn that is running here; whether it is.
    pub async fn cancel_turn(&self, id: &TurnId) -> Result<bool, EngineError> {
        self.turn_by_id(id).await?;
        let channel = self.running.get(self.store.owner(), id);
        Ok(channel.is_some_and(|channel| {
            channel.cancel();
            true
        }))
    }

    /// Gives up the reply of one model of a turn that is running here; whether it is.
    pub async fn cancel_reply(&self, id: &TurnId, model: &str) -> Result<bool, EngineError> {
        let turn = self.turn_by_id(id).await?;
        if !turn.replies.iter().any(|reply| reply.model == model) {
            let way_out = "GET /api/turn/{id} tells which models were asked";
            return Err(EngineError::not_found("model in this turn", model, way_out));
        }
        let channel = self.running.get(self.store.owner(), id);
        Ok(channel.is_some_and(|channel| {
            channel.cancel_reply(model);
            true
        }))
    }

    /// Waits until no turn is running in this process.
    pub async fn turns_idle(&self) {
        self.running.idle().await;
    }

    pub async fn turn_by_id(&self, id: &TurnId) -> Result<Turn, EngineError> {
        self.store.turn(id).await?.ok_or_else(|| {
            EngineError::not_found("turn", id.as_str(), "the call that began it has told its id")
        })
    }

    async fn project_of_turn(&self, turn: &Turn) -> Result<Project, EngineError> {
        self.store.project(&turn.project).await?.ok_or_else(|| {
            EngineError::not_found("project", turn.project.as_str(), "it was deleted")
        })
    }

    /// Every model must be known before anything is stored.
    pub(crate) fn models_named(
        &self,
        names: &[String],
    ) -> Result<Vec<Arc<dyn ChatModel>>, EngineError> {
        let known = self.models()?;
        let mut models: Vec<Arc<dyn ChatModel>> = Vec::with_capacity(names.len());
        for name in names {
            let model = known.get(name)?;
            let name = model.info().full_name();
            if models.iter().any(|other| other.info().full_name() == name) {
                return Err(EngineError::Invalid(format!(
                    "{name} is named twice; each model answers a question once"
                )));
            }
            models.push(model);
        }
        Ok(models)
    }

    /// Starts to work on a turn and listens to it. What bears on the question may be on its way.
    pub(crate) fn run(
        &self,
        turn: Turn,
        asked: Asked,
        readers: Vec<Reader>,
        gathering: Option<Gathering>,
    ) -> TurnStream {
        let channel = self.running.open(self.store.owner(), &turn.id);
        let stream = TurnStream::live(turn.clone(), Arc::clone(&channel), 0);
        let workspace = self.clone();
        let span = tracing::info_span!("turn", turn = %turn.id, models = readers.len());
        let work = async move {
            let is_consulting = asked.consulting.is_some();
            let own = Arc::clone(&channel);
            let working = workspace.work(turn.clone(), asked, readers, gathering, own);
            // Whatever breaks off, whoever listens hears the end.
            if AssertUnwindSafe(working).catch_unwind().await.is_err() {
                tracing::error!("a turn broke off");
            }
            workspace.end(turn, &channel);
            if is_consulting {
                // Nobody waits for it; what cannot be deleted now is deleted by the next call.
                let _ = workspace.sweep_hosted().await;
            }
        };
        tokio::spawn(work.instrument(span));
        stream
    }

    /// Tells that nothing more happens in a turn.
    fn end(&self, turn: Turn, channel: &Channel) {
        self.tell(Change::conversation(Action::Changed, &turn.project, &turn.thread));
        let owner = self.store.owner();
        let id = turn.id.clone();
        channel.send(TurnEvent::Done { turn: turn.id, conversation_id: turn.thread });
        self.running.close(owner, &id);
    }

    async fn work(
        &self,
        mut turn: Turn,
        asked: Asked,
        readers: Vec<Reader>,
        gathering: Option<Gathering>,
        channel: Arc<Channel>,
    ) {
        // Ends with the work, however that ends.
        let mut alive = JoinSet::new();
        alive.spawn(keep_alive(self.clone(), turn.id.clone()));
        let gathering = match gathering {
            Some(gathering) => gathering,
            // A persona speaks from its own conversation alone.
            None if asked.persona().is_some() => Gathering::nothing(),
            None => {
                let short = readers.iter().filter_map(|reader| reader.seat.as_ref()?.in_short());
                let question = short.min_by_key(|question| question.len());
                let question = question.unwrap_or(&asked.question.content);
                self.gathering(&asked.project, question).await
            }
        };
        let asked = Arc::new(asked);
        let mut replies = JoinSet::new();
        let mut working = HashMap::new();
        for Reader { ordinal, model, seat, before } in readers {
            let part = Arc::new(answer::Part {
                workspace: self.clone(),
                turn: turn.clone(),
                ordinal,
                model,
                asked: Arc::clone(&asked),
                channel: Arc::clone(&channel),
            });
            let gathering = gathering.clone();
            let own = Arc::clone(&part);
            let reply = async move { (ordinal, own.reply(gathering, seat, before).await) };
            working.insert(replies.spawn(reply.in_current_span()).id(), part);
        }
        drop(gathering);
        let (mut reports, mut served) = (Vec::new(), Vec::new());
        while let Some(ended) = replies.join_next().await {
            match ended {
                Ok((ordinal, outcome)) => {
                    reports.extend(outcome.report);
                    if let Some((message, receipt)) = outcome.replied {
                        served.extend(outcome.served.map(|served| (receipt.clone(), served)));
                        let reply = &mut turn.replies[ordinal];
                        reply.state = ReplyState::Replied;
                        (reply.message, reply.receipt) = (Some(message), Some(receipt));
                        if !replies.is_empty() {
                            self.find_said(&turn).await;
                        }
                    }
                }
                Err(error) => {
                    if let Some(part) = working.get(&error.id()) {
                        part.broke_off(&error).await;
                    }
                }
            }
        }
        // Whoever listens is told first.
        yield_now().await;
        self.learn(&turn, &served).await;
        for report in reports {
            // A factor that was not learned is learned another time.
            let _ = self.learn_factor(report).await;
        }
    }

    /// What bears on the question, once there is room to hold it. It is looked for while somebody
    /// waits, in the same thread: to hand it to another and be told of its end takes as long as the
    /// parts that could go side by side.
    pub(crate) async fn gathering(&self, project: &Project, question: &str) -> Gathering {
        let room = self.running.room().await;
        let search = Search::new(&project.id, Question::new(&masked(question)));
        let search = Arc::new(search.noting_newest(Keeping::of(&project.settings).is_some()));
        let (workspace, own) = (self.clone(), Arc::clone(&search));
        let gather = async move {
            match workspace.gather(&own).await {
                Ok(pool) => Ok(Arc::new(Found { pool, _room: room })),
                Err(error) => Err(error.to_string()),
            }
        };
        Gathering { search: Some(search), found: gather.in_current_span().boxed().shared() }
    }
}

/// Does to its end what stores a question and has it worked on, though whoever asked leaves
/// meanwhile: a question that is stored and that nobody works on would stand open until its lease is
/// over. What is begun so is given up when nobody takes it.
pub(crate) async fn unbroken<T: Send + 'static>(
    begin: impl Future<Output = Result<T, EngineError>> + Send + 'static,
) -> Result<T, EngineError> {
    tokio::spawn(begin.in_current_span()).await?
}

/// Does the same in a thread of its own, beside what is done here: SQLite works in the thread it is
/// asked in, and would keep it.
pub(crate) fn apart<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
    let (work, runtime) = (work.in_current_span(), Handle::current());
    spawn_blocking(move || runtime.block_on(work))
}

/// Tells again and again that the turn is being worked on.
async fn keep_alive(workspace: Workspace, turn: TurnId) {
    let mut clock = tokio::time::interval(LEASE / 3);
    clock.tick().await;
    loop {
        clock.tick().await;
        // One that fails is made up for by the next.
        let _ = workspace.store.keep_turn(&turn, lease(mint::now())).await;
    }
}

/// What all models of a turn are asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub project: Project,
    pub terms: Terms,
    pub question: Message,
    /// The message that the reply follows.
    pub parent: MessageId,
    /// Those that are sent beside the question.
    pub images: Images,
    pub spending: Spending,
    pub links: Option<Links>,
    /// The files that come with the question.
    pub consulting: Option<Arc<Consulting>>,
}

/// Under which names the thread is to be known when the client tells it again.
#[derive(Debug)]
pub(crate) struct Links {
    /// Of all that was said before the reply.
    pub last: ContentHash,
    /// Those that are not stored yet.
    pub new: Vec<StoryLink>,
}

impl Asked {
    /// Whether nothing goes to the models beside the dossier.
    fn is_text(&self) -> bool {
        let brought = self.terms.brought.as_ref();
        self.images.is_empty() && brought.is_none_or(|brought| brought.tail.is_empty())
    }

    fn persona(&self) -> Option<&Manner> {
        self.terms.brought.as_ref()?.persona.as_ref()
    }

    /// Reads for each model what came before the question. What cannot be read now is read again
    /// when the dossier is made, and fails there.
    pub async fn read_before(&self, workspace: &Workspace, readers: &mut [Reader]) {
        for Reader { model, seat, before, .. } in readers {
            if let Some(seat) = seat {
                let request = self.request(model.info(), None, mint::now());
                *before = workspace.before(&request, seat).await.ok();
            }
        }
    }

    fn request(&self, model: &ModelInfo, budget: Option<u32>, now: Timestamp) -> AssembleRequest {
        let Self { project, question, terms, .. } = self;
        let request = assembling(project, &question.content, terms, model, now);
        AssembleRequest {
            thread: Some(question.thread.clone()),
            round: Some(question.round),
            budget: budget.or(terms.budget),
            ..request
        }
    }
}

/// The dossier that a model is given for a question, before that has its place in a thread.
fn assembling(
    project: &Project,
    question: &str,
    terms: &Terms,
    model: &ModelInfo,
    now: Timestamp,
) -> AssembleRequest {
    // Some providers refuse tools beside a schema for the answer.
    let tools = match (model.capabilities.tools, &terms.options.format) {
        (true, None) => ToolUse::Free,
        _ => ToolUse::None,
    };
    AssembleRequest {
        project: project.clone(),
        thread: None,
        question: question.to_owned(),
        shape: Shape::Profile(terms.profile),
        budget: terms.budget,
        model: Some(model.full_name()),
        intent: None,
        topics: Vec::new(),
        tools,
        history: None,
        round: None,
        brought: terms.brought.clone(),
        now,
    }
}

/// A model that is to answer, and its place in the turn.
pub(crate) struct Reader {
    pub ordinal: usize,
    pub model: Arc<dyn ChatModel>,
    /// What is known of its dossier; what is not is settled when it is made.
    pub seat: Option<Seat>,
    /// What came before the question, where it was read already.
    pub before: Option<Before>,
}

impl Reader {
    /// The one model of a turn.
    pub(crate) fn only(model: Arc<dyn ChatModel>) -> Vec<Self> {
        vec![Self { ordinal: 0, model, seat: None, before: None }]
    }
}

/// What was found for the question, for all models; or why nothing could be searched.
pub(crate) type Gathered = Result<Arc<Found>, String>;

/// What is being gathered, as far as somebody waits for it.
#[derive(Debug, Clone)]
pub(crate) struct Gathering {
    search: Option<Arc<Search>>,
    found: Shared<BoxFuture<'static, Gathered>>,
}

impl Gathering {
    /// For a question that nothing is searched for.
    pub(crate) fn nothing() -> Self {
        let nothing = Found { pool: Pool::default(), _room: None };
        Self { search: None, found: ready(Ok(Arc::new(nothing))).boxed().shared() }
    }

    async fn gathered(self) -> Gathered {
        self.found.await
    }

    /// Does this, and meanwhile gathers as far as that gets.
    pub(crate) async fn beside<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        tokio::select! {
            biased;
            _ = self.found.clone() => {}
            done = &mut work => return done,
        }
        work.await
    }

    /// Looks up what can be known before the question's meaning is, while another thread finds
    /// that out.
    pub(crate) async fn look_ahead(&self, workspace: &Workspace) {
        if let Some(search) = &self.search {
            workspace.look_ahead(search).await;
        }
    }
}

/// A pool, and the room it takes until every model's dossier is made of it.
#[derive(Debug)]
pub(crate) struct Found {
    pool: Pool,
    _room: Room,
}
