//! Shorter forms of an item. What is cut stays reachable: a message by its id, a file by its path
//! and the lines that are left.

use crate::chunk::{Location, each_line};
use crate::compress::{self, Age};
use crate::item::{Form, Item, Kind, summary};
use crate::message::Role;
use crate::render;
use crate::tokens::Tokenizer;

/// The forms of an item that are shorter than itself and may fit so many tokens, the longest
/// first.
pub(super) fn shorter_forms(
    item: Item,
    room: u32,
    tokenizer: Tokenizer,
) -> impl Iterator<Item = Item> {
    let kind = Some(item.kind).filter(|_| item.form == Form::Full);
    // The second is made when the first has found no room.
    let forms = [Age::Middle, Age::Old].into_iter().filter_map(move |age| {
        let mut shorter = item.clone();
        match (kind?, age) {
            (Kind::Message, age) => shorten(&mut shorter, age, tokenizer),
            (Kind::File, Age::Middle) => {
                let most = room.saturating_sub(render::wrapping(&shorter));
                to_tokens(&mut shorter, most, tokenizer);
            }
            (Kind::File, _) => to_pointer(&mut shorter, tokenizer),
            _ => return None,
        }
        Some(shorter)
    });
    forms.filter(move |form| {
        form.form != Form::Full && form.tokens <= room && !form.text.trim().is_empty()
    })
}

/// Cuts a message in its middle.
pub(super) fn to_middle(item: &mut Item, tokenizer: Tokenizer) {
    shorten(item, Age::Middle, tokenizer);
}

/// Cuts a file's text to at most so many tokens: after a line, or else after a word.
pub(super) fn to_tokens(item: &mut Item, most: u32, tokenizer: Tokenizer) {
    let Some(Location::File { start_line, start_char, end_line, end_char, .. }) =
        &mut item.location
    else {
        return;
    };
    let mut kept = 0;
    let mut tokens = 0;
    // A line that is too long by itself is cut after a word.
    let pieces = item.text.split_inclusive('\n');
    for piece in pieces.flat_map(|line| line.split_inclusive(' ')) {
        let more = tokenizer.count(piece);
        if tokens + more > most {
            break;
        }
        tokens += more;
        kept += piece.len();
    }
    match kept {
        whole if whole == item.text.len() => return,
        // One word without end: where it stands must do.
        0 => return to_pointer(item, tokenizer),
        _ => {}
    }
    if let Some(end) = item.text[..kept].rfind(['\n', '\r']) {
        kept = end + 1;
    }
    item.text.truncate(kept);
    item.tokens = tokenizer.count(&item.text);
    item.form = Form::Trimmed;
    *end_line = *start_line + each_line(&item.text).skip(1).count() as u32;
    *end_char = *start_char + item.text.chars().count() as u64;
    item.source.lines = Some((*start_line, *end_line));
}

/// Replaces a file's text by where it stands and how long it is. Messages keep their words.
pub(super) fn to_pointer(item: &mut Item, tokenizer: Tokenizer) {
    let Some(Location::File { path, start_line, end_line, place, .. }) = &item.location else {
        return;
    };
    let summary = summary(&item.text);
    let place = place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
    let text = format!(
        "- {path}{place}, lines {start_line}-{end_line}: {summary} (about {} tokens)",
        item.tokens
    );
    item.tokens = tokenizer.recount(&text);
    item.text = text;
    item.form = Form::Pointer;
}

pub(super) fn is_reply(item: &Item) -> bool {
    matches!(&item.location, Some(Location::Message { speaker, .. }) if speaker.role == Role::Agent)
}

fn shorten(item: &mut Item, age: Age, tokenizer: Tokenizer) {
    let shorter = compress::by_age(&item.text, age, &item.source.id);
    item.tokens = tokenizer.recount(&shorter.text);
    item.text = shorter.text;
    item.form = shorter.form;
}
