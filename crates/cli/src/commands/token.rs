//! `dossier token`: who may come in over the network.

use super::Ended;
use crate::flags::{Global, TokenCommand};
use crate::printer::Printer;
use crate::session::{Access, given, open};
use crate::show::text::{left, one_line, width};
use anyhow::Context as _;
use dossier_core::access::AccessToken;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_engine::{Embedder, Engine, now};
use serde_json::{Value, json};

const DAY: i64 = 24 * 3_600_000;

pub async fn run(
    global: &Global,
    command: &TokenCommand,
    printer: Printer,
) -> anyhow::Result<Ended> {
    let access = match command {
        TokenCommand::List { .. } => Access::Read,
        TokenCommand::Create { .. } | TokenCommand::Revoke { .. } => Access::Write,
    };
    let engine = open(&given(global)?.places()?, access, Embedder::none()).await?;
    let result = match command {
        TokenCommand::Create { name, owner, days, json } => {
            let owner = owner.as_deref().map_or_else(OwnerId::local, OwnerId::from);
            create(&engine, name, &owner, *days, *json, printer).await
        }
        TokenCommand::List { json } => list(&engine, *json, printer).await,
        TokenCommand::Revoke { token } => revoke(&engine, token, printer).await,
    };
    engine.close().await;
    result.map(|()| Ended::Done)
}

async fn create(
    engine: &Engine,
    name: &str,
    owner: &OwnerId,
    days: Option<u32>,
    json: bool,
    printer: Printer,
) -> anyhow::Result<()> {
    let now = now();
    let expires_at = days
        .map(|days| {
            let end = now.as_millis().checked_add(i64::from(days) * DAY);
            end.map(Timestamp::from_millis).context("so many days are beyond the calendar")
        })
        .transpose()?;
    let made = engine.create_token(owner, name, expires_at, now).await?;
    if json {
        let mut document = document(&made.token, now);
        document["token"] = json!(made.text);
        printer.json(&document)?;
        return Ok(());
    }
    printer.result(&format!("{}\n", made.text))?;
    printer.note(
        "this is shown once: keep it like a password; programs send it in the header \
         Authorization: Bearer …",
    );
    Ok(())
}

async fn list(engine: &Engine, json: bool, printer: Printer) -> anyhow::Result<()> {
    let (tokens, now) = (engine.tokens().await?, now());
    if json {
        let tokens: Vec<Value> = tokens.iter().map(|token| document(token, now)).collect();
        printer.json(&json!({ "tokens": tokens }))?;
        return Ok(());
    }
    if tokens.is_empty() {
        printer.note("there are no tokens; make one: dossier token create NAME");
    }
    let shown: Vec<[String; 4]> = tokens.iter().map(|token| columns(token, now)).collect();
    let widest = |column: usize| shown.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    let lines = shown.iter().map(|[id, name, owner, end]| {
        let [ids, names, owners] = widths;
        format!("{}  {}  {}  {end}\n", left(id, ids), left(name, names), left(owner, owners))
    });
    printer.result(&lines.collect::<String>())?;
    Ok(())
}

async fn revoke(engine: &Engine, which: &str, printer: Printer) -> anyhow::Result<()> {
    let token = engine.revoke_token(which).await?;
    printer.note(&format!("the token `{}` of {} opens nothing any more", token.name, token.owner));
    Ok(())
}

fn columns(token: &AccessToken, now: Timestamp) -> [String; 4] {
    let end = match token.expires_at {
        None => "does not expire".to_owned(),
        Some(end) if token.is_expired(now) => format!("expired {end}"),
        Some(end) => format!("expires {end}"),
    };
    [token.id.to_string(), one_line(&token.name), one_line(token.owner.as_str()), end]
}

fn document(token: &AccessToken, now: Timestamp) -> Value {
    json!({
        "id": token.id,
        "name": token.name,
        "owner": token.owner,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "expired": token.is_expired(now),
    })
}
