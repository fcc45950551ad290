//! Where a pair of questions is asked, and what really changes there between the two.

use super::cache::Pair;
use crate::error::EngineError;
use crate::facts::NewFact;
use crate::files::{Existing, FileChange, NewFile};
use crate::flags::LAZY_SCHEMAS;
use crate::header::PROMPT;
use crate::mint;
use crate::persona::{ChatRequest, ChatVoice, PERSONAS};
use crate::projects::ProjectChange;
use crate::refs::NewRef;
use crate::turn::{Brought, Freshness, Terms, TurnEvent, TurnRequest, TurnStream};
use crate::workspace::Workspace;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Options, Prompt};
use dossier_core::id::ProjectId;
use dossier_core::persona::{PersonaDraft, Upkeep};
use dossier_core::profile::ProfileName;
use dossier_core::sameness::ENABLED;
use dossier_core::time::Timestamp;
use dossier_models::{ChatModel, Events, Extractive, Limits};
use dossier_store::Project;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// What changes between two questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Somebody else asks.
    Owner,
    /// It is asked in another project.
    Project,
    /// Another model is asked.
    Model,
    /// A persona is asked.
    Persona,
    /// The caller brings instructions.
    Instructions,
    /// The project's own instructions are others.
    Rules,
    /// The model has other tools.
    Tools,
    /// The file that the answer was made from is written anew.
    File,
    /// The ref that the answer was made from is marked as stale.
    Ref,
    /// Something is remembered.
    Fact,
}

/// The file that an answer is made from, where one is to change.
const FILE: &str = "notes.md";

/// A model that has tools by the catalogue.
const WITH_TOOLS: (&str, &str) = ("openai", "gpt-5");

/// Who is asked, where, and how.
pub(super) struct Scene<'a> {
    workspace: &'a Workspace,
    number: usize,
    project: Project,
    model: Arc<Clerk>,
    profile: ProfileName,
    instructions: Option<String>,
    /// Who speaks, where a persona does.
    persona: Option<String>,
    /// The ref that the file names, where one is to become stale.
    reference: Option<String>,
    /// Goes at the end: a database that was named for it keeps nothing.
    made: Vec<(&'a Workspace, ProjectId)>,
    now: Timestamp,
}

impl<'a> Scene<'a> {
    /// A project that keeps answers, with what is going to change in it.
    pub async fn new(
        workspace: &'a Workspace,
        number: usize,
        pair: &Pair,
    ) -> Result<Self, EngineError> {
        let now = mint::now();
        let name = match pair.changed {
            // Personas live in a project of their own, so that is where the first is asked, too.
            Some(Change::Persona) => PERSONAS.to_owned(),
            _ => format!("one {number}"),
        };
        let (model, profile) = match pair.changed {
            Some(Change::Tools) => (Clerk::of(WITH_TOOLS), ProfileName::Project),
            _ => (Clerk::named("clerk"), ProfileName::Lean),
        };
        let project = keeping(workspace, &name, &[], now).await?;
        let mut scene = Self {
            workspace,
            number,
            made: vec![(workspace, project.id.clone())],
            project,
            model,
            profile,
            instructions: None,
            persona: None,
            reference: None,
            now,
        };
        match pair.changed {
            Some(Change::File) => scene.write(&format!("About this: {}\n", pair.a)).await?,
            Some(Change::Ref) => scene.write_with_ref(&pair.a).await?,
            Some(Change::Persona) => {
                // What one persona said is no other's answer either.
                scene.persona = Some(scene.new_persona("a patient teacher").await?);
                scene.ask(&pair.a).await?;
                scene.persona = None;
            }
            _ => {}
        }
        Ok(scene)
    }

    /// Changes it.
    pub async fn change(
        &mut self,
        change: Change,
        other: &'a Workspace,
        pair: &Pair,
    ) -> Result<(), EngineError> {
        match change {
            Change::Owner => self.go(other, "one").await?,
            Change::Project => self.go(self.workspace, "two").await?,
            Change::Model => self.model = Clerk::named("another"),
            Change::Persona => self.persona = Some(self.new_persona("a laconic pirate").await?),
            Change::Instructions => {
                self.instructions = Some("Answer in one sentence.".to_owned());
            }
            Change::Rules => self.set(PROMPT, json!("Answer as a lawyer would.")).await?,
            Change::Tools => self.set(LAZY_SCHEMAS, json!(false)).await?,
            Change::File => self.write(&format!("Now about this: {}\n", pair.b)).await?,
            Change::Ref => {
                let name = self.reference.clone().unwrap_or_default();
                self.workspace.mark_ref_stale(&name, self.now).await?;
            }
            Change::Fact => {
                let text: String =
                    format!("Decided about this: {}", pair.b).chars().take(400).collect();
                let new = NewFact { text, kind: None, tags: Vec::new(), pinned: false };
                self.workspace.remember(&self.project.id, &new, self.now).await?;
            }
        }
        Ok(())
    }

    /// Whether a question is answered from the cache.
    pub async fn ask(&self, question: &str) -> Result<bool, EngineError> {
        let stream = match &self.persona {
            Some(persona) => {
                let request = ChatRequest {
                    persona: persona.clone(),
                    message: question.to_owned(),
                    upkeep: Upkeep::default(),
                    voice: ChatVoice::Brought(self.model.clone()),
                    client_message_id: None,
                    now: self.now,
                };
                self.workspace.chat(&request).await?.stream
            }
            None => {
                let model: Arc<dyn ChatModel> = self.model.clone();
                self.workspace.begin_turn(&self.request(question), vec![model]).await?
            }
        };
        is_repeated(stream, question).await
    }

    pub async fn end(self) -> Result<(), EngineError> {
        for (workspace, project) in self.made {
            workspace.store.delete_project(&project).await?;
        }
        Ok(())
    }

    async fn go(&mut self, workspace: &'a Workspace, name: &str) -> Result<(), EngineError> {
        let name = format!("{name} {}", self.number);
        self.project = keeping(workspace, &name, &[], self.now).await?;
        self.workspace = workspace;
        self.made.push((workspace, self.project.id.clone()));
        Ok(())
    }

    async fn set(&mut self, key: &str, value: Value) -> Result<(), EngineError> {
        let name = self.project.name.clone();
        self.project = keeping(self.workspace, &name, &[(key, value)], self.now).await?;
        Ok(())
    }

    async fn new_persona(&self, manner: &str) -> Result<String, EngineError> {
        let draft = PersonaDraft {
            name: Some(format!("{manner} {}", self.number)),
            system_prompt: Some(format!("You are {manner}.")),
            ..PersonaDraft::default()
        };
        let persona = self.workspace.create_persona(draft, self.now).await?.persona;
        Ok(persona.id.to_string())
    }

    async fn write(&self, content: &str) -> Result<(), EngineError> {
        let (path, content) = (FILE.to_owned(), content.to_owned());
        let file = NewFile { path, content, metadata: FileChange::default() };
        self.workspace.create_file(&self.project.id, file, Existing::Replace, self.now).await?;
        Ok(())
    }

    async fn write_with_ref(&mut self, question: &str) -> Result<(), EngineError> {
        let new = NewRef {
            text: format!("what was found for {question}\n").repeat(100),
            project: Some(self.project.id.clone()),
            ..NewRef::default()
        };
        let name = self.workspace.put_ref(new, self.now).await?.0.name.to_string();
        self.write(&format!("About this: {question} It stands in {name}.\n")).await?;
        self.reference = Some(name);
        Ok(())
    }

    fn request(&self, question: &str) -> TurnRequest {
        let instructions = self.instructions.clone();
        let brought = Brought { instructions, ..Brought::default() };
        TurnRequest {
            project: self.project.clone(),
            thread: None,
            message: question.to_owned(),
            models: Vec::new(),
            attachments: Vec::new(),
            client_message_id: None,
            terms: Terms {
                profile: self.profile,
                budget: None,
                options: Options::default(),
                brought: Some(brought).filter(|brought| brought.instructions.is_some()),
                freshness: Freshness::Kept,
            },
            now: self.now,
        }
    }
}

/// The project of this name, which keeps answers, with these settings.
async fn keeping(
    workspace: &Workspace,
    name: &str,
    settings: &[(&str, Value)],
    now: Timestamp,
) -> Result<Project, EngineError> {
    let project = workspace.project(Some(name), now).await?;
    let settings = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
    let settings = settings.chain([(ENABLED.to_owned(), json!(true))]).collect();
    let change = ProjectChange { settings: Some(settings), ..ProjectChange::default() };
    workspace.change_project(&project.id, change, now).await
}

/// Whether the reply of a turn was kept from another.
async fn is_repeated(mut stream: TurnStream, question: &str) -> Result<bool, EngineError> {
    let mut outcome = None;
    while let Some((_, event)) = stream.next().await {
        match &*event {
            TurnEvent::Reply(reply) => outcome = Some(Ok(reply.cached.is_some())),
            TurnEvent::Error { message, .. } => outcome = Some(Err(message.clone())),
            _ => {}
        }
    }
    let outcome = outcome.unwrap_or_else(|| Err("it was not answered".to_owned()));
    outcome.map_err(|said| EngineError::Invalid(format!("`{question}`: {said}")))
}

/// The built-in model under another name.
#[derive(Debug)]
struct Clerk {
    info: ModelInfo,
    inner: Extractive,
}

impl Clerk {
    fn named(name: &str) -> Arc<Self> {
        Self::of((Extractive::PROVIDER, name))
    }

    fn of((provider, id): (&str, &str)) -> Arc<Self> {
        let inner = Extractive::default();
        let mut info = inner.info().clone();
        info.capabilities.tools = provider != Extractive::PROVIDER;
        (info.provider, info.id) = (provider.to_owned(), id.to_owned());
        Arc::new(Self { info, inner })
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
