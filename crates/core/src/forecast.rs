//! What a question will take before it is sent: how full the window gets, what it costs, and which
//! other models would do.

use crate::catalogue::ModelInfo;
use crate::chat::Usage;
use serde::Serialize;

/// Tokens that an answer is taken to have, where nothing better is known.
const ANSWER: u32 = 600;

/// The most other models that are named.
const MOST: usize = 3;

/// What one model would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The share of the window that the dossier and an answer fill.
    pub filled: f64,
    /// In dollars, if the price is known, with an answer of ordinary length.
    pub cost: Option<f64>,
    /// Tokens that the answer is taken to have.
    pub answer: u32,
}

/// Another model, and what speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alternative {
    pub model: String,
    pub cost: Option<f64>,
    pub reason: String,
}

/// What a model takes for a dossier of so many tokens.
pub fn estimate(model: &ModelInfo, tokens: u32) -> Estimate {
    let answer = ANSWER.min(model.window.output);
    let usage = Usage { input: tokens, output: answer, ..Usage::default() };
    Estimate {
        filled: f64::from(tokens.saturating_add(answer)) / f64::from(model.window.context.max(1)),
        cost: model.costs.map(|costs| costs.of(usage)),
        answer,
    }
}

/// Other models that hold what this one has to leave out, or that cost less than half; the cheapest
/// first. `left_out` are tokens that found no room.
pub fn alternatives(
    model: &ModelInfo,
    others: &[&ModelInfo],
    tokens: u32,
    left_out: u32,
) -> Vec<Alternative> {
    let own = estimate(model, tokens).cost;
    let needed = tokens.saturating_add(left_out);
    let mut found: Vec<Alternative> = others
        .iter()
        .filter(|other| other.full_name() != model.full_name() && other.window.input() >= needed)
        .filter_map(|other| {
            let cost = estimate(other, needed).cost;
            let holds_more = left_out > 0 && other.window.input() > model.window.input();
            let cheaper = matches!((own, cost), (Some(own), Some(cost)) if cost < own / 2.0);
            let reason = match (holds_more, cheaper) {
                (true, true) => "holds everything, and costs less than half",
                (true, false) => "holds everything",
                (false, true) => "costs less than half",
                (false, false) => return None,
            };
            Some(Alternative { model: other.full_name(), cost, reason: reason.to_owned() })
        })
        .collect();
    let price = |other: &Alternative| other.cost.unwrap_or(f64::MAX);
    found.sort_by(|left, right| {
        price(left).total_cmp(&price(right)).then_with(|| left.model.cmp(&right.model))
    });
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Costs;
    use crate::tier::Window;

    fn model(id: &str, context: u32, price: f64) -> ModelInfo {
        let costs =
            Costs { input: price, output: 4.0 * price, cached_input: price, cache_write: price };
        ModelInfo {
            window: Window { context, output: 1_000 },
            costs: Some(costs),
            ..ModelInfo::unknown("p", id)
        }
    }

    #[test]
    fn an_estimate_counts_the_dossier_and_an_answer() {
        let estimate = estimate(&model("a", 10_000, 1.0), 4_400);
        assert_eq!(estimate.filled, 0.5);
        let expected = (4_400.0 + 4.0 * 600.0) / 1e6;
        assert!(estimate.cost.is_some_and(|cost| (cost - expected).abs() < 1e-12), "{estimate:?}");
    }

    #[test]
    fn others_are_named_that_hold_everything_or_cost_far_less() {
        let own = model("own", 10_000, 2.0);
        let (large, cheap, small) =
            (model("large", 100_000, 3.0), model("cheap", 20_000, 0.5), model("small", 5_000, 0.1));
        let others = [&own, &large, &cheap, &small];
        let named = |left_out: u32| -> Vec<(String, String)> {
            alternatives(&own, &others, 8_000, left_out)
                .into_iter()
                .map(|other| (other.model, other.reason))
                .collect()
        };
        let cheap = |reason: &str| ("p/cheap".to_owned(), reason.to_owned());
        assert_eq!(named(0), [cheap("costs less than half")]);
        assert_eq!(
            named(2_000),
            [
                cheap("holds everything, and costs less than half"),
                ("p/large".to_owned(), "holds everything".to_owned()),
            ]
        );
        assert_eq!(named(90_000), []);
    }
}
