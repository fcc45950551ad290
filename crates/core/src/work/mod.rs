//! Work for later. After a turn a thread calls for a title when it has none, and for a summary every
//! ten rounds; a question that nobody answered calls for neither. What fails waits longer each time,
//! and what models may take for it has a limit.

mod quota;

pub use quota::{Quota, Spent};

/// A summary is due after so many rounds.
const EVERY: i64 = 10;

/// A piece of work for later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    Title,
    /// Of the thread as it was at this round.
    Summary {
        round: i64,
    },
}

/// Whether somebody answered the last question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    Yes,
    No,
}

/// What is due for a thread of so many rounds.
pub fn due(has_title: bool, rounds: i64, answered: Answered) -> Vec<Due> {
    if answered == Answered::No {
        return Vec::new();
    }
    let title = (!has_title).then_some(Due::Title);
    let summary = (rounds > 0 && rounds % EVERY == 0).then_some(Due::Summary { round: rounds });
    title.into_iter().chain(summary).collect()
}

/// How long a job waits after so many attempts, in milliseconds: half a minute, two minutes, eight.
pub fn wait(attempts: i64) -> i64 {
    const FIRST: i64 = 30_000;
    const LONGEST: i64 = 3_600_000;
    let times = u32::try_from(attempts.saturating_sub(1).max(0)).unwrap_or(u32::MAX);
    4_i64
        .checked_pow(times)
        .and_then(|factor| FIRST.checked_mul(factor))
        .unwrap_or(LONGEST)
        .min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_due_once_and_a_summary_every_ten_rounds() {
        assert_eq!(due(false, 1, Answered::Yes), [Due::Title]);
        assert_eq!(due(true, 9, Answered::Yes), []);
        assert_eq!(due(true, 10, Answered::Yes), [Due::Summary { round: 10 }]);
        assert_eq!(due(false, 20, Answered::Yes), [Due::Title, Due::Summary { round: 20 }]);
        assert_eq!(due(true, 0, Answered::Yes), []);
    }

    #[test]
    fn each_attempt_waits_longer_than_the_one_before_up_to_an_hour() {
        let waits = [0, 1, 2, 3, 4, 5, i64::MAX].map(wait);
        assert_eq!(waits, [30_000, 30_000, 120_000, 480_000, 1_920_000, 3_600_000, 3_600_000]);
    }

    #[test]
    fn a_question_without_an_answer_calls_for_nothing() {
        assert_eq!(due(false, 10, Answered::No), []);
    }
}
