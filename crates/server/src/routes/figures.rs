//! What is aimed at, as it was reached: told with the usage.

use dossier_engine::{CompressedSum, Measures, Quantiles, SelectionSum, Selections, SummaryCost};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// What usage does not say: of the same time, project and conversation where a dossier belongs to
/// one, and otherwise of everything there is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct FiguresResponse {
    pub contexts: ContextsResponse,
    pub selections: SelectionsResponse,
    pub answer_cache: AnswerCacheResponse,
    /// Contents that are refs.
    pub compression: Vec<CompressionResponse>,
    /// Jobs by what has become of them; the queue is what is `queued`.
    #[schema(value_type = BTreeMap<String, u64>)]
    pub jobs: BTreeMap<&'static str, u64>,
    pub summaries_today: SummariesTodayResponse,
    pub summaries: SummariesResponse,
}

/// Dossiers that were stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContextsResponse {
    pub count: u64,
    /// In milliseconds: finding what bears on a question, and making a dossier of it.
    pub assemble_ms: Option<QuantilesResponse>,
    /// Reading the facts and choosing among them.
    pub recall_ms: Option<QuantilesResponse>,
    /// By section: `header`, `history`, `facts`, `summaries`, `question`.
    #[schema(value_type = BTreeMap<String, u64>)]
    pub tokens: BTreeMap<&'static str, u64>,
    /// `whole`; `trimmed`, where last turns or facts found no room; `minimal`, with hardly more than
    /// the question.
    #[schema(value_type = BTreeMap<String, u64>)]
    pub fit: BTreeMap<&'static str, u64>,
}

/// How well what was chosen served the replies. What is told here is counted by words and citations,
/// so it is worth comparing, and no measure of the answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct SelectionsResponse {
    /// Lean dossiers beside others.
    pub by_profile: Vec<SelectionSumResponse>,
    /// Days with replies, in order.
    pub by_day: Vec<SelectionSumResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SelectionSumResponse {
    /// The profile, or the day.
    pub key: String,
    /// Replies of models, personas and consultations aside.
    pub replies: u64,
    /// Items that were shown.
    pub shown: u64,
    /// Those of them that the replies cite, or whose own words they repeat.
    pub used: u64,
    /// Items that were considered and not shown.
    pub left_out: u64,
    /// Replies whose models had tools to fetch more.
    pub could_fetch: u64,
    /// Those of them whose models fetched something that was not shown.
    pub lacking: u64,
    /// What they fetched that was not shown.
    pub fetched_left_out: u64,
    /// What they fetched that was shown in short.
    pub fetched_in_short: u64,
}

/// Half and nine tenths took no longer.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuantilesResponse {
    pub p50: f64,
    pub p90: f64,
}

/// What came of looking for kept answers, in projects that keep them.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnswerCacheResponse {
    /// By how the questions were the same: `exact`, or a `paraphrase`.
    pub hits: BTreeMap<String, u64>,
    /// By why a model was asked.
    pub refused: BTreeMap<String, u64>,
    pub hit_rate: Option<f64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CompressionResponse {
    /// What the content is, such as `json` or `log`.
    pub kind: String,
    /// `compressed`, `not_worth_it`, or `check_failed`: then the original is shown.
    pub outcome: String,
    pub count: u64,
    pub tokens_before: u64,
    pub tokens_after: u64,
}

/// What jobs took today, and what they may take.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummariesTodayResponse {
    pub tokens: u64,
    pub tokens_quota: u64,
    /// In dollars.
    pub cost: f64,
    pub cost_quota: f64,
}

/// Summaries of refs that models wrote.
#[derive(Debug, Serialize, ToSchema)]
pub struct SummariesResponse {
    pub count: usize,
    /// What they took.
    pub tokens: u64,
    /// In dollars, of those whose price is known.
    pub cost: f64,
    pub uses: u64,
    /// What they have spared so far, less what they took.
    pub net_tokens: i64,
    /// After how many uses of each they have spared what they took.
    pub break_even_uses: Option<u64>,
    /// The dearest first.
    pub each: Vec<SummaryResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SummaryResponse {
    pub r#ref: String,
    pub model: String,
    /// What it took.
    pub tokens: u64,
    /// In dollars, if the price is known.
    pub cost: Option<f64>,
    /// How often it was shown, or spared another call.
    pub uses: u64,
    /// Without it the compressed text would be shown.
    pub spared_tokens_per_use: u64,
    /// Null for one that is not shorter than the compressed text.
    pub break_even_uses: Option<u64>,
    pub net_tokens: i64,
}

/// How many summaries are told one by one.
const MOST_TOLD: usize = 100;

impl From<Measures> for FiguresResponse {
    fn from(measures: Measures) -> Self {
        let (hit_rate, sums) = (measures.hit_rate(), measures.summed());
        let Measures { contexts, selections, compressions, jobs, today, quota, summaries } =
            measures;
        Self {
            contexts: ContextsResponse {
                count: contexts.count,
                assemble_ms: contexts.took.map(Into::into),
                recall_ms: contexts.recalled.map(Into::into),
                tokens: contexts.sections,
                fit: contexts.fittings,
            },
            selections: selections.into(),
            answer_cache: AnswerCacheResponse {
                hits: contexts.hits,
                refused: contexts.misses,
                hit_rate,
            },
            compression: compressions.into_iter().map(Into::into).collect(),
            jobs,
            summaries_today: SummariesTodayResponse {
                tokens: today.tokens,
                tokens_quota: quota.tokens_per_day,
                cost: today.cost as f64 / 1e6,
                cost_quota: quota.usd_per_day,
            },
            summaries: SummariesResponse {
                count: sums.count,
                tokens: sums.spent,
                cost: sums.cost as f64 / 1e6,
                uses: sums.uses,
                net_tokens: sums.net,
                break_even_uses: sums.break_even,
                each: summaries.into_iter().take(MOST_TOLD).map(Into::into).collect(),
            },
        }
    }
}

impl From<Selections> for SelectionsResponse {
    fn from(selections: Selections) -> Self {
        let Selections { by_profile, by_day } = selections;
        let told = |sums: Vec<SelectionSum>| sums.into_iter().map(Into::into).collect();
        Self { by_profile: told(by_profile), by_day: told(by_day) }
    }
}

impl From<SelectionSum> for SelectionSumResponse {
    fn from(sum: SelectionSum) -> Self {
        Self {
            key: sum.key,
            replies: sum.replies,
            shown: sum.shown,
            used: sum.used,
            left_out: sum.left_out,
            could_fetch: sum.could_fetch,
            lacking: sum.lacking,
            fetched_left_out: sum.missed,
            fetched_in_short: sum.followed,
        }
    }
}

impl From<Quantiles> for QuantilesResponse {
    fn from(took: Quantiles) -> Self {
        let millis = |took: Duration| took.as_secs_f64() * 1e3;
        Self { p50: millis(took.p50), p90: millis(took.p90) }
    }
}

impl From<CompressedSum> for CompressionResponse {
    fn from(sum: CompressedSum) -> Self {
        let CompressedSum { kind, outcome, count, tokens_before, tokens_after } = sum;
        Self { kind, outcome, count, tokens_before, tokens_after }
    }
}

impl From<SummaryCost> for SummaryResponse {
    fn from(summary: SummaryCost) -> Self {
        let SummaryCost { name, model, cost, worth } = summary;
        Self {
            r#ref: name.to_string(),
            model,
            tokens: worth.spent,
            cost: cost.map(|cost| cost as f64 / 1e6),
            uses: worth.uses,
            spared_tokens_per_use: worth.spared,
            break_even_uses: worth.break_even(),
            net_tokens: worth.net(),
        }
    }
}
