//! A session: the settings, the open database, and someone to tell. Most commands work in one.

use crate::flags::Global;
use crate::printer::Printer;
use crate::settings::{EmbedderChoice, Environment, FILE_NAME, Given, Origin, Places, Settings};
use anyhow::Context as _;
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, Engine, Workspace};
use std::path::Path;

/// What a command works with.
#[derive(Debug)]
pub struct Session {
    pub settings: Settings,
    pub workspace: Workspace,
    pub printer: Printer,
}

impl Session {
    /// Resolves the settings, opens the database, and closes it after the work.
    pub async fn within<T>(
        flags: &Global,
        printer: Printer,
        work: impl AsyncFnOnce(&Session) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let given = given(flags)?;
        let places = given.places()?;
        tell_of_far_database(&places, &printer);
        // The database may say which embedder to use, so it is opened without one.
        let engine = open(&places, Embedder::none()).await?;
        let held = engine.owner(&OwnerId::local()).config().await?;
        let settings = given.settings(places, &held)?;
        tell_of_far_embedder(&settings, &printer);
        let key = settings.embedder_key.value.clone();
        let engine = engine.with_embedder(settings.embedder.value.embedder(key));
        let workspace = engine.owner(&OwnerId::local());
        let result = work(&Session { settings, workspace, printer }).await;
        engine.close().await;
        result
    }
}

/// What flags, environment and file say.
pub fn given(flags: &Global) -> anyhow::Result<Given<'_>> {
    Given::collect(flags, Environment::read()?, Path::new(""))
}

pub async fn open(places: &Places, embedder: Embedder) -> anyhow::Result<Engine> {
    let database = &places.database.value;
    Engine::open(database.reveal(), embedder)
        .await
        .with_context(|| format!("cannot open the database {database}"))
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
