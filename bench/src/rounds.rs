//! A conversation of a hundred rounds under `lean`: what each question takes against sending the
//! whole history, and how much of it a vendor's prefix cache would find again. Counted on what the
//! provider received.

use crate::load::{Client, Running, provider, serve, told};
use anyhow::{Context, Result, ensure};
use dossier_core::tokens::Tokenizer;
use dossier_engine::eval::{Case, Quantiles};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

const ROUNDS: usize = 100;

const MODEL: &str = "gpt-4o";

/// Everything that one request said, and how long the stable part at its beginning is.
struct Sent {
    header: String,
    text: String,
    tokens: u32,
}

pub async fn measure(case: &Case, program: &Path) -> Result<String> {
    let said = said(case);
    ensure!(said.len() == 2 * ROUNDS, "the conversation is too short");
    let replies = (0..ROUNDS).map(|round| said[2 * round + 1].to_owned()).collect();
    let (address, requests) = provider::start_with(replies).await?;
    let folder = tempfile::tempdir()?;
    let (ours, _running): (String, Running) = serve(program, folder.path(), &address.to_string())?;
    let mut client = Client::connect(&ours).await?;
    let mut conversation = Value::Null;
    for round in 0..ROUNDS {
        let mut turn = json!({
            "message": said[2 * round], "models": [MODEL], "profile": "lean",
        });
        if !conversation.is_null() {
            turn["conversation_id"] = conversation.clone();
        }
        let answer = told(client.post("/api/turn", "", &turn.to_string()).await?)?;
        ensure!(answer["replies"][0]["state"] == "replied", "{answer}");
        conversation = answer["conversation_id"].clone();
    }
    let lean: Vec<Sent> = requests
        .lock()
        .map_err(|_| anyhow::anyhow!("the provider has failed"))?
        .iter()
        .filter_map(sent)
        .collect();
    ensure!(lean.len() == ROUNDS, "{} of {ROUNDS} questions were heard", lean.len());
    table(&lean, &full(&said))
}

/// The conversation as questions and replies in turn: people write short messages, so several of
/// them in a row are one reply, about as long as a model's.
fn said(case: &Case) -> Vec<String> {
    let messages: Vec<&str> = case.messages.iter().map(|told| told.content.as_str()).collect();
    let rounds = messages.chunks_exact(messages.len() / ROUNDS).take(ROUNDS);
    rounds.flat_map(|round| [round[0].to_owned(), round[1..].join("\n\n")]).collect()
}

/// A question as it was sent; titles and summaries go to another model.
fn sent(request: &Value) -> Option<Sent> {
    let messages = request["messages"].as_array().filter(|_| request["model"] == MODEL)?;
    Some(counted(messages))
}

fn counted(messages: &[Value]) -> Sent {
    let tokenizer = Tokenizer::for_model(MODEL);
    let text = |message: &Value| {
        format!("{}: {}\n", message["role"].as_str().unwrap_or_default(), content(message))
    };
    let text: String = messages.iter().map(text).collect();
    let tokens = messages.iter().map(|message| tokenizer.count(content(message)) + 4).sum();
    let header = messages.first().map(content).unwrap_or_default().to_owned();
    Sent { header, text, tokens }
}

fn content(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

/// The same questions with everything that was said before.
fn full(said: &[String]) -> Vec<Sent> {
    let role = |place: usize| if place.is_multiple_of(2) { "user" } else { "assistant" };
    let messages: Vec<Value> = said
        .iter()
        .enumerate()
        .map(|(place, text)| json!({ "role": role(place), "content": text }))
        .collect();
    (0..ROUNDS).map(|round| counted(&messages[..=2 * round])).collect()
}

/// The share of bytes that stood at the same place in the request before.
fn reused(sent: &[Sent]) -> f64 {
    let common = |(before, after): (&Sent, &Sent)| {
        let pairs = before.text.bytes().zip(after.text.bytes());
        pairs.take_while(|(old, new)| old == new).count()
    };
    let reused: usize = sent.iter().zip(&sent[1..]).map(common).sum();
    let all: usize = sent[1..].iter().map(|sent| sent.text.len()).sum();
    reused as f64 / all as f64
}

fn table(lean: &[Sent], full: &[Sent]) -> Result<String> {
    let sum = |sent: &[Sent]| sent.iter().map(|sent| f64::from(sent.tokens)).sum::<f64>();
    let first = lean.first().context("rounds")?;
    let same = lean.iter().all(|sent| sent.header == first.header);
    let mut table = format!(
        "A conversation of {ROUNDS} rounds and {} tokens, by what the provider received:\n\n\
         | | Input tokens P50 | P90 | Most | Together | Bytes as in the request before |\n\
         |---|---|---|---|---|---|\n",
        full.last().map_or(0, |sent| sent.tokens),
    );
    for (name, sent) in [("whole history", full), ("`lean`", lean)] {
        let tokens: Vec<u32> = sent.iter().map(|sent| sent.tokens).collect();
        let most = tokens.iter().max().copied().unwrap_or(0);
        let quantiles = Quantiles::of(tokens);
        writeln!(
            table,
            "| {name} | {} | {} | {most} | {:.0} | {:.1} % |",
            quantiles.p50,
            quantiles.p90,
            sum(sent),
            100.0 * reused(sent),
        )?;
    }
    let saved = 100.0 * (1.0 - sum(lean) / sum(full));
    let same = if same { "the same bytes in all rounds" } else { "NOT the same in all rounds" };
    writeln!(table, "\n`lean` sends {saved:.1} % fewer tokens. Its header is {same}.")?;
    Ok(table)
}
