//! Writing an archive: everything of an owner or of one project, a line at a time. The order of
//! the lines depends on what is stored alone, so both databases write the same.

use super::import::PAGE;
use crate::error::EngineError;
use crate::index::Progress;
use crate::receipts::damaged;
use crate::workspace::Workspace;
use dossier_core::exchange::ExchangeError;
use dossier_core::exchange::archive::{self, Bytes, End, Header, Line, Tally};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ProjectId, ReceiptId, ThreadId};
use dossier_core::persona::{Persona, Preset, Traits};
use dossier_core::time::Timestamp;
use dossier_store::{FileRecord, MessageRow, ModelRow, Project, Session, Thread};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io::Write;

impl Workspace {
    /// Writes an archive of everything, or of one project.
    pub async fn save(
        &self,
        project: Option<&Project>,
        out: &mut (dyn Write + Send),
        now: Timestamp,
        progress: &dyn Progress,
    ) -> Result<End, EngineError> {
        // Receipts are listed first: what they name was there at that time, and is written before
        // them even while others go on writing.
        let receipts = self.store.receipt_ids(project.map(|project| &project.id)).await?;
        let header = Header::new(now, project.map(|project| project.name.clone()));
        let mut lines = Lines::begin(out, &header)?;
        let projects = match project {
            Some(project) => vec![project.clone()],
            None => {
                self.save_settings(&mut lines).await?;
                self.projects().await?
            }
        };
        let mut threads = HashSet::new();
        let written: HashSet<ProjectId> = projects.iter().map(|one| one.id.clone()).collect();
        for project in projects {
            threads.extend(self.save_project(project, &mut lines, progress).await?);
        }
        if project.is_none() {
            for session in self.store.sessions().await? {
                lines.put(&Line::Session(session_line(session)))?;
            }
        }
        let homeless = project.is_none();
        self.save_refs(
            |home| home.map_or(homeless, |home| written.contains(home)),
            &mut lines,
            now,
        )
        .await?;
        self.save_receipts(&receipts, &threads, &mut lines).await?;
        for consult in self.consult_lines(&threads).await? {
            lines.put(&Line::Consult(consult))?;
        }
        lines.end()
    }

    async fn save_settings(&self, lines: &mut Lines<'_>) -> Result<(), EngineError> {
        for (key, (value, updated_at)) in self.store.config_times().await? {
            lines.put(&Line::Config(archive::Config { key, value, updated_at }))?;
        }
        for model in self.store.models().await? {
            lines.put(&Line::Model(model_line(model)?))?;
        }
        for preset in self.store.presets().await? {
            lines.put(&Line::Preset(preset_line(preset)))?;
        }
        Ok(())
    }

    /// Writes a project with its files and threads; returns the threads.
    async fn save_project(
        &self,
        project: Project,
        lines: &mut Lines<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<ThreadId>, EngineError> {
        let id = project.id.clone();
        lines.put(&Line::Project(project_line(project)))?;
        let files = self.store.files(&id).await?;
        let threads = self.threads(&id).await?;
        let total = (files.len() + threads.len()) as u64;
        for (done, file) in (0..).zip(files) {
            progress.reading(done, total);
            match self.store.blob(&file.content).await? {
                Some(content) => lines.put(&Line::File(file_line(file, content)?))?,
                // A file that has just been deleted or replaced is not part of the archive.
                None if self.store.file(&file.id).await?.as_ref() != Some(&file) => {}
                None => return Err(missing(&format!("the content of file {}", file.path))),
            }
        }
        let personas = self.store.personas().await?.into_iter();
        let mut personas: HashMap<ThreadId, Persona> =
            personas.map(|persona| (persona.thread.clone(), persona)).collect();
        let mut saved = Vec::with_capacity(threads.len());
        for (done, thread) in (total - threads.len() as u64..).zip(threads) {
            progress.reading(done, total);
            let persona = personas.remove(&thread.id);
            saved.push(thread.id.clone());
            self.save_thread(thread, lines).await?;
            if let Some(persona) = persona {
                lines.put(&Line::Persona(persona_line(persona)))?;
            }
        }
        for known in self.store.facts(&id).await?.facts.iter() {
            let fact = known.fact.clone();
            lines.put(&Line::Fact(archive::Fact { project: id.clone(), fact }))?;
        }
        progress.reading(total, total);
        Ok(saved)
    }

    async fn save_thread(&self, thread: Thread, lines: &mut Lines<'_>) -> Result<(), EngineError> {
        let id = thread.id.clone();
        lines.put(&Line::Thread(thread_line(thread)))?;
        let mut from = 0;
        loop {
            let page = self.store.message_rows(&id, from, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            from = last.message.position + 1;
            for row in page {
                lines.put(&Line::Message(message_line(row)))?;
            }
        }
    }

    async fn save_receipts(
        &self,
        receipts: &[ReceiptId],
        threads: &HashSet<ThreadId>,
        lines: &mut Lines<'_>,
    ) -> Result<(), EngineError> {
        let mut brought: HashSet<ContentHash> = HashSet::new();
        for id in receipts {
            let Some(receipt) = self.store.receipt(id).await? else { continue };
            if receipt.thread.as_ref().is_some_and(|thread| !threads.contains(thread))
                || self.quotes_hidden(&receipt.body).await?
            {
                continue;
            }
            let body = serde_json::from_str(&receipt.body).map_err(|error| damaged(id, &error))?;
            let mut contents = Vec::new();
            for hash in receipt.blocks.iter().filter(|hash| brought.insert((*hash).clone())) {
                let block = self.store.blob(hash).await?;
                let block = block.ok_or_else(|| missing(&format!("a block of receipt {id}")))?;
                contents.push(String::from_utf8_lossy(&block).into_owned());
            }
            lines.put(&Line::Receipt(archive::Receipt {
                id: receipt.id,
                thread: receipt.thread,
                project: receipt.project,
                message: receipt.message,
                body,
                blocks: receipt.blocks,
                contents,
                created_at: receipt.created_at,
            }))?;
        }
        Ok(())
    }
}

/// The lines as they are written, counted on the way.
pub(super) struct Lines<'a> {
    out: &'a mut (dyn Write + Send),
    tally: Tally,
}

impl<'a> Lines<'a> {
    fn begin(out: &'a mut (dyn Write + Send), header: &Header) -> Result<Self, EngineError> {
        let mut lines = Self { out, tally: Tally::default() };
        lines.write(header, None)?;
        Ok(lines)
    }

    pub(super) fn put(&mut self, line: &Line) -> Result<(), EngineError> {
        self.write(line, line.kind())
    }

    fn write(&mut self, line: &impl Serialize, kind: Option<&str>) -> Result<(), EngineError> {
        let text = archive::write(line)?;
        self.tally.take(&text, kind);
        self.out.write_all(text.as_bytes()).map_err(EngineError::Writing)
    }

    fn end(self) -> Result<End, EngineError> {
        let end = self.tally.end();
        let text = archive::write(&Line::End(end.clone()))?;
        self.out.write_all(text.as_bytes()).map_err(EngineError::Writing)?;
        self.out.flush().map_err(EngineError::Writing)?;
        Ok(end)
    }
}

pub(super) fn missing(what: &str) -> EngineError {
    EngineError::Invalid(format!("{what} is missing, so the archive would not be whole"))
}

fn project_line(project: Project) -> archive::Project {
    let Project { id, name, description, settings, created_at, updated_at } = project;
    archive::Project { id, name, description, settings, created_at, updated_at }
}

fn file_line(file: FileRecord, content: Vec<u8>) -> Result<archive::File, EngineError> {
    Ok(archive::File {
        metadata: json(&file.metadata)?,
        id: file.id,
        project: file.project,
        path: file.path,
        origin: file.origin,
        canonical: file.canonical,
        mime: file.mime,
        size: file.size,
        modified_ns: file.modified_ns,
        created_at: file.created_at,
        updated_at: file.updated_at,
        content: Bytes::of(content),
    })
}

fn thread_line(thread: Thread) -> archive::Thread {
    archive::Thread {
        id: thread.id,
        project: thread.project,
        title: thread.title,
        summary: thread.summary,
        context_state: thread.context_state,
        round_count: thread.round_count,
        external_id: thread.external_id,
        created_at: thread.created_at,
        updated_at: thread.updated_at,
    }
}

fn message_line(row: MessageRow) -> archive::Message {
    let MessageRow { message, metadata, deleted_at } = row;
    archive::Message {
        id: message.id,
        thread: message.thread,
        parent: message.parent,
        position: message.position,
        round: message.round,
        role: message.speaker.role,
        name: message.speaker.name,
        section: message.section,
        content: message.content,
        external_id: message.external_id,
        metadata,
        created_at: message.created_at,
        deleted_at,
    }
}

fn preset_line(preset: Preset) -> archive::Preset {
    archive::Preset {
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
    }
}

fn persona_line(persona: Persona) -> archive::Persona {
    let Traits { name, system_prompt, personality, settings, model, tags } = persona.traits;
    archive::Persona {
        id: persona.id,
        thread: persona.thread,
        name,
        system_prompt,
        personality,
        settings,
        model,
        tags,
        preset: persona.preset,
        created_at: persona.created_at,
        updated_at: persona.updated_at,
        last_used_at: persona.last_used_at,
        expires_at: persona.expires_at,
    }
}

fn session_line(session: Session) -> archive::Session {
    let Session { id, thread, project, client, last_active } = session;
    archive::Session { id, thread, project, client, last_active }
}

fn model_line(model: ModelRow) -> Result<archive::Model, EngineError> {
    Ok(archive::Model {
        capabilities: json(&model.capabilities)?,
        provider: model.provider,
        model: model.model,
        display_name: model.display_name,
        context_window: model.context_window,
        max_output: model.max_output,
        input_cost: model.input_cost,
        output_cost: model.output_cost,
        tier: model.tier,
    })
}

fn json(value: &impl Serialize) -> Result<serde_json::Value, EngineError> {
    serde_json::to_value(value).map_err(|error| {
        let (place, what) = ("a line of the archive".to_owned(), error.to_string());
        ExchangeError::Wrong { place, what }.into()
    })
}
