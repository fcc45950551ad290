//! What the provider of a script says.

use serde_json::{Value, json};

/// A reply: a head, pieces that the client reads one by one, and how it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pub(crate) pieces: Vec<Vec<u8>>,
    pub(crate) ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    /// The connection is closed in the middle.
    CutOff,
    /// Nothing more comes, and the connection stays open.
    Hangs,
}

impl Reply {
    fn new(status: u16, content_type: &str, pieces: Vec<Vec<u8>>) -> Self {
        let headers = vec![("content-type", content_type.to_owned())];
        Self { status, headers, pieces, ending: Ending::Whole }
    }

    /// A stream of events, each in a piece of its own.
    pub fn events(text: &str) -> Self {
        let frames = text.split_inclusive("\n\n").map(|frame| frame.as_bytes().to_vec());
        Self::new(200, "text/event-stream", frames.collect())
    }

    /// A stream of events in pieces of so many bytes, wherever that cuts them.
    pub fn events_in_pieces_of(bytes: usize, text: &str) -> Self {
        let pieces = text.as_bytes().chunks(bytes.max(1)).map(<[u8]>::to_vec);
        Self::new(200, "text/event-stream", pieces.collect())
    }

    /// An answer that is no stream.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json", vec![body.to_string().into_bytes()])
    }

    /// An answer of a chat completion, with its usage.
    pub fn chat(text: &str) -> Self {
        Self::chat_until(text, "stop", 10)
    }

    /// The same of a model that shows what it thinks, piece by piece.
    pub fn chat_after(thoughts: &[&str], text: &str) -> Self {
        let thoughts = thoughts.iter().map(|thought| json!({"reasoning_content": thought}));
        Self::chat_of(thoughts.chain([json!({"content": text})]), "stop", 10)
    }

    /// The same to a prompt of so many tokens.
    pub fn chat_taking(text: &str, input: u32) -> Self {
        Self::chat_until(text, "stop", input)
    }

    /// The same where the output's limit has ended it.
    pub fn chat_cut(text: &str) -> Self {
        Self::chat_until(text, "length", 10)
    }

    fn chat_until(text: &str, finish: &str, input: u32) -> Self {
        Self::chat_of([json!({"content": text})], finish, input)
    }

    fn chat_of(said: impl IntoIterator<Item = Value>, finish: &str, input: u32) -> Self {
        let chunk = |delta: Value, finish: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]})
        };
        let usage =
            json!({"prompt_tokens": input, "completion_tokens": 5, "total_tokens": input + 5});
        let begin = json!({"role": "assistant", "content": ""});
        let said = [begin].into_iter().chain(said).map(|delta| chunk(delta, Value::Null));
        let end = [
            chunk(json!({}), json!(finish)),
            json!({"id": "chatcmpl-1", "choices": [], "usage": usage}),
        ];
        let frames: String = said.chain(end).map(|frame| format!("data: {frame}\n\n")).collect();
        Self::events(&format!("{frames}data: [DONE]\n\n"))
    }

    /// Nothing, ever.
    pub fn silence() -> Self {
        let silence = Self::new(200, "text/event-stream", Vec::new());
        Self { status: 0, ending: Ending::Hangs, ..silence }
    }

    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same, but after its pieces the connection is closed.
    #[must_use]
    pub fn cut_off(self) -> Self {
        Self { ending: Ending::CutOff, ..self }
    }

    /// The same, but after its pieces nothing more comes.
    #[must_use]
    pub fn then_silence(self) -> Self {
        Self { ending: Ending::Hangs, ..self }
    }

    pub(crate) fn end_of_script() -> Self {
        Self::json(500, &json!({"error": {"message": "the script has come to its end"}}))
    }

    /// The lines before the pieces; none at all for silence.
    pub(crate) fn head(&self) -> Vec<u8> {
        if self.status == 0 {
            return Vec::new();
        }
        let mut head = format!("HTTP/1.1 {} So\r\ntransfer-encoding: chunked\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}
