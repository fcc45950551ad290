//! `dossier refs`: contents that were stored once and stand in texts by their names.

use super::Ended;
use super::input::read_text;
use crate::flags::RefsCommand;
use crate::session::Session;
use crate::show::text::{left, one_line, width};
use dossier_core::refs::Slice;
use dossier_engine::{ExpandRequest, NewRef, RefShown, now};
use serde_json::{Value, json};

pub async fn run(session: &Session, command: &RefsCommand) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let now = now();
    match command {
        RefsCommand::Add { file, kind, project, days, json } => {
            let text = read_text(file)?;
            let project = match project {
                Some(name) => Some(workspace.existing_project(Some(name)).await?.id),
                None => None,
            };
            let named = file.as_os_str() != "-";
            let new = NewRef {
                text,
                kind: kind.clone(),
                project,
                file: named.then(|| file.display().to_string()),
                source: json!({ "from": "command line" }),
                days: *days,
                ..NewRef::default()
            };
            let (shown, _) = workspace.put_ref(new, now).await?;
            show(session, &shown, *json)?;
        }
        RefsCommand::List { kind, filter, limit, json } => {
            let most = usize::from(*limit);
            let page =
                workspace.list_refs(kind.as_deref(), filter.as_deref(), None, most, now).await?;
            list(session, &page.refs, *json)?;
            if page.next.is_some() {
                printer.note("there are more; to see them: --limit with a higher number");
            }
        }
        RefsCommand::Show { name, json } => {
            show(session, &workspace.get_ref(name, now).await?, *json)?;
        }
        RefsCommand::Expand { name, fields, offset, limit, json } => {
            let slice = (offset.is_some() || limit.is_some())
                .then(|| Slice { offset: offset.unwrap_or(0), limit: *limit });
            let request = ExpandRequest { fields: fields.clone(), slice };
            let given = workspace.expand_ref(name, &request, now).await?;
            if given.was_stale && !json {
                printer.note("it was stale: its source may have changed since");
            }
            match json {
                true => printer.json(&json!({
                    "id": given.id, "content": given.text, "total": given.total,
                    "was_stale": given.was_stale,
                }))?,
                false => printer.result(&ended(&given.text))?,
            }
        }
        RefsCommand::Stale { name } => {
            let shown = workspace.mark_ref_stale(name, now).await?;
            printer.note(&format!("{} is stale until it is expanded or stored again", shown.name));
        }
        RefsCommand::Forget { name } => {
            let gone = workspace.forget_ref(name, now).await?;
            printer.note(&format!("{} is gone for good", gone.name));
        }
    }
    Ok(Ended::Done)
}

fn show(session: &Session, shown: &RefShown, json: bool) -> anyhow::Result<()> {
    if json {
        let mut document = document(shown);
        document["compressed"] = json!(shown.row.compressed);
        return Ok(session.printer.json(&document)?);
    }
    let by = match &shown.row.summary_model {
        Some(model) => format!(" [summary by {model}]"),
        None => String::new(),
    };
    let text = format!("{}\n{}{by}\n\n{}", shown.name, shown.summary(), shown.row.compressed);
    Ok(session.printer.result(&ended(&text))?)
}

fn list(session: &Session, refs: &[RefShown], json: bool) -> anyhow::Result<()> {
    if json {
        let refs: Vec<Value> = refs.iter().map(document).collect();
        return Ok(session.printer.json(&json!({ "refs": refs }))?);
    }
    let longest = refs.iter().map(|shown| width(&shown.name.to_string())).max().unwrap_or(0);
    let rows = refs.iter().map(|shown| {
        let name = left(&shown.name.to_string(), longest);
        format!("{name}  {}\n", one_line(&shown.summary()))
    });
    Ok(session.printer.result(&rows.collect::<String>())?)
}

fn document(shown: &RefShown) -> Value {
    let row = &shown.row;
    json!({
        "id": shown.name.to_string(),
        "full_id": shown.whole_name().to_string(),
        "kind": row.kind.as_str(),
        "summary": shown.summary(),
        "summary_by": shown.summary_by(),
        "tokens": row.tokens,
        "compressed_tokens": row.compressed_tokens,
        "freshness": shown.freshness,
        "is_stale": shown.is_stale,
        "access_count": row.access_count,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "last_accessed_at": row.last_accessed_at,
        "project_id": row.project.as_ref().map(ToString::to_string),
        "source": row.source,
    })
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
