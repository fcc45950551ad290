//! The header's inputs: who asks, which tools there are, which files are always in context.

use crate::assemble::AssembleRequest;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::Location;
use dossier_core::guard::masked;
use dossier_core::header::{self, UserCard};
use dossier_core::item::{Item, Kind, Source};
use dossier_core::profile::Profile;
use dossier_core::tokens::Tokenizer;
use dossier_store::FileRecord;

impl Workspace {
    /// The pinned items, in the order in which they are shown.
    pub(crate) async fn header(
        &self,
        request: &AssembleRequest,
        profile: &Profile,
        tokenizer: Tokenizer,
    ) -> Result<Vec<Item>, EngineError> {
        if profile.rules.is_none() {
            return Ok(Vec::new());
        }
        let card = self.card(request).await?;
        let mut items = header::items(profile, &card, &request.tools, tokenizer);
        let brought = request.brought.as_ref();
        items.extend(
            brought
                .and_then(|brought| brought.instructions.as_deref())
                .map(|text| header::instructions(masked(text).into_owned(), tokenizer)),
        );
        for file in self.store.always_files(&request.project.id).await? {
            if let Some(text) = self.store.file_content(&file.id).await? {
                items.push(always(file, text, tokenizer));
            }
        }
        Ok(items)
    }

    async fn card(&self, request: &AssembleRequest) -> Result<UserCard, EngineError> {
        let config = self.store.config().await?;
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
