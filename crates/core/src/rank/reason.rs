//! Why an item stands where it does, in a sentence: its rank, the words it shares with the
//! question, and what else spoke for it.

use super::Ranked;
use std::fmt::Write as _;

/// Signals besides words and meaning, and how each is put.
const STRUCTURE: &[(&str, f32, &str)] = &[
    ("phrase", 0.0, "holds the quoted phrase"),
    ("speaker", 0.0, "said by the one asked about"),
    ("month", 0.0, "from the month asked about"),
    ("path", 0.3, "its path fits"),
    ("section", 0.6, "its section fits"),
];

/// The reason for this place in the ranking, which counts from 1.
pub fn reason(place: usize, ranked: &Ranked) -> String {
    let mut reason = format!("rank {place}");
    let signal = |name: &str| ranked.scores.get(name).copied().unwrap_or(0.0);
    if !ranked.matched.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(reason, ": words {}", ranked.matched.join(", "));
    } else if signal("keywords") > 0.0 {
        reason.push_str(": filed under or said after words of the question");
    }
    if signal("meaning") > 0.0 {
        let _ = write!(reason, "; meaning {:.2}", signal("meaning"));
    }
    for (name, above, put) in STRUCTURE {
        if signal(name) > *above {
            let _ = write!(reason, "; {put}");
        }
    }
    reason
}
