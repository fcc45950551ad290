//! A real tree: the sources of our own dependencies, indexed and searched by the binary itself,
//! from the start of the process to its end.

use crate::material;
use anyhow::{Context, Result, ensure};
use dossier_engine::eval::Quantiles;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4 as _;

/// Packages that get vectors as well; all of them would take an hour.
const WITH_VECTORS: usize = 12;

/// Searches, each by a process of its own.
const QUERIES: [&str; 10] = [
    "retry a request with backoff",
    "where are HTTP headers parsed",
    "\"connection pool\" timeout",
    "spawn a blocking task",
    "tokio",
    "unicode normalisation of strings",
    "error when the file is truncated",
    "serialize a struct to JSON",
    "checked arithmetic overflow",
    "how is a transaction rolled back",
];

pub async fn measure(binary: &Path) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let packages = material::packages()?;
    let all = Home { binary, folder: folder.path().join("all") };
    let first = all.index(&packages, &["--no-vectors"])?;
    let second = all.index(&packages, &["--no-vectors"])?;
    let some = Home { binary, folder: folder.path().join("some") };
    let few = &packages[..WITH_VECTORS.min(packages.len())];
    some.index(few, &["--no-vectors"])?;
    let vectors = some.index(few, &[])?;
    let (words, both) = (all.size()?, some.size()?);
    let mut table = String::from("| | |\n|---|---|\n");
    writeln!(table, "| files, chunks | {}, {} |", words.files, words.chunks)?;
    writeln!(table, "| words searchable after | {:.1} s |", first.elapsed.as_secs_f64())?;
    writeln!(
        table,
        "| again, nothing changed | {:.2} s, {:.1} % of the first |",
        second.elapsed.as_secs_f64(),
        100.0 * second.elapsed.as_secs_f64() / first.elapsed.as_secs_f64()
    )?;
    writeln!(
        table,
        "| beyond the text, for words | {:.1} MB per 10,000 chunks |",
        words.beyond_the_text()
    )?;
    writeln!(
        table,
        "| beyond the text, for words and vectors ({} chunks) | {:.1} MB per 10,000 chunks |",
        both.chunks,
        both.beyond_the_text()
    )?;
    let milliseconds = |name: &str| vectors.report[name].as_f64().context("no time is told");
    writeln!(
        table,
        "| embedder busy | {:.0} % of {:.0} s |",
        100.0 * milliseconds("busy_ms")? / milliseconds("elapsed_ms")?,
        milliseconds("elapsed_ms")? / 1_000.0
    )?;
    for (name, flags) in [("words", &["--embedder", "none"][..]), ("words and meaning", &[])] {
        let home = if name == "words" { &all } else { &some };
        let (times, memory) = home.search(flags)?;
        writeln!(
            table,
            "| `search` by {name}, first result after | P50 {:.0} ms, P90 {:.0} ms; {memory} MB |",
            times.p50, times.p90
        )?;
    }
    Ok(table)
}

/// A data folder.
struct Home<'a> {
    binary: &'a Path,
    folder: PathBuf,
}

struct Run {
    elapsed: Duration,
    report: Value,
}

impl Home<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(self.binary);
        command.arg("--quiet").arg("--data").arg(&self.folder);
        command
    }

    fn index(&self, paths: &[PathBuf], flags: &[&str]) -> Result<Run> {
        let start = Instant::now();
        let output = self.command().arg("index").args(paths).arg("--json").args(flags).output()?;
        let elapsed = start.elapsed();
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(Run { elapsed, report: serde_json::from_slice(&output.stdout)? })
    }

    /// Times to the first byte of a result, and the most megabytes a process took.
    fn search(&self, flags: &[&str]) -> Result<(Quantiles<f64>, u64)> {
        let mut times = Vec::new();
        let mut memory = 0;
        for query in QUERIES {
            let start = Instant::now();
            let mut child = self
                .command()
                .args(flags)
                .args(["search", query])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()?;
            let mut output = child.stdout.take().context("no output")?;
            // Nothing at all when nothing is found.
            let _ = output.read(&mut [0])?;
            times.push(start.elapsed().as_secs_f64() * 1_000.0);
            std::io::copy(&mut output, &mut std::io::sink())?;
            memory = memory.max(child.wait4()?.rusage.maxrss);
        }
        Ok((Quantiles::of(times), memory >> 20))
    }

    /// Bytes of the database and its large contents; backups are not counted.
    fn bytes(&self) -> Result<u64> {
        let mut sum = 0;
        for name in ["dossier.db", "dossier.db-wal", "blobs"] {
            let path = self.folder.join(name);
            sum += if path.exists() { bytes(&path)? } else { 0 };
        }
        Ok(sum)
    }

    fn size(&self) -> Result<Size> {
        let database = self.folder.join("dossier.db");
        let database = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let row: (i64, i64, i64) = database.query_row(
            "SELECT (SELECT COUNT(*) FROM project_files), (SELECT COUNT(*) FROM content_chunks),
                 (SELECT SUM(size) FROM blobs)",
            [],
            |row| row.try_into(),
        )?;
        Ok(Size { files: row.0, chunks: row.1, text: row.2, stored: self.bytes()? })
    }
}

/// What a data folder holds, and the bytes it takes.
struct Size {
    files: i64,
    chunks: i64,
    text: i64,
    stored: u64,
}

impl Size {
    /// Megabytes per 10,000 chunks.
    fn beyond_the_text(&self) -> f64 {
        (self.stored as f64 - self.text as f64) / self.chunks as f64 / 100.0
    }
}

/// Bytes of a file, or of all files below a folder.
fn bytes(path: &Path) -> Result<u64> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    let mut sum = 0;
    for entry in std::fs::read_dir(path)? {
        sum += bytes(&entry?.path())?;
    }
    Ok(sum)
}
