//! `dossier config`: every setting with its origin, and the values that the database holds.

use super::Ended;
use crate::flags::{ConfigCommand, Global};
use crate::printer::Printer;
use crate::session::{Access, given, open};
use crate::settings::{Held, HeldKey, Places, Settings};
use crate::show::style::{FAINT, paint};
use crate::show::text::{left, one_line, width};
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, now, surroundings};
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
