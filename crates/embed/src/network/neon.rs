//! The path for ARM processors of 64 bits, with and without the instruction that some of them have
//! for products of bytes. That instruction wants both bytes signed, so activations are stored less
//! 128, and what the sums lack by it is made good where they are corrected.
//!
//! Safety: a path is a value that only `found` and `found_with_dot` make, after the processor has
//! said that it has the features; every operation takes such a value. Memory is read and written
//! through references to arrays of the very size of what is read or written.

#![expect(unsafe_code, reason = "instructions that not every processor has are used")]

use std::arch::aarch64::*;
use std::arch::{asm, is_aarch64_feature_detected};
use std::array;

use super::path::{Bytes, Lanes, Path, Sums};
use super::shape::{BLOCKS, LANES};
use super::weights::{Group, StoredLanes};

/// What is taken from a byte to make it signed.
const MIDDLE: u8 = 128;

#[derive(Debug, Clone, Copy)]
pub(super) struct Neon(Products);

#[derive(Debug, Clone, Copy)]
enum Products {
    /// Four products of bytes, summed, in each of four lanes, by one instruction.
    Dot,
    /// The same by four that every one of these processors has.
    Widened,
}

impl Neon {
    pub(super) fn found() -> Option<Neon> {
        is_aarch64_feature_detected!("neon").then_some(Neon(Products::Widened))
    }

    pub(super) fn found_with_dot() -> Option<Neon> {
        let found = is_aarch64_feature_detected!("neon") && is_aarch64_feature_detected!("dotprod");
        found.then_some(Neon(Products::Dot))
    }
}

/// Methods of a path, each one expression. An expression may use what the path's processor has,
/// and read and write the whole of the arrays that it is given.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? { $body:expr })*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) $(-> $result)? {
            // SAFETY: `self` exists, so the processor has the features; sizes are as above.
            unsafe { $body }
        }
    )*};
}

/// One operation for each of four registers. Not a closure, which a compiler may leave outside of
/// its caller.
macro_rules! each {
    ($operation:ident($($argument:expr),+)) => {
        [
            $operation($($argument[0]),+),
            $operation($($argument[1]),+),
            $operation($($argument[2]),+),
            $operation($($argument[3]),+),
        ]
    };
}

/// Four registers from sixteen numbers of 32 bits, which need not be aligned.
macro_rules! loaded {
    ($load:ident, $pointer:expr) => {{
        let start = $pointer;
        [$load(start), $load(start.add(4)), $load(start.add(8)), $load(start.add(12))]
    }};
}

/// One float of four registers: the halves with each other, and again.
macro_rules! folded {
    ($floats:expr, $operation:ident) => {{
        let [first, second, third, fourth] = $floats;
        let four = $operation($operation(first, third), $operation(second, fourth));
        let two = $operation(four, vextq_f32::<2>(four, four));
        vgetq_lane_f32::<0>($operation(two, vextq_f32::<1>(two, two)))
    }};
}

type Quarters = [float32x4_t; 4];

impl Path for Neon {
    type Floats = Quarters;

    operations! {
        all(value: f32) -> Quarters { [vdupq_n_f32(value); 4] }
        load(lanes: &Lanes) -> Quarters { loaded!(vld1q_f32, lanes.0.as_ptr()) }
        stored(lanes: &StoredLanes) -> Quarters { loaded!(vld1q_f32, lanes.as_ptr().cast()) }
        words(bytes: &[u8; LANES]) -> Quarters {
            {
                let bytes = vld1q_u8(bytes.as_ptr());
                let (low, high) = (vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes));
                let words = [
                    vmovl_u16(vget_low_u16(low)),
                    vmovl_high_u16(low),
                    vmovl_u16(vget_low_u16(high)),
                    vmovl_high_u16(high),
                ];
                each!(vcvtq_f32_u32(words))
            }
        }
        store(floats: Quarters, lanes: &mut Lanes) {
            for (quarter, floats) in lanes.0.as_chunks_mut::<4>().0.iter_mut().zip(floats) {
                vst1q_f32(quarter.as_mut_ptr(), floats);
            }
        }
        store_bytes(floats: Quarters, bytes: &mut [u8; LANES]) {
            {
                let words = each!(vreinterpretq_u16_f32(floats));
                let low = vreinterpretq_u8_u16(vuzp1q_u16(words[0], words[1]));
                let high = vreinterpretq_u8_u16(vuzp1q_u16(words[2], words[3]));
                let signed = veorq_u8(vuzp1q_u8(low, high), vdupq_n_u8(MIDDLE));
                vst1q_u8(bytes.as_mut_ptr(), signed)
            }
        }
        add(one: Quarters, other: Quarters) -> Quarters { each!(vaddq_f32(one, other)) }
        sub(one: Quarters, other: Quarters) -> Quarters { each!(vsubq_f32(one, other)) }
        mul(one: Quarters, other: Quarters) -> Quarters { each!(vmulq_f32(one, other)) }
        max(one: Quarters, other: Quarters) -> Quarters { each!(larger(one, other)) }
        min(one: Quarters, other: Quarters) -> Quarters { each!(smaller(one, other)) }
        power(floats: Quarters) -> Quarters { each!(power_of_two(floats)) }
        sum(floats: Quarters) -> f32 { folded!(floats, vaddq_f32) }
        largest(floats: Quarters) -> f32 { folded!(floats, larger) }
        smallest(floats: Quarters) -> f32 { folded!(floats, smaller) }
        corrected(sums: &[i32; LANES], zero: i32, weights: &StoredLanes) -> Quarters {
            {
                let zero = [vdupq_n_s32(zero - i32::from(MIDDLE)); 4];
                let sums = loaded!(vld1q_s32, sums.as_ptr());
                let weights = loaded!(vld1q_s32, weights.as_ptr().cast());
                let corrected = each!(vmlsq_s32(sums, zero, weights));
                each!(vcvtq_f32_s32(corrected))
            }
        }
    }

    #[inline(always)]
    fn sums<const M: usize, const K: usize>(
        self,
        tokens: [&Bytes<K>; M],
        group: &Group<K>,
    ) -> Sums<M> {
        let mut sums = [[[0; LANES]; BLOCKS]; M];
        let (pairs, rest) = tokens.as_chunks::<2>();
        let (sums_of_pairs, sums_of_rest) = sums.as_chunks_mut::<2>();
        for (pair, sums) in pairs.iter().zip(sums_of_pairs) {
            self.set_sums(pair, group, sums);
        }
        for (token, sums) in rest.iter().zip(sums_of_rest) {
            self.set_sums(&[*token], group, array::from_mut(sums));
        }
        sums
    }
}

impl Neon {
    #[inline(always)]
    fn set_sums<const M: usize, const K: usize>(
        self,
        tokens: &[&Bytes<K>; M],
        group: &Group<K>,
        sums: &mut Sums<M>,
    ) {
        // SAFETY: `self` exists, so the processor has the features.
        unsafe {
            match self.0 {
                Products::Dot => dot_sums(tokens, group, sums),
                Products::Widened => widened_sums(tokens, group, sums),
            }
        }
    }
}

/// The one where it is larger. Not `vmaxq_f32`, which takes zero for larger than minus zero.
#[inline]
#[target_feature(enable = "neon")]
fn larger(one: float32x4_t, other: float32x4_t) -> float32x4_t {
    vbslq_f32(vcgtq_f32(one, other), one, other)
}

#[inline]
#[target_feature(enable = "neon")]
fn smaller(one: float32x4_t, other: float32x4_t) -> float32x4_t {
    vbslq_f32(vcltq_f32(one, other), one, other)
}

#[inline]
#[target_feature(enable = "neon")]
fn power_of_two(floats: float32x4_t) -> float32x4_t {
    let power = vshlq_n_u32::<23>(vreinterpretq_u32_f32(floats));
    vreinterpretq_f32_u32(vaddq_u32(power, vdupq_n_u32(1.0_f32.to_bits())))
}

/// The products of one token or two with a group of channels: the sums of more would not fit the 32
/// registers. A macro, so that each function is compiled with what its way to multiply needs.
macro_rules! sums_by {
    ($multiply:ident, $tokens:ident, $group:ident, $results:ident) => {{
        let mut sums = [[[vdupq_n_s32(0); 4]; BLOCKS]; M];
        for place in 0..K {
            let bytes = $tokens.map(|token| vdupq_n_s32(i32::from_le_bytes(token[place])));
            for (number, block) in $group[place].iter().enumerate() {
                for (quarter, weights) in block.as_chunks::<16>().0.iter().enumerate() {
                    // SAFETY: a quarter has the 16 bytes that are read.
                    let weights = unsafe { vld1q_s8(weights.as_ptr().cast()) };
                    for (sums, bytes) in sums.iter_mut().zip(bytes) {
                        let sum = &mut sums[number][quarter];
                        *sum = $multiply(*sum, weights, vreinterpretq_s8_s32(bytes));
                    }
                }
            }
        }
        let results = $results.as_flattened_mut().as_flattened_mut().as_chunks_mut::<4>().0;
        for (result, sum) in results.iter_mut().zip(sums.as_flattened().as_flattened()) {
            // SAFETY: a result has the four numbers of 32 bits that are written.
            unsafe { vst1q_s32(result.as_mut_ptr(), *sum) };
        }
    }};
}

#[inline(never)]
#[target_feature(enable = "neon,dotprod")]
fn dot_sums<const M: usize, const K: usize>(
    tokens: &[&Bytes<K>; M],
    group: &Group<K>,
    results: &mut Sums<M>,
) {
    sums_by!(dot, tokens, group, results);
}

#[inline(never)]
#[target_feature(enable = "neon")]
fn widened_sums<const M: usize, const K: usize>(
    tokens: &[&Bytes<K>; M],
    group: &Group<K>,
    results: &mut Sums<M>,
) {
    sums_by!(widened, tokens, group, results);
}

/// In assembly, as the intrinsic is not stable yet.
#[inline]
#[target_feature(enable = "neon,dotprod")]
fn dot(mut sums: int32x4_t, weights: int8x16_t, bytes: int8x16_t) -> int32x4_t {
    // SAFETY: the instruction touches nothing but the three registers.
    unsafe {
        asm!(
            "sdot {sums:v}.4s, {weights:v}.16b, {bytes:v}.16b",
            sums = inout(vreg) sums,
            weights = in(vreg) weights,
            bytes = in(vreg) bytes,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}

/// Two products fit 16 bits: the build script has seen that no weight is -128.
#[inline]
#[target_feature(enable = "neon")]
fn widened(sums: int32x4_t, weights: int8x16_t, bytes: int8x16_t) -> int32x4_t {
    let low = vmull_s8(vget_low_s8(weights), vget_low_s8(bytes));
    let high = vmull_high_s8(weights, bytes);
    vpadalq_s16(sums, vpaddq_s16(low, high))
}
