//! What models may take for work that nobody asked for. A call is made only if the most that it can
//! take still fits, so that a limit is never passed.

use serde_json::Value;
use std::collections::BTreeMap;

/// The most that summaries may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quota {
    /// Tokens in and out.
    pub tokens_per_day: u64,
    pub tokens_per_thread: u64,
    pub usd_per_day: f64,
}

impl Default for Quota {
    fn default() -> Self {
        Self { tokens_per_day: 50_000, tokens_per_thread: 5_000, usd_per_day: 5.0 }
    }
}

/// What was taken, or what a call may take.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    pub tokens_of_day: u64,
    /// Nothing for what belongs to no thread.
    pub tokens_of_thread: u64,
    /// Of calls whose price is known.
    pub usd_of_day: f64,
}

impl Quota {
    /// The settings by which an owner changes it.
    pub const TOKENS_PER_DAY: &str = "summaries.tokens_per_day";
    pub const TOKENS_PER_THREAD: &str = "summaries.tokens_per_thread";
    pub const USD_PER_DAY: &str = "summaries.usd_per_day";

    /// As the owner has set it: numbers, or the texts that settings are kept as.
    pub fn of(settings: &BTreeMap<String, Value>) -> Self {
        let usual = Self::default();
        let number = |key: &str| match settings.get(key)? {
            Value::String(text) => text.parse().ok(),
            value => value.as_f64(),
        };
        let tokens = |key, usual| number(key).map_or(usual, |tokens: f64| tokens as u64);
        Self {
            tokens_per_day: tokens(Self::TOKENS_PER_DAY, usual.tokens_per_day),
            tokens_per_thread: tokens(Self::TOKENS_PER_THREAD, usual.tokens_per_thread),
            usd_per_day: number(Self::USD_PER_DAY).unwrap_or(usual.usd_per_day),
        }
    }

    /// Whether a call may be made that takes at most so much.
    pub fn allows(&self, spent: Spent, call: Spent) -> bool {
        let fits = |spent: u64, call: u64, most: u64| spent.saturating_add(call) <= most;
        fits(spent.tokens_of_day, call.tokens_of_day, self.tokens_per_day)
            && fits(spent.tokens_of_thread, call.tokens_of_thread, self.tokens_per_thread)
            && spent.usd_of_day + call.usd_of_day <= self.usd_per_day
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spent(tokens_of_day: u64, tokens_of_thread: u64, usd_of_day: f64) -> Spent {
        Spent { tokens_of_day, tokens_of_thread, usd_of_day }
    }

    #[test]
    fn a_call_is_allowed_up_to_each_limit_and_not_beyond() {
        let quota = Quota::default();
        let call = spent(1_000, 1_000, 0.5);
        for (before, allowed) in [
            (spent(0, 0, 0.0), true),
            (spent(49_000, 4_000, 4.5), true),
            (spent(49_001, 0, 0.0), false),
            (spent(0, 4_001, 0.0), false),
            (spent(0, 0, 4.6), false),
            (spent(u64::MAX, 0, 0.0), false),
        ] {
            assert_eq!(quota.allows(before, call), allowed, "{before:?}");
        }
    }

    #[test]
    fn settings_change_the_limits_and_rubbish_does_not() {
        let settings = |pairs: &[(&str, Value)]| {
            let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
            Quota::of(&pairs.collect())
        };
        assert_eq!(settings(&[]), Quota::default());
        assert_eq!(settings(&[(Quota::TOKENS_PER_DAY, json!("much"))]), Quota::default());
        let own = settings(&[
            (Quota::TOKENS_PER_DAY, json!("900")),
            (Quota::TOKENS_PER_THREAD, json!(90)),
            (Quota::USD_PER_DAY, json!("0.25")),
        ]);
        let expected = Quota { tokens_per_day: 900, tokens_per_thread: 90, usd_per_day: 0.25 };
        assert_eq!(own, expected);
    }
}
