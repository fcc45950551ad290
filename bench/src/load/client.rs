//! A client that costs next to nothing: one connection, one request after the other.

use super::provider::find;
use anyhow::{Context, Result, ensure};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub struct Client {
    stream: TcpStream,
    address: String,
    read: Vec<u8>,
}

/// What came back, and how long that took to the last byte.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub body: Vec<u8>,
    pub took: Duration,
}

impl Client {
    pub async fn connect(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, address: address.to_owned(), read: Vec::with_capacity(64 * 1024) })
    }

    pub async fn post(&mut self, path: &str, headers: &str, body: &str) -> Result<Response> {
        self.ask("POST", path, headers, body).await
    }

    pub async fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Response> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        );
        let start = Instant::now();
        self.stream.write_all(request.as_bytes()).await?;
        self.read.clear();
        loop {
            ensure!(self.stream.read_buf(&mut self.read).await? > 0, "the connection was closed");
            if let Some((status, body)) = whole(&self.read) {
                return Ok(Response { status, body, took: start.elapsed() });
            }
        }
    }
}

/// The status and the body as they came, once everything has come.
fn whole(read: &[u8]) -> Option<(u16, Vec<u8>)> {
    let head = find(read, b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&read[..head]).to_lowercase();
    let status = text.split(' ').nth(1)?.parse().ok()?;
    let body = &read[head + 4..];
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let is_whole = match length {
        Some(length) => body.len() >= length,
        None => body.ends_with(b"0\r\n\r\n"),
    };
    is_whole.then(|| (status, body.to_vec()))
}

/// Waits until an address answers with success.
pub async fn ready(address: &str, path: &str) -> Result<()> {
    for _ in 0..1_200 {
        if let Ok(mut client) = Client::connect(address).await
            && let Ok(response) = client.ask("GET", path, "", "").await
            && response.status == 200
        {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    None.context(format!("{address} did not get ready"))
}
