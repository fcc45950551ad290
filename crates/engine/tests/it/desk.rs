//! A workspace with a project and a folder, and short ways of asking.

use crate::database::Database;
use anyhow::Result;
use dossier_core::exchange::{Conversation, ConversationMessage};
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_core::time::Timestamp;
use dossier_engine::{
    AssembleRequest, Dossier, Embedder, Engine, Hit, IndexReport, IndexRequest, Limits, Pinning,
    Project, SearchRequest, Shape, Silent, ToolUse, Workspace,
};
use std::path::PathBuf;
use tempfile::TempDir;

pub struct Desk {
    pub workspace: Workspace,
    pub project: Project,
    pub folder: TempDir,
}

pub fn noon() -> Timestamp {
    Timestamp::parse("2026-03-01T12:00:00Z").unwrap()
}

impl Desk {
    /// A desk that finds by words alone, which is fast and enough for most stories.
    pub async fn new(database: &Database) -> Result<Self> {
        Self::with(database, Embedder::none(), &OwnerId::local()).await
    }

    pub async fn with(database: &Database, embedder: Embedder, owner: &OwnerId) -> Result<Self> {
        let engine = Engine::open(&database.url, embedder).await?;
        let workspace = engine.owner(owner);
        let project = workspace.project(Some("story"), noon()).await?;
        Ok(Self { workspace, project, folder: tempfile::tempdir()? })
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub async fn index(&self) -> Result<IndexReport> {
        self.index_paths(vec![self.folder.path().to_owned()]).await
    }

    pub async fn index_paths(&self, paths: Vec<PathBuf>) -> Result<IndexReport> {
        let request = IndexRequest {
            project: self.project.id.clone(),
            paths,
            limits: Limits::default(),
            pinning: Pinning::Keep,
            now: noon(),
        };
        Ok(self.workspace.index(&request, &Silent).await?)
    }

    pub async fn search(&self, query: &str) -> Result<Vec<Hit>> {
        let request = SearchRequest {
            project: self.project.id.clone(),
            query: query.to_owned(),
            limit: 10,
            exclude: None,
        };
        Ok(self.workspace.search(&request).await?.hits)
    }

    /// Where the hits stand: a path with lines, or the words of a message.
    pub async fn places(&self, query: &str) -> Result<Vec<String>> {
        let place = |hit: Hit| match (hit.source.path, hit.source.lines) {
            (Some(path), Some((first, last))) => format!("{path}:{first}-{last}"),
            _ => hit.text,
        };
        Ok(self.search(query).await?.into_iter().map(place).collect())
    }

    pub fn request(&self, question: &str) -> AssembleRequest {
        AssembleRequest {
            project: self.project.clone(),
            thread: None,
            question: question.to_owned(),
            shape: Shape::Profile(ProfileName::Lean),
            budget: None,
            model: None,
            intent: None,
            topics: Vec::new(),
            tools: ToolUse::Free,
            history: None,
            round: None,
            brought: None,
            now: noon(),
        }
    }

    pub async fn assemble(&self, question: &str) -> Result<Dossier> {
        Ok(self.workspace.assemble(&self.request(question)).await?)
    }
}

/// A conversation of these speakers and texts, a day apart from section to section.
pub fn conversation(title: &str, said: &[(&str, &str)]) -> Conversation {
    let message = |(position, (speaker, content)): (usize, &(&str, &str))| ConversationMessage {
        id: Some(format!("m{position}")),
        speaker: (*speaker).to_owned(),
        content: (*content).to_owned(),
        created_at: Timestamp::parse(&format!("2026-01-{:02}", position / 4 + 1)).ok(),
        section: Some(format!("day {}", position / 4 + 1)),
    };
    let messages = said.iter().enumerate().map(message).collect();
    Conversation { title: Some(title.to_owned()), messages, ..Conversation::default() }
}

/// The text of all messages of a dossier.
pub fn rendered(dossier: &Dossier) -> String {
    dossier.messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n")
}
