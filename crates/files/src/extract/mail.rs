//! E-mail: who wrote to whom about what and when, the text of the message, and its attachments as
//! far as they are text or documents. Others are named.

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::budget::Nest;
use super::sheet::{Sheet, one_line};
use super::{Extracted, Fault, Format, html, within};
use crate::{guard, text};

/// Messages in messages in messages.
const DEEPEST: usize = 4;
const MOST_MESSAGES: usize = 50_000;

const NO_MAIL: Fault = Fault::Damaged("it is no e-mail message");

pub(super) fn extract(bytes: &[u8], most: usize, nest: Nest<'_>) -> Result<Extracted, Fault> {
    let message = MessageParser::default().parse(bytes).ok_or(NO_MAIL)?;
    if message.headers().is_empty() {
        return Err(NO_MAIL);
    }
    let mut sheet = Sheet::new(most);
    write(&message, &mut sheet, nest);
    sheet.finish()
}

/// A file of many messages, each with a place of its own.
pub(super) fn mailbox(bytes: &[u8], most: usize, nest: Nest<'_>) -> Result<Extracted, Fault> {
    if !bytes.starts_with(b"From ") {
        return Err(Fault::Damaged("it is no mailbox"));
    }
    let mut sheet = Sheet::new(most);
    for (number, bytes) in (1..=MOST_MESSAGES).zip(messages(bytes)) {
        if sheet.is_full() {
            break;
        }
        let Some(message) = MessageParser::default().parse(bytes) else { continue };
        let subject = message.subject().map(one_line).unwrap_or_default();
        sheet.begin_place(format!("message {number} {subject}").trim_end());
        write(&message, &mut sheet, nest);
    }
    sheet.finish()
}

/// The messages of a mailbox: each follows a line that begins with `From `, after an empty one.
fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts: Vec<usize> = vec![0];
    let separators = bytes.windows(7).enumerate();
    let separators = separators.filter(|(_, window)| &window[1..] == b"\nFrom ");
    starts.extend(
        separators.filter(|(_, window)| matches!(window[0], b'\n' | b'\r')).map(|(at, _)| at + 2),
    );
    let ends: Vec<usize> = starts[1..].iter().copied().chain([bytes.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| {
        let message = &bytes[start..end];
        let first_line = message.iter().position(|byte| *byte == b'\n');
        &message[first_line.map_or(message.len(), |at| at + 1)..]
    })
}

fn write(message: &Message<'_>, sheet: &mut Sheet, nest: Nest<'_>) {
    let date = message.date().map(|date| date.to_rfc3339());
    for (name, value) in [
        ("From", addresses(message.from())),
        ("To", addresses(message.to())),
        ("Cc", addresses(message.cc())),
        ("Subject", message.subject().unwrap_or_default().to_owned()),
        ("Date", date.unwrap_or_default()),
    ] {
        if !value.is_empty() {
            sheet.say(&format!("{name}: {value}"));
            sheet.end_line();
        }
    }
    sheet.end_paragraph();
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => sheet.verbatim(text),
            PartType::Html(page) => html::write(page.as_bytes(), sheet),
            _ => {}
        }
        sheet.end_paragraph();
    }
    for part in message.attachments() {
        attach(part, sheet, nest);
    }
}

fn attach(part: &MessagePart<'_>, sheet: &mut Sheet, nest: Nest<'_>) {
    let name = one_line(part.attachment_name().unwrap_or("without a name"));
    let label = format!("attachment {name}");
    let taken = match &part.body {
        _ if nest.depth >= DEEPEST || guard::refuses(name.as_ref()) => None,
        PartType::Message(inner) => {
            let mut sheet = Sheet::new(sheet.room());
            write(inner, &mut sheet, Nest { depth: nest.depth + 1, ..nest });
            sheet.finish().ok()
        }
        PartType::Html(page) => within(Format::Html, page.as_bytes(), sheet.room(), nest).ok(),
        PartType::Text(content) => plain(&name, content.as_bytes(), sheet.room(), nest),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
            plain(&name, bytes, sheet.room(), nest)
        }
        PartType::Multipart(_) => return,
    };
    match taken {
        Some(inner) => sheet.enclose(&label, &inner),
        None => {
            sheet.begin_place(&label);
            sheet.say(&format!("Attachment {name}, not shown."));
        }
    }
    sheet.end_paragraph();
}

/// The text of an attachment, if it is text or a document, and no key.
fn plain(name: &str, bytes: &[u8], most: usize, nest: Nest<'_>) -> Option<Extracted> {
    if let Some(format) = Format::of(name, bytes) {
        return within(format, bytes, most, nest.inner().ok()?).ok();
    }
    if crate::kind::is_binary(name) || text::is_binary(&bytes[..bytes.len().min(text::SNIFF_BYTES)])
    {
        return None;
    }
    let text = text::decode(bytes).ok()?.content;
    let is_wanted = text.len() <= most && !text::is_private_key(&text);
    is_wanted.then_some(Extracted { text, places: Vec::new() })
}

fn addresses(addresses: Option<&Address<'_>>) -> String {
    let Some(addresses) = addresses else { return String::new() };
    let shown = addresses.iter().map(|address| match (&address.name, &address.address) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (Some(name), None) => name.to_string(),
        (None, Some(address)) => address.to_string(),
        (None, None) => String::new(),
    });
    shown.filter(|address| !address.is_empty()).collect::<Vec<_>>().join(", ")
}
