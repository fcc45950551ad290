//! Assembling a dossier: gather, rank, fit, render, and the receipt that tells why.

use crate::error::EngineError;
use crate::gather::Pool;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::fit::{self, Fitted, Frame};
use dossier_core::header::ToolLine;
use dossier_core::history::{self, History, Policy, PolicyKind};
use dossier_core::id::ThreadId;
use dossier_core::intent::{self, Intent};
use dossier_core::item::{Form, Item};
use dossier_core::profile::{Profile, ProfileName};
use dossier_core::rank::{self, Ranked};
use dossier_core::receipt::{Beyond, BudgetUse, Receipt, ReceiptBlock, SharedPrefix};
use dossier_core::render::{self, Asking, Block, WireMessage, WireRole};
use dossier_core::tier::{Tier, Window};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_store::{Project, Thread};
use std::collections::HashSet;

/// A question's longest length in bytes; longer material belongs into a file.
const LONGEST_QUESTION: usize = 1 << 20;

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
    /// Tools the model may ask for; the header names them.
    pub tools: Vec<ToolLine>,
    /// Another policy for the thread's history than the profile's own.
    pub history: Option<PolicyKind>,
    pub now: Timestamp,
}

/// What a model would be given, and why.
#[derive(Debug, Clone)]
pub struct Dossier {
    pub blocks: Vec<Block>,
    pub messages: Vec<WireMessage>,
    pub receipt: Receipt,
    /// The sources in the order of the ranking, before anything was fitted.
    pub ranking: Vec<Ranked>,
}

impl Dossier {
    /// The stable part, up to the first byte of history.
    pub fn header(&self) -> &[WireMessage] {
        let end =
            self.messages.iter().take_while(|message| message.role == WireRole::System).count();
        &self.messages[..end]
    }
}

impl Workspace {
    /// The dossier for a question. Calls no model and stores nothing.
    pub async fn assemble(&self, request: &AssembleRequest) -> Result<Dossier, EngineError> {
        check(&request.question)?;
        let model = request.model.as_deref();
        let (tier, window) = self.model(model).await?;
        let tokenizer = model.map_or(Tokenizer::O200k, Tokenizer::for_model);
        let mut profile = match request.shape {
            Shape::Profile(name) => name.profile(tier),
            Shape::Bare => Profile::bare(),
        };
        let budget = profile.tokens(request.budget, window);
        if let Some(kind) = request.history {
            profile.history = kind.policy(&profile, tier, budget);
        }
        let intent = request.intent.unwrap_or_else(|| intent::detect(&request.question));

        let thread = self.thread_of(request).await?;
        let history = self.history(thread.as_ref(), &profile, tokenizer).await?;
        let question = Question::new(&request.question);
        let pool = self.gather(&request.project.id, &question).await?;
        let mut items = self.header(request, &profile, tokenizer).await?;
        items.extend(history.items.iter().cloned());
        let passages = match request.shape {
            Shape::Profile(_) => intent.pack().passages,
            Shape::Bare => usize::MAX,
        };
        let considered = rank::considered(&pool.ranked, budget);
        items.extend(retrieved(considered, &history).take(passages));
        let frame = Frame {
            profile: &profile,
            budget,
            tier,
            tokenizer,
            asking: Asking { question: &request.question, reader: model },
        };
        let fitted = fit::fit(items, frame)?;
        let mut receipt = receipt(request, intent, frame, &fitted, &pool, &history);
        if let Some(thread) = &thread {
            receipt.prefix = self.shared_prefix(&thread.id, &receipt.blocks).await?;
        }
        let Fitted { blocks, messages, .. } = fitted;
        Ok(Dossier { blocks, messages, receipt, ranking: pool.ranked })
    }

    async fn thread_of(&self, request: &AssembleRequest) -> Result<Option<Thread>, EngineError> {
        let Some(id) = &request.thread else { return Ok(None) };
        let thread = self.store.thread(id).await?;
        thread.map(Some).ok_or_else(|| {
            EngineError::not_found("thread", id.as_str(), "dossier import brings one in")
        })
    }

    /// Tier and window of a model: as stored, or else by its name.
    async fn model(&self, name: Option<&str>) -> Result<(Tier, Window), EngineError> {
        let Some(name) = name else { return Ok((Tier::Balanced, Window::default())) };
        let known = self.store.models().await?.into_iter().find(|model| model.model == name);
        let by_name = Tier::for_model(name);
        let Some(known) = known else { return Ok((by_name, Window::default())) };
        let tokens = |number: i64| u32::try_from(number).unwrap_or(0);
        let window =
            Window { context: tokens(known.context_window), output: tokens(known.max_output) };
        Ok((Tier::parse(&known.tier).unwrap_or(by_name), window))
    }

    async fn history(
        &self,
        thread: Option<&Thread>,
        profile: &Profile,
        tokenizer: Tokenizer,
    ) -> Result<History, EngineError> {
        /// As many messages as any policy but `Fixed` can want.
        const RECENT: usize = 200;
        let Some(thread) = thread else { return Ok(History::default()) };
        let messages = match profile.history {
            Policy::None => return Ok(History::default()),
            Policy::Fixed { .. } => self.store.messages(&thread.id).await?,
            _ => self.store.recent_messages(&thread.id, RECENT).await?,
        };
        let next = thread.round_count + 1;
        let mut history = history::recent(&messages, next, profile.history, tokenizer)?;
        let first = messages.first().map_or(next, |message| message.round);
        history.left_out += usize::try_from(first - 1).unwrap_or(0);
        Ok(history)
    }

    async fn shared_prefix(
        &self,
        thread: &ThreadId,
        blocks: &[ReceiptBlock],
    ) -> Result<Option<SharedPrefix>, EngineError> {
        let Some(row) = self.store.latest_receipt(thread).await? else { return Ok(None) };
        let previous = self.receipt(&row.id).await?;
        Ok(Some(SharedPrefix::between(&previous, blocks)))
    }
}

fn check(question: &str) -> Result<(), EngineError> {
    if question.trim().is_empty() {
        return Err(EngineError::Invalid("the question is empty; ask something".to_owned()));
    }
    if question.len() > LONGEST_QUESTION {
        return Err(EngineError::Invalid(format!(
            "the question has {} bytes and may have {LONGEST_QUESTION}; put long material into a \
             file and index it",
            question.len()
        )));
    }
    Ok(())
}

/// The ranking as items, without messages that the history already shows in full.
fn retrieved<'a>(ranked: &'a [Ranked], history: &'a History) -> impl Iterator<Item = Item> + 'a {
    let shown: HashSet<&str> = history
        .items
        .iter()
        .filter(|item| item.form == Form::Full)
        .map(|item| item.source.id.as_str())
        .collect();
    ranked
        .iter()
        .enumerate()
        .filter(move |(_, ranked)| !shown.contains(ranked.chunk.origin.as_str()))
        .map(|(place, ranked)| {
            let mut item = Item::retrieved(&ranked.chunk);
            item.score = ranked.score;
            item.scores = ranked.scores.clone();
            item.reason = rank::reason(place + 1, ranked);
            item
        })
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
    Receipt {
        id: mint::id(),
        now: request.now,
        project: request.project.id.clone(),
        thread: request.thread.clone(),
        question: request.question.clone(),
        intent,
        profile: frame.profile.name.to_owned(),
        model: request.model.clone(),
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
    }
}
