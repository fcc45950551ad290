//! The settings file. There is one at most: the one that `--config` or `DOSSIER_CONFIG` names, or
//! else `dossier.toml` in the working directory. Keys it does not know are refused, so that a
//! misspelt one is noticed.

use super::database::DatabaseUrl;
use super::embedder::EmbedderChoice;
use super::model::ModelNames;
use super::server::ServerSection;
use super::values::HeldKey;
use anyhow::{Context as _, anyhow};
use dossier_core::profile::ProfileName;
use dossier_engine::Declarations;
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// Looked for in the working directory.
pub const FILE_NAME: &str = "dossier.toml";

/// What a settings file says; nothing where it is silent.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsFile {
    /// Relative to the file's own folder.
    pub data: Option<PathBuf>,
    database: Option<String>,
    pub embedder: Option<EmbedderChoice>,
    pub profile: Option<ProfileName>,
    pub model: Option<ModelNames>,
    #[serde(default)]
    pub providers: Declarations,
    #[serde(default)]
    models: ModelsSection,
    #[serde(default)]
    pub forget: ForgetSection,
    #[serde(default)]
    pub limits: LimitsSection,
    #[serde(default)]
    user: UserSection,
    #[serde(default)]
    backups: DaysSection,
    #[serde(default)]
    receipts: DaysSection,
    #[serde(default)]
    budget: BudgetSection,
    #[serde(default)]
    summaries: SummariesSection,
    #[serde(default)]
    consult: ConsultSection,
    #[serde(default)]
    files: FilesSection,
    pub listen: Option<String>,
    pub server: Option<ServerSection>,
    #[serde(skip)]
    pub path: PathBuf,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForgetSection {
    pub grace_days: Option<u32>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsSection {
    pub threads: Option<u64>,
    pub personas: Option<u64>,
    pub messages: Option<u64>,
    pub bytes: Option<u64>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelsSection {
    timeout_seconds: Option<Said>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct UserSection {
    role: Option<Said>,
    time_zone: Option<Said>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct DaysSection {
    days: Option<Said>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetSection {
    usd_per_day: Option<Said>,
    usd_per_month: Option<Said>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SummariesSection {
    tokens_per_day: Option<Said>,
    tokens_per_thread: Option<Said>,
    usd_per_day: Option<Said>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConsultSection {
    assistants: Option<Said>,
    enable_stable_inline_list: Option<Said>,
    shadow: Option<Said>,
    retention_days: Option<Said>,
    hosted_store: Option<Said>,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilesSection {
    skip: Option<Said>,
}

/// A value as if it had been typed: a text, a number, true or false, or a list.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
struct Said(String);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Whole(i64),
    Part(f64),
    Switch(bool),
    List(Vec<String>),
}

impl From<Written> for Said {
    fn from(written: Written) -> Self {
        Self(match written {
            Written::Text(text) => text,
            Written::Whole(number) => number.to_string(),
            Written::Part(number) => number.to_string(),
            Written::Switch(switch) => switch.to_string(),
            Written::List(texts) => texts.join(", "),
        })
    }
}

impl SettingsFile {
    /// What the file says of a key whose value is a text.
    pub fn said(&self, key: HeldKey) -> Option<&str> {
        let said = match key {
            HeldKey::AnswerSeconds => &self.models.timeout_seconds,
            HeldKey::UserRole => &self.user.role,
            HeldKey::UserTimeZone => &self.user.time_zone,
            HeldKey::BackupDays => &self.backups.days,
            HeldKey::ReceiptDays => &self.receipts.days,
            HeldKey::BudgetOfDay => &self.budget.usd_per_day,
            HeldKey::BudgetOfMonth => &self.budget.usd_per_month,
            HeldKey::SummaryTokensOfDay => &self.summaries.tokens_per_day,
            HeldKey::SummaryTokensOfThread => &self.summaries.tokens_per_thread,
            HeldKey::SummaryDollars => &self.summaries.usd_per_day,
            HeldKey::Assistants => &self.consult.assistants,
            HeldKey::StableList => &self.consult.enable_stable_inline_list,
            HeldKey::ShadowList => &self.consult.shadow,
            HeldKey::ConsultDays => &self.consult.retention_days,
            HeldKey::HostedStore => &self.consult.hosted_store,
            HeldKey::SkippedFolders => &self.files.skip,
            _ => &None,
        };
        said.as_ref().map(|said| said.0.as_str())
    }

    /// Reads a file that someone named, which must be there.
    pub fn named(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| {
            format!("cannot read the settings file {}; check the path", path.display())
        })?;
        Self::parse(path, &text)
    }

    /// Reads `dossier.toml` in a folder, if it is there.
    pub fn found_in(folder: &Path) -> anyhow::Result<Option<Self>> {
        let path = folder.join(FILE_NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&path, &text).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| {
                format!("cannot read {}; mend it, or move it away", path.display())
            }),
        }
    }

    pub fn database(&self) -> Option<DatabaseUrl> {
        let url = DatabaseUrl::new(self.database.as_ref()?);
        Some(url.relative_to(self.folder()))
    }

    pub fn data(&self) -> Option<PathBuf> {
        self.data.as_ref().map(|data| self.folder().join(data))
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn parse(path: &Path, text: &str) -> anyhow::Result<Self> {
        // The error's own rendering repeats the line, which may hold a password.
        let file: Self = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
            let line = before.matches('\n').count() + 1;
            anyhow!("{}, line {line}: {}", path.display(), error.message())
        })?;
        Ok(Self { path: path.to_owned(), ..file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> anyhow::Result<SettingsFile> {
        SettingsFile::parse(Path::new("/etc/dossier.toml"), text)
    }

    #[test]
    fn paths_are_relative_to_the_files_own_folder() {
        let file = parse("data = \"store\"\ndatabase = \"sqlite:notes.db\"").unwrap();
        assert_eq!(file.data(), Some(PathBuf::from("/etc/store")));
        assert_eq!(file.database(), Some(DatabaseUrl::new("sqlite:/etc/notes.db")));
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_line_and_the_known_ones() {
        let error = parse("profile = \"lean\"\ncolour = \"red\"\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "/etc/dossier.toml, line 2: unknown field `colour`, expected one of `data`, \
             `database`, `embedder`, `profile`, `model`, `providers`, `models`, `forget`, \
             `limits`, `user`, `backups`, `receipts`, `budget`, `summaries`, `consult`, `files`, `listen`, \
             `server`"
        );
    }

    #[test]
    fn an_unknown_value_is_refused_with_its_line_and_the_known_ones() {
        let error = parse("\nembedder = \"huge\"").unwrap_err().to_string();
        assert_eq!(
            error,
            "/etc/dossier.toml, line 2: there is no embedder `huge`; choose local, none, or a \
             service: https://host/v1#model"
        );
    }

    #[test]
    fn a_broken_line_is_not_repeated_since_it_may_hold_a_password() {
        let error = parse("database = \"postgres://ana:secret@db/notes").unwrap_err();
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}
