//! Whatever a question needs stands in the lean dossier wherever it stands in the whole history: four
//! prompts of everyday work, and ten conversations in which something is hidden among much else.

use crate::database::Database;
use crate::desk::{Desk, noon, rendered};
use anyhow::Result;
use dossier_core::exchange::{Conversation, ConversationMessage};
use dossier_core::time::Timestamp;
use dossier_engine::AssembleRequest;
use serde::Deserialize;

stories!(what_a_question_needs_is_in_the_lean_dossier);

#[derive(Deserialize)]
struct Case {
    name: String,
    said: Vec<Said>,
    question: String,
    needed: Vec<String>,
    /// Whether the question is asked in the conversation itself.
    continues: bool,
}

#[derive(Deserialize)]
struct Said {
    at: usize,
    speaker: String,
    text: String,
}

/// Messages of a conversation; four times as many tokens as a lean dossier takes.
const LENGTH: usize = 80;

/// Talk that answers none of the questions, never twice the same.
fn filler(number: usize) -> (String, String) {
    const PLACES: [&str; 7] =
        ["lighthouse", "market hall", "old mill", "station", "museum", "greenhouse", "theatre"];
    const THINGS: [&str; 5] = ["roof", "staircase", "garden", "archive", "entrance"];
    let (place, thing) = (PLACES[number % 7], THINGS[number % 5]);
    let text = format!(
        "About the {thing} of the {place}: visit {number} went without surprises. The walls are dry, \
         two lamps flicker near the door, the paint peels off on the side that faces the street, and \
         the neighbours asked again whether they may store their bicycles there over the winter. \
         Somebody should look at the gutters, which were full of leaves, before the next storm, and \
         sweep the yard, where the wind has piled up paper and branches from the avenue behind it. \
         Nothing of this is urgent, and the next visit is in spring as always."
    );
    let speaker = if number.is_multiple_of(2) { "user" } else { "agent:o3" };
    (speaker.to_owned(), text)
}

fn conversation(case: &Case) -> Conversation {
    let message = |position: usize| {
        let planted = case.said.iter().find(|said| said.at == position);
        let (speaker, content) = planted
            .map_or_else(|| filler(position), |said| (said.speaker.clone(), said.text.clone()));
        ConversationMessage {
            id: Some(format!("m{position}")),
            speaker,
            content,
            created_at: Timestamp::parse(&format!("2026-02-{:02}", position / 4 + 1)).ok(),
            section: None,
        }
    };
    let messages = (0..LENGTH).map(message).collect();
    Conversation { title: Some(case.name.clone()), messages, ..Conversation::default() }
}

async fn what_a_question_needs_is_in_the_lean_dossier(database: Database) -> Result<()> {
    let mut desk = Desk::new(&database).await?;
    for line in include_str!("../data/regression.jsonl").lines() {
        let case: Case = serde_json::from_str(line)?;
        desk.project = desk.workspace.project(Some(&case.name), noon()).await?;
        let whole = conversation(&case);
        let imported = desk.workspace.import(&desk.project.id, &whole, noon()).await?;
        let thread = case.continues.then_some(imported.thread);
        let request = AssembleRequest { thread, ..desk.request(&case.question) };
        let dossier = desk.workspace.assemble(&request).await?;
        let shown = rendered(&dossier);
        let used = dossier.receipt.budget.used;
        let full: Vec<&str> = whole.messages.iter().map(|said| said.content.as_str()).collect();
        let full = full.join("\n");
        assert!(used <= 3_000 && full.len() / 4 > 9_000, "{}: {used}, {}", case.name, full.len());
        for needed in &case.needed {
            let text = needed.split_once(": ").map_or(needed.as_str(), |(_, text)| text);
            assert!(full.contains(text), "{}: {needed} is nowhere", case.name);
            assert!(shown.contains(needed.as_str()), "{}: {needed} is not in {shown}", case.name);
        }
    }
    Ok(())
}
