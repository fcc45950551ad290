//! Answers that were kept: under which name one is looked for, and when it may be given.
//!
//! Two questions can share an answer only if their forms are equal, so an answer is found by the
//! hash of form and signature. No search by meaning is needed, and none could find more.

use super::{Asked, Difference, Form, Likeness, Signature, Since, Unfit, Verdict, compare_with};
use crate::hash::ContentHash;
use crate::id::MessageId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How long an answer is kept unless a project says otherwise, in seconds.
pub const LIFETIME: i64 = 3_600;

/// For how long at most an answer whose time is over stands in for a model, in seconds: a day.
pub const LONGEST_GRACE: i64 = 24 * 3_600;

/// How many answers are kept of one owner. Beyond, those go that nobody asked for longest.
pub const MOST_KEPT: usize = 5_000;

/// The name an answer is kept under; a question that cannot be compared has none.
pub fn key(asked: Asked<'_>) -> Result<ContentHash, Unfit> {
    Form::of(asked.text).map(|form| form.key(asked.signature))
}

impl Form {
    /// The name under which an answer to a question of this form is kept.
    pub fn key(&self, signature: &Signature) -> ContentHash {
        let auxiliary = self.auxiliary.as_deref().unwrap_or("");
        let words = self.words.iter().map(String::as_str);
        ContentHash::of_parts([signature.as_str(), auxiliary].into_iter().chain(words))
    }
}

/// An answer that was kept.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    pub asked: Asked<'a>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// What has become of that which it was made from.
    pub since: Since,
}

/// How alike two questions are, and how alike they must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    pub similarity: f32,
    pub least: f32,
}

/// Until when an answer may stand in for a model that cannot be reached: as long again as it was
/// kept, within [`LONGEST_GRACE`].
pub fn stands_in_until(created_at: Timestamp, expires_at: Timestamp) -> Timestamp {
    let lifetime = expires_at.as_millis().saturating_sub(created_at.as_millis());
    let grace = lifetime.clamp(0, LONGEST_GRACE * 1_000);
    Timestamp::from_millis(expires_at.as_millis().saturating_add(grace))
}

/// Where a reply comes from that no model gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cached {
    /// The reply that was kept.
    pub from_message: MessageId,
    pub kept_at: Timestamp,
    pub how: Likeness,
    /// Of the questions; none where they are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f32>,
    /// Its time was over, and the model could not be reached.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
}

/// Whether a kept answer may be given now. Where nothing was measured, only the same characters
/// are the same question.
pub fn answers(
    kept: Kept<'_>,
    later: Asked<'_>,
    measured: Option<Measured>,
    now: Timestamp,
) -> Verdict {
    // A clock that went back tells nothing about age.
    if now < kept.created_at || now >= kept.expires_at {
        return Verdict::Different(Difference::Expired);
    }
    if kept.asked.signature != later.signature {
        return Verdict::Different(Difference::Context);
    }
    match kept.since {
        Since::Nothing => {}
        Since::Changed => return Verdict::Different(Difference::Stale),
        Since::News => return Verdict::Different(Difference::News),
    }
    let (similarity, least) =
        measured.map_or((None, 1.0), |measured| (Some(measured.similarity), measured.least));
    compare_with(kept.asked.text, later.text, similarity, least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sameness::Used;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn questions_of_one_form_have_one_name_in_one_context() {
        let (one, other) = (
            Signature::of(&Used::default()),
            Signature::of(&Used { owner: "ana".to_owned(), ..Used::default() }),
        );
        let name = |text: &str, signature: &Signature| key(Asked { text, signature });
        let question = "What is the capital of Peru?";
        assert_eq!(name(question, &one), name("What's the capital of Peru, please?", &one));
        assert_ne!(name(question, &one), name("What is the capital of Chad?", &one));
        assert_ne!(name(question, &one), name(question, &other));
        assert_eq!(name("What is it?", &one), Err(Unfit::Outside("it".to_owned())));
    }

    #[test]
    fn an_answer_is_given_while_it_is_fresh_and_nothing_has_happened_since() {
        let signature = Signature::of(&Used::default());
        let asked = Asked { text: "What is the capital of Peru?", signature: &signature };
        let kept = Kept { asked, created_at: at(10), expires_at: at(20), since: Since::Nothing };
        let given = |kept: Kept<'_>, now: i64| answers(kept, asked, None, at(now));
        for now in [10, 19] {
            assert_eq!(given(kept, now), Verdict::Same(Likeness::Exact));
        }
        for now in [9, 20] {
            assert_eq!(given(kept, now), Verdict::Different(Difference::Expired));
        }
        for (since, difference) in
            [(Since::Changed, Difference::Stale), (Since::News, Difference::News)]
        {
            assert_eq!(given(Kept { since, ..kept }, 15), Verdict::Different(difference));
        }
    }

    #[test]
    fn an_answer_stands_in_as_long_again_as_it_was_kept_and_a_day_at_most() {
        let day = LONGEST_GRACE * 1_000;
        assert_eq!(stands_in_until(at(10), at(25)), at(40));
        assert_eq!(stands_in_until(at(0), at(3 * day)), at(4 * day));
        assert_eq!(stands_in_until(at(10), at(5)), at(5));
    }

    #[test]
    fn other_words_for_the_same_need_a_measure_that_is_high_enough() {
        let signature = Signature::of(&Used::default());
        let asked = |text| Asked { text, signature: &signature };
        let kept = Kept {
            asked: asked("What is the capital of Peru?"),
            created_at: at(10),
            expires_at: at(20),
            since: Since::Nothing,
        };
        let given = |measured: Option<Measured>| {
            answers(kept, asked("What's the capital of Peru?"), measured, at(15))
        };
        let measured = |similarity, least| Some(Measured { similarity, least });
        assert_eq!(given(measured(0.7, 0.6)), Verdict::Same(Likeness::Paraphrase));
        assert_eq!(given(measured(0.7, 0.8)), Verdict::Different(Difference::Unlike));
        assert_eq!(given(None), Verdict::Different(Difference::Unlike));
    }
}
