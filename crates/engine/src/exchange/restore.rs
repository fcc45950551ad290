//! Bringing an archive back. Rows keep their ids; a row whose id is here already stays as it is
//! and is counted, so doing it twice changes nothing, and doing it again after a stop goes on.

use super::archive::Archive;
use crate::error::EngineError;
use crate::index::{Progress, drafts};
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::chunk::{Draft, draft};
use dossier_core::exchange::ExchangeError;
use dossier_core::exchange::archive::{self, Line};
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ProjectId, ThreadId};
use dossier_core::message::{Message, Speaker};
use dossier_core::persona::{Persona, Preset, Traits};
use dossier_core::time::Timestamp;
use dossier_store::{
    FileRecord, Holding, MessageRow, ModelRow, Project, PutAway, ReceiptRow, Session, Thread,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Messages that are committed together, and files and the bytes of their contents.
const MESSAGES: usize = 500;
const FILES: usize = 128;
const FILE_BYTES: usize = 8 << 20;

/// What an archive has brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// Rows that are new, by kind.
    pub added: BTreeMap<&'static str, u64>,
    /// Rows that were here and stay as they are.
    pub here: BTreeMap<&'static str, u64>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// The projects that it has to do with.
    pub projects: BTreeSet<ProjectId>,
}

impl Workspace {
    /// Stores what an archive holds. Words are searchable when the call returns; vectors follow
    /// with [`Workspace::embed_pending`].
    pub async fn restore(
        &self,
        archive: &mut Archive,
        progress: &dyn Progress,
    ) -> Result<Restored, EngineError> {
        self.check_archive(archive).await?;
        let total = archive.len();
        let mut restoring = Restoring::of(self, mint::now());
        let mut done = 0;
        while let Some(line) = archive.next()? {
            if done % 100 == 0 {
                progress.reading(done, total);
            }
            restoring.take(line).await?;
            done += 1;
        }
        restoring.settle().await?;
        progress.reading(done, total);
        Ok(restoring.report)
    }
}

/// An archive on its way in.
struct Restoring<'a> {
    workspace: &'a Workspace,
    report: Restored,
    /// What goes by another id here.
    projects: HashMap<ProjectId, ProjectId>,
    threads: HashMap<ThreadId, ThreadId>,
    files: Vec<(FileRecord, Vec<u8>, Vec<Draft>)>,
    thread: Option<OpenThread>,
    now: Timestamp,
}

/// The thread whose messages are coming.
struct OpenThread {
    id: ThreadId,
    /// Messages that are here, and the positions they take.
    known: HashSet<MessageId>,
    taken: HashSet<i64>,
    rows: Vec<MessageRow>,
    chunks: Vec<Draft>,
    /// The last messages, which the next may answer.
    said: Vec<Message>,
}

impl<'a> Restoring<'a> {
    fn of(workspace: &'a Workspace, now: Timestamp) -> Self {
        Self {
            workspace,
            report: Restored::default(),
            projects: HashMap::new(),
            threads: HashMap::new(),
            files: Vec::new(),
            thread: None,
            now,
        }
    }

    fn added(&mut self, kind: &'static str) {
        *self.report.added.entry(kind).or_default() += 1;
    }

    fn here(&mut self, kind: &'static str) {
        *self.report.here.entry(kind).or_default() += 1;
    }

    async fn take(&mut self, line: Line) -> Result<(), EngineError> {
        match line {
            Line::Message(message) => return self.message(message).await,
            Line::File(file) => return self.file(file).await,
            _ => self.settle().await?,
        }
        match line {
            Line::Config(config) => self.config(config).await,
            Line::Model(model) => self.model(model).await,
            Line::Project(project) => self.project(project).await,
            Line::Thread(thread) => self.thread(thread).await,
            Line::Session(session) => self.session(session).await,
            Line::Receipt(receipt) => self.receipt(receipt).await,
            Line::Consult(consult) => self.consult(consult).await,
            Line::Preset(preset) => self.preset(preset).await,
            Line::Persona(persona) => self.persona(persona).await,
            Line::Fact(fact) => self.fact(fact).await,
            Line::Ref(reference) => self.reference(reference).await,
            Line::File(_) | Line::Message(_) | Line::End(_) => Ok(()),
        }
    }

    /// Commits what is waiting.
    async fn settle(&mut self) -> Result<(), EngineError> {
        if !self.files.is_empty() {
            let files = std::mem::take(&mut self.files);
            self.workspace.store.put_files(&files).await?;
        }
        if let Some(mut thread) = self.thread.take() {
            thread.commit(self.workspace).await?;
        }
        Ok(())
    }

    async fn config(&mut self, config: archive::Config) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        if store.config().await?.contains_key(&config.key) {
            self.here("config");
            return Ok(());
        }
        store.set_config(&config.key, &config.value, config.updated_at).await?;
        self.added("config");
        Ok(())
    }

    async fn model(&mut self, model: archive::Model) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        let is_same = |row: &ModelRow| row.provider == model.provider && row.model == model.model;
        if store.models().await?.iter().any(is_same) {
            self.here("models");
            return Ok(());
        }
        let row = ModelRow {
            capabilities: parsed(model.capabilities, &model.model)?,
            provider: model.provider,
            model: model.model,
            display_name: model.display_name,
            context_window: model.context_window,
            max_output: model.max_output,
            input_cost: model.input_cost,
            output_cost: model.output_cost,
            tier: model.tier,
        };
        store.put_models(&[row]).await?;
        self.added("models");
        Ok(())
    }

    /// A project of the same name takes what another one of the archive holds.
    async fn project(&mut self, project: archive::Project) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        let archive::Project { id, name, description, settings, created_at, updated_at } = project;
        self.workspace.revive(&Holding::Project(id.clone()), self.now).await?;
        let known = match store.project(&id).await? {
            Some(known) => Some(known),
            None => store.project_named(&name).await?,
        };
        let target = match known {
            Some(known) => {
                if known.id != id {
                    self.report.notes.push(format!("project {name} was here, and was added to"));
                }
                self.here("projects");
                known.id
            }
            None => {
                let project =
                    Project { id: id.clone(), name, description, settings, created_at, updated_at };
                store.create_project(&project).await?;
                self.added("projects");
                id.clone()
            }
        };
        self.report.projects.insert(target.clone());
        self.projects.insert(id, target);
        Ok(())
    }

    async fn thread_from(
        &self,
        project: &ProjectId,
        external_id: &str,
    ) -> Result<Option<Thread>, EngineError> {
        self.workspace.revive_from(project, external_id, self.now).await?;
        Ok(self.workspace.store.thread_from(project, external_id).await?)
    }

    fn target(&self, project: &ProjectId) -> ProjectId {
        self.projects.get(project).unwrap_or(project).clone()
    }

    async fn file(&mut self, file: archive::File) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        let project = self.target(&file.project);
        let bytes = file.content.into_bytes()?;
        let content = ContentHash::of(&bytes);
        let known = match store.file(&file.id).await? {
            Some(known) => Some(known),
            None => store.file_at(&project, &file.path).await?,
        };
        if let Some(known) = known {
            if known.content != content {
                let note = format!("file {} differs, and stays as it is here", known.path);
                self.report.notes.push(note);
            }
            self.here("files");
            return Ok(());
        }
        let record = FileRecord {
            metadata: parsed(file.metadata, &file.path)?,
            id: file.id,
            project,
            path: file.path,
            origin: file.origin,
            content,
            canonical: file.canonical,
            mime: file.mime,
            size: file.size,
            modified_ns: file.modified_ns,
            created_at: file.created_at,
            updated_at: file.updated_at,
        };
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        let chunks = drafts(&record.metadata, &record.id, &record.path, text);
        self.files.push((record, bytes, chunks));
        self.added("files");
        let waiting: usize = self.files.iter().map(|(_, bytes, _)| bytes.len()).sum();
        match self.files.len() >= FILES || waiting >= FILE_BYTES {
            true => self.settle().await,
            false => Ok(()),
        }
    }

    async fn thread(&mut self, thread: archive::Thread) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        let project = self.target(&thread.project);
        let mut open = OpenThread::of(thread.id.clone());
        if self.workspace.thread_again(&thread.id, self.now).await?.is_some() {
            for row in self.workspace.rows(&thread.id).await? {
                open.taken.insert(row.message.position);
                open.known.insert(row.message.id);
            }
            self.here("threads");
            self.thread = Some(open);
            return Ok(());
        }
        // The same conversation may have been imported here by itself.
        if let Some(external_id) = &thread.external_id
            && let Some(known) = self.thread_from(&project, external_id).await?
        {
            self.threads.insert(thread.id, known.id);
            self.here("threads");
            return Ok(());
        }
        let row = Thread {
            id: thread.id,
            project,
            title: thread.title,
            summary: thread.summary,
            context_state: thread.context_state,
            round_count: thread.round_count,
            external_id: thread.external_id,
            created_at: thread.created_at,
            updated_at: thread.updated_at,
        };
        store.create_thread(&row).await?;
        self.added("threads");
        self.thread = Some(open);
        Ok(())
    }

    async fn message(&mut self, message: archive::Message) -> Result<(), EngineError> {
        // Without its thread, the thread is here under another id.
        let Some(thread) = self.thread.as_mut().filter(|thread| thread.id == message.thread) else {
            self.here("messages");
            return Ok(());
        };
        let row = row_of(message);
        if thread.known.contains(&row.message.id) {
            thread.pass(&row);
            self.here("messages");
            return Ok(());
        }
        if !thread.taken.insert(row.message.position) {
            let note = format!(
                "message {} was left out: thread {} has gone on differently here",
                row.message.id, thread.id
            );
            self.report.notes.push(note);
            return Ok(());
        }
        thread.add(row);
        if thread.rows.len() >= MESSAGES {
            thread.commit(self.workspace).await?;
        }
        self.added("messages");
        Ok(())
    }

    async fn preset(&mut self, preset: archive::Preset) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        if store.presets().await?.iter().any(|known| known.id == preset.id) {
            self.here("presets");
            return Ok(());
        }
        let row = Preset {
            id: preset.id,
            name: preset.name,
            description: preset.description,
            system_prompt: preset.system_prompt,
            personality: preset.personality,
            settings: preset.settings,
            metadata: preset.metadata,
            is_active: preset.is_active,
            created_at: preset.created_at,
            updated_at: preset.updated_at,
        };
        // One that was put away stays so until somebody wants it.
        let put_away = PutAway { at: self.now, purge_at: None };
        store.put_preset(&row, (!row.is_active).then_some(put_away)).await?;
        self.added("presets");
        Ok(())
    }

    async fn persona(&mut self, persona: archive::Persona) -> Result<(), EngineError> {
        let row = Persona {
            id: persona.id,
            thread: self.thread_here(persona.thread),
            traits: Traits {
                name: persona.name,
                system_prompt: persona.system_prompt,
                personality: persona.personality,
                settings: persona.settings,
                model: persona.model,
                tags: persona.tags,
            },
            preset: persona.preset,
            created_at: persona.created_at,
            updated_at: persona.updated_at,
            last_used_at: persona.last_used_at,
            expires_at: persona.expires_at,
        };
        match self.workspace.store.restore_persona(&row).await? {
            true => self.added("personas"),
            false => self.here("personas"),
        }
        Ok(())
    }

    /// A fact comes with the message that it quotes, or not at all.
    async fn fact(&mut self, fact: archive::Fact) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        let archive::Fact { project, mut fact } = fact;
        let project = self.target(&project);
        let known = store.facts(&project).await?;
        if store.fact(&fact.id).await?.is_some() {
            self.here("facts");
            return Ok(());
        }
        fact.source.thread = fact.source.thread.map(|thread| self.thread_here(thread));
        if let Some(message) = &fact.source.message
            && store.message(message).await?.is_none()
        {
            let note = format!("fact {} was left out: message {message} is not here", fact.id);
            self.report.notes.push(note);
            return Ok(());
        }
        if !store.write_facts(&project, &known, &[fact], &[]).await? {
            return Err(EngineError::Conflict(
                "memory was written to meanwhile; bring the archive in again".to_owned(),
            ));
        }
        self.added("facts");
        Ok(())
    }

    async fn reference(&mut self, reference: archive::Ref) -> Result<(), EngineError> {
        if reference.expires_at <= self.now {
            let name = format!("ref:{}:{}", reference.kind, reference.hash);
            self.report.notes.push(format!("{name} was left out: its time is over"));
            return Ok(());
        }
        let project = reference.project.as_ref().map(|project| self.target(project));
        match self.workspace.restore_ref(reference, project, self.now).await? {
            true => self.added("refs"),
            false => self.here("refs"),
        }
        Ok(())
    }

    async fn consult(&mut self, mut consult: archive::Consult) -> Result<(), EngineError> {
        consult.thread = self.thread_here(consult.thread);
        consult.project = self.target(&consult.project);
        match self.workspace.restore_consult(consult).await? {
            true => self.added("consultations"),
            false => self.here("consultations"),
        }
        Ok(())
    }

    async fn session(&mut self, session: archive::Session) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        if store.session(&session.id).await?.is_some() {
            self.here("sessions");
            return Ok(());
        }
        let row = Session {
            id: session.id,
            thread: session.thread.map(|thread| self.thread_here(thread)),
            project: session.project.as_ref().map(|project| self.target(project)),
            client: session.client,
            last_active: session.last_active,
        };
        store.touch_session(&row).await?;
        self.added("sessions");
        Ok(())
    }

    fn thread_here(&self, thread: ThreadId) -> ThreadId {
        self.threads.get(&thread).cloned().unwrap_or(thread)
    }

    async fn receipt(&mut self, receipt: archive::Receipt) -> Result<(), EngineError> {
        let store = &self.workspace.store;
        if store.receipt(&receipt.id).await?.is_some() {
            self.here("receipts");
            return Ok(());
        }
        let contents: Vec<(ContentHash, String)> =
            receipt.contents.into_iter().map(|text| (ContentHash::of(&text), text)).collect();
        let row = ReceiptRow {
            id: receipt.id,
            thread: receipt.thread.map(|thread| self.thread_here(thread)),
            project: receipt.project.as_ref().map(|project| self.target(project)),
            message: receipt.message,
            body: receipt.body.to_string(),
            blocks: receipt.blocks,
            created_at: receipt.created_at,
        };
        store.put_receipt(&row, &contents).await?;
        self.added("receipts");
        Ok(())
    }
}

impl OpenThread {
    fn of(id: ThreadId) -> Self {
        Self {
            id,
            known: HashSet::new(),
            taken: HashSet::new(),
            rows: Vec::new(),
            chunks: Vec::new(),
            said: Vec::new(),
        }
    }

    fn add(&mut self, row: MessageRow) {
        self.pass(&row);
        if row.deleted_at.is_none() {
            let last = self.said.len() - 1;
            let answered = draft::answered(&self.said, last);
            self.chunks.extend(draft::of_message(&row.message, answered));
        }
        self.rows.push(row);
    }

    /// Goes on to the next message.
    fn pass(&mut self, row: &MessageRow) {
        if row.deleted_at.is_none() {
            if self.said.len() > 2 * draft::ANSWERED_WITHIN {
                self.said.drain(..draft::ANSWERED_WITHIN);
            }
            self.said.push(row.message.clone());
        }
    }

    async fn commit(&mut self, workspace: &Workspace) -> Result<(), EngineError> {
        let rows = std::mem::take(&mut self.rows);
        let chunks = std::mem::take(&mut self.chunks);
        if !rows.is_empty() {
            workspace.store.restore_messages(&self.id, &rows, &chunks).await?;
        }
        Ok(())
    }
}

fn row_of(message: archive::Message) -> MessageRow {
    MessageRow {
        message: Message {
            id: message.id,
            thread: message.thread,
            parent: message.parent,
            position: message.position,
            round: message.round,
            speaker: Speaker { role: message.role, name: message.name },
            section: message.section,
            content: message.content,
            external_id: message.external_id,
            created_at: message.created_at,
        },
        metadata: message.metadata,
        deleted_at: message.deleted_at,
    }
}

fn parsed<T: DeserializeOwned>(value: serde_json::Value, place: &str) -> Result<T, EngineError> {
    serde_json::from_value(value).map_err(|error| {
        ExchangeError::Wrong { place: place.to_owned(), what: error.to_string() }.into()
    })
}
