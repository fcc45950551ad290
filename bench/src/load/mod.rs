//! What a proxy adds to calling a provider that answers at once: ours as it only forwards, ours as
//! it assembles a dossier from a conversation of 20,000 tokens, and LiteLLM's, in one run. Every
//! request is unique, and all ways are taken in turn, so that noise falls on all alike.

mod client;
pub mod provider;

pub use client::Client;

use crate::memory::Memory;
use anyhow::{Context, Result, bail, ensure};
use client::ready;
use dossier_engine::eval::{Case, Quantiles};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Connections at once, and requests over all of them.
const CROWDS: [(usize, usize); 3] = [(1, 300), (16, 960), (64, 1_280)];

const PATH: &str = "/v1/chat/completions";

/// A way to the provider.
struct Way {
    name: &'static str,
    address: String,
    headers: &'static str,
    /// Whether a conversation goes with it: a project and a thread for each connection.
    places: Vec<String>,
}

/// A program that ends with this one.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub async fn measure(case: &Case, program: &Path, litellm: &Path) -> Result<String> {
    let provider = provider::start().await?.to_string();
    let folder = tempfile::tempdir()?;
    let (ours, served) = serve(program, folder.path(), &provider)?;
    let (theirs, their_process) = serve_litellm(litellm, folder.path(), &provider).await?;
    let idle = [Memory::of(&served.0)?, Memory::of(&their_process.0)?];
    let places = prepare(&ours, case).await?;
    let mut ways = [
        Way { name: "direct", address: provider, headers: "", places: Vec::new() },
        Way {
            name: "Dossier, `off`",
            address: ours.clone(),
            headers: "X-Dossier-Profile: off\r\n",
            places: Vec::new(),
        },
        Way {
            name: "Dossier, `lean`, 20,000-token thread",
            address: ours,
            headers: "X-Dossier-Profile: lean\r\n",
            places,
        },
        Way { name: "LiteLLM", address: theirs, headers: "", places: Vec::new() },
    ];
    let mut table = String::from(
        "| Connections | Streamed | Way | P50 ms | P90 ms | Added, P50 ms | Requests a second | \
         times LiteLLM's |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (connections, requests) in CROWDS {
        for streamed in [false, true] {
            let rows = crowd(&mut ways, case, connections, requests, streamed).await?;
            write_rows(&mut table, connections, streamed, &rows)?;
        }
    }
    let after = [Memory::of(&served.0)?, Memory::of(&their_process.0)?];
    writeln!(
        table,
        "\nMemory of its own: Dossier {} idle and {} afterwards, LiteLLM {} and {}.",
        idle[0], after[0], idle[1], after[1]
    )?;
    Ok(table)
}

/// One way's figures.
struct Row {
    name: &'static str,
    times: Quantiles<f64>,
    per_second: f64,
}

async fn crowd(
    ways: &mut [Way],
    case: &Case,
    connections: usize,
    requests: usize,
    streamed: bool,
) -> Result<Vec<Row>> {
    let rounds = if connections == 1 { 30 } else { 4 };
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    let mut elapsed = vec![Duration::ZERO; ways.len()];
    for round in 0..=rounds {
        for (place, way) in ways.iter_mut().enumerate() {
            // Conversations that have not grown yet, as far as there are any.
            if !way.places.is_empty() {
                way.places.rotate_left(connections);
            }
            let start = Instant::now();
            let took = ask_all(way, case, connections, requests / rounds, streamed).await?;
            // The first round opens connections and warms caches.
            if round > 0 {
                elapsed[place] += start.elapsed();
                times[place].extend(took);
            }
        }
    }
    let row = |((way, times), elapsed): ((&Way, Vec<f64>), Duration)| Row {
        name: way.name,
        per_second: times.len() as f64 / elapsed.as_secs_f64(),
        times: Quantiles::of(times),
    };
    Ok(ways.iter().zip(times).zip(elapsed).map(row).collect())
}

async fn ask_all(
    way: &Way,
    case: &Case,
    connections: usize,
    requests: usize,
    streamed: bool,
) -> Result<Vec<f64>> {
    let mut asking = tokio::task::JoinSet::new();
    for connection in 0..connections {
        let mut headers = format!("Authorization: Bearer sk-anything\r\n{}", way.headers);
        if !way.places.is_empty() {
            headers.push_str(&way.places[connection]);
        }
        let questions: Vec<String> = (0..requests / connections)
            .map(|number| body(case, connection + number, streamed))
            .collect();
        let address = way.address.clone();
        asking.spawn(async move {
            let mut client = Client::connect(&address).await?;
            // The connection is not what is measured.
            let mut took = Vec::with_capacity(questions.len());
            for question in questions {
                let response = client.post(PATH, &headers, &question).await?;
                let text = String::from_utf8_lossy(&response.body);
                ensure!(
                    response.status == 200 && text.contains("word19"),
                    "{address} answered {}: {text}",
                    response.status
                );
                took.push(response.took.as_secs_f64() * 1e3);
            }
            Ok(took)
        });
    }
    let mut all = Vec::new();
    while let Some(took) = asking.join_next().await {
        all.extend(took??);
    }
    Ok(all)
}

/// A request that was never made before.
fn body(case: &Case, place: usize, streamed: bool) -> String {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let number = ASKED.fetch_add(1, Ordering::Relaxed);
    let question = &case.questions[place % case.questions.len()].text;
    let content = format!("{question} ({number})");
    json!({
        "model": "gpt-4o", "stream": streamed,
        "messages": [{ "role": "user", "content": content }],
    })
    .to_string()
}

fn write_rows(table: &mut String, connections: usize, streamed: bool, rows: &[Row]) -> Result<()> {
    let theirs = rows.last().context("ways")?.per_second;
    let direct = rows.first().context("ways")?.times.p50;
    let streamed = if streamed { "yes" } else { "no" };
    for row in rows {
        writeln!(
            table,
            "| {connections} | {streamed} | {} | {:.2} | {:.2} | {:.2} | {:.0} | {:.1} |",
            row.name,
            row.times.p50,
            row.times.p90,
            row.times.p50 - direct,
            row.per_second,
            row.per_second / theirs,
        )?;
    }
    Ok(())
}

pub fn serve(program: &Path, folder: &Path, provider: &str) -> Result<(String, Running)> {
    ensure!(program.exists(), "{} is missing: make build", program.display());
    let mut process = Command::new(program)
        .args(["--quiet", "--data"])
        .arg(folder.join("data"))
        .args(["serve", "--listen", "127.0.0.1:0", "--json"])
        .env("OPENAI_API_KEY", "sk-anything")
        .env("OPENAI_BASE_URL", format!("http://{provider}/v1"))
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(folder.join("dossier.log"))?)
        .spawn()?;
    let mut line = String::new();
    let stdout = process.stdout.as_mut().context("standard output")?;
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line)?;
    let told: Value = serde_json::from_str(&line).context("the server did not start")?;
    let address = told["listen"].as_str().context("an address")?.to_owned();
    Ok((address, Running(process)))
}

async fn serve_litellm(program: &Path, folder: &Path, provider: &str) -> Result<(String, Running)> {
    if !program.exists() {
        bail!("LiteLLM is missing: scripts/litellm");
    }
    let config = folder.join("litellm.yaml");
    std::fs::write(
        &config,
        format!(
            "model_list:\n  - model_name: gpt-4o\n    litellm_params:\n      model: openai/gpt-4o\n      \
             api_base: http://{provider}/v1\n      api_key: sk-anything\n"
        ),
    )?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let log = std::fs::File::create(folder.join("litellm.log"))?;
    let process = Command::new(program)
        .arg("--config")
        .arg(&config)
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .args(["--num_workers", "1", "--telemetry", "False"])
        .env("LITELLM_LOG", "ERROR")
        // It refuses to start without a key, on loopback as well.
        .env("LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY", "true")
        .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()?;
    let address = format!("127.0.0.1:{port}");
    let running = Running(process);
    ready(&address, "/health/liveliness").await?;
    Ok((address, running))
}

/// A project with the conversation for each connection; returns the headers that name it.
async fn prepare(address: &str, case: &Case) -> Result<Vec<String>> {
    let most = CROWDS.iter().map(|(connections, _)| *connections).max().unwrap_or(1);
    let mut client = Client::connect(address).await?;
    let messages: Vec<Value> = case
        .messages
        .iter()
        .map(
            |message| json!({ "speaker": message.speaker.to_string(), "content": message.content }),
        )
        .collect();
    let mut places = Vec::new();
    for number in 0..most {
        let name = json!({ "name": format!("load {number}") }).to_string();
        let project = told(client.post("/api/projects", "", &name).await?)?;
        let project = project["id"].as_str().context("a project's id")?.to_owned();
        let talk = json!({ "title": "talk", "messages": messages }).to_string();
        let path = format!("/api/projects/{project}/conversations/import");
        let imported = told(client.post(&path, "", &talk).await?)?;
        let thread = imported["conversation_id"].as_str().context("a thread's id")?;
        places.push(format!("X-Dossier-Project: {project}\r\nX-Dossier-Thread: {thread}\r\n"));
        embedded(&mut client, &project).await?;
    }
    Ok(places)
}

/// Waits until the project's chunks have vectors.
async fn embedded(client: &mut Client, project: &str) -> Result<()> {
    let question = json!({ "project_id": project, "user_turn": "anything" }).to_string();
    for _ in 0..600 {
        let answer = told(client.post("/api/context/assemble", "", &question).await?)?;
        let coverage = &answer["receipt"]["coverage"];
        if coverage["with_vectors"] == coverage["chunks"] {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    bail!("the conversation has no vectors yet")
}

pub fn told(response: client::Response) -> Result<Value> {
    let text = String::from_utf8_lossy(&response.body);
    ensure!(response.status < 300, "{}: {text}", response.status);
    let (from, to) = (text.find('{').context("no object")?, text.rfind('}').context("no end")?);
    Ok(serde_json::from_str(&text[from..=to])?)
}
