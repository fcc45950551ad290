//! The ids of one text in, its vector out: all-MiniLM-L6-v2, layer by layer.
//!
//! Invariant: everything here is compiled anew for each path, and has one order of operations, so
//! all paths give the same bits. Hence everything is inlined into the function of its path.

use super::attention::{Attention, Projected};
use super::linear::{Finish, Quantised, multiply};
use super::path::{Lanes, Path};
use super::shape::HIDDEN;
use super::weights::{DEPTHS, INNER_DEPTHS, INNER_ROW, Layer, Norm, ROW, WEIGHTS};

/// Tokens that are widened together: what they are widened to stays near the processor.
const AT_ONCE: usize = 64;

/// Of a token, between the layers.
type State = [Lanes; ROW];

#[inline(always)]
pub(super) fn vector(path: impl Path, ids: &[i32]) -> Vec<f32> {
    let mut text = Text::new(path, ids);
    for layer in &WEIGHTS.layers {
        text.attend(path, layer);
        text.think(path, layer);
    }
    text.direction(path)
}

/// A text on its way through the layers: for each token its state, and room for what is made of
/// it within a layer.
struct Text {
    states: Vec<State>,
    bytes: Vec<Quantised<DEPTHS>>,
    projected: Vec<Projected>,
    changes: Vec<State>,
    inner: Vec<[Lanes; INNER_ROW]>,
    inner_bytes: Vec<Quantised<INNER_DEPTHS>>,
    attention: Attention,
}

impl Text {
    #[inline(always)]
    fn new(path: impl Path, ids: &[i32]) -> Text {
        let scale = path.all(f32::from_le_bytes(WEIGHTS.word_scale));
        let zero = path.all(f32::from_le_bytes(WEIGHTS.word_zero));
        let words = ids.iter().filter_map(|id| WEIGHTS.words.get(usize::try_from(*id).ok()?));
        let mut states = Vec::with_capacity(ids.len());
        for (word, position) in words.zip(WEIGHTS.positions) {
            let mut state = [Lanes::ZERO; ROW];
            for ((lanes, word), position) in state.iter_mut().zip(word).zip(position) {
                let word = path.mul(path.sub(path.words(word), zero), scale);
                path.store(path.add(word, path.stored(position)), lanes);
            }
            normalise(path, &mut state, &WEIGHTS.norm);
            states.push(state);
        }
        let tokens = states.len();
        Text {
            states,
            bytes: vec![Quantised::EMPTY; tokens],
            projected: vec![[Lanes::ZERO; 3 * ROW]; tokens],
            changes: vec![[Lanes::ZERO; ROW]; tokens],
            inner: vec![[Lanes::ZERO; INNER_ROW]; tokens.min(AT_ONCE)],
            inner_bytes: vec![Quantised::EMPTY; tokens.min(AT_ONCE)],
            attention: Attention::default(),
        }
    }

    #[inline(always)]
    fn attend(&mut self, path: impl Path, layer: &Layer) {
        quantise(path, &self.states, &mut self.bytes);
        multiply(path, &self.bytes, &layer.attention, &mut self.projected, Finish::Nothing);
        self.attention.attend(path, &self.projected, &mut self.changes);
        quantise(path, &self.changes, &mut self.bytes);
        multiply(path, &self.bytes, &layer.attended, &mut self.changes, Finish::Nothing);
        self.change(path, &layer.attended_norm);
    }

    #[inline(always)]
    fn think(&mut self, path: impl Path, layer: &Layer) {
        quantise(path, &self.states, &mut self.bytes);
        let tokens = self.bytes.chunks(AT_ONCE).zip(self.changes.chunks_mut(AT_ONCE));
        for (bytes, changes) in tokens {
            let inner = &mut self.inner[..bytes.len()];
            let inner_bytes = &mut self.inner_bytes[..bytes.len()];
            multiply(path, bytes, &layer.widen, inner, Finish::Gelu);
            quantise(path, inner, inner_bytes);
            multiply(path, inner_bytes, &layer.narrow, changes, Finish::Nothing);
        }
        self.change(path, &layer.norm);
    }

    #[inline(always)]
    fn change(&mut self, path: impl Path, norm: &Norm) {
        for (state, change) in self.states.iter_mut().zip(&self.changes) {
            for (lanes, change) in state.iter_mut().zip(change) {
                let changed = path.add(path.load(lanes), path.load(change));
                path.store(changed, lanes);
            }
            normalise(path, state, norm);
        }
    }

    /// The mean of the tokens' states, scaled to length one: the sum points the same way.
    #[inline(always)]
    fn direction(&self, path: impl Path) -> Vec<f32> {
        let mut sums = [Lanes::ZERO; ROW];
        for state in &self.states {
            for (sum, lanes) in sums.iter_mut().zip(state) {
                path.store(path.add(path.load(sum), path.load(lanes)), sum);
            }
        }
        let mut squares = path.all(0.0);
        for sum in &sums {
            let sum = path.load(sum);
            squares = path.add(squares, path.mul(sum, sum));
        }
        let length = path.sum(squares).sqrt();
        let share = if length > 0.0 { 1.0 / length } else { 0.0 };
        sums.iter().flat_map(|lanes| lanes.0).map(|value| value * share).collect()
    }
}

#[inline(always)]
fn quantise<const W: usize, const K: usize>(
    path: impl Path,
    rows: &[[Lanes; W]],
    bytes: &mut [Quantised<K>],
) {
    for (row, bytes) in rows.iter().zip(bytes) {
        bytes.set(path, row);
    }
}

/// To a mean of zero and a variance of one, then as the model has learned.
#[inline(always)]
fn normalise(path: impl Path, state: &mut State, norm: &Norm) {
    const EPSILON: f32 = 1e-12;
    const SHARE: f32 = 1.0 / HIDDEN as f32;
    let mut sum = path.all(0.0);
    for lanes in &*state {
        sum = path.add(sum, path.load(lanes));
    }
    let mean = path.all(path.sum(sum) * SHARE);
    let mut squares = path.all(0.0);
    for lanes in &*state {
        let distance = path.sub(path.load(lanes), mean);
        squares = path.add(squares, path.mul(distance, distance));
    }
    let variance = path.sum(squares) * SHARE;
    let share = path.all(1.0 / (variance + EPSILON).sqrt());
    for (lanes, (gain, bias)) in state.iter_mut().zip(norm.gain.iter().zip(norm.bias)) {
        let distance = path.mul(path.sub(path.load(lanes), mean), share);
        let scaled = path.mul(distance, path.stored(gain));
        path.store(path.add(scaled, path.stored(bias)), lanes);
    }
}
