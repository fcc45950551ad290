//! `make bench DATA=folder`: quality on the folder's data sets, and times as ratios to a floor or a
//! smaller case in the same run, since machines differ and are noisy. Each part writes its figures
//! to `bench/results`; `PARTS="speed scale"` runs these alone.

mod consult;
mod facts;
mod floor;
mod load;
mod material;
mod memory;
mod quality;
mod rounds;
mod scale;
mod speed;
mod start;
mod tree;

use anyhow::{Context, Result, bail};
use dossier_engine::eval::{Case, read_cases};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The tree comes first: a child's memory is told with that of the process that began it.
const PARTS: [&str; 9] =
    ["tree", "start", "speed", "facts", "quality", "rounds", "load", "consult", "scale"];

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let data = PathBuf::from(arguments.next().context("say where the data is")?);
    let mut parts: Vec<String> = arguments.collect();
    if parts.is_empty() {
        parts = PARTS.map(str::to_owned).to_vec();
    }
    for part in parts {
        let (title, table) = run(&part, &data).await?;
        let report = format!(
            "# {title}\n\n{}, {}, {} cores{}\n\n{table}",
            dossier_engine::now().date(),
            processor(),
            std::thread::available_parallelism().map_or(1, usize::from),
            if cfg!(debug_assertions) { ", a development build" } else { "" },
        );
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        std::fs::create_dir_all(&results)?;
        let server = std::env::var("SERVER").ok().filter(|_| part == "scale");
        let file = results.join(format!("{part}{}.md", server.map_or("", |_| "-postgres")));
        std::fs::write(&file, &report).with_context(|| format!("writing {}", file.display()))?;
        std::io::stdout().write_all(report.as_bytes())?;
    }
    Ok(())
}

/// The title and the figures of a part.
async fn run(part: &str, data: &Path) -> Result<(&'static str, String)> {
    let conversations = || cases(data, "conversations.jsonl");
    Ok(match part {
        "speed" => ("The time of assembling", speed::measure(&conversations()?).await?),
        "facts" => {
            let conversations = conversations()?;
            let case = conversations.first().context("no conversation")?;
            ("A hundred thousand facts", facts::measure(case).await?)
        }
        "quality" => {
            let files = cases(data, "files.jsonl")?;
            ("Evidence in the dossier", quality::measure(&conversations()?, &files).await?)
        }
        "tree" => ("A real tree", tree::measure(&target().join("release/dossier")).await?),
        "start" => {
            ("The start of the MCP door", start::measure(&target().join("release/dossier"))?)
        }
        "rounds" => {
            let conversations = conversations()?;
            let longest = conversations.iter().max_by_key(|case| case.messages.len());
            let case = longest.context("no conversation")?;
            let table = rounds::measure(case, &target().join("release/dossier")).await?;
            ("A hundred rounds", table)
        }
        "load" => {
            let conversations = conversations()?;
            let case = conversations.first().context("no conversation")?;
            let litellm = target().join("../.test/litellm/bin/litellm");
            let table = load::measure(case, &target().join("release/dossier"), &litellm).await?;
            ("What a proxy adds", table)
        }
        "consult" => {
            let tree = std::env::var("TREE").context("TREE names a folder with 1,000 .rs files")?;
            ("A session over a thousand files", consult::measure(Path::new(&tree)).await?)
        }
        "scale" => {
            let conversations = conversations()?;
            let case = conversations.first().context("no conversation")?;
            let server = std::env::var("SERVER").ok();
            let most = std::env::var("MOST").ok().map(|most| most.parse()).transpose();
            let most = most.context("MOST is a number of chunks")?.unwrap_or(usize::MAX);
            let folder = target().join("scale");
            let table = scale::measure(case, &folder, server.as_deref(), most).await?;
            ("A conversation among very much other material", table)
        }
        other => bail!("there is no part `{other}`; parts are {}", PARTS.join(", ")),
    })
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target")
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
