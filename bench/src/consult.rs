//! A session of ten turns over a thousand files of a real tree: tokens against sending everything
//! each time, and the time until the model is asked, of the second turn against the first.

use anyhow::{Context, Result, ensure};
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Event, Finish, Prompt};
use dossier_core::id::OwnerId;
use dossier_engine::{
    AnswerLimits, ChatModel, ConsultRequest, Embedder, Engine, Events, FilesReport, Roots,
    builtin_catalogue, now,
};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const FILES: usize = 1_000;
const TURNS: usize = 10;

/// A model that notes when it is asked.
#[derive(Debug)]
struct Noting {
    info: ModelInfo,
    asked: Arc<Mutex<Option<Instant>>>,
}

impl ChatModel for Noting {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, _: Prompt, _: AnswerLimits) -> Events {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        let events = [Ok(Event::Text("Noted.".to_owned())), Ok(Event::Finish(Finish::Stop))];
        Box::pin(futures::stream::iter(events))
    }
}

pub async fn measure(sources: &Path) -> Result<String> {
    let folder = tempfile::Builder::new().prefix("tree").tempdir()?;
    let files = copied(sources, folder.path())?;
    let url = format!("sqlite:{}", folder.path().join(".store/dossier.db").display());
    std::fs::create_dir(folder.path().join(".store"))?;
    let workspace = Engine::open(&url, Embedder::none()).await?.owner(&OwnerId::local());
    let asked = Arc::new(Mutex::new(None));
    let info = builtin_catalogue().info("openai/gpt-4.1");
    let model: Arc<dyn ChatModel> = Arc::new(Noting { info, asked: Arc::clone(&asked) });
    let mut request = ConsultRequest {
        project: workspace.project(None, now()).await?,
        assistant: "builtin".to_owned(),
        session_id: "bench".to_owned(),
        instructions: "Review the files.".to_owned(),
        context: vec![PathBuf::from(".")],
        attachments: Vec::new(),
        priority_context: Vec::new(),
        roots: Roots::new(&[folder.path().to_owned()])?,
        model: Some(model),
        client_message_id: None,
        now: now(),
    };
    let mut turns: Vec<(FilesReport, Duration)> = Vec::new();
    for turn in 0..TURNS {
        for file in files.iter().skip(turn * 3).take(if turn == 0 { 0 } else { 3 }) {
            let text = std::fs::read_to_string(file)?;
            std::fs::write(file, format!("{text}\n// turn {turn}\n"))?;
        }
        request.instructions = format!("Turn {turn}.");
        let began = Instant::now();
        let consultation = workspace.consult(&request).await?;
        let mut stream = consultation.stream;
        while stream.next().await.is_some() {}
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).context("not asked")?;
        turns.push((consultation.files, asked.duration_since(began)));
    }
    table(&turns)
}

/// So many files of a tree, from all parts of it.
fn copied(from: &Path, to: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let is_source = path.extension().is_some_and(|ending| ending == "rs");
            match (kind.is_dir(), is_source) {
                (true, _) => folders.push(path),
                (false, true) => found.push(path),
                (false, false) => {}
            }
        }
    }
    found.sort();
    ensure!(found.len() >= FILES, "{} has only {} files", from.display(), found.len());
    let mut copies = Vec::with_capacity(FILES);
    let step = found.len() / FILES;
    for path in found.into_iter().step_by(step).take(FILES) {
        let copy = to.join(path.strip_prefix(from)?);
        std::fs::create_dir_all(copy.parent().context("a file has a folder")?)?;
        std::fs::copy(&path, &copy)?;
        copies.push(copy);
    }
    Ok(copies)
}

fn table(turns: &[(FilesReport, Duration)]) -> Result<String> {
    let mut table = String::from(
        "| Turn | Sent | Unchanged | Searched | Tokens sent | Tokens saved | ms until asked |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (turn, (files, time)) in (1..).zip(turns) {
        writeln!(
            table,
            "| {turn} | {} | {} | {} | {} | {} | {:.0} |",
            files.sent,
            files.unchanged,
            files.searchable,
            files.tokens_sent,
            files.tokens_saved,
            time.as_secs_f64() * 1e3,
        )?;
    }
    let later = turns.iter().skip(1).map(|(files, _)| files);
    let sent: u32 = later.clone().map(|files| files.tokens_sent).sum();
    let saved: u32 = later.map(|files| files.tokens_saved).sum();
    let share = 100.0 * f64::from(saved) / f64::from(sent + saved).max(1.0);
    let (first, second) = (turns.first().context("turns")?.1, turns.get(1).context("turns")?.1);
    let ratio = second.as_secs_f64() / first.as_secs_f64();
    writeln!(
        table,
        "\nAfter the first turn {share:.1} % fewer tokens of files than with everything sent each \
         time; the second prompt takes {ratio:.2} of the time of the first."
    )?;
    Ok(table)
}
