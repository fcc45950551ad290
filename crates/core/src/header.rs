//! The header: rules, the user card and the tool directory, in this order and within one cap. Its
//! bytes change only when its inputs do.

use crate::item::{Item, Kind, Source};
use crate::profile::Profile;
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

/// The pinned items of a profile; none for one without rules.
pub fn items(
    profile: &Profile,
    card: &UserCard,
    tools: &[ToolLine],
    tokenizer: Tokenizer,
) -> Vec<Item> {
    let Some(rules) = profile.rules else { return Vec::new() };
    let pinned = |kind, name: &str, text: String, reason: &str| {
        let tokens = tokenizer.count(&text);
        Item::pinned(kind, Source::profile(name), text, tokens, reason)
    };
    let mut items = vec![
        pinned(Kind::Rules, "rules", rules.trim().to_owned(), "pinned: the rules of the profile"),
        pinned(Kind::UserCard, "user_card", card.text(tokenizer), "pinned: who asks, and where"),
    ];
    let used: u32 = items.iter().map(|item| item.tokens).sum();
    if let Some(text) = directory(tools, profile.header_cap.saturating_sub(used), tokenizer) {
        let reason = "pinned: the tools by name";
        items.push(pinned(Kind::ToolDirectory, "tool_directory", text, reason));
    }
    items
}

/// What the caller wants the model to be, pinned behind the rules.
pub fn instructions(text: String, tokenizer: Tokenizer) -> Item {
    let tokens = tokenizer.count(&text);
    let reason = "pinned: the caller's own instructions";
    Item::pinned(Kind::Rules, Source::profile("instructions"), text, tokens, reason)
}

impl UserCard {
    fn text(&self, tokenizer: Tokenizer) -> String {
        let mut parts = vec![format!("Project: {}", self.project)];
        parts.extend(self.role.as_ref().map(|role| format!("The user's role: {role}")));
        parts.extend(self.time_zone.as_ref().map(|zone| format!("Time zone: {zone}")));
        // What may be long comes last, where it is cut.
        parts.extend(Some(self.description.trim().to_owned()).filter(|text| !text.is_empty()));
        let mut card = format!("{}.", parts.join(". "));
        while tokenizer.count(&card) > CARD {
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
    (1..=tools.len()).rev().map(text).find(|text| tokenizer.count(text) <= room)
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

    fn made(card: &UserCard, tools: &[ToolLine]) -> Vec<Item> {
        items(&Profile::lean(), card, tools, Tokenizer::O200k)
    }

    #[test]
    fn the_header_keeps_its_cap_however_many_tools_there_are() {
        let card = UserCard { project: "p ".repeat(500), ..UserCard::default() };
        for count in [0, 3, 500] {
            let items = made(&card, &tools(count));
            assert!(items.iter().map(|item| item.tokens).sum::<u32>() <= 600, "{count}");
            assert!(items[1].tokens <= CARD);
        }
    }

    #[test]
    fn the_directory_has_a_line_for_each_tool_and_no_schema() {
        let items = made(&UserCard::default(), &tools(2));
        let expected =
            "Tools, by name and purpose:\n- tool_0: does thing 0\n- tool_1: does thing 1";
        assert_eq!(items[2].text, expected);
        let many = made(&UserCard::default(), &tools(500));
        assert!(many[2].text.ends_with("more"), "{}", many[2].text);
    }

    #[test]
    fn a_bare_profile_has_no_header() {
        let none = items(&Profile::bare(), &UserCard::default(), &[], Tokenizer::O200k);
        assert_eq!(none, Vec::new());
    }
}
