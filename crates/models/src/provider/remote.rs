//! A model of a provider. A call that fails before it has said anything is tried again; one that
//! has begun never is, since its words were passed on.

use super::request::Request;
use super::stream::Reader;
use super::trouble::trouble;
use super::witness::Witness;
use super::{Provider, known};
use crate::client::Client;
use crate::error::{ModelsError, Trouble};
use crate::model::{ChatModel, Events, Limits};
use crate::retry::{Patience, chance};
use dossier_core::catalogue::{ModelInfo, Protocol};
use dossier_core::chat::{Event, Part, Prompt, Said};
use futures::stream::{self, StreamExt as _};
use genai::adapter::AdapterKind;
use genai::chat::ChatStream;
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::time::{Instant, sleep, timeout_at};

/// A model of a provider.
#[derive(Clone)]
pub(crate) struct Remote {
    inner: Arc<Inner>,
}

struct Inner {
    provider: Provider,
    info: ModelInfo,
    client: genai::Client,
    patience: Patience,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Remote").field(&self.inner.info.full_name()).finish()
    }
}

impl Remote {
    pub(crate) fn new(
        provider: Provider,
        info: ModelInfo,
        client: &Client,
        patience: Patience,
    ) -> Result<Self, ModelsError> {
        let bad = |reason: String| ModelsError::BadProvider { name: provider.name.clone(), reason };
        let url =
            reqwest::Url::parse(&provider.base_url).map_err(|error| bad(error.to_string()))?;
        let client = genai::Client::builder()
            .with_reqwest(client.to(&url).clone())
            .build()
            .map_err(|error| bad(error.to_string()))?;
        Ok(Self { inner: Arc::new(Inner { provider, info, client, patience }) })
    }
}

impl ChatModel for Remote {
    fn info(&self) -> &ModelInfo {
        &self.inner.info
    }

    fn address(&self) -> Option<&str> {
        Some(&self.inner.provider.base_url)
    }

    fn ask(&self, prompt: Prompt, limits: Limits) -> Events {
        let call = Call {
            model: Arc::clone(&self.inner),
            prompt,
            limits,
            deadline: None,
            attempts: 0,
            open: None,
            waiting: VecDeque::new(),
            state: State::Silent,
        };
        stream::unfold(call, |mut call| async move {
            let event = call.next().await?;
            Some((event, call))
        })
        .boxed()
    }
}

impl Inner {
    fn protocol(&self) -> Protocol {
        self.info.protocol.unwrap_or(self.provider.protocol)
    }

    /// Refuses what no provider could answer.
    fn check(&self, prompt: &Prompt) -> Result<(), Trouble> {
        let needs_key = known::KNOWN.iter().any(|known| known.needs_key(&self.provider.name));
        if needs_key && self.provider.key().is_none() {
            return Err(Trouble::KeyMissing { variable: known::variable(&self.provider.name) });
        }
        let is_image = |part: &Part| matches!(part, Part::Image(_));
        let shows_images = prompt.messages.iter().any(|message| match &message.said {
            Said::User { parts } => parts.iter().any(is_image),
            _ => false,
        });
        if shows_images && !self.info.capabilities.vision {
            let said = "it cannot see images; take them out, or ask a model that can".to_owned();
            return Err(Trouble::Invalid { said });
        }
        if prompt.messages.is_empty() {
            return Err(Trouble::Invalid { said: "the prompt is empty".to_owned() });
        }
        Ok(())
    }

    fn target(&self) -> ServiceTarget {
        let adapter = match self.protocol() {
            Protocol::Chat => AdapterKind::OpenAI,
            Protocol::Responses => AdapterKind::OpenAIResp,
            Protocol::Anthropic => AdapterKind::Anthropic,
            Protocol::Gemini => AdapterKind::Gemini,
        };
        // A server without keys ignores this one.
        let key = self.provider.key().map_or("none", |key| key.reveal());
        ServiceTarget {
            endpoint: Endpoint::from_owned(self.provider.base_url.as_str()),
            auth: AuthData::from_single(key),
            model: ModelIden::new(adapter, self.info.id.as_str()),
        }
    }

    async fn open(&self, prompt: &Prompt, limits: Limits) -> Result<Open, Trouble> {
        let witness = Witness::default();
        let Request { chat, options } = Request::new(&self.provider, &self.info, prompt);
        let options = options
            .with_raw_frame_sink(witness.clone())
            .with_stream_header_timeout(limits.begin)
            .with_stream_read_timeout(limits.idle);
        let answer = self.client.exec_chat_stream(self.target(), chat, Some(&options)).await;
        let stream = answer.map_err(|error| trouble(&self.provider, &error))?.stream;
        let reader = Reader::new(self.protocol(), self.info.full_name(), witness);
        Ok(Open { stream, reader })
    }
}

/// A connection that an answer comes by.
struct Open {
    stream: ChatStream,
    reader: Reader,
}

impl Open {
    async fn next(&mut self, provider: &Provider) -> Result<Vec<Event>, Trouble> {
        match self.stream.next().await {
            Some(Ok(event)) => self.reader.read(event),
            Some(Err(error)) => Err(trouble(provider, &error)),
            None => self.reader.closed(),
        }
    }
}

#[derive(PartialEq, Eq)]
enum State {
    /// Nothing was passed on.
    Silent,
    Speaking,
    Over,
}

/// One answer on its way.
struct Call {
    model: Arc<Inner>,
    prompt: Prompt,
    limits: Limits,
    /// Set when the stream is first asked for an event.
    deadline: Option<Instant>,
    attempts: u32,
    open: Option<Open>,
    waiting: VecDeque<Event>,
    state: State,
}

impl Call {
    async fn next(&mut self) -> Option<Result<Event, ModelsError>> {
        if self.state == State::Over {
            return None;
        }
        let deadline = *self.deadline.get_or_insert_with(|| Instant::now() + self.limits.whole);
        let whole = self.limits.whole;
        let result = timeout_at(deadline, self.event(deadline)).await.unwrap_or_else(|_| {
            let waited = format!("the whole answer may take {} s", whole.as_secs_f64());
            Err(Trouble::TimedOut { waited })
        });
        self.state = match &result {
            Ok(Event::Finish(_)) | Err(_) => State::Over,
            Ok(_) => State::Speaking,
        };
        if self.state == State::Over {
            self.open = None;
        }
        Some(result.map_err(|trouble| ModelsError::Call {
            provider: self.model.info.provider.clone(),
            model: self.model.info.id.clone(),
            trouble,
        }))
    }

    async fn event(&mut self, deadline: Instant) -> Result<Event, Trouble> {
        self.model.check(&self.prompt)?;
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(event);
            }
            match self.more().await {
                Ok(events) => self.waiting.extend(events),
                Err(trouble) => {
                    self.open = None;
                    self.wait_after(trouble, deadline).await?;
                }
            }
        }
    }

    async fn more(&mut self) -> Result<Vec<Event>, Trouble> {
        if self.open.is_none() {
            self.attempts += 1;
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(self.model.open(&self.prompt, self.limits).await?),
        };
        open.next(&self.model.provider).await
    }

    /// Waits until it may be tried again, or gives the trouble back.
    async fn wait_after(&mut self, trouble: Trouble, deadline: Instant) -> Result<(), Trouble> {
        if self.state != State::Silent || !trouble.is_passing() {
            return Err(trouble);
        }
        match self.model.patience.wait(self.attempts, trouble.retry_after(), chance()) {
            Some(wait) if Instant::now() + wait < deadline => {
                sleep(wait).await;
                Ok(())
            }
            _ => Err(trouble),
        }
    }
}
