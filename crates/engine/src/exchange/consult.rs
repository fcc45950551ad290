//! Sessions with assistants in an archive.
//!
//! Invariant: of what a session says was sent, only that comes back which the receipt of that round
//! came along with; everything else is sent again.

use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::exchange::archive::{Consult, SentFile};
use dossier_core::fileset::{FileState, Sent};
use dossier_core::id::ThreadId;
use dossier_store::{ConsultKey, ConsultSession};
use std::collections::{BTreeMap, HashSet};

impl Workspace {
    /// The sessions of these threads, by thread.
    pub(super) async fn consult_lines(
        &self,
        threads: &HashSet<ThreadId>,
    ) -> Result<Vec<Consult>, EngineError> {
        let mut sessions = self.store.consult_sessions().await?;
        sessions.retain(|session| threads.contains(&session.thread));
        sessions.sort_by(|left, right| left.thread.cmp(&right.thread));
        let mut lines = Vec::with_capacity(sessions.len());
        for session in sessions {
            let files = self.store.consult_files(session.number).await?;
            lines.push(line(session, files));
        }
        Ok(lines)
    }

    /// Stores a session; whether it was new.
    pub(super) async fn restore_consult(&self, consult: Consult) -> Result<bool, EngineError> {
        let shown = self.files_shown(&consult.thread).await?;
        let Consult { thread, project, assistant, name, base, context, inline, frozen, .. } =
            consult;
        let is_shown = |file: &SentFile| {
            shown.get(&file.round).is_some_and(|paths| paths.contains(&file.path))
        };
        let sent = consult.sent.into_iter().filter(is_shown).map(|file| {
            let SentFile { path, size, modified_ns, tokens, round } = file;
            (path, Sent { size, modified_ns, tokens, round })
        });
        let sent: BTreeMap<String, Sent> = sent.collect();
        let files = FileState { inline: inline.into_iter().collect(), frozen, sent };
        let session = ConsultSession {
            number: 0,
            key: ConsultKey { project, assistant, name },
            thread,
            revision: 0,
            base,
            context,
            created_at: consult.created_at,
            used_at: consult.used_at,
        };
        Ok(self.store.restore_consult(&session, &files).await?)
    }
}

fn line(session: ConsultSession, files: FileState) -> Consult {
    let ConsultSession { key, thread, base, context, created_at, used_at, .. } = session;
    let ConsultKey { project, assistant, name } = key;
    let sent = files.sent.into_iter().map(|(path, sent)| {
        let Sent { size, modified_ns, tokens, round } = sent;
        SentFile { path, size, modified_ns, tokens, round }
    });
    Consult {
        thread,
        project,
        assistant,
        name,
        base,
        context,
        inline: files.inline.into_iter().collect(),
        frozen: files.frozen,
        sent: sent.collect(),
        created_at,
        used_at,
    }
}
