//! Consulting, told as stories: what the assistant is sent, and what is remembered of it.

mod files;
mod hosted;
mod jobs;
mod moved;
mod paths;
mod sessions;
mod switches;
mod thousand;

use crate::database::Database;
use crate::desk::{Desk, noon};
pub use crate::turn::calls;
use anyhow::{Result, bail};
use dossier_core::catalogue::{ModelInfo, Protocol};
use dossier_core::id::OwnerId;
use dossier_core::tier::Window;
use dossier_core::tokens::Tokenizer;
use dossier_engine::{
    ConsultRequest, Embedder, Engine, EngineError, FilesReport, Models, Patience, Provider, Roots,
    Secret, TurnEvent, builtin_catalogue,
};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// A folder, and assistants that follow a script.
pub struct Table {
    pub desk: Desk,
    pub script: Script,
}

/// A model of 8,000 tokens, of which 6,000 are for files.
fn small(id: &str, tools: bool) -> ModelInfo {
    let o3 = builtin_catalogue().info("openai/gpt-4.1");
    let mut capabilities = o3.capabilities;
    capabilities.tools = tools;
    let window = Window { context: 8_000, output: 500 };
    ModelInfo { id: id.to_owned(), aliases: Vec::new(), window, capabilities, ..o3 }
}

/// Models of the script: two small ones with tools, one without, and those that everybody knows.
pub fn models(script: &Script) -> Result<Models> {
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), Secret::new("k"))?;
    let patience =
        Patience { first: Duration::from_micros(1), longest: Duration::from_secs(1), attempts: 2 };
    let mut catalogue = builtin_catalogue().clone();
    catalogue.merge([small("small", true), small("other", true), small("mute", false)]);
    Ok(Models::new(catalogue, [provider])?.with_patience(patience))
}

impl Table {
    pub async fn set(database: &Database, script: Script) -> Result<Self> {
        let engine = Engine::open(&database.url, Embedder::none()).await?;
        Self::of(engine.with_models(models(&script)?), script).await
    }

    pub async fn of(engine: Engine, script: Script) -> Result<Self> {
        let workspace = engine.owner(&OwnerId::local());
        let project = workspace.project(Some("story"), noon()).await?;
        let named = "small=openai/small, other=openai/other, mute=openai/mute, \
                     gpt_4_1=openai/gpt-4.1, builtin=builtin/extractive";
        workspace.set_config("consult.assistants", &json!(named), noon()).await?;
        let folder = tempfile::Builder::new().prefix("consult").tempdir()?;
        Ok(Self { desk: Desk { workspace, project, folder }, script })
    }

    /// An assistant that says the same to everything.
    pub async fn answering(database: &Database, text: &'static str) -> Result<Self> {
        Self::set(database, Script::answering(move |_| Reply::chat(text))?).await
    }

    pub fn root(&self) -> PathBuf {
        self.desk.folder.path().canonicalize().unwrap()
    }

    pub fn request(&self, assistant: &str, instructions: &str, context: &[&str]) -> ConsultRequest {
        ConsultRequest {
            project: self.desk.project.clone(),
            assistant: assistant.to_owned(),
            session_id: "plan".to_owned(),
            instructions: instructions.to_owned(),
            context: context.iter().map(PathBuf::from).collect(),
            attachments: Vec::new(),
            priority_context: Vec::new(),
            roots: Roots::new(&[self.root()]).unwrap(),
            model: None,
            client_message_id: None,
            now: noon(),
        }
    }

    /// Asks, and gives the answer with what became of the files.
    pub async fn ask(&self, request: &ConsultRequest) -> Result<(String, FilesReport)> {
        ask(&self.desk.workspace, request).await
    }

    /// The same for a call of one's own making.
    pub async fn consult(&self, instructions: &str, context: &[&str]) -> Result<FilesReport> {
        Ok(self.ask(&self.request("small", instructions, context)).await?.1)
    }

    pub async fn refused(&self, request: &ConsultRequest) -> EngineError {
        self.desk.workspace.consult(request).await.map(|_| ()).unwrap_err()
    }

    /// The messages of each request that the provider got.
    pub fn sent(&self) -> Vec<Vec<(String, String)>> {
        (0..self.script.requests().len()).map(|number| self.sent_in(number)).collect()
    }

    /// The messages of one of these requests.
    pub fn sent_in(&self, number: usize) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let message = |message: &Value| (text(&message["role"]), text(&message["content"]));
        let request = &self.script.requests()[number];
        request.body["messages"].as_array().unwrap().iter().map(message).collect()
    }

    /// The last message of the last request.
    pub fn last_sent(&self) -> String {
        self.sent().last().unwrap().last().unwrap().1.clone()
    }
}

pub async fn ask(
    workspace: &dossier_engine::Workspace,
    request: &ConsultRequest,
) -> Result<(String, FilesReport)> {
    let consultation = workspace.consult(request).await?;
    let (mut stream, files) = (consultation.stream, consultation.files);
    let mut answer = None;
    while let Some((_, event)) = stream.next().await {
        match &*event {
            TurnEvent::Reply(reply) => answer = Some(reply.text.clone()),
            TurnEvent::Error { code, message, .. } => bail!("{code}: {message}"),
            _ => {}
        }
    }
    Ok((answer.unwrap_or_default(), files))
}

/// How many files were sent, unchanged and left to search.
pub fn figures(files: &FilesReport) -> (usize, usize, usize) {
    (files.sent, files.unchanged, files.searchable)
}

/// A text of about so many tokens that says something of its own.
pub fn text(name: &str, tokens: usize) -> String {
    let line = format!("{name} is one of many.\n");
    let lines = tokens / Tokenizer::O200k.count(&line) as usize;
    format!("The word of {name} is {name}-secret.\n{}", line.repeat(lines))
}
