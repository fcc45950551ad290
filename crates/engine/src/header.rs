//! The header's inputs: the profile's rules, the user card, files that are always in context.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::chunk::Location;
use dossier_core::item::{Item, Kind, Source};
use dossier_core::profile::Profile;
use dossier_core::tokens::Tokenizer;
use dossier_store::Project;

/// The most that the user card may take, in tokens.
const CARD: u32 = 100;

impl Workspace {
    /// The pinned items, in the order in which they are shown.
    pub(crate) async fn header(
        &self,
        project: &Project,
        profile: &Profile,
        tokenizer: Tokenizer,
    ) -> Result<Vec<Item>, EngineError> {
        let Some(rules) = profile.rules else { return Ok(Vec::new()) };
        let pinned = |kind, source: Source, text: String, reason: &str| {
            let tokens = tokenizer.count(&text);
            Item::pinned(kind, source, text, tokens, reason)
        };
        let rules = rules.trim().to_owned();
        let mut items = vec![pinned(
            Kind::Rules,
            Source::profile("rules"),
            rules,
            "pinned: the rules of the profile",
        )];
        let card = self.card(project, tokenizer).await?;
        items.push(pinned(Kind::UserCard, Source::profile("user_card"), card, "pinned: who asks, and where"));
        for file in self.store.always_files(&project.id).await? {
            let Some(text) = self.store.file_content(&file.id).await? else { continue };
            let lines = text.lines().count().max(1) as u32;
            let source = Source::file(file.id.as_str(), &file.path, (1, lines));
            let mut item = pinned(Kind::File, source, text, "pinned: the file is always in context");
            item.location = Some(Location::File {
                path: file.path,
                start_line: 1,
                end_line: lines,
                start_char: 0,
                end_char: item.text.chars().count() as u64,
            });
            items.push(item);
        }
        Ok(items)
    }

    /// Project, role and time zone in a few words.
    async fn card(&self, project: &Project, tokenizer: Tokenizer) -> Result<String, EngineError> {
        let config = self.store.config().await?;
        let setting = |key: &str| config.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        let mut parts = vec![format!("Project: {}", project.name)];
        if !project.description.trim().is_empty() {
            parts.push(project.description.trim().to_owned());
        }
        parts.extend(setting("user.role").map(|role| format!("The user's role: {role}")));
        parts.extend(setting("user.time_zone").map(|zone| format!("Time zone: {zone}")));
        let mut card = format!("{}.", parts.join(". "));
        while tokenizer.count(&card) > CARD {
            let half = card.chars().count() * 9 / 10;
            card = card.chars().take(half).collect::<String>().trim_end().to_owned() + "…";
        }
        Ok(card)
    }
}
