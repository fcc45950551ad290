//! Sessions as a client sees them: listed, described, reset. A description is made of what is stored
//! each time, so it is never older than the session.

use super::report::FilesReport;
use crate::error::EngineError;
use crate::workspace::Workspace;
use dossier_core::guard::masked;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::item::summary;
use dossier_core::message::Role;
use dossier_core::time::Timestamp;
use dossier_store::{ConsultSession, MessageRow};
use serde::Serialize;

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsultSessionRow {
    /// Its thread's id, by which it is known without the other names.
    pub id: String,
    pub session_id: String,
    pub assistant: String,
    pub project: ProjectId,
    pub title: Option<String>,
    pub rounds: i64,
    pub created_at: Timestamp,
    pub used_at: Timestamp,
}

/// All there is to know about a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsultDescription {
    #[serde(flatten)]
    pub session: ConsultSessionRow,
    /// Files that stand inline, and whether more may come.
    pub inline: usize,
    pub frozen: bool,
    /// The first of them by path.
    pub inline_files: Vec<InlineFile>,
    /// Folders and files that hold for the whole session.
    pub context: Vec<String>,
    /// What the last request took, and the most there may be.
    pub tokens_used: u32,
    pub tokens_limit: u32,
    /// What was not sent again, over all turns.
    pub tokens_saved: u64,
    /// What became of the files in the last call.
    pub files: Option<FilesReport>,
    /// What was asked first and last.
    pub first: Option<String>,
    pub last: Option<String>,
}

/// A file that stands inline, as it was when it was last sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InlineFile {
    pub path: String,
    /// None of a file whose sending is forgotten.
    pub tokens: Option<u32>,
    /// The round whose question it stands in.
    pub round: Option<i64>,
}

/// So many inline files are named.
const MOST_NAMED: usize = 1_000;

/// Which session is meant: by its id, or by the client's name for it, which several assistants may
/// share.
#[derive(Debug, Clone, Default)]
pub struct SessionChoice {
    pub name: String,
    pub assistant: Option<String>,
    pub project: Option<ProjectId>,
}

impl Workspace {
    /// Whether a thread is the conversation of a session.
    pub async fn is_consultation(&self, thread: &ThreadId) -> Result<bool, EngineError> {
        Ok(self.store.is_consultation(thread).await?)
    }

    /// The sessions, the last used first; those that hold these words in a name or a title.
    pub async fn consult_sessions(
        &self,
        query: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<ConsultSessionRow>, EngineError> {
        let settings = self.consult_settings().await?;
        self.store.expire_consults(settings.oldest(now)).await?;
        let sessions = self.store.consult_sessions_titled().await?.into_iter();
        let mut rows: Vec<ConsultSessionRow> = sessions
            .map(|(session, title, rounds)| row(&session, title.as_deref(), rounds))
            .collect();
        if let Some(query) = query {
            let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
            rows.retain(|row| {
                let title = row.title.as_deref().unwrap_or_default();
                let text = format!("{} {} {title}", row.session_id, row.assistant).to_lowercase();
                words.iter().all(|word| text.contains(word))
            });
        }
        Ok(rows)
    }

    pub async fn describe_consult(
        &self,
        choice: &SessionChoice,
        now: Timestamp,
    ) -> Result<ConsultDescription, EngineError> {
        let session = self.chosen(choice, now).await?;
        let row = self.row(&session).await?.ok_or_else(|| unknown(choice))?;
        let files = self.store.consult_files(session.number).await?;
        let messages = self.store.message_rows(&session.thread, 0, usize::MAX).await?;
        let messages: Vec<&MessageRow> =
            messages.iter().filter(|row| row.deleted_at.is_none()).collect();
        let inline = |path: &String| {
            let sent = files.sent.get(path);
            let (tokens, round) = (sent.map(|sent| sent.tokens), sent.map(|sent| sent.round));
            InlineFile { path: path.clone(), tokens, round }
        };
        let asked = |row: &&&MessageRow| row.message.speaker.role == Role::User;
        let told = |row: &&MessageRow| summary(&masked(&row.message.content));
        let reports: Vec<FilesReport> = messages
            .iter()
            .filter_map(|row| serde_json::from_value(row.metadata.get("consult")?.clone()).ok())
            .collect();
        Ok(ConsultDescription {
            session: row,
            inline: files.inline.len(),
            frozen: files.frozen,
            inline_files: files.inline.iter().take(MOST_NAMED).map(inline).collect(),
            context: session.context,
            tokens_used: reports.last().map_or(0, |report| report.tokens_used),
            tokens_limit: reports.last().map_or(0, |report| report.tokens_limit),
            tokens_saved: reports.iter().map(|report| u64::from(report.tokens_saved)).sum(),
            first: messages.iter().find(asked).map(told),
            last: messages.iter().rfind(asked).map(told),
            files: reports.into_iter().next_back(),
        })
    }

    /// Forgets which files a session was given: the next call splits them anew and sends them. Where
    /// they are is not forgotten.
    pub async fn reset_consult(
        &self,
        choice: &SessionChoice,
        now: Timestamp,
    ) -> Result<ConsultSessionRow, EngineError> {
        let session = self.chosen(choice, now).await?;
        self.store.reset_consult(session.number).await?;
        self.row(&session).await?.ok_or_else(|| unknown(choice))
    }

    async fn live_sessions(&self, now: Timestamp) -> Result<Vec<ConsultSession>, EngineError> {
        let settings = self.consult_settings().await?;
        self.store.expire_consults(settings.oldest(now)).await?;
        Ok(self.store.consult_sessions().await?)
    }

    async fn chosen(
        &self,
        choice: &SessionChoice,
        now: Timestamp,
    ) -> Result<ConsultSession, EngineError> {
        let mut sessions = self.live_sessions(now).await?;
        sessions.retain(|session| {
            let key = &session.key;
            (session.thread.as_str() == choice.name || key.name == choice.name)
                && choice.assistant.as_ref().is_none_or(|assistant| *assistant == key.assistant)
                && choice.project.as_ref().is_none_or(|project| *project == key.project)
        });
        match sessions.as_slice() {
            [session] => Ok(session.clone()),
            [] => Err(unknown(choice)),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|session| format!("{} ({})", session.thread, session.key.assistant))
                    .collect();
                Err(EngineError::Invalid(format!(
                    "several sessions are called `{}`; name one by its id: {}",
                    choice.name,
                    names.join(", ")
                )))
            }
        }
    }

    async fn row(
        &self,
        session: &ConsultSession,
    ) -> Result<Option<ConsultSessionRow>, EngineError> {
        let thread = self.store.thread(&session.thread).await?;
        Ok(thread.map(|thread| row(session, thread.title.as_deref(), thread.round_count)))
    }
}

fn row(session: &ConsultSession, title: Option<&str>, rounds: i64) -> ConsultSessionRow {
    ConsultSessionRow {
        id: session.thread.to_string(),
        session_id: session.key.name.clone(),
        assistant: session.key.assistant.clone(),
        project: session.key.project.clone(),
        title: title.map(|title| masked(title).into_owned()),
        rounds,
        created_at: session.created_at,
        used_at: session.used_at,
    }
}

fn unknown(choice: &SessionChoice) -> EngineError {
    EngineError::not_found("session", &choice.name, "list the sessions to see which there are")
}
