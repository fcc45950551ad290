//! Looking at a store as a physician would: everything is examined, nothing is changed.

use crate::error::EngineError;
use crate::maintain::BY_ITS_OWN_TOOLS;
use crate::workspace::{Engine, Workspace};
use dossier_core::backup::age;
use dossier_core::chunk::draft;
use dossier_core::hash::ContentHash;
use dossier_core::health::{Finding, judge};
use dossier_core::id::{MessageId, ProjectId};
use dossier_core::time::Timestamp;
use dossier_store::{Backups, StoreError, Turn};
use std::collections::{HashMap, HashSet};

/// A backup older than this deserves a word.
const OLD_BACKUP: i64 = 3 * 24 * 3_600_000;

impl Engine {
    /// The findings about the store: its format, its pages, its index, its contents, its backups.
    pub async fn examine(
        &self,
        workspace: &Workspace,
        now: Timestamp,
    ) -> Result<Vec<Finding>, EngineError> {
        let mut findings = vec![Finding::ok("format", self.store.format_told().await?)];
        findings.extend(judge(&self.store.verify().await?));
        for project in workspace.projects().await? {
            findings.push(workspace.examine_project(&project.id, &project.name).await?);
        }
        findings.push(self.examine_backups(now)?);
        Ok(findings)
    }

    fn examine_backups(&self, now: Timestamp) -> Result<Finding, EngineError> {
        const ABOUT: &str = "backups";
        const MEND: &str = "make one: dossier maintain --backup";
        let Some(backups) = self.store.backups() else {
            return Ok(Finding::ok(ABOUT, BY_ITS_OWN_TOOLS));
        };
        let list = backups.list()?;
        Ok(match list.last() {
            None => Finding::warning(ABOUT, "there is none", MEND),
            Some(last) => {
                let told =
                    format!("{} of them; the last is {} old", list.len(), age(last.name.at, now));
                match now.as_millis() - last.name.at.as_millis() > OLD_BACKUP {
                    true => Finding::warning(ABOUT, told, MEND),
                    false => Finding::ok(ABOUT, told),
                }
            }
        })
    }

    /// Whether text becomes vectors. It loads the embedder.
    pub async fn examine_embedder(&self, workspace: &Workspace) -> Result<Finding, EngineError> {
        const ABOUT: &str = "embedder";
        if workspace.embedder.is_none() {
            return Ok(Finding::ok(ABOUT, "none: words alone find everything"));
        }
        Ok(match workspace.embed_texts(vec!["dossier".to_owned()]).await? {
            Ok((model, _)) => Finding::ok(ABOUT, format!("{model} works")),
            Err(error) => Finding::problem(ABOUT, error.to_string(), USE_NONE),
        })
    }
}

/// The backups of a database that is in a bad state, the newest first: each is read through, so
/// that it is known which can take its place.
pub async fn examine_backups(database: &str, now: Timestamp) -> Result<Vec<Finding>, EngineError> {
    const ABOUT: &str = "backup";
    let Some(backups) = Backups::of(database)? else { return Ok(Vec::new()) };
    let mut findings = Vec::new();
    for backup in backups.list()?.iter().rev() {
        let told = format!("{}, {} old", backup.name, age(backup.name.at, now));
        let restore = format!("bring it back: dossier maintain --restore {}", backup.name);
        findings.push(match backups.examine(backup).await {
            Ok(0) => {
                Finding { mend: Some(restore), ..Finding::ok(ABOUT, format!("{told}: whole")) }
            }
            Ok(missing) => Finding::warning(
                ABOUT,
                format!("{told}: whole but for {missing} large contents"),
                restore,
            ),
            Err(error) => {
                let what = match error {
                    StoreError::Damaged { what } => format!("damaged: {what}"),
                    error => error.to_string(),
                };
                Finding::warning(ABOUT, format!("{told}: {what}"), "use another")
            }
        });
    }
    if findings.is_empty() {
        findings.push(Finding::warning(
            ABOUT,
            "there is none",
            "begin anew: dossier index PATH, or dossier import FILE for an archive",
        ));
    }
    Ok(findings)
}

const USE_NONE: &str = "until it works, find by words alone: dossier config set embedder none";

impl Workspace {
    /// Whether the chunks of a project are those that its contents give, and how many of them
    /// have vectors.
    async fn examine_project(
        &self,
        project: &ProjectId,
        name: &str,
    ) -> Result<Finding, EngineError> {
        const ABOUT: &str = "project";
        let unlearned = self.store.unlearned_turns(project).await?;
        // What is said there is found later.
        let said = unlearned.iter().flat_map(Turn::said).map(MessageId::as_str);
        let said: HashSet<&str> = said.collect();
        let mut stored = self.store.chunk_hashes(project).await?;
        let mut differing = 0;
        let mut compare = |source: &str, hashes: Vec<ContentHash>| {
            let own = stored.remove(source);
            let is_awaited = own.is_none() && said.contains(source);
            differing += usize::from(!is_awaited && own.unwrap_or_default() != hashes);
        };
        for file in self.store.files(project).await? {
            let Some(text) = self.store.file_content(&file.id).await? else { continue };
            let drafts = crate::index::drafts(&file.metadata, &file.id, &file.path, &text);
            compare(file.id.as_str(), drafts.iter().map(|draft| draft.hash()).collect());
        }
        for thread in self.store.threads(project).await? {
            let messages = self.store.messages(&thread.id).await?;
            let mut expected: HashMap<String, Vec<ContentHash>> = HashMap::new();
            for draft in draft::of_thread(&messages) {
                let own = expected.entry(draft.origin.as_str().to_owned()).or_default();
                own.push(draft.hash());
            }
            for message in &messages {
                compare(
                    message.id.as_str(),
                    expected.remove(message.id.as_str()).unwrap_or_default(),
                );
            }
        }
        differing += stored.len();
        if differing > 0 {
            return Ok(Finding::problem(
                ABOUT,
                format!("{name}: {differing} files or messages have other chunks than their text"),
                format!("make them anew: dossier maintain --rebuild --project \"{name}\""),
            ));
        }
        // Whether the embedder answers is a finding of its own.
        let Ok(Some(model)) = self.space().await? else {
            return Ok(Finding::ok(ABOUT, format!("{name}: chunks agree with the text")));
        };
        let coverage = self.store.coverage(project, &model).await?;
        let told =
            format!("{name}: {} of {} chunks have vectors", coverage.with_vectors, coverage.chunks);
        Ok(match coverage.with_vectors < coverage.chunks {
            true => Finding::warning(ABOUT, told, "make the rest: dossier maintain"),
            false => Finding::ok(ABOUT, told),
        })
    }
}
