//! Assembling a dossier: gather, rank, fit, render, and the receipt that tells why.

use crate::error::EngineError;
use crate::figures::Overrun;
use crate::flags::{DIRECTORY, FACTS, flag};
use crate::gather::Pool;
use crate::mint;
use crate::turn::Brought;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::catalogue::ModelInfo;
use dossier_core::facts::{self, Recall};
use dossier_core::fit::{self, Fitted, Frame, TooLarge};
use dossier_core::guard::masked;
use dossier_core::header::ToolLine;
use dossier_core::history::{self, History, Policy, PolicyKind};
use dossier_core::id::ThreadId;
use dossier_core::intent::{self, Intent};
use dossier_core::item::{Form, Item, Mode, Section};
use dossier_core::persona::{Manner, history_notes, window_note};
use dossier_core::profile::{Excerpts, Profile, ProfileName, Surroundings};
use dossier_core::rank::{self, Ranked};
use dossier_core::receipt::{Beyond, BudgetUse, Given, Receipt, SharedPrefix};
use dossier_core::render::{self, Asking, Block, Standing, WireMessage};
use dossier_core::select;
use dossier_core::tier::{Tier, Window};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_store::{Project, Thread};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;
use tracing::Instrument as _;

/// A question's longest length in bytes; longer material belongs into a file.
const LONGEST_QUESTION: usize = 1 << 20;

/// The most topic tags, and the longest.
const MOST_TOPICS: usize = 20;
const LONGEST_TOPIC: usize = 100;

/// Which shape a dossier takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Profile(ProfileName),
    /// No header and no recent turns: for measuring what ranking and fitting can do.
    Bare,
}

/// What a dossier is wanted for.
#[derive(Debug, Clone)]
pub struct AssembleRequest {
    pub project: Project,
    pub thread: Option<ThreadId>,
    pub question: String,
    pub shape: Shape,
    pub budget: Option<u32>,
    pub model: Option<String>,
    /// What the user wants; found out from the question when not given.
    pub intent: Option<Intent>,
    /// What it is about, in other words than the question's: looked for, and not shown.
    pub topics: Vec<String>,
    /// Tools the model may ask for; the header names them.
    pub tools: Vec<ToolLine>,
    /// Another policy for the thread's history than the profile's own.
    pub history: Option<PolicyKind>,
    /// The round that is answered, if its question is in the thread already.
    pub round: Option<i64>,
    /// What the caller brings that speaks to the model itself.
    pub brought: Option<Brought>,
    pub now: Timestamp,
}

impl AssembleRequest {
    /// The tools that the header names.
    pub(crate) fn directory(&self) -> &[ToolLine] {
        if flag(&self.project, DIRECTORY) { &self.tools } else { &[] }
    }

    fn persona(&self) -> Option<&Manner> {
        self.brought.as_ref()?.persona.as_ref()
    }
}

/// What a model would be given, and why.
#[derive(Debug, Clone)]
pub struct Dossier {
    pub blocks: Vec<Block>,
    pub messages: Vec<WireMessage>,
    pub receipt: Receipt,
    /// The sources in the order of the ranking, before anything was fitted.
    pub ranking: Arc<Vec<Ranked>>,
}

impl Workspace {
    /// The dossier for a question. Calls no model and stores nothing.
    pub async fn assemble(&self, request: &AssembleRequest) -> Result<Dossier, EngineError> {
        let seat = self.seat(request).await?;
        let sought = sought(&seat.question, &request.topics)?;
        let pool = self.gather(&request.project.id, &Question::new(&sought)).await?;
        self.arrange(request, &seat, &pool).await
    }

    /// What of the dossier is settled before anything is searched for. A question that is too long
    /// by itself is refused here.
    pub(crate) async fn seat(&self, request: &AssembleRequest) -> Result<Seat, EngineError> {
        check(&request.question)?;
        if request.budget == Some(0) {
            return Err(EngineError::Invalid("the token budget is a number above 0".to_owned()));
        }
        let model = request.model.as_deref();
        let ((), (tier, window, tokenizer)) =
            tokio::try_join!(self.expect_project(&request.project.id), self.model(model))?;
        let persona = request.persona();
        let mut profile = match (request.shape, persona) {
            (_, Some(manner)) => Profile::persona(manner.history),
            (Shape::Profile(name), None) => name.profile(tier),
            (Shape::Bare, None) => Profile::bare(),
        };
        let allowed = request.project.settings.get("max_context_tokens").and_then(Value::as_u64);
        let budget = match &request.brought {
            Some(Brought { persona: Some(manner), .. }) => {
                let own = manner.budget(&masked(&request.question), window, tokenizer);
                let allowed = allowed.and_then(|tokens| u32::try_from(tokens).ok());
                [request.budget, allowed].into_iter().flatten().fold(own, u32::min)
            }
            None => profile.tokens(request.budget, allowed, window, tokenizer),
            Some(brought) => {
                let tokens = brought.tokens(&request.question, tokenizer);
                profile.tokens_with(request.budget, allowed, window, tokenizer, tokens)
            }
        };
        if request.brought.as_ref().is_some_and(|brought| !brought.tools.is_empty()) {
            // It has other tools than those that follow pointers.
            profile.excerpts = Excerpts::Full;
        }
        if let Some(kind) = request.history {
            profile.history = kind.policy(&profile, tier, budget);
        }
        // Shown, looked for, kept and sent in one and the same form.
        let question = masked(&request.question).into_owned();
        let seat = Seat { question, profile, budget, tier, tokenizer };
        fit::fit(Vec::new(), seat.frame(request, None))?;
        Ok(seat)
    }

    /// The dossier for one reader, from what was found for all.
    pub(crate) async fn arrange(
        &self,
        request: &AssembleRequest,
        seat: &Seat,
        pool: &Pool,
    ) -> Result<Dossier, EngineError> {
        let span = tracing::info_span!(
            "assemble",
            profile = seat.profile.name,
            tokens = tracing::field::Empty,
        );
        let began = Instant::now();
        let dossier = self.arranged(request, seat, pool).instrument(span.clone()).await;
        if let Err(EngineError::TooLarge(_)) = dossier {
            self.figures.overrun(Overrun::Tokens);
        }
        let dossier = dossier?;
        let budget = &dossier.receipt.budget;
        span.record("tokens", budget.used);
        self.figures.assembled(budget, pool.took + began.elapsed());
        Ok(dossier)
    }

    async fn arranged(
        &self,
        request: &AssembleRequest,
        seat: &Seat,
        pool: &Pool,
    ) -> Result<Dossier, EngineError> {
        let Seat { profile, budget, tokenizer, .. } = seat;
        let history = async {
            let thread = self.thread_of(request).await?;
            let history = self.history(request, thread.as_ref(), seat).await?;
            Ok((thread, history))
        };
        let ((thread, history), mut items, previous) = tokio::try_join!(
            history,
            self.header(request, profile, *tokenizer),
            self.previous(request),
        )?;
        let title = thread.as_ref().and_then(|thread| thread.title.as_deref()).map(masked);
        let standing = thread.as_ref().filter(|_| profile.surroundings == Surroundings::Told);
        let standing = standing.map(|thread| Standing {
            round: request.round.unwrap_or(thread.round_count + 1),
            title: title.as_deref(),
        });
        let frame = seat.frame(request, standing);
        let intent = request.intent.unwrap_or_else(|| intent::detect(&seat.question));
        items.extend(history.items.iter().cloned());
        let considered = rank::considered(&pool.ranked, *budget);
        let mut passages = select::passages(considered, &items, *tokenizer);
        if let (Some(thread), Some(round)) = (&request.thread, request.round) {
            passages.retain(|item| !item.is_said_since(thread, round));
        }
        if request.shape != Shape::Bare {
            select::enough_for(intent, &mut passages);
            select::once(&mut passages);
        }
        items.extend(passages);
        let fitted = self.fit_with_memory(items, frame, request, intent, pool)?;
        if !fitted.warnings.is_empty() {
            self.figures.overrun(Overrun::Tokens);
        }
        profile.history.is_kept(&fitted.items)?;
        let mut receipt = receipt(request, intent, frame, &fitted, pool, &history);
        receipt.prefix = previous.map(|previous| SharedPrefix::between(&previous, &receipt.blocks));
        let Fitted { blocks, messages, .. } = fitted;
        Ok(Dossier { blocks, messages, receipt, ranking: Arc::clone(&pool.ranked) })
    }

    async fn thread_of(&self, request: &AssembleRequest) -> Result<Option<Thread>, EngineError> {
        let Some(id) = &request.thread else { return Ok(None) };
        let thread = self.store.thread(id).await?;
        let own = thread.filter(|thread| thread.project == request.project.id);
        own.map(Some).ok_or_else(|| {
            EngineError::not_found("thread", id.as_str(), "the project has no thread of this id")
        })
    }

    /// Tier, window and tokenizer of a model: as stored, or else as the catalogue has them.
    async fn model(&self, name: Option<&str>) -> Result<(Tier, Window, Tokenizer), EngineError> {
        let Some(name) = name else {
            return Ok((Tier::Balanced, Window::default(), Tokenizer::O200k));
        };
        let info = self.models()?.catalogue().info(name);
        let (known, tokenizer) = tokio::try_join!(
            async { Ok(self.store.models().await?) },
            self.learned(info.tokenizer),
        )?;
        let known = known.into_iter().find(|model| model.model == name);
        let info = ModelInfo { tokenizer, ..info };
        let Some(known) = known else { return Ok((info.tier, info.window, info.tokenizer)) };
        let tokens = |number: i64| u32::try_from(number).ok().filter(|number| *number > 0);
        let window = match (tokens(known.context_window), tokens(known.max_output)) {
            (Some(context), Some(output)) => Window { context, output },
            _ => info.window,
        };
        Ok((Tier::parse(&known.tier).unwrap_or(info.tier), window, info.tokenizer))
    }

    async fn history(
        &self,
        request: &AssembleRequest,
        thread: Option<&Thread>,
        seat: &Seat,
    ) -> Result<History, EngineError> {
        /// Messages of a round, as they are told most of the time; and the first of those that
        /// tokens are the limit of.
        const ROUND: usize = 4;
        const FIRST: usize = 200;
        let Some(thread) = thread else { return Ok(History::default()) };
        let policy = seat.profile.history;
        let mut limit = match policy {
            Policy::None => return Ok(History::default()),
            Policy::Fixed { .. } => usize::MAX,
            policy => policy.most_rounds().map_or(FIRST, |rounds| (rounds + 1) * ROUND),
        };
        let next = request.round.unwrap_or(thread.round_count + 1);
        loop {
            let messages = self.store.recent_messages(&thread.id, limit).await?;
            let mut history = history::recent(&messages, next, policy, seat.tokenizer)?;
            // Of messages that were deleted nothing is left out.
            let first = messages.first().filter(|_| messages.len() >= limit);
            let Some(first) = first else { return Ok(history) };
            let is_enough = match policy {
                Policy::Truncate { .. } => history.left_out > 0,
                policy => history::is_enough(&messages, next, policy),
            };
            if is_enough {
                history.left_out += usize::try_from(first.round - 1).unwrap_or(0);
                return Ok(history);
            }
            limit = limit.saturating_mul(4);
        }
    }

    /// The last dossier that the same model was given in this thread.
    async fn previous(&self, request: &AssembleRequest) -> Result<Option<Given>, EngineError> {
        match &request.thread {
            Some(thread) => self.previous_given(thread, request.model.as_deref()).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn previous_given(
        &self,
        thread: &ThreadId,
        model: Option<&str>,
    ) -> Result<Option<Given>, EngineError> {
        /// So many models may answer in turns.
        const MODELS: usize = 8;
        for before in 0..MODELS {
            let Some(body) = self.store.recent_receipt(thread, before).await? else { break };
            // A receipt that can no longer be read has nothing to compare with.
            let Ok(previous) = serde_json::from_str::<Given>(&body) else { continue };
            if previous.model.as_deref() == model && previous.cached.is_none() {
                return Ok(Some(previous));
            }
        }
        Ok(None)
    }
}

/// Who reads a dossier, and how much of it.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    /// What is asked, without secrets.
    question: String,
    pub profile: Profile,
    pub budget: u32,
    pub tier: Tier,
    pub tokenizer: Tokenizer,
}

impl Seat {
    /// Of a reader who is consulted about files that come with the question.
    pub(crate) fn consulted(budget: u32, tier: Tier, tokenizer: Tokenizer) -> Self {
        Self { question: String::new(), profile: Profile::consult(), budget, tier, tokenizer }
    }

    /// Whether the reader is given pointers and tools to follow them.
    pub(crate) fn reads_for_itself(&self) -> bool {
        self.profile.excerpts == Excerpts::ByTier && self.tier.reads_for_itself()
    }

    fn frame<'a>(
        &'a self,
        request: &'a AssembleRequest,
        standing: Option<Standing<'a>>,
    ) -> Frame<'a> {
        // What a persona said is its own, whichever model said it.
        let reader = request.model.as_deref().filter(|_| request.persona().is_none());
        let asking = Asking { question: &self.question, reader, standing };
        let Self { profile, budget, tier, tokenizer, .. } = self;
        Frame { profile, budget: *budget, tier: *tier, tokenizer: *tokenizer, asking }
    }
}

impl Workspace {
    /// Fits the items together with what is remembered. Where a fact that has made a message stale
    /// finds no room, the message is shown as it is.
    fn fit_with_memory(
        &self,
        mut items: Vec<Item>,
        frame: Frame<'_>,
        request: &AssembleRequest,
        intent: Intent,
        pool: &Pool,
    ) -> Result<Fitted, TooLarge> {
        let known = &*pool.facts.facts;
        if known.is_empty() || !frame.profile.remembers() || !flag(&request.project, FACTS) {
            return fit::fit(items, frame);
        }
        let began = Instant::now();
        let count = usize::try_from(intent.pack().facts).ok();
        let tags = facts::tags(request.topics.iter().map(String::as_str));
        let recall = Recall { sought: &pool.sought, tags: &tags, count, now: request.now };
        facts::join(&mut items, known, recall, frame.budget, frame.tokenizer);
        let as_said = items.clone();
        let relied = facts::hide_stale(&mut items, known, frame.tokenizer);
        self.figures.recalled(pool.facts_took + began.elapsed());
        let fitted = fit::fit(items, frame)?;
        match relied.stands(&fitted.items) {
            true => Ok(fitted),
            false => fit::fit(as_said, frame),
        }
    }
}

/// The question together with what it is about.
fn sought<'a>(question: &'a str, topics: &[String]) -> Result<Cow<'a, str>, EngineError> {
    let is_topic =
        |topic: &String| !topic.trim().is_empty() && topic.chars().count() <= LONGEST_TOPIC;
    if topics.len() > MOST_TOPICS || !topics.iter().all(is_topic) {
        return Err(EngineError::Invalid(format!(
            "there are up to {MOST_TOPICS} topic tags, each of 1 to {LONGEST_TOPIC} characters"
        )));
    }
    if topics.is_empty() {
        return Ok(Cow::Borrowed(question));
    }
    let topics: Vec<String> = topics.iter().map(|topic| topic.replace(['"', '\n'], " ")).collect();
    Ok(Cow::Owned(format!("{question}\n\n{}.", masked(&topics.join(", ")))))
}

fn check(question: &str) -> Result<(), EngineError> {
    if question.trim().is_empty() {
        return Err(EngineError::Invalid("the question is empty; ask something".to_owned()));
    }
    check_length(question)
}

/// Refuses a question that nobody typed.
pub(crate) fn check_length(question: &str) -> Result<(), EngineError> {
    if question.len() > LONGEST_QUESTION {
        return Err(EngineError::Invalid(format!(
            "the question has {} bytes and may have {LONGEST_QUESTION}; put long material into a \
             file and index it",
            question.len()
        )));
    }
    Ok(())
}

/// Recent rounds that the budget had no room for.
fn rounds_dropped(items: &[Item]) -> usize {
    let dropped = |item: &&Item| item.mode == Mode::Recent && item.form == Form::Dropped;
    let rounds = items.iter().filter(dropped).filter_map(|item| item.source.round);
    rounds.collect::<BTreeSet<_>>().len()
}

fn receipt(
    request: &AssembleRequest,
    intent: Intent,
    frame: Frame<'_>,
    fitted: &Fitted,
    pool: &Pool,
    history: &History,
) -> Receipt {
    let considered = rank::considered(&pool.ranked, frame.budget).len();
    let unranked = pool.ranked.len() - considered;
    let mut warnings = fitted.warnings.clone();
    warnings.extend(pool.warnings.iter().cloned());
    if let Some(manner) = request.persona() {
        let used = fitted.sections.get(&Section::History).copied().unwrap_or(0);
        warnings.extend(history_notes(used, manner.history, history.left_out));
        warnings.extend(window_note(manner.history, rounds_dropped(&fitted.items)));
    }
    if !frame.tokenizer.is_exact() {
        warnings.push("tokens are estimated for this model; a twentieth is kept back".to_owned());
    }
    Receipt {
        id: mint::id(),
        now: request.now,
        project: request.project.id.clone(),
        thread: request.thread.clone(),
        question: frame.asking.question.to_owned(),
        intent,
        profile: frame.profile.name.to_owned(),
        model: request.model.clone(),
        tools: request.directory().iter().map(|tool| tool.name.clone()).collect(),
        tool_server: None,
        budget: BudgetUse {
            limit: frame.budget,
            used: fitted.used,
            counted_by: frame.tokenizer.method().to_owned(),
            sections: fitted.sections.clone(),
            warnings,
        },
        coverage: pool.coverage.clone(),
        items: fitted.items.iter().map(Into::into).collect(),
        beyond: Beyond { chunks: pool.beyond + unranked as u64, rounds: history.left_out as u64 },
        blocks: fitted.blocks.iter().map(Into::into).collect(),
        sent: render::hash(&fitted.messages),
        prefix: None,
        cached: None,
    }
}
