//! Answers that were kept: under which name one is looked for, and when it may be given.
//!
//! Two questions can share an answer only if their forms are equal, so an answer is found by the
//! hash of form and signature. No search by meaning is needed, and none could find more.

use super::{Asked, Difference, Form, Signature, Unfit, Verdict, judge};
use crate::hash::ContentHash;
use crate::time::Timestamp;

/// How long an answer is kept unless a project says otherwise, in seconds.
pub const LIFETIME: i64 = 3_600;

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
    /// Whether something that the answer quotes is marked as out of date.
    pub stale: bool,
}

/// Whether a kept answer may be given now.
pub fn answers(
    kept: Kept<'_>,
    later: Asked<'_>,
    similarity: Option<f32>,
    now: Timestamp,
) -> Verdict {
    // A clock that went back tells nothing about age.
    if now < kept.created_at || now >= kept.expires_at {
        return Verdict::Different(Difference::Expired);
    }
    if kept.stale {
        return Verdict::Different(Difference::Stale);
    }
    judge(kept.asked, later, similarity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sameness::{Likeness, Used};

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
    fn an_answer_is_given_while_it_is_fresh_and_nothing_it_quotes_is_stale() {
        let signature = Signature::of(&Used::default());
        let asked = Asked { text: "What is the capital of Peru?", signature: &signature };
        let kept = Kept { asked, created_at: at(10), expires_at: at(20), stale: false };
        let given = |kept: Kept<'_>, now: i64| answers(kept, asked, None, at(now));
        for now in [10, 19] {
            assert_eq!(given(kept, now), Verdict::Same(Likeness::Exact));
        }
        for now in [9, 20] {
            assert_eq!(given(kept, now), Verdict::Different(Difference::Expired));
        }
        let stale = Kept { stale: true, ..kept };
        assert_eq!(given(stale, 15), Verdict::Different(Difference::Stale));
    }
}
