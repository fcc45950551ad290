//! Assembling a dossier: gather, rank, fit, render, and the receipt that tells why.

use crate::error::EngineError;
use crate::figures::Overrun;
use crate::flags::{FACTS, flag};
use crate::gather::{Pool, Search};
use crate::mint;
use crate::summaries;
use crate::toolbox::{Reader, Toolbox};
use crate::turn::Brought;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::facts::{self, Recall};
use dossier_core::fit::{self, Fitted, Fitting, Frame, TooLarge};
use dossier_core::guard::masked;
use dossier_core::history::{self, History, Policy, PolicyKind};
use dossier_core::id::ThreadId;
use dossier_core::intent::{self, Intent};
use dossier_core::item::{Form, Item, Mode, Section};
use dossier_core::persona::{Manner, history_notes, window_note};
use dossier_core::profile::{Excerpts, Profile, ProfileName, Surroundings, Tools};
use dossier_core::rank::{self, Ranked};
use dossier_core::receipt::{Beyond, BudgetUse, Given, Receipt, SharedPrefix};
use dossier_core::render::{self, Asking, Block, Standing, WireMessage};
use dossier_core::select;
use dossier_core::strategy::Strategy;
use dossier_core::summaries::{Brief, of_refs, of_thread};
use dossier_core::tier::{Tier, Window};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_store::{Assembly, LookedUp, Project, Thread};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question's longest length in bytes; longer material belongs into a file.
const LONGEST_QUESTION: usize = 1 << 20;

/// With fewer tokens than this there is no room to name tools.
const LEAST_FOR_TOOLS: u32 = 1_000;

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

/// Whether a model may be offered tools that come by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolUse {
    /// If it can call any.
    Free,
    None,
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
    pub tools: ToolUse,
    /// Another policy for the thread's history than the profile's own.
    pub history: Option<PolicyKind>,
    /// The round that is answered, if its question is in the thread already.
    pub round: Option<i64>,
    /// What the caller brings that speaks to the model itself.
    pub brought: Option<Brought>,
    pub now: Timestamp,
}

impl AssembleRequest {
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
    pub effort: Effort,
    /// The sources in the order of the ranking, before anything was fitted.
    pub ranking: Arc<Vec<Ranked>>,
}

/// What it took to make a dossier, and how far its budget went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    pub took: Duration,
    /// Reading the facts and choosing among them, where there are some.
    pub recalled: Option<Duration>,
    pub fitting: Fitting,
}

impl Dossier {
    /// What is counted of it; `missed` says why no kept answer is given, where answers are kept.
    pub(crate) fn counted(&self, missed: Option<&'static str>) -> Assembly {
        let Effort { took, recalled, fitting } = self.effort;
        // What stands in for a model was looked for before, and missed.
        let cached = self.receipt.cached.as_ref().filter(|cached| !cached.stale);
        let hit = cached.map(|cached| LookedUp::Hit(cached.how.as_str()));
        Assembly {
            profile: self.receipt.profile.clone(),
            took,
            recalled,
            sections: self.receipt.budget.sections.clone(),
            fitting,
            looked_up: hit.or(missed.map(LookedUp::Miss)),
            refs: summaries::shown_refs(&self.receipt),
        }
    }
}

impl Workspace {
    /// The dossier for a question. Calls no model and stores nothing.
    pub async fn assemble(&self, request: &AssembleRequest) -> Result<Dossier, EngineError> {
        let seat = self.seat(request).await?;
        let sought = Question::new(&sought(&seat.question, &request.topics)?);
        let search = Search::new(&request.project.id, sought);
        let (pool, before) = tokio::try_join!(self.gather(&search), self.before(request, &seat))?;
        self.arrange(request, &seat, before, &pool)
    }

    /// What of the dossier is settled before anything is searched for. A question that is too long,
    /// by itself or together with what is always sent, is refused here.
    pub(crate) async fn seat(&self, request: &AssembleRequest) -> Result<Seat, EngineError> {
        check(&request.question)?;
        if request.budget == Some(0) {
            return Err(EngineError::Invalid("the token budget is a number above 0".to_owned()));
        }
        let model = request.model.as_deref();
        let (has_files, (tier, window, tokenizer)) =
            tokio::try_join!(self.has_files(&request.project.id), self.model(model))?;
        let strategy = Strategy::of(&request.project.settings);
        let tier = strategy.tier(tier);
        let persona = request.persona();
        let mut profile = match (request.shape, persona) {
            (_, Some(manner)) => Profile::persona(manner.history),
            (Shape::Profile(name), None) => name.profile(tier),
            (Shape::Bare, None) => Profile::bare(),
        };
        profile.least_share = strategy.least_share.unwrap_or(profile.least_share);
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
            profile.tools = Tools::None;
        }
        if let Some(kind) = request.history {
            profile.history = kind.policy(&profile, tier, budget);
        }
        // Shown, looked for, kept and sent in one and the same form.
        let question = masked(&request.question).into_owned();
        let tools = match self.tools_for(request, &profile, tier)? {
            Tools::Directory if budget < LEAST_FOR_TOOLS => Tools::None,
            tools => tools,
        };
        if tools == Tools::None {
            // A pointer is worth nothing to whoever cannot follow it.
            profile.excerpts = Excerpts::Full;
        }
        let reader = Reader { project: &request.project, has_files, question: &question, tools };
        let toolbox = Toolbox::of(reader);
        let header = self.header(request, &profile, &toolbox.lines(), tokenizer).await?;
        let behind = Vec::new();
        let seat = Seat { question, profile, budget, tier, tokenizer, toolbox, header, behind };
        let least = fit::fit(seat.header.clone(), seat.frame(request, None));
        if least.is_err() {
            self.figures.overrun(Overrun::Tokens);
        }
        least?;
        Ok(seat)
    }

    /// The profile's tools for this reader: pointers are for some tiers, and what a dossier shows in
    /// short can be asked for by all who call tools. One that is not named is thought to do so.
    fn tools_for(
        &self,
        request: &AssembleRequest,
        profile: &Profile,
        tier: Tier,
    ) -> Result<Tools, EngineError> {
        let Some(model) = &request.model else { return Ok(profile.tools) };
        let can_call = request.tools == ToolUse::Free
            && self.models()?.catalogue().info(model).capabilities.tools;
        let is_offered = match profile.tools {
            Tools::Directory => can_call,
            Tools::ForPointers | Tools::None => can_call && tier.reads_for_itself(),
        };
        Ok(if is_offered { profile.tools } else { Tools::None })
    }

    /// What was said in the thread, and what its reader was given last.
    pub(crate) async fn before(
        &self,
        request: &AssembleRequest,
        seat: &Seat,
    ) -> Result<Before, EngineError> {
        let began = Instant::now();
        let history = async {
            let thread = self.thread_of(request).await?;
            let history = self.history(request, thread.as_ref(), seat).await?;
            let refs = match seat.profile.summarises() {
                true => self.refs_at_hand(request, &seat.question, &history).await?,
                false => Vec::new(),
            };
            Ok((thread, history, refs))
        };
        let ((thread, history, refs), previous) =
            tokio::try_join!(history, self.previous(request))?;
        Ok(Before { thread, history, previous, refs, took: began.elapsed() })
    }

    /// The dossier for one reader, from what was found for all.
    pub(crate) fn arrange(
        &self,
        request: &AssembleRequest,
        seat: &Seat,
        before: Before,
        pool: &Pool,
    ) -> Result<Dossier, EngineError> {
        let span = tracing::info_span!(
            "assemble",
            profile = seat.profile.name,
            tokens = tracing::field::Empty,
        );
        let began = Instant::now();
        // What was said is read while the pool is gathered.
        let waited = pool.took.max(before.took);
        let dossier = span.in_scope(|| self.arranged(request, seat, before, pool));
        if let Err(EngineError::TooLarge(_)) = dossier {
            self.figures.overrun(Overrun::Tokens);
        }
        let mut dossier = dossier?;
        dossier.effort.took = waited + began.elapsed();
        let budget = &dossier.receipt.budget;
        span.record("tokens", budget.used);
        self.figures.assembled(budget, dossier.effort);
        Ok(dossier)
    }

    fn arranged(
        &self,
        request: &AssembleRequest,
        seat: &Seat,
        before: Before,
        pool: &Pool,
    ) -> Result<Dossier, EngineError> {
        let Seat { profile, budget, tokenizer, .. } = seat;
        let Before { thread, history, previous, refs, .. } = before;
        let mut items = seat.header.clone();
        let title = thread.as_ref().and_then(|thread| thread.title.as_deref()).map(masked);
        let standing = thread.as_ref().filter(|_| profile.surroundings == Surroundings::Told);
        let standing = standing.map(|thread| Standing {
            round: request.round.unwrap_or(thread.round_count + 1),
            title: title.as_deref(),
        });
        let frame = seat.frame(request, standing);
        let intent = request.intent.unwrap_or_else(|| intent::detect(&seat.question));
        items.extend(history.items.iter().cloned());
        if profile.summarises() {
            let earlier = thread.as_ref().and_then(summaries::earlier);
            items.extend(earlier.and_then(|earlier| of_thread(earlier, &history, *tokenizer)));
            items.extend(of_refs(&refs, &seat.question, &history, *tokenizer));
        }
        let considered = rank::considered(&pool.ranked, *budget);
        let mut passages = select::passages(considered, &items, *tokenizer);
        if let (Some(thread), Some(round)) = (&request.thread, request.round) {
            passages.retain(|item| !item.is_said_since(thread, round));
        }
        if request.shape != Shape::Bare {
            select::enough_for(intent, &mut passages);
            select::once(&mut passages);
            if let Some(most) = Strategy::of(&request.project.settings).most_passages {
                select::at_most(most, &mut passages);
            }
        }
        items.extend(passages);
        let (fitted, recalled) = self.fit_with_memory(items, frame, request, intent, pool)?;
        if fitted.fitting == Fitting::Minimal {
            self.figures.overrun(Overrun::Tokens);
        }
        profile.history.is_kept(&fitted.items)?;
        let mut receipt = receipt(request, intent, frame, &fitted, pool, &history);
        receipt.budget.warnings.extend(seat.shortened());
        receipt.tools = seat.toolbox.named();
        receipt.lazy_tools = seat.toolbox.lazy();
        receipt.prefix = previous.map(|previous| SharedPrefix::between(&previous, &receipt.blocks));
        let Fitted { blocks, messages, fitting, .. } = fitted;
        let effort = Effort { took: Duration::ZERO, recalled, fitting };
        let ranking = Arc::clone(&pool.ranked);
        Ok(Dossier { blocks, messages, receipt, effort, ranking })
    }

    async fn thread_of(&self, request: &AssembleRequest) -> Result<Option<Thread>, EngineError> {
        let Some(id) = &request.thread else { return Ok(None) };
        let thread = self.store.thread(id).await?;
        let own = thread.filter(|thread| thread.project == request.project.id);
        own.map(Some).ok_or_else(|| {
            EngineError::not_found("thread", id.as_str(), "the project has no thread of this id")
        })
    }

    /// Tier, window and tokenizer of a model, as the catalogue has them; the last is corrected by
    /// what was learned.
    async fn model(&self, name: Option<&str>) -> Result<(Tier, Window, Tokenizer), EngineError> {
        let Some(name) = name else {
            return Ok((Tier::Balanced, Window::default(), Tokenizer::O200k));
        };
        let info = self.models()?.catalogue().info(name);
        Ok((info.tier, info.window, self.learned(info.tokenizer).await?))
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
        // A turn follows what was sent; whoever only has dossiers made sends them himself.
        let past = match request.round {
            Some(_) => Past::Sent,
            None => Past::Made,
        };
        match &request.thread {
            Some(thread) => self.previous_given(thread, request.model.as_deref(), past).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn previous_given(
        &self,
        thread: &ThreadId,
        model: Option<&str>,
        past: Past,
    ) -> Result<Option<Given>, EngineError> {
        /// So many models may answer in turns.
        const MODELS: usize = 8;
        for before in 0..MODELS {
            let body = match past {
                Past::Sent => self.store.recent_sent_receipt(thread, before).await?,
                Past::Made => self.store.recent_receipt(thread, before).await?,
            };
            let Some(body) = body else { break };
            // A receipt that can no longer be read has nothing to compare with.
            let Ok(previous) = serde_json::from_str::<Given>(&body) else { continue };
            if previous.model.as_deref() == model && previous.cached.is_none() {
                return Ok(Some(previous));
            }
        }
        Ok(None)
    }
}

/// Which of a thread's dossiers count as given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Past {
    /// Those of its turns: a preview was sent to nobody.
    Sent,
    Made,
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
    pub toolbox: Toolbox,
    /// What is always sent, before all else.
    header: Vec<Item>,
    /// The refs that hold what the question shows in short.
    pub behind: Vec<String>,
}

/// What came before a question.
#[derive(Debug)]
pub(crate) struct Before {
    thread: Option<Thread>,
    history: History,
    previous: Option<Given>,
    /// The project's refs in short.
    refs: Vec<Brief>,
    /// How long it took to read.
    took: Duration,
}

impl Seat {
    /// Of a reader who is consulted about files that come with the question.
    pub(crate) fn consulted(budget: u32, tier: Tier, tokenizer: Tokenizer) -> Self {
        Self {
            question: String::new(),
            profile: Profile::consult(),
            budget,
            tier,
            tokenizer,
            toolbox: Toolbox::default(),
            header: Vec::new(),
            behind: Vec::new(),
        }
    }

    /// The question, where it is shown in short.
    pub(crate) fn in_short(&self) -> Option<&str> {
        (!self.behind.is_empty()).then_some(self.question.as_str())
    }

    /// That the question is shown in short.
    fn shortened(&self) -> Option<String> {
        shown_in_short(&self.behind)
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
    /// finds no room, the message is shown as it is. Tells how long remembering took.
    fn fit_with_memory(
        &self,
        mut items: Vec<Item>,
        frame: Frame<'_>,
        request: &AssembleRequest,
        intent: Intent,
        pool: &Pool,
    ) -> Result<(Fitted, Option<Duration>), TooLarge> {
        let known = &*pool.facts.facts;
        if known.is_empty() || !frame.profile.remembers() || !flag(&request.project, FACTS) {
            return Ok((fit::fit(items, frame)?, None));
        }
        let began = Instant::now();
        let count = usize::try_from(intent.pack().facts).ok();
        let tags = facts::tags(request.topics.iter().map(String::as_str));
        let recall = Recall { sought: &pool.sought, tags: &tags, count, now: request.now };
        facts::join(&mut items, known, recall, frame.budget, frame.tokenizer);
        let without_stale = facts::without_stale(&items, known, frame.tokenizer);
        let took = pool.facts_took + began.elapsed();
        self.figures.recalled(took);
        if let Some((without_stale, relied)) = without_stale {
            let fitted = fit::fit(without_stale, frame)?;
            if relied.stands(&fitted.items) {
                return Ok((fitted, Some(took)));
            }
        }
        Ok((fit::fit(items, frame)?, Some(took)))
    }
}

/// What is said of a question whose long parts stand behind refs.
pub(crate) fn shown_in_short(refs: &[String]) -> Option<String> {
    let refs = (!refs.is_empty()).then(|| refs.join(", "))?;
    Some(format!("there is no room for all of the question; it is shown in short, see {refs}"))
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

pub(crate) fn check(question: &str) -> Result<(), EngineError> {
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
        tools: Vec::new(),
        lazy_tools: Vec::new(),
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
