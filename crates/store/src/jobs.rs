//! Work for later, as durable rows. A worker leases a job; when it dies, the lease runs out and
//! another takes over. Whoever has lost a job to another cannot end it any more.

use crate::error::StoreError;
use crate::refs::{self, RefRow};
use crate::row::{Row, text_list, to_json};
use crate::sql;
use crate::store::{Backend, DatabaseKind, OwnerStore, Store};
use crate::usage::{self, UsageRow};
use crate::write::{self, Write};
use dossier_core::id::{JobId, OwnerId, ThreadId};
use dossier_core::time::Timestamp;
use dossier_core::work::Spent;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    Queued,
    Running,
    Done,
    Failed,
    Skipped,
}

impl JobState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Skipped]
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub kind: String,
    pub payload: serde_json::Value,
    /// Higher goes first.
    pub priority: i64,
    pub state: JobState,
    /// How often it was begun.
    pub attempts: i64,
    pub max_attempts: i64,
    pub next_attempt_at: Timestamp,
    pub lease_until: Option<Timestamp>,
    /// Why it failed or was skipped.
    pub error: Option<String>,
    pub created_at: Timestamp,
    /// What models took for it, over all attempts.
    pub tokens: i64,
    /// In millionths of a dollar, if the price is known.
    pub cost: Option<i64>,
    pub completed_at: Option<Timestamp>,
}

/// How an attempt ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEnd<'a> {
    Done,
    /// There was nothing to do, or it may not be done.
    Skipped(&'a str),
    /// It is not tried again.
    Failed(&'a str),
    /// It is tried again at this time, unless its attempts are used up.
    Again(&'a str, Timestamp),
}

impl<'a> JobEnd<'a> {
    fn state(self) -> JobState {
        match self {
            Self::Done => JobState::Done,
            Self::Skipped(_) => JobState::Skipped,
            Self::Failed(_) => JobState::Failed,
            Self::Again(..) => JobState::Queued,
        }
    }

    fn reason(self) -> Option<&'a str> {
        match self {
            Self::Done => None,
            Self::Skipped(reason) | Self::Failed(reason) | Self::Again(reason, _) => Some(reason),
        }
    }
}

impl Job {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let state: String = row.text("state")?;
        Ok(Self {
            id: row.text("id")?,
            kind: row.text("kind")?,
            payload: row.json("payload")?,
            priority: row.number("priority")?,
            state: JobState::parse(&state)
                .ok_or_else(|| StoreError::unreadable("state", format!("`{state}`")))?,
            attempts: row.number("attempts")?,
            max_attempts: row.number("max_attempts")?,
            next_attempt_at: row.time("next_attempt_at")?,
            lease_until: row.get_as::<Option<i64>>("lease_until")?.map(Timestamp::from_millis),
            error: row.optional_text("error")?,
            created_at: row.time("created_at")?,
            tokens: row.number("tokens")?,
            cost: row.get_as("cost")?,
            completed_at: row.get_as::<Option<i64>>("completed_at")?.map(Timestamp::from_millis),
        })
    }
}

/// Jobs that have not come to an end.
const OPEN: &str = "state IN ('queued', 'running')";

impl Store {
    /// The owners for whom something is due, or has been left by a worker.
    pub async fn owners_with_jobs(&self, now: Timestamp) -> Result<Vec<OwnerId>, StoreError> {
        let rows = sql::composed(format!(
            "SELECT DISTINCT owner FROM jobs
             WHERE {OPEN} AND (state = 'running' OR next_attempt_at <= $1) ORDER BY owner"
        ))
        .bind(now.as_millis())
        .fetch_all(&mut *self.inner.pool.acquire().await?)
        .await?;
        rows.iter().map(|row| row.text("owner")).collect()
    }
}

impl OwnerStore {
    /// Adds a job; one with the same id that exists already stays as it is.
    pub async fn enqueue(&self, job: &Job) -> Result<(), StoreError> {
        self.insert(job, None).await
    }

    /// Adds a job. One with the same id is to be done again if it is done, or if it came to nothing
    /// before this time.
    pub async fn enqueue_again(&self, job: &Job, before: Timestamp) -> Result<(), StoreError> {
        self.insert(job, Some(before)).await
    }

    async fn insert(&self, job: &Job, again: Option<Timestamp>) -> Result<(), StoreError> {
        let otherwise = match again {
            None => "ON CONFLICT DO NOTHING",
            Some(_) => {
                "ON CONFLICT (owner, id) DO UPDATE SET payload = excluded.payload,
                     state = 'queued', attempts = 0, next_attempt_at = excluded.next_attempt_at,
                     error = NULL, completed_at = NULL
                 WHERE jobs.state = 'done'
                     OR jobs.state IN ('failed', 'skipped') AND jobs.completed_at < $13"
            }
        };
        let mut write = self.write().await?;
        let query = format!(
            "INSERT INTO jobs (owner, id, kind, payload, priority, state, attempts, max_attempts,
                 next_attempt_at, lease_until, error, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) {otherwise}"
        );
        let query = sql::composed(query)
            .bind(self.owner.as_str())
            .bind(job.id.as_str())
            .bind(job.kind.as_str())
            .bind(to_json(&job.payload)?)
            .bind(job.priority)
            .bind(job.state.as_str())
            .bind(job.attempts)
            .bind(job.max_attempts)
            .bind(job.next_attempt_at.as_millis())
            .bind(job.lease_until.map(Timestamp::as_millis))
            .bind(job.error.as_deref())
            .bind(job.created_at.as_millis());
        let query = match again {
            Some(before) => query.bind(before.as_millis()),
            None => query,
        };
        query.execute(write.connection()).await?;
        write.commit().await
    }

    pub async fn job(&self, id: &JobId) -> Result<Option<Job>, StoreError> {
        let row = sql::query("SELECT * FROM jobs WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(Job::read).transpose()
    }

    /// Takes the next job of these kinds, if one is due: the most urgent, then the one that waits
    /// longest. No two workers get the same one.
    pub async fn lease(
        &self,
        kinds: &[&str],
        now: Timestamp,
        lease_for_ms: i64,
    ) -> Result<Option<Job>, StoreError> {
        if !self.is_anything_due(now).await? {
            return Ok(None);
        }
        self.start_work().await?;
        let mut write = self.write().await?;
        let kinds = text_list(kinds.iter().copied())?;
        let among = write.kind().text_among("kind", "$2");
        sql::composed(format!(
            "UPDATE jobs SET state = 'failed', lease_until = NULL, completed_at = $3,
                 error = 'the worker stopped during the last attempt'
             WHERE owner = $1 AND {among} AND state = 'running' AND lease_until < $3
                 AND attempts >= max_attempts"
        ))
        .bind(self.owner.as_str())
        .bind(kinds.as_str())
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        let lock = match write.kind() {
            DatabaseKind::Sqlite => "",
            DatabaseKind::Postgres => "FOR UPDATE SKIP LOCKED",
        };
        let row = sql::composed(format!(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_until = $4
             WHERE owner = $1 AND id = (
                 SELECT id FROM jobs WHERE owner = $1 AND {among} AND {OPEN}
                     AND ((state = 'queued' AND next_attempt_at <= $3)
                          OR (state = 'running' AND lease_until < $3))
                 ORDER BY priority DESC, next_attempt_at, created_at, id LIMIT 1 {lock})
             RETURNING *"
        ))
        .bind(self.owner.as_str())
        .bind(kinds.as_str())
        .bind(now.as_millis())
        .bind(now.as_millis().saturating_add(lease_for_ms))
        .fetch_optional(write.connection())
        .await?;
        let job = row.as_ref().map(Job::read).transpose()?;
        write.commit().await?;
        Ok(job)
    }

    /// Whether it is worth waiting for the writer: most looks find nothing.
    async fn is_anything_due(&self, now: Timestamp) -> Result<bool, StoreError> {
        let row = sql::composed(format!(
            "SELECT 1 FROM jobs WHERE owner = $1 AND {OPEN}
                 AND (state = 'running' OR next_attempt_at <= $2) LIMIT 1"
        ))
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        Ok(row.is_some())
    }

    /// Notes that this process works. Beside an SQLite store it is known whether any other does; where
    /// none does, the leases of those that were killed are over.
    async fn start_work(&self) -> Result<(), StoreError> {
        if let Backend::Sqlite(local) = &self.inner.backend
            && !local.is_at_work()
            && let Some(_rest) = local.place.rest()
        {
            let mut transaction = write::begin(&self.inner, "jobs").await?;
            sql::query("UPDATE jobs SET lease_until = 0 WHERE state = 'running'")
                .execute(&mut transaction)
                .await?;
            transaction.commit().await?;
        }
        self.work().await;
        Ok(())
    }

    /// How many jobs there are in each state.
    pub async fn job_counts(&self) -> Result<Vec<(JobState, u64)>, StoreError> {
        let rows = sql::query(
            "SELECT state, CAST(COUNT(*) AS BIGINT) AS jobs FROM jobs WHERE owner = $1
             GROUP BY state",
        )
        .bind(self.owner.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &Row| {
            let state: String = row.text("state")?;
            let state = JobState::parse(&state)
                .ok_or_else(|| StoreError::unreadable("state", state.as_str()))?;
            Ok((state, u64::try_from(row.number("jobs")?).unwrap_or(0)))
        };
        rows.iter().map(read).collect()
    }

    /// Notes a call that was made for a job: in the usage and with the job.
    pub async fn note_call(&self, job: &Job, usage: &UsageRow) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        usage::put(&mut write, usage).await?;
        let tokens = i64::from(usage.tokens.input) + i64::from(usage.tokens.output);
        sql::query(
            "UPDATE jobs SET tokens = tokens + $3,
                 cost = CASE WHEN CAST($4 AS BIGINT) IS NULL THEN cost
                     ELSE COALESCE(cost, 0) + $4 END
             WHERE owner = $1 AND id = $2",
        )
        .bind(self.owner.as_str())
        .bind(job.id.as_str())
        .bind(tokens)
        .bind(usage.cost)
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// What calls for jobs of these kinds took on a day, of a thread, and how many other workers are
    /// about to call for one.
    pub async fn spent_on(
        &self,
        kinds: &[&str],
        job: &Job,
        thread: Option<&ThreadId>,
        day: &str,
    ) -> Result<(Spent, u64), StoreError> {
        let sum =
            |what: &str, name: &str| format!("CAST(COALESCE(SUM({what}), 0) AS BIGINT) AS {name}");
        let row = sql::composed(format!(
            "SELECT {}, {}, {},
                 (SELECT CAST(COUNT(*) AS BIGINT) FROM jobs WHERE owner = $1 AND {}
                      AND state = 'running' AND id <> $5) AS others
             FROM usage WHERE owner = $1 AND {}
                 AND (day = $3 OR conversation_id = $4)",
            sum("CASE WHEN day = $3 THEN input + output ELSE 0 END", "of_day"),
            sum("CASE WHEN conversation_id = $4 THEN input + output ELSE 0 END", "of_thread"),
            sum("CASE WHEN day = $3 THEN cost ELSE 0 END", "cost"),
            self.kind().text_among("kind", "$2"),
            self.kind().text_among("component", "$2"),
        ))
        .bind(self.owner.as_str())
        .bind(text_list(kinds.iter().copied())?)
        .bind(day)
        .bind(thread.map_or("", ThreadId::as_str))
        .bind(job.id.as_str())
        .fetch_one(&mut *self.connection().await?)
        .await?;
        let number = |column| Ok::<_, StoreError>(u64::try_from(row.number(column)?).unwrap_or(0));
        let spent = Spent {
            tokens_of_day: number("of_day")?,
            tokens_of_thread: number("of_thread")?,
            usd_of_day: number("cost")? as f64 / 1e6,
        };
        Ok((spent, number("others")?))
    }

    /// Ends the attempt that was leased; whether it was still this worker's.
    pub async fn finish(
        &self,
        job: &Job,
        end: JobEnd<'_>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let is_own = end_attempt(&mut write, job, end, now).await?;
        write.commit().await?;
        Ok(is_own)
    }

    /// Ends the attempt with a summary that a model wrote of a ref: both or neither.
    pub async fn finish_summary(
        &self,
        job: &Job,
        row: &RefRow,
        (summary, model): (&str, &str),
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let is_own = end_attempt(&mut write, job, JobEnd::Done, now).await?;
        if is_own {
            refs::summarise(&mut write, row, summary, model).await?;
        }
        write.commit().await?;
        Ok(is_own)
    }
}

async fn end_attempt(
    write: &mut Write,
    job: &Job,
    end: JobEnd<'_>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let owner = write.owner.clone();
    let retry_at = match end {
        JobEnd::Again(_, at) => Some(at.as_millis()),
        _ => None,
    };
    // Another worker that has taken the job over has begun it once more.
    let ended = sql::query(
        "UPDATE jobs SET
             state = CASE WHEN $1 = 'queued' AND attempts >= max_attempts
                     THEN 'failed' ELSE $1 END,
             completed_at = CASE WHEN $1 = 'queued' AND attempts < max_attempts
                     THEN NULL ELSE CAST($6 AS BIGINT) END,
             error = $2, lease_until = NULL,
             next_attempt_at = COALESCE($3, next_attempt_at)
         WHERE owner = $4 AND id = $5 AND state = 'running' AND attempts = $7",
    )
    .bind(end.state().as_str())
    .bind(end.reason())
    .bind(retry_at)
    .bind(owner.as_str())
    .bind(job.id.as_str())
    .bind(now.as_millis())
    .bind(job.attempts)
    .execute(write.connection())
    .await?;
    Ok(ended.rows_affected() > 0)
}
