//! What the server does when nobody asks: vectors for what was written, the daily backup, and the
//! end of what is past its time. It works beside the requests and fails without them noticing.

use crate::state::Door;
use dossier_core::id::OwnerId;
use dossier_engine::{BackupWhen, EngineError, Silent, now};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Other processes write too, and an embedder that failed may work again.
const ROUND: Duration = Duration::from_secs(5 * 60);
const HOUR: Duration = Duration::from_secs(3600);

/// The bell of the worker.
#[derive(Debug, Default)]
pub struct Care(Notify);

impl Care {
    /// Says that there is something to do.
    pub fn wake(&self) {
        self.0.notify_one();
    }
}

/// Works until the server stops; what is left is done by the next.
pub async fn work(door: Door) {
    let mut stopping = door.stopping.subscribe();
    let rounds = async {
        let mut last_hour: Option<Instant> = None;
        loop {
            if let Err(error) = embed(&door).await {
                tracing::warn!(cause = %error, "vectors wait");
            }
            if last_hour.is_none_or(|last| last.elapsed() >= HOUR) {
                last_hour = Some(Instant::now());
                if let Err(error) = tidy(&door).await {
                    tracing::warn!(cause = %error, "tidying waits");
                }
            }
            let _ = tokio::time::timeout(ROUND, door.care.0.notified()).await;
        }
    };
    tokio::select! {
        () = rounds => {}
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
}

/// Makes the vectors that are missing.
async fn embed(door: &Door) -> Result<(), EngineError> {
    for owner in door.engine.owners().await? {
        let workspace = door.engine.owner(&owner);
        workspace.work_off().await?;
        for project in workspace.projects().await? {
            let report = workspace.embed_pending(&project.id, &Silent).await?;
            if report.embedded > 0 {
                tracing::info!(project = %project.id, chunks = report.embedded, "vectors made");
            }
            if let Some(problem) = report.problem {
                tracing::warn!(cause = problem, "vectors are missing; words find everything");
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Backs up what is due, then removes what is past its time.
async fn tidy(door: &Door) -> Result<(), EngineError> {
    let local = door.engine.owner(&OwnerId::local());
    let keeping = door.settings.keeping(&local.config().await?);
    let done = door.engine.back_up(&keeping, BackupWhen::Due, now()).await;
    if let Some(backup) = &done.backup {
        tracing::info!(name = %backup.name, "backup made");
    }
    if let Some(problem) = &done.backup_problem {
        tracing::warn!(cause = problem, "no backup was made");
    }
    for owner in door.engine.owners().await? {
        let workspace = door.engine.owner(&owner);
        workspace.expire_replies(now()).await?;
        workspace.recover_turns(now()).await?;
    }
    Ok(())
}
