//! Counting tokens per model family. A count is exact where the vendor's tokenizer is public, and
//! a marked estimate elsewhere; every count can be stored with the name of its method. Counting
//! takes time linear in the text, whatever the text.

mod tally;

pub use tally::Tally;

use bpe_openai::byte_pair_encoding::BytePairEncoding;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How tokens are counted for a model. Written `o200k`, `cl100k` or `estimate:claude@130`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Tokenizer {
    O200k,
    Cl100k,
    /// The `o200k` count times a factor, in percent.
    Estimate {
        family: Family,
        percent: u16,
    },
}

/// Models whose tokenizer is not public, by vendor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    Claude,
    Gemini,
    Grok,
    Llama,
    Mistral,
    Qwen,
    DeepSeek,
    Other,
}

/// What is known of a family: its name, parts of its models' names, and how many tokens it needs
/// for 100 of `o200k`. The factors err on the high side, so that a budget holds; usage that the
/// provider reports corrects them.
const FAMILIES: [(Family, &str, &[&str], u16); 8] = [
    (Family::Claude, "claude", &["claude"], 130),
    (Family::Gemini, "gemini", &["gemini", "gemma"], 115),
    (Family::Grok, "grok", &["grok"], 110),
    (Family::Llama, "llama", &["llama"], 110),
    (Family::Mistral, "mistral", &["stral", "mixtral"], 115),
    (Family::Qwen, "qwen", &["qwen", "qwq"], 110),
    (Family::DeepSeek, "deepseek", &["deepseek"], 110),
    (Family::Other, "other", &[], 125),
];

/// No factor is lower or higher, whatever is reported.
const BOUNDS: (u16, u16) = (80, 250);

/// How the names of models with a public tokenizer begin; the first that fits decides.
const PUBLIC: [(&str, Tokenizer); 12] = [
    ("gpt-4o", Tokenizer::O200k),
    ("gpt-4.", Tokenizer::O200k),
    ("gpt-4", Tokenizer::Cl100k),
    ("gpt-3", Tokenizer::Cl100k),
    ("text-embedding-3", Tokenizer::Cl100k),
    ("text-embedding-ada", Tokenizer::Cl100k),
    ("gpt-", Tokenizer::O200k),
    ("chatgpt-", Tokenizer::O200k),
    ("codex-", Tokenizer::O200k),
    ("o1", Tokenizer::O200k),
    ("o3", Tokenizer::O200k),
    ("o4", Tokenizer::O200k),
];

impl Family {
    fn name(self) -> &'static str {
        FAMILIES.iter().find(|row| row.0 == self).map_or("other", |row| row.1)
    }

    /// The estimate with the factor the family starts from.
    fn estimate(self) -> Tokenizer {
        let percent = FAMILIES.iter().find(|row| row.0 == self).map_or(100, |row| row.3);
        Tokenizer::Estimate { family: self, percent }
    }
}

impl Tokenizer {
    /// The tokenizer of a model, named as a vendor, a gateway or a local server names it:
    /// `gpt-4o-mini`, `openai/o3`, `us.anthropic.claude-sonnet-4`, `llama3:8b`.
    pub fn for_model(model: &str) -> Self {
        let model = model.to_lowercase();
        let begins = |start: &str| model.split(['/', ':']).any(|part| part.starts_with(start));
        let public = PUBLIC.iter().find(|(start, _)| begins(start)).map(|(_, found)| *found);
        public.unwrap_or_else(|| {
            let known = |row: &&(Family, _, &[&str], _)| row.2.iter().any(|p| model.contains(p));
            FAMILIES.iter().find(known).map_or(Family::Other, |row| row.0).estimate()
        })
    }

    pub fn count(&self, text: &str) -> u32 {
        self.of_unscaled(self.unscaled(text))
    }

    /// The same of a text that has probably been counted lately.
    pub fn recount(&self, text: &str) -> u32 {
        self.of_unscaled(tally::recounted(*self, text))
    }

    /// The tokens of the public tokenizer that this one is, or is estimated by.
    fn unscaled(&self, text: &str) -> usize {
        match self {
            Self::Cl100k => count(bpe_openai::cl100k_base(), text),
            Self::O200k | Self::Estimate { .. } => count(bpe_openai::o200k_base(), text),
        }
    }

    fn of_unscaled(&self, count: usize) -> u32 {
        u32::try_from(self.scaled(count as u64)).unwrap_or(u32::MAX)
    }

    /// What it would count of a text that `o200k` counts so many tokens of.
    pub fn scaled(&self, o200k: u64) -> u64 {
        match self {
            Self::Estimate { percent, .. } => {
                o200k.saturating_mul(u64::from(*percent)).div_ceil(100)
            }
            _ => o200k,
        }
    }

    /// The same with what a provider reported for a text that this counted: the estimate moves an
    /// eighth of the way, so that one odd answer changes little. Short texts tell nothing, since
    /// what a provider adds to each message weighs in them; and no report moves it out of bounds.
    pub fn corrected(self, counted: u32, reported: u32) -> Self {
        const LEAST: u32 = 500;
        let Self::Estimate { family, percent } = self else { return self };
        if counted < LEAST || reported == 0 {
            return self;
        }
        let old = i64::from(percent);
        let seen = old * i64::from(reported) / i64::from(counted);
        let seen = seen.clamp(i64::from(BOUNDS.0), i64::from(BOUNDS.1));
        // Rounded away from where it is, so that it gets there.
        let step = ((seen - old).abs() + 7) / 8 * (seen - old).signum();
        let percent = u16::try_from(old + step).unwrap_or(percent);
        Self::Estimate { family, percent }
    }

    /// The factor that a report teaches, when this counted so many and the one in use by now is
    /// `current`; none when there is nothing to learn.
    pub fn learned(self, current: Option<u16>, counted: u32, reported: u32) -> Option<u16> {
        let Self::Estimate { family, percent } = self else { return None };
        let current = current.unwrap_or(percent);
        // As the factor in use would have counted.
        let counted = u64::from(counted) * u64::from(current) / u64::from(percent.max(1));
        let counted = u32::try_from(counted).unwrap_or(u32::MAX);
        match (Self::Estimate { family, percent: current }).corrected(counted, reported) {
            Self::Estimate { percent, .. } if percent != current => Some(percent),
            _ => None,
        }
    }

    /// The same with another factor, within bounds; an exact count needs none.
    #[must_use]
    pub fn with_factor(self, percent: u16) -> Self {
        match self {
            Self::Estimate { family, .. } => {
                Self::Estimate { family, percent: percent.clamp(BOUNDS.0, BOUNDS.1) }
            }
            exact => exact,
        }
    }

    /// The family of models that an estimate is for.
    pub fn family(&self) -> Option<&'static str> {
        match self {
            Self::Estimate { family, .. } => Some(family.name()),
            _ => None,
        }
    }

    pub fn is_exact(&self) -> bool {
        !matches!(self, Self::Estimate { .. })
    }

    /// The name that is stored with each count.
    pub fn method(&self) -> String {
        self.to_string()
    }
}

/// From this many bytes on, a piece of text may hold a run worth folding.
const LONG: usize = 256;
/// The period of counts: a run that is longer by 128 bytes counts as many tokens more as 128
/// bytes alone, from 64 bytes on (shown for every ASCII character by a test).
const PERIOD: usize = 128;

fn count(tokenizer: &bpe_openai::Tokenizer, text: &str) -> usize {
    let mut total = 0;
    // Separator lines of logs and tables repeat: the last long piece is remembered.
    let mut last = ("", 0);
    for piece in tokenizer.split(text) {
        if piece.len() < PERIOD / 2 {
            total += tokenizer.bpe.count(piece.as_bytes());
        } else {
            if piece != last.0 {
                last = (piece, count_long(&tokenizer.bpe, piece.as_bytes()));
            }
            total += last.1;
        }
    }
    total
}

/// The count of a piece with long runs of one character folded: the encoder needs up to a
/// microsecond a byte on them, which makes ten seconds of a file of dashes.
fn count_long(bpe: &BytePairEncoding, piece: &[u8]) -> usize {
    if piece.len() < LONG {
        return bpe.count(piece);
    }
    let mut folded = Vec::with_capacity(piece.len().min(1 << 16));
    let mut tokens = 0;
    for run in piece.chunk_by(|left, right| left == right) {
        let periods = run.len().saturating_sub(PERIOD) / PERIOD;
        if periods > 0 {
            tokens += periods * bpe.count(&run[..PERIOD]);
        }
        folded.extend_from_slice(&run[periods * PERIOD..]);
    }
    tokens + bpe.count(&folded)
}

/// A name that no tokenizer has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no tokenizer; write o200k, cl100k, estimate:claude or estimate:claude@130")]
pub struct BadTokenizer(String);

impl fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::O200k => f.write_str("o200k"),
            Self::Cl100k => f.write_str("cl100k"),
            Self::Estimate { family, percent } => write!(f, "estimate:{}@{percent}", family.name()),
        }
    }
}

impl FromStr for Tokenizer {
    type Err = BadTokenizer;

    fn from_str(text: &str) -> Result<Self, BadTokenizer> {
        let bad = || BadTokenizer(text.to_owned());
        let estimate = match text {
            "o200k" => return Ok(Self::O200k),
            "cl100k" => return Ok(Self::Cl100k),
            _ => text.strip_prefix("estimate:").ok_or_else(bad)?,
        };
        let (name, percent) = match estimate.split_once('@') {
            Some((name, percent)) => (name, Some(percent.parse().map_err(|_| bad())?)),
            None => (estimate, None),
        };
        let row = FAMILIES.iter().find(|row| row.1 == name).ok_or_else(bad)?;
        Ok(Self::Estimate { family: row.0, percent: percent.unwrap_or(row.3) })
    }
}

impl From<Tokenizer> for String {
    fn from(tokenizer: Tokenizer) -> Self {
        tokenizer.to_string()
    }
}

impl TryFrom<String> for Tokenizer {
    type Error = BadTokenizer;

    fn try_from(text: String) -> Result<Self, BadTokenizer> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_teaches_a_factor_within_bounds_and_only_where_counts_are_estimated() {
        let claude = Tokenizer::for_model("claude-opus-4");
        assert_eq!(claude.learned(None, 1_300, 1_300), None, "it was right");
        assert_eq!(claude.learned(None, 1_300, 1_000), Some(126), "an eighth of the way to 100");
        assert_eq!(claude.learned(Some(110), 1_300, 1_000), Some(108), "from where it is by now");
        assert_eq!(claude.learned(None, 100, 1), None, "a short text tells nothing");
        assert_eq!(Tokenizer::O200k.learned(None, 1_000, 2_000), None);
        let mut factor = None;
        for _ in 0..200 {
            factor = claude.learned(factor, 1_000, u32::MAX).or(factor);
        }
        assert_eq!(factor, Some(250));
        assert_eq!(claude.with_factor(9_999).to_string(), "estimate:claude@250");
        assert_eq!(Tokenizer::O200k.with_factor(200), Tokenizer::O200k);
    }

    #[test]
    fn a_model_is_counted_with_its_own_tokenizer_or_a_marked_estimate() {
        let check = |model: &str, expected: &str| {
            let tokenizer = Tokenizer::for_model(model);
            assert_eq!(tokenizer.to_string(), expected, "{model}");
            assert_eq!(tokenizer.is_exact(), !expected.starts_with("estimate"), "{model}");
        };
        check("gpt-4o-mini", "o200k");
        check("GPT-4.1", "o200k");
        check("gpt-5", "o200k");
        check("openai/o3", "o200k");
        check("agent:o4-mini", "o200k");
        check("ft:gpt-4o-mini:org::id", "o200k");
        check("gpt-4", "cl100k");
        check("gpt-4-turbo-2024-04-09", "cl100k");
        check("gpt-3.5-turbo", "cl100k");
        check("azure/gpt-35-turbo", "cl100k");
        check("us.anthropic.claude-sonnet-4", "estimate:claude@130");
        check("gemini-2.5-pro", "estimate:gemini@115");
        check("x-ai/grok-4", "estimate:grok@110");
        check("llama3:8b", "estimate:llama@110");
        check("codestral-latest", "estimate:mistral@115");
        check("marco-o1", "estimate:other@125");
        check("", "estimate:other@125");
    }

    #[test]
    fn a_tokenizer_is_written_as_a_short_name() {
        for name in ["o200k", "cl100k", "estimate:claude@122"] {
            let json = format!("\"{name}\"");
            let tokenizer: Tokenizer = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&tokenizer).unwrap(), json);
            assert_eq!(tokenizer.method(), name);
        }
        assert_eq!("estimate:claude".parse(), Ok(Family::Claude.estimate()));
        for name in ["", "o100k", "estimate:", "estimate:claude@", "estimate:claude@-1"] {
            assert!(name.parse::<Tokenizer>().is_err(), "{name}");
        }
    }

    #[test]
    fn counts_are_those_of_tiktoken() {
        let check = |text: &str, o200k: u32, cl100k: u32| {
            assert_eq!(Tokenizer::O200k.count(text), o200k, "{text}");
            assert_eq!(Tokenizer::Cl100k.count(text), cl100k, "{text}");
        };
        check("", 0, 0);
        check("hello world", 2, 2);
        check("tiktoken is great!", 6, 6);
        check("antidisestablishmentarianism", 6, 6);
        check("2 + 2 = 4", 7, 7);
        check("お誕生日おめでとう", 8, 9);
    }

    #[test]
    fn an_estimate_is_the_o200k_count_times_its_factor_rounded_up() {
        let claude = Tokenizer::Estimate { family: Family::Claude, percent: 130 };
        assert_eq!(claude.count("hello world"), 3);
        assert_eq!(claude.count(""), 0);
    }

    #[test]
    fn what_a_provider_reports_corrects_an_estimate_little_by_little() {
        let claude = |percent| Tokenizer::Estimate { family: Family::Claude, percent };
        // The text has 10,000 tokens of `o200k`, and 15,000 of the provider's.
        let mut tokenizer = claude(130);
        let mut steps = Vec::new();
        for _ in 0..12 {
            let Tokenizer::Estimate { percent, .. } = tokenizer else { unreachable!() };
            steps.push(percent);
            tokenizer = tokenizer.corrected(100 * u32::from(percent), 15_000);
        }
        assert_eq!(steps, [130, 133, 136, 138, 140, 142, 143, 144, 145, 146, 147, 148]);
        assert_eq!(claude(150).corrected(15_000, 15_000), claude(150));
        assert_eq!(claude(152).corrected(15_200, 15_000), claude(151));
        assert_eq!(claude(130).corrected(100, 900), claude(130));
        assert_eq!(claude(130).corrected(13_000, 0), claude(130));
        assert_eq!(claude(130).corrected(13_000, 1_000_000), claude(145));
        assert_eq!(Tokenizer::O200k.corrected(10_000, 15_000), Tokenizer::O200k);
    }

    #[test]
    fn folding_a_run_does_not_change_its_count() {
        for tokenizer in [bpe_openai::o200k_base(), bpe_openai::cl100k_base()] {
            for byte in 0..128_u8 {
                for (length, before, after) in [(640, "", ""), (517, " ", "\n"), (450, "=:", "-x")]
                {
                    let run = vec![byte; length];
                    let piece = [before.as_bytes(), &run, after.as_bytes()].concat();
                    let expected = tokenizer.bpe.count(&piece);
                    assert_eq!(count_long(&tokenizer.bpe, &piece), expected, "{byte} {length}");
                }
            }
        }
    }
}
