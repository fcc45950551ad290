//! Settings: what was given by flags, the environment, a file and the database, resolved once
//! into values that are all there, each with its origin. The stronger source wins, in this order.

mod database;
mod embedder;
mod file;
mod given;
mod model;
mod origin;
mod server;
mod values;

pub use database::DatabaseUrl;
pub use embedder::{EmbedderChoice, EmbedderParser};
pub use file::FILE_NAME;
pub use given::{Environment, GRACE, Given, embedder_key};
pub use model::ModelNames;
pub use origin::{Origin, Setting};
pub use server::{LogFormat, LogLevel, ServerSettings, parse_listen};
pub use values::{Held, HeldKey};

use dossier_core::backup::Retention;
use dossier_core::maxima::Maxima;
use dossier_core::profile::ProfileName;
use dossier_engine::{FileSays, Keeping, Key};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What must be known before the database can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub data: Setting<PathBuf>,
    pub database: Setting<DatabaseUrl>,
}

/// Every value there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub places: Places,
    pub embedder: Setting<EmbedderChoice>,
    pub embedder_key: Setting<Option<Key>>,
    pub profile: Setting<ProfileName>,
    /// The models that are asked when none is named; empty when nobody has said it.
    pub model: Setting<ModelNames>,
    /// Seconds that a whole answer may take.
    pub answer_seconds: Setting<String>,
    /// What the settings file says of providers.
    pub providers: FileSays,
    /// Empty when nobody has said it.
    pub user_role: Setting<String>,
    /// Empty when nobody has said it.
    pub user_time_zone: Setting<String>,
    /// Days of which a backup is kept; none are made by themselves when it is 0.
    pub backup_days: Setting<u32>,
    /// Days after which receipts go that belong to no message.
    pub receipt_days: Setting<u32>,
    /// Dollars that a day and a month may cost; empty when nobody has said it.
    pub budget_of_day: Setting<String>,
    pub budget_of_month: Setting<String>,
    /// Days for which what is hidden can be brought back.
    pub grace_days: Setting<u32>,
    pub most_threads: Setting<u64>,
    pub most_personas: Setting<u64>,
    pub most_messages: Setting<u64>,
    pub most_bytes: Setting<u64>,
    /// The most that summaries by a model may take, by key.
    pub summaries: Vec<(HeldKey, Setting<String>)>,
    /// Of consultations and of the files that are read, by key.
    pub consult: Vec<(HeldKey, Setting<String>)>,
    pub server: ServerSettings,
}

impl Settings {
    /// Keys, values fit to be shown, and origins, in the order in which they are listed.
    pub fn rows(&self) -> Vec<(&'static str, String, &Origin)> {
        let Self { places, embedder, embedder_key, profile, user_role, user_time_zone, .. } = self;
        let mut rows = vec![
            ("data", places.data.value.display().to_string(), &places.data.origin),
            ("database", places.database.value.to_string(), &places.database.origin),
            (HeldKey::Embedder.as_str(), embedder.value.to_string(), &embedder.origin),
            ("embedder.key", masked(&embedder_key.value), &embedder_key.origin),
            (HeldKey::Profile.as_str(), profile.value.as_str().to_owned(), &profile.origin),
            (HeldKey::Model.as_str(), self.model.value.to_string(), &self.model.origin),
            (
                HeldKey::AnswerSeconds.as_str(),
                self.answer_seconds.value.clone(),
                &self.answer_seconds.origin,
            ),
            (HeldKey::UserRole.as_str(), user_role.value.clone(), &user_role.origin),
            (HeldKey::UserTimeZone.as_str(), user_time_zone.value.clone(), &user_time_zone.origin),
            (
                HeldKey::BackupDays.as_str(),
                self.backup_days.value.to_string(),
                &self.backup_days.origin,
            ),
            (
                HeldKey::ReceiptDays.as_str(),
                self.receipt_days.value.to_string(),
                &self.receipt_days.origin,
            ),
            (
                HeldKey::BudgetOfDay.as_str(),
                self.budget_of_day.value.clone(),
                &self.budget_of_day.origin,
            ),
            (
                HeldKey::BudgetOfMonth.as_str(),
                self.budget_of_month.value.clone(),
                &self.budget_of_month.origin,
            ),
            (
                HeldKey::GraceDays.as_str(),
                self.grace_days.value.to_string(),
                &self.grace_days.origin,
            ),
            limit(HeldKey::MostThreads, &self.most_threads),
            limit(HeldKey::MostPersonas, &self.most_personas),
            limit(HeldKey::MostMessages, &self.most_messages),
            limit(HeldKey::MostBytes, &self.most_bytes),
        ];
        let others = self.summaries.iter().chain(&self.consult);
        rows.extend(others.map(|(key, set)| (key.as_str(), set.value.clone(), &set.origin)));
        rows.extend(self.server.rows());
        rows
    }

    /// What is stronger than anything that the database holds, by key.
    pub fn given(&self) -> BTreeMap<String, Value> {
        let rows = self.rows().into_iter();
        let given = rows.filter(|(_, _, origin)| origin.is_stronger_than_database());
        given.map(|(key, value, _)| (key.to_owned(), Value::from(value))).collect()
    }

    /// The most that may be kept.
    pub fn maxima(&self) -> Maxima {
        Maxima {
            threads: self.most_threads.value,
            personas: self.most_personas.value,
            messages: self.most_messages.value,
            bytes: self.most_bytes.value,
        }
    }

    /// How long things are kept.
    pub fn keeping(&self) -> Keeping {
        let backups = Retention { days: self.backup_days.value as usize, ..Retention::default() };
        Keeping {
            backups,
            receipt_days: self.receipt_days.value,
            grace_days: self.grace_days.value,
        }
    }
}

fn limit(key: HeldKey, most: &Setting<u64>) -> (&'static str, String, &Origin) {
    (key.as_str(), most.value.to_string(), &most.origin)
}

fn masked(key: &Option<Key>) -> String {
    key.as_ref().map_or_else(String::new, |_| "***".to_owned())
}
