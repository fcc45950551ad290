//! How long things took, as counts under fixed bounds: small whatever is counted, and a quantile is
//! told by the bound that it lies under.

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

    /// The least bound that this share of all took no longer than; none where there is none.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = share * self.count as f64;
        let is_enough = |(_, within): &(f64, u64)| self.count > 0 && *within as f64 >= wanted;
        self.buckets().find(is_enough).map(|(bound, _)| bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_bound_that_it_lies_under() {
        let mut taken = Histogram::new(&[0.01, 0.02, 0.05]);
        assert_eq!(taken.quantile(0.9), None);
        for millis in [1, 2, 3, 4, 5, 6, 7, 8, 15, 40] {
            taken.add(f64::from(millis) / 1e3);
        }
        assert_eq!(taken.buckets().collect::<Vec<_>>(), [(0.01, 8), (0.02, 9), (0.05, 10)]);
        assert_eq!(
            [0.5, 0.9, 1.0].map(|share| taken.quantile(share)),
            [0.01, 0.02, 0.05].map(Some)
        );
        taken.add(1.0);
        assert_eq!((taken.count(), taken.quantile(1.0)), (11, None));
    }
}
