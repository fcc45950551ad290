//! Made-up material for the tests of this crate: messages, chunks and items.

use dossier_core::chunk::{Draft, draft};
use dossier_core::compress::Age;
use dossier_core::id::{FileId, MessageId, ThreadId};
use dossier_core::item::{Item, Kind, Source};
use dossier_core::message::{Message, Speaker};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;

/// A message of the thread `thr_a`; rounds and positions are given, the day follows the round.
pub fn message(position: i64, round: i64, speaker: &str, content: &str) -> Message {
    Message {
        id: MessageId::from(format!("msg_{position:03}")),
        thread: ThreadId::from("thr_a"),
        parent: None,
        position,
        round,
        speaker: Speaker::parse(speaker),
        section: None,
        content: content.to_owned(),
        external_id: None,
        created_at: day(round),
    }
}

/// The n-th day of 2024.
pub fn day(number: i64) -> Timestamp {
    let first = Timestamp::parse("2024-01-01T09:00:00Z").unwrap();
    Timestamp::from_millis(first.as_millis() + (number - 1) * 86_400_000)
}

/// A conversation of alternating user and model messages, one round each pair.
pub fn rounds(count: i64) -> Vec<Message> {
    (0..count)
        .flat_map(|round| {
            let asked = format!("Question {round}: how does part {round} of the engine work?");
            let said = format!(
                "Part {round} reads its input, checks it against rule {round}, and hands it on. \
                 It never waits, and it never writes twice, and when the input is \
                 bad it says so at once and leaves everything as it was. The tests of part {round} \
                 run with the others. See https://example.org/{round}."
            );
            [
                message(2 * round, round + 1, "user", &asked),
                message(2 * round + 1, round + 1, "assistant", &said),
            ]
        })
        .collect()
}

pub fn file_drafts(path: &str, content: &str) -> Vec<Draft> {
    draft::of_file(&FileId::from(format!("fil_{path}")), path, content)
}

pub fn retrieved(drafts: &[Draft]) -> Vec<Item> {
    drafts
        .iter()
        .enumerate()
        .map(|(place, draft)| {
            let mut item = Item::retrieved(draft);
            item.score = 2.0 - place as f32 / 1_000.0;
            item.reason = format!("rank {}", place + 1);
            item
        })
        .collect()
}

pub fn recent(messages: &[Message]) -> Vec<Item> {
    let item = |message: &Message| Item::recent(message, Age::Fresh, Tokenizer::O200k);
    messages.iter().map(item).collect()
}

pub fn rules(text: &str) -> Item {
    let tokens = Tokenizer::O200k.count(text);
    Item::pinned(Kind::Rules, Source::profile("rules"), text.to_owned(), tokens, "pinned")
}
