//! What is saved against sending the whole conversation each time, gross and net.
//!
//! Gross are the tokens of the conversation that were left out. Net is what that is worth, in tokens
//! at the price of fresh input: the whole conversation would have come from the vendor's prefix cache
//! but for its last question, and what was left out may have to be fetched with tools, or shortened
//! by a model. So net can be less than nothing, and it is never rounded up to it.

use crate::catalogue::Costs;
use crate::chat::Usage;
use crate::item::Section;
use std::collections::BTreeMap;

/// What cached input costs of fresh input where no price is known.
const CACHED: f64 = 0.1;

/// From so many tokens of input on, a session is worth a warning.
pub const LONG_SESSION: i64 = 100_000;

/// What a call saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Savings {
    pub gross: i64,
    pub net: i64,
}

/// What input costs of fresh input, when it comes from a vendor's cache or is put into it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    cached: f64,
    written: f64,
}

impl Rates {
    pub fn of(costs: Option<Costs>) -> Self {
        match costs {
            Some(costs) if costs.input > 0.0 => Self {
                cached: costs.cached_input / costs.input,
                written: costs.cache_write / costs.input,
            },
            _ => Self { cached: CACHED, written: 1.0 },
        }
    }

    /// Input as tokens of fresh input.
    fn input(self, usage: Usage) -> f64 {
        let [input, cached, written] =
            [usage.input, usage.cached_input, usage.cache_write].map(f64::from);
        input + cached * (self.cached - 1.0) + written * (self.written - 1.0)
    }
}

/// A request as it was counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Request {
    pub used: u32,
    /// What stands before everything else in any request.
    header: u32,
    history: u32,
    /// What comes from outside of conversations; without a dossier it would be sent, too.
    files: u32,
    question: u32,
}

impl Request {
    /// `told` are the tokens of summaries that tell what was said: without a dossier, that itself
    /// would be sent.
    pub fn of(used: u32, sections: &BTreeMap<Section, u32>, told: u32) -> Self {
        let section = |section| sections.get(&section).copied().unwrap_or(0);
        Self {
            used,
            header: section(Section::Header),
            history: section(Section::History),
            files: section(Section::Summaries).saturating_sub(told),
            question: section(Section::Question),
        }
    }
}

/// The calls of a turn, as the provider reported them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Calls {
    pub first: Usage,
    /// Those that followed since the model asked for tools or for more room.
    pub later: Usage,
    /// What it wrote to ask for tools.
    pub asking: u32,
}

impl Calls {
    /// What followed from leaving things out.
    fn detours(&self, rates: Rates) -> f64 {
        rates.input(self.later) + f64::from(self.asking)
    }
}

impl Savings {
    /// Of a turn in a conversation of so many tokens, its question included.
    pub fn of_turn(spoken: u64, request: Request, calls: Calls, rates: Rates) -> Self {
        let [used, header, files, question] =
            [request.used, request.header, request.files, request.question].map(f64::from);
        let spoken = spoken as f64;
        let before = (spoken - question).max(0.0);
        let whole = (header + before) * rates.cached + files + question;
        // Tools and images are no part of what was counted.
        let sent = Usage { input: calls.first.input.max(request.used), ..calls.first };
        let spent = rates.input(sent) + calls.detours(rates);
        Self {
            gross: tokens((header + files + spoken - used).max(0.0)),
            net: tokens(whole - spent),
        }
    }

    /// Of files that were not sent once more. A second copy would be in no cache.
    pub fn of_files(unsent: u32, calls: Calls, rates: Rates) -> Self {
        let gross = f64::from(unsent);
        Self { gross: tokens(gross), net: tokens(gross - calls.detours(rates)) }
    }

    /// Of an answer that was given again, and had taken this. Header and history are as they were,
    /// so that the vendor's cache would have had them.
    pub fn of_answer(taken: Usage, request: Request, rates: Rates) -> Self {
        let cached_input = request.header.saturating_add(request.history).min(taken.input);
        let again = Usage { cached_input, cache_write: 0, ..taken };
        let gross = f64::from(taken.input) + f64::from(taken.output);
        Self { gross: tokens(gross), net: tokens(rates.input(again) + f64::from(taken.output)) }
    }

    /// Of a call that saves nothing by itself: a summary, or one that came to nothing.
    pub fn spent(usage: Usage, rates: Rates) -> Self {
        Self { gross: 0, net: -tokens(rates.input(usage) + f64::from(usage.output)) }
    }
}

/// A summary that a model wrote: what it took, and what each use of it spares. Without it the
/// compressed text would be shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SummaryWorth {
    pub spent: u64,
    pub spared: u64,
    pub uses: u64,
}

impl SummaryWorth {
    /// After how many uses it has spared what it took; never, if it spares nothing.
    pub fn break_even(self) -> Option<u64> {
        match (self.spent, self.spared) {
            (0, _) => Some(0),
            (_, 0) => None,
            (spent, spared) => Some(spent.div_ceil(spared)),
        }
    }

    /// What it has spared so far, less what it took.
    pub fn net(self) -> i64 {
        let spared = i64::try_from(self.spared.saturating_mul(self.uses)).unwrap_or(i64::MAX);
        spared.saturating_sub_unsigned(self.spent)
    }
}

fn tokens(value: f64) -> i64 {
    value.round() as i64
}

/// What is to be said of a session that has taken so many tokens of input.
pub fn long_session(input: i64) -> Option<String> {
    (input > LONG_SESSION).then(|| {
        format!(
            "this conversation has taken {input} tokens of input, more than {LONG_SESSION}; a new \
             one costs less, and finds what was said here"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs { input: 2.0, output: 8.0, cached_input: 0.5, cache_write: 2.5 };

    fn request() -> Request {
        let sections = [
            (Section::Header, 600),
            (Section::History, 900),
            (Section::Facts, 100),
            (Section::Summaries, 450),
            (Section::Question, 100),
        ];
        Request::of(2_000, &sections.into(), 150)
    }

    fn input(input: u32) -> Usage {
        Usage { input, output: 50, ..Usage::default() }
    }

    fn savings(gross: i64, net: i64) -> Savings {
        Savings { gross, net }
    }

    #[test]
    fn a_cache_would_have_had_all_but_the_question() {
        let calls = Calls { first: input(2_000), ..Calls::default() };
        // 600 + 300 + 20,000 against 2,000; a tenth of 600 + 19,900, and 300 + 100, against it.
        let saved = Savings::of_turn(20_000, request(), calls, Rates::of(None));
        assert_eq!(saved, savings(18_900, 450));
        // A quarter of 20,500.
        let saved = Savings::of_turn(20_000, request(), calls, Rates::of(Some(COSTS)));
        assert_eq!(saved, savings(18_900, 3_525));
    }

    #[test]
    fn what_the_cache_gave_us_counts_for_us() {
        let first = Usage { cached_input: 1_000, cache_write: 400, ..input(2_000) };
        let calls = Calls { first, ..Calls::default() };
        let saved = Savings::of_turn(20_000, request(), calls, Rates::of(Some(COSTS)));
        assert_eq!(saved, savings(18_900, 3_525 + 750 - 100));
    }

    #[test]
    fn what_had_to_be_fetched_is_taken_off_the_net() {
        let calls = Calls { first: input(2_300), later: input(3_000), asking: 40 };
        let saved = Savings::of_turn(20_000, request(), calls, Rates::of(None));
        assert_eq!(saved, savings(18_900, 450 - 300 - 3_000 - 40));
        let saved = Savings::of_files(5_000, calls, Rates::of(None));
        assert_eq!(saved, savings(5_000, 1_960));
    }

    #[test]
    fn a_short_conversation_saves_nothing_and_costs_what_stands_around_it() {
        let calls = Calls { first: input(2_000), ..Calls::default() };
        let saved = Savings::of_turn(80, request(), calls, Rates::of(None));
        assert_eq!(saved, savings(0, 60 + 400 - 2_000));
    }

    #[test]
    fn an_answer_given_again_saves_what_it_took() {
        let saved = Savings::of_answer(input(2_000), request(), Rates::of(None));
        assert_eq!(saved, savings(2_050, 700));
        let small = Savings::of_answer(input(1_000), request(), Rates::of(None));
        assert_eq!(small, savings(1_050, 150));
    }

    #[test]
    fn a_summary_is_paid_for() {
        let usage = Usage { cached_input: 100, ..input(1_000) };
        assert_eq!(Savings::spent(usage, Rates::of(None)), savings(0, -960));
    }

    #[test]
    fn a_summary_breaks_even_when_its_uses_have_spared_what_it_took() {
        let worth = |spent, spared, uses| SummaryWorth { spent, spared, uses };
        assert_eq!((worth(900, 400, 2).break_even(), worth(900, 400, 2).net()), (Some(3), -100));
        assert_eq!((worth(800, 400, 5).break_even(), worth(800, 400, 5).net()), (Some(2), 1_200));
        // It was taken from the same content under another name.
        assert_eq!((worth(0, 0, 0).break_even(), worth(0, 0, 0).net()), (Some(0), 0));
        assert_eq!((worth(900, 0, 9).break_even(), worth(900, 0, 9).net()), (None, -900));
    }

    #[test]
    fn what_costs_nothing_is_weighed_as_what_has_no_price() {
        let free = Costs { input: 0.0, output: 0.0, cached_input: 0.0, cache_write: 0.0 };
        assert_eq!(Rates::of(Some(free)), Rates::of(None));
    }

    #[test]
    fn a_session_is_long_above_a_hundred_thousand_tokens() {
        assert_eq!(long_session(100_000), None);
        assert!(long_session(100_001).is_some());
    }
}
