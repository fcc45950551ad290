//! `dossier mcp`: the door for a client that starts the program and speaks with it.

use super::Ended;
use crate::flags::{Global, McpFlags};
use crate::log;
use crate::models::with_models;
use crate::printer::Printer;
use crate::prompt::with_prompt;
use crate::session::{Access, Session, given};
use crate::settings::Settings;
use dossier_engine::Roots;
use dossier_mcp::{ClientRoots, Mcp, Options, serve_stdio};

pub async fn run(global: &Global, flags: &McpFlags, printer: Printer) -> anyhow::Result<Ended> {
    let session = Session::begin(global, printer, Access::Write).await?;
    let held = session.workspace.config().await?;
    let settings = given(global)?.server(None, &held)?;
    log::begin(settings.log.value, printer, None)?;
    let engine = with_prompt(session.engine.clone(), &session.settings.places.data.value)?;
    let engine = with_models(engine, &session.settings).await?;
    let here = [std::env::current_dir()?];
    let roots = Roots::new(if flags.roots.is_empty() { &here } else { &flags.roots })?;
    let client_roots = match flags.roots.is_empty() {
        true => ClientRoots::Believed,
        false => ClientRoots::Ignored,
    };
    let project = flags.project.clone();
    let mut options = Options { roots, client_roots, project, ..options(&session.settings) };
    if !flags.tools.is_empty() {
        options.sets = flags.tools.iter().copied().collect();
    }
    let workspace = engine.owner(session.workspace.owner());
    tokio::spawn(async move {
        // What a call that was killed has left at a provider; what cannot be deleted now is by the
        // next call.
        let _ = workspace.sweep_hosted().await;
    });
    serve_stdio(Mcp::new(engine.clone(), options)).await?;
    engine.close().await;
    Ok(Ended::Done)
}

/// What clients are offered, as the settings have it.
pub fn options(settings: &Settings) -> Options {
    Options {
        model: settings.model.value.0.first().cloned(),
        profile: settings.profile.value,
        maxima: settings.maxima(),
        ..Options::new(settings.grace_days.value)
    }
}
