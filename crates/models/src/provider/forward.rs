//! Requests in a format that the provider speaks itself: they are passed on as they are, with our
//! key, and so is what comes back.

use super::trouble::connection;
use super::{Provider, known};
use crate::client::Client;
use crate::error::{ModelsError, Trouble};
use crate::model::Limits;
use bytes::Bytes;
use dossier_core::catalogue::{ModelInfo, Protocol};
use futures::stream::{self, BoxStream, StreamExt as _};
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The formats in which requests can be passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    Chat,
    Responses,
}

/// A model whose provider speaks the format.
#[derive(Debug, Clone)]
pub struct Forward {
    provider: Provider,
    info: ModelInfo,
    wire: Wire,
    client: reqwest::Client,
}

/// What a provider answers, as it comes.
pub struct Passed {
    pub status: u16,
    /// Those that concern the client.
    pub headers: HeaderMap,
    pub body: BoxStream<'static, Result<Bytes, ModelsError>>,
}

impl std::fmt::Debug for Passed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passed").field("status", &self.status).finish_non_exhaustive()
    }
}

impl Forward {
    /// None when the provider speaks another format.
    pub(crate) fn new(
        provider: &Provider,
        info: ModelInfo,
        wire: Wire,
        client: &Client,
    ) -> Option<Self> {
        let protocol = info.protocol.unwrap_or(provider.protocol);
        let speaks = match wire {
            Wire::Chat => protocol == Protocol::Chat,
            // OpenAI itself has both at one address; of others only their setting tells.
            Wire::Responses => {
                protocol == Protocol::Responses
                    || (protocol == Protocol::Chat && provider.name == "openai")
            }
        };
        let url = reqwest::Url::parse(&provider.base_url).ok()?;
        let client = client.to(&url).clone();
        speaks.then(|| Self { provider: provider.clone(), info, wire, client })
    }

    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Passes a request on. A refusal of the provider is an answer like any other; an error is a
    /// provider that gave none. Whatever comes is passed on until a limit is reached.
    pub async fn send(&self, body: Bytes, limits: Limits) -> Result<Passed, ModelsError> {
        let needs_key = known::KNOWN.iter().any(|known| known.needs_key(&self.provider.name));
        if needs_key && self.provider.key().is_none() {
            let variable = known::variable(&self.provider.name);
            return Err(self.failed(Trouble::KeyMissing { variable }));
        }
        let path = match self.wire {
            Wire::Chat => "chat/completions",
            Wire::Responses => "responses",
        };
        let mut request = self
            .client
            .post(format!("{}{path}", self.provider.base_url))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "*/*")
            .body(body);
        if let Some(key) = self.provider.key() {
            let value = HeaderValue::try_from(format!("Bearer {}", key.reveal()));
            let mut value = value.map_err(|_| {
                let said = "its key holds characters that no key has; store it anew".to_owned();
                self.failed(Trouble::Invalid { said })
            })?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        let clock = Clock { deadline: Instant::now() + limits.whole, limits };
        let answer = clock.within(limits.begin, request.send()).await;
        let answer = answer.map_err(|trouble| self.failed(trouble))?;
        let answer = answer.map_err(|error| self.failed(connection(&self.provider, &error)))?;
        let status = answer.status().as_u16();
        if (300..400).contains(&status) {
            let said = format!("it points elsewhere (status {status})");
            return Err(self.failed(Trouble::Unavailable { retry_after: None, said }));
        }
        let headers = passed(answer.headers());
        let own = self.clone();
        let pieces = Some(answer.bytes_stream().boxed());
        let body = stream::unfold((pieces, own), move |(pieces, own)| async move {
            let mut pieces = pieces?;
            let piece = match clock.within(clock.limits.idle, pieces.next()).await {
                Ok(piece) => piece?.map_err(|error| connection(&own.provider, &error)),
                Err(trouble) => Err(trouble),
            };
            let piece = piece.map_err(|trouble| own.failed(trouble));
            // Nothing comes after an error, and the connection is closed.
            let rest = piece.is_ok().then_some(pieces);
            Some((piece, (rest, own)))
        });
        Ok(Passed { status, headers, body: body.boxed() })
    }

    fn failed(&self, trouble: Trouble) -> ModelsError {
        ModelsError::Call {
            provider: self.info.provider.clone(),
            model: self.info.id.clone(),
            trouble,
        }
    }
}

/// How long a provider may take.
#[derive(Debug, Clone, Copy)]
struct Clock {
    deadline: Instant,
    limits: Limits,
}

impl Clock {
    /// What comes within so long, and before the whole is over.
    async fn within<T>(&self, most: Duration, work: impl Future<Output = T>) -> Result<T, Trouble> {
        let until = (Instant::now() + most).min(self.deadline);
        timeout_at(until, work).await.map_err(|_| {
            let waited = match until == self.deadline {
                true => format!("the whole answer may take {} s", self.limits.whole.as_secs_f64()),
                false => format!("it said nothing for {} s", most.as_secs_f64()),
            };
            Trouble::TimedOut { waited }
        })
    }
}

/// The headers that tell the client about the answer and its limits, and nothing about our account.
fn passed(headers: &HeaderMap) -> HeaderMap {
    let is_passed = |name: &HeaderName| {
        *name == CONTENT_TYPE
            || *name == RETRY_AFTER
            || name == "retry-after-ms"
            || name == "x-should-retry"
            || name.as_str().starts_with("x-ratelimit-")
    };
    let kept = headers.iter().filter(|(name, _)| is_passed(name));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}
