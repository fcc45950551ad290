//! Sessions in which an assistant is consulted about files, and what is remembered of the files.
//!
//! Invariant: what is remembered is written in the transaction of the reply that it belongs to, or
//! not at all.

use crate::error::{StoreError, check_text};
use crate::insert::Insert;
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use crate::turns::{self, NewReply, NewTurn};
use crate::write::Write;
use dossier_core::fileset::{FileState, Sent};
use dossier_core::id::{ProjectId, ThreadId};
use dossier_core::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What a client calls a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsultKey {
    pub project: ProjectId,
    pub assistant: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsultSession {
    pub number: i64,
    pub key: ConsultKey,
    pub thread: ThreadId,
    pub revision: i64,
    /// The folder that the files' paths are below, where they are not absolute.
    pub base: Option<String>,
    /// Paths that hold for the whole session.
    pub context: Vec<String>,
    pub created_at: Timestamp,
    pub used_at: Timestamp,
}

/// A session that begins with a turn.
#[derive(Debug, Clone, Copy)]
pub struct NewConsult<'a> {
    pub key: &'a ConsultKey,
    pub thread: &'a ThreadId,
    pub now: Timestamp,
}

/// What a session remembers once a reply is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsultRecord {
    pub session: i64,
    /// The session's, when the call was planned.
    pub revision: i64,
    pub base: Option<String>,
    pub context: Vec<String>,
    pub before: FileState,
    pub after: FileState,
    pub now: Timestamp,
}

impl ConsultSession {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            number: row.number("number")?,
            key: ConsultKey {
                project: row.text("project_id")?,
                assistant: row.text("assistant")?,
                name: row.text("name")?,
            },
            thread: row.text("conversation_id")?,
            revision: row.number("revision")?,
            base: row.optional_text("base")?,
            context: row.json("context")?,
            created_at: row.time("created_at")?,
            used_at: row.time("used_at")?,
        })
    }
}

/// Sessions whose thread is not hidden.
const VISIBLE: &str = "SELECT * FROM consult_sessions WHERE owner = $1
    AND (owner, conversation_id) NOT IN (SELECT owner, id FROM hidden_conversations)";

impl OwnerStore {
    pub async fn consult_session(
        &self,
        key: &ConsultKey,
    ) -> Result<Option<ConsultSession>, StoreError> {
        let sql = format!("{VISIBLE} AND project_id = $2 AND assistant = $3 AND name = $4");
        let row = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(key.project.as_str())
            .bind(key.assistant.as_str())
            .bind(key.name.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(ConsultSession::read).transpose()
    }

    /// All sessions, the last used first.
    pub async fn consult_sessions(&self) -> Result<Vec<ConsultSession>, StoreError> {
        let sql = format!("{VISIBLE} ORDER BY used_at DESC, number DESC");
        let rows = sql::composed(sql)
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        rows.iter().map(ConsultSession::read).collect()
    }

    /// Whether a thread is the conversation of a session.
    pub async fn is_consultation(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        let row = sql::query(
            "SELECT 1 AS known FROM consult_sessions WHERE owner = $1 AND conversation_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        Ok(row.is_some())
    }

    /// All sessions with the titles and the rounds of their threads, the last used first.
    pub async fn consult_sessions_titled(
        &self,
    ) -> Result<Vec<(ConsultSession, Option<String>, i64)>, StoreError> {
        let rows = sql::query(
            "SELECT consult_sessions.*, title, round_count FROM consult_sessions
             JOIN visible_conversations ON visible_conversations.owner = consult_sessions.owner
                 AND visible_conversations.id = conversation_id
             WHERE consult_sessions.owner = $1
             ORDER BY consult_sessions.used_at DESC, consult_sessions.number DESC",
        )
        .bind(self.owner.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let titled = |row: &Row| {
            let session = ConsultSession::read(row)?;
            Ok((session, row.optional_text("title")?, row.number("round_count")?))
        };
        rows.iter().map(titled).collect()
    }

    /// What a session remembers of its files.
    pub async fn consult_files(&self, session: i64) -> Result<FileState, StoreError> {
        let connection = &mut *self.connection().await?;
        let row = sql::query(
            "SELECT inline_paths, frozen FROM stable_inline_lists
             WHERE owner = $1 AND session_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(session)
        .fetch_optional(&mut *connection)
        .await?;
        let Some(row) = row else { return Ok(FileState::default()) };
        let rows = sql::query(
            "SELECT file_path, last_size, last_mtime, tokens, round FROM sent_files
             WHERE owner = $1 AND session_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(session)
        .fetch_all(connection)
        .await?;
        let sent: Result<BTreeMap<String, Sent>, StoreError> = rows.iter().map(sent).collect();
        Ok(FileState {
            inline: ungrouped(row.json("inline_paths")?),
            frozen: row.number("frozen")? != 0,
            sent: sent?,
        })
    }

    /// Begins a turn, and a session with it if one is named. Fails with `Conflict` when another
    /// process has begun it.
    pub async fn create_consult_turn(
        &self,
        new: NewTurn<'_>,
        session: Option<NewConsult<'_>>,
    ) -> Result<(), StoreError> {
        self.work().await;
        let mut write = self.write().await?;
        turns::begin(&mut write, new).await?;
        if let Some(session) = session {
            open(&mut write, session).await?;
        }
        write.commit().await
    }

    /// Stores a reply together with what is remembered of the files that were sent for it. Whether
    /// the reply was still wanted.
    pub async fn consult_answered(
        &self,
        reply: NewReply<'_>,
        record: &ConsultRecord,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let given = turns::give(&mut write, reply).await?;
        if given {
            remember(&mut write, record).await?;
            write.commit().await?;
        }
        Ok(given)
    }

    /// Writes a session of a thread that is there already, with what it remembers; whether neither
    /// its name nor its thread was taken.
    pub async fn restore_consult(
        &self,
        session: &ConsultSession,
        files: &FileState,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let ConsultSession { key, thread, .. } = session;
        let known = sql::query(
            "SELECT 1 AS known FROM consult_sessions WHERE owner = $1 AND (conversation_id = $2
                 OR (project_id = $3 AND assistant = $4 AND name = $5))",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .bind(key.project.as_str())
        .bind(key.assistant.as_str())
        .bind(key.name.as_str())
        .fetch_optional(write.connection())
        .await?;
        if known.is_some() {
            return Ok(false);
        }
        open(&mut write, NewConsult { key, thread, now: session.created_at }).await?;
        let opened = sql::query(
            "SELECT number FROM consult_sessions WHERE owner = $1 AND conversation_id = $2",
        )
        .bind(self.owner.as_str())
        .bind(thread.as_str())
        .fetch_one(write.connection())
        .await?;
        let record = ConsultRecord {
            session: opened.number("number")?,
            revision: 0,
            base: session.base.clone(),
            context: session.context.clone(),
            before: FileState::default(),
            after: files.clone(),
            now: session.used_at,
        };
        remember(&mut write, &record).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Forgets which files a session was given, though not where they are; whether there is such a
    /// session.
    pub async fn reset_consult(&self, session: i64) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let row = sql::query(
            "SELECT context, inline_paths FROM consult_sessions LEFT JOIN stable_inline_lists
                 ON stable_inline_lists.owner = consult_sessions.owner AND session_id = number
             WHERE consult_sessions.owner = $1 AND number = $2",
        )
        .bind(self.owner.as_str())
        .bind(session)
        .fetch_optional(write.connection())
        .await?;
        let Some(row) = row else { return Ok(false) };
        let inline = match row.optional_text::<String>("inline_paths")? {
            Some(_) => ungrouped(row.json("inline_paths")?),
            None => BTreeSet::new(),
        };
        let context = FileState { inline, ..FileState::default() };
        let context = context.found_again(&row.json::<Vec<String>>("context")?);
        for table in ["stable_inline_lists", "sent_files"] {
            let sql = format!("DELETE FROM {table} WHERE owner = $1 AND session_id = $2");
            sql::composed(sql)
                .bind(self.owner.as_str())
                .bind(session)
                .execute(write.connection())
                .await?;
        }
        sql::query(
            "UPDATE consult_sessions SET context = $1, revision = revision + 1
             WHERE owner = $2 AND number = $3",
        )
        .bind(to_json(&context)?)
        .bind(self.owner.as_str())
        .bind(session)
        .execute(write.connection())
        .await?;
        write.commit().await?;
        Ok(true)
    }

    /// Ends sessions that were last used before this time. What was said in them stays.
    pub async fn expire_consults(&self, before: Timestamp) -> Result<u64, StoreError> {
        let old = "owner = $1 AND used_at < $2";
        let sql = format!("SELECT number FROM consult_sessions WHERE {old} LIMIT 1");
        let found = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(before.as_millis())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        if found.is_none() {
            return Ok(0);
        }
        let mut write = self.write().await?;
        let sql = format!("DELETE FROM consult_sessions WHERE {old}");
        let expired = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(before.as_millis())
            .execute(write.connection())
            .await?;
        write.commit().await?;
        Ok(expired.rows_affected())
    }
}

fn sent(row: &Row) -> Result<(String, Sent), StoreError> {
    let number = |column: &str| -> Result<u64, StoreError> {
        row.number(column)?.try_into().map_err(|error| StoreError::unreadable(column, error))
    };
    let sent = Sent {
        size: number("last_size")?,
        modified_ns: row.number("last_mtime")?,
        tokens: u32::try_from(number("tokens")?).unwrap_or(u32::MAX),
        round: row.number("round")?,
    };
    Ok((row.text("file_path")?, sent))
}

/// Paths by folder, each list with the folder first: a third of the bytes that plain paths take.
fn grouped(paths: &BTreeSet<String>) -> Vec<Vec<&str>> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in paths {
        let end = path.rfind('/').map_or(0, |slash| slash + 1);
        let (folder, name) = path.split_at(end);
        folders.entry(folder).or_insert_with(|| vec![folder]).push(name);
    }
    folders.into_values().collect()
}

fn ungrouped(folders: Vec<Vec<String>>) -> BTreeSet<String> {
    let paths = |names: Vec<String>| {
        let mut names = names.into_iter();
        let folder = names.next().unwrap_or_default();
        names.map(move |name| format!("{folder}{name}")).collect::<Vec<_>>()
    };
    folders.into_iter().flat_map(paths).collect()
}

async fn open(write: &mut Write, new: NewConsult<'_>) -> Result<(), StoreError> {
    let NewConsult { key, thread, now } = new;
    check_text("assistant", &key.assistant)?;
    check_text("session", &key.name)?;
    let owner = write.owner.clone();
    // The name of a session whose thread is hidden is free for another.
    sql::query(
        "DELETE FROM consult_sessions
         WHERE owner = $1 AND project_id = $2 AND assistant = $3 AND name = $4
             AND (owner, conversation_id) IN (SELECT owner, id FROM hidden_conversations)",
    )
    .bind(owner.as_str())
    .bind(key.project.as_str())
    .bind(key.assistant.as_str())
    .bind(key.name.as_str())
    .execute(write.connection())
    .await?;
    sql::query(
        "INSERT INTO consult_sessions (owner, number, project_id, assistant, name,
             conversation_id, revision, base, context, created_at, used_at)
         SELECT CAST($1 AS TEXT), COALESCE(MAX(number), 0) + 1, CAST($2 AS TEXT),
             CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), 0, NULL, '[]',
             CAST($6 AS BIGINT), CAST($6 AS BIGINT)
         FROM consult_sessions WHERE owner = $1",
    )
    .bind(owner.as_str())
    .bind(key.project.as_str())
    .bind(key.assistant.as_str())
    .bind(key.name.as_str())
    .bind(thread.as_str())
    .bind(now.as_millis())
    .execute(write.connection())
    .await?;
    Ok(())
}

/// Of a session that was reset meanwhile only where its files are is remembered, if that was not
/// known: then everything is sent again. Of one that is gone nothing is.
async fn remember(write: &mut Write, record: &ConsultRecord) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let known = sql::query(
        "UPDATE consult_sessions SET revision = revision + 1, base = $1, context = $2, used_at = $3
         WHERE owner = $4 AND number = $5 AND revision = $6",
    )
    .bind(record.base.as_deref())
    .bind(to_json(&record.context)?)
    .bind(record.now.as_millis())
    .bind(owner.as_str())
    .bind(record.session)
    .bind(record.revision)
    .execute(write.connection())
    .await?;
    let ConsultRecord { before, after, .. } = record;
    if known.rows_affected() == 0 {
        sql::query(
            "UPDATE consult_sessions SET base = $1, context = $2, used_at = $3
             WHERE owner = $4 AND number = $5 AND base IS NULL",
        )
        .bind(record.base.as_deref())
        .bind(to_json(&after.found_again(&record.context))?)
        .bind(record.now.as_millis())
        .bind(owner.as_str())
        .bind(record.session)
        .execute(write.connection())
        .await?;
        return Ok(());
    }
    sql::query(
        "INSERT INTO stable_inline_lists
             (owner, session_id, inline_paths, frozen, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $5)
         ON CONFLICT (owner, session_id) DO UPDATE SET inline_paths = excluded.inline_paths,
             frozen = excluded.frozen, updated_at = excluded.updated_at",
    )
    .bind(owner.as_str())
    .bind(record.session)
    .bind(to_json(&grouped(&after.inline))?)
    .bind(i64::from(after.frozen))
    .bind(record.now.as_millis())
    .execute(write.connection())
    .await?;
    let changed: Vec<(&String, &Sent)> =
        after.sent.iter().filter(|(path, sent)| before.sent.get(*path) != Some(*sent)).collect();
    Insert {
        into: "INSERT INTO sent_files
                   (owner, session_id, file_path, last_size, last_mtime, tokens, round)",
        row: "(?, ?, ?, ?, ?, ?, ?)",
        then: "ON CONFLICT (owner, session_id, file_path) DO UPDATE
               SET last_size = excluded.last_size, last_mtime = excluded.last_mtime,
                   tokens = excluded.tokens, round = excluded.round",
    }
    .run(write.connection(), &changed, |query, (path, sent)| {
        query
            .bind(owner.as_str().to_owned())
            .bind(record.session)
            .bind((*path).clone())
            .bind(i64::try_from(sent.size).unwrap_or(i64::MAX))
            .bind(sent.modified_ns)
            .bind(i64::from(sent.tokens))
            .bind(sent.round)
    })
    .await
}
