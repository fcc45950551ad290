//! Work for later, as durable rows. A worker leases a job; when it dies, the lease runs out and
//! another takes over.

use crate::error::StoreError;
use crate::row::{Columns, to_json};
use crate::store::{DatabaseKind, OwnerStore};
use dossier_core::id::JobId;
use dossier_core::time::Timestamp;
use sqlx::AssertSqlSafe;
use sqlx::any::AnyRow;

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
    pub error: Option<String>,
    pub created_at: Timestamp,
}

impl Job {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
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
        })
    }
}

impl OwnerStore {
    /// Adds a job; one with the same id that exists already stays as it is.
    pub async fn enqueue(&self, job: &Job) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO jobs (owner, id, kind, payload, priority, state, attempts, max_attempts,
                 next_attempt_at, lease_until, error, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
             ON CONFLICT DO NOTHING",
        )
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
        .bind(job.created_at.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    pub async fn job(&self, id: &JobId) -> Result<Option<Job>, StoreError> {
        let row = sqlx::query("SELECT * FROM jobs WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.as_ref().map(Job::read).transpose()
    }

    /// Takes the next job of this kind, if one is due. No two workers get the same one.
    pub async fn lease(
        &self,
        kind: &str,
        now: Timestamp,
        lease_for_ms: i64,
    ) -> Result<Option<Job>, StoreError> {
        let mut write = self.write().await?;
        sqlx::query(
            "UPDATE jobs SET state = 'failed', lease_until = NULL,
                 error = 'the worker stopped during the last attempt'
             WHERE owner = $1 AND kind = $2 AND state = 'running' AND lease_until < $3
                 AND attempts >= max_attempts",
        )
        .bind(self.owner.as_str())
        .bind(kind)
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        let lock = match write.kind() {
            DatabaseKind::Sqlite => "",
            DatabaseKind::Postgres => "FOR UPDATE SKIP LOCKED",
        };
        let row = sqlx::query(AssertSqlSafe(format!(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_until = $4
             WHERE owner = $1 AND id = (
                 SELECT id FROM jobs WHERE owner = $1 AND kind = $2
                     AND ((state = 'queued' AND next_attempt_at <= $3)
                          OR (state = 'running' AND lease_until < $3))
                 ORDER BY priority DESC, next_attempt_at, created_at, id LIMIT 1 {lock})
             RETURNING *"
        )))
        .bind(self.owner.as_str())
        .bind(kind)
        .bind(now.as_millis())
        .bind(now.as_millis().saturating_add(lease_for_ms))
        .fetch_optional(write.connection())
        .await?;
        let job = row.as_ref().map(Job::read).transpose()?;
        write.commit().await?;
        Ok(job)
    }

    /// How many jobs there are in each state.
    pub async fn job_counts(&self) -> Result<Vec<(JobState, u64)>, StoreError> {
        let rows = sqlx::query(
            "SELECT state, CAST(COUNT(*) AS BIGINT) AS jobs FROM jobs WHERE owner = $1
             GROUP BY state",
        )
        .bind(self.owner.as_str())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let read = |row: &AnyRow| {
            let state: String = row.text("state")?;
            let state = JobState::parse(&state)
                .ok_or_else(|| StoreError::unreadable("state", state.as_str()))?;
            Ok((state, u64::try_from(row.number("jobs")?).unwrap_or(0)))
        };
        rows.iter().map(read).collect()
    }

    /// Ends a job as `Done` or `Skipped`.
    pub async fn finish(&self, id: &JobId, state: JobState) -> Result<(), StoreError> {
        self.end_attempt(id, state, None, None).await
    }

    /// Notes a failed attempt. The job is tried again at `retry_at`, or never when that is `None`
    /// or its attempts are used up.
    pub async fn fail(
        &self,
        id: &JobId,
        error: &str,
        retry_at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let state = if retry_at.is_some() { JobState::Queued } else { JobState::Failed };
        self.end_attempt(id, state, Some(error), retry_at).await
    }

    async fn end_attempt(
        &self,
        id: &JobId,
        state: JobState,
        error: Option<&str>,
        retry_at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        let updated = sqlx::query(
            "UPDATE jobs SET
                 state = CASE WHEN $1 = 'queued' AND attempts >= max_attempts
                         THEN 'failed' ELSE $1 END,
                 error = $2, lease_until = NULL,
                 next_attempt_at = COALESCE($3, next_attempt_at)
             WHERE owner = $4 AND id = $5",
        )
        .bind(state.as_str())
        .bind(error)
        .bind(retry_at.map(Timestamp::as_millis))
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .execute(write.connection())
        .await?;
        if updated.rows_affected() == 0 {
            return Err(StoreError::not_found(format!("job {id}")));
        }
        write.commit().await
    }
}
