//! Budgets: what a day or a month may cost. Four fifths of one are a warning; the whole stops
//! further turns.

/// The share of a budget from which on it is a warning.
const WARNED: f64 = 0.8;

/// What is to be said of a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    Fine,
    Nearly(String),
    Over(String),
}

/// What a budget of so many dollars means when so many are spent.
pub fn judge(name: &str, limit: f64, spent: f64) -> Judged {
    if spent >= limit {
        return Judged::Over(format!(
            "{name} of ${limit:.2} is spent (${spent:.2}); raise it, or wait for the next"
        ));
    }
    if spent >= WARNED * limit {
        let share = 100.0 * spent / limit;
        return Judged::Nearly(format!("{share:.0} % of {name} of ${limit:.2} are spent"));
    }
    Judged::Fine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fifths_are_a_warning_and_the_whole_is_the_end() {
        let judged = |spent| judge("the day's budget", 2.0, spent);
        assert_eq!(judged(0.0), Judged::Fine);
        assert_eq!(judged(1.59), Judged::Fine);
        let nearly = "80 % of the day's budget of $2.00 are spent";
        assert_eq!(judged(1.6), Judged::Nearly(nearly.to_owned()));
        let over = "the day's budget of $2.00 is spent ($2.00); raise it, or wait for the next";
        assert_eq!(judged(2.0), Judged::Over(over.to_owned()));
    }

    #[test]
    fn a_budget_of_nothing_is_spent_from_the_start() {
        assert!(matches!(judge("it", 0.0, 0.0), Judged::Over(_)));
    }
}
