//! What the program that opens the door decides: where it is, who may come in, and how the settings
//! of flags, environment and files bear on what an owner sets here.

use dossier_core::id::OwnerId;
use dossier_core::maxima::Maxima;
use dossier_core::profile::ProfileName;
use dossier_engine::{Keeping, Roots};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use utoipa::ToSchema;

/// How the door is opened.
#[derive(Debug, Clone)]
pub struct Options {
    pub listen: SocketAddr,
    pub tokens: TokenPolicy,
    /// Names under which the server is reached, besides `localhost` and numbers.
    pub hosts: Vec<String>,
    pub limits: RequestLimits,
    /// The most that an owner may keep.
    pub maxima: Maxima,
    /// The folders of this machine that a consultation may read from.
    pub roots: Roots,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7717)),
            tokens: TokenPolicy::BeyondLoopback,
            hosts: Vec::new(),
            limits: RequestLimits::default(),
            maxima: Maxima::default(),
            roots: Roots::default(),
        }
    }
}

/// Who must show a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenPolicy {
    /// Nobody, unless the server can be reached from other machines.
    BeyondLoopback,
    Everyone,
}

/// What one request may take.
#[derive(Debug, Clone, Copy)]
pub struct RequestLimits {
    pub body_bytes: usize,
    /// The largest reply that is kept for a request that comes again.
    pub kept_bytes: usize,
    /// Until the reply begins.
    pub time: Duration,
    /// The same for a turn, which waits for models.
    pub turn: Duration,
    /// Requests at work at the same time.
    pub concurrent: usize,
    pub connections: usize,
    /// How long requests that are at work may go on after the server was told to stop.
    pub farewell: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            body_bytes: 20_000_000,
            kept_bytes: 20_000_000,
            time: Duration::from_secs(120),
            turn: Duration::from_secs(1_800),
            concurrent: 256,
            connections: 1024,
            farewell: Duration::from_secs(10),
        }
    }
}

/// What the database holds for an owner, by key.
pub type Held = BTreeMap<String, Value>;

/// The settings as the program resolves them: flags win over the environment over a file over what
/// the database holds.
pub trait Settings: fmt::Debug + Send + Sync {
    /// Every value that concerns this owner, fit to be shown.
    fn list(&self, owner: &OwnerId, held: &Held) -> Result<Vec<SettingRow>, String>;

    /// The value as it is kept, if the key can have it.
    fn check(&self, key: &str, value: &str) -> Result<String, String>;

    /// The profile of a dossier for which none is asked.
    fn profile(&self, held: &Held) -> ProfileName;

    /// The models of a turn for which none is named; none when nobody has said it.
    fn models(&self, held: &Held) -> Vec<String>;

    /// Days for which what is deleted can be brought back.
    fn grace_days(&self, held: &Held) -> u32;

    /// How long things are kept.
    fn keeping(&self, held: &Held) -> Keeping;
}

/// A setting and where its value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Setting)]
pub struct SettingRow {
    pub key: String,
    /// Secrets are masked; empty when nothing was said.
    pub value: String,
    /// Such as `environment DOSSIER_EMBEDDER`.
    pub origin: String,
    /// Whether it cannot be set here, since something stronger says it.
    pub locked: bool,
    pub applies: Applies,
}

/// When a new value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Applies {
    Now,
    Restart,
}
