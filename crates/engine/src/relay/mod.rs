//! The relay: for clients that tell the whole conversation with every request, as if to the model
//! itself. What they tell is brought home to a thread, and the question is a turn like any other;
//! or, when that is not wanted, the request goes to the provider as it is.

mod after;
mod embeddings;
mod forward;
mod meter;
mod place;

pub use embeddings::Embeddings;
pub use forward::{Forwarded, Relayed, Translated, Wire};

use crate::assemble::check_length;
use crate::error::EngineError;
use crate::mint;
use crate::persona;
use crate::turn::{
    ATTEMPTS, Asked, Asking, Begun, Brought, Freshness, Gathering, Links, Seated, Terms,
    TurnStream, apart, new_turn, unbroken,
};
use crate::workspace::Workspace;
use after::After;
use dossier_core::chat::{Message as Said, Options, ToolSpec};
use dossier_core::chunk::{Draft, draft};
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ProjectId, ThreadId, TurnId};
use dossier_core::message::{Message, Role, Speaker};
use dossier_core::profile::ProfileName;
use dossier_core::story::Story;
use dossier_core::time::Timestamp;
use dossier_models::ChatModel;
use dossier_store::{MessageRow, Project, StoreError, StoryLink};
use place::{Place, Told};
use serde_json::json;
use std::sync::Arc;

/// A conversation whose last question one model is to answer.
#[derive(Debug, Clone)]
pub struct RelayRequest {
    pub project: Project,
    /// The thread's id, or what the client calls it; found by what was said when not given.
    pub thread: Option<String>,
    pub messages: Vec<Said>,
    /// The turn whose reply the messages follow, for a client that does not tell what was before.
    pub after: Option<TurnId>,
    /// The client runs them.
    pub tools: Vec<ToolSpec>,
    pub model: String,
    pub profile: ProfileName,
    pub options: Options,
    pub freshness: Freshness,
    pub now: Timestamp,
}

impl Workspace {
    /// Begins a turn that answers the conversation's last question, and gives what happens in it.
    /// What the store lacks of the conversation is stored with it. The turn is given up when the
    /// stream is dropped.
    pub async fn relay(&self, request: RelayRequest) -> Result<TurnStream, EngineError> {
        let RelayRequest {
            project,
            thread,
            messages,
            after,
            tools,
            model,
            profile,
            options,
            freshness,
            now,
        } = request;
        let after = match &after {
            Some(turn) => Some(self.reply_of(turn).await?),
            None => None,
        };
        let before = after.iter().flat_map(|after| after.said.iter().cloned());
        let messages = before.chain(messages).collect();
        let story =
            Story::new(messages).map_err(|error| EngineError::Invalid(error.to_string()))?;
        let models = self.models_named(&[model])?;
        let asked = &story.said[story.question].content;
        check_length(asked)?;
        let brought = Brought {
            persona: None,
            instructions: story.instructions.clone(),
            tools,
            tail: story.tail.clone(),
        };
        let terms = Terms { profile, budget: None, options, brought: Some(brought), freshness };
        let gathering = self.gathering(&project, asked).await;
        let relay = Relay { project, thread, story, after, models, terms, now };
        // Most conversations bring nothing new but the question.
        let (workspace, found) = (self.clone(), gathering.clone());
        let begin = apart(async move { workspace.begin_relay(relay, found).await });
        // One waits for what the other has begun to look up: neither can be left alone.
        unbroken(async move { gathering.beside(begin).await? }).await
    }

    /// Begins the turn while its question is looked for.
    async fn begin_relay(
        &self,
        relay: Relay,
        gathering: Gathering,
    ) -> Result<TurnStream, EngineError> {
        gathering.look_ahead(self).await;
        let Relay { project, thread, story, after, models, terms, now } = relay;
        let links = story.links();
        let question = &story.said[story.question].content;
        let asking = Asking { project: &project, thread: None, question, terms: &terms, now };
        let seated = (0..).zip(models.iter().cloned()).collect();
        let (spending, Seated { mut readers, refs }) = tokio::try_join!(
            self.check_spending(&project, None, &models, terms.freshness, now),
            self.seated(asking, seated),
        )?;
        let mut gathering = refs.is_empty().then_some(gathering);
        self.store_refs(refs).await?;
        for _ in 0..ATTEMPTS {
            let told = Told { project: &project, story: &story, links: &links, now };
            let place = match &after {
                Some(after) => self.place_after(told, after).await?,
                None => self.place(told, thread.as_deref()).await?,
            };
            let opened = self.open(told, terms.clone(), place, &models).await?;
            let gathering = gathering.take();
            // Where somebody was quicker, what is said now may be another story.
            let Some(Opened { begun, terms, parent, links }) = opened else { continue };
            // What else was told now is found only when it is stored.
            let gathering = gathering.filter(|_| begun.messages.len() <= 1);
            let asked = Asked {
                project,
                terms,
                question: begun.question,
                parent,
                images: story.images,
                spending,
                links,
                consulting: None,
            };
            asked.read_before(self, &mut readers).await;
            return Ok(self.run(begun.turn, asked, readers, gathering).alone());
        }
        let busy = "the thread is written to without pause; try again";
        Err(EngineError::Invalid(busy.to_owned()))
    }

    /// Stores the question at its place, with what the store lacks of the conversation before it;
    /// nothing where somebody has taken the place.
    async fn open(
        &self,
        told: Told<'_>,
        mut terms: Terms,
        place: Place,
        models: &[Arc<dyn ChatModel>],
    ) -> Result<Option<Opened>, EngineError> {
        let Told { project, story, links, now } = told;
        persona::expect_none(&place.thread)?;
        if let Some(brought) = &mut terms.brought {
            self.unseal(&place, &mut brought.tail).await?;
        }
        let (messages, new_links) = drafted(story, links, &place, now);
        let question = question(story, &place, &messages)?;
        let parent = messages.last().or(place.last.as_ref()).unwrap_or(&question).id.clone();
        let begun = Begun {
            turn: new_turn(project, &question, &terms, story.images.len(), models, now),
            chunks: chunks(&messages, place.last.as_ref(), &question.id),
            new_thread: place.is_new.then_some(place.thread),
            messages: messages.into_iter().map(row).collect(),
            question,
            end: Some(place.next),
        };
        match self.begin(&begun).await {
            Ok(()) => {
                let links = place.is_whole.then_some(new_links);
                Ok(Some(Opened { begun, terms, parent, links }))
            }
            Err(StoreError::Conflict { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Workspace {
    /// The project that a conversation belongs to: the one that is named by its id or its name,
    /// that of the thread if it is named by its id, or the default one.
    pub async fn relay_project(
        &self,
        thread: Option<&str>,
        project: Option<&str>,
        now: Timestamp,
    ) -> Result<Project, EngineError> {
        if let Some(project) = project {
            return self.project_called(project).await;
        }
        if let Some(thread) = thread
            && let Some(thread) = self.store.thread(&ThreadId::from(thread)).await?
        {
            return self.project_by_id(&thread.project).await;
        }
        self.project(None, now).await
    }

    /// The same for what stores nothing: the default project need not exist.
    async fn known_relay_project(
        &self,
        project: Option<&str>,
    ) -> Result<Option<Project>, EngineError> {
        match project {
            Some(project) => self.project_called(project).await.map(Some),
            None => self.known_project(None).await,
        }
    }

    async fn project_called(&self, name: &str) -> Result<Project, EngineError> {
        match self.store.project(&ProjectId::from(name)).await? {
            Some(project) => Ok(project),
            None => self.existing_project(Some(name)).await,
        }
    }
}

/// A conversation that is told, as far as it can be read without the store.
struct Relay {
    project: Project,
    thread: Option<String>,
    story: Story,
    after: Option<After>,
    models: Vec<Arc<dyn ChatModel>>,
    terms: Terms,
    now: Timestamp,
}

/// A question that is stored, and what its answer needs.
struct Opened {
    begun: Begun,
    terms: Terms,
    parent: MessageId,
    links: Option<Links>,
}

/// The messages that the thread lacks, and the links that end at them.
fn drafted(
    story: &Story,
    links: &[(usize, ContentHash)],
    place: &Place,
    now: Timestamp,
) -> (Vec<Message>, Links) {
    let first = place.next;
    let mut round = place.thread.round_count;
    let mut parent: Option<MessageId> = place.last.as_ref().map(|last| last.id.clone());
    let mut messages = Vec::with_capacity(story.said.len() - place.known);
    for (position, spoken) in (first..).zip(&story.said[place.known..]) {
        if spoken.role == Role::User || round == 0 {
            round += 1;
        }
        let id: MessageId = mint::id();
        messages.push(Message {
            id: id.clone(),
            thread: place.thread.id.clone(),
            parent: parent.replace(id),
            position,
            round,
            speaker: Speaker { role: spoken.role, name: spoken.name.clone() },
            section: None,
            content: spoken.content.clone(),
            external_id: None,
            created_at: now,
        });
    }
    let new = links.iter().filter(|(said, _)| *said >= place.known).map(|(said, hash)| StoryLink {
        hash: hash.clone(),
        thread: place.thread.id.clone(),
        position: first + (*said - place.known) as i64,
    });
    let last = links.last().map(|(_, hash)| hash.clone());
    (messages, Links { last: last.unwrap_or_else(|| ContentHash::of("")), new: new.collect() })
}

/// The question, among what is new or as it is stored.
fn question(story: &Story, place: &Place, new: &[Message]) -> Result<Message, EngineError> {
    let own = story.question.checked_sub(place.known).and_then(|at| new.get(at));
    own.or(place.question.as_ref()).cloned().ok_or_else(|| {
        EngineError::Invalid("the question was deleted meanwhile; ask again".to_owned())
    })
}

/// The chunks of what is told beside the question, which is found when its replies are.
fn chunks(messages: &[Message], before: Option<&Message>, question: &MessageId) -> Vec<Draft> {
    let previous = std::iter::once(before).chain(messages.iter().map(Some));
    let told = messages.iter().zip(previous).filter(|(message, _)| message.id != *question);
    told.filter_map(|(message, previous)| draft::of_message(message, previous)).collect()
}

fn row(message: Message) -> MessageRow {
    MessageRow { message, metadata: json!({}), deleted_at: None }
}
