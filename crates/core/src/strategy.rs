//! How much context a project's dossiers hold, as the project has it set: the strategy lowers the
//! tier by whose numbers a dossier is made, and retrieval has bounds of its own. Neither gives a model
//! more than suits it.

use crate::tier::Tier;
use serde_json::{Map, Value};

/// The settings of a project.
pub const STRATEGY: &str = "context_strategy";
pub const RETRIEVAL: &str = "retrieval_config";

/// The bounds of what is retrieved: the most passages, and the least score as a share of the best.
const MOST_PASSAGES: &str = "top_k";
const LEAST_SHARE: &str = "min_score";

/// What a project's settings say.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Strategy {
    most: Option<Tier>,
    pub most_passages: Option<usize>,
    pub least_share: Option<f32>,
}

impl Strategy {
    pub fn of(settings: &Value) -> Self {
        let retrieval = settings.get(RETRIEVAL);
        let bound = |key: &str| retrieval.and_then(|bounds| bounds.get(key));
        Self {
            most: settings.get(STRATEGY).and_then(Value::as_str).and_then(tier),
            most_passages: bound(MOST_PASSAGES).and_then(passages),
            least_share: bound(LEAST_SHARE).and_then(share),
        }
    }

    /// The tier by whose numbers a model's dossier is made: its own, or the strategy's lower one.
    pub fn tier(&self, own: Tier) -> Tier {
        match self.most {
            Some(most) if most.recent_rounds() < own.recent_rounds() => most,
            _ => own,
        }
    }

    /// Refuses what would have no effect, and says what would have one.
    pub fn check(settings: &Map<String, Value>) -> Result<(), String> {
        if let Some(strategy) = settings.get(STRATEGY)
            && strategy.as_str().and_then(tier).is_none()
        {
            return Err(format!("{STRATEGY} is smart, balanced or minimal"));
        }
        let Some(retrieval) = settings.get(RETRIEVAL) else { return Ok(()) };
        let fits = |(key, value): (&String, &Value)| match key.as_str() {
            MOST_PASSAGES => passages(value).is_some(),
            LEAST_SHARE => share(value).is_some(),
            _ => false,
        };
        match retrieval.as_object() {
            Some(bounds) if bounds.iter().all(fits) => Ok(()),
            _ => Err(format!(
                "{RETRIEVAL} is an object with {MOST_PASSAGES} (the most passages, above 0) and \
                 {LEAST_SHARE} (a share of the best score, from 0 to 1)"
            )),
        }
    }
}

fn tier(strategy: &str) -> Option<Tier> {
    match strategy {
        "smart" => Some(Tier::Smart),
        "balanced" => Some(Tier::Balanced),
        "minimal" => Some(Tier::Fast),
        _ => None,
    }
}

fn passages(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|most| usize::try_from(most).ok()).filter(|most| *most > 0)
}

fn share(value: &Value) -> Option<f32> {
    value.as_f64().filter(|share| (0.0..=1.0).contains(share)).map(|share| share as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_strategy_lowers_a_tier_and_never_raises_one() {
        let tiers = |strategy: &str| {
            let strategy = Strategy::of(&json!({ STRATEGY: strategy }));
            [Tier::Smart, Tier::Balanced, Tier::Cheap].map(|tier| strategy.tier(tier))
        };
        assert_eq!(tiers("smart"), [Tier::Smart, Tier::Balanced, Tier::Cheap]);
        assert_eq!(tiers("balanced"), [Tier::Balanced, Tier::Balanced, Tier::Cheap]);
        assert_eq!(tiers("minimal"), [Tier::Fast, Tier::Fast, Tier::Cheap]);
        assert_eq!(tiers("unheard of"), [Tier::Smart, Tier::Balanced, Tier::Cheap]);
    }

    #[test]
    fn bounds_that_cannot_be_are_no_bounds() {
        let bounds = |retrieval: Value| {
            let strategy = Strategy::of(&json!({ RETRIEVAL: retrieval }));
            (strategy.most_passages, strategy.least_share)
        };
        assert_eq!(bounds(json!({ "top_k": 2, "min_score": 0.5 })), (Some(2), Some(0.5)));
        assert_eq!(bounds(json!({ "top_k": 0, "min_score": 2 })), (None, None));
        assert_eq!(bounds(json!("all")), (None, None));
    }
}
