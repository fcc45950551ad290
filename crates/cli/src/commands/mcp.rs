//! `dossier mcp`: the door for a client that starts the program and speaks with it.

use super::Ended;
use super::serve::ServedSettings;
use crate::flags::{Global, McpFlags};
use crate::log;
use crate::models::with_models_beside;
use crate::printer::Printer;
use crate::prompt::with_prompt;
use crate::session::{Access, Session, given};
use dossier_core::maxima::Maxima;
use dossier_engine::{BackupWhen, Engine, Keeping, Listener, Roots, now};
use dossier_mcp::{ClientRoots, Mcp, Options, serve_stdio};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether the daily backup is due.
const HOUR: Duration = Duration::from_secs(3600);

/// How long the end waits for the database: the client waits for the end.
const CLOSING: Duration = Duration::from_millis(300);

pub async fn run(global: &Global, flags: &McpFlags, printer: Printer) -> anyhow::Result<Ended> {
    let session = Session::begin(global, printer, Access::Write).await?;
    let held = session.workspace.config().await?;
    let given = given(global)?;
    let settings = given.server(&held)?;
    log::begin(&settings, None)?;
    let engine = with_prompt(session.engine.clone(), &session.settings.places.data.value)?;
    let engine = with_models_beside(engine, &session.settings).await?;
    let here = [std::env::current_dir()?];
    let roots = Roots::new(if flags.roots.is_empty() { &here } else { &flags.roots })?;
    let client_roots = match flags.roots.is_empty() {
        true => ClientRoots::Believed,
        false => ClientRoots::Ignored,
    };
    let project = flags.project.clone();
    let maxima = session.settings.maxima();
    let served = Arc::new(ServedSettings::new(given));
    let mut options = Options { roots, client_roots, project, ..options(served, maxima) };
    if !flags.tools.is_empty() {
        options.sets = flags.tools.iter().copied().collect();
    }
    let workspace = engine.owner(session.workspace.owner());
    tokio::spawn(async move {
        // What a call that was killed has left at a provider; what cannot be deleted now is by the
        // next call.
        let _ = workspace.sweep_hosted().await;
    });
    let changes = engine.changes().listen_to_all();
    tokio::spawn(care(engine.clone(), changes, session.settings.keeping()));
    serve_stdio(Mcp::new(engine.clone(), options)).await?;
    // A backup that is under way is tidied away by the next.
    let _ = tokio::time::timeout(CLOSING, engine.close()).await;
    Ok(Ended::Done)
}

/// What clients are offered, as the settings have it.
pub fn options(settings: Arc<ServedSettings>, maxima: Maxima) -> Options {
    Options { maxima, ..Options::new(settings) }
}

/// Makes the daily backup once something was written, beside the calls: whoever closes the input
/// does not wait for it.
async fn care(engine: Engine, mut changes: Listener, keeping: Keeping) {
    while changes.next().await.is_some() {
        let done = engine.back_up(&keeping, BackupWhen::Due, now()).await;
        for problem in done.backup_problem.into_iter().chain(done.purge_problem) {
            tracing::warn!(cause = problem, "the daily backup waits");
        }
        tokio::time::sleep(HOUR).await;
    }
}
