//! Answers for other questions: how many pairs of questions the answer cache takes for one, rightly
//! and wrongly. Both questions of a pair are asked in turns as at any door, of a model that counts for
//! nothing: what is measured is whether it was asked at all.

use crate::error::EngineError;
use crate::eval::Quantiles;
use crate::facts::NewFact;
use crate::files::{Existing, FileChange, NewFile};
use crate::mint;
use crate::projects::ProjectChange;
use crate::turn::{Brought, Freshness, Terms, TurnEvent, TurnRequest};
use crate::workspace::{Engine, Workspace};
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Options, Prompt};
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_core::sameness::ENABLED;
use dossier_core::time::Timestamp;
use dossier_models::{ChatModel, Events, Extractive, Limits};
use dossier_store::Project;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// The file that an answer is made from, where one is to change.
const FILE: &str = "notes.md";

/// Two questions, and whether they are the same.
#[derive(Debug, Clone, Deserialize)]
pub struct Pair {
    pub id: String,
    pub a: String,
    pub b: String,
    /// 1: the same question; 0: another.
    pub label: u8,
    /// What is different when the second is asked: the `owner`, `project`, `model`, `file`, a new
    /// `fact`; anything else is told to the model as an instruction.
    #[serde(default)]
    pub changed: Option<String>,
}

/// Reads a data set; a line that is no pair is an error that names it.
pub fn read_pairs(text: &str) -> Result<Vec<Pair>, EngineError> {
    let mut pairs: Vec<Pair> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |error: &dyn std::fmt::Display| {
            let number = number + 1;
            EngineError::Invalid(format!(
                "line {number} is no pair: {error}; expected {{\"id\", \"a\", \"b\", \"label\": 0 or 1}}"
            ))
        };
        let pair: Pair = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        if pair.label > 1 {
            return Err(wrong(&format!("label {}", pair.label)));
        }
        pairs.push(pair);
    }
    if pairs.is_empty() {
        return Err(EngineError::Invalid("the data set is empty".to_owned()));
    }
    Ok(pairs)
}

/// The figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CacheReport {
    /// Pairs of the same question of which the second was answered from the cache.
    pub right_hits: usize,
    /// Pairs of different questions of which the second was.
    pub wrong_hits: usize,
    pub positives: usize,
    pub negatives: usize,
    /// Until the second is answered, by whomever.
    pub answer_ms: Quantiles<f64>,
}

/// Asks both questions of all pairs, each pair in a project of its own, below an owner that exists
/// for the run alone.
pub async fn cache(engine: &Engine, pairs: &[Pair]) -> Result<CacheReport, EngineError> {
    let (mut hits, mut all) = ([0, 0], [0, 0]);
    let mut times = Vec::with_capacity(pairs.len());
    let owners = [mint::id::<OwnerId>(), mint::id::<OwnerId>()];
    let [own, other] = owners.each_ref().map(|owner| engine.owner(owner));
    for (number, pair) in pairs.iter().enumerate() {
        let stand = Stand { own: &own, other: &other, number, now: mint::now() };
        let (is_hit, took) = stand.ask_both(pair).await?;
        let label = usize::from(pair.label);
        all[label] += 1;
        hits[label] += usize::from(is_hit);
        times.push(took);
    }
    Ok(CacheReport {
        right_hits: hits[1],
        wrong_hits: hits[0],
        positives: all[1],
        negatives: all[0],
        answer_ms: Quantiles::of(times),
    })
}

/// Where a pair is asked.
struct Stand<'a> {
    own: &'a Workspace,
    other: &'a Workspace,
    number: usize,
    now: Timestamp,
}

impl Stand<'_> {
    /// Whether the second question gets the answer to the first, and after how many milliseconds.
    async fn ask_both(&self, pair: &Pair) -> Result<(bool, f64), EngineError> {
        let changed = pair.changed.as_deref();
        let project = self.project(self.own, "one").await?;
        if changed == Some("file") {
            self.write(&project, &format!("About this: {}\n", pair.a)).await?;
        }
        ask(self.own, self.request(&project, &pair.a, None), "clerk").await?;
        let first = project.id.clone();
        let (workspace, project) = match changed {
            Some("owner") => (self.other, self.project(self.other, "one").await?),
            Some("project") => (self.own, self.project(self.own, "two").await?),
            _ => (self.own, project),
        };
        let mut instructions = None;
        let mut model = "clerk";
        match changed {
            None | Some("owner" | "project") => {}
            Some("model") => model = "another",
            Some("file") => self.write(&project, &format!("Now about this: {}\n", pair.b)).await?,
            Some("fact") => {
                let text: String =
                    format!("Decided about this: {}", pair.b).chars().take(400).collect();
                let new = NewFact { text, kind: None, tags: Vec::new(), pinned: false };
                workspace.remember(&project.id, &new, self.now).await?;
            }
            Some(other) => instructions = Some(format!("Answer with another {other}.")),
        }
        let began = Instant::now();
        let is_hit = ask(workspace, self.request(&project, &pair.b, instructions), model).await?;
        let took = began.elapsed().as_secs_f64() * 1e3;
        // A database that was named for it keeps nothing.
        self.own.store.delete_project(&first).await?;
        if first != project.id {
            workspace.store.delete_project(&project.id).await?;
        }
        Ok((is_hit, took))
    }

    /// A project that keeps answers.
    async fn project(&self, workspace: &Workspace, name: &str) -> Result<Project, EngineError> {
        let name = format!("{name} {}", self.number);
        let project = workspace.project(Some(&name), self.now).await?;
        let settings = json!({ ENABLED: true }).as_object().cloned();
        let change = ProjectChange { settings, ..ProjectChange::default() };
        workspace.change_project(&project.id, change, self.now).await
    }

    async fn write(&self, project: &Project, content: &str) -> Result<(), EngineError> {
        let (path, content) = (FILE.to_owned(), content.to_owned());
        let file = NewFile { path, content, metadata: FileChange::default() };
        self.own.create_file(&project.id, file, Existing::Replace, self.now).await?;
        Ok(())
    }

    fn request(
        &self,
        project: &Project,
        question: &str,
        instructions: Option<String>,
    ) -> TurnRequest {
        let brought =
            instructions.map(|text| Brought { instructions: Some(text), ..Brought::default() });
        TurnRequest {
            project: project.clone(),
            thread: None,
            message: question.to_owned(),
            models: Vec::new(),
            attachments: Vec::new(),
            client_message_id: None,
            terms: Terms {
                profile: ProfileName::Lean,
                budget: None,
                options: Options::default(),
                brought,
                freshness: Freshness::Kept,
            },
            now: self.now,
        }
    }
}

/// Whether a question is answered from the cache.
async fn ask(
    workspace: &Workspace,
    request: TurnRequest,
    model: &str,
) -> Result<bool, EngineError> {
    let mut stream = workspace.begin_turn(&request, vec![Arc::new(Clerk::named(model))]).await?;
    let mut outcome = None;
    while let Some((_, event)) = stream.next().await {
        match &*event {
            TurnEvent::Reply(reply) => outcome = Some(Ok(reply.cached.is_some())),
            TurnEvent::Error { message, .. } => outcome = Some(Err(message.clone())),
            _ => {}
        }
    }
    let outcome = outcome.unwrap_or_else(|| Err("it was not answered".to_owned()));
    outcome.map_err(|said| EngineError::Invalid(format!("`{}`: {said}", request.message)))
}

/// The built-in model under another name.
#[derive(Debug)]
struct Clerk {
    info: ModelInfo,
    inner: Extractive,
}

impl Clerk {
    fn named(name: &str) -> Self {
        let inner = Extractive::default();
        Self { info: ModelInfo { id: name.to_owned(), ..inner.info().clone() }, inner }
    }
}

impl ChatModel for Clerk {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, prompt: Prompt, limits: Limits) -> Events {
        self.inner.ask(prompt, limits)
    }
}
