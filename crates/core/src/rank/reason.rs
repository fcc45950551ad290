//! Why an item stands where it does, in a sentence: its rank, the words it shares with the
//! question, and what else spoke for it.

use super::{Ranked, Signal};
use std::fmt::Write as _;

/// Signals besides words and meaning, and how each is put.
const STRUCTURE: &[(Signal, f32, &str)] = &[
    (Signal::Phrase, 0.0, "holds the quoted phrase"),
    (Signal::Speaker, 0.0, "said by the one asked about"),
    (Signal::Month, 0.0, "from the month asked about"),
    (Signal::Path, 0.3, "its path fits"),
    (Signal::Section, 0.6, "its section fits"),
];

/// The reason for this place in the ranking, which counts from 1.
pub fn reason(place: usize, ranked: &Ranked) -> String {
    let mut reason = format!("rank {place}");
    let matched = ranked.matched();
    if !matched.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(reason, ": words {}", matched.join(", "));
    } else if ranked.signal(Signal::Keywords) > 0.0 {
        reason.push_str(": filed under or said after words of the question");
    }
    let meaning = ranked.signal(Signal::Meaning);
    if meaning > 0.0 {
        let _ = write!(reason, "; meaning {meaning:.2}");
    }
    for (signal, above, put) in STRUCTURE {
        if ranked.signal(*signal) > *above {
            let _ = write!(reason, "; {put}");
        }
    }
    reason
}
