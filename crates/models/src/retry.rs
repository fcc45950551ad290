//! When a call is tried again: after trouble that passes, before anything was said, and not
//! longer than anyone waits.

use jiff::fmt::rfc2822;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::{Duration, SystemTime};

/// How often and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// All attempts together.
    pub attempts: u32,
    /// Before the second attempt; twice as long before each further one.
    pub first: Duration,
    /// Never longer, whatever the provider asks for: it is told to the caller instead.
    pub longest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { attempts: 4, first: Duration::from_millis(500), longest: Duration::from_secs(60) }
    }
}

impl Patience {
    /// How long to wait after so many attempts, or none to give up. `chance` is from 0 to 1: it
    /// keeps many that failed together from coming back together.
    pub(crate) fn wait(
        &self,
        attempts: u32,
        asked: Option<Duration>,
        chance: f64,
    ) -> Option<Duration> {
        if attempts >= self.attempts {
            return None;
        }
        if let Some(asked) = asked {
            return Some(asked + self.first.mul_f64(chance / 2.0))
                .filter(|_| asked <= self.longest);
        }
        let doubled = self.first.saturating_mul(1 << attempts.saturating_sub(1).min(16));
        Some(doubled.min(self.longest).mul_f64(0.5 + chance / 2.0))
    }
}

/// A number from 0 to 1 that differs from call to call.
pub(crate) fn chance() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// How long a provider asks to be left alone: in milliseconds, in seconds, or until a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(wait) = text("retry-after-ms").and_then(|text| text.parse().ok()) {
        return Duration::try_from_secs_f64(f64::max(wait, 0.0) / 1000.0).ok();
    }
    let asked = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = asked.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let until = SystemTime::from(rfc2822::parse(asked).ok()?.timestamp());
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    #[test]
    fn a_provider_says_how_long_to_wait_in_seconds_or_until_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let check = |name, value, expected: Option<u64>| {
            let wait = retry_after(&headers(name, value), now);
            assert_eq!(wait, expected.map(Duration::from_millis), "{value}");
        };
        check("retry-after", "7", Some(7_000));
        check("retry-after", " 1.5", Some(1_500));
        check("retry-after", "-3", Some(0));
        check("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT", Some(10_000));
        check("retry-after", "Sun, 06 Nov 1994 08:49:07 GMT", Some(0));
        check("retry-after-ms", "250", Some(250));
        check("retry-after", "soon", None);
        check("retry-after", "1e300", None);
        check("date", "7", None);
    }

    #[test]
    fn waiting_doubles_with_some_chance_and_ends() {
        let patience = Patience {
            attempts: 4,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(3),
        };
        let check = |attempts, asked: Option<u64>, chance, expected: Option<u64>| {
            let wait = patience.wait(attempts, asked.map(Duration::from_secs), chance);
            assert_eq!(wait, expected.map(Duration::from_millis), "{attempts} {asked:?} {chance}");
        };
        check(1, None, 1.0, Some(1_000));
        check(1, None, 0.0, Some(500));
        check(2, None, 1.0, Some(2_000));
        check(3, None, 1.0, Some(3_000));
        check(4, None, 1.0, None);
        check(1, Some(2), 0.0, Some(2_000));
        check(1, Some(2), 1.0, Some(2_500));
        check(1, Some(30), 0.0, None);
        assert!((0.0..1.0).contains(&chance()));
    }
}
