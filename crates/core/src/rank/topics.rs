//! Topics of a question: its sentences. A long question is scored by its best match, and the best
//! match of every topic stands near the top, so that none goes unserved.

use super::{Pool, holds_itself};
use crate::analyse::{Question, terms};
use crate::chunk::sentences;

/// So many topics are told apart; further sentences count with the last.
const MOST_TOPICS: usize = 4;

/// The topics of a question, each as text; never empty.
pub fn topics(question: &Question) -> Vec<String> {
    let mut topics: Vec<String> = Vec::new();
    for range in sentences(&question.text) {
        let sentence = question.text[range].trim();
        let is_topic = terms(sentence).len() > 1 && topics.len() < MOST_TOPICS;
        match topics.last_mut() {
            Some(last) if !is_topic => {
                last.push(' ');
                last.push_str(sentence);
            }
            _ => topics.push(sentence.to_owned()),
        }
    }
    if topics.is_empty() {
        topics.push(question.text.clone());
    }
    topics
}

/// Moves the best match of each topic to the front of an order of candidates.
pub(super) fn serve_each(order: &mut [usize], pool: &Pool<'_>) {
    if pool.topics.len() < 2 {
        return;
    }
    let serves = |candidate: usize, topic: &[usize]| {
        let counts = pool.counts(candidate);
        let own = |term: &&usize| holds_itself(&counts[**term]);
        !topic.is_empty() && 2 * topic.iter().filter(own).count() >= topic.len()
    };
    let mut best: Vec<usize> = pool
        .topics
        .iter()
        .filter_map(|topic| order.iter().position(|candidate| serves(*candidate, topic)))
        .collect();
    best.sort_unstable();
    best.dedup();
    for (front, place) in best.into_iter().enumerate() {
        order[front..=place].rotate_right(1);
    }
}
