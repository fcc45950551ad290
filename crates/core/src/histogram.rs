//! How long things took, as counts under fixed bounds: small whatever is counted, and whoever reads
//! it finds each quantile under its bound.

/// Durations in seconds, counted under each bound that they do not exceed.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    bounds: &'static [f64],
    within: Vec<u64>,
    count: u64,
    seconds: f64,
}

impl Histogram {
    /// Nothing yet, under ascending bounds.
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, within: vec![0; bounds.len()], count: 0, seconds: 0.0 }
    }

    pub fn add(&mut self, seconds: f64) {
        self.count += 1;
        self.seconds += seconds;
        for (within, bound) in self.within.iter_mut().zip(self.bounds) {
            *within += u64::from(seconds <= *bound);
        }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Each bound with how many took no longer.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        self.bounds.iter().copied().zip(self.within.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_counts_what_took_no_longer() {
        let mut taken = Histogram::new(&[0.01, 0.02, 0.05]);
        for millis in [1, 10, 15, 40, 1_000] {
            taken.add(f64::from(millis) / 1e3);
        }
        assert_eq!(taken.buckets().collect::<Vec<_>>(), [(0.01, 2), (0.02, 3), (0.05, 4)]);
        assert_eq!((taken.count(), (taken.seconds() * 1e3).round()), (5, 1_066.0));
    }
}
