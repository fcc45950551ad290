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
use dossier_core::profile::{Profile, ProfileName};
use dossier_core::rank::{self, Ranked};
use dossier_core::receipt::{Beyond, BudgetUse, Receipt, ReceiptBlock, SharedPrefix};
use dossier_core::render::{self, Asking, Block, WireMessage};
use dossier_core::select;
use dossier_core::tier::{Tier, Window};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_store::{Project, Thread};
use serde_json::Value;

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
        let allowed = request.project.settings.get("max_context_tokens").and_then(Value::as_u64);
        let budget = profile.tokens(request.budget, allowed, window, tokenizer);
        if let Some(kind) = request.history {
            profile.history = kind.policy(&profile, tier, budget);
        }
        let asking = Asking { question: &request.question, reader: model };
        let frame = Frame { profile: &profile, budget, tier, tokenizer, asking };
        // A question that is too long by itself is refused before it is searched for.
        fit::fit(Vec::new(), frame)?;

        let thread = self.thread_of(request).await?;
        let history = self.history(thread.as_ref(), &profile, tokenizer).await?;
        let pool = self.gather(&request.project.id, &Question::new(&request.question)).await?;
        let intent = request.intent.unwrap_or_else(|| intent::detect(&request.question));
        let mut items = self.header(request, &profile, tokenizer).await?;
        items.extend(history.items.iter().cloned());
        let considered = rank::considered(&pool.ranked, budget);
        let mut passages = select::passages(considered, &items, tokenizer);
        if request.shape != Shape::Bare {
            select::enough_for(intent, &mut passages);
            select::once(&mut passages);
        }
        items.extend(passages);
        let fitted = fit::fit(items, frame)?;
        profile.history.is_kept(&fitted.items)?;
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
        let own = thread.filter(|thread| thread.project == request.project.id);
        own.map(Some).ok_or_else(|| {
            EngineError::not_found("thread", id.as_str(), "the project has no thread of this id")
        })
    }

    /// Tier and window of a model: as stored, or else as the catalogue has them.
    async fn model(&self, name: Option<&str>) -> Result<(Tier, Window), EngineError> {
        let Some(name) = name else { return Ok((Tier::Balanced, Window::default())) };
        let known = self.store.models().await?.into_iter().find(|model| model.model == name);
        let info = dossier_models::builtin_catalogue().info(name);
        let Some(known) = known else { return Ok((info.tier, info.window)) };
        let tokens = |number: i64| u32::try_from(number).ok().filter(|number| *number > 0);
        let window = match (tokens(known.context_window), tokens(known.max_output)) {
            (Some(context), Some(output)) => Window { context, output },
            _ => info.window,
        };
        Ok((Tier::parse(&known.tier).unwrap_or(info.tier), window))
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
        // A receipt that can no longer be read has nothing to compare with.
        let previous = serde_json::from_value(row.body).ok();
        Ok(previous.map(|previous| SharedPrefix::between(&previous, blocks)))
    }
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
    if !frame.tokenizer.is_exact() {
        warnings.push("tokens are estimated for this model; a twentieth is kept back".to_owned());
    }
    Receipt {
        id: mint::id(),
        now: request.now,
        project: request.project.id.clone(),
        thread: request.thread.clone(),
        question: request.question.clone(),
        intent,
        profile: frame.profile.name.to_owned(),
        model: request.model.clone(),
        tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
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
