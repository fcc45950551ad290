//! Threads by their ids: their messages page by page, a new title, and an end.

use crate::error::EngineError;
use crate::mint;
use crate::receipts::RECEIPT;
use crate::workspace::Workspace;
use dossier_core::guard::masked;
use dossier_core::id::{MessageId, ProjectId, ReceiptId, SessionId, ThreadId};
use dossier_core::message::Message;
use dossier_core::sameness::Cached;
use dossier_core::time::Timestamp;
use dossier_store::{Asked, Project, Session, Thread};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Under which a reply's metadata hold what the model thought.
pub(crate) const THOUGHTS: &str = "thoughts";

/// The longest id of a session, in bytes.
const LONGEST_SESSION: usize = 256;

/// The longest title, in characters.
const LONGEST_TITLE: usize = 500;

/// Some messages of a thread in their order, secrets masked.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePage {
    pub messages: Vec<Message>,
    /// What is noted with those of them that are replies.
    pub notes: HashMap<MessageId, Noted>,
    /// The position at which the next page begins; none at the end.
    pub next: Option<i64>,
}

/// How a reply came about, as it is noted with the reply, secrets masked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noted {
    pub tools: Vec<ToolRun>,
    /// What the model thought, as far as it showed it.
    pub thoughts: Option<String>,
    /// The kept answer that it is.
    pub cached: Option<Cached>,
    /// Of what its model was given.
    pub receipt: Option<ReceiptId>,
}

impl Noted {
    fn of(metadata: &Value) -> Self {
        let thoughts = metadata.get(THOUGHTS).and_then(Value::as_str);
        Self {
            tools: ToolRun::noted(metadata),
            thoughts: thoughts.map(|thoughts| masked(thoughts).into_owned()),
            cached: metadata.get("cached").and_then(|cached| Cached::deserialize(cached).ok()),
            receipt: metadata.get(RECEIPT).and_then(Value::as_str).map(ReceiptId::from),
        }
    }
}

/// A tool that was run for a reply.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ToolRun {
    pub name: String,
    pub arguments: String,
    pub failed: bool,
    /// Of its result.
    pub tokens: u32,
}

impl ToolRun {
    /// Those that a message's metadata tell of, secrets masked.
    fn noted(metadata: &Value) -> Vec<Self> {
        let noted = metadata.get("tools").map(Vec::<Self>::deserialize);
        let runs = noted.and_then(Result::ok).unwrap_or_default().into_iter();
        runs.map(|run| Self { arguments: masked(&run.arguments).into_owned(), ..run }).collect()
    }
}

impl Workspace {
    pub async fn thread_by_id(&self, id: &ThreadId) -> Result<Thread, EngineError> {
        let thread = self.store.thread(id).await?;
        thread.ok_or_else(|| unknown(id))
    }

    /// The threads of a project, the last used first.
    pub async fn recent_threads(&self, project: &ProjectId) -> Result<Vec<Thread>, EngineError> {
        self.project_by_id(project).await?;
        Ok(self.store.threads(project).await?)
    }

    /// The project and the thread that a client's session works in; a thread's id is a session of
    /// its own. Nothing where the session is new.
    pub async fn session_place(
        &self,
        id: &SessionId,
    ) -> Result<(Option<ProjectId>, Option<ThreadId>), EngineError> {
        let name = id.as_str();
        if name.is_empty() || name.len() > LONGEST_SESSION || name.chars().any(char::is_control) {
            let what = "a session's id has 1 to 256 bytes, none of them a control character";
            return Err(EngineError::Invalid(what.to_owned()));
        }
        if let Some(session) = self.store.session(id).await? {
            return Ok((session.project, session.thread));
        }
        let thread = self.store.thread(&ThreadId::from(name)).await?;
        Ok(thread.map(|thread| (thread.project, thread.id)).unzip())
    }

    /// The project and the thread that a request is about: those that it names, or else those that its
    /// session worked in last, or else the thread's own project, or the usual one; the default one, where
    /// none is usual, is made on first use.
    pub async fn place_of(
        &self,
        session: Option<&SessionId>,
        mut project: Option<ProjectId>,
        mut thread: Option<ThreadId>,
        usual: Option<&str>,
        now: Timestamp,
    ) -> Result<(Project, Option<ThreadId>), EngineError> {
        if let Some(session) = session {
            let place = self.session_place(session).await?;
            // Another project than the session's has none of its threads.
            let is_elsewhere = project.is_some() && project != place.0;
            thread = thread.or(place.1.filter(|_| !is_elsewhere));
            project = project.or(place.0);
        }
        if let (None, Some(thread)) = (&project, &thread) {
            project = Some(self.thread_by_id(thread).await?.project);
        }
        let project = match project {
            Some(id) => self.project_by_id(&id).await?,
            None if usual.is_none() => self.project(None, now).await?,
            None => self.existing_project(usual).await?,
        };
        Ok((project, thread))
    }

    /// Notes where a client's session works now.
    pub async fn enter_session(
        &self,
        id: &SessionId,
        project: &ProjectId,
        thread: Option<&ThreadId>,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let known = self.store.session(id).await?;
        let session = Session {
            id: id.clone(),
            thread: thread.cloned(),
            project: Some(project.clone()),
            client: known.map_or(json!({}), |known| known.client),
            last_active: now,
        };
        Ok(self.store.touch_session(&session).await?)
    }

    /// Messages of a thread from a position on.
    pub async fn messages_from(
        &self,
        thread: &ThreadId,
        from: i64,
        limit: usize,
    ) -> Result<MessagePage, EngineError> {
        let rows = self.store.message_rows(thread, from, limit.saturating_add(1)).await?;
        let next = rows.get(limit).map(|row| row.message.position);
        let mut page = MessagePage { messages: Vec::new(), notes: HashMap::new(), next };
        for row in rows.into_iter().take(limit).filter(|row| row.deleted_at.is_none()) {
            let noted = Noted::of(&row.metadata);
            if noted != Noted::default() {
                page.notes.insert(row.message.id.clone(), noted);
            }
            let content = masked(&row.message.content).into_owned();
            page.messages.push(Message { content, ..row.message });
        }
        Ok(page)
    }

    /// A message, wherever it was said, secrets masked.
    pub async fn message(&self, id: &MessageId) -> Result<Message, EngineError> {
        let message = self.store.message(id).await?.ok_or_else(|| {
            EngineError::not_found("message", id.as_str(), "there is none of this id")
        })?;
        Ok(Message { content: masked(&message.content).into_owned(), ..message })
    }

    /// What became of the questions of a thread: each model that was asked, by turns.
    pub async fn asked(&self, thread: &ThreadId) -> Result<Vec<Asked>, EngineError> {
        // Whoever can only read is told what is there.
        let _ = self.recover_turns(mint::now()).await;
        Ok(self.store.asked(thread).await?)
    }

    pub async fn retitle(
        &self,
        id: &ThreadId,
        title: &str,
        now: Timestamp,
    ) -> Result<Thread, EngineError> {
        let title = title.trim();
        let length = title.chars().count();
        if length == 0 || length > LONGEST_TITLE || title.chars().any(char::is_control) {
            return Err(EngineError::Invalid(format!(
                "a title has 1 to {LONGEST_TITLE} characters on one line"
            )));
        }
        self.thread_by_id(id).await?;
        self.store.set_title(id, title, now).await?;
        self.thread_by_id(id).await
    }
}

fn unknown(id: &ThreadId) -> EngineError {
    EngineError::not_found("thread", id.as_str(), "list the threads of its project")
}
