//! The MCP door on standard input and output: how soon it answers, what it holds before anything is
//! searched, and how soon it lets go of a model that is silent.

use crate::memory::Memory;
use anyhow::{Context, Result, ensure};
use dossier_engine::eval::Quantiles;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const RUNS: usize = 20;

/// For whatever should happen at once.
const PATIENCE: Duration = Duration::from_secs(30);

pub fn measure(program: &Path) -> Result<String> {
    let mut known = Figures::default();
    let folder = tempfile::tempdir()?;
    Door::open(program, folder.path(), None)?.end()?;
    for _ in 0..RUNS {
        known.take(program, folder.path())?;
    }
    let mut new = Figures::default();
    for _ in 0..RUNS {
        new.take(program, tempfile::tempdir()?.path())?;
    }
    let (mut cancelling, mut ending) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        cancelling.push(cancelled(program)?);
        ending.push(ended(program)?);
    }
    let row = |name: &str, figures: Vec<f64>| {
        let Quantiles { p50, p90, .. } = Quantiles::of(figures);
        format!("| {name} | {p50:.1} | {p90:.1} |\n")
    };
    Ok([
        format!("`dossier mcp`, {RUNS} runs each, times in milliseconds:\n\n"),
        "| | P50 | P90 |\n|---|---|---|\n".to_owned(),
        row("to the first answer, on a database that is there", known.answer),
        row("to the first answer, on a new database", new.answer),
        row("resident after `tools/list`, on a database that is there, in MB", known.resident),
        row("resident after `tools/list`, on a new database, in MB", new.resident),
        row("from `notifications/cancelled` until the model is hung up on", cancelling),
        row("from the end of the input to the end of the program, at rest", known.end),
        row("the same while a model is silent", ending),
    ]
    .concat())
}

#[derive(Default)]
struct Figures {
    answer: Vec<f64>,
    resident: Vec<f64>,
    end: Vec<f64>,
}

impl Figures {
    fn take(&mut self, program: &Path, data: &Path) -> Result<()> {
        let begun = Instant::now();
        let mut door = Door::open(program, data, None)?;
        self.answer.push(milliseconds(begun.elapsed()));
        door.ask("tools/list", &json!({}))?;
        self.resident.push(Memory::of(&door.process)?.resident);
        let ended = Instant::now();
        door.end()?;
        self.end.push(milliseconds(ended.elapsed()));
        Ok(())
    }
}

/// How long it takes from giving a call up until the model is hung up on.
fn cancelled(program: &Path) -> Result<f64> {
    let (mut door, silent, _folder) = waiting(program)?;
    let begun = Instant::now();
    let method = "notifications/cancelled";
    door.say(&json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": "chat"}}))?;
    silent.hung_up.recv_timeout(PATIENCE).context("the model was not hung up on")?;
    let took = milliseconds(begun.elapsed());
    door.end()?;
    Ok(took)
}

/// How long it takes from the end of the input, while a model is silent, to that of the program.
fn ended(program: &Path) -> Result<f64> {
    let (door, _silent, _folder) = waiting(program)?;
    let begun = Instant::now();
    door.end()?;
    Ok(milliseconds(begun.elapsed()))
}

/// A door with a call whose model says nothing.
fn waiting(program: &Path) -> Result<(Door, Silent, tempfile::TempDir)> {
    let folder = tempfile::tempdir()?;
    let silent = Silent::start()?;
    let mut door = Door::open(program, folder.path(), Some(silent.address))?;
    let made = json!({"action": "create", "name": "Ada", "systemPrompt": "You are calm."});
    door.ask("tools/call", &json!({"name": "context-manage", "arguments": made}))?;
    let asked = json!({"contextId": "Ada", "message": "Are you there?"});
    let params = json!({"name": "context-chat", "arguments": asked});
    door.say(&json!({"jsonrpc": "2.0", "id": "chat", "method": "tools/call", "params": params}))?;
    silent.asked.recv_timeout(PATIENCE).context("the model was not asked")?;
    Ok((door, silent, folder))
}

/// A provider that takes a request and says nothing.
struct Silent {
    address: SocketAddr,
    asked: Receiver<()>,
    hung_up: Receiver<()>,
}

impl Silent {
    fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let ((ask, asked), (hang_up, hung_up)) = (channel(), channel());
        std::thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut bytes = [0; 64 * 1024];
            while stream.read(&mut bytes).is_ok_and(|read| read > 0) {
                // Nobody may be waiting for it any more.
                let _ = ask.send(());
            }
            let _ = hang_up.send(());
        });
        Ok(Self { address, asked, hung_up })
    }
}

/// The program with a client that writes lines.
struct Door {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Door {
    /// Starts it and waits for its first answer.
    fn open(program: &Path, data: &Path, provider: Option<SocketAddr>) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("--quiet").arg("--data").arg(data).arg("mcp").env_clear().env("HOME", data);
        if let Some(address) = provider {
            command
                .env("OPENAI_API_KEY", "sk-bench")
                .env("OPENAI_BASE_URL", format!("http://{address}/v1"))
                .env("DOSSIER_MODEL", "openai/gpt-4.1");
        }
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} is missing: make build", program.display()))?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        let mut door = Self { process, input, output };
        let about = json!({"name": "bench", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        door.ask("initialize", &hello)?;
        door.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(door)
    }

    fn say(&mut self, message: &Value) -> Result<()> {
        Ok(writeln!(self.input, "{message}")?)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.say(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let told: Value = serde_json::from_str(&line)?;
        ensure!(told["result"].is_object(), "{told}");
        Ok(told)
    }

    /// Ends the input, and waits until the program has ended by itself.
    fn end(mut self) -> Result<()> {
        drop(self.input);
        ensure!(self.process.wait()?.success(), "it ended badly");
        Ok(())
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
