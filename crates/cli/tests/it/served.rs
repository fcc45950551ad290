//! The program as a server: started, asked over its socket, ended or killed.

use crate::desk::Desk;
use dossier_testkit::Provider;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::NamedTempFile;

/// A server that is killed with the story, if it has not stopped by itself.
pub struct Served {
    process: Child,
    /// What it writes on standard error: in a file, since a pipe that nobody reads would fill up.
    log: NamedTempFile,
    pub address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Served {
    /// Starts the server and waits until it says where it is.
    pub fn start(command: &mut Command) -> Self {
        Self::start_reading(command, &[])
    }

    /// The same for one that may read below these folders.
    pub fn start_reading(command: &mut Command, roots: &[&Path]) -> Self {
        let log = NamedTempFile::new().unwrap();
        let mut process = command
            .args(["serve", "--listen", "127.0.0.1:0", "--json"])
            .args(roots.iter().flat_map(|root| [OsStr::new("--root"), root.as_os_str()]))
            .stdout(Stdio::piped())
            .stderr(log.reopen().unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let address = told["listen"].as_str().unwrap().to_owned();
        assert_eq!(told, json!({ "url": format!("http://{address}"), "listen": address }));
        Self { process, log, address }
    }

    /// Starts it with a provider that follows a script.
    pub fn with_provider(desk: &Desk, provider: &Provider, embedder: &str) -> Self {
        let mut command = desk.bare::<&str>(&[]);
        command
            .env("DOSSIER_EMBEDDER", embedder)
            .env("OPENAI_API_KEY", "sk-hunter2hunter2hunter2")
            .env("OPENAI_BASE_URL", provider.url("/v1"));
        Self::start(&mut command)
    }

    /// The most memory that it has had, in kilobytes.
    pub fn peak(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Asks, and waits for the answer.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, Value) {
        let stream = send(&self.address, method, path, headers, body).unwrap();
        receive(stream).expect("a whole answer")
    }

    /// Ends it at once, without a word.
    pub fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Asks it politely to end, and returns its exit code and its log.
    pub fn end(mut self) -> (Option<i32>, String) {
        let id = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        let code = self.process.wait().unwrap().code();
        (code, std::fs::read_to_string(self.log.path()).unwrap())
    }
}

/// Asks, and does not wait.
pub fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}",
    )?;
    Ok(stream)
}

/// The answer; nothing if the server ended before it was whole.
pub fn receive(mut stream: TcpStream) -> Option<(u16, Value)> {
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let cut = |length: &str| length.trim().parse() != Ok(body.len());
    if head
        .to_lowercase()
        .split_once("content-length:")
        .is_some_and(|(_, rest)| cut(rest.lines().next().unwrap_or_default()))
    {
        return None;
    }
    Some((status, serde_json::from_str(body).unwrap_or_default()))
}
