//! A receipt with something of everything, for tests.

use dossier_core::hash::ContentHash;
use dossier_core::id::{ProjectId, ReceiptId, ThreadId};
use dossier_core::intent::Intent;
use dossier_core::item::{Form, Kind, Mode, Section, Source};
use dossier_core::message::Speaker;
use dossier_core::receipt::{Beyond, BudgetUse, Coverage, Receipt, ReceiptItem, SharedPrefix};
use dossier_core::time::Timestamp;
use std::borrow::Cow;

/// Too long for the column of sources.
const LONG_PATH: &str =
    "クレート/the/very/long/path/to/a/folder/of/many/folders/that/never/ends/tokens.rs";
const LEFT_OUT: &str = "left out: over the budget of 3000 tokens";

pub fn receipt() -> Receipt {
    Receipt {
        id: ReceiptId::from("rcp_01k9z3v6w8q5t2n4m7b0c1d3f6"),
        now: Timestamp::from_millis(1_763_182_800_000),
        project: ProjectId::from("prj_1"),
        thread: Some(ThreadId::from("thr_1")),
        question: "How are tokens counted for Claude, and what did we say about the factor?"
            .to_owned(),
        intent: Intent::ContextLookup,
        profile: "lean".to_owned(),
        model: Some("claude-sonnet-4".to_owned()),
        tools: Vec::new(),
        lazy_tools: Vec::new(),
        tool_server: None,
        budget: BudgetUse {
            limit: 3_000,
            used: 1_842,
            counted_by: "estimate:claude@130".to_owned(),
            sections: [
                (Section::Header, 104),
                (Section::History, 512),
                (Section::Summaries, 1_130),
                (Section::Question, 96),
            ]
            .into(),
            warnings: vec!["found by words alone: the embedding model failed".to_owned()],
        },
        coverage: Coverage {
            embedder: Some("minilm-l6-v2".to_owned()),
            chunks: 1_644,
            with_vectors: 256,
        },
        items: items(),
        beyond: Beyond { chunks: 1_129, rounds: 1 },
        blocks: Vec::new(),
        sent: ContentHash::of(""),
        prefix: Some(SharedPrefix { previous: ReceiptId::from("rcp_01k9z3"), bytes: 1_234 }),
        cached: None,
    }
}

/// A question to which nothing was found, in an empty project.
pub fn empty_receipt() -> Receipt {
    Receipt {
        thread: None,
        model: None,
        question: "?".to_owned(),
        budget: BudgetUse {
            limit: 3_000,
            used: 5,
            counted_by: "o200k".to_owned(),
            sections: [(Section::Question, 5)].into(),
            warnings: Vec::new(),
        },
        coverage: Coverage::default(),
        items: Vec::new(),
        beyond: Beyond::default(),
        prefix: None,
        cached: None,
        ..receipt()
    }
}

fn items() -> Vec<ReceiptItem> {
    let tokens = file("crates/core/src/tokens.rs", (1, 50), Form::Full);
    let long = file(LONG_PATH, (251, 294), Form::Trimmed);
    let design = file("docs/design.md", (1, 50), Form::Pointer);
    let aged = message(41, Mode::Recent, Form::Line);
    let every = [("keywords", 1.0), ("meaning", 0.93), ("path", 0.6), ("section", 0.81)];
    let mut items = vec![
        said(pinned(Kind::Rules, "rules"), 98, &[], "pinned: the rules of the profile"),
        said(pinned(Kind::UserCard, "user_card"), 6, &[], "pinned: who asks, and where"),
        said(aged, 24, &[], "shortened: 9 rounds old at the last ageing step"),
        said(message(50, Mode::Recent, Form::Full), 488, &[], ""),
        said(
            tokens,
            617,
            &every,
            "rank 1: words claude, count, token; meaning 0.93; its path fits; its section fits",
        ),
        said(long, 469, &[("keywords", 0.99)], "rank 2: words claude, count"),
        said(design, 44, &[("meaning", 0.59)], "rank 3; meaning 0.59"),
    ];
    items.extend((4..=15).map(|rank| {
        let plan = file("notes/plan.md", (rank, rank + 49), Form::Dropped);
        let reason = format!("rank {rank}: words token; meaning 0.25; {LEFT_OUT}");
        said(plan, 900 + rank, &[("keywords", 0.5), ("meaning", 0.25)], &reason)
    }));
    items.push(said(message(7, Mode::Retrieved, Form::Dropped), 1_200, &[], LEFT_OUT));
    items
}

fn pinned(kind: Kind, id: &str) -> ReceiptItem {
    item(kind, Source::profile(id), Mode::Always, Form::Full)
}

fn file(path: &str, lines: (u32, u32), form: Form) -> ReceiptItem {
    item(Kind::File, Source::file("fil_1", path, lines), Mode::Retrieved, form)
}

fn message(round: i64, mode: Mode, form: Form) -> ReceiptItem {
    let speaker = if round % 2 == 0 { Speaker::user() } else { Speaker::parse("agent:o3") };
    let source =
        Source::message("msg_1", round, &speaker, Timestamp::from_millis(round * 86_400_000));
    item(Kind::Message, source, mode, form)
}

fn item(kind: Kind, source: Source, include_mode: Mode, form: Form) -> ReceiptItem {
    let (scores, reason) = Default::default();
    ReceiptItem { kind, source, include_mode, score: None, scores, tokens: 0, form, reason }
}

fn said(item: ReceiptItem, tokens: u32, scores: &[(&str, f32)], reason: &str) -> ReceiptItem {
    let score =
        (item.include_mode == Mode::Retrieved).then(|| scores.iter().map(|(_, value)| value).sum());
    let scores = scores.iter().map(|(name, value)| (Cow::Owned((*name).to_owned()), *value));
    ReceiptItem { tokens, score, scores: scores.collect(), reason: reason.to_owned(), ..item }
}
