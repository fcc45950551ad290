//! The signals by which candidates are ranked.

/// What can speak for a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    Keywords,
    Meaning,
    Section,
    Path,
    Phrase,
    Group,
    Neighbours,
    Speaker,
    Month,
}

impl Signal {
    pub(super) const COUNT: usize = 9;

    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Keywords,
        Self::Meaning,
        Self::Section,
        Self::Path,
        Self::Phrase,
        Self::Group,
        Self::Neighbours,
        Self::Speaker,
        Self::Month,
    ];

    /// As receipts call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Keywords => "keywords",
            Self::Meaning => "meaning",
            Self::Section => "section",
            Self::Path => "path",
            Self::Phrase => "phrase",
            Self::Group => "group",
            Self::Neighbours => "neighbours",
            Self::Speaker => "speaker",
            Self::Month => "month",
        }
    }
}

/// What each signal says of each candidate, and the weighted sum.
pub(super) struct Signals {
    parts: Vec<[f32; Signal::COUNT]>,
    pub total: Vec<f32>,
}

impl Signals {
    pub fn new(candidates: usize) -> Self {
        Self { parts: vec![[0.0; Signal::COUNT]; candidates], total: vec![0.0; candidates] }
    }

    pub fn add(&mut self, signal: Signal, weight: f32, values: Vec<f32>) {
        for ((parts, total), value) in self.parts.iter_mut().zip(&mut self.total).zip(values) {
            *total += weight * value;
            parts[signal as usize] = value;
        }
    }

    pub fn scale(&mut self, factors: &[f32]) {
        for (total, factor) in self.total.iter_mut().zip(factors) {
            *total *= factor;
        }
    }

    pub fn of(&self, candidate: usize) -> [f32; Signal::COUNT] {
        self.parts[candidate]
    }
}
