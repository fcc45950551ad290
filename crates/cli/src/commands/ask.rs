//! `dossier ask`: one question for one or several models, with the answers as they come.

use super::{Ended, input};
use crate::flags::{AskFlags, TalkFlags};
use crate::models;
use crate::session::Session;
use anyhow::bail;
use dossier_core::chat::Options;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::sameness::{Cached, Likeness};
use dossier_engine::{
    Attachment, Freshness, Replied, Terms, TurnEvent, TurnRequest, TurnStream, Workspace, now,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The document for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    turn: &'a str,
    conversation_id: &'a str,
    replies: Vec<Told<'a>>,
    errors: Vec<&'a TurnEvent>,
}

/// A reply, with what its model's budgets and its dossier warned of.
#[derive(Debug, Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    reply: &'a Replied,
    warnings: &'a [String],
}

pub async fn run(session: &Session, flags: &AskFlags) -> anyhow::Result<Ended> {
    let workspace = &session.workspace;
    let message = question(&flags.question)?;
    let attachments = flags.attach.iter().map(|path| attachment(path)).collect::<Result<_, _>>()?;
    let request = TurnRequest { message, attachments, ..request(session, &flags.talk).await? };
    let ended = if flags.json {
        as_json(session, workspace.turn(&request).await?).await?
    } else {
        let (ended, thread) = show(session, workspace.turn(&request).await?).await?;
        session.printer.note(&format!("to go on: dossier ask --thread {thread} \"…\""));
        ended
    };
    finish(workspace, &request.project.id).await?;
    Ok(ended)
}

/// A turn as the flags say, with nothing asked yet.
pub async fn request(session: &Session, flags: &TalkFlags) -> anyhow::Result<TurnRequest> {
    let Session { workspace, settings, .. } = session;
    let now = now();
    let project = workspace.project(flags.frame.project.as_deref(), now).await?;
    let thread = match &flags.frame.thread {
        Some(name) => Some(workspace.thread(&project.id, name).await?.id),
        None => None,
    };
    Ok(TurnRequest {
        models: models::chosen(session, Some(&project), &flags.model)?,
        project,
        thread,
        message: String::new(),
        attachments: Vec::new(),
        client_message_id: None,
        terms: Terms {
            profile: flags.frame.profile.unwrap_or(settings.profile.value),
            budget: flags.frame.budget,
            options: Options::thinking(flags.effort),
            brought: None,
            freshness: if flags.fresh { Freshness::Anew } else { Freshness::Kept },
        },
        now,
    })
}

/// What is done after a reply; more waits for the next, or for `dossier maintain`.
const MOST_JOBS: usize = 4;

/// What follows from a turn is done before the program ends, since nobody else would.
pub async fn finish(workspace: &Workspace, project: &ProjectId) -> anyhow::Result<()> {
    workspace.turns_idle().await;
    workspace.work_some(MOST_JOBS).await?;
    workspace.embed_pending(project, &dossier_engine::Silent).await?;
    Ok(())
}

/// The question itself, or what standard input says for `-`.
fn question(given: &str) -> anyhow::Result<String> {
    let question = match given {
        "-" => input::read_text(Path::new(given))?,
        question => question.to_owned(),
    };
    if question.trim().is_empty() {
        bail!("the message is empty; ask something");
    }
    Ok(question)
}

fn attachment(path: &Path) -> anyhow::Result<Attachment> {
    Ok(Attachment::Text { name: path.display().to_string(), content: input::read_text(path)? })
}

async fn as_json(session: &Session, mut stream: TurnStream) -> anyhow::Result<Ended> {
    let turn = stream.turn.clone();
    let mut events = Vec::new();
    while let Some((_, event)) = heard(session, &mut stream).await? {
        events.push(event);
    }
    let reply = |event: &'_ std::sync::Arc<TurnEvent>| matches!(&**event, TurnEvent::Reply(_));
    let mut warnings: BTreeMap<&str, &[String]> = BTreeMap::new();
    for event in &events {
        // A second dossier of a model takes the place of its first.
        if let TurnEvent::Dossier { model, warnings: of_this, .. } = &**event {
            warnings.insert(model, of_this);
        }
    }
    let answer = Answer {
        turn: turn.id.as_str(),
        conversation_id: turn.thread.as_str(),
        replies: events
            .iter()
            .filter_map(|event| match &**event {
                TurnEvent::Reply(reply) => {
                    let warnings = warnings.get(&*reply.model).copied().unwrap_or_default();
                    Some(Told { reply, warnings })
                }
                _ => None,
            })
            .collect(),
        errors: events
            .iter()
            .map(AsRef::as_ref)
            .filter(|event| matches!(event, TurnEvent::Error { .. }))
            .collect(),
    };
    session.printer.json(&answer)?;
    Ok(if events.iter().any(reply) { Ended::Done } else { Ended::Unwell })
}

/// The next event; Ctrl-C gives the turn up, and its end is still told.
async fn heard(
    session: &Session,
    stream: &mut TurnStream,
) -> anyhow::Result<Option<(usize, std::sync::Arc<TurnEvent>)>> {
    let turn = stream.turn.id.clone();
    tokio::select! {
        event = stream.next() => Ok(event),
        pressed = tokio::signal::ctrl_c() => {
            pressed?;
            session.workspace.cancel_turn(&turn).await?;
            Ok(stream.next().await)
        }
    }
}

/// Prints answers as they come: of one model piece by piece, of several each when it is whole.
pub async fn show(session: &Session, mut stream: TurnStream) -> anyhow::Result<(Ended, ThreadId)> {
    let printer = session.printer;
    let thread = stream.turn.thread.clone();
    let alone = stream.turn.replies.len() == 1;
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    let mut thought: BTreeMap<String, String> = BTreeMap::new();
    let mut replied = false;
    while let Some((_, event)) = heard(session, &mut stream).await? {
        match &*event {
            TurnEvent::Dossier { model, receipt, tokens, warnings, cached, .. } => {
                for warning in warnings {
                    printer.warning(warning);
                }
                printer.note(&match cached {
                    Some(cached) if cached.stale => {
                        format!("{model} cannot be reached ({receipt})")
                    }
                    Some(_) => format!("{model} is not asked ({receipt})"),
                    None => format!("{model} is given {tokens} tokens ({receipt})"),
                });
                shown.remove(model);
            }
            TurnEvent::Delta { model, text, reasoning } => {
                thought.entry(model.clone()).or_default().push_str(reasoning);
                if !text.is_empty()
                    && let Some(thoughts) = thought.remove(model).filter(|text| !text.is_empty())
                {
                    printer.note(&format!("{model} thought: {}", thoughts.trim()));
                }
                if alone {
                    printer.piece(text)?;
                    shown.entry(model.clone()).or_default().push_str(text);
                }
            }
            TurnEvent::Call { .. } | TurnEvent::Arguments { .. } => {}
            TurnEvent::Tool { model, name, arguments, .. } => {
                printer.note(&format!("{model} uses {name} {arguments}"));
            }
            TurnEvent::Reply(reply) => {
                replied = true;
                let so_far = shown.remove(&reply.model).unwrap_or_default();
                if !alone {
                    printer.piece(&format!("{}:\n{}\n\n", reply.model, reply.text.trim_end()))?;
                } else if so_far == reply.text {
                    printer.piece("\n")?;
                } else {
                    printer.piece(&format!("\n{}\n", reply.text))?;
                }
                if let Some(cached) = &reply.cached {
                    printer.note(&repeated(&reply.model, cached, alone));
                }
                if let Some(cost) = reply.cost.filter(|cost| *cost > 0.0) {
                    printer.note(&format!("{} cost ${cost:.4}", reply.model));
                }
            }
            TurnEvent::Error { model, message, .. } => {
                let said = if message.starts_with(model.as_str()) {
                    message.clone()
                } else {
                    format!("{model}: {message}")
                };
                printer.warning(&said);
            }
            TurnEvent::Done { .. } => {}
        }
    }
    Ok((if replied { Ended::Done } else { Ended::Unwell }, thread))
}

/// That an answer was given before, and how to get another.
fn repeated(model: &str, cached: &Cached, alone: bool) -> String {
    let minutes = (now().as_millis() - cached.kept_at.as_millis()).max(0) / 60_000;
    let who = if alone { String::new() } else { format!("{model} is ") };
    let how = match cached.how {
        Likeness::Exact => "",
        Likeness::Paraphrase => " for the same question in other words",
    };
    let when = if cached.stale { "later, for its time is over" } else { "with --fresh" };
    format!("{who}answered from the cache (kept {minutes} min ago{how}); ask again {when}")
}
