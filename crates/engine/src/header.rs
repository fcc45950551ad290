//! The header's inputs: who asks, which tools and files there are, which are always in context.

use crate::assemble::AssembleRequest;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::Location;
use dossier_core::guard::masked;
use dossier_core::header::{self, MOST_LISTED, Parts, ProjectMap, ToolLine, UserCard};
use dossier_core::id::ProjectId;
use dossier_core::item::{Item, Kind, Source};
use dossier_core::profile::{Profile, Surroundings};
use dossier_core::tokens::Tokenizer;
use dossier_store::FileRecord;
use serde_json::Value;

/// The project's setting that holds its own part of the system prompt.
pub(crate) const PROMPT: &str = "system_prompt";

impl Workspace {
    /// The pinned items, in the order in which they are shown.
    pub(crate) async fn header(
        &self,
        request: &AssembleRequest,
        profile: &Profile,
        tools: &[ToolLine],
        tokenizer: Tokenizer,
    ) -> Result<Vec<Item>, EngineError> {
        if profile.header_cap.is_none() {
            return Ok(Vec::new());
        }
        let brought = request.brought.as_ref();
        if let Some(manner) = brought.and_then(|brought| brought.persona.as_ref()) {
            return Ok(manner.items(tokenizer));
        }
        let project = &request.project.id;
        let map = async {
            Ok(match profile.surroundings {
                Surroundings::Told => Some(self.project_map(project).await?),
                Surroundings::Untold => None,
            })
        };
        let (map, always, card) =
            tokio::try_join!(map, self.pinned(project, tokenizer), self.card(request))?;
        let parts = Parts {
            template: &self.prompt,
            model: request.model.as_deref(),
            card,
            tools,
            map,
            always,
            project_prompt: request.project.settings.get(PROMPT).and_then(Value::as_str),
        };
        let mut items = header::items(profile, parts, tokenizer)?;
        items.extend(
            brought
                .and_then(|brought| brought.instructions.as_deref())
                .map(|text| header::instructions(masked(text).into_owned(), tokenizer)),
        );
        Ok(items)
    }

    /// The files that are always in context.
    async fn pinned(
        &self,
        project: &ProjectId,
        tokenizer: Tokenizer,
    ) -> Result<Vec<Item>, EngineError> {
        let mut pinned = Vec::new();
        for file in self.store.always_files(project).await? {
            if let Some(text) = self.store.file_content(&file.id).await? {
                pinned.push(always(file, text, tokenizer));
            }
        }
        Ok(pinned)
    }

    /// Few files one by one, many by folder.
    async fn project_map(&self, project: &ProjectId) -> Result<ProjectMap, EngineError> {
        let folders = self.store.folders(project).await?;
        if folders.iter().map(|(_, files)| files).sum::<u64>() > MOST_LISTED as u64 {
            return Ok(ProjectMap::Folders(folders));
        }
        let mut files = self.store.files(project).await?;
        files.retain(|file| file.metadata.tool_accessible);
        let row = |file: FileRecord| (file.path, u64::try_from(file.size).unwrap_or(0));
        Ok(ProjectMap::Files(files.into_iter().map(row).collect()))
    }

    async fn card(&self, request: &AssembleRequest) -> Result<UserCard, EngineError> {
        let config = self.settings().await?;
        let setting = |key: &str| config.get(key)?.as_str().map(str::to_owned);
        Ok(UserCard {
            project: request.project.name.clone(),
            description: request.project.description.clone(),
            role: setting("user.role"),
            time_zone: setting("user.time_zone"),
        })
    }
}

/// A whole file as a pinned item.
fn always(file: FileRecord, text: String, tokenizer: Tokenizer) -> Item {
    let lines = text.lines().count().max(1) as u32;
    let location = Location::File {
        path: file.path.clone(),
        start_line: 1,
        end_line: lines,
        start_char: 0,
        end_char: text.chars().count() as u64,
        place: None,
    };
    let source = Source::file(file.id.as_str(), &file.path, (1, lines));
    let tokens = tokenizer.count(&text);
    let reason = "pinned: the file is always in context";
    Item { location: Some(location), ..Item::pinned(Kind::File, source, text, tokens, reason) }
}
