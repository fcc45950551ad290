//! One inference: the ids of one text in, its vector out.
//!
//! Invariant: a text's vector depends on nothing but its ids. Sums of bytes are exact, floats have
//! one order of operations, and each token is scaled by its own extremes, so neither another text
//! nor the kind of processor changes a bit.

mod attention;
mod curves;
mod linear;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod pass;
mod path;
mod plain;
mod shape;
mod weights;
#[cfg(target_arch = "x86_64")]
mod x86;

use plain::Plain;

/// The vector of a text, by the best path that this processor has.
pub(crate) fn vector(ids: &[i32]) -> Vec<f32> {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(path) = x86::Vnni::found() {
            return path.vector(ids);
        }
        if let Some(path) = x86::Avx2::found() {
            return path.vector(ids);
        }
    }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    if let Some(path) = neon::Neon::found_with_dot().or_else(neon::Neon::found) {
        return pass::vector(path, ids);
    }
    pass::vector(Plain, ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that no one would write, of the given length.
    fn random_ids(length: usize) -> Vec<i32> {
        let mut state = length as u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % shape::WORDS
        };
        (0..length).map(|_| random() as i32).collect()
    }

    fn bits(vector: &[f32]) -> Vec<u32> {
        vector.iter().map(|value| value.to_bits()).collect()
    }

    type Run = Box<dyn Fn(&[i32]) -> Vec<f32>>;

    /// Each path of this processor, with its name.
    fn paths() -> Vec<(&'static str, Run)> {
        let mut paths: Vec<(_, Run)> = vec![("best", Box::new(vector))];
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(path) = x86::Vnni::found() {
                paths.push(("vnni", Box::new(move |ids| path.vector(ids))));
            }
            if let Some(path) = x86::Avx2::found() {
                paths.push(("avx2", Box::new(move |ids| path.vector(ids))));
            }
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        {
            if let Some(path) = neon::Neon::found_with_dot() {
                paths.push(("neon with dot", Box::new(move |ids| pass::vector(path, ids))));
            }
            if let Some(path) = neon::Neon::found() {
                paths.push(("neon", Box::new(move |ids| pass::vector(path, ids))));
            }
        }
        paths
    }

    #[test]
    fn all_paths_of_this_processor_give_the_same_bits() {
        for length in [0, 1, 2, 3, 4, 7, 12, 15, 16, 17, 33, 65, 113, 256] {
            let ids = random_ids(length);
            let plain = bits(&pass::vector(Plain, &ids));
            assert_eq!(plain.len(), shape::HIDDEN);
            for (name, path) in paths() {
                assert_eq!(bits(&path(&ids)), plain, "{name} with {length} tokens");
            }
        }
    }

    /// A digest of each vector, from a processor with VNNI.
    #[test]
    fn the_bits_are_those_of_other_processors() {
        let sum = |ids: &[i32]| {
            bits(&vector(ids)).iter().fold(0_u64, |sum, bits| {
                sum.wrapping_mul(0x100_0000_01b3).wrapping_add(u64::from(*bits))
            })
        };
        assert_eq!(
            [1, 17, 256].map(|length| sum(&random_ids(length))),
            [13_987_768_530_938_273_364, 13_400_723_044_045_934_048, 7_931_256_479_894_049_191]
        );
    }

    #[test]
    fn ids_that_the_vocabulary_does_not_have_are_passed_over() {
        assert_eq!(vector(&[101, -1, 30_522, 102]), vector(&[101, 102]));
    }
}
