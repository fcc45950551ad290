//! Finding facts among a hundred thousand, against the least that it takes: embedding the question
//! once, and one bare comparison of its vector with all others.

use anyhow::{Context, Result};
use dossier_core::facts::{Fact, FactKind, Quotation};
use dossier_core::id::{FactId, OwnerId};
use dossier_core::time::Timestamp;
use dossier_core::vector::Quantised;
use dossier_engine::eval::{Case, Quantiles};
use dossier_engine::{Embedder, Engine, FactQuery, now};
use dossier_store::Store;
use std::fmt::Write as _;
use std::time::Instant;

const FACTS: usize = 100_000;
/// Facts that are written together.
const TOGETHER: usize = 2_000;
const QUESTIONS: usize = 200;

pub async fn measure(case: &Case) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite:{}", folder.path().join("facts.db").display());
    let embedder = Embedder::local();
    let engine = Engine::open(&url, Embedder::local()).await?;
    let workspace = engine.owner(&OwnerId::local());
    let project = workspace.project(None, now()).await?;
    let store = Store::open(&url).await?.owner(&OwnerId::local());
    let texts: Vec<&str> = case.messages.iter().map(|said| said.content.as_str()).collect();
    let own = embedder.embed(&texts)?;
    let mut random = Random(1);
    for start in (0..FACTS).step_by(TOGETHER) {
        let known = store.facts(&project.id).await?;
        let facts: Vec<Fact> = (start..start + TOGETHER)
            .map(|number| fact(number, texts[number % texts.len()], now()))
            .collect();
        anyhow::ensure!(store.write_facts(&project.id, &known, &facts, &[]).await?);
        let vectors: Vec<(FactId, String, Quantised)> = (start..)
            .zip(facts)
            .map(|(number, fact)| {
                let vector = &own[number % own.len()];
                let moved: Vec<f32> = vector.iter().map(|value| value + random.small()).collect();
                (fact.id, fact.text, Quantised::of(&moved))
            })
            .collect();
        let model = embedder.model()?.context("an embedder has a name")?;
        store.put_fact_vectors(&project.id, model, &vectors).await?;
    }
    let bare: Vec<Quantised> = store
        .facts(&project.id)
        .await?
        .facts
        .iter()
        .filter_map(|known| known.embedding.as_ref().map(|embedding| embedding.vector.clone()))
        .collect();
    anyhow::ensure!(bare.len() == FACTS);
    let (mut ours, mut floors) = (Vec::new(), Vec::new());
    for question in case.questions.iter().cycle().take(QUESTIONS + 10) {
        let query = question.text.as_str();
        let sought = FactQuery { project: Some(&project.id), query, ..FactQuery::default() };
        let began = Instant::now();
        let found = workspace.top_facts(&sought, now()).await?;
        ours.push(began.elapsed().as_secs_f64() * 1e3);
        anyhow::ensure!(found.len() == 12);
        let began = Instant::now();
        let asked = Quantised::of(&embedder.embed(&[question.text.as_str()])?[0]);
        let best = bare.iter().map(|vector| vector.similarity(&asked)).fold(0.0, f32::max);
        floors.push(began.elapsed().as_secs_f64() * 1e3);
        anyhow::ensure!(best > 0.0);
    }
    // The first ones warm what a process keeps.
    let (ours, floors) = (Quantiles::of(ours.split_off(10)), Quantiles::of(floors.split_off(10)));
    let mut table = String::from("| | P50 ms | P90 ms |\n|---|---|---|\n");
    writeln!(table, "| one embedding and one bare scan | {:.1} | {:.1} |", floors.p50, floors.p90)?;
    writeln!(table, "| the 12 top facts of {FACTS} | {:.1} | {:.1} |", ours.p50, ours.p90)?;
    writeln!(table, "| ratio | {:.2} | {:.2} |", ours.p50 / floors.p50, ours.p90 / floors.p90)?;
    Ok(table)
}

fn fact(number: usize, said: &str, at: Timestamp) -> Fact {
    let text: String = format!("{number}: {}", said.replace('\n', " ")).chars().take(400).collect();
    Fact {
        id: format!("fct_{number:06}").as_str().into(),
        kind: FactKind::Fact,
        source: Quotation { thread: None, message: None, quote: text.clone() },
        text,
        topic: None,
        tags: Vec::new(),
        created_at: at,
        confirmed_at: at,
        valid_from: at,
        valid_until: None,
        superseded_by: None,
        pinned: false,
        doubt: None,
    }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn small(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 40) as f32 / (1_u64 << 24) as f32 - 0.5) * 0.05
    }
}
