//! The path that every processor has, in loops that a compiler turns into what it has at hand.
//! The other paths are held against it.

use std::array;

use super::path::{Bytes, Lanes, Path, Sums};
use super::shape::{BLOCKS, DEPTH, LANES};
use super::weights::{Group, StoredLanes};

#[derive(Debug, Clone, Copy)]
pub(super) struct Plain;

type Floats = [f32; LANES];

#[inline(always)]
fn both(one: Floats, other: Floats, operation: impl Fn(f32, f32) -> f32) -> Floats {
    array::from_fn(|lane| operation(one[lane], other[lane]))
}

#[inline(always)]
fn folded(mut lanes: Floats, operation: impl Fn(f32, f32) -> f32) -> f32 {
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] = operation(lanes[lane], lanes[lane + half]);
        }
    }
    lanes[0]
}

impl Path for Plain {
    type Floats = Floats;

    #[inline(always)]
    fn all(self, value: f32) -> Floats {
        [value; LANES]
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Floats {
        lanes.0
    }

    #[inline(always)]
    fn stored(self, lanes: &StoredLanes) -> Floats {
        lanes.map(f32::from_le_bytes)
    }

    #[inline(always)]
    fn words(self, bytes: &[u8; LANES]) -> Floats {
        bytes.map(f32::from)
    }

    #[inline(always)]
    fn store(self, floats: Floats, lanes: &mut Lanes) {
        lanes.0 = floats;
    }

    #[inline(always)]
    fn store_bytes(self, floats: Floats, bytes: &mut [u8; LANES]) {
        *bytes = floats.map(|float| float.to_bits() as u8);
    }

    #[inline(always)]
    fn add(self, one: Floats, other: Floats) -> Floats {
        both(one, other, |one, other| one + other)
    }

    #[inline(always)]
    fn sub(self, one: Floats, other: Floats) -> Floats {
        both(one, other, |one, other| one - other)
    }

    #[inline(always)]
    fn mul(self, one: Floats, other: Floats) -> Floats {
        both(one, other, |one, other| one * other)
    }

    #[inline(always)]
    fn max(self, one: Floats, other: Floats) -> Floats {
        both(one, other, |one, other| if one > other { one } else { other })
    }

    #[inline(always)]
    fn min(self, one: Floats, other: Floats) -> Floats {
        both(one, other, |one, other| if one < other { one } else { other })
    }

    #[inline(always)]
    fn power(self, floats: Floats) -> Floats {
        let one = 1.0_f32.to_bits();
        floats.map(|float| f32::from_bits((float.to_bits() << 23).wrapping_add(one)))
    }

    #[inline(always)]
    fn corrected(self, sums: &[i32; LANES], zero: i32, weights: &StoredLanes) -> Floats {
        array::from_fn(|lane| (sums[lane] - zero * i32::from_le_bytes(weights[lane])) as f32)
    }

    #[inline(always)]
    fn sum(self, floats: Floats) -> f32 {
        folded(floats, |one, other| one + other)
    }

    #[inline(always)]
    fn largest(self, floats: Floats) -> f32 {
        folded(floats, |one, other| if one > other { one } else { other })
    }

    #[inline(always)]
    fn smallest(self, floats: Floats) -> f32 {
        folded(floats, |one, other| if one < other { one } else { other })
    }

    #[inline(always)]
    fn sums<const M: usize, const K: usize>(
        self,
        tokens: [&Bytes<K>; M],
        group: &Group<K>,
    ) -> Sums<M> {
        let mut sums = [[[0; LANES]; BLOCKS]; M];
        for (token, sums) in tokens.into_iter().zip(&mut sums) {
            sums_of_token(token, group, sums);
        }
        sums
    }
}

/// In numbers of 16 bits and sums of two products: the shape that compilers know to have an
/// instruction for.
#[inline(never)]
fn sums_of_token<const K: usize>(
    token: &Bytes<K>,
    group: &Group<K>,
    sums: &mut [[i32; LANES]; BLOCKS],
) {
    for (number, sums) in sums.iter_mut().enumerate() {
        let mut pairs = [0; 2 * LANES];
        for (bytes, blocks) in token.iter().zip(group) {
            // Each byte by itself: where they are widened in a loop, compilers lose sight of the
            // pairs.
            let [first, second, third, fourth] = *bytes;
            let four = [first.into(), second.into(), third.into(), fourth.into()];
            let mut inputs = [0_i16; DEPTH * LANES];
            inputs.as_chunks_mut().0.fill(four);
            let weights = blocks[number].map(|weight| i16::from(weight.cast_signed()));
            for (place, pair) in pairs.iter_mut().enumerate() {
                let (one, other) = (2 * place, 2 * place + 1);
                *pair += i32::from(inputs[one]) * i32::from(weights[one])
                    + i32::from(inputs[other]) * i32::from(weights[other]);
            }
        }
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = pairs[2 * lane] + pairs[2 * lane + 1];
        }
    }
}
