//! Logs of conversations that people and other programs keep in Markdown: a heading, a bold word or
//! a label before what each speaker says.

use super::super::{Bundle, Conversation, ConversationMessage, ExchangeError, LeftOut};
use super::people;

/// Words for whoever asks, and for whatever answers.
const USERS: &[&str] = &["user", "human", "you", "me", "prompt", "question"];
const AGENTS: &[&str] = &["assistant", "ai", "bot", "model", "response", "answer"];
const SYSTEM: &[&str] = &["system", "tool"];
/// Of these, the ones that nobody writes before a colon for another reason.
const LABELS: &[&str] = &["user", "human", "you", "me", "assistant", "ai", "bot"];
/// Programs that answer under their own name.
const PROGRAMS: &[&str] =
    &["chatgpt", "claude", "gemini", "copilot", "grok", "deepseek", "mistral"];

/// How a log marks its speakers: as it marks the first, so it marks all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Heading { level: usize },
    Bold,
    Label,
}

/// Reads a log, in which at least one asks and one answers.
pub(super) fn read(text: &str) -> Result<Bundle, ExchangeError> {
    let mut title = None;
    let mut messages: Vec<ConversationMessage> = Vec::new();
    let mut preamble = false;
    let mut style = None;
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let said = match fence {
            None => speaker(line).filter(|said| style.is_none_or(|style| style == said.0)),
            Some(_) => None,
        };
        style = style.or(said.as_ref().map(|said| said.0));
        fence = fence_after(fence, line);
        match (said, messages.last_mut()) {
            (Some((_, speaker, first)), _) => messages.push(ConversationMessage {
                id: None,
                speaker,
                content: first.to_owned(),
                created_at: None,
                section: None,
            }),
            (None, Some(message)) => {
                message.content.push('\n');
                message.content.push_str(line);
            }
            (None, None) => match line.strip_prefix("# ") {
                Some(heading) if title.is_none() => title = Some(heading.trim().to_owned()),
                _ => preamble |= !line.trim().is_empty(),
            },
        }
    }
    for message in &mut messages {
        message.content = message.content.trim().to_owned();
    }
    messages.retain(|message| !message.content.is_empty());
    let said_by = |agents: bool| {
        messages.iter().any(|message| {
            (message.speaker == "assistant" || message.speaker.starts_with("agent:")) == agents
        })
    };
    if !said_by(true) || !said_by(false) {
        let nobody = || ExchangeError::unknown("nobody is seen to ask and to answer in it");
        return people::read(text).ok_or_else(nobody);
    }
    let left_out = if preamble { [(LeftOut::Preamble, 1)].into() } else { Default::default() };
    let conversation = Conversation { title, messages, left_out, ..Conversation::default() };
    Ok(Bundle { conversations: vec![conversation], ..Bundle::default() })
}

/// Who begins to speak in this line, and what is said in it already.
fn speaker(line: &str) -> Option<(Style, String, &str)> {
    let line = line.trim_end();
    if line.starts_with('#') {
        let heading = line.trim_start_matches('#');
        let style = Style::Heading { level: line.len() - heading.len() };
        return Some((style, named(heading)?, ""));
    }
    if let Some(bold) = line.strip_prefix("**") {
        let (name, rest) = bold.split_once("**")?;
        let rest = rest.trim_start();
        let rest = match name.trim_end().ends_with(':') {
            true => rest,
            // `**note** something` is emphasis, `**User**` alone or with a colon is a speaker.
            false if rest.is_empty() => rest,
            false => rest.strip_prefix(':')?,
        };
        return Some((Style::Bold, named(name)?, rest.trim_start()));
    }
    let (name, rest) = line.split_once(':')?;
    let lower = name.to_lowercase();
    let is_label = LABELS.contains(&lower.as_str()) || PROGRAMS.contains(&lower.as_str());
    let stands_alone = rest.is_empty() || rest.starts_with(' ');
    (is_label && stands_alone).then_some(())?;
    Some((Style::Label, named(name)?, rest.trim_start()))
}

/// The speaker that a label names, if it is one.
fn named(label: &str) -> Option<String> {
    let label = label.trim().trim_matches(['*', '_', ':', ' ']);
    let label = label.strip_suffix(" said").unwrap_or(label);
    let lower = label.to_lowercase();
    let word = lower.as_str();
    if USERS.contains(&word) {
        Some("user".to_owned())
    } else if AGENTS.contains(&word) {
        Some("assistant".to_owned())
    } else if SYSTEM.contains(&word) {
        Some(lower)
    } else {
        let first = word.split([' ', '-']).next().unwrap_or_default();
        let is_program = PROGRAMS.contains(&word) || (first == "gpt" && word.len() < 20);
        is_program.then(|| format!("agent:{label}"))
    }
}

/// The fence that is open behind the line.
pub(super) fn fence_after<'a>(open: Option<&'a str>, line: &'a str) -> Option<&'a str> {
    let line = line.trim_start();
    let length = |mark: char| line.len() - line.trim_start_matches(mark).len();
    let found = ['`', '~'].into_iter().find(|mark| length(*mark) >= 3);
    match (open, found) {
        (None, Some(mark)) => Some(&line[..length(mark)]),
        (Some(open), Some(mark)) if open.starts_with(mark) && length(mark) >= open.len() => {
            // What follows a closing fence is blank.
            if line[length(mark)..].trim().is_empty() { None } else { Some(open) }
        }
        (open, _) => open,
    }
}
