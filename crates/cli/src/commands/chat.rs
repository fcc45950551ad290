//! `dossier chat`: a conversation in the terminal, one line a question.

use super::{Ended, ask};
use crate::flags::ChatFlags;
use crate::session::Session;
use dossier_engine::now;
use std::io::{self, BufRead as _, IsTerminal as _};

pub async fn run(session: &Session, flags: &ChatFlags) -> anyhow::Result<Ended> {
    let Session { workspace, printer, .. } = session;
    let mut request = ask::request(session, &flags.talk).await?;
    let typed = io::stdin().is_terminal();
    if typed {
        printer.note(&format!("{}; an empty line or Ctrl-D ends", request.models.join(", ")));
    }
    loop {
        if typed {
            printer.piece("› ")?;
        }
        let Some(line) = read_line().await? else { break };
        if line.trim().is_empty() {
            break;
        }
        request.message = line;
        request.now = now();
        // One question that cannot be asked does not end the conversation.
        match workspace.turn(&request).await {
            Ok(stream) => {
                let (_, thread) = ask::show(session, stream).await?;
                request.thread = Some(thread);
            }
            Err(error) => printer.warning(&error.to_string()),
        }
        ask::finish(workspace, &request).await?;
    }
    if let Some(thread) = &request.thread {
        printer.note(&format!("to go on: dossier chat --thread {thread}"));
    }
    Ok(Ended::Done)
}

/// The next line that is typed; none at the end. Other work goes on meanwhile.
async fn read_line() -> anyhow::Result<Option<String>> {
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        let bytes = io::stdin().lock().read_line(&mut line)?;
        Ok::<_, io::Error>((bytes > 0).then_some(line))
    });
    Ok(read.await??)
}
