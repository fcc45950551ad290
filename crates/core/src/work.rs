//! What a thread calls for after a turn: a title when it has none, a summary every ten rounds. A
//! question that nobody answered calls for neither.

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
    fn a_question_without_an_answer_calls_for_nothing() {
        assert_eq!(due(false, 10, Answered::No), []);
    }
}
