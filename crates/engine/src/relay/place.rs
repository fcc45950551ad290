//! Where a story belongs: the thread that it continues, how much of it is there, and a branch or a
//! thread of its own where it departs from what is stored.

use crate::error::EngineError;
use crate::turn::{new_thread, root};
use crate::workspace::Workspace;
use dossier_core::chat::{Message as Said, Said as What, Sealed, ToolCall};
use dossier_core::hash::ContentHash;
use dossier_core::id::{Id as _, ThreadId};
use dossier_core::message::Message;
use dossier_core::story::Story;
use dossier_core::time::Timestamp;
use dossier_store::{MessageRow, Project, StoryLink, Thread};
use serde::Deserialize as _;
use serde_json::json;

/// The longest name that a client may give a thread.
const LONGEST_NAME: usize = 200;

/// A story that looks for its thread.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub project: &'a Project,
    pub story: &'a Story,
    /// The names of its beginnings, with the place at which each ends.
    pub links: &'a [(usize, ContentHash)],
    pub now: Timestamp,
}

/// Where a story goes on.
pub(super) struct Place {
    pub thread: Thread,
    pub is_new: bool,
    /// How many things of the story are at the thread's end.
    pub known: usize,
    /// Whether the story is all of the thread: then the thread can be known by it.
    pub is_whole: bool,
    /// The last message of the thread.
    pub last: Option<Message>,
    /// The position after it.
    pub next: i64,
    /// The question, where it is in the thread.
    pub question: Option<Message>,
}

impl Workspace {
    pub(super) async fn place(
        &self,
        told: Told<'_>,
        name: Option<&str>,
    ) -> Result<Place, EngineError> {
        let thread = match name {
            None => return self.place_of_unnamed(told).await,
            Some(name) => self.thread_called(told, name).await?,
        };
        match thread {
            Ok(thread) => self.place_in(told, thread).await,
            Err(new) => Ok(beginning(new)),
        }
    }

    /// The thread that a client means, or a new one that will be called so.
    async fn thread_called(
        &self,
        told: Told<'_>,
        name: &str,
    ) -> Result<Result<Thread, Thread>, EngineError> {
        let project = told.project;
        if let Some(thread) = self.store.thread(&ThreadId::from(name)).await?
            && thread.project == project.id
        {
            return Ok(Ok(thread));
        }
        if is_id(name) {
            let mend = "the project has no thread of this id";
            return Err(EngineError::not_found("thread", name, mend));
        }
        if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
            let what = "a thread's name has 1 to 200 bytes, none of them a control character";
            return Err(EngineError::Invalid(what.to_owned()));
        }
        if let Some(thread) = self.store.thread_from(&project.id, name).await? {
            return Ok(Ok(thread));
        }
        self.revive_from(&project.id, name, told.now).await?;
        Ok(match self.store.thread_from(&project.id, name).await? {
            Some(thread) => Ok(thread),
            None => {
                let external_id = Some(name.to_owned());
                Err(Thread { external_id, ..new_thread(project, told.now) })
            }
        })
    }

    /// The thread that begins as the story does, the longest such.
    async fn place_of_unnamed(&self, told: Told<'_>) -> Result<Place, EngineError> {
        let hashes = told.links.iter().map(|(_, hash)| hash);
        let found = self.store.story_links(&told.project.id, hashes).await?;
        let longest =
            told.links.iter().rev().find_map(|(said, hash)| {
                Some((*said, found.iter().find(|link| link.hash == *hash)?))
            });
        let Some((said, link)) = longest else { return Ok(new_place(told, None)) };
        let Some(thread) = self.store.thread(&link.thread).await? else {
            return Ok(new_place(told, None));
        };
        match self.goes_on(told, &thread, said, link).await? {
            Some(place) => Ok(place),
            None => self.departed(told, &thread, None).await,
        }
    }

    /// The story in a thread that the client has named, or in a branch of it.
    async fn place_in(&self, told: Told<'_>, thread: Thread) -> Result<Place, EngineError> {
        let story = told.story;
        let next = self.store.next_position(&thread.id).await?;
        if story.is_only_a_question() {
            let recent = self.store.recent_messages(&thread.id, story.said.len()).await?;
            let known = story.overlap_with(&recent);
            let place = end(told, thread, known, next, recent);
            let is_whole = known == 0 && place.last.is_none();
            return match place.question.is_some() && self.is_open(&place).await? {
                // The same question is being answered; this is another one.
                true => Ok(Place { known: 0, is_whole, question: None, ..place }),
                false => Ok(Place { is_whole, ..place }),
            };
        }
        let hashes = told.links.iter().map(|(_, hash)| hash);
        let found = self.store.story_links(&told.project.id, hashes).await?;
        for (said, hash) in told.links.iter().rev() {
            let Some(link) = found.iter().find(|link| link.hash == *hash) else { continue };
            let Some(own) = self.store.thread(&link.thread).await? else { continue };
            if own.id != thread.id && root(&own) != thread.id.as_str() {
                continue;
            }
            return match self.goes_on(told, &own, *said, link).await? {
                Some(place) => Ok(place),
                None => self.departed(told, &own, Some(&thread)).await,
            };
        }
        let stored = self.store.messages(&thread.id).await?;
        let common = story.common_with(&stored);
        let overlap = story.overlap_with(&stored);
        if common < stored.len() && overlap == 0 {
            return self.departed(told, &thread, Some(&thread)).await;
        }
        let is_whole = common == stored.len();
        let known = if is_whole { common } else { overlap };
        let place = self.end_of(told, thread.clone(), known, next).await?;
        match place.question.is_some() && self.is_open(&place).await? {
            true => self.departed(told, &thread, Some(&thread)).await,
            false => Ok(Place { is_whole, ..place }),
        }
    }

    /// The story after a beginning that the thread has, if the thread goes on as it does.
    async fn goes_on(
        &self,
        told: Told<'_>,
        thread: &Thread,
        said: usize,
        link: &StoryLink,
    ) -> Result<Option<Place>, EngineError> {
        let most = told.story.said.len() + 1;
        let next = self.store.next_position(&thread.id).await?;
        let after = self.store.message_rows(&thread.id, link.position + 1, most).await?;
        let kept = after.into_iter().filter(|row| row.deleted_at.is_none());
        let after: Vec<Message> = kept.map(|row| row.message).collect();
        let Some(known) = told.story.known_with(said + 1, &after) else { return Ok(None) };
        let place = self.end_of(told, thread.clone(), known, next).await?;
        let is_taken = place.question.is_some() && self.is_open(&place).await?;
        Ok((!is_taken).then_some(place))
    }

    /// A branch where the story and the thread part, before the question at the latest; a thread
    /// of its own where they share nothing. `named` is the one that the client calls so.
    async fn departed(
        &self,
        told: Told<'_>,
        thread: &Thread,
        named: Option<&Thread>,
    ) -> Result<Place, EngineError> {
        let stored = self.store.messages(&thread.id).await?;
        let common = told.story.common_with(&stored).min(told.story.question);
        let Some(fork) = common.checked_sub(1).and_then(|last| stored.get(last)) else {
            return Ok(new_place(told, named));
        };
        let branch = self.branch(&thread.id, &fork.id, told.now).await?;
        let next = self.store.next_position(&branch.id).await?;
        self.end_of(told, branch, common, next).await
    }

    /// The end of a thread that has so much of the story. `next` is the position after it, as it was
    /// before anything of the thread was looked at: what others have said since takes that place,
    /// and this is noticed.
    pub(super) async fn end_of(
        &self,
        told: Told<'_>,
        thread: Thread,
        known: usize,
        next: i64,
    ) -> Result<Place, EngineError> {
        let asked = known.saturating_sub(told.story.question);
        let recent = self.store.recent_messages(&thread.id, asked.max(1)).await?;
        Ok(end(told, thread, known, next, recent))
    }

    /// Whether the question at a thread's end is being answered.
    pub(super) async fn is_open(&self, place: &Place) -> Result<bool, EngineError> {
        match &place.question {
            Some(question) => Ok(self.store.is_being_answered(question).await?),
            None => Ok(false),
        }
    }

    /// Puts back into the tail what providers want back with calls, and clients do not keep.
    pub(super) async fn unseal(&self, place: &Place, tail: &mut [Said]) -> Result<(), EngineError> {
        let Some(question) = place.question.as_ref().filter(|_| !tail.is_empty()) else {
            return Ok(());
        };
        let from = question.position + 1;
        let rows = self.store.message_rows(&question.thread, from, tail.len() * 8).await?;
        for message in tail {
            if let What::Assistant { calls, sealed, .. } = &mut message.said {
                *sealed = rows.iter().find_map(|row| sealed_of(row, calls)).or(sealed.take());
            }
        }
        Ok(())
    }
}

/// The end of a thread that has so much of the story, where its last messages are at hand.
fn end(told: Told<'_>, thread: Thread, known: usize, next: i64, mut recent: Vec<Message>) -> Place {
    let asked = known.saturating_sub(told.story.question);
    let question = (asked > 0).then(|| recent.len().checked_sub(asked)).flatten();
    let question = question.map(|at| recent[at].clone());
    Place { thread, is_new: false, known, is_whole: true, last: recent.pop(), next, question }
}

fn sealed_of(row: &MessageRow, calls: &[ToolCall]) -> Option<Sealed> {
    let made: Vec<ToolCall> = Vec::deserialize(row.metadata.get("calls")?).ok()?;
    let same = made.iter().map(|call| &call.id).eq(calls.iter().map(|call| &call.id));
    Sealed::deserialize(row.metadata.get("sealed")?).ok().filter(|_| same && !calls.is_empty())
}

fn is_id(name: &str) -> bool {
    let suffix = name.strip_prefix(ThreadId::PREFIX).and_then(|name| name.strip_prefix('_'));
    suffix.is_some_and(|suffix| suffix.len() == 26)
}

/// A thread of the story's own. One that departs from a thread that was named is found under it.
fn new_place(told: Told<'_>, named: Option<&Thread>) -> Place {
    let thread = new_thread(told.project, told.now);
    beginning(match named {
        None => thread,
        Some(named) => {
            let from = json!({"thread": named.id, "root": root(named)});
            Thread { context_state: json!({ "branched_from": from }), ..thread }
        }
    })
}

fn beginning(thread: Thread) -> Place {
    Place { thread, is_new: true, known: 0, is_whole: true, last: None, next: 0, question: None }
}
