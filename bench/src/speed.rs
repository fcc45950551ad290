//! The time of assembling, question by question beside its floor.

use crate::floor::Floor;
use anyhow::Result;
use dossier_core::exchange::Conversation;
use dossier_core::id::OwnerId;
use dossier_engine::eval::{Case, Quantiles};
use dossier_engine::{AssembleRequest, Embedder, Engine, SearchRequest, Shape, Silent, ToolUse};
use std::time::{Duration, Instant};

pub async fn measure(cases: &[Case]) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite:{}", folder.path().join("bench.db").display());
    let engine = Engine::open(&url, Embedder::local()).await?;
    let workspace = engine.owner(&OwnerId::local());
    let (mut embedding, mut query, mut together) = (Vec::new(), Vec::new(), Vec::new());
    let (mut search, mut assembly) = (Vec::new(), Vec::new());
    let start = Instant::now();
    Embedder::local().embed(&["anything"])?;
    let first = milliseconds(start.elapsed());
    let mut chunk = Vec::new();
    for case in cases {
        let floor = Floor::of(case, folder.path())?;
        let now = dossier_engine::now();
        let project = workspace.project(Some(&case.id), now).await?;
        let conversation = Conversation {
            title: Some(case.id.clone()),
            messages: case.messages.clone(),
            ..Conversation::default()
        };
        workspace.import(&project.id, &conversation, now).await?;
        let start = Instant::now();
        let embedded = workspace.embed_pending(&project.id, &Silent).await?;
        chunk.push(milliseconds(start.elapsed()) / embedded.embedded.max(1) as f64);
        for question in &case.questions {
            let request = AssembleRequest {
                project: project.clone(),
                thread: None,
                question: question.text.clone(),
                shape: Shape::Bare,
                budget: Some(3_000),
                model: None,
                intent: None,
                tools: ToolUse::Free,
                history: None,
                round: None,
                brought: None,
                topics: Vec::new(),
                now,
            };
            let (embedded, queried) = floor.time(&question.text)?;
            let start = Instant::now();
            workspace.assemble(&request).await?;
            assembly.push(milliseconds(start.elapsed()));
            let wanted = SearchRequest {
                project: project.id.clone(),
                query: question.text.clone(),
                limit: 10,
                exclude: None,
            };
            let start = Instant::now();
            workspace.search(&wanted).await?;
            search.push(milliseconds(start.elapsed()));
            embedding.push(milliseconds(embedded));
            query.push(milliseconds(queried));
            together.push(milliseconds(embedded + queried));
        }
    }
    engine.close().await;
    let floor = Quantiles::of(together);
    let whole = Quantiles::of(assembly);
    let row = |name: &str, times: Quantiles<f64>| {
        format!("| {name} | {:.2} | {:.2} | {:.2} |\n", times.p50, times.p90, times.p99)
    };
    Ok([
        "Conversations of about 20,000 tokens, 3,000-token dossiers, in milliseconds:\n\n"
            .to_owned(),
        "| | P50 | P90 | P99 |\n|---|---|---|---|\n".to_owned(),
        row("one query embedding", Quantiles::of(embedding)),
        row("one FTS5 query, LIMIT 100", Quantiles::of(query)),
        row("floor: both", floor),
        row("search: gather and rank", Quantiles::of(search)),
        row("assembly: gather, rank, fit and render", whole),
        format!(
            "\nThe embedder starts in {first:.0} ms and takes {:.1} ms a chunk when indexing.\n",
            chunk.iter().sum::<f64>() / chunk.len() as f64
        ),
        format!("\nAssembly P90 is {:.2} times the floor's.\n", whole.p90 / floor.p90),
    ]
    .concat())
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
