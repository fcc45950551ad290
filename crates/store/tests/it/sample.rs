//! Small projects, files and messages to tell stories with.

use dossier_core::analyse::{Field, Profile};
use dossier_core::chunk::{Draft, Location, Origin};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, FileId, ProjectId, ThreadId};
use dossier_core::message::{Message, Speaker};
use dossier_core::rank::{Postings, Strength};
use dossier_core::time::Timestamp;
use dossier_core::vector::Quantised;
use dossier_store::{FileMetadata, FileRecord, OwnerStore, Project, StoreError, Thread};
use serde_json::json;
use std::collections::BTreeSet;

pub const MODEL: &str = "mini";

pub fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub fn project(name: &str) -> Project {
    Project {
        id: format!("prj_{name}").as_str().into(),
        name: name.to_owned(),
        description: format!("about {name}"),
        settings: json!({ "context_strategy": "smart" }),
        created_at: at(1),
        updated_at: at(1),
    }
}

pub fn thread(name: &str, project: &Project) -> Thread {
    Thread {
        id: format!("thr_{name}").as_str().into(),
        project: project.id.clone(),
        title: None,
        summary: None,
        context_state: json!({}),
        round_count: 0,
        external_id: None,
        created_at: at(2),
        updated_at: at(2),
    }
}

pub fn file(project: &Project, path: &str, content: &str) -> FileRecord {
    FileRecord {
        id: format!("fil_{path}").as_str().into(),
        project: project.id.clone(),
        path: path.to_owned(),
        origin: None,
        content: ContentHash::of(content),
        canonical: ContentHash::of(content),
        mime: "text/plain".to_owned(),
        size: content.len() as i64,
        modified_ns: Some(1_700_000_000_123_456_789),
        metadata: FileMetadata::default(),
        created_at: at(3),
        updated_at: at(3),
    }
}

/// One chunk for each line.
pub fn file_chunks(file: &FileRecord, content: &str) -> Vec<Draft> {
    (0..)
        .zip(content.lines())
        .map(|(index, line)| Draft {
            origin: Origin::File(file.id.clone()),
            index,
            content: line.to_owned(),
            location: Location::File {
                path: file.path.clone(),
                start_line: index + 1,
                end_line: index + 1,
                start_char: 0,
                end_char: line.chars().count() as u64,
                place: None,
            },
            tokens: 1,
            profile: profile(Field::Body, line),
        })
        .collect()
}

pub fn whole_file(
    project: &Project,
    path: &str,
    content: &str,
) -> (FileRecord, String, Vec<Draft>) {
    let file = file(project, path, content);
    let chunks = file_chunks(&file, content);
    (file, content.to_owned(), chunks)
}

pub fn message(thread: &ThreadId, position: i64, content: &str) -> Message {
    Message {
        id: format!("msg_{thread}_{position}").as_str().into(),
        thread: thread.clone(),
        parent: (position > 0).then(|| format!("msg_{thread}_{}", position - 1).as_str().into()),
        position,
        round: position / 2 + 1,
        speaker: Speaker::parse(if position % 2 == 0 { "user" } else { "agent:o3" }),
        section: Some("first".to_owned()),
        content: content.to_owned(),
        external_id: Some(format!("D1:{position}")),
        created_at: at(10 + position),
    }
}

/// The message's one chunk; `lead` are the words of the message before it.
pub fn message_chunk(message: &Message, lead: &str) -> Draft {
    let profile = Profile::of([(Field::Body, words(&message.content)), (Field::Near, words(lead))]);
    Draft {
        origin: Origin::Message(message.id.clone()),
        index: 0,
        content: message.content.clone(),
        location: Location::Message {
            thread: message.thread.clone(),
            round: message.round,
            position: message.position,
            speaker: message.speaker.clone(),
            section: message.section.clone(),
            created_at: message.created_at,
        },
        tokens: 1,
        profile,
    }
}

pub fn profile(field: Field, text: &str) -> Profile {
    Profile::of([(field, words(text))])
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

pub fn terms(text: &str) -> Vec<String> {
    words(text)
}

/// Chunks of the project that hold at least one of the terms, by id.
pub async fn matching(
    store: &OwnerStore,
    project: &ProjectId,
    terms: &[String],
) -> Result<Vec<ChunkId>, StoreError> {
    let both = |term: &String| {
        Strength::ALL.map(|strength| Postings { length: 1, term: term.clone(), strength })
    };
    let lists = terms.iter().flat_map(both).collect();
    let found = store.postings(project, lists, 100_000).await?;
    let ids: BTreeSet<ChunkId> = found.into_iter().flat_map(|(_, chunks)| chunks).collect();
    Ok(ids.into_iter().collect())
}

/// The project's chunks most like the query, best first.
pub async fn nearest(
    store: &OwnerStore,
    project: &ProjectId,
    model: &str,
    query: &Quantised,
    limit: usize,
) -> Result<Vec<(ChunkId, f32)>, StoreError> {
    let alike = store.alike(project, model, std::slice::from_ref(query), &[], limit).await?;
    let mut found: Vec<(ChunkId, f32)> =
        alike.chunks.iter().map(|(chunk, similarities)| (*chunk, similarities[0])).collect();
    found.sort_by(|left, right| right.1.total_cmp(&left.1));
    Ok(found)
}

/// A vector that depends on the text alone, and is of length one.
pub fn vector(text: &str) -> Quantised {
    const DIMENSION: usize = 16;
    let mut values = [0.0_f32; DIMENSION];
    for word in words(text) {
        for (index, byte) in ContentHash::of(word).as_str().bytes().take(DIMENSION).enumerate() {
            values[index] += f32::from(byte) - 75.0;
        }
    }
    let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt().max(1.0);
    Quantised::of(&values.map(|value| value / norm))
}

pub fn file_id(path: &str) -> FileId {
    format!("fil_{path}").as_str().into()
}
