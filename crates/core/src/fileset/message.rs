//! The turn's own message of a consultation: the files that are sent, the map, passages for a model
//! that cannot search, and the question.

use super::Measured;
use crate::chunk::Location;
use crate::item::{Item, Kind, Source};
use crate::render::{self, Asking, Block, OPENING, QUESTION, WireRole};

/// A file that is sent, as an item of the receipt.
pub fn sent_item(measured: &Measured, text: String, reason: &str) -> Item {
    let path = &measured.file.path;
    let lines = text.lines().count().max(1) as u32;
    let location = Location::File {
        path: path.clone(),
        start_line: 1,
        end_line: lines,
        start_char: 0,
        end_char: text.chars().count() as u64,
        place: None,
    };
    let source = Source::file(path, path, (1, lines));
    let item = Item::pinned(Kind::File, source, text, measured.tokens, reason);
    Item { location: Some(location), ..item }
}

/// The map, as an item of the receipt.
pub fn map_item(text: String, tokens: u32, reason: &str) -> Item {
    Item::pinned(Kind::ProjectMap, Source::profile("file_map"), text, tokens, reason)
}

/// Renders header, history and passages as always, and from item `own` on what stands before them in
/// the last message.
pub fn blocks(items: &[Item], own: usize, asking: Asking<'_>) -> Vec<Block> {
    let (others, files) = items.split_at(own.min(items.len()));
    let mut blocks = render::blocks(others, &vec![true; others.len()], asking);
    let Some(message) = blocks.last().map(|block| block.message) else { return blocks };
    let first = blocks.iter().position(|block| block.message == message).unwrap_or(0);
    let alone = blocks.len() - first == 1;
    let block =
        |item: Option<usize>, text: String| Block { message, role: WireRole::User, item, text };
    let mut before: Vec<Block> = (own..)
        .zip(files)
        .map(|(index, item)| {
            let text = match &item.location {
                Some(Location::File { path, .. }) => render::whole_file(path, &item.text),
                _ => item.text.clone(),
            };
            block(Some(index), text)
        })
        .collect();
    // Passages bring opening and heading with them.
    let first = match alone {
        true if !before.is_empty() => {
            before.insert(0, block(None, OPENING.to_owned()));
            before.push(block(None, QUESTION.to_owned()));
            first
        }
        true => first,
        false => first + 1,
    };
    blocks.splice(first..first, before);
    blocks
}
