//! The paths for what the processors of PCs and servers have: the one place of this crate where
//! they are asked, and where the compiler is told to trust the answer.
//!
//! Safety: a path is a value that only its `found` makes, after the processor has said that it has
//! the features; every operation takes such a value. Memory is read and written through references
//! to arrays of the very size of what is read or written.

#![expect(unsafe_code, reason = "instructions that not every processor has are used")]

use std::arch::x86_64::*;
use std::array;

use super::pass;
use super::path::{Bytes, Lanes, Path, Sums};
use super::shape::{BLOCKS, LANES};
use super::weights::{Group, StoredLanes};

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

/// One float of two registers with eight each: the halves with each other, and again.
macro_rules! folded {
    ($floats:expr, $eight:ident, $four:ident) => {{
        let [low, high] = $floats;
        let eight = $eight(low, high);
        let four = $four(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
        let two = $four(four, _mm_movehl_ps(four, four));
        let one = $four(two, _mm_shuffle_ps::<1>(two, two));
        _mm_cvtss_f32(one)
    }};
}

/// AVX-512 with the instruction made for this network: four products of bytes, summed, in each of
/// sixteen lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vnni(());

impl Vnni {
    pub(super) fn found() -> Option<Vnni> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni");
        found.then_some(Vnni(()))
    }

    pub(super) fn vector(self, ids: &[i32]) -> Vec<f32> {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
        fn compiled(path: Vnni, ids: &[i32]) -> Vec<f32> {
            pass::vector(path, ids)
        }
        // SAFETY: `self` exists, so the processor has the features.
        unsafe { compiled(self, ids) }
    }
}

impl Path for Vnni {
    type Floats = __m512;

    operations! {
        all(value: f32) -> __m512 { _mm512_set1_ps(value) }
        load(lanes: &Lanes) -> __m512 { _mm512_loadu_ps(lanes.0.as_ptr()) }
        stored(lanes: &StoredLanes) -> __m512 { _mm512_loadu_ps(lanes.as_ptr().cast()) }
        words(bytes: &[u8; LANES]) -> __m512 {
            _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(bytes.as_ptr().cast())))
        }
        store(floats: __m512, lanes: &mut Lanes) { _mm512_storeu_ps(lanes.0.as_mut_ptr(), floats) }
        store_bytes(floats: __m512, bytes: &mut [u8; LANES]) {
            _mm_storeu_si128(
                bytes.as_mut_ptr().cast(),
                _mm512_cvtepi32_epi8(_mm512_castps_si512(floats)),
            )
        }
        add(one: __m512, other: __m512) -> __m512 { _mm512_add_ps(one, other) }
        sub(one: __m512, other: __m512) -> __m512 { _mm512_sub_ps(one, other) }
        mul(one: __m512, other: __m512) -> __m512 { _mm512_mul_ps(one, other) }
        max(one: __m512, other: __m512) -> __m512 { _mm512_max_ps(one, other) }
        min(one: __m512, other: __m512) -> __m512 { _mm512_min_ps(one, other) }
        power(floats: __m512) -> __m512 {
            _mm512_castsi512_ps(_mm512_add_epi32(
                _mm512_slli_epi32::<23>(_mm512_castps_si512(floats)),
                _mm512_castps_si512(_mm512_set1_ps(1.0)),
            ))
        }
        sum(floats: __m512) -> f32 { folded!([_mm512_castps512_ps256(floats), _mm512_extractf32x8_ps::<1>(floats)], _mm256_add_ps, _mm_add_ps) }
        largest(floats: __m512) -> f32 { folded!([_mm512_castps512_ps256(floats), _mm512_extractf32x8_ps::<1>(floats)], _mm256_max_ps, _mm_max_ps) }
        smallest(floats: __m512) -> f32 { folded!([_mm512_castps512_ps256(floats), _mm512_extractf32x8_ps::<1>(floats)], _mm256_min_ps, _mm_min_ps) }
        corrected(sums: &[i32; LANES], zero: i32, weights: &StoredLanes) -> __m512 {
            _mm512_cvtepi32_ps(_mm512_sub_epi32(
                _mm512_loadu_si512(sums.as_ptr().cast()),
                _mm512_mullo_epi32(
                    _mm512_set1_epi32(zero),
                    _mm512_loadu_si512(weights.as_ptr().cast()),
                ),
            ))
        }
    }

    #[inline(always)]
    fn sums<const M: usize, const K: usize>(
        self,
        tokens: [&Bytes<K>; M],
        group: &Group<K>,
    ) -> Sums<M> {
        // SAFETY: `self` exists, so the processor has the features.
        unsafe { vnni_sums(tokens, group) }
    }
}

/// A function of its own: the sums of eight tokens take most of the 32 registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn vnni_sums<const M: usize, const K: usize>(tokens: [&Bytes<K>; M], group: &Group<K>) -> Sums<M> {
    let mut sums = [[_mm512_setzero_si512(); BLOCKS]; M];
    for place in 0..K {
        let blocks = group[place].each_ref().map(|block| {
            // SAFETY: a block has the 64 bytes that are read.
            unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
        });
        for (token, sums) in tokens.iter().zip(&mut sums) {
            let bytes = _mm512_set1_epi32(i32::from_le_bytes(token[place]));
            for (sum, block) in sums.iter_mut().zip(blocks) {
                *sum = _mm512_dpbusd_epi32(*sum, bytes, block);
            }
        }
    }
    let mut stored = [[[0; LANES]; BLOCKS]; M];
    for (stored, sum) in stored.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
        // SAFETY: sixteen numbers of 32 bits have the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(stored.as_mut_ptr().cast(), *sum) };
    }
    stored
}

/// Half as many lanes at a time, and bytes widened to 16 bits: the instruction that multiplies
/// bytes caps its sums.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn found() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    pub(super) fn vector(self, ids: &[i32]) -> Vec<f32> {
        #[target_feature(enable = "avx2")]
        fn compiled(path: Avx2, ids: &[i32]) -> Vec<f32> {
            pass::vector(path, ids)
        }
        // SAFETY: `self` exists, so the processor has the feature.
        unsafe { compiled(self, ids) }
    }
}

type Halves = [__m256; 2];

impl Path for Avx2 {
    type Floats = Halves;

    operations! {
        all(value: f32) -> Halves { [_mm256_set1_ps(value); 2] }
        load(lanes: &Lanes) -> Halves {
            [_mm256_loadu_ps(lanes.0.as_ptr()), _mm256_loadu_ps(lanes.0.as_ptr().add(8))]
        }
        stored(lanes: &StoredLanes) -> Halves {
            [_mm256_loadu_ps(lanes.as_ptr().cast()), _mm256_loadu_ps(lanes.as_ptr().add(8).cast())]
        }
        words(bytes: &[u8; LANES]) -> Halves {
            {
                let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
                [
                    _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)),
                    _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_srli_si128::<8>(bytes))),
                ]
            }
        }
        store(floats: Halves, lanes: &mut Lanes) {
            {
                _mm256_storeu_ps(lanes.0.as_mut_ptr(), floats[0]);
                _mm256_storeu_ps(lanes.0.as_mut_ptr().add(8), floats[1]);
            }
        }
        add(one: Halves, other: Halves) -> Halves {
            [_mm256_add_ps(one[0], other[0]), _mm256_add_ps(one[1], other[1])]
        }
        sub(one: Halves, other: Halves) -> Halves {
            [_mm256_sub_ps(one[0], other[0]), _mm256_sub_ps(one[1], other[1])]
        }
        mul(one: Halves, other: Halves) -> Halves {
            [_mm256_mul_ps(one[0], other[0]), _mm256_mul_ps(one[1], other[1])]
        }
        max(one: Halves, other: Halves) -> Halves {
            [_mm256_max_ps(one[0], other[0]), _mm256_max_ps(one[1], other[1])]
        }
        min(one: Halves, other: Halves) -> Halves {
            [_mm256_min_ps(one[0], other[0]), _mm256_min_ps(one[1], other[1])]
        }
        sum(floats: Halves) -> f32 { folded!(floats, _mm256_add_ps, _mm_add_ps) }
        largest(floats: Halves) -> f32 { folded!(floats, _mm256_max_ps, _mm_max_ps) }
        smallest(floats: Halves) -> f32 { folded!(floats, _mm256_min_ps, _mm_min_ps) }
        power(floats: Halves) -> Halves {
            {
                let one = _mm256_castps_si256(_mm256_set1_ps(1.0));
                let low = _mm256_slli_epi32::<23>(_mm256_castps_si256(floats[0]));
                let high = _mm256_slli_epi32::<23>(_mm256_castps_si256(floats[1]));
                [
                    _mm256_castsi256_ps(_mm256_add_epi32(low, one)),
                    _mm256_castsi256_ps(_mm256_add_epi32(high, one)),
                ]
            }
        }
    }

    #[inline(always)]
    fn store_bytes(self, floats: Halves, bytes: &mut [u8; LANES]) {
        let mut lanes = Lanes::ZERO;
        self.store(floats, &mut lanes);
        *bytes = lanes.0.map(|float| float.to_bits() as u8);
    }

    #[inline(always)]
    fn corrected(self, sums: &[i32; LANES], zero: i32, weights: &StoredLanes) -> Halves {
        let of = |lane: usize| (sums[lane] - zero * i32::from_le_bytes(weights[lane])) as f32;
        self.load(&Lanes(array::from_fn(of)))
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
            // SAFETY: `self` exists, so the processor has the feature.
            unsafe { avx2_sums(pair, group, sums) };
        }
        for (token, sums) in rest.iter().zip(sums_of_rest) {
            // SAFETY: likewise.
            unsafe { avx2_sums(&[*token], group, array::from_mut(sums)) };
        }
        sums
    }
}

/// For one token or two, and block by block: the sums then fit the sixteen registers.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_sums<const M: usize, const K: usize>(
    tokens: &[&Bytes<K>; M],
    group: &Group<K>,
    sums: &mut Sums<M>,
) {
    for number in 0..BLOCKS {
        // A channel has two neighbouring lanes, for two products each.
        let mut pairs = [[_mm256_setzero_si256(); 4]; M];
        for place in 0..K {
            let bytes = tokens.map(|token| {
                _mm256_cvtepu8_epi16(_mm_set1_epi32(i32::from_le_bytes(token[place])))
            });
            let (quarters, _) = group[place][number].as_chunks::<16>();
            for (quarter, weights) in quarters.iter().enumerate() {
                // SAFETY: a quarter has the 16 bytes that are read.
                let weights = unsafe { _mm_loadu_si128(weights.as_ptr().cast()) };
                let weights = _mm256_cvtepi8_epi16(weights);
                for (pairs, bytes) in pairs.iter_mut().zip(bytes) {
                    let products = _mm256_madd_epi16(bytes, weights);
                    pairs[quarter] = _mm256_add_epi32(pairs[quarter], products);
                }
            }
        }
        for (pairs, sums) in pairs.iter().zip(sums.iter_mut()) {
            let (quarters, _) = sums[number].as_chunks_mut::<4>();
            for (pairs, sums) in pairs.iter().zip(quarters) {
                let mut stored = [[0_i32; 2]; 4];
                // SAFETY: eight numbers of 32 bits have the 32 bytes that are written.
                unsafe { _mm256_storeu_si256(stored.as_mut_ptr().cast(), *pairs) };
                *sums = stored.map(|[one, other]| one + other);
            }
        }
    }
}
