//! `dossier provider`: where models are had, and with which key. A key is never an argument, since
//! everybody on the machine could read it there.

use super::Ended;
use crate::flags::ProviderCommand;
use crate::session::Session;
use crate::show::text::{left, one_line, width};
use anyhow::{Context as _, bail};
use dossier_engine::{KeyChange, ProviderChange, ProviderState, Secret, now};
use serde_json::{Value, json};
use std::io::{self, IsTerminal as _, Read as _};

/// No key is longer.
const LONGEST_KEY: u64 = 64 << 10;

pub async fn run(session: &Session, command: &ProviderCommand) -> anyhow::Result<Ended> {
    let Session { engine, printer, .. } = session;
    match command {
        ProviderCommand::List { json } => {
            let states = engine.providers().await?;
            match json {
                true => printer.json(&json!({
                    "providers": states.iter().map(document).collect::<Vec<_>>()
                }))?,
                false => printer.result(&table(&states))?,
            }
        }
        ProviderCommand::Set { name, base_url, protocol, key, json } => {
            if base_url.is_none() && protocol.is_none() && !key {
                bail!("nothing is to be set; give --base-url, --protocol or --key");
            }
            let key = if *key { read_key(session, name)? } else { KeyChange::Keep };
            let protocol = protocol.map(Into::into);
            let change = ProviderChange { base_url: base_url.clone(), protocol, key };
            told(session, &engine.set_provider(name, change, now()).await?, *json)?;
        }
        ProviderCommand::Test { name, json } => return test(session, name, *json).await,
        ProviderCommand::Remove { name } => match engine.remove_provider(name).await? {
            true => printer.note(&format!("nothing is kept of {name} any more")),
            false => printer.note(&format!("nothing was kept of {name}")),
        },
    }
    Ok(Ended::Done)
}

async fn test(session: &Session, name: &str, json: bool) -> anyhow::Result<Ended> {
    let tested = session.engine.test_provider(name).await?;
    let ended = if tested.is_ok() { Ended::Done } else { Ended::Unwell };
    if json {
        let models = tested.as_ref().ok();
        session.printer.json(&json!({
            "provider": name, "ok": models.is_some(), "models": models,
            "problem": tested.as_ref().err(),
        }))?;
        return Ok(ended);
    }
    match tested {
        Ok(models) => {
            let lines = models.iter().map(|model| format!("{name}/{}\n", one_line(model)));
            session.printer.result(&lines.collect::<String>())?;
            session.printer.note(&format!("{name} answers, and has {} models", models.len()));
        }
        Err(said) => session.printer.result(&format!("{name}: {}\n", one_line(&said)))?,
    }
    Ok(ended)
}

fn told(session: &Session, state: &ProviderState, json: bool) -> anyhow::Result<()> {
    if json {
        return Ok(session.printer.json(&document(state))?);
    }
    let name = &state.name;
    session.printer.note(&match &state.provider {
        Ok(_) => {
            format!("{name} is set up; to see whether it answers: dossier provider test {name}")
        }
        Err(why) => format!("{name} cannot be asked yet: {why}"),
    });
    Ok(())
}

/// The key from standard input, without showing it where it is typed.
fn read_key(session: &Session, name: &str) -> anyhow::Result<KeyChange> {
    let stdin = io::stdin();
    let _quiet = stdin.is_terminal().then(|| {
        session.printer.note(&format!("key of {name} (it is not shown; Enter ends):"));
        Unseen::begin()
    });
    let mut text = String::new();
    let read = match stdin.is_terminal() {
        true => stdin.read_line(&mut text),
        false => stdin.lock().take(LONGEST_KEY).read_to_string(&mut text),
    };
    read.context("cannot read the key from standard input")?;
    if text.trim().contains(['\n', '\r']) {
        bail!("a key has one line; standard input had several");
    }
    Ok(Secret::new(&text).map_or(KeyChange::Remove, KeyChange::Store))
}

/// While it lives, a terminal does not show what is typed.
struct Unseen(#[cfg(unix)] Option<rustix::termios::Termios>);

impl Unseen {
    #[cfg(unix)]
    fn begin() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(before) = &before {
            let mut silent = before.clone();
            silent.local_modes.remove(LocalModes::ECHO);
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &silent);
        }
        Self(before)
    }

    #[cfg(not(unix))]
    fn begin() -> Self {
        Self()
    }
}

#[cfg(unix)]
impl Drop for Unseen {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.0 {
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, before);
        }
    }
}

fn document(state: &ProviderState) -> Value {
    json!({
        "name": state.name,
        "protocol": state.protocol,
        "base_url": state.base_url,
        "origin": state.origin.to_string(),
        "key_origin": state.key.as_ref().map(|key| key.origin.to_string()),
        "key": state.key.as_ref().map(|key| &key.masked),
        "ready": state.provider.is_ok(),
        "problem": state.provider.as_ref().err(),
    })
}

fn table(states: &[ProviderState]) -> String {
    let row = |state: &ProviderState| {
        let key = state.key.as_ref();
        let key =
            key.map_or("no key".to_owned(), |key| format!("key {} of {}", key.masked, key.origin));
        let ready = match &state.provider {
            Ok(_) => "ready".to_owned(),
            Err(why) => one_line(why),
        };
        [one_line(&state.name), one_line(&state.base_url), key, ready]
    };
    let rows: Vec<[String; 4]> = states.iter().map(row).collect();
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    let line = |[name, url, key, ready]: &[String; 4]| {
        let [names, urls, keys] = widths;
        format!("{}  {}  {}  {ready}\n", left(name, names), left(url, urls), left(key, keys))
    };
    rows.iter().map(line).collect()
}
