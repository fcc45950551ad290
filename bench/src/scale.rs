//! The same conversation alone, and in the same project with very much other material: what does
//! its size cost, in time and in evidence? The questions are asked of all sizes in turn, so that
//! noise falls on all alike.
//!
//! Preparing takes long, so the databases are kept in a folder and used again. The vectors of the
//! largest are generated: paragraphs' own, moved a little at random.

use crate::material;
use anyhow::{Context, Result};
use dossier_core::exchange::Conversation;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId, ThreadId};
use dossier_core::item::Form;
use dossier_core::vector::Quantised;
use dossier_engine::eval::{Case, CaseQuestion, Quantiles};
use dossier_engine::{
    AssembleRequest, Embedder, Engine, Project, Shape, Silent, ToolUse, Workspace,
};
use dossier_store::{OwnerStore, Store};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// Chunks of other material, and whether their vectors are real.
const SIZES: [(usize, Vectors); 3] =
    [(0, Vectors::Real), (100_000, Vectors::Real), (1_000_000, Vectors::Generated)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vectors {
    Real,
    Generated,
}

/// All sizes up to this one, in SQLite files of the folder or in databases of the server.
pub async fn measure(
    case: &Case,
    folder: &Path,
    server: Option<&str>,
    most: usize,
) -> Result<String> {
    std::fs::create_dir_all(folder)?;
    let mut stands = Vec::new();
    for (size, vectors) in SIZES.into_iter().filter(|(size, _)| *size <= most) {
        let url = match server {
            Some(server) => format!("{server}_{size}"),
            None => format!("sqlite:{}", folder.join(format!("{size}.db")).display()),
        };
        // PostgreSQL is asked for time alone.
        let vectors = if server.is_some() && size > 0 { Vectors::Generated } else { vectors };
        stands.push(Stand::open(&url, case, size, vectors).await?);
    }
    let mut table = String::from(
        "| Other chunks | Vectors | P50 ms | P90 ms | P90, times the small one | All evidence |\n\
         |---|---|---|---|---|---|\n",
    );
    // The first round warms what a process keeps.
    for question in case.questions.iter().take(20) {
        for stand in &mut stands {
            stand.ask(question).await?;
            stand.milliseconds.clear();
            stand.found = 0;
        }
    }
    for question in &case.questions {
        for stand in &mut stands {
            stand.ask(question).await?;
        }
    }
    let small = Quantiles::of(stands[0].milliseconds.clone()).p90;
    for stand in &stands {
        let times = Quantiles::of(stand.milliseconds.clone());
        writeln!(
            table,
            "| {} | {} | {:.1} | {:.1} | {:.2} | {:.1} % |",
            stand.size,
            stand.vectors,
            times.p50,
            times.p90,
            times.p90 / small,
            100.0 * stand.found as f64 / case.questions.len() as f64,
        )?;
        stand.engine.close().await;
    }
    Ok(table)
}

impl std::fmt::Display for Vectors {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Real => "real",
            Self::Generated => "generated",
        })
    }
}

/// A project of one size.
struct Stand {
    size: usize,
    vectors: Vectors,
    engine: Engine,
    workspace: Workspace,
    project: Project,
    /// The data set's name of each message.
    names: HashMap<String, String>,
    milliseconds: Vec<f64>,
    found: usize,
}

impl Stand {
    async fn open(url: &str, case: &Case, size: usize, vectors: Vectors) -> Result<Self> {
        let engine = Engine::open(url, Embedder::local()).await?;
        let workspace = engine.owner(&OwnerId::local());
        let now = dossier_engine::now();
        let project = workspace.project(Some("scale"), now).await?;
        let store = Store::open(url).await?.owner(&OwnerId::local());
        if workspace.thread(&project.id, &case.id).await.is_err() {
            let conversation = Conversation {
                title: Some(case.id.clone()),
                messages: case.messages.clone(),
                ..Conversation::default()
            };
            workspace.import(&project.id, &conversation, now).await?;
            workspace.embed_pending(&project.id, &Silent).await?;
        }
        let thread = workspace.thread(&project.id, &case.id).await?.id;
        prepare(&workspace, &store, &project, size, vectors).await?;
        let names = names(&store, &thread, case).await?;
        let milliseconds = Vec::new();
        Ok(Self { size, vectors, engine, workspace, project, names, milliseconds, found: 0 })
    }

    async fn ask(&mut self, question: &CaseQuestion) -> Result<()> {
        let request = AssembleRequest {
            project: self.project.clone(),
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
            now: dossier_engine::now(),
        };
        let start = Instant::now();
        let dossier = self.workspace.assemble(&request).await?;
        self.milliseconds.push(start.elapsed().as_secs_f64() * 1_000.0);
        let shown: Vec<&String> = dossier
            .receipt
            .items
            .iter()
            .filter(|item| item.form == Form::Full)
            .filter_map(|item| self.names.get(&item.source.id))
            .collect();
        if question.evidence.iter().all(|evidence| shown.contains(&evidence)) {
            self.found += 1;
        }
        Ok(())
    }
}

async fn names(
    store: &OwnerStore,
    thread: &ThreadId,
    case: &Case,
) -> Result<HashMap<String, String>> {
    let stored = store.messages(thread).await?;
    let given = case.messages.iter().map(|message| message.id.clone().unwrap_or_default());
    Ok(stored.iter().map(|message| message.id.to_string()).zip(given).collect())
}

/// Adds what is missing of the material and its vectors.
async fn prepare(
    workspace: &Workspace,
    store: &OwnerStore,
    project: &Project,
    size: usize,
    vectors: Vectors,
) -> Result<()> {
    let model = Embedder::local().model()?.context("the local embedder has a model")?.to_owned();
    let coverage = store.coverage(&project.id, &model).await?;
    if coverage.chunks < size as u64 {
        let paragraphs = material::paragraphs()?;
        let texts: Vec<String> = material::mixed(&paragraphs, size).collect();
        for conversation in material::conversations(&texts) {
            workspace.import(&project.id, &conversation, dossier_engine::now()).await?;
        }
    }
    if vectors == Vectors::Generated {
        generate(store, project, &model).await?;
    }
    workspace.embed_pending(&project.id, &Silent).await?;
    Ok(())
}

/// Gives every chunk that has none a vector near that of some paragraph.
async fn generate(store: &OwnerStore, project: &Project, model: &str) -> Result<()> {
    const CENTRES: usize = 2_000;
    const BATCH: usize = 2_048;
    let pending = store.pending_vectors(&project.id, model).await?;
    if pending.is_empty() {
        return Ok(());
    }
    let paragraphs = material::paragraphs()?;
    let every = (paragraphs.len() / CENTRES).max(1);
    let some: Vec<&str> = paragraphs.iter().step_by(every).map(String::as_str).collect();
    let centres = Embedder::local().embed(&some)?;
    let mut random = Random(1);
    let ids: Vec<ChunkId> = pending.iter().map(|chunk| chunk.id).collect();
    for ids in ids.chunks(BATCH) {
        let pending = store.still_pending(model, ids).await?;
        let vectors: Vec<(ContentHash, Vec<Quantised>)> = pending
            .iter()
            .map(|chunk| {
                let centre = &centres[(random.next() * centres.len() as f32) as usize];
                (chunk.hash(), vec![moved(centre, &mut random)])
            })
            .collect();
        store.put_vectors(model, &vectors).await?;
    }
    Ok(())
}

fn moved(centre: &[f32], random: &mut Random) -> Quantised {
    let moved: Vec<f32> = centre.iter().map(|value| value + 0.1 * (random.next() - 0.5)).collect();
    let length = moved.iter().map(|value| value * value).sum::<f32>().sqrt();
    Quantised::of(&moved.iter().map(|value| value / length).collect::<Vec<_>>())
}

/// Numbers below one, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}
