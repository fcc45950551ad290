//! `dossier serve`: the doors over HTTP, open until Ctrl-C or a polite kill.

use super::{Ended, mcp};
use crate::flags::{Global, ServeFlags};
use crate::log;
use crate::models::with_models;
use crate::printer::Printer;
use crate::prompt::with_prompt;
use crate::session::{Access, Session, given};
use crate::settings::{GRACE, Given, Held, HeldKey, Origin, ServerSettings, Settings};
use crate::telemetry::Telemetry;
use clap::ValueEnum as _;
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_engine::{Keeping, Roots};
use dossier_mcp::{Mcp, Usual};
use dossier_server::{Applies, Options, Server, SettingRow, TokenPolicy};
use serde_json::json;
use std::io;
use std::sync::Arc;

pub async fn run(global: &Global, flags: &ServeFlags, printer: Printer) -> anyhow::Result<Ended> {
    let session = Session::begin(global, printer, Access::Write).await?;
    let held = session.workspace.config().await?;
    let given = given(global)?.listening(flags.listen);
    let settings = given.server(&held)?;
    let telemetry = Telemetry::begin()?;
    log::begin(&settings, telemetry.as_ref())?;
    let maxima = session.settings.maxima();
    let roots = Roots::new(&flags.roots)?;
    let served = Arc::new(ServedSettings::new(given));
    let shared = Arc::clone(&served);
    let offered = dossier_mcp::Options { roots: roots.clone(), ..mcp::options(shared, maxima) };
    let options = Options { maxima, roots, ..options(&settings) };
    let data = &session.settings.places.data.value;
    let engine = with_prompt(session.engine.clone(), data)?;
    let engine = with_models(engine, &session.settings).await?;
    // Asked for before the address is told, so that whoever reads it can stop the server at once.
    let stop = stop()?;
    let door = Mcp::new(engine.clone(), offered).over_http();
    let closing = door.config.cancellation_token.clone();
    let server = Server::bind(engine, served, options).await?.with_door(dossier_mcp::PATH, door);
    let address = server.address();
    let url = format!("http://{address}");
    match flags.json {
        true => printer.json_line(&json!({ "url": url, "listen": address.to_string() }))?,
        false => printer.result(&format!("listening on {url}\n"))?,
    }
    printer.note(&format!("what can be asked: {url}/docs; Ctrl-C ends"));
    let stop = async {
        stop.await;
        closing.cancel();
    };
    server.run(stop).await;
    if let Some(telemetry) = telemetry {
        telemetry.end().await;
    }
    Ok(Ended::Done)
}

fn options(settings: &ServerSettings) -> Options {
    Options {
        listen: settings.listen.value,
        tokens: match settings.tokens_required.value {
            true => TokenPolicy::Everyone,
            false => TokenPolicy::BeyondLoopback,
        },
        hosts: settings.hosts.value.0.clone(),
        ..Options::default()
    }
}

/// Comes with Ctrl-C, or when the system asks the program to end.
#[cfg(unix)]
fn stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// The settings as this process was started with them. They are resolved for each request, since
/// what the database holds changes.
#[derive(Debug)]
pub struct ServedSettings {
    given: Given,
}

impl ServedSettings {
    pub fn new(given: Given) -> Self {
        Self { given }
    }

    fn resolved(&self, held: &Held) -> anyhow::Result<Settings> {
        self.given.settings(self.given.places()?, held)
    }
}

impl dossier_server::Settings for ServedSettings {
    fn list(&self, owner: &OwnerId, held: &Held) -> Result<Vec<SettingRow>, String> {
        let settings = self.resolved(held).map_err(|error| format!("{error:#}"))?;
        let is_theirs = |key: &str| *owner == OwnerId::local() || is_personal(key);
        let rows = settings.rows().into_iter().filter(|(key, ..)| is_theirs(key));
        Ok(rows.map(|(key, value, origin)| row(key, value, origin)).collect())
    }

    fn check(&self, key: &str, value: &str) -> Result<String, String> {
        let key = HeldKey::from_str(key, false)?;
        key.check(value).map_err(|error| format!("{error:#}"))
    }

    fn profile(&self, held: &Held) -> ProfileName {
        self.resolved(held).map_or(ProfileName::Lean, |settings| settings.profile.value)
    }

    fn models(&self, held: &Held) -> Vec<String> {
        self.resolved(held).map_or_else(|_| Vec::new(), |settings| settings.model.value.0)
    }

    fn grace_days(&self, held: &Held) -> u32 {
        self.resolved(held).map_or(GRACE, |settings| settings.grace_days.value)
    }

    fn keeping(&self, held: &Held) -> Keeping {
        self.resolved(held).map(|settings| settings.keeping()).unwrap_or_default()
    }
}

impl dossier_mcp::Settings for ServedSettings {
    fn usual(&self, held: &Held) -> Usual {
        use dossier_server::Settings as _;
        Usual {
            model: self.models(held).into_iter().next(),
            profile: self.profile(held),
            grace_days: self.grace_days(held),
        }
    }
}

/// Whether a setting is about a person and not about the machine.
fn is_personal(key: &str) -> bool {
    [HeldKey::Profile, HeldKey::Model, HeldKey::UserRole, HeldKey::UserTimeZone]
        .iter()
        .chain(&[HeldKey::BudgetOfDay, HeldKey::BudgetOfMonth])
        .chain(&HeldKey::CONSULT)
        .any(|own| own.as_str() == key)
}

fn row(key: &str, value: String, origin: &Origin) -> SettingRow {
    let is_held = HeldKey::from_str(key, false).is_ok();
    let is_free = !origin.is_stronger_than_database();
    let at_start = key.starts_with("server.")
        || [HeldKey::Embedder, HeldKey::Listen].iter().any(|own| own.as_str() == key);
    SettingRow {
        key: key.to_owned(),
        value,
        origin: origin.to_string(),
        locked: !(is_held && is_free),
        applies: match at_start || !is_held {
            true => Applies::Restart,
            false => Applies::Now,
        },
    }
}
