//! How fresh a ref is: it ages from the moment it was stored or expanded, and is stale in the second
//! half of its time, or when somebody says that its source has changed.

use crate::time::Timestamp;

/// Below this a ref is stale.
const FRESH: f64 = 0.5;

/// Stands before the summary of a ref that is stale.
pub const STALE: &str = "[stale; expand it to look again] ";

/// From 1 for what was just stored to 0 for what expires now.
pub fn freshness(refreshed_at: Timestamp, expires_at: Timestamp, now: Timestamp) -> f64 {
    let whole = expires_at.as_millis().saturating_sub(refreshed_at.as_millis());
    let left = expires_at.as_millis().saturating_sub(now.as_millis());
    if whole <= 0 { 0.0 } else { (left as f64 / whole as f64).clamp(0.0, 1.0) }
}

pub fn is_stale(freshness: f64) -> bool {
    freshness < FRESH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freshness_goes_from_one_to_nothing() {
        let at = Timestamp::from_millis;
        let of = |now| freshness(at(100), at(200), at(now));
        assert_eq!([50, 100, 150, 175, 200, 300].map(of), [1.0, 1.0, 0.5, 0.25, 0.0, 0.0]);
        assert_eq!(freshness(at(5), at(5), at(5)), 0.0);
        assert_eq!([0.5, 0.49].map(is_stale), [false, true]);
    }
}
