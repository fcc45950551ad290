//! A session: the settings, the open database, and someone to tell. Most commands work in one,
//! and those that only read wait for nothing but their own work.

use crate::commands::{Ended, unless_interrupted};
use crate::flags::Global;
use crate::models::with_models;
use crate::printer::Printer;
use crate::prompt::with_prompt;
use crate::settings::{EmbedderChoice, Environment, FILE_NAME, Given, Origin, Places, Settings};
use anyhow::Context as _;
use dossier_core::id::OwnerId;
use dossier_engine::{BackupWhen, Embedder, Engine, Workspace, now};
use std::path::Path;

/// What a command works with.
#[derive(Debug)]
pub struct Session {
    pub settings: Settings,
    pub engine: Engine,
    pub workspace: Workspace,
    pub printer: Printer,
}

impl Session {
    /// For commands that write: makes the database if it is missing, and after the work and its
    /// results comes the daily care.
    pub async fn within(
        flags: &Global,
        printer: Printer,
        work: impl AsyncFnOnce(&Session) -> anyhow::Result<Ended>,
    ) -> anyhow::Result<Ended> {
        Self::caring(flags, printer, Access::Write, work).await
    }

    /// For commands that change what is there: a missing database stays missing, and the daily
    /// care comes as after any writing.
    pub async fn changing(
        flags: &Global,
        printer: Printer,
        work: impl AsyncFnOnce(&Session) -> anyhow::Result<Ended>,
    ) -> anyhow::Result<Ended> {
        Self::caring(flags, printer, Access::Read, work).await
    }

    async fn caring(
        flags: &Global,
        printer: Printer,
        access: Access,
        work: impl AsyncFnOnce(&Session) -> anyhow::Result<Ended>,
    ) -> anyhow::Result<Ended> {
        let session = Self::begin(flags, printer, access).await?;
        let result = work(&session).await;
        if matches!(result, Ok(Ended::Done)) && !session.back_up().await? {
            return result;
        }
        session.engine.close().await;
        result
    }

    /// For commands that ask models, which write as well.
    pub async fn asking(
        flags: &Global,
        printer: Printer,
        work: impl AsyncFnOnce(&Session) -> anyhow::Result<Ended>,
    ) -> anyhow::Result<Ended> {
        Self::within(flags, printer, async |session: &Session| {
            let settings = session.settings.clone();
            let engine = with_prompt(session.engine.clone(), &settings.places.data.value)?;
            let engine = with_models(engine, &settings).await?;
            let workspace = engine.owner(&OwnerId::local()).within(settings.maxima());
            work(&Session { settings, engine, workspace, printer }).await
        })
        .await
    }

    /// For commands that read: what is missing stays missing, and nothing comes after the work.
    pub async fn reading(
        flags: &Global,
        printer: Printer,
        work: impl AsyncFnOnce(&Session) -> anyhow::Result<Ended>,
    ) -> anyhow::Result<Ended> {
        let session = Self::begin(flags, printer, Access::Read).await?;
        let result = work(&session).await;
        session.engine.close().await;
        result
    }

    /// The session alone, for a command that ends it by itself.
    pub async fn begin(flags: &Global, printer: Printer, access: Access) -> anyhow::Result<Self> {
        let given = given(flags)?;
        let places = given.places()?;
        tell_of_far_database(&places, &printer);
        // The database may say which embedder to use, so it is opened without one.
        let engine = open(&places, access, Embedder::none()).await?;
        let held = engine.owner(&OwnerId::local()).config().await?;
        let settings = given.settings(places, &held)?;
        tell_of_far_embedder(&settings, &printer);
        let key = settings.embedder_key.value.clone();
        let engine = engine.with_embedder(settings.embedder.value.embedder(key));
        let engine = engine.with_given(settings.given());
        let workspace = engine.owner(&OwnerId::local()).within(settings.maxima());
        Ok(Self { settings, engine, workspace, printer })
    }

    /// Makes the daily backup if it is due, and deletes what was hidden long enough ago. Whether it
    /// came to its end: after Ctrl-C nobody waits for the copy, which is tidied away by the next
    /// one.
    pub async fn back_up(&self) -> anyhow::Result<bool> {
        let keeping = self.settings.keeping();
        let work = self.engine.back_up(&keeping, BackupWhen::Due, now());
        let Some(done) = unless_interrupted(work).await? else { return Ok(false) };
        if let Some(problem) = done.purge_problem {
            self.printer.warning(&format!("what was hidden long ago is still there: {problem}"));
        }
        if let Some(problem) = done.backup_problem {
            self.printer.warning(&format!("the daily backup was not made: {problem}"));
        }
        Ok(true)
    }
}

/// Whether a command makes a missing database, or only works with one that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// What flags, environment and file say.
pub fn given(flags: &Global) -> anyhow::Result<Given> {
    Given::collect(flags, Environment::read()?, Path::new(""))
}

pub async fn open(places: &Places, access: Access, embedder: Embedder) -> anyhow::Result<Engine> {
    let database = &places.database.value;
    let engine = match access {
        Access::Read => Engine::open_existing(database.reveal(), embedder).await,
        Access::Write => Engine::open(database.reveal(), embedder).await,
    };
    engine.with_context(|| format!("cannot open the database {database}"))
}

/// A settings file that happens to lie in a folder must not send files elsewhere unnoticed.
fn tell_of_far_database(places: &Places, printer: &Printer) {
    let database = &places.database;
    if database.value.is_postgres() && database.origin == Origin::File(FILE_NAME.into()) {
        printer.note(&format!("using the database {}, which {FILE_NAME} names", database.value));
    }
}

/// Likewise for a service, which is sent the text of every file; and it gets no key.
fn tell_of_far_embedder(settings: &Settings, printer: &Printer) {
    let embedder = &settings.embedder;
    if let EmbedderChoice::Service(_) = &embedder.value
        && embedder.origin == Origin::File(FILE_NAME.into())
    {
        printer.note(&format!(
            "using the embedder {}, which {FILE_NAME} names, without a key; to send one, name \
             the file: --config ./{FILE_NAME}",
            embedder.value
        ));
    }
}
