//! From a source to its chunks: what of a file or a message is searchable, and under which words.

use super::{Draft, Location, Origin, Place, document};
use crate::analyse::{self, Field, Profile};
use crate::id::FileId;
use crate::message::Message;
use crate::tokens::Tokenizer;
use std::collections::BTreeSet;

/// The tokenizer of stored counts.
pub const STORED: Tokenizer = Tokenizer::O200k;

/// The chunks of a file. Blank ones are left out; the others keep their exact ranges.
pub fn of_file(id: &FileId, path: &str, text: &str) -> Vec<Draft> {
    of_document(id, path, text, &[])
}

/// The chunks of a text with places, such as pages. Each is found under the words of its path and
/// of its place.
pub fn of_document(id: &FileId, path: &str, text: &str, places: &[Place]) -> Vec<Draft> {
    let path_terms: BTreeSet<String> = analyse::terms(path).into_iter().collect();
    document(text, places)
        .into_iter()
        .filter(|piece| !piece.text.trim().is_empty())
        .enumerate()
        .map(|(index, piece)| {
            let mut label = path_terms.clone();
            label.extend(analyse::terms(piece.place.unwrap_or_default()));
            let label = label.into_iter().collect();
            let fields = [(Field::Body, analyse::terms(piece.text)), (Field::Label, label)];
            Draft {
                origin: Origin::File(id.clone()),
                index: index as u32,
                content: piece.text.to_owned(),
                location: Location::File {
                    path: path.to_owned(),
                    start_line: piece.start_line,
                    end_line: piece.end_line,
                    start_char: piece.start_char,
                    end_char: piece.end_char,
                    place: piece.place.map(str::to_owned),
                },
                tokens: STORED.count(piece.text),
                profile: Profile::of(fields),
            }
        })
        .collect()
}

/// The chunks of a thread's messages, which must be in order.
pub fn of_thread(messages: &[Message]) -> Vec<Draft> {
    let chunk = |place: usize| of_message(&messages[place], answered(messages, place));
    (0..messages.len()).filter_map(chunk).collect()
}

/// How far back the message may stand that another one answers.
pub const ANSWERED_WITHIN: usize = 16;

/// The message that the one in this place answers: its parent, which several may have, or else the
/// one before it.
pub fn answered(messages: &[Message], place: usize) -> Option<&Message> {
    let before = &messages[place.saturating_sub(ANSWERED_WITHIN)..place];
    let parent = messages[place].parent.as_ref();
    let own = before.iter().rev().find(|message| Some(&message.id) == parent);
    own.or(before.last())
}

/// The chunk of a message: one, or none when it says nothing. Its words are found together with
/// those of the message before it in the same section, which it answers.
pub fn of_message(message: &Message, previous: Option<&Message>) -> Option<Draft> {
    if message.content.trim().is_empty() {
        return None;
    }
    let mut fields = vec![
        (Field::Body, analyse::terms(&message.content)),
        (Field::Label, analyse::date_terms(message.created_at)),
    ];
    if let Some(previous) = previous.filter(|previous| previous.section == message.section) {
        let field = if previous.content.contains('?') { Field::Asked } else { Field::Near };
        fields.push((field, analyse::terms(&previous.content)));
    }
    Some(Draft {
        origin: Origin::Message(message.id.clone()),
        index: 0,
        content: message.content.clone(),
        location: Location::of_message(message),
        tokens: STORED.count(&message.content),
        profile: Profile::of(fields),
    })
}
