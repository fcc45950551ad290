//! `dossier facts`: what is remembered.

use super::Ended;
use crate::flags::FactsCommand;
use crate::session::Session;
use crate::show::text::one_line;
use dossier_core::id::FactId;
use dossier_engine::{FactChange, FactFilter, FactQuery, FactShown, FactState, NewFact, now};
use serde_json::{Value, json};

pub async fn run(session: &Session, command: &FactsCommand) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let now = now();
    match command {
        FactsCommand::Add { text, project, kind, tags, pin, json } => {
            let project = workspace.project(project.as_deref(), now).await?;
            let kind = kind.map(Into::into);
            let new = NewFact { text: text.clone(), kind, tags: tags.clone(), pinned: *pin };
            let shown = workspace.remember(&project.id, &new, now).await?;
            embed(session, &shown).await?;
            show(session, &shown, *json)?;
        }
        FactsCommand::List { project, state, kind, tag, limit, json } => {
            let project = match project {
                Some(name) => Some(workspace.existing_project(Some(name)).await?.id),
                None => None,
            };
            let filter = FactFilter {
                project,
                state: state.state(),
                kind: kind.map(Into::into),
                tag: tag.clone(),
                text: None,
            };
            let page = workspace.list_facts(&filter, None, usize::from(*limit), now).await?;
            match json {
                true => {
                    let facts: Vec<Value> = page.facts.iter().map(document).collect();
                    printer.json(&json!({ "facts": facts, "total": page.total }))?;
                }
                false => printer.result(&page.facts.iter().map(line).collect::<String>())?,
            }
            if page.facts.is_empty() {
                printer.note("nothing is remembered; to remember something: dossier facts add");
            }
            if page.next.is_some() {
                printer.note("there are more; to see them: --limit with a higher number");
            }
        }
        FactsCommand::Search { query, project, tags, limit, json } => {
            let project = workspace.existing_project(project.as_deref()).await?;
            let count = limit.map(usize::from);
            let sought = FactQuery {
                project: Some(&project.id),
                query,
                tags,
                count,
                ..FactQuery::default()
            };
            let found = workspace.top_facts(&sought, now).await?;
            match json {
                true => {
                    let fact = |recalled: &dossier_engine::Recalled| {
                        let mut document = document(&recalled.shown);
                        document["similarity"] = json!(recalled.similarity);
                        document["shared_tags"] = json!(recalled.shared_tags);
                        document["freshness"] = json!(recalled.freshness);
                        document
                    };
                    let facts: Vec<Value> = found.iter().map(fact).collect();
                    printer.json(&json!({ "facts": facts }))?;
                }
                false => {
                    let lines = found.iter().map(|recalled| {
                        format!("{:.2}  {}", recalled.similarity, line(&recalled.shown))
                    });
                    printer.result(&lines.collect::<String>())?;
                }
            }
        }
        FactsCommand::Show { id, json } => {
            show(session, &workspace.fact(&id.as_str().into(), now).await?, *json)?;
        }
        FactsCommand::Edit { id, text, kind, tags, accept, json } => {
            let change = FactChange {
                text: text.clone(),
                kind: kind.map(Into::into),
                tags: (!tags.is_empty()).then(|| tags.clone()),
                accepted: *accept,
                ..FactChange::default()
            };
            let id = FactId::from(id.as_str());
            let shown = workspace.change_fact(&id, &change, now).await?;
            embed(session, &shown).await?;
            show(session, &shown, *json)?;
        }
        FactsCommand::Pin { id } => pin(session, id, true).await?,
        FactsCommand::Unpin { id } => pin(session, id, false).await?,
        FactsCommand::Forget { id } => {
            let gone = workspace.forget_fact(&id.as_str().into(), now).await?;
            printer.note(&format!("{} is gone for good", gone.fact.id));
        }
    }
    Ok(Ended::Done)
}

/// Lets meaning find what was written, where there is an embedder.
async fn embed(session: &Session, shown: &FactShown) -> anyhow::Result<()> {
    if let Some(problem) = session.workspace.embed_facts(&shown.project).await? {
        session.printer.warning(&format!("it is found by words alone: {problem}"));
    }
    Ok(())
}

async fn pin(session: &Session, id: &str, pinned: bool) -> anyhow::Result<()> {
    let change = FactChange { pinned: Some(pinned), ..FactChange::default() };
    let shown = session.workspace.change_fact(&id.into(), &change, now()).await?;
    let what = if pinned { "pinned" } else { "no longer pinned" };
    session.printer.note(&format!("{} is {what}", shown.fact.id));
    Ok(())
}

fn show(session: &Session, shown: &FactShown, json: bool) -> anyhow::Result<()> {
    if json {
        return Ok(session.printer.json(&document(shown))?);
    }
    let fact = &shown.fact;
    let mut text = format!("{}\n{}\n", line(shown).trim_end(), span(shown));
    if fact.source.quote != fact.text {
        text.push_str(&format!("from: {}\n", one_line(&fact.source.quote)));
    }
    if let Some(message) = &fact.source.message {
        text.push_str(&format!("said in {message}\n"));
    }
    Ok(session.printer.result(&text)?)
}

/// From when until when it holds, and what has become of it.
fn span(shown: &FactShown) -> String {
    let fact = &shown.fact;
    let mut text = format!("{} since {}", shown.state.as_str(), fact.valid_from.date());
    if shown.state == FactState::Closed {
        let until = fact.valid_until.map(|until| until.date().to_string()).unwrap_or_default();
        text = format!("held from {} to {until}", fact.valid_from.date());
    }
    if let Some(newer) = &fact.superseded_by {
        text.push_str(&format!(", closed by {newer}"));
    }
    if let Some(doubt) = fact.doubt {
        text.push_str(&format!(", {}", doubt.as_str()));
    }
    text
}

fn line(shown: &FactShown) -> String {
    let fact = &shown.fact;
    let pinned = if fact.pinned { ", pinned" } else { "" };
    let kind = fact.kind.as_str();
    let tags = fact.tags.iter().filter(|tag| *tag != kind).map(|tag| format!(", {tag}"));
    let tags: String = tags.collect();
    format!("{}  {} [{kind}{tags}{pinned}]\n", fact.id, one_line(&fact.text))
}

fn document(shown: &FactShown) -> Value {
    let fact = &shown.fact;
    json!({
        "id": fact.id,
        "project_id": shown.project,
        "kind": fact.kind,
        "text": fact.text,
        "quote": fact.source.quote,
        "conversation_id": fact.source.thread,
        "message_id": fact.source.message,
        "tags": fact.tags,
        "topic": fact.topic,
        "created_at": fact.created_at,
        "confirmed_at": fact.confirmed_at,
        "valid_from": fact.valid_from,
        "valid_until": fact.valid_until,
        "superseded_by": fact.superseded_by,
        "pinned": fact.pinned,
        "doubt": fact.doubt,
        "state": shown.state.as_str(),
    })
}
