//! A token's activations in eight bits, and their products with a matrix.
//!
//! Invariant: a token's bytes are scaled by its own extremes alone, so what comes of it does not
//! depend on the tokens beside it.

use super::curves::{WHOLE, gelu};
use super::path::{Bytes, Lanes, Path, Sums};
use super::shape::{BLOCKS, DEPTH, LANES};
use super::weights::{Group, Matrix, StoredLanes};

/// Tokens that are multiplied together, so that a weight is fetched once for all of them.
const TILE: usize = 8;
/// Of 256, so that rounding the zero and the largest value up does not go beyond the last.
const STEPS: f32 = 254.0;

/// A token: `value = (byte - zero) * scale`.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Quantised<const K: usize> {
    bytes: Bytes<K>,
    scale: f32,
    zero: i32,
}

impl<const K: usize> Quantised<K> {
    pub(super) const EMPTY: Quantised<K> =
        Quantised { bytes: [[0; DEPTH]; K], scale: 0.0, zero: 0 };

    #[inline(always)]
    pub(super) fn set<P: Path, const W: usize>(&mut self, path: P, values: &[Lanes; W]) {
        let (mut least, mut most) = (path.all(0.0), path.all(0.0));
        for lanes in values {
            let floats = path.load(lanes);
            least = path.min(least, floats);
            most = path.max(most, floats);
        }
        let (least, most) = (path.smallest(least), path.largest(most));
        // A token of nothing but zeros is given any scale.
        let range = if most > least { most - least } else { 1.0 };
        let steps = STEPS / range;
        let zero = WHOLE - least * steps;
        self.scale = range / STEPS;
        self.zero = (zero.to_bits() - WHOLE.to_bits()).cast_signed();
        let (steps, zero) = (path.all(steps), path.all(zero));
        let (bytes, _) = self.bytes.as_flattened_mut().as_chunks_mut::<LANES>();
        for (bytes, lanes) in bytes.iter_mut().zip(values) {
            let floats = path.add(path.mul(path.load(lanes), steps), zero);
            path.store_bytes(floats, bytes);
        }
    }
}

/// What becomes of a result before it is stored. Not a closure, which a compiler may leave outside
/// of the function that is compiled for a path.
#[derive(Clone, Copy)]
pub(super) enum Finish {
    Nothing,
    Gelu,
}

/// Multiplies each token with the matrix, and adds the bias.
#[inline(always)]
pub(super) fn multiply<P: Path, const K: usize, const W: usize>(
    path: P,
    tokens: &[Quantised<K>],
    matrix: &Matrix<K>,
    results: &mut [[Lanes; W]],
    finish: Finish,
) {
    let floats = matrix.scales.iter().zip(matrix.biases).zip(matrix.sums);
    for (place, (group, ((scales, biases), sums))) in matrix.groups.iter().zip(floats).enumerate() {
        let channels = Channels { place, group, scales, biases, sums };
        let (tokens, rest) = tokens.as_chunks::<TILE>();
        let (results, rest_of_results) = results.as_chunks_mut::<TILE>();
        for (tokens, results) in tokens.iter().zip(results) {
            channels.multiply(path, tokens, results, finish);
        }
        let (tokens, rest) = rest.as_chunks::<4>();
        let (results, rest_of_results) = rest_of_results.as_chunks_mut::<4>();
        for (tokens, results) in tokens.iter().zip(results) {
            channels.multiply(path, tokens, results, finish);
        }
        let (tokens, rest) = rest.as_chunks::<2>();
        let (results, rest_of_results) = rest_of_results.as_chunks_mut::<2>();
        for (tokens, results) in tokens.iter().zip(results) {
            channels.multiply(path, tokens, results, finish);
        }
        let (tokens, _) = rest.as_chunks::<1>();
        let (results, _) = rest_of_results.as_chunks_mut::<1>();
        for (tokens, results) in tokens.iter().zip(results) {
            channels.multiply(path, tokens, results, finish);
        }
    }
}

/// A group of channels of a matrix.
struct Channels<'a, const K: usize> {
    place: usize,
    group: &'a Group<K>,
    scales: &'a [StoredLanes; BLOCKS],
    biases: &'a [StoredLanes; BLOCKS],
    sums: &'a [StoredLanes; BLOCKS],
}

impl<const K: usize> Channels<'_, K> {
    #[inline(always)]
    fn multiply<P: Path, const M: usize, const W: usize>(
        &self,
        path: P,
        tokens: &[Quantised<K>; M],
        results: &mut [[Lanes; W]; M],
        finish: Finish,
    ) {
        let sums: Sums<M> = path.sums(tokens.each_ref().map(|token| &token.bytes), self.group);
        for ((token, sums), results) in tokens.iter().zip(&sums).zip(results) {
            let (groups, _) = results.as_chunks_mut::<BLOCKS>();
            let Some(results) = groups.get_mut(self.place) else { continue };
            for (block, (result, sums)) in results.iter_mut().zip(sums).enumerate() {
                let sums = path.corrected(sums, token.zero, &self.sums[block]);
                let scale = path.mul(path.stored(&self.scales[block]), path.all(token.scale));
                let bias = path.stored(&self.biases[block]);
                let floats = path.add(path.mul(sums, scale), bias);
                let floats = match finish {
                    Finish::Nothing => floats,
                    Finish::Gelu => gelu(path, floats),
                };
                path.store(floats, result);
            }
        }
    }
}
