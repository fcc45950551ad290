//! The values that settings take, and the keys of those that the database holds.

use super::embedder::EmbedderChoice;
use super::model::ModelNames;
use super::server::{LogLevel, parse_hosts, parse_listen, parse_log, parse_switch};
use anyhow::{anyhow, bail};
use clap::ValueEnum;
use dossier_core::maxima::Maximum;
use dossier_core::profile::ProfileName;
use dossier_core::work::Quota;
use dossier_engine::AnswerLimits;
use serde_json::Value;
use std::collections::BTreeMap;

/// What the database holds, by key.
pub type Held = BTreeMap<String, Value>;

/// The longest text that the database holds for a key, in characters.
const LONGEST: usize = 200;

pub fn parse_profile(text: &str) -> anyhow::Result<ProfileName> {
    Ok(ProfileName::parse(text)?)
}

/// A number of days, up to about a hundred years.
pub fn parse_days(text: &str) -> anyhow::Result<u32> {
    text.parse()
        .ok()
        .filter(|days| *days <= 36_500)
        .ok_or_else(|| anyhow!("`{text}` is no number of days; write one from 0 to 36500"))
}

/// A time that is waited for, up to a day, as it is kept.
pub fn parse_seconds(text: &str) -> anyhow::Result<String> {
    text.parse()
        .ok()
        .filter(|seconds: &u64| (1..=86_400).contains(seconds))
        .map(|seconds| seconds.to_string())
        .ok_or_else(|| anyhow!("`{text}` is no number of seconds; write one from 1 to 86400"))
}

/// A maximum, which is at least one.
pub fn parse_maximum(text: &str) -> anyhow::Result<u64> {
    text.parse()
        .ok()
        .filter(|most| (1..=i64::MAX as u64).contains(most))
        .ok_or_else(|| anyhow!("`{text}` is no maximum; write a whole number above 0"))
}

/// A sum of money, as it is kept.
pub fn parse_dollars(text: &str) -> anyhow::Result<String> {
    let amount = text.strip_prefix('$').unwrap_or(text);
    amount
        .parse()
        .ok()
        .filter(|dollars: &f64| (0.0..=1e6).contains(dollars))
        .map(|dollars| dollars.to_string())
        .ok_or_else(|| anyhow!("`{text}` is no sum of dollars; write one such as 2.50"))
}

/// A number of tokens, as it is kept; none at all is a number, too.
pub fn parse_tokens(text: &str) -> anyhow::Result<String> {
    text.parse()
        .ok()
        .filter(|tokens: &u64| *tokens <= 1_000_000_000)
        .map(|tokens| tokens.to_string())
        .ok_or_else(|| anyhow!("`{text}` is no number of tokens; write one such as 50000"))
}

/// Assistants with their models, as they are kept.
pub fn parse_assistants(text: &str) -> anyhow::Result<String> {
    let fits = |name: &str| {
        (1..=40).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let pair = |pair: &str| {
        let (name, model) =
            pair.split_once('=').map(|(name, model)| (name.trim(), model.trim()))?;
        (fits(name) && model.contains('/')).then(|| format!("{name}={model}"))
    };
    let pairs: Option<Vec<String>> = text.split(',').map(pair).collect();
    pairs.map(|pairs| pairs.join(", ")).ok_or_else(|| {
        anyhow!(
            "`{text}` names no assistants; write o3=openai/o3, gemini=google/gemini-2.5-pro, with \
             lower-case letters, digits and _ in their names"
        )
    })
}

/// Names of folders, each with a mark where it is to be read, as they are kept.
pub fn parse_folders(text: &str) -> anyhow::Result<String> {
    let folder = |name: &str| {
        let plain = name.strip_prefix('!').unwrap_or(name);
        let fits = |c: char| !c.is_control() && !['/', '\\', '*', '!'].contains(&c);
        (!plain.is_empty() && plain.chars().all(fits)).then(|| name.to_owned())
    };
    let folders: Option<Vec<String>> = text.split(',').map(|name| folder(name.trim())).collect();
    folders.map(|folders| folders.join(", ")).ok_or_else(|| {
        anyhow!(
            "`{text}` names no folders; write names without paths, as in fixtures, !vendor: with \
             ! before it a folder is read that is skipped otherwise"
        )
    })
}

/// The keys that the database may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HeldKey {
    #[value(name = "embedder")]
    Embedder,
    #[value(name = "profile")]
    Profile,
    #[value(name = "model")]
    Model,
    #[value(name = "models.timeout_seconds")]
    AnswerSeconds,
    #[value(name = "user.role")]
    UserRole,
    #[value(name = "user.time_zone")]
    UserTimeZone,
    #[value(name = "backups.days")]
    BackupDays,
    #[value(name = "receipts.days")]
    ReceiptDays,
    #[value(name = "budget.usd_per_day")]
    BudgetOfDay,
    #[value(name = "budget.usd_per_month")]
    BudgetOfMonth,
    #[value(name = "summaries.tokens_per_day")]
    SummaryTokensOfDay,
    #[value(name = "summaries.tokens_per_thread")]
    SummaryTokensOfThread,
    #[value(name = "summaries.usd_per_day")]
    SummaryDollars,
    #[value(name = "forget.grace_days")]
    GraceDays,
    #[value(name = "limits.threads")]
    MostThreads,
    #[value(name = "limits.personas")]
    MostPersonas,
    #[value(name = "limits.messages")]
    MostMessages,
    #[value(name = "limits.bytes")]
    MostBytes,
    #[value(name = "consult.assistants")]
    Assistants,
    #[value(name = "consult.enable_stable_inline_list")]
    StableList,
    #[value(name = "consult.shadow")]
    ShadowList,
    #[value(name = "consult.retention_days")]
    ConsultDays,
    #[value(name = "consult.hosted_store")]
    HostedStore,
    #[value(name = "files.skip")]
    SkippedFolders,
    #[value(name = "listen")]
    Listen,
    #[value(name = "server.tokens_required")]
    TokensRequired,
    #[value(name = "server.hosts")]
    ServerHosts,
    #[value(name = "server.log")]
    ServerLog,
    #[value(name = "server.log_level")]
    ServerLogLevel,
}

impl HeldKey {
    /// Those whose values are kept as texts, whoever says them.
    pub const TEXTS: [HeldKey; 16] = [
        HeldKey::AnswerSeconds,
        HeldKey::UserRole,
        HeldKey::UserTimeZone,
        HeldKey::BackupDays,
        HeldKey::ReceiptDays,
        HeldKey::BudgetOfDay,
        HeldKey::BudgetOfMonth,
        HeldKey::SummaryTokensOfDay,
        HeldKey::SummaryTokensOfThread,
        HeldKey::SummaryDollars,
        HeldKey::Assistants,
        HeldKey::StableList,
        HeldKey::ShadowList,
        HeldKey::ConsultDays,
        HeldKey::HostedStore,
        HeldKey::SkippedFolders,
    ];

    /// Those of consultations, and of the files that these and the index read.
    pub const CONSULT: [HeldKey; 6] = [
        HeldKey::Assistants,
        HeldKey::StableList,
        HeldKey::ShadowList,
        HeldKey::ConsultDays,
        HeldKey::HostedStore,
        HeldKey::SkippedFolders,
    ];

    /// Those of summaries by a model, with what holds unless they are set.
    pub fn summaries() -> [(HeldKey, String); 3] {
        let usual = Quota::default();
        [
            (HeldKey::SummaryTokensOfDay, usual.tokens_per_day.to_string()),
            (HeldKey::SummaryTokensOfThread, usual.tokens_per_thread.to_string()),
            (HeldKey::SummaryDollars, usual.usd_per_day.to_string()),
        ]
    }

    pub fn as_str(self) -> &'static str {
        match self {
            HeldKey::Embedder => "embedder",
            HeldKey::Profile => "profile",
            HeldKey::Model => "model",
            HeldKey::AnswerSeconds => AnswerLimits::SETTING,
            HeldKey::UserRole => "user.role",
            HeldKey::UserTimeZone => "user.time_zone",
            HeldKey::BackupDays => "backups.days",
            HeldKey::ReceiptDays => "receipts.days",
            HeldKey::BudgetOfDay => "budget.usd_per_day",
            HeldKey::BudgetOfMonth => "budget.usd_per_month",
            HeldKey::SummaryTokensOfDay => Quota::TOKENS_PER_DAY,
            HeldKey::SummaryTokensOfThread => Quota::TOKENS_PER_THREAD,
            HeldKey::SummaryDollars => Quota::USD_PER_DAY,
            HeldKey::GraceDays => "forget.grace_days",
            HeldKey::MostThreads => Maximum::Threads.setting(),
            HeldKey::MostPersonas => Maximum::Personas.setting(),
            HeldKey::MostMessages => Maximum::Messages.setting(),
            HeldKey::MostBytes => Maximum::Bytes.setting(),
            HeldKey::Assistants => "consult.assistants",
            HeldKey::StableList => "consult.enable_stable_inline_list",
            HeldKey::ShadowList => "consult.shadow",
            HeldKey::ConsultDays => "consult.retention_days",
            HeldKey::HostedStore => "consult.hosted_store",
            HeldKey::SkippedFolders => "files.skip",
            HeldKey::Listen => "listen",
            HeldKey::TokensRequired => "server.tokens_required",
            HeldKey::ServerHosts => "server.hosts",
            HeldKey::ServerLog => "server.log",
            HeldKey::ServerLogLevel => "server.log_level",
        }
    }

    /// The variable that says it: `DOSSIER_BACKUPS_DAYS` is `backups.days`.
    pub fn variable(self) -> String {
        format!("DOSSIER_{}", self.as_str().replace('.', "_").to_uppercase())
    }

    /// The value as it is kept, if the key can have it.
    pub fn check(self, value: &str) -> anyhow::Result<String> {
        let value = value.trim();
        match self {
            HeldKey::Embedder => EmbedderChoice::parse(value).map(|choice| choice.to_string()),
            HeldKey::Profile => parse_profile(value).map(|name| name.as_str().to_owned()),
            HeldKey::Model => ModelNames::parse(value).map(|names| names.to_string()),
            HeldKey::AnswerSeconds => parse_seconds(value),
            HeldKey::BackupDays
            | HeldKey::ReceiptDays
            | HeldKey::GraceDays
            | HeldKey::ConsultDays => parse_days(value).map(|days| days.to_string()),
            HeldKey::BudgetOfDay | HeldKey::BudgetOfMonth | HeldKey::SummaryDollars => {
                parse_dollars(value)
            }
            HeldKey::SummaryTokensOfDay | HeldKey::SummaryTokensOfThread => parse_tokens(value),
            HeldKey::MostThreads
            | HeldKey::MostPersonas
            | HeldKey::MostMessages
            | HeldKey::MostBytes => parse_maximum(value).map(|most| most.to_string()),
            HeldKey::Listen => parse_listen(value).map(|address| address.to_string()),
            HeldKey::Assistants => parse_assistants(value),
            HeldKey::SkippedFolders => parse_folders(value),
            HeldKey::TokensRequired
            | HeldKey::StableList
            | HeldKey::ShadowList
            | HeldKey::HostedStore => parse_switch(value).map(|switch| switch.to_string()),
            HeldKey::ServerHosts => parse_hosts(value).map(|hosts| hosts.to_string()),
            HeldKey::ServerLog => parse_log(value).map(|log| log.as_str().to_owned()),
            HeldKey::ServerLogLevel => {
                LogLevel::parse(value).map(|level| level.as_str().to_owned())
            }
            HeldKey::UserRole | HeldKey::UserTimeZone => {
                if value.is_empty() {
                    bail!("an empty value; to forget one: dossier config unset {}", self.as_str());
                }
                if value.chars().count() > LONGEST || value.chars().any(char::is_control) {
                    bail!(
                        "{} takes up to {LONGEST} characters on one line; shorten it",
                        self.as_str()
                    );
                }
                Ok(value.to_owned())
            }
        }
    }

    /// The held text of this key.
    pub fn of(self, held: &Held) -> Option<&str> {
        held.get(self.as_str()).and_then(Value::as_str)
    }
}
