//! What each token takes from the others: for each head, the mean of all values, weighted by how
//! well a token's query meets their keys.
//!
//! Invariant: sums over dimensions and over tokens go from the first to the last.

use super::curves::exp2;
use super::path::{Lanes, Path};
use super::shape::LANES;
use super::weights::ROW;

/// Queries, keys and values of a token.
pub(super) type Projected = [Lanes; 3 * ROW];

const HEADS: usize = 12;
/// Of a head, in lanes.
const WIDTH: usize = ROW / HEADS;
/// Queries that meet the keys together, so that a key is fetched once for all of them.
const TILE: usize = 4;
/// One by the root of the 32 dimensions of a head, and by the logarithm of two: powers of two are
/// taken where the model has powers of e.
const SHARPNESS: f32 = 0.176_776_69 * std::f32::consts::LOG2_E;

/// What one head works with, kept from one to the next.
#[derive(Default)]
pub(super) struct Attention {
    /// For each sixteen tokens and each dimension, the keys of these tokens.
    keys: Vec<[Lanes; WIDTH * LANES]>,
    /// For each sixteen tokens, how well each query of a tile meets them.
    scores: Vec<[Lanes; TILE]>,
}

impl Attention {
    #[inline(always)]
    pub(super) fn attend(
        &mut self,
        path: impl Path,
        projected: &[Projected],
        results: &mut [[Lanes; ROW]],
    ) {
        for head in 0..HEADS {
            self.set_keys(head, projected);
            let (tiles, rest) = projected.as_chunks::<TILE>();
            let (results, rest_of_results) = results.as_chunks_mut::<TILE>();
            for (queries, results) in tiles.iter().zip(results) {
                self.meet(path, head, queries, projected, results);
            }
            let (tiles, _) = rest.as_chunks::<1>();
            let (results, _) = rest_of_results.as_chunks_mut::<1>();
            for (queries, results) in tiles.iter().zip(results) {
                self.meet(path, head, queries, projected, results);
            }
        }
    }

    #[inline(always)]
    fn set_keys(&mut self, head: usize, projected: &[Projected]) {
        let blocks = projected.len().div_ceil(LANES);
        self.keys.resize(blocks, [Lanes::ZERO; WIDTH * LANES]);
        self.scores.resize(blocks, [Lanes::ZERO; TILE]);
        let (full, rest) = projected.as_chunks::<LANES>();
        for (keys, tokens) in self.keys.iter_mut().zip(full) {
            for part in 0..WIDTH {
                let tokens = tokens.each_ref().map(|token| &token[ROW + head * WIDTH + part].0);
                for dimension in 0..LANES {
                    keys[part * LANES + dimension] = Lanes(tokens.map(|key| key[dimension]));
                }
            }
        }
        if let Some(keys) = self.keys.get_mut(full.len()) {
            for (place, token) in rest.iter().enumerate() {
                let key = part_of_head(token, ROW, head).into_iter().flat_map(|lanes| lanes.0);
                for (lanes, value) in keys.iter_mut().zip(key) {
                    lanes.0[place] = value;
                }
            }
        }
    }

    #[inline(always)]
    fn meet<P: Path, const M: usize>(
        &mut self,
        path: P,
        head: usize,
        queries: &[Projected; M],
        projected: &[Projected],
        results: &mut [[Lanes; ROW]; M],
    ) {
        for (keys, scores) in self.keys.iter().zip(&mut self.scores) {
            let mut sums = [path.all(0.0); M];
            for (part, keys) in keys.as_chunks::<LANES>().0.iter().enumerate() {
                for (dimension, keys) in keys.iter().enumerate() {
                    let keys = path.load(keys);
                    for (sum, query) in sums.iter_mut().zip(queries) {
                        let query = path.all(query[head * WIDTH + part].0[dimension]);
                        *sum = path.add(*sum, path.mul(query, keys));
                    }
                }
            }
            for (score, sum) in scores.iter_mut().zip(sums) {
                path.store(sum, score);
            }
        }
        let shares = self.weigh::<P, M>(path, projected.len());
        let mut sums = [[path.all(0.0); WIDTH]; M];
        for (tokens, scores) in projected.chunks(LANES).zip(&self.scores) {
            for (place, token) in tokens.iter().enumerate() {
                let [first, second] = part_of_head(token, 2 * ROW, head);
                let values = [path.load(first), path.load(second)];
                for (sums, scores) in sums.iter_mut().zip(scores) {
                    let score = path.all(scores.0[place]);
                    for (sum, values) in sums.iter_mut().zip(values) {
                        *sum = path.add(*sum, path.mul(score, values));
                    }
                }
            }
        }
        for ((result, sums), share) in results.iter_mut().zip(sums).zip(shares) {
            for (part, sum) in sums.into_iter().enumerate() {
                path.store(path.mul(sum, path.all(share)), &mut result[head * WIDTH + part]);
            }
        }
    }

    /// Turns each query's scores into weights, and gives what each weight has to be multiplied
    /// with for them to sum to one.
    #[inline(always)]
    fn weigh<P: Path, const M: usize>(&mut self, path: P, tokens: usize) -> [f32; M] {
        let surplus = self.scores.len() * LANES - tokens;
        if let Some(last) = self.scores.last_mut() {
            for scores in last {
                // Where there is no token, the least score that there can be.
                scores.0[LANES - surplus..].fill(f32::MIN);
            }
        }
        let mut shares = [0.0; M];
        for (query, share) in shares.iter_mut().enumerate() {
            let mut most = path.all(f32::MIN);
            for scores in &self.scores {
                most = path.max(most, path.load(&scores[query]));
            }
            let most = path.all(path.largest(most));
            let mut sum = path.all(0.0);
            for scores in &mut self.scores {
                let below = path.sub(path.load(&scores[query]), most);
                let power = path.max(path.mul(below, path.all(SHARPNESS)), path.all(-126.0));
                let weight = exp2(path, power);
                path.store(weight, &mut scores[query]);
                sum = path.add(sum, weight);
            }
            *share = 1.0 / path.sum(sum);
        }
        shares
    }
}

/// What a head has of a token's queries, keys or values.
#[inline(always)]
fn part_of_head(token: &Projected, from: usize, head: usize) -> [&Lanes; WIDTH] {
    let place = from + head * WIDTH;
    [&token[place], &token[place + 1]]
}
