//! Counting the bits in which a word of a query differs from those of many vectors. The one place
//! where the processor is asked what it can do: counting bits is one instruction where it is known,
//! and a dozen otherwise.

#![expect(unsafe_code, reason = "a function compiled for a feature of the processor is called")]

/// Appends for each vector the number of bits in which it differs from the query. A vector has as
/// many words as the query.
pub(super) fn distances(query: &[u64], vectors: &[u64], distances: &mut Vec<u16>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the one feature that the function is compiled for.
        unsafe { with_popcnt(query, vectors, distances) };
        return;
    }
    counted(query, vectors, distances);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn with_popcnt(query: &[u64], vectors: &[u64], distances: &mut Vec<u16>) {
    counted(query, vectors, distances);
}

#[inline(always)]
fn counted(query: &[u64], vectors: &[u64], distances: &mut Vec<u16>) {
    // The length is told to the compiler for the dimension that is by far the most common.
    match <&[u64; 6]>::try_from(query) {
        Ok(query) => {
            let (vectors, _) = vectors.as_chunks::<6>();
            distances.extend(vectors.iter().map(|vector| differing(query, vector)));
        }
        Err(_) => {
            let vectors = vectors.chunks_exact(query.len().max(1));
            distances.extend(vectors.map(|vector| differing(query, vector)));
        }
    }
}

#[inline(always)]
fn differing(left: &[u64], right: &[u64]) -> u16 {
    let differing = |(left, right): (&u64, &u64)| (left ^ right).count_ones() as u16;
    left.iter().zip(right).map(differing).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_counting_agree() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state
        };
        for words in [1, 2, 6, 12] {
            let query: Vec<u64> = (0..words).map(|_| random()).collect();
            let vectors: Vec<u64> = (0..words * 50).map(|_| random()).collect();
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            distances(&query, &vectors, &mut fast);
            counted(&query, &vectors, &mut plain);
            assert_eq!(fast, plain);
            assert_eq!(fast.len(), 50);
        }
    }
}
