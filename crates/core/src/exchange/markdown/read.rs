//! Markdown back to conversations: what [`super::write`] has written, or a log that someone kept.

use super::super::{Bundle, Conversation, ConversationMessage, ExchangeError, place};
use super::{Head, MessageHead, log};
use serde::de::DeserializeOwned;

/// Reads Markdown. Conversations of ours may stand among other text; a file without any is read
/// as a log.
pub fn read(text: &str) -> Result<Bundle, ExchangeError> {
    let mut bundle = Bundle::default();
    let mut rest = text;
    while let Some((mark, head, after)) = beginning(rest) {
        // A program that changes line ends has changed all of them.
        let changed = after.starts_with("\r\n");
        let number = bundle.conversations.len() + 1;
        let (conversation, after) = match changed {
            true => {
                let text = after.replace("\r\n", "\n");
                let (conversation, left) = conversation(&text, &mark, head, number)?;
                let left = left.matches('\n').count();
                (conversation, last_lines(after, left))
            }
            false => conversation(after, &mark, head, number)?,
        };
        bundle.conversations.push(conversation);
        rest = after;
    }
    match bundle.conversations.is_empty() {
        true => log::read(text),
        false => Ok(bundle),
    }
}

/// The end of a text from its so many last line ends on.
fn last_lines(text: &str, ends: usize) -> &str {
    match ends.checked_sub(1).and_then(|ends| text.rmatch_indices('\n').nth(ends)) {
        Some((at, _)) => &text[at..],
        None => "",
    }
}

/// The next conversation: its mark, what its comment says, and the text from the end of that line.
fn beginning(text: &str) -> Option<(String, &str, &str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end_matches(['\r', '\n']).len();
        let found =
            line.strip_prefix("<!-- ").and_then(|comment| comment.split_once(":conversation "));
        if let Some((mark, _)) = found
            && is_mark(mark)
        {
            let head = at + "<!-- ".len() + mark.len() + ":conversation ".len();
            return Some((mark.to_owned(), &text[head..end], &text[end..]));
        }
        at += line.len();
    }
    None
}

fn is_mark(mark: &str) -> bool {
    match mark.strip_prefix("dossier") {
        Some("") => true,
        Some(number) => number
            .strip_prefix('-')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())),
        None => false,
    }
}

/// The messages up to the end of the conversation, and what follows it.
fn conversation<'a>(
    text: &'a str,
    mark: &str,
    head: &str,
    number: usize,
) -> Result<(Conversation, &'a str), ExchangeError> {
    let here = place(number, None);
    let head: Head = parse(head, &here)?;
    let here = place(number, head.title.as_deref());
    let end = format!("\n\n<!-- {mark}:end -->");
    let Some((body, rest)) = text.split_once(&end) else {
        return Err(ExchangeError::wrong(
            here,
            format!("its end, <!-- {mark}:end -->, is missing; the file was cut short"),
        ));
    };
    let begin = format!("\n\n<!-- {mark}:message ");
    let mut pieces = body.split(&begin[..]);
    // The first piece is the heading of the first message.
    pieces.next();
    let pieces: Vec<&str> = pieces.collect();
    let mut messages = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        let here = format!("{here}, message {}", index + 1);
        let (comment, content) = match piece.split_once('\n') {
            Some((comment, content)) => (comment, content.strip_prefix('\n').unwrap_or(content)),
            None => (*piece, ""),
        };
        let head: MessageHead = parse(comment, &here)?;
        // Behind the content stands the heading of the next message.
        let content = match index + 1 < pieces.len() {
            true => without_heading(content, &here)?,
            false => content,
        };
        messages.push(ConversationMessage {
            id: head.id,
            speaker: head.speaker,
            content: content.to_owned(),
            created_at: head.created_at,
            section: head.section,
        });
    }
    let Head { id, title, created_at } = head;
    Ok((Conversation { id, title, created_at, messages, ..Conversation::default() }, rest))
}

fn without_heading<'a>(content: &'a str, here: &str) -> Result<&'a str, ExchangeError> {
    let heading = content.rfind('\n').map_or(0, |end| end + 1);
    match (content[heading..].starts_with("## "), content[..heading].strip_suffix("\n\n")) {
        (true, Some(content)) => Ok(content),
        // The content is empty, and the blank lines around it are one and the same.
        (true, None) => Ok(content[..heading].trim_end_matches('\n')),
        (false, _) => {
            Err(ExchangeError::wrong(here, "the heading after it is missing; put it back"))
        }
    }
}

fn parse<T: DeserializeOwned>(comment: &str, here: &str) -> Result<T, ExchangeError> {
    let comment = comment.trim_end();
    let json = comment.strip_suffix("-->").unwrap_or(comment);
    serde_json::from_str(json)
        .map_err(|error| ExchangeError::wrong(here, format!("its comment cannot be read: {error}")))
}
