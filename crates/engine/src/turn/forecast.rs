//! A forecast: what a question would take, before it is sent. Nothing is stored and no model is
//! asked.

use super::request::TurnRequest;
use super::{Asking, assembling};
use crate::assemble::AssembleRequest;
use crate::error::EngineError;
use crate::gather::Search;
use crate::workspace::Workspace;
use dossier_core::analyse::Question;
use dossier_core::catalogue::ModelInfo;
use dossier_core::fit::OVER_BUDGET;
use dossier_core::forecast::{self, Alternative};
use dossier_core::guard::masked;
use dossier_core::item::Form;
use dossier_core::receipt::Receipt;
use dossier_models::Extractive;
use serde::Serialize;

/// The most items that are named as left out.
const MOST_NAMED: usize = 20;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    pub models: Vec<ModelForecast>,
    /// Of budgets that are nearly spent.
    pub warnings: Vec<String>,
}

/// What one model would be given, and what that costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelForecast {
    pub model: String,
    /// Tokens of the dossier, and how many it may have.
    pub tokens: u32,
    pub limit: u32,
    /// The model's window, and the share of it that the dossier and an answer fill.
    pub window: u32,
    pub filled: f64,
    /// In dollars, if the price is known, with an answer of ordinary length.
    pub cost: Option<f64>,
    /// What finds no room, the best first.
    pub left_out: Vec<LeftOut>,
    /// Tokens of all that finds no room.
    pub left_out_tokens: u32,
    pub alternatives: Vec<Alternative>,
    /// Why this model cannot be asked so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeftOut {
    pub source: String,
    pub tokens: u32,
    pub reason: String,
}

impl Workspace {
    /// What each model of a turn would take.
    pub async fn forecast(&self, request: &TurnRequest) -> Result<Forecast, EngineError> {
        request.check()?;
        let models = self.models_named(&request.models)?;
        let TurnRequest { project, terms, now, .. } = request;
        let question = request.question();
        let (thread, now) = (request.thread.as_ref(), *now);
        let asking = Asking { project, thread, question: &question, terms, now };
        let (seats, _) = self.seats(asking, models.iter().map(|model| &**model)).await;
        let short = seats.iter().filter_map(|seat| seat.as_ref().ok()?.in_short());
        let sought = short.min_by_key(|question| question.len()).unwrap_or(&question);
        let pool = self.gather(&Search::new(&project.id, Question::new(&masked(sought)))).await?;
        let mut forecasts = Vec::with_capacity(models.len());
        for (model, seat) in models.iter().zip(seats) {
            let info = model.info();
            let assemble = AssembleRequest {
                thread: request.thread.clone(),
                ..assembling(project, &question, terms, info, now)
            };
            let dossier = async {
                let seat = seat?;
                let before = self.before(&assemble, &seat).await?;
                self.arrange(&assemble, &seat, before, &pool)
            };
            forecasts.push(match dossier.await {
                Ok(dossier) => self.forecast_of(info, &dossier.receipt)?,
                Err(error @ (EngineError::TooLarge(_) | EngineError::WindowFull(_))) => {
                    ModelForecast { problem: Some(error.to_string()), ..empty(info) }
                }
                Err(error) => return Err(error),
            });
        }
        let warnings = match self.check_budgets(Some(&request.project), request.now).await {
            Ok(warnings) => warnings,
            Err(EngineError::OverBudget(said)) => vec![said],
            Err(error) => return Err(error),
        };
        Ok(Forecast { models: forecasts, warnings })
    }

    fn forecast_of(
        &self,
        info: &ModelInfo,
        receipt: &Receipt,
    ) -> Result<ModelForecast, EngineError> {
        let used = receipt.budget.used;
        let estimate = forecast::estimate(info, used);
        let left_out: Vec<LeftOut> = receipt
            .items
            .iter()
            .filter(|item| item.form == Form::Dropped && item.reason.contains(OVER_BUDGET))
            .map(|item| LeftOut {
                source: item.source.to_string(),
                tokens: item.tokens,
                reason: item.reason.clone(),
            })
            .collect();
        let left_out_tokens = left_out.iter().map(|item| item.tokens).sum();
        let models = self.models()?;
        // Quotes are no answer to recommend for their price.
        let mut others = models.ready();
        others.retain(|other| other.provider != Extractive::PROVIDER);
        Ok(ModelForecast {
            tokens: used,
            limit: receipt.budget.limit,
            filled: estimate.filled,
            cost: estimate.cost,
            left_out: left_out.into_iter().take(MOST_NAMED).collect(),
            left_out_tokens,
            alternatives: forecast::alternatives(info, &others, used, left_out_tokens),
            ..empty(info)
        })
    }
}

fn empty(info: &ModelInfo) -> ModelForecast {
    ModelForecast {
        model: info.full_name(),
        tokens: 0,
        limit: 0,
        window: info.window.context,
        filled: 0.0,
        cost: None,
        left_out: Vec::new(),
        left_out_tokens: 0,
        alternatives: Vec::new(),
        problem: None,
    }
}
