//! `dossier config`: every setting with its origin, and the values that the database holds.

use super::Ended;
use crate::flags::{ConfigCommand, Global};
use crate::printer::Printer;
use crate::session::{Access, given, open};
use crate::settings::{Held, HeldKey, Places, Settings};
use crate::show::style::{FAINT, paint};
use crate::show::text::{left, one_line, width};
use anyhow::bail;
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, PROJECT_SETTINGS, ProjectChange, now, surroundings};
use serde_json::{Map, Value, json};

pub async fn run(
    global: &Global,
    command: &ConfigCommand,
    printer: Printer,
) -> anyhow::Result<Ended> {
    match command {
        ConfigCommand::Show { json } => show(global, *json, printer).await?,
        ConfigCommand::Set { key, value } => set(global, *key, value, printer).await?,
        ConfigCommand::Unset { key } => unset(global, *key, printer).await?,
        ConfigCommand::Project { name, changes, json } => {
            project(global, name, changes, *json, printer).await?;
        }
    }
    Ok(Ended::Done)
}

async fn show(global: &Global, json: bool, printer: Printer) -> anyhow::Result<()> {
    let given = given(global)?;
    let places = given.places()?;
    let held = match held(&places).await {
        Ok(held) => held,
        // Whoever looks for the mistake in a URL wants to see the settings all the same.
        Err(error) => {
            printer.warning(&format!("what the database holds is not shown: {error:#}"));
            Held::new()
        }
    };
    let settings = given.settings(places, &held)?;
    match json {
        true => printer.json(&document(&settings))?,
        false => printer.result(&table(&settings))?,
    }
    Ok(())
}

/// Changes what is to be changed of a project's settings, and prints them.
async fn project(
    global: &Global,
    name: &str,
    changes: &[String],
    json: bool,
    printer: Printer,
) -> anyhow::Result<()> {
    let changes = changes.iter().map(|text| change(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let access = if changes.is_empty() { Access::Read } else { Access::Write };
    let engine = open(&given(global)?.places()?, access, Embedder::none()).await?;
    let workspace = engine.owner(&OwnerId::local());
    let mut project = workspace.existing_project(Some(name)).await?;
    if !changes.is_empty() {
        let mut settings = project.settings.as_object().cloned().unwrap_or_default();
        for (key, value) in changes {
            match value {
                Some(value) => settings.insert(key, value),
                None => settings.remove(&key),
            };
        }
        let change = ProjectChange { settings: Some(settings), ..ProjectChange::default() };
        project = workspace.change_project(&project.id, change, now()).await?;
    }
    engine.close().await;
    if json {
        return Ok(printer.json(&project.settings)?);
    }
    let settings = project.settings.as_object().cloned().unwrap_or_default();
    if settings.is_empty() {
        printer.note(&format!("project {name} has no settings of its own"));
    }
    let line = |(key, value): (&String, &Value)| format!("{key} = {value}\n");
    Ok(printer.result(&settings.iter().map(line).collect::<String>())?)
}

/// A setting and what it is to be; nothing forgets it.
fn change(text: &str) -> anyhow::Result<(String, Option<Value>)> {
    let known = || PROJECT_SETTINGS.join(", ");
    let Some((key, value)) = text.split_once('=') else {
        bail!("`{text}` changes nothing; write KEY=VALUE, where KEY is one of {}", known());
    };
    if !PROJECT_SETTINGS.contains(&key) {
        bail!("a project has no setting `{key}`; there are {}", known());
    }
    let read = || serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    Ok((key.to_owned(), (!value.is_empty()).then(read)))
}

/// Whether there is no database yet, which is no mistake: it holds nothing.
fn is_missing(places: &Places) -> bool {
    let around = surroundings(places.database.value.reveal());
    matches!(around, Ok(Some(around)) if around.database_bytes.is_none())
}

async fn held(places: &Places) -> anyhow::Result<Held> {
    if is_missing(places) {
        return Ok(Held::new());
    }
    let engine = open(places, Access::Read, Embedder::none()).await?;
    let held = engine.owner(&OwnerId::local()).config().await?;
    engine.close().await;
    Ok(held)
}

async fn set(global: &Global, key: HeldKey, value: &str, printer: Printer) -> anyhow::Result<()> {
    let value = key.check(value)?;
    let given = given(global)?;
    let engine = open(&given.places()?, Access::Write, Embedder::none()).await?;
    let workspace = engine.owner(&OwnerId::local());
    workspace.set_config(key.as_str(), &Value::from(value.as_str()), now()).await?;
    let held = workspace.config().await?;
    engine.close().await;
    printer.note(&format!("{} is now {value} in the database", key.as_str()));
    let settings = given.settings(given.places()?, &held)?;
    let stronger = settings
        .rows()
        .into_iter()
        .find(|(name, shown, _)| *name == key.as_str() && *shown != value);
    if let Some((_, shown, origin)) = stronger {
        printer.warning(&format!("{shown} still holds here: {origin} is stronger"));
    }
    Ok(())
}

async fn unset(global: &Global, key: HeldKey, printer: Printer) -> anyhow::Result<()> {
    let engine = open(&given(global)?.places()?, Access::Write, Embedder::none()).await?;
    let was_set = engine.owner(&OwnerId::local()).unset_config(key.as_str()).await?;
    engine.close().await;
    printer.note(&match was_set {
        true => format!("the database no longer holds {}", key.as_str()),
        false => format!("the database held no {}", key.as_str()),
    });
    Ok(())
}

fn document(settings: &Settings) -> Value {
    let rows = settings.rows().into_iter().map(|(key, value, origin)| {
        (key.to_owned(), json!({ "value": value, "origin": origin.to_string() }))
    });
    Value::Object(rows.collect::<Map<String, Value>>())
}

fn table(settings: &Settings) -> String {
    let rows: Vec<(&str, String, String)> = settings
        .rows()
        .into_iter()
        .map(|(key, value, origin)| {
            let value = if value.is_empty() { "-".to_owned() } else { one_line(&value) };
            (key, value, one_line(&origin.to_string()))
        })
        .collect();
    let widest = rows.iter().map(|(_, value, _)| width(value)).max().unwrap_or(0);
    let keys = rows.iter().map(|(key, ..)| key.len()).max().unwrap_or(0);
    rows.iter()
        .map(|(key, value, origin)| {
            format!("{key:<keys$}  {}  {}\n", left(value, widest), paint(FAINT, origin))
        })
        .collect()
}
