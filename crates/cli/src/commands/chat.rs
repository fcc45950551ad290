//! `dossier chat`: a conversation in the terminal, one line a question; with a model, or with a
//! persona.

use super::{Ended, ask};
use crate::flags::ChatFlags;
use crate::models;
use crate::session::Session;
use dossier_core::persona::Upkeep;
use dossier_engine::{ChatRequest, ChatVoice, EngineError, PERSONAS, TurnRequest, TurnStream, now};
use std::io::{self, BufRead as _, IsTerminal as _};

pub async fn run(session: &Session, flags: &ChatFlags) -> anyhow::Result<Ended> {
    match &flags.persona {
        Some(persona) => with_persona(session, flags, persona).await,
        None => with_models(session, flags).await,
    }
}

async fn with_models(session: &Session, flags: &ChatFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let mut request = ask::request(session, &flags.talk).await?;
    let project = request.project.id.clone();
    greet(session, &request.models.join(", "));
    while let Some(line) = asked(session).await? {
        request = TurnRequest { message: line, now: now(), ..request };
        if let Some(stream) = begun(session, workspace.turn(&request).await) {
            let (_, thread) = ask::show(session, stream).await?;
            request.thread = Some(thread);
        }
        ask::finish(workspace, &project).await?;
    }
    if let Some(thread) = &request.thread {
        printer.note(&format!("to go on: dossier chat --thread {thread}"));
    }
    Ok(Ended::Done)
}

async fn with_persona(
    session: &Session,
    flags: &ChatFlags,
    persona: &str,
) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let shown = workspace.persona(persona, now()).await?;
    shown.persona.expect_alive(now())?;
    let voice = match (flags.talk.model.first(), &shown.persona.traits.model) {
        (Some(model), _) => ChatVoice::Named(model.clone()),
        (None, Some(_)) => ChatVoice::Usual(None),
        (None, None) if workspace.has_provider()? => {
            ChatVoice::Usual(models::chosen(session, None, &[])?.into_iter().next())
        }
        (None, None) => ChatVoice::Usual(session.settings.model.value.0.first().cloned()),
    };
    for warning in &shown.warnings {
        printer.warning(warning);
    }
    greet(session, &shown.persona.traits.name);
    let project = workspace.project(Some(PERSONAS), now()).await?.id;
    while let Some(line) = asked(session).await? {
        let request = ChatRequest {
            persona: shown.persona.id.to_string(),
            message: line,
            upkeep: Upkeep::default(),
            voice: voice.clone(),
            client_message_id: None,
            now: now(),
        };
        let chat = workspace.chat(&request).await.map(|chat| chat.stream);
        if let Some(stream) = begun(session, chat) {
            ask::show(session, stream).await?;
        }
        ask::finish(workspace, &project).await?;
    }
    printer.note(&format!("to go on: dossier chat --persona {}", shown.persona.id));
    Ok(Ended::Done)
}

fn greet(session: &Session, name: &str) {
    if io::stdin().is_terminal() {
        session.printer.note(&format!("{name}; an empty line or Ctrl-D ends"));
    }
}

/// One question that cannot be asked does not end the conversation.
fn begun(session: &Session, stream: Result<TurnStream, EngineError>) -> Option<TurnStream> {
    stream.map_err(|error| session.printer.warning(&error.to_string())).ok()
}

/// The next line that is typed; none at the end.
async fn asked(session: &Session) -> anyhow::Result<Option<String>> {
    if io::stdin().is_terminal() {
        session.printer.piece("› ")?;
    }
    Ok(read_line().await?.filter(|line| !line.trim().is_empty()))
}

/// Other work goes on meanwhile.
async fn read_line() -> anyhow::Result<Option<String>> {
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        let bytes = io::stdin().lock().read_line(&mut line)?;
        Ok::<_, io::Error>((bytes > 0).then_some(line))
    });
    Ok(read.await??)
}
