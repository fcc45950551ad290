//! What the network asks of a processor: sixteen floats at a time, and products of bytes.
//!
//! Invariant: an operation gives the same bits on every path. Floats are added and multiplied each
//! by itself, never fused, and sums of bytes are whole numbers of 32 bits, which none exceeds: the
//! largest are 1536 products of 255 and 127, below 50 million.

use super::shape::{BLOCKS, DEPTH, LANES};
use super::weights::{Group, StoredLanes};

/// Floats in memory, as many as are worked on side by side.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f32; LANES]);

impl Lanes {
    pub(super) const ZERO: Lanes = Lanes([0.0; LANES]);
}

/// Activations of a token: each [`DEPTH`] are multiplied at once.
pub(super) type Bytes<const K: usize> = [[u8; DEPTH]; K];
/// Sums of products, for each of `M` tokens and each channel of a group.
pub(super) type Sums<const M: usize> = [[[i32; LANES]; BLOCKS]; M];

/// One way to compute.
pub(super) trait Path: Copy {
    /// [`LANES`] of them, where the processor has them at hand.
    type Floats: Copy;

    fn all(self, value: f32) -> Self::Floats;
    fn load(self, lanes: &Lanes) -> Self::Floats;
    fn stored(self, lanes: &StoredLanes) -> Self::Floats;
    fn words(self, bytes: &[u8; LANES]) -> Self::Floats;
    fn store(self, floats: Self::Floats, lanes: &mut Lanes);
    /// The lowest byte of each float, as the path's `sums` reads it: as it is, or less 128.
    fn store_bytes(self, floats: Self::Floats, bytes: &mut [u8; LANES]);

    fn add(self, one: Self::Floats, other: Self::Floats) -> Self::Floats;
    fn sub(self, one: Self::Floats, other: Self::Floats) -> Self::Floats;
    fn mul(self, one: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The other where they are equal.
    fn max(self, one: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// The other where they are equal.
    fn min(self, one: Self::Floats, other: Self::Floats) -> Self::Floats;
    /// Two to the power of the whole number in the lowest bits of each.
    fn power(self, floats: Self::Floats) -> Self::Floats;
    /// `sum - zero * weights`, where `weights` are whole numbers. A path whose bytes are less 128
    /// adds 128 times the `weights`, which its sums lack.
    fn corrected(self, sums: &[i32; LANES], zero: i32, weights: &StoredLanes) -> Self::Floats;

    /// The sums of the products of each token with each channel of a group.
    fn sums<const M: usize, const K: usize>(
        self,
        tokens: [&Bytes<K>; M],
        group: &Group<K>,
    ) -> Sums<M>;

    /// These three fold the halves with each other, and again, until one float is left.
    fn sum(self, floats: Self::Floats) -> f32;
    fn largest(self, floats: Self::Floats) -> f32;
    fn smallest(self, floats: Self::Floats) -> f32;
}
