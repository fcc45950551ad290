//! The client as somebody who can be asked: for an answer of its own model, and for the folders it
//! works in; and as somebody who is told how far a call has come.
//!
//! An older client is sent a request while its call goes on. A newer one is answered that its input
//! is wanted, and makes the call again with it: what it has said before comes back with the call,
//! and the tool runs anew from what is known. So a question is named by what it asks, and whoever
//! asks something else is not given the answer to it.
#![expect(deprecated, reason = "clients offer it, and nothing has taken its place")]

use crate::rounds::Rounds;
use dossier_core::hash::ContentHash;
use rmcp::model::{
    ClientCapabilities, InputRequest, InputRequests, ListRootsRequest, ListRootsResult,
    ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{RoleServer, ServiceError};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Words of a tool that wait to be passed on.
const WAITING: usize = 32;

/// How often it is told that an answer gets longer.
const PACE: Duration = Duration::from_secs(1);

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// It comes with the next call.
    Later,
    Refused(String),
}

/// The client, for a tool at work. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    capabilities: ClientCapabilities,
    words: mpsc::Sender<Word>,
    /// Characters of the answer that have come so far.
    answered: Arc<AtomicUsize>,
}

/// What a tool has to say to the client before it is done.
#[derive(Debug)]
enum Word {
    Ask(Box<InputRequest>, oneshot::Sender<Result<Value, Unanswered>>),
    Progress(String),
    Answered(usize),
}

impl Client {
    /// One that can do nothing but wait for the answer.
    #[cfg(test)]
    pub fn silent() -> Self {
        let (capabilities, answered) = Default::default();
        Self { capabilities, words: mpsc::channel(1).0, answered }
    }

    /// Whether its own model can be asked.
    pub fn samples(&self) -> bool {
        self.capabilities.sampling.is_some()
    }

    /// Whether its model can be given tools.
    pub fn samples_with_tools(&self) -> bool {
        self.capabilities.sampling.as_ref().is_some_and(|sampling| sampling.tools.is_some())
    }

    /// Tells how far the work is. Nobody need listen, and a word may get lost.
    pub fn progress(&self, said: impl Into<String>) {
        let _ = self.words.try_send(Word::Progress(said.into()));
    }

    /// Tells that so many more characters of an answer have come.
    pub fn answers(&self, characters: usize) {
        let before = self.answered.fetch_add(characters, Ordering::Relaxed);
        let _ = self.words.try_send(Word::Answered(before + characters));
    }

    pub async fn ask<T: DeserializeOwned>(&self, request: InputRequest) -> Result<T, Unanswered> {
        let over = || Unanswered::Refused("the call that could ask the client is over".to_owned());
        let (answer, answered) = oneshot::channel();
        let word = Word::Ask(Box::new(request), answer);
        self.words.send(word).await.map_err(|_| over())?;
        let answer = answered.await.map_err(|_| over())??;
        serde_json::from_value(answer)
            .map_err(|error| Unanswered::Refused(format!("its answer makes no sense: {error}")))
    }

    /// The folders that the client works in; none where it does not tell.
    pub async fn roots(&self) -> Result<Option<Vec<String>>, Unanswered> {
        if self.capabilities.roots.is_none() {
            return Ok(None);
        }
        let request = InputRequest::ListRoots(ListRootsRequest::default());
        let ListRootsResult { roots, .. } = self.ask(request).await?;
        Ok(Some(roots.into_iter().map(|root| root.uri).collect()))
    }
}

/// The other end: passes words on to the client, in the call's own task, since what is sent from
/// there reaches the client on the stream of the call.
#[derive(Debug)]
pub struct Line {
    words: mpsc::Receiver<Word>,
    peer: Peer<RoleServer>,
    progress: Option<ProgressToken>,
    told: u32,
    /// When it was last told how long the answer is.
    paced: Option<Instant>,
    /// What was said in earlier rounds; none for a client that is sent requests.
    rounds: Option<Rounds>,
    wanted: InputRequests,
}

/// Both ends, for one call.
pub fn line(context: &RequestContext<RoleServer>, rounds: Option<Rounds>) -> (Client, Line) {
    let (sender, words) = mpsc::channel(WAITING);
    let capabilities = context.client_capabilities().unwrap_or_default();
    let line = Line {
        words,
        peer: context.peer.clone(),
        progress: context.meta.get_progress_token(),
        told: 0,
        paced: None,
        rounds,
        wanted: InputRequests::new(),
    };
    (Client { capabilities, words: sender, answered: Arc::default() }, line)
}

impl Line {
    /// Passes on whatever a tool says, until nobody is left to say anything.
    pub async fn serve(&mut self) {
        while let Some(word) = self.words.recv().await {
            match word {
                Word::Progress(said) => self.tell(said).await,
                Word::Answered(characters) => {
                    if self.paced.is_none_or(|told| told.elapsed() >= PACE) {
                        self.paced = Some(Instant::now());
                        self.tell(format!("{characters} characters have come")).await;
                    }
                }
                Word::Ask(request, answer) => {
                    // Whoever does not wait for the answer any more needs none.
                    let _ = answer.send(self.answer(*request).await);
                }
            }
        }
    }

    /// What the client is to bring with its next call, and what is known by then.
    pub fn wanted(self) -> Option<(InputRequests, Rounds)> {
        let rounds = self.rounds?;
        (!self.wanted.is_empty()).then_some((self.wanted, rounds))
    }

    async fn tell(&mut self, said: String) {
        let Some(token) = &self.progress else { return };
        self.told += 1;
        let told =
            ProgressNotificationParam::new(token.clone(), f64::from(self.told)).with_message(said);
        let _ = self.peer.notify_progress(told).await;
    }

    async fn answer(&mut self, request: InputRequest) -> Result<Value, Unanswered> {
        match &self.rounds {
            Some(rounds) => {
                let name = name(&request);
                if let Some(answer) = rounds.known(&name) {
                    return Ok(answer.clone());
                }
                self.wanted.insert(name, request);
                Err(Unanswered::Later)
            }
            None => {
                let refused = |error: ServiceError| Unanswered::Refused(error.to_string());
                crate::sampling::send(&self.peer, request).await.map_err(refused)
            }
        }
    }
}

/// What a question is called: the same question has the same name.
fn name(request: &InputRequest) -> String {
    let asked = serde_json::to_string(request).unwrap_or_default();
    ContentHash::of(asked.as_bytes()).to_string().chars().take(32).collect()
}
