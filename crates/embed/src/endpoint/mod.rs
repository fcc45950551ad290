//! A service that speaks OpenAI's `/v1/embeddings`.
//!
//! Texts go out in batches, a few at once. Vectors come back checked and scaled to length one, and
//! all of one length for as long as the process runs; that length is part of their name, so that
//! a service which changes its model begins anew instead of mixing.

mod address;
mod client;
mod key;
mod wire;

use std::fmt;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use dossier_core::tokens::Tokenizer;

pub use address::{Address, BadAddress};
pub(crate) use client::Patience;
pub use key::Key;

use crate::{EmbedError, Trouble};
use client::{Client, is_about_size};
use wire::EmbeddingsRequest;

/// Requests that are under way at once.
const AT_ONCE: usize = 4;
/// Texts together in one request, in bytes: below every common limit in tokens.
const BATCH_BYTES: usize = 256 * 1024;
/// A text that a service refuses as too long is halved so many times.
const HALVINGS: u32 = 5;

/// A service at an address.
pub struct Endpoint {
    address: Address,
    client: Client,
    tokenizer: Tokenizer,
    /// Known from the first answer on.
    space: OnceLock<Space>,
}

struct Space {
    dimension: usize,
    name: String,
}

impl Endpoint {
    pub fn new(address: Address, key: Option<Key>) -> Endpoint {
        Endpoint {
            client: Client::new(&address, key),
            tokenizer: Tokenizer::for_model(&address.model),
            space: OnceLock::new(),
            address,
        }
    }

    /// The name of the vectors. A service that was not asked before is asked for one.
    pub(crate) fn space(&self, patience: Patience) -> Result<&str, EmbedError> {
        if let Some(space) = self.space.get() {
            return Ok(&space.name);
        }
        self.embed(&["dimension"], patience)?;
        self.space.get().map(|space| space.name.as_str()).ok_or_else(|| {
            let nothing = "nothing at all".to_owned();
            self.error(Trouble::NoVectors(nothing))
        })
    }

    /// 0 before the first answer.
    pub(crate) fn dimension(&self) -> usize {
        self.space.get().map_or(0, |space| space.dimension)
    }

    pub(crate) fn max_tokens(&self) -> usize {
        self.address.max_tokens as usize
    }

    /// Exact for models with a public tokenizer, on the high side for others.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.tokenizer.count(text) as usize
    }

    pub(crate) fn at_once(&self) -> usize {
        self.address.batch as usize * AT_ONCE
    }

    pub(crate) fn embed(
        &self,
        texts: &[&str],
        patience: Patience,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let batches = batches(texts, self.address.batch as usize);
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let work = || {
            let mut done = Vec::new();
            while !failed.load(Ordering::Relaxed) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(batch) = batches.get(place) else { break };
                let vectors = self.batch(batch, patience);
                failed.fetch_or(vectors.is_err(), Ordering::Relaxed);
                done.push((place, vectors?));
            }
            Ok(done)
        };
        let others = batches.len().clamp(1, AT_ONCE) - 1;
        let shares: Vec<Result<Vec<_>, Trouble>> = thread::scope(|scope| {
            // A thread that cannot be had leaves its share to this one.
            let threads: Vec<_> = (0..others)
                .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let own = work();
            let joined = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            [own].into_iter().chain(joined).collect()
        });
        let shares = shares.into_iter().collect::<Result<Vec<_>, _>>();
        let mut done = shares.map_err(|trouble| self.error(trouble))?.concat();
        done.sort_unstable_by_key(|(place, _)| *place);
        Ok(done.into_iter().flat_map(|(_, vectors)| vectors).collect())
    }

    /// The vectors of a batch; of its halves, where the service finds it too large.
    fn batch(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, Trouble> {
        match (self.request(texts, patience), texts) {
            (Err(trouble), [text]) if is_too_large(&trouble) => {
                self.shortened(text, patience, trouble)
            }
            (Err(trouble), texts) if is_too_large(&trouble) => {
                let (left, right) = texts.split_at(texts.len() / 2);
                let mut vectors = self.batch(left, patience)?;
                vectors.extend(self.batch(right, patience)?);
                Ok(vectors)
            }
            (answer, _) => answer,
        }
    }

    /// The vector of as much of a text's beginning as the service takes: its own count of tokens
    /// may be far above ours.
    fn shortened(
        &self,
        text: &str,
        patience: Patience,
        mut trouble: Trouble,
    ) -> Result<Vec<Vec<f32>>, Trouble> {
        let mut text = text;
        for _ in 0..HALVINGS {
            text = &text[..text.floor_char_boundary(text.len() / 2)];
            if text.is_empty() {
                break;
            }
            match self.request(&[text], patience) {
                Err(again) if is_too_large(&again) => trouble = again,
                answer => return answer,
            }
        }
        Err(trouble)
    }

    fn request(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, Trouble> {
        let request = EmbeddingsRequest {
            model: &self.address.model,
            input: texts,
            encoding_format: "float",
            dimensions: self.address.dimensions,
        };
        let body =
            serde_json::to_vec(&request).map_err(|error| Trouble::NoVectors(error.to_string()))?;
        let answer = self.client.post(&body, patience)?;
        let vectors = wire::vectors(&answer, texts.len()).map_err(|trouble| match trouble {
            Trouble::NoVectors(said) => Trouble::NoVectors(self.client.presentable(&said)),
            trouble => trouble,
        })?;
        match vectors.first() {
            Some(vector) => self.check(vector.len()).map(|()| vectors),
            None => Ok(vectors),
        }
    }

    /// Vectors of another length than the first would compare with nothing.
    fn check(&self, got: usize) -> Result<(), Trouble> {
        if let Some(asked) = self.address.dimensions
            && asked as usize != got
        {
            return Err(Trouble::Dimension { expected: asked as usize, got });
        }
        let name = || Space { dimension: got, name: self.address.space(got) };
        match self.space.get_or_init(name).dimension {
            expected if expected != got => Err(Trouble::Dimension { expected, got }),
            _ => Ok(()),
        }
    }

    fn error(&self, trouble: Trouble) -> EmbedError {
        EmbedError::Service { host: self.address.host.clone(), trouble }
    }
}

fn is_too_large(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::Refused { status: 413, .. } => true,
        Trouble::Refused { status: 400 | 422 | 500, said, .. } => is_about_size(said),
        _ => false,
    }
}

/// The texts in order, as many together as a request may hold.
fn batches<'a, 'b>(texts: &'a [&'b str], most: usize) -> Vec<&'a [&'b str]> {
    let mut batches = Vec::new();
    let mut rest = texts;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fitting = rest.iter().take(most).take_while(|text| {
            bytes += text.len();
            bytes <= BATCH_BYTES
        });
        let (batch, others) = rest.split_at(fitting.count().max(1));
        batches.push(batch);
        rest = others;
    }
    batches
}

/// Without the key.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("address", &self.address.to_string()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_holds_no_more_texts_and_bytes_than_it_may() {
        let long = "x".repeat(BATCH_BYTES - 1);
        let texts = ["a", "b", "c", &long, "d", "e", &long, &long];
        let sizes: Vec<usize> = batches(&texts, 3).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [3, 2, 2, 1]);
        assert_eq!(batches(&texts, 3).concat(), texts);
        assert!(batches(&[], 3).is_empty());
    }
}
