//! Passing a request on as it is. Nothing is assembled and nothing is kept but what it took, and
//! that without holding a byte back; a budget that is spent stops it.

use super::meter::{Meter, Toll};
use crate::error::EngineError;
use crate::workspace::Workspace;
use bytes::Bytes;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::Prompt;
use dossier_core::time::Timestamp;
pub use dossier_models::Wire;
use dossier_models::{ChatModel, Events, Forward, Limits, ModelsError, Passed};
use futures::stream::{self, BoxStream, StreamExt as _};
use std::sync::Arc;

/// How a request can be passed on.
#[derive(Debug)]
pub enum Forwarded {
    /// As it is: the provider speaks the format.
    AsItIs(Box<Relayed>),
    /// By way of a prompt.
    Translated(Box<Translated>),
}

/// A request that its provider understands.
#[derive(Debug)]
pub struct Relayed {
    forward: Forward,
    limits: Limits,
    toll: Toll,
}

/// A request that has to be translated for its provider.
#[derive(Debug)]
pub struct Translated {
    model: Arc<dyn ChatModel>,
    limits: Limits,
    toll: Toll,
}

impl Workspace {
    /// How a request for this model can be passed on. Fails when a budget is spent and the model costs
    /// something. Nothing is stored in the project, so the default one need not exist.
    pub async fn forward(
        &self,
        wire: Wire,
        model: &str,
        project: Option<&str>,
        now: Timestamp,
    ) -> Result<Forwarded, EngineError> {
        let models = self.models()?;
        let (project, allowance) =
            tokio::try_join!(self.known_relay_project(project), self.allowance())?;
        let limits = allowance.limits();
        let toll = async |info: &ModelInfo| {
            match self.check_allowance(&allowance, project.as_ref(), now).await {
                Err(EngineError::OverBudget(_)) if info.is_free() => {}
                checked => drop(checked?),
            }
            let project = project.as_ref().map(|project| project.id.clone());
            Ok::<_, EngineError>(Toll { workspace: self.clone(), project, info: info.clone() })
        };
        Ok(match models.forward(model, wire)? {
            Some(forward) => {
                let toll = toll(forward.info()).await?;
                Forwarded::AsItIs(Box::new(Relayed { forward, limits, toll }))
            }
            None => {
                let model = models.get(model)?;
                let toll = toll(model.info()).await?;
                Forwarded::Translated(Box::new(Translated { model, limits, toll }))
            }
        })
    }
}

impl Relayed {
    /// The name that the provider has for the model.
    pub fn model(&self) -> &str {
        &self.toll.info.id
    }

    pub async fn send(self, body: Bytes) -> Result<Passed, EngineError> {
        let mut meter = Meter::of_body(self.toll, &body);
        let answer = self.forward.send(body, self.limits).await;
        let Passed { status, headers, body } = answer.inspect_err(|_| meter.refused())?;
        if status >= 400 {
            meter.refused();
        }
        Ok(Passed { status, headers, body: counted(body, meter) })
    }
}

impl Translated {
    pub fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    /// The answer as it comes.
    pub fn ask(self, prompt: Prompt) -> Events {
        let Self { model, limits, toll } = self;
        let mut meter = Meter::of_prompt(toll, &prompt);
        let events = model.ask(prompt, limits);
        let told = events.inspect(move |event| match event {
            Ok(event) => meter.hear_event(event),
            Err(_) if meter.is_silent() => meter.refused(),
            Err(_) => {}
        });
        told.boxed()
    }
}

type Pieces = BoxStream<'static, Result<Bytes, ModelsError>>;

/// The same pieces; when they are over or left, what they took is counted.
fn counted(body: Pieces, meter: Meter) -> Pieces {
    stream::unfold((body, meter), |(mut body, mut meter)| async move {
        let piece = body.next().await?;
        if let Ok(piece) = &piece {
            meter.hear(piece);
        }
        Some((piece, (body, meter)))
    })
    .boxed()
}
