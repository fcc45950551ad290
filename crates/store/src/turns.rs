//! Turns: a question and the replies to it, as a durable state machine. Each step is one
//! transaction, so that a turn that was interrupted anywhere is whole.

use crate::assemblies::{self, Assembly};
use crate::error::StoreError;
use crate::insert::Insert;
use crate::messages::{self, MessageRow};
use crate::receipts::{self, ReceiptRow};
use crate::row::{Row, text_list, to_json};
use crate::selections;
use crate::sql::{self, Connection};
use crate::store::{Backend, Inner, OwnerStore, Store};
use crate::stories::{self, StoryLink};
use crate::threads::{self, Thread};
use crate::usage::{self, UsageRow};
use crate::write::Write;
use dossier_core::chunk::Draft;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, OwnerId, ProjectId, ReceiptId, ThreadId, TurnId};
use dossier_core::message::Message;
use dossier_core::selection::Served;
use dossier_core::time::Timestamp;
use dossier_core::turn::ReplyState;
use std::borrow::Cow;
use std::fs::File;

#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub id: TurnId,
    pub project: ProjectId,
    pub thread: ThreadId,
    /// The question.
    pub message: MessageId,
    /// What the client calls the turn: a repetition is known by it.
    pub client_message_id: Option<String>,
    /// What was asked for beside the question.
    pub request: serde_json::Value,
    /// Until when the process that works on it is believed to live.
    pub lease_until: Timestamp,
    pub created_at: Timestamp,
    /// When everything that follows from the replies was stored or queued.
    pub learned_at: Option<Timestamp>,
    /// One for each model, in the order asked for.
    pub replies: Vec<Reply>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub model: String,
    pub state: ReplyState,
    pub receipt: Option<ReceiptId>,
    pub message: Option<MessageId>,
    pub error: Option<serde_json::Value>,
}

/// A turn about to begin, with everything that is written with it.
#[derive(Debug, Clone, Copy)]
pub struct NewTurn<'a> {
    pub turn: &'a Turn,
    /// The thread, if it begins with this turn.
    pub thread: Option<&'a Thread>,
    /// What is said that the thread lacks: the question, unless it is there, and what came with it.
    pub messages: &'a [MessageRow],
    /// Of those that are to be found before the turn is learned.
    pub chunks: &'a [Draft],
    /// The position after the thread's last message, if the turn belongs there and nowhere else.
    pub end: Option<i64>,
}

/// A reply as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct NewReply<'a> {
    pub turn: &'a TurnId,
    pub ordinal: usize,
    /// Of the dossier that it answers: the last that was sent need not be that.
    pub receipt: Option<&'a ReceiptId>,
    pub message: &'a MessageRow,
    pub usage: Option<&'a UsageRow>,
    /// By which the thread is known up to the reply.
    pub links: &'a [StoryLink],
}

/// What is noted of a turn at its end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Learned<'a> {
    /// Whether what its question states is remembered now.
    pub question: bool,
    /// How the selections of its dossiers served their replies.
    pub served: &'a [(ReceiptId, Served)],
    /// Of its messages, as far as they have none.
    pub chunks: &'a [Draft],
    /// The messages whose words the chunks hold.
    pub said: &'a [MessageId],
    /// Whether something is left that is noted another time.
    pub unfinished: bool,
}

/// A reply that ends without a message.
#[derive(Debug, Clone, Copy)]
pub struct EndedReply<'a> {
    pub turn: &'a TurnId,
    pub ordinal: usize,
    pub state: ReplyState,
    pub error: &'a serde_json::Value,
    pub usage: Option<&'a UsageRow>,
    /// By which the thread is known up to what was not replied to.
    pub links: &'a [StoryLink],
}

impl Turn {
    fn read(row: &Row, replies: Vec<Reply>) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            project: row.text("project_id")?,
            thread: row.text("conversation_id")?,
            message: row.text("message_id")?,
            client_message_id: row.optional_text("client_message_id")?,
            request: row.json("request")?,
            lease_until: row.time("lease_until")?,
            created_at: row.time("created_at")?,
            learned_at: row.get_as::<Option<i64>>("learned_at")?.map(Timestamp::from_millis),
            replies,
        })
    }

    /// Its replies and its question.
    pub fn said(&self) -> impl Iterator<Item = &MessageId> {
        let replies = self.replies.iter().filter_map(|reply| reply.message.as_ref());
        replies.chain([&self.message])
    }
}

impl Reply {
    pub(crate) fn read(row: &Row) -> Result<Self, StoreError> {
        let state: String = row.text("state")?;
        let error: Option<String> = row.optional_text("error")?;
        Ok(Self {
            model: row.text("model")?,
            state: ReplyState::parse(&state)
                .ok_or_else(|| StoreError::unreadable("state", format!("`{state}`")))?,
            receipt: row.optional_text("receipt_id")?,
            message: row.optional_text("message_id")?,
            error: error
                .map(|error| serde_json::from_str(&error))
                .transpose()
                .map_err(|error| StoreError::unreadable("error", error))?,
        })
    }
}

impl Inner {
    /// The time before which a lease must end for nobody to work on its turn, in milliseconds; and
    /// what keeps it so while it is held.
    fn abandoned_before(&self, now: Timestamp) -> (i64, Option<File>) {
        let rest = match &self.backend {
            Backend::Sqlite(local) => local.place.rest(),
            Backend::Postgres => None,
        };
        (rest.as_ref().map_or(now.as_millis(), |_| i64::MAX), rest)
    }
}

impl Store {
    /// The owners of turns that nobody works on any more.
    pub async fn owners_with_abandoned_turns(
        &self,
        now: Timestamp,
    ) -> Result<Vec<OwnerId>, StoreError> {
        let (until, _rest) = self.inner.abandoned_before(now);
        let rows = sql::query(
            "SELECT DISTINCT owner FROM turns WHERE learned_at IS NULL AND lease_until < $1
             ORDER BY owner",
        )
        .bind(until)
        .fetch_all(&mut *self.inner.pool.acquire().await?)
        .await?;
        rows.iter().map(|row| row.text("owner")).collect()
    }
}

impl OwnerStore {
    /// Writes the question and the turn, with its thread if that is new. Fails with `Conflict` when
    /// the client's name for it or the place in the thread is taken, or when a question that is
    /// there is being answered.
    pub async fn create_turn(&self, new: NewTurn<'_>) -> Result<(), StoreError> {
        self.work().await;
        let mut write = self.write().await?;
        begin(&mut write, new).await?;
        write.commit().await
    }

    pub async fn turn(&self, id: &TurnId) -> Result<Option<Turn>, StoreError> {
        let turns = self.turns_where("id = $2", id.as_str()).await?;
        Ok(turns.into_iter().next())
    }

    /// The turn that the client calls so.
    pub async fn turn_named(&self, client_message_id: &str) -> Result<Option<Turn>, StoreError> {
        let turns = self.turns_where("client_message_id = $2", client_message_id).await?;
        Ok(turns.into_iter().next())
    }

    /// The turns of a thread, the oldest first.
    pub async fn turns(&self, thread: &ThreadId) -> Result<Vec<Turn>, StoreError> {
        self.turns_where("conversation_id = $2", thread.as_str()).await
    }

    /// Turns that are not learned from and that nobody works on any more: all of them while no
    /// process works on any, otherwise those whose lease has run out.
    pub async fn abandoned_turns(&self, now: Timestamp) -> Result<Vec<Turn>, StoreError> {
        let (until, _rest) = self.inner.abandoned_before(now);
        let condition = "learned_at IS NULL AND lease_until < CAST($2 AS BIGINT)";
        self.turns_where(condition, &until.to_string()).await
    }

    /// The turns of a project of which something may not be learned yet.
    pub async fn unlearned_turns(&self, project: &ProjectId) -> Result<Vec<Turn>, StoreError> {
        self.turns_where("learned_at IS NULL AND project_id = $2", project.as_str()).await
    }

    pub(crate) async fn work(&self) {
        if let Backend::Sqlite(local) = &self.inner.backend {
            local.work().await;
        }
    }

    async fn turns_where(
        &self,
        condition: &'static str,
        argument: &str,
    ) -> Result<Vec<Turn>, StoreError> {
        let connection = &mut *self.connection().await?;
        let rows = sql::composed(format!(
            "SELECT * FROM turns WHERE owner = $1 AND {condition} ORDER BY created_at, id"
        ))
        .bind(self.owner.as_str())
        .bind(argument)
        .fetch_all(&mut *connection)
        .await?;
        let mut turns = Vec::with_capacity(rows.len());
        for row in &rows {
            let replies = sql::query(
                "SELECT * FROM turn_replies WHERE owner = $1 AND turn_id = $2 ORDER BY ordinal",
            )
            .bind(self.owner.as_str())
            .bind(row.text::<String>("id")?)
            .fetch_all(&mut *connection)
            .await?;
            let replies = replies.iter().map(Reply::read).collect::<Result<_, StoreError>>()?;
            turns.push(Turn::read(row, replies)?);
        }
        Ok(turns)
    }

    /// Whether somebody is at work on a reply to this question.
    pub async fn is_being_answered(&self, question: &Message) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        is_open(&mut connection, &self.owner, &question.thread, Some(&question.id)).await
    }

    /// Whether somebody is at work on a reply in this thread.
    pub async fn is_busy(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        is_open(&mut *self.connection().await?, &self.owner, thread, None).await
    }

    /// Stores the receipt of a dossier with what is counted of it, and notes that a model is asked
    /// with it. Nothing is stored for a model that was not to be asked any more; whether it was.
    pub async fn reply_called(
        &self,
        turn: &TurnId,
        ordinal: usize,
        receipt: &ReceiptRow,
        contents: &[(ContentHash, String)],
        assembly: &Assembly,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        if !step(&mut write, turn, ordinal, ReplyState::Called).await? {
            return Ok(false);
        }
        receipts::put(&mut write, receipt, contents).await?;
        assemblies::put(&mut write, receipt, assembly).await?;
        set(&mut write, turn, ordinal, "receipt_id", Some(receipt.id.as_str())).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Stores a reply as a message of the thread, with its usage. Nothing is stored of a reply that
    /// has ended otherwise meanwhile; whether it was stored.
    pub async fn reply_given(&self, reply: NewReply<'_>) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let given = give(&mut write, reply).await?;
        if given {
            write.commit().await?;
        }
        Ok(given)
    }

    /// Ends a reply without a message. Whether it was open.
    pub async fn reply_ended(&self, ended: EndedReply<'_>) -> Result<bool, StoreError> {
        let EndedReply { turn, ordinal, state, error, usage, links } = ended;
        let mut write = self.write().await?;
        let own = step(&mut write, turn, ordinal, state).await?;
        if own {
            set(&mut write, turn, ordinal, "error", Some(&to_json(error)?)).await?;
            put_links(&mut write, turn, links).await?;
        }
        // What was used is billed, whatever became of it.
        if let Some(usage) = usage {
            usage::put(&mut write, usage).await?;
        }
        write.commit().await?;
        Ok(own)
    }

    /// Prepares replies that ended without a message to be asked for again; which these are. Those
    /// that somebody else has prepared meanwhile are not among them.
    pub async fn retry_turn(
        &self,
        turn: &TurnId,
        ordinals: &[usize],
        lease_until: Timestamp,
    ) -> Result<Vec<usize>, StoreError> {
        self.work().await;
        let mut write = self.write().await?;
        let mut again = Vec::new();
        for ordinal in ordinals {
            if step(&mut write, turn, *ordinal, ReplyState::Prepared).await? {
                set(&mut write, turn, *ordinal, "error", None).await?;
                again.push(*ordinal);
            }
        }
        if again.is_empty() {
            return Ok(again);
        }
        let sql =
            "UPDATE turns SET lease_until = $1, learned_at = NULL WHERE owner = $2 AND id = $3";
        let owner = write.owner.clone();
        let query = sql::query(sql).bind(lease_until.as_millis());
        query.bind(owner.as_str()).bind(turn.as_str()).execute(write.connection()).await?;
        write.commit().await?;
        Ok(again)
    }

    /// Tells that the process still works on these turns.
    pub async fn keep_turn(&self, turn: &TurnId, until: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE turns SET lease_until = $1 WHERE owner = $2 AND id = $3";
        self.set_time(sql, turn, until).await
    }

    /// Whether the question of a turn was learned from, in this turn or in another.
    pub async fn is_question_learned(&self, turn: &Turn) -> Result<bool, StoreError> {
        let row = sql::query(
            "SELECT CAST(COUNT(*) AS BIGINT) AS learned FROM turns
             WHERE owner = $1 AND conversation_id = $2 AND message_id = $3
                 AND question_learned_at IS NOT NULL",
        )
        .bind(self.owner.as_str())
        .bind(turn.thread.as_str())
        .bind(turn.message.as_str())
        .fetch_one(&mut *self.connection().await?)
        .await?;
        Ok(row.number("learned")? > 0)
    }

    /// Tells that what the turn's question states is remembered.
    pub async fn question_learned(&self, turn: &TurnId, now: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE turns SET question_learned_at = $1 WHERE owner = $2 AND id = $3";
        self.set_time(sql, turn, now).await
    }

    /// Tells what is learned of the turn, and, unless it is unfinished, that nothing is left to do
    /// for it. While one of its replies is asked for again that is not so, nor when one has come of
    /// which `turn` does not know: whoever is at work on it will say it, or is found when its lease
    /// has run out. Fails with `Conflict` when a message that the chunks hold words of was deleted
    /// meanwhile.
    pub async fn turn_learned(
        &self,
        turn: &Turn,
        learned: Learned<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        messages::index(&mut write, &turn.thread, learned.said, learned.chunks).await?;
        for (receipt, served) in learned.served {
            selections::put(&mut write, receipt, *served).await?;
        }
        let known = write.kind().text_among("message_id", "$5");
        let replies = turn.replies.iter().filter_map(|reply| reply.message.as_ref());
        sql::composed(format!(
            "UPDATE turns SET
                 question_learned_at = CASE WHEN $4 = 1 THEN $1 ELSE question_learned_at END,
                 learned_at = CASE WHEN $6 = 1 OR EXISTS (SELECT 1 FROM turn_replies
                     WHERE owner = $2 AND turn_id = $3 AND (state IN ('prepared', 'called')
                         OR (message_id IS NOT NULL AND NOT ({known}))))
                     THEN learned_at ELSE $1 END
             WHERE owner = $2 AND id = $3"
        ))
        .bind(now.as_millis())
        .bind(self.owner.as_str())
        .bind(turn.id.as_str())
        .bind(i64::from(learned.question))
        .bind(text_list(replies.map(MessageId::as_str))?)
        .bind(i64::from(learned.unfinished))
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    async fn set_time(
        &self,
        sql: &'static str,
        turn: &TurnId,
        time: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        let query = sql::query(sql).bind(time.as_millis());
        query.bind(self.owner.as_str()).bind(turn.as_str()).execute(write.connection()).await?;
        write.commit().await
    }
}

/// Writes what a turn begins with.
pub(crate) async fn begin(write: &mut Write, new: NewTurn<'_>) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    if let Some(thread) = new.thread {
        threads::create(write, thread).await?;
    }
    let turn = new.turn;
    if new.messages.iter().all(|row| row.message.id != turn.message) {
        if is_open(write.connection(), &owner, &turn.thread, Some(&turn.message)).await? {
            return Err(StoreError::Conflict { what: format!("question {}", turn.message) });
        }
        // With a message of its own, the message would find its place taken.
        if let Some(end) = new.end
            && messages::end_of(write.connection(), &owner, &turn.thread).await? != end
        {
            return Err(StoreError::Conflict {
                what: format!("the end of thread {}", turn.thread),
            });
        }
    }
    let messages: Vec<_> = new.messages.iter().map(Cow::Borrowed).collect();
    messages::append(write, &turn.thread, &messages, new.chunks).await?;
    sql::query(
        "INSERT INTO turns (owner, id, project_id, conversation_id, message_id,
             client_message_id, request, lease_until, created_at, learned_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(owner.as_str())
    .bind(turn.id.as_str())
    .bind(turn.project.as_str())
    .bind(turn.thread.as_str())
    .bind(turn.message.as_str())
    .bind(turn.client_message_id.as_deref())
    .bind(to_json(&turn.request)?)
    .bind(turn.lease_until.as_millis())
    .bind(turn.created_at.as_millis())
    .bind(turn.learned_at.map(Timestamp::as_millis))
    .execute(write.connection())
    .await?;
    let replies: Vec<(i64, &Reply)> = (0..).zip(&turn.replies).collect();
    Insert {
        into: "INSERT INTO turn_replies (owner, turn_id, ordinal, model, state)",
        row: "(?, ?, ?, ?, ?)",
        then: "",
    }
    .run(write.connection(), &replies, |query, (ordinal, reply)| {
        query
            .bind(owner.as_str())
            .bind(turn.id.as_str())
            .bind(*ordinal)
            .bind(reply.model.as_str())
            .bind(reply.state.as_str())
    })
    .await?;
    Ok(())
}

/// Writes a reply, unless it has ended otherwise; whether it did.
pub(crate) async fn give(write: &mut Write, reply: NewReply<'_>) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let NewReply { turn, ordinal, receipt, message, usage, links } = reply;
    if !step(write, turn, ordinal, ReplyState::Replied).await? {
        return Ok(false);
    }
    let id = &message.message.id;
    messages::append(write, &message.message.thread, &[Cow::Borrowed(message)], &[]).await?;
    set(write, turn, ordinal, "message_id", Some(id.as_str())).await?;
    if let Some(receipt) = receipt {
        set(write, turn, ordinal, "receipt_id", Some(receipt.as_str())).await?;
        sql::query("UPDATE receipts SET message_id = $1 WHERE owner = $2 AND id = $3")
            .bind(id.as_str())
            .bind(owner.as_str())
            .bind(receipt.as_str())
            .execute(write.connection())
            .await?;
    }
    if let Some(usage) = usage {
        usage::put(write, usage).await?;
    }
    put_links(write, turn, links).await?;
    Ok(true)
}

async fn put_links(
    write: &mut Write,
    turn: &TurnId,
    links: &[StoryLink],
) -> Result<(), StoreError> {
    if links.is_empty() {
        return Ok(());
    }
    let owner = write.owner.clone();
    let row = sql::query("SELECT project_id FROM turns WHERE owner = $1 AND id = $2")
        .bind(owner.as_str())
        .bind(turn.as_str())
        .fetch_one(write.connection())
        .await?;
    stories::put(write, &row.text("project_id")?, links).await
}

/// Whether a reply is open in a thread: to this question, or to any.
async fn is_open(
    connection: &mut Connection,
    owner: &OwnerId,
    thread: &ThreadId,
    question: Option<&MessageId>,
) -> Result<bool, StoreError> {
    let row = sql::query(
        "SELECT turns.id FROM turns JOIN turn_replies
             ON turn_replies.owner = turns.owner AND turn_replies.turn_id = turns.id
         WHERE turns.owner = $1 AND turns.conversation_id = $2
             AND (CAST($3 AS TEXT) IS NULL OR turns.message_id = $3)
             AND turn_replies.state IN ('prepared', 'called')
         LIMIT 1",
    )
    .bind(owner.as_str())
    .bind(thread.as_str())
    .bind(question.map(MessageId::as_str))
    .fetch_optional(connection)
    .await?;
    Ok(row.is_some())
}

/// Brings a reply from any state that leads to this one. Whether it was in such a state.
async fn step(
    write: &mut Write,
    turn: &TurnId,
    ordinal: usize,
    state: ReplyState,
) -> Result<bool, StoreError> {
    let before: Vec<String> = ReplyState::ALL
        .into_iter()
        .filter(|before| before.leads_to(state))
        .map(|before| format!("'{}'", before.as_str()))
        .collect();
    let owner = write.owner.clone();
    let updated = sql::composed(format!(
        "UPDATE turn_replies SET state = $1
         WHERE owner = $2 AND turn_id = $3 AND ordinal = $4 AND state IN ({})",
        before.join(", ")
    ))
    .bind(state.as_str())
    .bind(owner.as_str())
    .bind(turn.as_str())
    .bind(ordinal as i64)
    .execute(write.connection())
    .await?;
    Ok(updated.rows_affected() > 0)
}

async fn set(
    write: &mut Write,
    turn: &TurnId,
    ordinal: usize,
    column: &'static str,
    value: Option<&str>,
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    sql::composed(format!(
        "UPDATE turn_replies SET {column} = $1 WHERE owner = $2 AND turn_id = $3 AND ordinal = $4"
    ))
    .bind(value)
    .bind(owner.as_str())
    .bind(turn.as_str())
    .bind(ordinal as i64)
    .execute(write.connection())
    .await?;
    Ok(())
}
