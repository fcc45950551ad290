//! What the server does when nobody asks: jobs, vectors for what was written, the daily backup, and
//! the end of what is past its time, for all owners. It works beside the requests and fails without
//! them noticing.

use crate::state::Door;
use dossier_core::id::{OwnerId, ProjectId};
use dossier_engine::{BackupWhen, EngineError, Heard, Silent, Workspace, now};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Other processes write too, and an embedder that failed may work again.
const ROUND: Duration = Duration::from_secs(5 * 60);
const HOUR: Duration = Duration::from_secs(3600);
/// What is written is served when nothing more was written for so long, or has waited so long.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// How often it is looked for jobs when nothing is heard: one that failed comes due again, and other
/// processes leave some.
const IDLE: Duration = Duration::from_secs(5);

/// Where something was written since the worker looked last, its bell, and that of the jobs.
#[derive(Debug, Default)]
pub struct Care {
    written: Mutex<Written>,
    bell: Notify,
    jobs: Notify,
}

/// The projects of each owner; an owner may have written in none.
type Written = BTreeMap<OwnerId, BTreeSet<ProjectId>>;

impl Care {
    /// Says where there is something to do.
    pub fn wake(&self, owner: &OwnerId, project: Option<&str>) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.entry(owner.clone()).or_default().extend(project.map(ProjectId::from));
        drop(written);
        self.bell.notify_one();
        self.jobs.notify_one();
    }

    /// Waits for a pause: whoever writes waits for an answer, and the worker would take the
    /// processor from it.
    async fn calm(&self, bell: &Notify) {
        let writing = async { while timeout(PAUSE, bell.notified()).await.is_ok() {} };
        // Somebody writes without pause, and wants it found.
        let _ = timeout(LONGEST_WAIT, writing).await;
    }

    fn take(&self) -> Written {
        std::mem::take(&mut *self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Works until the server stops; what is left is done by the next.
pub async fn work(door: Door) {
    let mut stopping = door.stopping.subscribe();
    let rounds = async {
        let mut last_hour: Option<Instant> = None;
        let mut is_rung = false;
        loop {
            // Whoever waits for a reply that a killed process has left does not wait for vectors.
            if let Err(error) = door.engine.recover_turns(now()).await {
                tracing::warn!(cause = %error, "interrupted turns wait");
            }
            let written = door.care.take();
            let worked = if is_rung { follow(&door, written).await } else { all(&door).await };
            if let Err(error) = worked {
                tracing::warn!(cause = %error, "vectors wait");
            }
            if last_hour.is_none_or(|last| last.elapsed() >= HOUR) {
                last_hour = Some(Instant::now());
                if let Err(error) = tidy(&door).await {
                    tracing::warn!(cause = %error, "tidying waits");
                }
            }
            is_rung = timeout(ROUND, door.care.bell.notified()).await.is_ok();
            if is_rung {
                door.care.calm(&door.care.bell).await;
            }
        }
    };
    // Models may take long for a job, and vectors do not wait for them.
    let jobs = async {
        loop {
            if let Err(error) = work_off(&door).await {
                tracing::warn!(cause = %error, "jobs wait");
            }
            if timeout(IDLE, door.care.jobs.notified()).await.is_ok() {
                door.care.calm(&door.care.jobs).await;
            }
        }
    };
    let listening = async {
        let mut changes = door.engine.changes().listen_to_all();
        while let Some(heard) = changes.next().await {
            match heard {
                Heard::Change(owner, change) => {
                    door.care.wake(&owner, change.project_id.as_deref());
                }
                // The next round looks everywhere.
                Heard::Gap => {}
            }
        }
    };
    tokio::select! {
        () = rounds => {}
        () = jobs => {}
        () = listening => {}
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
}

/// Does what is left everywhere.
async fn all(door: &Door) -> Result<(), EngineError> {
    for owner in door.engine.owners().await? {
        let workspace = door.engine.owner(&owner);
        let projects = workspace.projects().await?.into_iter().map(|project| project.id);
        if !serve(&workspace, projects).await? {
            break;
        }
    }
    Ok(())
}

/// Does what was written calls for: a store may hold many projects that nobody touches.
async fn follow(door: &Door, written: Written) -> Result<(), EngineError> {
    for (owner, projects) in written {
        if !serve(&door.engine.owner(&owner), projects).await? {
            break;
        }
    }
    Ok(())
}

/// Works off the jobs of all owners.
async fn work_off(door: &Door) -> Result<(), EngineError> {
    for owner in door.engine.owners_with_jobs(now()).await? {
        if let Err(error) = door.engine.owner(&owner).work_off().await {
            tracing::warn!(%owner, cause = %error, "jobs wait");
        }
    }
    Ok(())
}

/// Makes the vectors that projects lack; whether the embedder works.
async fn serve(
    workspace: &Workspace,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<bool, EngineError> {
    for project in projects {
        let report = workspace.embed_pending(&project, &Silent).await?;
        if report.embedded > 0 {
            tracing::info!(project = %project, chunks = report.embedded, "vectors made");
        }
        if let Some(problem) = report.problem {
            tracing::warn!(cause = problem, "vectors are missing; words find everything");
            return Ok(false);
        }
    }
    Ok(true)
}

/// Backs up what is due, then removes what is past its time, and what calls that were killed have
/// left at a provider.
async fn tidy(door: &Door) -> Result<(), EngineError> {
    let local = door.engine.owner(&OwnerId::local());
    let keeping = door.settings.keeping(&local.config().await?);
    let mut done = door.engine.back_up(&keeping, BackupWhen::Due, now()).await;
    if let Some(backup) = &done.backup {
        tracing::info!(name = %backup.name, "backup made");
    }
    if let Some(problem) = &done.backup_problem {
        tracing::warn!(cause = problem, "no backup was made");
    } else {
        door.engine.sweep(&keeping, now(), &mut done).await?;
    }
    for owner in door.engine.owners().await? {
        let workspace = door.engine.owner(&owner);
        workspace.expire_replies(now()).await?;
        workspace.sweep_hosted().await?;
    }
    Ok(())
}
