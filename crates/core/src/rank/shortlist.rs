//! The short list: which chunks are worth reading, told from the index alone.
//!
//! The index keeps for each term two lists of chunks: those that the term says much about, and the
//! others. A question may look at so many entries and no more, however large the project is; the
//! shortest lists are read first, since rare terms tell most. What is read is enough to say roughly
//! what each chunk would score, and only the best are read and ranked in earnest.

use super::bm25::{B, K1, Statistics};
use crate::analyse::{Counts, Profile};
use crate::id::ChunkId;

/// How much a term says about a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    Strong,
    Weak,
}

/// The length that a chunk's is compared with. It is the same for all projects and at all times,
/// so that an index built anew is the same index.
const ORDINARY_LENGTH: f32 = 100.0;

/// The share of a term's largest possible score from which on it is strong.
const STRONG: f32 = 0.6;

/// What a weak match is worth against a strong one.
const WEAK: f32 = 0.5;

impl Strength {
    pub const ALL: [Strength; 2] = [Strength::Strong, Strength::Weak];

    /// Of a term that stands so often in a chunk.
    pub fn of(profile: &Profile, counts: Counts) -> Self {
        let count = Profile::weigh(counts);
        let damping = K1 * (1.0 - B + B * profile.length() as f32 / ORDINARY_LENGTH);
        if count / (count + damping) >= STRONG { Self::Strong } else { Self::Weak }
    }

    fn worth(self) -> f32 {
        match self {
            Self::Strong => 1.0,
            Self::Weak => WEAK,
        }
    }
}

/// One list of the index: the chunks that a term says this much about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Postings {
    /// How many chunks the list holds.
    pub length: u64,
    pub term: String,
    pub strength: Strength,
}

impl Statistics {
    /// The lists to read for these terms when no more than so many entries may be looked at: the
    /// shortest, and at least one.
    pub fn affordable<'a>(
        &self,
        terms: impl IntoIterator<Item = &'a String>,
        entries: u64,
    ) -> Vec<Postings> {
        let mut lists: Vec<Postings> = terms
            .into_iter()
            .flat_map(|term| Strength::ALL.map(|strength| (term, strength)))
            .map(|(term, strength)| Postings {
                length: self.length(term, strength),
                term: term.clone(),
                strength,
            })
            .filter(|list| list.length > 0)
            .collect();
        lists.sort();
        let mut read = 0;
        let affordable = lists
            .iter()
            .take_while(|list| {
                read += list.length;
                read <= entries
            })
            .count();
        lists.truncate(affordable.max(1));
        lists
    }

    /// The best chunks of these lists, best first, and all that tie with the last of them. More
    /// than `most` are never named: which of very many equal ones is then told by their ids.
    pub fn shortlist(
        &self,
        lists: &[(Postings, Vec<ChunkId>)],
        wanted: usize,
        most: usize,
    ) -> Vec<ChunkId> {
        let mut scores: Vec<(ChunkId, f32)> = lists
            .iter()
            .flat_map(|(list, chunks)| {
                let worth = self.rarity(&list.term) * list.strength.worth();
                chunks.iter().map(move |chunk| (*chunk, worth))
            })
            .collect();
        // Each list is in order already, which sorting makes use of.
        scores.sort_by_key(|(chunk, _)| *chunk);
        scores.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 += next.1;
            }
            same
        });
        let best_first = |left: &(ChunkId, f32), right: &(ChunkId, f32)| {
            right.1.total_cmp(&left.1).then(left.0.cmp(&right.0))
        };
        // Of very many only the best are put in order.
        if let Some(last) = wanted.checked_sub(1).filter(|last| *last < scores.len()) {
            let (_, (_, last), _) = scores.select_nth_unstable_by(last, best_first);
            let last = *last;
            scores.retain(|(_, score)| *score >= last);
        }
        scores.sort_unstable_by(best_first);
        if scores.len() > wanted {
            scores.truncate(most);
        }
        scores.into_iter().map(|(chunk, _)| chunk).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Field, Term};

    fn statistics() -> Statistics {
        let lists = [("a", 5, 2), ("b", 50, 10), ("c", 500, 40)];
        Statistics {
            documents: 1_000,
            total_length: 100_000,
            frequency: lists.iter().map(|(term, all, _)| ((*term).to_owned(), *all)).collect(),
            strong: lists.iter().map(|(term, _, strong)| ((*term).to_owned(), *strong)).collect(),
        }
    }

    fn named(lists: &[Postings]) -> Vec<(&str, Strength)> {
        lists.iter().map(|list| (list.term.as_str(), list.strength)).collect()
    }

    #[test]
    fn a_term_is_strong_where_it_stands_often_or_among_few_words() {
        let profile = |word: &str, times: usize, others: usize| {
            let words = std::iter::repeat_n(word.to_owned(), times);
            let others = (0..others).map(|number| format!("other{number}"));
            Profile::of([(Field::Body, words.chain(others).collect())])
        };
        for (times, others, expected) in [
            (1, 9, Strength::Strong),
            (1, 99, Strength::Weak),
            (3, 97, Strength::Strong),
            (3, 297, Strength::Weak),
            (9, 291, Strength::Strong),
        ] {
            let profile = profile("word", times, others);
            assert_eq!(
                Strength::of(&profile, profile.counts(Term::new("word"))),
                expected,
                "{times} {others}"
            );
        }
    }

    #[test]
    fn the_shortest_lists_are_read_first_and_at_least_one() {
        use Strength::{Strong, Weak};
        let terms = ["c", "b", "unknown", "a"].map(str::to_owned);
        let affordable = |entries| statistics().affordable(&terms, entries);
        let expected = [("a", Strong), ("a", Weak), ("b", Strong), ("b", Weak), ("c", Strong)];
        assert_eq!(named(&affordable(100)), expected);
        assert_eq!(named(&affordable(20)), expected[..3]);
        assert_eq!(named(&affordable(0)), expected[..1]);
        assert_eq!(statistics().affordable(&["unknown".to_owned()], 10), []);
    }

    #[test]
    fn the_short_list_holds_the_best_and_all_that_tie_with_the_last() {
        let list = |term: &str, strength| Postings { length: 0, term: term.to_owned(), strength };
        let ids = |ids: &[i64]| ids.iter().copied().map(ChunkId).collect::<Vec<_>>();
        let lists = [
            (list("a", Strength::Strong), ids(&[7])),
            (list("b", Strength::Strong), ids(&[7, 4, 3])),
            (list("b", Strength::Weak), ids(&[1, 2])),
        ];
        let short = |wanted, most| statistics().shortlist(&lists, wanted, most);
        assert_eq!(short(1, 9), ids(&[7]));
        assert_eq!(short(2, 9), ids(&[7, 3, 4]));
        assert_eq!(short(2, 2), ids(&[7, 3]));
        assert_eq!(short(9, 9), ids(&[7, 3, 4, 1, 2]));
    }
}
