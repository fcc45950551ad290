//! `dossier doctor`: what is well, what deserves a word, what must be mended. Whatever fails on
//! the way is a finding, not the end.

use super::Ended;
use crate::flags::{DoctorFlags, Global};
use crate::models::with_models;
use crate::printer::Printer;
use crate::prompt;
use crate::session::given;
use crate::settings::{Given, Places, Settings};
use crate::show::{self, View};
use dossier_core::health::{Finding, Verdict, judge_surroundings};
use dossier_core::id::OwnerId;
use dossier_engine::{Engine, EngineError, StoreError, examine_backups, now, surroundings};
use serde_json::json;
use std::path::Path;

pub async fn run(global: &Global, flags: &DoctorFlags, printer: Printer) -> anyhow::Result<Ended> {
    let mut findings = Vec::new();
    examine(global, &mut findings).await;
    let worst = findings.iter().map(|finding| finding.verdict).max();
    match flags.json {
        true => printer.json(&json!({ "verdict": worst, "findings": findings }))?,
        false => printer.result(&show::findings(&findings, View::of(&printer)))?,
    }
    Ok(match worst {
        Some(Verdict::Problem) => Ended::Unwell,
        _ => Ended::Done,
    })
}

async fn examine(global: &Global, findings: &mut Vec<Finding>) {
    let places = given(global).and_then(|given| Ok((given.places()?, given)));
    match places {
        Ok((places, given)) => {
            look_around(&places, findings);
            let database = places.database.value.clone();
            if let Err(error) = examine_store(&given, places, findings).await {
                findings.push(match error.downcast_ref() {
                    Some(EngineError::Store(StoreError::OlderFormat { .. })) => Finding::warning(
                        "format",
                        error.to_string(),
                        "nothing has to be done; to look closer, run another command first",
                    ),
                    _ => failed("database", &error),
                });
            }
            let is_bad = |finding: &Finding| {
                finding.about == "database" && finding.verdict == Verdict::Problem
            };
            if findings.iter().any(is_bad) {
                match examine_backups(database.reveal(), now()).await {
                    Ok(backups) => findings.extend(backups),
                    Err(error) => findings.push(failed("backup", &error.into())),
                }
            }
        }
        Err(error) => findings.push(failed("settings", &error)),
    }
}

fn look_around(places: &Places, findings: &mut Vec<Finding>) {
    match surroundings(places.database.value.reveal()) {
        Ok(Some(around)) => findings.extend(judge_surroundings(&around)),
        Ok(None) => {}
        Err(error) => findings.push(failed("database", &error.into())),
    }
}

async fn examine_store(
    given: &Given,
    places: Places,
    findings: &mut Vec<Finding>,
) -> anyhow::Result<()> {
    let engine = Engine::open_as_it_is(places.database.value.reveal()).await?;
    let owner = OwnerId::local();
    let held = engine.owner(&owner).config().await?;
    let settings = match given.settings(places, &held) {
        Ok(settings) => settings,
        Err(error) => {
            findings.push(failed("settings", &error));
            findings.extend(engine.examine(&engine.owner(&owner), now()).await?);
            return Ok(());
        }
    };
    findings.push(Finding::ok("settings", format!("database {}", settings.places.database.value)));
    findings.extend(examine_prompt(&settings.places.data.value));
    let key = settings.embedder_key.value.clone();
    let engine = engine.with_embedder(settings.embedder.value.embedder(key));
    let workspace = engine.owner(&owner);
    findings.extend(examine_providers(&engine, &settings).await);
    let examined = engine.examine(&workspace, now()).await;
    findings.push(engine.examine_embedder(&workspace).await?);
    findings.extend(examined?);
    engine.close().await;
    Ok(())
}

async fn examine_providers(engine: &Engine, settings: &Settings) -> Vec<Finding> {
    let examined = async {
        let engine = with_models(engine.clone(), settings).await?;
        anyhow::Ok(engine.examine_providers().await?)
    };
    examined.await.unwrap_or_else(|error| vec![failed("provider", &error)])
}

/// A system prompt of the user's own, which may be broken.
fn examine_prompt(data: &Path) -> Option<Finding> {
    const ABOUT: &str = "prompt";
    match prompt::own(data) {
        Ok(None) => None,
        Ok(Some(_)) => Some(Finding::ok(ABOUT, format!("{} is used", prompt::FILE_NAME))),
        Err(error) => Some(failed(ABOUT, &error)),
    }
}

/// What an error says already tells how to mend it.
fn failed(about: &'static str, error: &anyhow::Error) -> Finding {
    Finding { about, verdict: Verdict::Problem, what: format!("{error:#}"), mend: None }
}
