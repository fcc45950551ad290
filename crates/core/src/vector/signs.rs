//! The signs of vectors: one bit a dimension. Two vectors whose signs differ in few places point
//! in nearly the same direction, and counting bits is a hundred times cheaper than comparing
//! bytes: so signs tell which of very many vectors are worth comparing.

use super::Quantised;
use super::bits;

/// So many times as many vectors as are wanted are weighed.
const WIDER: usize = 5;

/// The signs of many vectors of one dimension, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signs {
    words_each: usize,
    words: Vec<u64>,
}

impl Signs {
    pub fn of_dimension(dimension: usize) -> Self {
        Self { words_each: dimension.div_ceil(64).max(1), words: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.words.len() / self.words_each.max(1)
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Adds the signs of a vector, which has the dimension of all others.
    pub fn push(&mut self, vector: &Quantised) {
        self.words.extend(signs(vector, self.words_each));
    }

    /// Keeps the vectors in those places for which this is true.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let kept = self.words.chunks_exact(self.words_each).enumerate();
        self.words =
            kept.filter(|(place, _)| keep(*place)).flat_map(|(_, words)| words).copied().collect();
    }

    /// The stored form of the vectors from this place on: eight little-endian bytes a word.
    pub fn to_bytes(&self, from: usize) -> Vec<u8> {
        let words = self.words.get(from * self.words_each..).unwrap_or_default();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Adds vectors in their stored form; what is left over at the end is passed over.
    pub fn extend_from_bytes(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<8>();
        let whole = words.len() - words.len() % self.words_each;
        self.words.extend(words[..whole].iter().copied().map(u64::from_le_bytes));
    }

    /// The places of the vectors that, as far as their signs tell, are most like the query: at
    /// least so many, if there are so many, and all that are as like as the last of them.
    ///
    /// Counting the signs that differ treats all dimensions alike; weighing them by the query's
    /// values tells far better, and is done for those that the count leaves.
    pub fn nearest(&self, query: &Quantised, wanted: usize) -> Vec<usize> {
        let near = self.differing_least(query, wanted.saturating_mul(WIDER));
        let sums = Sums::of(query);
        let mut weighed: Vec<(i32, usize)> =
            near.into_iter().map(|place| (sums.weigh(self.words(place)), place)).collect();
        weighed.sort_unstable_by_key(|(likeness, place)| (std::cmp::Reverse(*likeness), *place));
        if let Some((last, _)) = wanted.checked_sub(1).and_then(|last| weighed.get(last).copied()) {
            let end = weighed.partition_point(|(likeness, _)| *likeness >= last);
            weighed.truncate(end);
        }
        weighed.into_iter().map(|(_, place)| place).collect()
    }

    /// The places of the vectors whose signs differ least from the query's, with all ties.
    fn differing_least(&self, query: &Quantised, wanted: usize) -> Vec<usize> {
        let query: Vec<u64> = signs(query, self.words_each).collect();
        let mut distances = Vec::with_capacity(self.len());
        bits::distances(&query, &self.words, &mut distances);
        let mut at_distance = vec![0_usize; self.words_each * 64 + 1];
        for distance in &distances {
            at_distance[usize::from(*distance)] += 1;
        }
        let mut found = 0;
        let furthest = at_distance.iter().position(|count| {
            found += count;
            found >= wanted
        });
        let furthest = furthest.unwrap_or(at_distance.len());
        let near = |(_, distance): &(usize, &u16)| usize::from(**distance) <= furthest;
        distances.iter().enumerate().filter(near).map(|(place, _)| place).collect()
    }

    fn words(&self, place: usize) -> &[u64] {
        &self.words[place * self.words_each..][..self.words_each]
    }
}

/// For every eight dimensions of a query and each way in which eight signs can stand, the sum of
/// the query's values where the sign is positive: a vector is weighed by one look for each byte.
struct Sums(Vec<[i32; 256]>);

impl Sums {
    fn of(query: &Quantised) -> Self {
        let of_eight = |values: &[i8]| {
            let mut sums = [0; 256];
            for (bit, value) in values.iter().enumerate() {
                let (known, new) = sums.split_at_mut(1 << bit);
                for (sum, known) in new.iter_mut().zip(known) {
                    *sum = *known + i32::from(*value);
                }
            }
            sums
        };
        Self(query.values.chunks(8).map(of_eight).collect())
    }

    /// The sum where a vector's sign is positive: it grows as the query's product with the signs.
    fn weigh(&self, words: &[u64]) -> i32 {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        self.0.iter().zip(bytes).map(|(sums, byte)| sums[usize::from(byte)]).sum()
    }
}

fn signs(vector: &Quantised, words_each: usize) -> impl Iterator<Item = u64> {
    let word = |number: usize| {
        let values = vector.values.iter().skip(number * 64).take(64).enumerate();
        values.fold(0, |word, (bit, value)| word | u64::from(*value > 0) << bit)
    };
    (0..words_each).map(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(values: &[f32]) -> Quantised {
        Quantised::of(values)
    }

    fn of(vectors: &[Quantised]) -> Signs {
        let mut signs = Signs::of_dimension(vectors[0].dimension());
        for vector in vectors {
            signs.push(vector);
        }
        signs
    }

    #[test]
    fn the_nearest_come_best_first_with_all_that_tie() {
        let vectors = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]];
        let signs = of(&vectors.map(|values| vector(&values)));
        let near = |wanted| signs.nearest(&vector(&[1.0, 1.0, 1.0]), wanted);
        assert_eq!(near(1), [0]);
        assert_eq!(near(2), [0, 2, 3]);
        assert_eq!(near(9), [0, 2, 3, 1]);
        assert!(Signs::of_dimension(3).nearest(&vector(&[1.0, 1.0, 1.0]), 3).is_empty());
    }

    proptest! {
        #[test]
        fn signs_survive_their_stored_form_and_count_as_they_should(
            vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 70), 1..20),
            query in prop::collection::vec(-1.0_f32..1.0, 70),
        ) {
            let vectors: Vec<Quantised> = vectors.iter().map(|values| vector(values)).collect();
            let signs = of(&vectors);
            let mut again = Signs::of_dimension(70);
            again.extend_from_bytes(&signs.to_bytes(0));
            prop_assert_eq!(&again, &signs);
            let query = vector(&query);
            let differing = |vector: &Quantised| {
                let pairs = vector.values.iter().zip(&query.values);
                pairs.filter(|(left, right)| (**left > 0) != (**right > 0)).count()
            };
            let least = vectors.iter().map(differing).min();
            let expected: Vec<usize> = (0..vectors.len())
                .filter(|place| Some(differing(&vectors[*place])) == least)
                .collect();
            prop_assert_eq!(signs.differing_least(&query, 1), expected);
            let likeness = |place: &usize| -> i32 {
                let pairs = vectors[*place].values.iter().zip(&query.values);
                pairs.filter(|(own, _)| **own > 0).map(|(_, value)| i32::from(*value)).sum()
            };
            let near = signs.differing_least(&query, WIDER);
            let best = near.iter().map(likeness).max();
            let expected: Vec<usize> =
                near.into_iter().filter(|place| Some(likeness(place)) == best).collect();
            prop_assert_eq!(signs.nearest(&query, 1), expected);
            again.retain(|place| place % 2 == 0);
            let even: Vec<Quantised> = vectors.iter().step_by(2).cloned().collect();
            prop_assert_eq!(again, of(&even));
        }
    }
}
