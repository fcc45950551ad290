//! Settings that nobody has set.

use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_engine::Keeping;
use dossier_server::{SettingRow, Settings};
use serde_json::Value;
use std::collections::BTreeMap;

pub const GRACE_DAYS: u32 = 7;

type Held = BTreeMap<String, Value>;

#[derive(Debug)]
pub struct Plain;

impl Settings for Plain {
    fn list(&self, _: &OwnerId, _: &Held) -> Result<Vec<SettingRow>, String> {
        Ok(Vec::new())
    }

    fn check(&self, key: &str, _: &str) -> Result<String, String> {
        Err(format!("{key} cannot be set here"))
    }

    fn profile(&self, _: &Held) -> ProfileName {
        ProfileName::Lean
    }

    fn models(&self, _: &Held) -> Vec<String> {
        Vec::new()
    }

    fn grace_days(&self, _: &Held) -> u32 {
        GRACE_DAYS
    }

    fn keeping(&self, _: &Held) -> Keeping {
        Keeping::default()
    }
}
