//! The figures of an evaluation.

use serde::Serialize;

/// Some quantiles of a list of values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quantiles<T> {
    pub p50: T,
    pub p90: T,
    pub p99: T,
    pub max: T,
}

impl<T: Copy + PartialOrd + Default> Quantiles<T> {
    pub fn of(mut values: Vec<T>) -> Self {
        values.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
        let at = |share: f64| {
            let index = (share * values.len() as f64).ceil() as usize;
            values.get(index.saturating_sub(1)).copied().unwrap_or_default()
        };
        Self { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1.0) }
    }
}

/// Normalised discounted gain of the first ten sources.
pub fn ndcg_at_10(ranking: &[String], evidence: &[String]) -> f64 {
    let gain = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let found: f64 = ranking
        .iter()
        .take(10)
        .enumerate()
        .filter(|(_, source)| evidence.contains(source))
        .map(|(place, _)| gain(place))
        .sum();
    let best: f64 = (0..evidence.len().min(10)).map(gain).sum();
    if best > 0.0 { found / best } else { 0.0 }
}

/// The share of the evidence among the first sources.
pub fn recall_at(most: usize, ranking: &[String], evidence: &[String]) -> f64 {
    let found = ranking.iter().take(most).filter(|source| evidence.contains(source)).count();
    found as f64 / evidence.len().max(1) as f64
}

pub fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_list() {
        let quantiles = Quantiles::of((1..=100).rev().collect::<Vec<u32>>());
        assert_eq!(quantiles, Quantiles { p50: 50, p90: 90, p99: 99, max: 100 });
        assert_eq!(Quantiles::of(Vec::<u32>::new()).p90, 0);
    }

    #[test]
    fn gain_is_one_when_the_evidence_comes_first() {
        let ranking = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(ndcg_at_10(&ranking, &["a".to_owned()]), 1.0);
        assert!((ndcg_at_10(&ranking, &["b".to_owned()]) - 0.6309).abs() < 1e-4);
        assert_eq!(recall_at(2, &ranking, &["b".to_owned(), "c".to_owned()]), 0.5);
    }
}
