//! What a project says about keeping answers. It keeps none unless it says so.

use super::{LEAST_SIMILARITY, LIFETIME};
use serde_json::{Map, Value};

/// The project's setting that turns the answer cache on.
pub const ENABLED: &str = "enable_semantic_cache";
/// For how many seconds an answer is kept.
pub const SECONDS: &str = "semantic_cache_seconds";
/// How alike two questions must be at least: a number, or one for each embedding model by its name.
pub const SIMILARITY: &str = "semantic_cache_similarity";

/// No answer is kept for longer, in seconds: 30 days.
const LONGEST: i64 = 30 * 24 * 3_600;

/// How answers are kept in a project.
#[derive(Debug, Clone, PartialEq)]
pub struct Keeping {
    /// In seconds.
    pub lifetime: i64,
    similarity: Value,
}

impl Keeping {
    /// As the project's settings say; none where they do not turn it on.
    pub fn of(settings: &Value) -> Option<Self> {
        if settings.get(ENABLED).and_then(Value::as_bool) != Some(true) {
            return None;
        }
        let lifetime = settings.get(SECONDS).and_then(Value::as_i64).filter(is_lifetime);
        let similarity = settings.get(SIMILARITY).cloned().unwrap_or(Value::Null);
        Some(Self { lifetime: lifetime.unwrap_or(LIFETIME), similarity })
    }

    /// How alike two questions must be for this embedding model. Each has its own scale.
    pub fn least_similarity(&self, embedder: &str) -> f32 {
        let own = self.similarity.get(embedder).unwrap_or(&self.similarity);
        own.as_f64().filter(is_similarity).map_or(LEAST_SIMILARITY, |least| least as f32)
    }

    /// What is wrong with a project's settings.
    pub fn check(settings: &Map<String, Value>) -> Result<(), String> {
        if settings.get(ENABLED).is_some_and(|value| !value.is_boolean()) {
            return Err(format!("{ENABLED} is true or false"));
        }
        let fits = |value: &Value| value.as_i64().is_some_and(|seconds| is_lifetime(&seconds));
        if settings.get(SECONDS).is_some_and(|value| !fits(value)) {
            return Err(format!("{SECONDS} is a whole number of seconds from 1 to {LONGEST}"));
        }
        let fits = |value: &Value| value.as_f64().is_some_and(|least| is_similarity(&least));
        let wrong = settings.get(SIMILARITY).is_some_and(|value| match value {
            Value::Object(models) => !models.values().all(fits),
            value => !fits(value),
        });
        if wrong {
            return Err(format!(
                "{SIMILARITY} is a number from 0 to 1, or one for each embedding model by its name"
            ));
        }
        Ok(())
    }
}

fn is_lifetime(seconds: &i64) -> bool {
    (1..=LONGEST).contains(seconds)
}

fn is_similarity(least: &f64) -> bool {
    (0.0..=1.0).contains(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_project_keeps_answers_only_if_it_says_so() {
        for settings in [json!({}), json!({ENABLED: false}), json!({SECONDS: 5}), json!("rubbish")]
        {
            assert_eq!(Keeping::of(&settings), None, "{settings}");
        }
        let keeping = Keeping::of(&json!({ENABLED: true})).unwrap();
        assert_eq!((keeping.lifetime, keeping.least_similarity("any")), (LIFETIME, 0.8));
    }

    #[test]
    fn each_embedding_model_may_have_a_bound_of_its_own() {
        let least = |similarity: Value, embedder: &str| {
            let settings = json!({ENABLED: true, SIMILARITY: similarity});
            Keeping::of(&settings).unwrap().least_similarity(embedder)
        };
        assert_eq!(least(json!(0.97), "any"), 0.97);
        assert_eq!(least(json!({"large": 0.5}), "large"), 0.5);
        assert_eq!(least(json!({"large": 0.5}), "small"), LEAST_SIMILARITY);
    }

    #[test]
    fn settings_that_nobody_could_follow_are_refused() {
        let check = |settings: Value| Keeping::check(settings.as_object().unwrap()).is_ok();
        let fine = json!({ENABLED: true, SECONDS: 60, SIMILARITY: {"m": 0.9}, "other": "x"});
        assert!(check(fine) && check(json!({})));
        for wrong in [
            json!({ENABLED: "yes"}),
            json!({SECONDS: 0}),
            json!({SECONDS: 1.5}),
            json!({SECONDS: i64::MAX}),
            json!({SIMILARITY: 1.1}),
            json!({SIMILARITY: "high"}),
            json!({SIMILARITY: {"m": -1}}),
        ] {
            assert!(!check(wrong.clone()), "{wrong}");
        }
    }
}
