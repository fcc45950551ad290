//! Passing a request on as it is. Nothing is assembled and nothing is kept but what it took, and
//! that without holding a byte back; a budget that is spent stops it.

use crate::error::EngineError;
use crate::mint;
use crate::workspace::Workspace;
use bytes::Bytes;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Prompt, Usage};
use dossier_core::id::ProjectId;
use dossier_core::savings::Savings;
use dossier_core::time::Timestamp;
pub use dossier_models::Wire;
use dossier_models::{ChatModel, Events, Forward, Limits, ModelsError, Passed};
use dossier_store::{Project, UsageRow};
use futures::stream::{self, BoxStream, StreamExt as _};
use serde_json::Value;
use std::sync::Arc;

/// What usage is counted under.
const COMPONENT: &str = "forward";

/// The end of an answer, where providers tell what it took.
const TAIL: usize = 1 << 15;

/// How a request can be passed on.
#[derive(Debug)]
pub enum Forwarded {
    /// As it is: the provider speaks the format.
    AsItIs(Box<Relayed>),
    /// By way of a prompt.
    Translated(Box<Translated>),
}

/// A request that its provider understands.
#[derive(Debug)]
pub struct Relayed {
    forward: Forward,
    toll: Toll,
}

/// A request that has to be translated for its provider.
#[derive(Debug)]
pub struct Translated {
    model: Arc<dyn ChatModel>,
    toll: Toll,
}

/// Who pays.
#[derive(Debug, Clone)]
struct Toll {
    workspace: Workspace,
    project: Option<ProjectId>,
    info: ModelInfo,
}

impl Workspace {
    /// How a request for this model can be passed on. Fails when a budget is spent.
    pub async fn forward(
        &self,
        wire: Wire,
        model: &str,
        project: Option<&Project>,
        now: Timestamp,
    ) -> Result<Forwarded, EngineError> {
        let models = self.models()?;
        let forward = models.forward(model, wire)?;
        self.check_budgets(project, now).await?;
        let project = project.map(|project| project.id.clone());
        let toll = |info: &ModelInfo| Toll { workspace: self.clone(), project, info: info.clone() };
        Ok(match forward {
            Some(forward) => {
                let toll = toll(forward.info());
                Forwarded::AsItIs(Box::new(Relayed { forward, toll }))
            }
            None => {
                let model = models.get(model)?;
                let toll = toll(model.info());
                Forwarded::Translated(Box::new(Translated { model, toll }))
            }
        })
    }
}

impl Relayed {
    /// The name that the provider has for the model.
    pub fn model(&self) -> &str {
        &self.toll.info.id
    }

    pub async fn send(self, body: Bytes) -> Result<Passed, EngineError> {
        let Passed { status, headers, body } = self.forward.send(body).await?;
        Ok(Passed { status, headers, body: counted(body, self.toll) })
    }
}

impl Translated {
    pub fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    /// The answer as it comes.
    pub fn ask(self, prompt: Prompt) -> Events {
        let Self { model, toll } = self;
        let events = model.ask(prompt, Limits::default());
        let told = events.inspect(move |event| {
            if let Ok(dossier_core::chat::Event::Usage(usage)) = event {
                toll.clone().pay(*usage);
            }
        });
        told.boxed()
    }
}

impl Toll {
    /// Counts what a call took; whoever waits for the answer does not wait for this.
    fn pay(self, tokens: Usage) {
        tokio::spawn(async move {
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
        });
    }
}

type Pieces = BoxStream<'static, Result<Bytes, ModelsError>>;

/// The same pieces; when they are over, what they told of their usage is counted.
fn counted(body: Pieces, toll: Toll) -> Pieces {
    stream::unfold((body, Vec::new(), toll), |(mut body, mut tail, toll)| async move {
        match body.next().await {
            Some(piece) => {
                if let Ok(piece) = &piece {
                    remember(&mut tail, piece);
                }
                Some((piece, (body, tail, toll)))
            }
            None => {
                if let Some(usage) = told_usage(&tail) {
                    toll.pay(usage);
                }
                None
            }
        }
    })
    .boxed()
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
}
