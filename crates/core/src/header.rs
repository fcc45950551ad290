//! The header: the system prompt with the user card, the tool directory, the project's files and
//! the files that are always shown, within one cap but for what the user has put there. Its bytes
//! change only when its inputs do.

mod map;

pub use map::{MOST_LISTED, ProjectMap};

use crate::item::{Item, Kind, Source};
use crate::profile::Profile;
use crate::prompt::{BadTemplate, Piece, Place, Template, Values};
use crate::tokens::Tokenizer;

/// The most that the user card may take, in tokens.
const CARD: u32 = 100;

/// Who asks, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserCard {
    pub project: String,
    pub description: String,
    pub role: Option<String>,
    pub time_zone: Option<String>,
}

/// A tool by its name and what it is for; its schema comes when it is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolLine {
    pub name: String,
    pub purpose: String,
}

/// What a header is made of.
#[derive(Debug, Clone)]
pub struct Parts<'a> {
    pub template: &'a Template,
    /// The model that will read it.
    pub model: Option<&'a str>,
    pub card: UserCard,
    pub tools: &'a [ToolLine],
    /// The project's files; none where the profile does not show them.
    pub map: Option<ProjectMap>,
    /// Files that are always shown, as items.
    pub always: Vec<Item>,
    /// What the project's own settings add.
    pub project_prompt: Option<&'a str>,
}

/// The pinned items of a profile, in the order of the template; none for one without a header.
pub fn items(
    profile: &Profile,
    parts: Parts<'_>,
    tokenizer: Tokenizer,
) -> Result<Vec<Item>, BadTemplate> {
    let Some(cap) = profile.header_cap else { return Ok(Vec::new()) };
    let project_prompt = parts.project_prompt.map(str::trim).filter(|text| !text.is_empty());
    let values = Values { profile: profile.name, model: parts.model, project: &parts.card.project };
    let pieces = parts.template.render(values, |place| match place {
        Place::UserCard => true,
        Place::Tools => !parts.tools.is_empty(),
        Place::Files => parts.map.as_ref().is_some_and(|map| !map.is_empty()),
        Place::AlwaysFiles => !parts.always.is_empty(),
        Place::ProjectPrompt => project_prompt.is_some(),
    })?;
    let pinned = |kind, name: &str, text: String, reason: &str| {
        let tokens = tokenizer.recount(&text);
        Item::pinned(kind, Source::profile(name), text, tokens, reason)
    };
    let rules = match parts.template.file() {
        None => "pinned: the rules of the profile".to_owned(),
        Some(file) => format!("pinned: the system prompt of {file}"),
    };
    let card = parts.card.text(tokenizer);
    let card = pinned(Kind::UserCard, "user_card", card, "pinned: who asks, and where");
    let texts: u32 = pieces.iter().map(|piece| piece.tokens(tokenizer)).sum();
    let room = cap.saturating_sub(texts + card.tokens);
    let tools = directory(parts.tools, room, tokenizer).map(|text| {
        pinned(Kind::ToolDirectory, "tool_directory", text, "pinned: the tools by name")
    });
    let room = room.saturating_sub(tools.as_ref().map_or(0, |item| item.tokens));
    let map = parts.map.and_then(|map| map.text(room, tokenizer)).map(|text| {
        pinned(Kind::ProjectMap, "project_map", text, "pinned: the project's files by name")
    });
    let own = project_prompt.map(|text| {
        let reason = "pinned: the project's own prompt";
        pinned(Kind::Rules, "project_prompt", text.to_owned(), reason)
    });
    let (mut card, mut tools, mut map, mut own) = (Some(card), tools, map, own);
    let mut always = parts.always;
    let mut items: Vec<Item> = Vec::new();
    let mut written = 0;
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                written += 1;
                let name =
                    if written == 1 { "rules".to_owned() } else { format!("rules_{written}") };
                items.push(pinned(Kind::Rules, &name, text, &rules));
            }
            Piece::Place(Place::UserCard) => items.extend(card.take()),
            Piece::Place(Place::Tools) => items.extend(tools.take()),
            Piece::Place(Place::Files) => items.extend(map.take()),
            Piece::Place(Place::AlwaysFiles) => items.append(&mut always),
            Piece::Place(Place::ProjectPrompt) => items.extend(own.take()),
        }
    }
    // What the user has pinned is sent also where their template has no place for it.
    items.append(&mut always);
    items.extend(own);
    Ok(items)
}

/// What the caller wants the model to be, pinned behind the rules.
pub fn instructions(text: String, tokenizer: Tokenizer) -> Item {
    let tokens = tokenizer.recount(&text);
    let reason = "pinned: the caller's own instructions";
    Item::pinned(Kind::Rules, Source::profile("instructions"), text, tokens, reason)
}

impl Piece {
    fn tokens(&self, tokenizer: Tokenizer) -> u32 {
        match self {
            Piece::Text(text) => tokenizer.recount(text),
            Piece::Place(_) => 0,
        }
    }
}

impl UserCard {
    fn text(&self, tokenizer: Tokenizer) -> String {
        let mut parts = vec![format!("Project: {}", self.project)];
        parts.extend(self.role.as_ref().map(|role| format!("The user's role: {role}")));
        parts.extend(self.time_zone.as_ref().map(|zone| format!("Time zone: {zone}")));
        // What may be long comes last, where it is cut.
        parts.extend(Some(self.description.trim().to_owned()).filter(|text| !text.is_empty()));
        let mut card = format!("{}.", parts.join(". "));
        while tokenizer.recount(&card) > CARD {
            let most = card.chars().count() * 9 / 10;
            card = card.chars().take(most).collect::<String>().trim_end().to_owned() + "…";
        }
        card
    }
}

/// One line for each tool, as many as there is room for; the rest is counted.
fn directory(tools: &[ToolLine], room: u32, tokenizer: Tokenizer) -> Option<String> {
    let text = |shown: usize| {
        let mut lines = vec!["Tools, by name and purpose:".to_owned()];
        lines.extend(tools[..shown].iter().map(ToolLine::text));
        if shown < tools.len() {
            lines.push(format!("and {} more", tools.len() - shown));
        }
        lines.join("\n")
    };
    (1..=tools.len()).rev().map(text).find(|text| tokenizer.recount(text) <= room)
}

impl ToolLine {
    fn text(&self) -> String {
        let purpose = self.purpose.lines().next().unwrap_or_default().trim();
        format!("- {}: {purpose}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(count: usize) -> Vec<ToolLine> {
        let tool = |number| ToolLine {
            name: format!("tool_{number}"),
            purpose: format!("does thing {number}\n{{\"type\": \"object\"}}"),
        };
        (0..count).map(tool).collect()
    }

    fn parts<'a>(template: &'a Template, tools: &'a [ToolLine]) -> Parts<'a> {
        let card = UserCard { project: "notes".to_owned(), ..UserCard::default() };
        let (model, map, always, project_prompt) = (None, None, Vec::new(), None);
        Parts { template, model, card, tools, map, always, project_prompt }
    }

    fn made(profile: &Profile, parts: Parts<'_>) -> Vec<Item> {
        items(profile, parts, Tokenizer::O200k).unwrap()
    }

    fn names(items: &[Item]) -> Vec<&str> {
        items.iter().map(|item| item.source.id.as_str()).collect()
    }

    #[test]
    fn the_header_keeps_its_cap_however_much_there_is_to_name() {
        let template = Template::default();
        for profile in [Profile::lean(), Profile::project(crate::tier::Tier::Smart)] {
            for count in [0, 3, 500] {
                let tools = tools(count);
                let folders = (0..count).map(|number| (format!("folder {number}"), 9)).collect();
                let card = UserCard { project: "p ".repeat(500), ..UserCard::default() };
                let map = Some(ProjectMap::Folders(folders));
                let model = Some("anthropic/claude-opus-4");
                let items = made(&profile, Parts { card, map, model, ..parts(&template, &tools) });
                let used = items.iter().map(|item| item.tokens).sum::<u32>();
                assert!(used <= profile.header_cap.unwrap(), "{count}");
                assert!(items[1].tokens <= CARD);
            }
        }
    }

    #[test]
    fn the_directory_has_a_line_for_each_tool_and_no_schema() {
        let (template, two, many) = (Template::default(), tools(2), tools(500));
        let items = made(&Profile::lean(), parts(&template, &two));
        let expected =
            "Tools, by name and purpose:\n- tool_0: does thing 0\n- tool_1: does thing 1";
        assert_eq!(items[2].text, expected);
        let many = made(&Profile::lean(), parts(&template, &many));
        assert!(many[2].text.ends_with("more"), "{}", many[2].text);
    }

    #[test]
    fn what_a_user_pins_is_sent_wherever_their_template_has_a_place_for_it() {
        let file = |path| {
            Item::pinned(Kind::File, Source::file("fil", path, (1, 1)), "x".to_owned(), 1, "")
        };
        for (text, expected) in [
            ("Be brief.", &["rules", "fil", "project_prompt"][..]),
            (
                "{{ project_prompt }}A{{ user_card }}B",
                &["project_prompt", "rules", "user_card", "rules_2", "fil"],
            ),
            ("{{ tools }}{{ files }}", &["fil", "project_prompt"]),
        ] {
            let template = Template::read(text, "prompt.md").unwrap();
            let always = vec![file("a.md")];
            let project_prompt = Some(" In verse. ");
            let items =
                made(&Profile::lean(), Parts { always, project_prompt, ..parts(&template, &[]) });
            assert_eq!(names(&items), expected, "{text}");
        }
    }

    #[test]
    fn a_bare_profile_has_no_header() {
        assert_eq!(made(&Profile::bare(), parts(&Template::default(), &[])), Vec::new());
    }
}
