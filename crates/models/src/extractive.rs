//! The built-in model, for those who have no other: it quotes the passages of the dossier that fit
//! the question best, with their sources. It is no language model, and says so.
//!
//! Invariant: every word between quotation marks stands in the prompt; the same prompt gives the
//! same answer.

use crate::error::ModelsError;
use crate::model::{ChatModel, Events, Limits};
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Event, Finish, Message, Prompt, Usage};
use dossier_core::quote::{self, Quote};
use futures::stream::{self, StreamExt as _};

/// The model that quotes.
#[derive(Debug, Clone, PartialEq)]
pub struct Extractive {
    info: ModelInfo,
}

impl Extractive {
    pub const PROVIDER: &str = "builtin";

    pub(crate) fn new(info: ModelInfo) -> Self {
        Self { info }
    }
}

impl Default for Extractive {
    fn default() -> Self {
        Self::new(crate::builtin_catalogue().info("builtin/extractive"))
    }
}

impl ChatModel for Extractive {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, prompt: Prompt, _: Limits) -> Events {
        let model = self.clone();
        let events = stream::once(async move { model.events(&prompt) });
        events.flat_map(|events| stream::iter(events.into_iter().map(Ok::<_, ModelsError>))).boxed()
    }
}

impl Extractive {
    fn events(&self, prompt: &Prompt) -> Vec<Event> {
        let count = |text: &str| self.info.tokenizer.count(text);
        let quotes = quote::quotes(&prompt.messages);
        let opening = format!("{}\n", quote::OPENING);
        let mut pieces = vec![if quotes.is_empty() { quote::NOTHING.to_owned() } else { opening }];
        pieces.extend(quotes.iter().map(shown));
        let limit = prompt.options.max_output_tokens.unwrap_or(self.info.window.output);
        let (mut output, mut finish) = (0, Finish::Stop);
        let mut events = Vec::new();
        for piece in pieces {
            let tokens = count(&piece);
            if output + tokens > limit {
                finish = Finish::Length;
                // Something is said, however little may be.
                if events.is_empty() {
                    let said = beginning(&piece, limit, count);
                    output = count(said);
                    events.push(Event::Text(said.to_owned()));
                }
                break;
            }
            output += tokens;
            events.push(Event::Text(piece));
        }
        let input = prompt.messages.iter().map(Message::text).map(|text| count(&text)).sum();
        events.push(Event::Usage(Usage { input, output, ..Usage::default() }));
        events.push(Event::Finish(finish));
        events
    }
}

/// The words of a text that so many tokens hold, and one at the least.
fn beginning(text: &str, most: u32, count: impl Fn(&str) -> u32) -> &str {
    let ends = text.match_indices(' ').map(|(end, _)| end);
    let mut said = ends.map(|end| &text[..end]);
    let first = said.next().unwrap_or(text);
    said.take_while(|said| count(said) <= most).last().unwrap_or(first)
}

fn shown(quote: &Quote) -> String {
    let lines = quote.text.lines().map(|line| format!("> {line}\n"));
    format!("\n{}— {}\n", lines.collect::<String>(), quote.source)
}
