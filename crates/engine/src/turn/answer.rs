//! One model's part of a turn: its dossier, the call, and the tools it runs. Whatever goes wrong here
//! is this model's own failure.

use super::event::TurnEvent;
use super::failure::Failure;
use super::running::Channel;
use super::served::{Answered, Chosen};
use super::{Asked, Found, Gathering, apart, tools};
use crate::answers::{Asking, Repeated, Sought};
use crate::assemble::{AssembleRequest, Before, Dossier, Seat};
use crate::consult::Share;
use crate::error::EngineError;
use crate::factors::Report;
use crate::figures::SchemaGiven;
use crate::mint;
use crate::receipts;
use crate::toolbox::{self, LOAD};
use crate::workspace::Workspace;
use dossier_core::chat::{
    Answer, Event, Finish, Message as Said, Prompt, Room, ToolChoice, ToolResult, ToolSpec, Usage,
};
use dossier_core::guard::masked;
use dossier_core::id::{ChunkId, MessageId, ReceiptId};
use dossier_core::savings::{Calls, Request, Savings};
use dossier_core::selection::{Fetched, Served};
use dossier_core::tokens::Tokenizer;
use dossier_models::ChatModel;
use dossier_store::Turn;
use futures::{FutureExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tokio::sync::SetOnce;
use tokio::task::yield_now;
use tracing::Instrument as _;

/// How often a model may ask for tools before it must answer.
const MOST_ROUNDS: usize = 8;

/// How many bytes of a model's thoughts are kept.
const MOST_THOUGHTS: usize = 64_000;

/// What is left of the budget, in percent, when a reply was cut for want of room.
const REDUCED: u32 = 75;

pub(super) struct Part {
    pub workspace: Workspace,
    pub turn: Turn,
    pub ordinal: usize,
    pub model: Arc<dyn ChatModel>,
    pub asked: Arc<Asked>,
    pub channel: Arc<Channel>,
}

/// What became of a model's part.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What is to be learned of its tokens.
    pub report: Option<Report>,
    /// Its reply, and the receipt of the dossier that this answers.
    pub replied: Option<(MessageId, ReceiptId)>,
    /// How that dossier served the reply, where it is counted.
    pub served: Option<Served>,
}

/// What a model has said so far, over all its calls.
#[derive(Default)]
pub(super) struct Told {
    pub answer: Answer,
    /// As providers reported it.
    pub usage: Option<Usage>,
    /// Calls whose provider has not said what they took, the last of them perhaps under way.
    pub unreported: Vec<Call>,
    pub tools: Vec<Value>,
    /// What it thought, as far as it is kept.
    pub thoughts: String,
    /// What the last answer's provider made of a prompt of text alone; tools and images count
    /// otherwise than text.
    report: Option<Report>,
    /// Tokens of the whole thread as its model counts, the first dossier and the calls.
    pub whole: u64,
    pub request: Option<Request>,
    pub calls: Option<Calls>,
    /// What the answer can be kept under, and that others may wait for it.
    pub sought: Option<Sought>,
    pub asking: Option<Asking>,
    /// The kept answer that this one is, and what it saved.
    pub repeated: Option<Repeated>,
    pub saved: Savings,
    /// What tools have given it since it was asked.
    pub fetched: Vec<Fetched>,
    /// The dossiers that it has answered.
    pub dossiers: Vec<Answered>,
}

/// A call, as far as it was heard.
pub(super) struct Call {
    /// What stands before the answer, in tokens.
    input: u32,
    tokenizer: Tokenizer,
    heard: String,
    is_answered: bool,
}

impl Call {
    fn new(input: u32, tokenizer: Tokenizer) -> Self {
        Self { input, tokenizer, heard: String::new(), is_answered: false }
    }

    fn hear(&mut self, event: &Event) {
        self.is_answered = true;
        if let Event::Text(text) | Event::Reasoning(text) | Event::Arguments { text, .. } = event {
            self.heard.push_str(text);
        }
    }
}

impl Told {
    /// Hears of the call that is under way.
    fn hear(&mut self, event: &Event) {
        if let Event::Usage(usage) = event {
            self.usage = Some(self.usage.unwrap_or_default().plus(*usage));
            self.unreported.pop();
        } else if let Some(call) = self.unreported.last_mut() {
            call.hear(event);
        }
    }

    /// Nobody is paid for a call that was refused; one that broke off later took something.
    fn refused(&mut self) {
        self.unreported.pop_if(|call| !call.is_answered);
    }

    /// Whether no model has said a word yet.
    pub(super) fn heard_nothing(&self) -> bool {
        self.usage.is_none() && self.unreported.is_empty()
    }

    /// Counts a call that has ended.
    fn called(&mut self, usage: Usage) {
        match &mut self.calls {
            Some(calls) => calls.later = calls.later.plus(usage),
            None => self.calls = Some(Calls { first: usage, ..Calls::default() }),
        }
    }

    /// Counts what a model has written to ask for tools.
    fn asked_for_tools(&mut self, usage: Usage) {
        if let Some(calls) = &mut self.calls {
            calls.asking = calls.asking.saturating_add(usage.output);
        }
    }
}

impl Told {
    /// Thoughts are there to be looked at; a model that thinks without end is not kept to its end.
    fn think(&mut self, more: &str) {
        let room = MOST_THOUGHTS.saturating_sub(self.thoughts.len());
        self.thoughts.extend(more.get(..more.floor_char_boundary(room)));
    }
}

/// A dossier that is to be stored, with what it was made of.
pub(super) struct Held {
    pub dossier: Dossier,
    gathered: Arc<Found>,
    /// Why no kept answer is given, where answers are kept.
    pub cache_miss: Option<&'static str>,
}

impl Held {
    fn new(dossier: Dossier, gathered: Arc<Found>) -> Self {
        Self { dossier, gathered, cache_miss: None }
    }

    pub fn into_dossier(self) -> Dossier {
        self.dossier
    }

    /// The newest chunk there was before anything was looked for, where that was asked.
    pub fn newest(&self) -> Option<ChunkId> {
        self.gathered.pool.newest
    }
}

impl Part {
    /// Asks the model and stores what comes of it.
    pub(super) async fn reply(
        self: &Arc<Self>,
        gathering: Gathering,
        seat: Option<Seat>,
        before: Option<Before>,
    ) -> Outcome {
        let mut told = Told::default();
        let name = self.name();
        let answered = tokio::select! {
            biased;
            () = self.channel.given_up(&name) => match self.channel.is_parked() {
                true => Err(Failure::Parked),
                false => Err(Failure::GivenUp),
            },
            answered = self.answered(gathering, seat, before, &mut told) => answered,
        };
        let stored = match answered {
            Ok(receipt) => {
                let span = tracing::info_span!("store reply", model = self.name());
                let stored = self.store_reply(&told, &receipt).instrument(span).await;
                stored.map(|message| (message, receipt))
            }
            Err(failure) => Err(failure),
        };
        let report = told.report;
        match stored {
            Ok((message, receipt)) => {
                // Whoever listens is told first, and who waits for the same answer has it.
                drop(told.asking.take());
                yield_now().await;
                // What is wrong with the count is not wrong with the reply, which is told.
                let served = catch_unwind(AssertUnwindSafe(|| told.served(&receipt)));
                let served = served.unwrap_or_default();
                Outcome { report, replied: Some((message, receipt)), served }
            }
            Err(failure) => {
                self.fail(failure, &told).await;
                Outcome { report, ..Outcome::default() }
            }
        }
    }

    /// Asks, unless the same was answered before, and returns the receipt of the dossier that was
    /// answered. Where the provider fails, an older answer may stand in. An answer that the model's
    /// window has cut short is asked for once more with less before it.
    async fn answered(
        self: &Arc<Self>,
        gathering: Gathering,
        seat: Option<Seat>,
        before: Option<Before>,
        told: &mut Told,
    ) -> Result<ReceiptId, Failure> {
        let (mut dossier, seat) = self.arranged(gathering, seat, before, None).await?;
        if let Some(repeated) = self.look_up(&mut dossier, &seat, told).await {
            return self.repeat(dossier, repeated, told).await;
        }
        if let Some(said) = self.asked.spending.refuses(self.model.info()) {
            return Err(EngineError::OverBudget(said.to_owned()).into());
        }
        let receipt = match self.ask_with(dossier, &seat, told).await {
            Ok(receipt) => receipt,
            Err(failure) => return self.stand_in(failure, seat, told).await,
        };
        // A caller that brings its own has said itself how long the answer may be, and has heard it.
        if told.answer.finish != Some(Finish::Length) || self.asked.terms.brought.is_some() {
            return Ok(receipt);
        }
        let first = std::mem::take(&mut told.answer);
        let thoughts = std::mem::take(&mut told.thoughts);
        // It is answered from less than what would be looked for.
        told.sought = None;
        let again = self.asked_with_less(&seat, told).await;
        match again {
            Ok(smaller)
                if told.answer.finish != Some(Finish::Length)
                    || told.answer.text.len() >= first.text.len() =>
            {
                Ok(smaller)
            }
            // A part of an answer is more than none.
            Ok(_) | Err(Failure::Model(_) | Failure::Engine(_)) => {
                told.answer = first;
                told.thoughts = thoughts;
                Ok(receipt)
            }
            Err(failure) => Err(failure),
        }
    }

    async fn asked_with_less(
        self: &Arc<Self>,
        seat: &Seat,
        told: &mut Told,
    ) -> Result<ReceiptId, Failure> {
        let Asked { project, question, .. } = &*self.asked;
        let shown = seat.in_short().unwrap_or(&question.content);
        let gathering = self.workspace.gathering(project, shown).await;
        let less = seat.budget * REDUCED / 100;
        let smaller = match seat.in_short() {
            None => None,
            Some(short) => {
                let request = self.asked.request(self.model.info(), Some(less), mint::now());
                let request = AssembleRequest { question: short.to_owned(), ..request };
                let mut smaller = self.workspace.seat(&request).await?;
                smaller.behind.clone_from(&seat.behind);
                Some(smaller)
            }
        };
        let (dossier, seat) = self.arranged(gathering, smaller, None, Some(less)).await?;
        self.ask_with(dossier, &seat, told).await
    }

    /// This model's dossier, and the room it takes until it is stored.
    pub(super) async fn arranged(
        &self,
        gathering: Gathering,
        seat: Option<Seat>,
        before: Option<Before>,
        budget: Option<u32>,
    ) -> Result<(Held, Seat), Failure> {
        if let Some(consulting) = &self.asked.consulting {
            let share = Share(if budget.is_some() { REDUCED } else { 100 });
            let (workspace, name) = (&self.workspace, self.name());
            let dossier = consulting.arrange(workspace, &self.asked, &name, share).await?;
            let receipt = &dossier.receipt.budget;
            let (tier, tokenizer) = (self.model.info().tier, consulting.tokenizer());
            let seat = Seat::consulted(receipt.limit, tier, tokenizer);
            let gathered = gathering.gathered().await.map_err(EngineError::Invalid)?;
            return Ok((Held::new(dossier, gathered), seat));
        }
        let request = self.asked.request(self.model.info(), budget, mint::now());
        let seat = match seat {
            Some(seat) => seat,
            None => self.workspace.seat(&request).await?,
        };
        // What was said is read while what bears on the question is gathered.
        let before = async {
            match before {
                Some(before) => Ok(before),
                None => self.workspace.before(&request, &seat).await,
            }
        };
        let (gathered, before) = tokio::join!(gathering.gathered(), before);
        let gathered = gathered.map_err(EngineError::Invalid)?;
        let dossier = self.workspace.arrange(&request, &seat, before?, &gathered.pool)?;
        Ok((Held::new(dossier, gathered), seat))
    }

    /// Asks while the dossier is being stored: both take their time, and what is told of the answer
    /// waits for the store alone.
    async fn ask_with(
        self: &Arc<Self>,
        mut held: Held,
        seat: &Seat,
        told: &mut Told,
    ) -> Result<ReceiptId, Failure> {
        told.thoughts.clear();
        let receipt = held.dossier.receipt.id.clone();
        let made = &held.dossier.receipt;
        let counted = made.budget.used;
        let request = || Request::of(counted, &made.budget.sections, made.summary_tokens());
        told.request.get_or_insert_with(request);
        let prompt = self.prompt(&held.dossier, seat);
        let beside_it = self.asked.images.told_beside(self.model.info());
        held.dossier.receipt.budget.warnings.extend(beside_it);
        let brought = self.asked.terms.brought.as_ref();
        let beside = brought.and_then(|brought| brought.told_beside(seat.tokenizer));
        held.dossier.receipt.budget.warnings.extend(beside);
        let offered = prompt.tools.iter().map(|tool| tool.name.clone());
        let lazy = held.dossier.receipt.lazy_tools.iter().cloned();
        held.dossier.receipt.tools = offered.chain(lazy).collect();
        let server = if self.runs_its_own_tools() { "client" } else { "dossier" };
        held.dossier.receipt.tool_server = (!prompt.tools.is_empty()).then(|| server.to_owned());
        let could_fetch = self.has_our_tools() && !prompt.tools.is_empty();
        told.fetched.clear();
        let (whole, chosen) = {
            let kept = Arc::new(SetOnce::new());
            let (part, is_kept) = (Arc::clone(self), Arc::clone(&kept));
            let keep = async move { part.keep(held, &is_kept).await };
            let keep = async {
                // Given up when nobody waits for it.
                let (keep, keeping) = keep.remote_handle();
                apart(keep);
                keeping.await
            };
            // What was sent is stored, whatever comes of it.
            let asking = async { Ok(self.ask(prompt, counted, seat, &kept, told).await) };
            let whole = async {
                // The question is to be on its way first.
                yield_now().await;
                Ok::<u64, Failure>(self.workspace.store.thread_tokens(&self.turn.thread).await?)
            };
            let (asked, chosen, whole) = tokio::try_join!(biased; asking, keep, whole)?;
            asked?;
            (whole, chosen)
        };
        told.whole = seat.tokenizer.scaled(whole);
        told.answered(&receipt, chosen, could_fetch);
        Ok(receipt)
    }

    /// Stores the dossier, tells of it, and lets go of what it was made of.
    pub(super) async fn keep(
        &self,
        held: Held,
        kept: &SetOnce<()>,
    ) -> Result<Option<Chosen>, Failure> {
        let (row, texts) = receipts::rows(&held.dossier)?;
        // That takes a while, and nothing is written of what was given up meanwhile.
        yield_now().await;
        let counted = held.dossier.counted(held.cache_miss);
        let receipt = &held.dossier.receipt;
        let store = &self.workspace.store;
        let called = store.reply_called(&self.turn.id, self.ordinal, &row, &texts, &counted);
        if !called.await? {
            return Err(Failure::Over);
        }
        drop((row, texts));
        // Who was given up meanwhile tells nothing of it.
        yield_now().await;
        let warnings = self.asked.spending.warnings.iter().chain(&receipt.budget.warnings);
        self.channel.send(TurnEvent::Dossier {
            model: self.name(),
            receipt: receipt.id.clone(),
            tokens: receipt.budget.used,
            limit: receipt.budget.limit,
            warnings: warnings.cloned().collect(),
            cached: receipt.cached.clone(),
            cache_miss: held.cache_miss,
        });
        // Nobody else sets it.
        let _ = kept.set(());
        Ok(self.chosen(held))
    }

    /// Asks, and runs tools until the model has answered.
    async fn ask(
        &self,
        mut prompt: Prompt,
        counted: u32,
        seat: &Seat,
        kept: &SetOnce<()>,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let is_text = prompt.tools.is_empty() && self.asked.is_text();
        let offered: Vec<String> = prompt.tools.iter().map(|tool| tool.name.clone()).collect();
        let window = self.model.info().window;
        let mut room = Room::new(window, counted, seat.tokenizer);
        let whole = room;
        for round in 0.. {
            let is_last = round == MOST_ROUNDS || (round > 0 && room.is_full());
            if is_last {
                // Tools that were called stay named: some providers refuse their results otherwise.
                prompt.options.tool_choice = Some(ToolChoice::None);
            }
            let span = tracing::info_span!("model", otel.kind = "client", model = self.name());
            let input = counted.saturating_add(whole.left() - room.left());
            told.unreported.push(Call::new(input, seat.tokenizer));
            let answer = self.listen(prompt.clone(), kept, told).instrument(span).await?;
            let unreported = || told.unreported.last().map(|call| self.estimate(call));
            let usage = answer.usage.or_else(unreported).unwrap_or_default();
            told.called(usage);
            told.report = answer.usage.filter(|_| is_text && round == 0).map(|usage| Report {
                tokenizer: seat.tokenizer,
                counted,
                reported: usage.input,
            });
            if answer.finish != Some(Finish::ToolCalls)
                || answer.calls.is_empty()
                || self.runs_its_own_tools()
                || is_last
            {
                told.answer = answer;
                return Ok(());
            }
            told.asked_for_tools(usage);
            for call in &answer.calls {
                let given = match offered.contains(&call.name) {
                    true => SchemaGiven::WithTheQuestion,
                    false => SchemaGiven::Later,
                };
                // Loading a schema is no use of the tool.
                if call.name != LOAD {
                    self.workspace.figures.tool_used(given);
                }
            }
            room.take(usage.output);
            let results = self.run_tools(&answer, seat, &mut room, told).await;
            seat.toolbox.add_wanted(&answer.calls, &mut prompt.tools);
            if self.asked.consulting.is_none() && tools::name_refs(&results) {
                toolbox::add_rest(&mut prompt.tools);
            }
            prompt.messages.push(answer.message());
            prompt.messages.push(Said::results(results));
        }
        Ok(())
    }

    fn prompt(&self, dossier: &Dossier, seat: &Seat) -> Prompt {
        let mut prompt = Prompt::rendered(&dossier.messages);
        prompt.options = self.asked.terms.options.clone();
        prompt.tools = self.tools(seat);
        if self.has_our_tools() && seat.toolbox.offers_rest && tools::show_cuts(&dossier.messages) {
            toolbox::add_rest(&mut prompt.tools);
        }
        let brought = self.asked.terms.brought.as_ref();
        if self.model.info().capabilities.vision
            && let Some(question) = prompt.messages.pop()
        {
            prompt.messages.push(self.asked.images.parts().fold(question, Said::with));
        }
        prompt
            .messages
            .extend(brought.into_iter().flat_map(|brought| brought.tail.iter().cloned()));
        prompt
    }

    /// The tools that the model is offered.
    pub(super) fn tools(&self, seat: &Seat) -> Vec<ToolSpec> {
        let brought = self.asked.terms.brought.as_ref();
        if self.runs_its_own_tools() {
            brought.map(|brought| brought.tools.clone()).unwrap_or_default()
        } else if let Some(consulting) = &self.asked.consulting {
            consulting.tools()
        } else if self.has_our_tools() {
            seat.toolbox.offered.clone()
        } else {
            Vec::new()
        }
    }

    /// Whether the model may call the tools that read the project.
    fn has_our_tools(&self) -> bool {
        let are_others = self.runs_its_own_tools() || self.asked.consulting.is_some();
        // Some providers refuse tools beside a schema for the answer.
        let has_schema = self.asked.terms.options.format.is_some();
        self.model.info().capabilities.tools && !are_others && !has_schema
    }

    /// Whether the caller brought tools, which it runs.
    pub(super) fn runs_its_own_tools(&self) -> bool {
        self.asked.terms.brought.as_ref().is_some_and(|brought| !brought.tools.is_empty())
    }

    /// One answer of the model, told as it comes, but not before the dossier is stored.
    async fn listen(
        &self,
        prompt: Prompt,
        kept: &SetOnce<()>,
        told: &mut Told,
    ) -> Result<Answer, Failure> {
        let mut events = self.model.ask(prompt, self.asked.spending.limits);
        let mut answer = Answer::default();
        let mut untold = Vec::new();
        let ended = loop {
            let event = tokio::select! {
                // What has come at once is told at once.
                biased;
                event = events.next() => event,
                _ = kept.wait(), if !untold.is_empty() => {
                    self.channel.send_all(untold.drain(..));
                    continue;
                }
            };
            let event = match event {
                Some(Ok(event)) => event,
                Some(Err(error)) => {
                    told.refused();
                    break Err(error.into());
                }
                None => break Ok(answer),
            };
            told.hear(&event);
            if let Event::Reasoning(text) = &event {
                told.think(text);
            }
            untold.extend(self.told_as(&event));
            answer.add(event);
        };
        kept.wait().await;
        self.channel.send_all(untold);
        ended
    }

    /// What listeners are told of a piece of an answer. Calls of our own tools are told when they
    /// have been run.
    fn told_as(&self, event: &Event) -> Option<TurnEvent> {
        let model = self.name();
        let delta = |text: &str, reasoning: &str| {
            let (text, reasoning) = (text.to_owned(), reasoning.to_owned());
            (!text.is_empty() || !reasoning.is_empty()).then(|| TurnEvent::Delta {
                model: self.name(),
                text,
                reasoning,
            })
        };
        match event {
            Event::Text(text) => delta(text, ""),
            Event::Reasoning(text) => delta("", text),
            Event::Call { number, id, name } if self.runs_its_own_tools() => {
                let (id, name) = (id.clone(), name.clone());
                Some(TurnEvent::Call { model, number: *number, id, name })
            }
            Event::Arguments { number, text } if self.runs_its_own_tools() => {
                Some(TurnEvent::Arguments { model, number: *number, text: text.clone() })
            }
            _ => None,
        }
    }

    async fn run_tools(
        &self,
        answer: &Answer,
        seat: &Seat,
        room: &mut Room,
        told: &mut Told,
    ) -> Vec<ToolResult> {
        let mut results = Vec::with_capacity(answer.calls.len());
        for call in &answer.calls {
            let mut result = match (&self.asked.consulting, seat.toolbox.load(call)) {
                (Some(consulting), _) => consulting.run_tool(&self.workspace, call).await,
                (None, Some(loaded)) => loaded,
                (None, None) => {
                    let Asked { project, question, .. } = &*self.asked;
                    let ran = self.workspace.run_tool(project, question, call).await;
                    told.fetched.extend(ran.fetched);
                    ran.result
                }
            };
            let tokens = room.admit(&mut result.content);
            let made = json!({
                "name": call.name, "arguments": call.arguments, "failed": result.failed,
                "tokens": tokens,
            });
            told.tools.push(made);
            self.channel.send(TurnEvent::Tool {
                model: self.name(),
                name: call.name.clone(),
                arguments: masked(&call.arguments).into_owned(),
                failed: result.failed,
                tokens,
            });
            results.push(result);
        }
        results
    }

    /// What a call took whose provider did not say it, as it is counted here.
    pub(super) fn estimate(&self, call: &Call) -> Usage {
        let tail = self.asked.terms.brought.iter().flat_map(|brought| &brought.tail);
        let beside: u32 = tail.map(|said| call.tokenizer.count(&said.text())).sum();
        Usage {
            input: call.input.saturating_add(beside),
            output: call.tokenizer.count(&call.heard),
            ..Usage::default()
        }
    }

    pub(super) fn name(&self) -> String {
        self.model.info().full_name()
    }
}
