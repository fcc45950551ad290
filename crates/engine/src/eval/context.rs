//! Evidence inside the budget: every question of every case is assembled at every budget.

use super::dataset::{Case, CaseQuestion};
use super::metrics::{self, Quantiles};
use crate::assemble::{AssembleRequest, Dossier, Shape, ToolUse};
use crate::error::EngineError;
use crate::index::Progress;
use crate::mint;
use crate::workspace::{Engine, Workspace};
use dossier_core::chunk::{Draft, draft};
use dossier_core::exchange::Conversation;
use dossier_core::id::{OwnerId, ThreadId};
use dossier_core::item::{Form, Item};
use dossier_core::rank;
use dossier_core::render::{self, Asking};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_store::Project;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// What to measure.
#[derive(Debug, Clone)]
pub struct ContextEval {
    pub budgets: Vec<u32>,
    pub shape: Shape,
}

/// The figures, one report for each budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    pub budgets: Vec<BudgetReport>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BudgetReport {
    pub budget: u32,
    pub questions: usize,
    /// Share of questions with every piece of evidence in the dossier.
    pub all_evidence: f64,
    pub mean_recall: f64,
    pub ndcg_at_10: f64,
    pub recall_at_5: f64,
    pub tokens: Quantiles<u32>,
    /// Share of the whole material's tokens that was not sent.
    pub saved: f64,
    pub assemble_ms: Quantiles<f64>,
}

/// One question's figures at one budget.
#[derive(Debug)]
struct Outcome {
    budget: u32,
    recall: f64,
    ndcg_at_10: f64,
    recall_at_5: f64,
    tokens: u32,
    whole: u32,
    milliseconds: f64,
}

impl ContextEval {
    /// Runs all cases in stores of their own, below an owner that exists for the run alone.
    pub async fn run(
        &self,
        engine: &Engine,
        cases: &[Case],
        progress: &dyn Progress,
    ) -> Result<ContextReport, EngineError> {
        let owner = mint::id::<OwnerId>();
        let workspace = engine.owner(&owner);
        let total = cases.iter().map(|case| case.questions.len() as u64).sum();
        let mut outcomes = Vec::new();
        let mut done = 0;
        for case in cases {
            let stand = Stand::set_up(&workspace, case, progress).await?;
            for question in &case.questions {
                progress.reading(done, total);
                done += 1;
                for budget in &self.budgets {
                    outcomes.push(stand.ask(&workspace, question, *budget, self.shape).await?);
                }
            }
            workspace.store.delete_project(&stand.project.id).await?;
        }
        let budgets = self
            .budgets
            .iter()
            .map(|budget| {
                let own = outcomes.iter().filter(|outcome| outcome.budget == *budget);
                report(*budget, &own.collect::<Vec<_>>())
            })
            .collect();
        Ok(ContextReport { budgets })
    }
}

/// A case, stored and ready to be asked.
struct Stand {
    project: Project,
    thread: Option<ThreadId>,
    /// The data set's name of each source.
    names: HashMap<String, String>,
    /// Tokens of the whole material.
    whole: u32,
    now: Timestamp,
}

impl Stand {
    async fn set_up(
        workspace: &Workspace,
        case: &Case,
        progress: &dyn Progress,
    ) -> Result<Self, EngineError> {
        let now = mint::now();
        let project = workspace.project(Some(mint::id::<ThreadId>().as_str()), now).await?;
        let mut stand = Self { project, thread: None, names: HashMap::new(), whole: 0, now };
        if !case.messages.is_empty() {
            let conversation = Conversation {
                title: Some(case.id.clone()),
                messages: case.messages.clone(),
                ..Conversation::default()
            };
            let imported = workspace.import(&stand.project.id, &conversation, now).await?;
            let given = case.messages.iter().map(|message| message.id.clone().unwrap_or_default());
            let ids = imported.messages.iter().map(ToString::to_string);
            stand.names.extend(ids.zip(given));
            stand.thread = Some(imported.thread);
        }
        let texts: Vec<(&str, &str)> =
            case.files().map(|file| (file.path.as_str(), file.content.as_str())).collect();
        let files = workspace.put_texts(&stand.project.id, &texts, now).await?;
        let paths = case.files().map(|file| file.path.clone());
        stand.names.extend(files.iter().map(ToString::to_string).zip(paths));
        workspace.embed_pending(&stand.project.id, progress).await?;

        let mut whole = match &stand.thread {
            Some(thread) => draft::of_thread(&workspace.store.messages(thread).await?),
            None => Vec::new(),
        };
        for (id, (path, content)) in files.iter().zip(&texts) {
            whole.extend(draft::of_file(id, path, content));
        }
        stand.whole = whole_tokens(&whole);
        Ok(stand)
    }

    async fn ask(
        &self,
        workspace: &Workspace,
        question: &CaseQuestion,
        budget: u32,
        shape: Shape,
    ) -> Result<Outcome, EngineError> {
        let request = AssembleRequest {
            project: self.project.clone(),
            thread: self.thread.clone().filter(|_| shape != Shape::Bare),
            question: question.text.clone(),
            shape,
            budget: Some(budget),
            model: None,
            intent: None,
            topics: Vec::new(),
            tools: ToolUse::Free,
            history: None,
            round: None,
            brought: None,
            now: self.now,
        };
        let start = Instant::now();
        let dossier = workspace.assemble(&request).await?;
        let milliseconds = start.elapsed().as_secs_f64() * 1_000.0;
        let shown = self.shown(&dossier);
        let found = question.evidence.iter().filter(|evidence| shown.contains(evidence.as_str()));
        let ranking = self.ranking(&dossier);
        Ok(Outcome {
            budget,
            recall: found.count() as f64 / question.evidence.len().max(1) as f64,
            ndcg_at_10: metrics::ndcg_at_10(&ranking, &question.evidence),
            recall_at_5: metrics::recall_at(5, &ranking, &question.evidence),
            tokens: dossier.receipt.budget.used,
            whole: self.whole,
            milliseconds,
        })
    }

    /// Sources whose text stands in the dossier in full.
    fn shown(&self, dossier: &Dossier) -> HashSet<&str> {
        let items = dossier.receipt.items.iter().filter(|item| item.form == Form::Full);
        items.filter_map(|item| self.names.get(&item.source.id)).map(String::as_str).collect()
    }

    fn ranking(&self, dossier: &Dossier) -> Vec<String> {
        let sources = rank::sources(&dossier.ranking);
        sources.into_iter().filter_map(|id| self.names.get(id)).cloned().collect()
    }
}

/// Tokens of everything there is, rendered as a dossier renders it.
fn whole_tokens(drafts: &[Draft]) -> u32 {
    let items: Vec<Item> = drafts.iter().map(Item::retrieved).collect();
    let asking = Asking { question: "", reader: None, standing: None };
    let blocks = render::blocks(&items, &vec![true; items.len()], asking);
    render::count(&render::messages(&blocks), Tokenizer::O200k)
}

fn report(budget: u32, outcomes: &[&Outcome]) -> BudgetReport {
    let mean = |value: fn(&Outcome) -> f64| metrics::mean(outcomes.iter().copied().map(value));
    let sum = |value: fn(&Outcome) -> u32| {
        outcomes.iter().copied().map(value).map(f64::from).sum::<f64>()
    };
    BudgetReport {
        budget,
        questions: outcomes.len(),
        all_evidence: mean(|outcome| f64::from(outcome.recall >= 1.0)),
        mean_recall: mean(|outcome| outcome.recall),
        ndcg_at_10: mean(|outcome| outcome.ndcg_at_10),
        recall_at_5: mean(|outcome| outcome.recall_at_5),
        tokens: Quantiles::of(outcomes.iter().map(|outcome| outcome.tokens).collect()),
        saved: 1.0 - sum(|outcome| outcome.tokens) / sum(|outcome| outcome.whole).max(1.0),
        assemble_ms: Quantiles::of(outcomes.iter().map(|outcome| outcome.milliseconds).collect()),
    }
}
