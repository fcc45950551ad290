//! From genai's events to ours: arguments as what is new of them, usage and reason at the end, and
//! no end that the provider did not announce.

use super::witness::{Seen, Witness};
use crate::error::Trouble;
use dossier_core::catalogue::Protocol;
use dossier_core::chat::{Event, Finish, Sealed, Usage};
use genai::chat::{ChatStreamEvent, ContentPart, MessageContent, StopReason, StreamEnd, ToolCall};
use serde_json::{Value, json};

/// Reads one answer.
pub(super) struct Reader {
    protocol: Protocol,
    /// The full name of the model, for what only it is given back.
    model: String,
    witness: Witness,
    calls: Vec<Call>,
}

/// A call of a tool, as far as it was passed on.
struct Call {
    /// As genai has it, which may be that of another call.
    wire_id: String,
    id: String,
    arguments: String,
    /// Whether it came at once, so that nothing more belongs to it.
    whole: bool,
}

impl Reader {
    pub(super) fn new(protocol: Protocol, model: String, witness: Witness) -> Self {
        Self { protocol, model, witness, calls: Vec::new() }
    }

    pub(super) fn read(&mut self, event: ChatStreamEvent) -> Result<Vec<Event>, Trouble> {
        Ok(match event {
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => {
                vec![Event::Text(chunk.content)]
            }
            ChatStreamEvent::ReasoningChunk(chunk) if !chunk.content.is_empty() => {
                vec![Event::Reasoning(chunk.content)]
            }
            ChatStreamEvent::ToolCallChunk(chunk) => self.call(chunk.tool_call),
            ChatStreamEvent::End(end) => self.end(end)?,
            _ => Vec::new(),
        })
    }

    /// What is new of a call: genai gives what it has so far, or all at once.
    fn call(&mut self, call: ToolCall) -> Vec<Event> {
        let (text, whole) = match call.fn_arguments {
            Value::String(text) => (text, false),
            Value::Null => (String::new(), true),
            arguments => (arguments.to_string(), true),
        };
        let open = |own: &Call| own.wire_id == call.call_id && !own.whole && !whole;
        if let Some(number) = self.calls.iter().position(open) {
            let own = &mut self.calls[number];
            let new = text.strip_prefix(&own.arguments).unwrap_or_default().to_owned();
            own.arguments.push_str(&new);
            return (!new.is_empty())
                .then_some(Event::Arguments { number, text: new })
                .into_iter()
                .collect();
        }
        let number = self.calls.len();
        let id = self.unused(&call.call_id);
        self.calls.push(Call {
            wire_id: call.call_id,
            id: id.clone(),
            arguments: text.clone(),
            whole,
        });
        let mut events = vec![Event::Call { number, id, name: call.fn_name }];
        if !text.is_empty() {
            events.push(Event::Arguments { number, text });
        }
        events
    }

    /// An id that no call of this answer has: for Gemini, genai begins anew with each frame.
    fn unused(&self, id: &str) -> String {
        let is_used = |id: &str| self.calls.iter().any(|call| call.id == id);
        let own = if id.is_empty() { "call" } else { id };
        if !id.is_empty() && !is_used(own) {
            return own.to_owned();
        }
        let mut number = self.calls.len();
        loop {
            let id = format!("{own}#{number}");
            if !is_used(&id) {
                return id;
            }
            number += 1;
        }
    }

    fn end(&mut self, end: StreamEnd) -> Result<Vec<Event>, Trouble> {
        let seen = self.witness.seen();
        let stop = end.captured_stop_reason.clone();
        // Where a connection breaks off, genai makes up an end for these two.
        let made_up = matches!(self.protocol, Protocol::Responses | Protocol::Gemini);
        if made_up && stop.is_none() {
            return Err(cut_off());
        }
        let mut events = self.missing_calls(end.captured_content.as_ref())?;
        if !seen.refusal.is_empty() {
            events.push(Event::Text(seen.refusal.clone()));
        }
        let finish = finish(stop.as_ref(), &seen, !self.calls.is_empty());
        let usage = end.captured_usage.as_ref().map(usage);
        events.extend(self.sealed(end));
        events.extend(usage.map(Event::Usage));
        events.push(Event::Finish(finish));
        Ok(events)
    }

    /// The end of a stream without genai's end: some servers of chat completions do not send the
    /// last line, though they have said why the answer ends.
    pub(super) fn closed(&mut self) -> Result<Vec<Event>, Trouble> {
        let seen = self.witness.seen();
        let Some(reason) = seen.finish.clone() else { return Err(cut_off()) };
        let mut events = Vec::new();
        if !seen.refusal.is_empty() {
            events.push(Event::Text(seen.refusal.clone()));
        }
        let usage = seen.usage.clone().and_then(|usage| serde_json::from_value(usage).ok());
        events.extend(usage.as_ref().map(self::usage).map(Event::Usage));
        let reason = StopReason::from(reason);
        events.push(Event::Finish(finish(Some(&reason), &seen, !self.calls.is_empty())));
        Ok(events)
    }

    /// Calls that came without a piece before the end, and arguments that did not.
    fn missing_calls(&mut self, content: Option<&MessageContent>) -> Result<Vec<Event>, Trouble> {
        let mut events = Vec::new();
        let calls = content.map(MessageContent::tool_calls).unwrap_or_default();
        for (place, call) in calls.into_iter().enumerate() {
            let Some(own) = self.calls.get(place) else {
                events.extend(self.call(call.clone()));
                continue;
            };
            let is_readable = |text: &str| serde_json::from_str::<Value>(text).is_ok();
            if !own.whole && !call.fn_arguments.is_string() && !is_readable(&own.arguments) {
                if !own.arguments.trim().is_empty() {
                    let said = "the arguments of a tool are not what was announced".to_owned();
                    return Err(Trouble::Broken { said });
                }
                let text = call.fn_arguments.to_string();
                self.calls[place].arguments.clone_from(&text);
                events.push(Event::Arguments { number: place, text });
            }
        }
        Ok(events)
    }

    /// What the provider wants back with the results of its tools, if there is anything.
    fn sealed(&self, end: StreamEnd) -> Option<Event> {
        let mut parts = end.captured_content.map(MessageContent::into_parts).unwrap_or_default();
        if self.calls.is_empty() {
            return None;
        }
        if self.protocol == Protocol::Chat {
            // Some servers that show thoughts refuse results of tools without them.
            parts.extend(end.captured_reasoning_content.map(ContentPart::ReasoningContent));
        }
        let is_special = |part: &ContentPart| match part {
            ContentPart::ThoughtSignature(_)
            | ContentPart::ReasoningContent(_)
            | ContentPart::Custom(_) => true,
            ContentPart::ToolCall(call) => call.thought_signatures.is_some(),
            _ => false,
        };
        if !parts.iter().any(is_special) {
            return None;
        }
        let mut ids = self.calls.iter().map(|call| call.id.clone());
        for part in &mut parts {
            match part {
                ContentPart::ToolCall(call) => {
                    call.call_id = ids.next().unwrap_or_default();
                    if call.fn_arguments.is_null() {
                        call.fn_arguments = json!({});
                    }
                }
                // It says nothing that is not known, and genai cannot read it back.
                ContentPart::Custom(part) => part.model_iden = None,
                _ => {}
            }
        }
        let content = serde_json::to_value(MessageContent::from_parts(parts)).ok()?;
        Some(Event::Sealed(Sealed { model: self.model.clone(), content }))
    }
}

fn cut_off() -> Trouble {
    Trouble::Broken { said: "the connection was closed before the answer was complete".to_owned() }
}

fn finish(stop: Option<&StopReason>, seen: &Seen, has_calls: bool) -> Finish {
    if seen.held_back.is_some() || !seen.refusal.is_empty() {
        return Finish::Refused;
    }
    match stop {
        Some(StopReason::MaxTokens(_)) => Finish::Length,
        Some(StopReason::ContentFilter(_)) => Finish::Refused,
        Some(StopReason::ToolCall(_)) => Finish::ToolCalls,
        // The Responses format, Gemini and some servers say "stop" after calls as well.
        Some(StopReason::Completed(_) | StopReason::StopSequence(_)) | None if has_calls => {
            Finish::ToolCalls
        }
        Some(StopReason::Completed(_) | StopReason::StopSequence(_)) | None => Finish::Stop,
        Some(other) => Finish::Other(other.raw().to_owned()),
    }
}

fn usage(usage: &genai::chat::Usage) -> Usage {
    let number =
        |value: Option<i32>| value.and_then(|value| u32::try_from(value).ok()).unwrap_or(0);
    let given = usage.prompt_tokens_details.as_ref();
    let made = usage.completion_tokens_details.as_ref();
    let input = number(usage.prompt_tokens);
    let reasoning = number(made.and_then(|made| made.reasoning_tokens));
    let mut output = number(usage.completion_tokens);
    // xAI and Gemini count thoughts apart, which only the total tells.
    if reasoning > output || number(usage.total_tokens) == input + output + reasoning {
        output += reasoning;
    }
    Usage {
        input,
        output,
        cached_input: number(given.and_then(|given| given.cached_tokens)),
        cache_write: number(given.and_then(|given| given.cache_creation_tokens)),
        reasoning,
    }
}
