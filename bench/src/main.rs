//! `make bench DATA=folder`: quality on the folder's data sets, and the time of assembling as a
//! ratio to a floor measured in the same run, since machines differ and are noisy. The figures go
//! to `bench/RESULTS.md`.

mod floor;
mod material;
mod quality;
mod scale;
mod speed;

use anyhow::{Context, Result};
use dossier_engine::eval::{Case, read_cases};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[tokio::main]
async fn main() -> Result<()> {
    let data = PathBuf::from(std::env::args().nth(1).context("say where the data is")?);
    let conversations = cases(&data, "conversations.jsonl")?;
    if let Some("scale") = std::env::args().nth(2).as_deref() {
        let case = conversations.first().context("no conversation")?;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/scale");
        let server = std::env::args().nth(3);
        let table = scale::measure(case, &folder, server.as_deref()).await?;
        std::io::stdout().write_all(table.as_bytes())?;
        return Ok(());
    }
    let files = cases(&data, "files.jsonl")?;
    let mut report = format!(
        "# Results\n\n{}, {}, {} cores\n\n",
        dossier_engine::now().date(),
        processor(),
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    writeln!(report, "## Speed\n\n{}", speed::measure(&conversations).await?)?;
    writeln!(report, "## Quality\n\n{}", quality::measure(&conversations, &files).await?)?;
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("RESULTS.md");
    std::fs::write(&results, &report).with_context(|| format!("writing {}", results.display()))?;
    std::io::stdout().write_all(report.as_bytes())?;
    Ok(())
}

fn cases(data: &Path, name: &str) -> Result<Vec<Case>> {
    let path = data.join(name);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{} is missing: DATA names the folder with it", path.display()))?;
    Ok(read_cases(&text)?)
}

fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown processor", |(_, name)| name.trim()).to_owned()
}
