//! What a call that is passed on took. Its provider tells that last, if at all: where the client has
//! left before, or nothing was told, it is estimated from what was sent and heard, or a budget could
//! be passed by hanging up.

use crate::mint;
use crate::workspace::Workspace;
use bytes::Bytes;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Event, Message, Prompt, Usage};
use dossier_core::id::ProjectId;
use dossier_core::savings::Savings;
use dossier_core::tokens::Tokenizer;
use dossier_store::UsageRow;
use serde_json::Value;
use tokio::runtime::Handle;

/// What usage is counted under.
const COMPONENT: &str = "forward";

/// The end of an answer, where providers tell what it took.
const TAIL: usize = 1 << 15;

/// Bytes of a token, where nothing better is known.
const BYTES: u64 = 4;

/// Texts that say nothing to a model, or little.
const NAMES: [&str; 6] = ["id", "type", "role", "object", "status", "model"];

/// Who pays.
#[derive(Debug, Clone)]
pub(super) struct Toll {
    pub workspace: Workspace,
    pub project: Option<ProjectId>,
    pub info: ModelInfo,
}

impl Toll {
    async fn pay(self, tokens: Usage) {
        let cost = self.info.costs.map(|costs| costs.of(tokens));
        let usage = UsageRow {
            id: mint::id(),
            component: COMPONENT.to_owned(),
            model: self.info.full_name(),
            project: self.project,
            thread: None,
            message: None,
            tokens,
            cost: cost.map(|dollars| (dollars * 1e6).round() as i64),
            saved: Savings::default(),
            created_at: mint::now(),
        };
        // The answer has been given; there is nobody to tell that it could not be counted.
        let _ = self.workspace.put_usage(&usage).await;
    }
}

/// A call that is under way. It is counted when this is dropped: at its end, or when it is left.
#[derive(Debug)]
pub(super) struct Meter {
    /// Until it is paid.
    toll: Option<Toll>,
    call: Call,
}

/// What is known of a call.
#[derive(Debug, Default)]
struct Call {
    sent: Sent,
    heard: Heard,
    /// As the provider has told it.
    usage: Option<Usage>,
    is_refused: bool,
}

#[derive(Debug, Default)]
enum Sent {
    #[default]
    Nothing,
    Body(Bytes),
    Prompt(Box<Prompt>),
}

/// What came back: the end of its bytes, or its words.
#[derive(Debug, Default)]
struct Heard {
    bytes: u64,
    tail: Vec<u8>,
    words: String,
}

impl Meter {
    pub(super) fn of_body(toll: Toll, body: &Bytes) -> Self {
        let call = Call { sent: Sent::Body(body.clone()), ..Call::default() };
        Self { toll: Some(toll), call }
    }

    pub(super) fn of_prompt(toll: Toll, prompt: &Prompt) -> Self {
        let sent = Sent::Prompt(Box::new(prompt.without_images()));
        Self { toll: Some(toll), call: Call { sent, ..Call::default() } }
    }

    /// Nobody is paid for what was refused, unless its provider says so.
    pub(super) fn refused(&mut self) {
        self.call.is_refused = true;
    }

    /// Hears a piece of an answer that is passed on.
    pub(super) fn hear(&mut self, piece: &[u8]) {
        let Heard { bytes, tail, .. } = &mut self.call.heard;
        *bytes += piece.len() as u64;
        remember(tail, piece);
    }

    /// Hears an event of an answer that is translated.
    pub(super) fn hear_event(&mut self, event: &Event) {
        match event {
            Event::Usage(usage) => self.call.usage = Some(*usage),
            Event::Text(text) | Event::Reasoning(text) | Event::Arguments { text, .. } => {
                self.call.heard.words.push_str(text);
            }
            _ => {}
        }
    }

    /// Whether anything has come back.
    pub(super) fn is_silent(&self) -> bool {
        self.call.heard.words.is_empty() && self.call.heard.bytes == 0
    }
}

impl Drop for Meter {
    /// Whoever waits for the answer does not wait for this.
    fn drop(&mut self) {
        let Some(toll) = self.toll.take() else { return };
        // Without one the process ends.
        let Ok(runtime) = Handle::try_current() else { return };
        let call = std::mem::take(&mut self.call);
        let tokenizer = toll.info.tokenizer;
        runtime.spawn(async move {
            // A long text takes its time to be counted.
            let taken = tokio::task::spawn_blocking(move || call.taken(tokenizer)).await;
            if let Ok(Some(usage)) = taken {
                toll.pay(usage).await;
            }
        });
    }
}

impl Call {
    fn taken(&self, tokenizer: Tokenizer) -> Option<Usage> {
        let told = self.usage.or_else(|| told_usage(&self.heard.tail));
        told.or_else(|| (!self.is_refused).then(|| self.estimate(tokenizer)))
    }

    fn estimate(&self, tokenizer: Tokenizer) -> Usage {
        let mut sent = String::new();
        match &self.sent {
            Sent::Nothing => {}
            Sent::Body(body) => match serde_json::from_slice(body) {
                Ok(body) => words(&body, &mut sent),
                Err(_) => sent = String::from_utf8_lossy(body).into_owned(),
            },
            Sent::Prompt(prompt) => {
                let said = prompt.messages.iter().map(Message::text);
                sent.extend(said.map(|said| said + "\n"));
                prompt.tools.iter().for_each(|tool| words(&tool.schema, &mut sent));
            }
        }
        Usage {
            input: tokenizer.count(&sent),
            output: self.heard.tokens(tokenizer),
            ..Usage::default()
        }
    }
}

impl Heard {
    fn tokens(&self, tokenizer: Tokenizer) -> u32 {
        let known = tokenizer.count(&self.words);
        if self.bytes == 0 {
            return known;
        }
        let tokens = match spoken(&self.tail) {
            // Of a long answer only the end is known; the rest is taken to be like it.
            Some(said) => {
                let tail = self.tail.len().max(1) as u64;
                u64::from(tokenizer.count(&said)) * self.bytes / tail
            }
            None => self.bytes / BYTES,
        };
        known.saturating_add(u32::try_from(tokens).unwrap_or(u32::MAX))
    }
}

fn remember(tail: &mut Vec<u8>, piece: &[u8]) {
    tail.extend_from_slice(&piece[piece.len().saturating_sub(TAIL)..]);
    if tail.len() > 2 * TAIL {
        tail.drain(..tail.len() - TAIL);
    }
}

/// The last usage that stands in an answer of either format, streamed or not. Within a text the
/// quotes would be escaped.
fn told_usage(tail: &[u8]) -> Option<Usage> {
    const KEY: &[u8] = b"\"usage\"";
    let ends = (0..=tail.len().checked_sub(KEY.len())?).rev();
    ends.filter(|at| tail[*at..].starts_with(KEY)).find_map(|at| {
        let rest = tail[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?;
        let value = serde_json::Deserializer::from_slice(rest).into_iter::<Value>().next()?.ok()?;
        let number = |names: [&str; 2]| {
            let own = names.iter().find_map(|name| value.pointer(name)?.as_u64());
            own.and_then(|number| u32::try_from(number).ok())
        };
        Some(Usage {
            input: number(["/prompt_tokens", "/input_tokens"])?,
            output: number(["/completion_tokens", "/output_tokens"]).unwrap_or(0),
            cached_input: number([
                "/prompt_tokens_details/cached_tokens",
                "/input_tokens_details/cached_tokens",
            ])
            .unwrap_or(0),
            cache_write: 0,
            reasoning: number([
                "/completion_tokens_details/reasoning_tokens",
                "/output_tokens_details/reasoning_tokens",
            ])
            .unwrap_or(0),
        })
    })
}

/// What an answer of either format says, streamed or not; nothing where it cannot be read.
fn spoken(heard: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(heard);
    let mut frames = text.lines().filter_map(|line| line.strip_prefix("data:")).peekable();
    let mut said = String::new();
    if frames.peek().is_none() {
        said_in(&serde_json::from_slice(heard).ok()?, &mut said);
        return Some(said);
    }
    for frame in frames {
        // The first may have lost its beginning.
        if let Ok(frame) = serde_json::from_str(frame.trim()) {
            said_in(&frame, &mut said);
        }
    }
    Some(said)
}

fn said_in(answer: &Value, said: &mut String) {
    let choices = answer.get("choices").and_then(Value::as_array).into_iter().flatten();
    for choice in choices {
        let parts = ["delta", "message"].into_iter().filter_map(|part| choice.get(part));
        parts.for_each(|part| words(part, said));
    }
    // Of responses, the pieces, or the whole where it does not come in pieces.
    let parts = ["delta", "output"].into_iter().filter_map(|part| answer.get(part));
    parts.for_each(|part| words(part, said));
}

/// The texts in a JSON value, one after the other; images are none.
fn words(value: &Value, said: &mut String) {
    match value {
        Value::String(text) if !text.starts_with("data:") => said.push_str(text),
        Value::Array(values) => values.iter().for_each(|value| words(value, said)),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| !NAMES.contains(&name.as_str()));
            fields.for_each(|(_, value)| words(value, said));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_found_at_the_end_of_either_format_and_not_in_a_text() {
        let check = |text: &str, expected: Option<(u32, u32, u32)>| {
            let usage = told_usage(text.as_bytes());
            let told = usage.map(|usage| (usage.input, usage.output, usage.cached_input));
            assert_eq!(told, expected, "{text}");
        };
        check(
            r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5},"x":1}"#,
            Some((7, 5, 0)),
        );
        check(
            "data: {\"usage\" : {\"input_tokens\":7,\"output_tokens\":5,\
             \"input_tokens_details\":{\"cached_tokens\":3}}}\n\ndata: [DONE]\n\n",
            Some((7, 5, 3)),
        );
        check("data: {\"usage\":{\"prompt_tokens\":7}}\n\ndata: {\"usage\":null}", Some((7, 0, 0)));
        check(r#"{"content":"\"usage\":{\"prompt_tokens\":7}"}"#, None);
        check("\"usage\":{\"prompt_tok", None);
        check("", None);
    }

    #[test]
    fn the_end_of_an_answer_is_remembered_however_long_it_is() {
        let mut tail = Vec::new();
        for piece in [vec![b'a'; 3 * TAIL], vec![b'b'; TAIL], vec![b'c'; 9]] {
            remember(&mut tail, &piece);
        }
        assert!(tail.len() <= 2 * TAIL);
        assert!(tail.ends_with(&[b'c'; 9]) && tail.contains(&b'b'));
    }

    #[test]
    fn what_nobody_told_is_estimated_from_what_was_sent_and_heard() {
        let check = |sent: &str, heard: &[&str], expected: Option<(u32, u32)>| {
            let mut call = Call {
                sent: Sent::Body(Bytes::copy_from_slice(sent.as_bytes())),
                ..Call::default()
            };
            for piece in heard {
                call.heard.bytes += piece.len() as u64;
                remember(&mut call.heard.tail, piece.as_bytes());
            }
            let taken = call.taken(Tokenizer::O200k);
            assert_eq!(taken.map(|usage| (usage.input, usage.output)), expected, "{heard:?}");
        };
        let sent = r#"{"model":"a/b","messages":[{"role":"user","content":"one two three"}]}"#;
        let delta = |text: &str| {
            format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
        };
        check(sent, &[], Some((3, 0)));
        check(sent, &[&delta("four"), &delta(" five"), "data: [DONE]\n\n"], Some((3, 2)));
        let told = "data: {\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5}}\n\n";
        check(sent, &[&delta("four"), told], Some((7, 5)));
        let response = "data: {\"type\":\"response.output_text.delta\",\"delta\":\"four\"}\n\n";
        check(sent, &[response, response], Some((3, 2)));
        check(sent, &[r#"{"choices":[{"message":{"role":"x","content":"four"}}]}"#], Some((3, 1)));
        // Of a very long answer the end stands for all of it.
        let long = delta("four");
        let many = vec![long.as_str(); 3 * TAIL / long.len()];
        let mut call = Call::default();
        for piece in &many {
            call.heard.bytes += piece.len() as u64;
            remember(&mut call.heard.tail, piece.as_bytes());
        }
        let (tokens, most) = (call.heard.tokens(Tokenizer::O200k) as usize, many.len());
        assert!((most * 9 / 10..=most).contains(&tokens), "{tokens} of {most}");
    }
}
