//! What each source says, and the one place where it is decided which of them holds.

use super::database::DatabaseUrl;
use super::embedder::EmbedderChoice;
use super::file::{FILE_NAME, SettingsFile};
use super::model::ModelNames;
use super::origin::{Origin, Setting};
use super::server::{self, LogLevel, ServerFlags, ServerSettings};
use super::values::{Held, HeldKey, parse_days, parse_maximum, parse_profile};
use super::{Places, Settings};
use crate::flags::Global;
use anyhow::{Context as _, bail};
use dossier_core::maxima::Maxima;
use dossier_core::profile::ProfileName;
use dossier_engine::{AnswerLimits, FileSays, Keeping, Key};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

const DATABASE: &str = "DOSSIER_DATABASE";
const DATA: &str = "DOSSIER_DATA";
const CONFIG: &str = "DOSSIER_CONFIG";
const EMBEDDER: &str = "DOSSIER_EMBEDDER";
/// Days for which what is hidden can be brought back, when nobody has said it.
pub const GRACE: u32 = 7;
/// Holds the key of the embedder's service, unless its URL names another variable.
const EMBEDDER_KEY: &str = "DOSSIER_EMBEDDER_KEY";
const PROFILE: &str = "DOSSIER_PROFILE";
const MODEL: &str = "DOSSIER_MODEL";
const GRACE_DAYS: &str = "DOSSIER_FORGET_GRACE_DAYS";
const MOST_THREADS: &str = "DOSSIER_LIMITS_THREADS";
const MOST_PERSONAS: &str = "DOSSIER_LIMITS_PERSONAS";
const MOST_MESSAGES: &str = "DOSSIER_LIMITS_MESSAGES";
const MOST_BYTES: &str = "DOSSIER_LIMITS_BYTES";
const DATA_HOME: &str = "XDG_DATA_HOME";
const HOME: &str = "HOME";

/// Every variable that bears on settings, besides those of [`HeldKey::TEXTS`].
const NAMES: [&str; 18] = [
    DATABASE,
    DATA,
    CONFIG,
    EMBEDDER,
    PROFILE,
    MODEL,
    GRACE_DAYS,
    MOST_THREADS,
    MOST_PERSONAS,
    MOST_MESSAGES,
    MOST_BYTES,
    DATA_HOME,
    HOME,
    server::LISTEN,
    server::TOKENS_REQUIRED,
    server::HOSTS,
    server::LOG,
    server::LOG_LEVEL,
];

/// The variables that bear on settings, read once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<Cow<'static, str>, String>);

impl Environment {
    pub fn read() -> anyhow::Result<Self> {
        let mut variables = BTreeMap::new();
        let texts = HeldKey::TEXTS.iter().map(|key| Cow::Owned(key.variable()));
        for name in NAMES.into_iter().map(Cow::Borrowed).chain(texts) {
            let Some(value) = std::env::var_os(&*name) else { continue };
            let Ok(value) = value.into_string() else { bail!("{name} is not UTF-8; correct it") };
            variables.insert(name, value);
        }
        Ok(Self(variables))
    }

    /// An empty variable counts as unset.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn given<T>(
        &self,
        name: impl Into<Cow<'static, str>>,
        parse: impl FnOnce(&str) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<Setting<T>>> {
        let name = name.into();
        let value = self.get(&name).map(parse).transpose().with_context(|| name.to_string())?;
        Ok(Setting::given(value, Origin::Environment(name)))
    }
}

/// Flags, environment and file: everything but the database.
#[derive(Debug)]
pub struct Given {
    flags: Global,
    /// The flag of the command that starts the server.
    listen: Option<SocketAddr>,
    environment: Environment,
    file: SettingsFile,
}

impl Given {
    /// Reads the settings file that holds, if there is one.
    pub fn collect(
        flags: &Global,
        environment: Environment,
        folder: &Path,
    ) -> anyhow::Result<Self> {
        let named = flags.config.as_deref().or(environment.get(CONFIG).map(Path::new));
        let file = match named {
            Some(path) => SettingsFile::named(&folder.join(path))?,
            None => SettingsFile::found_in(folder)?.unwrap_or_default(),
        };
        Ok(Self { flags: flags.clone(), listen: None, environment, file })
    }

    /// The same with the address that a flag names.
    #[must_use]
    pub fn listening(self, listen: Option<SocketAddr>) -> Self {
        Self { listen, ..self }
    }

    /// Where everything lies.
    pub fn places(&self) -> anyhow::Result<Places> {
        let data = first([
            Setting::given(self.flags.data.clone(), Origin::Flag("--data")),
            self.environment.given(DATA, |path| Ok(PathBuf::from(path)))?,
            Setting::given(self.file.data(), self.in_file()),
        ]);
        let data = match data {
            Some(data) => data,
            None => Setting::new(self.default_data()?, Origin::Default),
        };
        let database = first([
            Setting::given(
                self.flags.database.as_ref().map(DatabaseUrl::new),
                Origin::Flag("--database"),
            ),
            self.environment.given(DATABASE, |url| Ok(DatabaseUrl::new(url)))?,
            Setting::given(self.file.database(), self.in_file()),
        ]);
        let database = match database {
            Some(database) => database,
            None => Setting::new(default_database(&data.value)?, Origin::Default),
        };
        Ok(Places { data, database })
    }

    /// Every value, with what the database holds.
    pub fn settings(&self, places: Places, held: &Held) -> anyhow::Result<Settings> {
        let profile = first([
            self.environment.given(PROFILE, parse_profile)?,
            Setting::given(self.file.profile, self.in_file()),
            of_database(held, HeldKey::Profile, parse_profile)?,
        ]);
        let model = first([
            self.environment.given(MODEL, ModelNames::parse)?,
            Setting::given(self.file.model.clone(), self.in_file()),
            of_database(held, HeldKey::Model, ModelNames::parse)?,
        ]);
        let text = |key| self.text(key, held);
        let days = |key, usual: u32| days(self.text(key, held)?, usual);
        let or_default = |text| or(text, String::new());
        let embedder = self.embedder(held)?;
        let usual = Keeping::default();
        let most = Maxima::default();
        let limits = &self.file.limits;
        Ok(Settings {
            grace_days: or(
                self.kept(
                    GRACE_DAYS,
                    self.file.forget.grace_days,
                    HeldKey::GraceDays,
                    held,
                    parse_days,
                )?,
                GRACE,
            ),
            most_threads: or(
                self.kept(MOST_THREADS, limits.threads, HeldKey::MostThreads, held, parse_maximum)?,
                most.threads,
            ),
            most_personas: or(
                self.kept(
                    MOST_PERSONAS,
                    limits.personas,
                    HeldKey::MostPersonas,
                    held,
                    parse_maximum,
                )?,
                most.personas,
            ),
            most_messages: or(
                self.kept(
                    MOST_MESSAGES,
                    limits.messages,
                    HeldKey::MostMessages,
                    held,
                    parse_maximum,
                )?,
                most.messages,
            ),
            most_bytes: or(
                self.kept(MOST_BYTES, limits.bytes, HeldKey::MostBytes, held, parse_maximum)?,
                most.bytes,
            ),
            places,
            embedder_key: embedder_key(&embedder)?,
            embedder,
            profile: or(profile, ProfileName::Lean),
            model: or(model, ModelNames::default()),
            answer_seconds: or(text(HeldKey::AnswerSeconds)?, AnswerLimits::SECONDS.to_string()),
            providers: self.providers(),
            user_role: or_default(text(HeldKey::UserRole)?),
            user_time_zone: or_default(text(HeldKey::UserTimeZone)?),
            backup_days: days(HeldKey::BackupDays, usual.backups.days as u32)?,
            budget_of_day: or_default(text(HeldKey::BudgetOfDay)?),
            budget_of_month: or_default(text(HeldKey::BudgetOfMonth)?),
            receipt_days: days(HeldKey::ReceiptDays, usual.receipt_days)?,
            summaries: HeldKey::summaries()
                .into_iter()
                .map(|(key, usual)| Ok((key, or(text(key)?, usual))))
                .collect::<anyhow::Result<_>>()?,
            consult: HeldKey::CONSULT
                .into_iter()
                .map(|key| Ok((key, or_default(text(key)?))))
                .collect::<anyhow::Result<_>>()?,
            server: self.server(held)?,
        })
    }

    /// The settings of the server.
    pub fn server(&self, held: &Held) -> anyhow::Result<ServerSettings> {
        let flags = ServerFlags { listen: self.listen, log_level: self.log_level() };
        ServerSettings::resolve(flags, &self.environment, &self.file, held)
    }

    /// How much the flags want to be told.
    fn log_level(&self) -> Option<Setting<LogLevel>> {
        let (level, flag) = match (self.flags.quiet, self.flags.verbose) {
            (true, _) => (LogLevel::Warn, "--quiet"),
            (_, 0) => return None,
            (_, 1) => (LogLevel::Debug, "--verbose"),
            _ => (LogLevel::Trace, "-vv"),
        };
        Some(Setting::new(level, Origin::Flag(flag)))
    }

    /// A value that is kept as a text, checked as if it had been typed, whoever says it.
    fn text(&self, key: HeldKey, held: &Held) -> anyhow::Result<Option<Setting<String>>> {
        let in_file = self.file.said(key).map(|said| key.check(said)).transpose();
        let in_file =
            in_file.with_context(|| format!("{}, {}", self.file.path.display(), key.as_str()))?;
        Ok(first([
            self.environment.given(key.variable(), |said| key.check(said))?,
            Setting::given(in_file, self.in_file()),
            of_database(held, key, |text| key.check(text))?,
        ]))
    }

    /// What the file says of providers. One that happens to lie in a folder must not have keys sent
    /// wherever it likes.
    fn providers(&self) -> FileSays {
        FileSays {
            file: self.file.path.display().to_string(),
            providers: self.file.providers.clone(),
            is_trusted: self.in_file() != Origin::File(FILE_NAME.into()),
        }
    }

    /// The embedder alone, which does not depend on where things lie.
    pub fn embedder(&self, held: &Held) -> anyhow::Result<Setting<EmbedderChoice>> {
        let embedder = first([
            Setting::given(self.flags.embedder.clone(), Origin::Flag("--embedder")),
            self.environment.given(EMBEDDER, EmbedderChoice::parse)?,
            Setting::given(self.file.embedder.clone(), self.in_file()),
            of_database(held, HeldKey::Embedder, EmbedderChoice::parse)?,
        ]);
        Ok(or(embedder, EmbedderChoice::Local))
    }

    /// A number that environment, file or database may say; one in the file is checked as if it
    /// had been typed.
    fn kept<T: ToString>(
        &self,
        variable: &'static str,
        in_file: Option<T>,
        key: HeldKey,
        held: &Held,
        parse: fn(&str) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<Setting<T>>> {
        let in_file = in_file.map(|value| parse(&value.to_string())).transpose();
        let in_file =
            in_file.with_context(|| format!("{}, {}", self.file.path.display(), key.as_str()))?;
        Ok(first([
            self.environment.given(variable, parse)?,
            Setting::given(in_file, self.in_file()),
            of_database(held, key, parse)?,
        ]))
    }

    fn in_file(&self) -> Origin {
        Origin::File(self.file.path.clone())
    }

    fn default_data(&self) -> anyhow::Result<PathBuf> {
        // The specification has relative paths ignored.
        let data_home = self.environment.get(DATA_HOME).map(Path::new).filter(|p| p.is_absolute());
        match (data_home, self.environment.get(HOME)) {
            (Some(data_home), _) => Ok(data_home.join("dossier")),
            (None, Some(home)) => Ok(Path::new(home).join(".local/share/dossier")),
            (None, None) => bail!("there is no home folder; say where to keep data: --data DIR"),
        }
    }
}

/// The key for the service that was chosen. A settings file that happens to lie in a folder must
/// not have it sent wherever it likes.
pub fn embedder_key(embedder: &Setting<EmbedderChoice>) -> anyhow::Result<Setting<Option<Key>>> {
    let none = Ok(Setting::new(None, Origin::Default));
    let EmbedderChoice::Service(address) = &embedder.value else { return none };
    if embedder.origin == Origin::File(FILE_NAME.into()) {
        return none;
    }
    let name = address.key_env().unwrap_or(EMBEDDER_KEY);
    match std::env::var(name) {
        Ok(key) => Ok(Setting::new(Key::new(&key), Origin::Environment(name.to_owned().into()))),
        Err(std::env::VarError::NotPresent) if address.key_env().is_some() => {
            bail!("the embedder's key_env names {name}, which is not set; set it, or leave it out")
        }
        Err(std::env::VarError::NotPresent) => none,
        Err(_) => bail!("{name} is not UTF-8; correct it"),
    }
}

/// A number of days that is kept as a text.
fn days(text: Option<Setting<String>>, usual: u32) -> anyhow::Result<Setting<u32>> {
    Ok(match text {
        Some(Setting { value, origin }) => Setting::new(parse_days(&value)?, origin),
        None => Setting::new(usual, Origin::Default),
    })
}

fn default_database(data: &Path) -> anyhow::Result<DatabaseUrl> {
    let path = data.join("dossier.db");
    let Some(path) = path.to_str() else {
        bail!("the name of the data folder is not UTF-8; choose another: --data DIR");
    };
    Ok(DatabaseUrl::new(format!("sqlite:{path}")))
}

pub(super) fn of_database<T>(
    held: &Held,
    key: HeldKey,
    parse: impl FnOnce(&str) -> anyhow::Result<T>,
) -> anyhow::Result<Option<Setting<T>>> {
    let value = key.of(held).map(parse).transpose().with_context(|| {
        let key = key.as_str();
        format!("the database's {key}, which can be mended with: dossier config unset {key}")
    })?;
    Ok(Setting::given(value, Origin::Database))
}

/// The strongest source that is not silent.
pub(super) fn first<T, const SOURCES: usize>(
    sources: [Option<Setting<T>>; SOURCES],
) -> Option<Setting<T>> {
    sources.into_iter().flatten().next()
}

pub(super) fn or<T>(setting: Option<Setting<T>>, default: T) -> Setting<T> {
    setting.unwrap_or(Setting::new(default, Origin::Default))
}
