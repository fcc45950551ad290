//! What genai leaves out of the frames it reads: refusals, why an answer was held back, and that
//! an answer had ended where the server then says no more.

use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// What was seen in the frames of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The words with which the model declined.
    pub refusal: String,
    /// Why the provider held the answer back.
    pub held_back: Option<String>,
    /// The reason for which a chat completion ended.
    pub finish: Option<String>,
    pub usage: Option<Value>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Witness(Arc<Mutex<Seen>>);

impl Witness {
    pub(super) fn seen(&self) -> Seen {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, frame: &Value) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = |at: &str| frame.pointer(at).and_then(Value::as_str);
        if let Some(refusal) = text("/choices/0/delta/refusal") {
            seen.refusal.push_str(refusal);
        }
        if text("/type") == Some("response.refusal.delta") {
            seen.refusal.push_str(text("/delta").unwrap_or_default());
        }
        if let Some(reason) = text("/response/incomplete_details/reason")
            && reason != "max_output_tokens"
        {
            seen.held_back = Some(reason.to_owned());
        }
        if let Some(reason) = text("/promptFeedback/blockReason") {
            seen.held_back = Some(reason.to_owned());
        }
        if let Some(finish) = text("/choices/0/finish_reason") {
            seen.finish = Some(finish.to_owned());
        }
        if let Some(usage) = frame.get("usage").filter(|usage| usage.is_object()) {
            seen.usage = Some(usage.clone());
        }
    }
}

impl ChatFrameSink for Witness {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        if is_telling(frame.data)
            && let Some(frame) = frame.json()
        {
            self.note(&frame);
        }
    }
}

/// Whether a frame may hold something of interest. Most do not and need not be read twice: many
/// servers name everything in every frame, and say `null` of what there is not.
fn is_telling(frame: &str) -> bool {
    const NAMES: [&str; 5] =
        ["refusal", "incomplete_details", "blockReason", "finish_reason", "\"usage\""];
    let is_null = |rest: &str| {
        let rest = rest.strip_prefix('"').unwrap_or(rest).trim_start();
        let value = rest.strip_prefix(':').map(str::trim_start);
        value.is_some_and(|value| value.starts_with("null"))
    };
    NAMES.iter().any(|name| {
        frame.match_indices(name).any(|(place, _)| !is_null(&frame[place + name.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_frame_that_only_names_things_tells_nothing() {
        for (frame, expected) in [
            (r#"{"delta": {"content": "x"}, "finish_reason":null}"#, false),
            (r#"{"finish_reason" : null, "usage": null}"#, false),
            (r#"{"finish_reason": null, "usage":{"prompt_tokens": 1}}"#, true),
            (r#"{"finish_reason":"stop"}"#, true),
            (r#"{"type":"response.refusal.delta"}"#, true),
            (r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, true),
            (r#"{"candidates":[], "usageMetadata":{"totalTokenCount": 1}}"#, false),
        ] {
            assert_eq!(is_telling(frame), expected, "{frame}");
        }
    }

    #[test]
    fn what_a_provider_holds_back_is_noted_with_its_reason() {
        let witness = Witness::default();
        witness.note(&json!({"choices": [{"delta": {"refusal": "I can"}}]}));
        witness.note(&json!({"type": "response.refusal.delta", "delta": "not."}));
        witness.note(&json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
        witness.note(&json!({"response": {"incomplete_details": {"reason": "max_output_tokens"}}}));
        let expected = Seen {
            refusal: "I cannot.".to_owned(),
            finish: Some("stop".to_owned()),
            ..Seen::default()
        };
        assert_eq!(witness.seen(), expected);
        witness.note(&json!({"response": {"incomplete_details": {"reason": "content_filter"}}}));
        assert_eq!(witness.seen().held_back.as_deref(), Some("content_filter"));
    }
}
