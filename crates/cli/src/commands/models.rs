//! `dossier models`: the models that can be asked, with their windows, prices and tiers.

use super::Ended;
use crate::flags::ModelsFlags;
use crate::session::Session;
use crate::show::text::{left, one_line, width};
use dossier_core::catalogue::ModelInfo;
use dossier_engine::Refreshed;
use serde_json::{Value, json};

pub async fn run(session: &Session, flags: &ModelsFlags) -> anyhow::Result<Ended> {
    let Session { engine, workspace, printer, .. } = session;
    let refreshed = match flags.refresh {
        true => engine.refresh_models().await?,
        false => Vec::new(),
    };
    let models = workspace.models()?;
    let ready: Vec<&ModelInfo> = models.ready();
    let is_ready = |model: &ModelInfo| ready.contains(&model);
    let shown: Vec<&ModelInfo> = match flags.all {
        true => models.catalogue().models().iter().collect(),
        false => ready.clone(),
    };
    if flags.json {
        let models: Vec<Value> =
            shown.iter().map(|model| document(model, is_ready(model))).collect();
        let providers: Vec<Value> = refreshed.iter().map(refresh_document).collect();
        printer.json(&json!({ "models": models, "refreshed": providers }))?;
        return Ok(Ended::Done);
    }
    for provider in &refreshed {
        match &provider.models {
            Ok(models) => printer.note(&format!("{} has {models} models", provider.provider)),
            Err(error) => printer.warning(&error.to_string()),
        }
    }
    let rows: Vec<[String; 4]> =
        shown.iter().map(|model| columns(model, is_ready(model))).collect();
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    let lines = rows.iter().map(|[name, tier, window, rest]| {
        let [names, tiers, windows] = widths;
        format!("{}  {}  {}  {rest}\n", left(name, names), left(tier, tiers), left(window, windows))
    });
    printer.result(&lines.collect::<String>())?;
    Ok(Ended::Done)
}

fn columns(model: &ModelInfo, ready: bool) -> [String; 4] {
    let price = model.costs.map_or("price not known".to_owned(), |costs| {
        format!("${} in, ${} out a million", costs.input, costs.output)
    });
    let rest = if ready { price } else { format!("{price}; its provider is not set up") };
    let window = format!("{} tokens", model.window.context);
    [one_line(&model.full_name()), model.tier.as_str().to_owned(), window, rest]
}

fn document(model: &ModelInfo, ready: bool) -> Value {
    json!({
        "id": model.full_name(),
        "name": model.name,
        "context_window": model.window.context,
        "max_output": model.window.output,
        "costs": model.costs,
        "tier": model.tier,
        "capabilities": model.capabilities,
        "tokenizer": model.tokenizer,
        "ready": ready,
    })
}

fn refresh_document(refreshed: &Refreshed) -> Value {
    json!({
        "provider": refreshed.provider,
        "models": refreshed.models.as_ref().ok(),
        "problem": refreshed.models.as_ref().err().map(ToString::to_string),
    })
}
