//! Whether the answer to an earlier question may be given to a later one.
//!
//! Likeness is never enough: the most similar questions of all differ in one number, one "not" or
//! in who does what to whom. So both questions are brought into a [`Form`] by rewritings that keep
//! the meaning (contractions, polite phrases, ways to ask the same), and the forms must be equal,
//! word for word and in order. All that is not known to be interchangeable therefore counts as
//! different. Beyond that the question must stand alone, and everything that the answer was made
//! from must be as it was.

mod evidence;
mod form;
mod keeping;
mod kept;
mod numbers;
mod rules;
mod signature;
mod words;

pub use evidence::{Evidence, Since};
pub use form::{Form, Unfit};
pub use keeping::{ENABLED, Keeping, SECONDS, SIMILARITY};
pub use kept::{
    Cached, Kept, LIFETIME, LONGEST_GRACE, MOST_KEPT, Measured, answers, key, stands_in_until,
};
pub use signature::{Signature, Used};

use serde::{Deserialize, Serialize};

/// Below this similarity, two questions of equal form are still taken for different. Vectors say
/// little here, since rewording moves them more than a decisive word does, so the bound is a
/// second lock and not the first.
pub const LEAST_SIMILARITY: f32 = 0.8;

/// A question with the name of everything its answer depends on.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub text: &'a str,
    pub signature: &'a Signature,
}

/// What came of the comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Same(Likeness),
    Different(Difference),
}

/// How two questions are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// The same characters, but for space.
    Exact,
    /// Other words for the same.
    Paraphrase,
}

/// Why an earlier answer may not be given.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// Something that the answer was made from is not as it was.
    Context,
    /// The question cannot be compared with any other.
    Unfit(Unfit),
    /// Words, numbers, polarity or order differ.
    Words,
    /// The vectors are further apart than rewording explains, or there are none.
    Unlike,
    /// The answer was kept for long enough.
    Expired,
    /// Something that the answer was made from has changed or gone.
    Stale,
    /// Something was added that the model would be shown now.
    News,
}

impl Likeness {
    pub fn as_str(self) -> &'static str {
        match self {
            Likeness::Exact => "exact",
            Likeness::Paraphrase => "paraphrase",
        }
    }
}

impl Difference {
    /// The reason in one word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Difference::Context => "context",
            Difference::Unfit(_) => "unfit",
            Difference::Words => "words",
            Difference::Unlike => "unlike",
            Difference::Expired => "expired",
            Difference::Stale => "stale",
            Difference::News => "news",
        }
    }
}

impl Verdict {
    pub fn is_same(&self) -> bool {
        matches!(self, Verdict::Same(_))
    }
}

/// Whether the answer to the earlier question answers the later one. The similarity is the cosine
/// of their vectors; where there is none, only the same characters are the same question.
pub fn judge(earlier: Asked<'_>, later: Asked<'_>, similarity: Option<f32>) -> Verdict {
    if earlier.signature != later.signature {
        return Verdict::Different(Difference::Context);
    }
    compare(earlier.text, later.text, similarity)
}

/// The part of [`judge`] that looks at the questions alone.
pub fn compare(earlier: &str, later: &str, similarity: Option<f32>) -> Verdict {
    compare_with(earlier, later, similarity, LEAST_SIMILARITY)
}

fn compare_with(earlier: &str, later: &str, similarity: Option<f32>, least: f32) -> Verdict {
    let forms = Form::of(earlier).and_then(|earlier| Ok((earlier, Form::of(later)?)));
    let (one, other) = match forms {
        Ok(forms) => forms,
        Err(unfit) => return Verdict::Different(Difference::Unfit(unfit)),
    };
    if one != other {
        return Verdict::Different(Difference::Words);
    }
    if earlier.split_whitespace().eq(later.split_whitespace()) {
        return Verdict::Same(Likeness::Exact);
    }
    // A similarity that is no number is none.
    match similarity.is_some_and(|similarity| similarity >= least) {
        true => Verdict::Same(Likeness::Paraphrase),
        false => Verdict::Different(Difference::Unlike),
    }
}
