//! What every handler works with: the engine, the settings, and whom to tell of changes.

use crate::care::Care;
use crate::metrics::Metrics;
use crate::options::{Held, Options, Settings};
use crate::problem::{Code, Problem};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_engine::{Change, Engine, Workspace, now};
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// The state of the server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Door(Arc<Inner>);

#[derive(Debug)]
pub struct Inner {
    pub engine: Engine,
    pub options: Options,
    pub settings: Arc<dyn Settings>,
    pub metrics: Metrics,
    pub care: Care,
    /// Requests that may still begin.
    pub room: Semaphore,
    /// Becomes true when the server stops; streams end then.
    pub stopping: watch::Sender<bool>,
    /// Whether the time is over in which what is at work could end.
    pub over: watch::Sender<bool>,
}

impl std::ops::Deref for Door {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Door {
    pub fn new(engine: Engine, settings: Arc<dyn Settings>, options: Options) -> Self {
        Self(Arc::new(Inner {
            engine,
            settings,
            metrics: Metrics::default(),
            care: Care::default(),
            room: Semaphore::new(options.limits.concurrent),
            stopping: watch::Sender::new(false),
            over: watch::Sender::new(false),
            options,
        }))
    }
}

/// Whoever asks, with the one moment that the request takes place at.
#[derive(Debug, Clone)]
pub struct Caller {
    pub workspace: Workspace,
    pub now: Timestamp,
}

impl Caller {
    pub fn owner(&self) -> &OwnerId {
        self.workspace.owner()
    }

    /// Tells other clients of the owner, and has vectors made of what is new.
    pub fn tell(&self, change: Change) {
        self.workspace.tell(change);
    }

    pub async fn held(&self) -> Result<Held, Problem> {
        Ok(self.workspace.config().await?)
    }
}

impl FromRequestParts<Door> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, door: &Door) -> Result<Self, Problem> {
        let owner = parts.extensions.get::<OwnerId>();
        let owner = owner.ok_or_else(|| Problem::new(Code::TokenRequired, "show a token"))?;
        let workspace = door.engine.owner(owner).within(door.options.maxima);
        Ok(Self { workspace, now: now() })
    }
}
