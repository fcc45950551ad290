//! A provider that answers at once, so that what a proxy adds is all that is measured.

use anyhow::Result;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Pieces of a streamed answer.
const PIECES: usize = 20;

/// What a provider was asked, in order.
pub type Requests = Arc<Mutex<Vec<Value>>>;

/// Starts one that gives these answers in turn, and the last of them ever after, and keeps what it
/// is asked. Titles and summaries are answered, too, and take none of them.
pub async fn start_with(answers: Vec<String>) -> Result<(SocketAddr, Requests)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let requests = Requests::default();
    let heard = Arc::clone(&requests);
    let given = Arc::new(AtomicUsize::new(0));
    let answers = Arc::new(answers);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (heard, given, answers) =
                (Arc::clone(&heard), Arc::clone(&given), Arc::clone(&answers));
            // A connection that breaks is its client's loss.
            tokio::spawn(answer(stream, heard, given, answers));
        }
    });
    Ok((address, requests))
}

async fn answer(
    mut stream: TcpStream,
    heard: Requests,
    given: Arc<AtomicUsize>,
    answers: Arc<Vec<String>>,
) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut read = Vec::new();
    while let Some(end) = read_request(&mut stream, &mut read).await? {
        let head = find(&read, b"\r\n\r\n").map_or(end, |head| head + 4);
        let request: Value = serde_json::from_slice(&read[head..end])?;
        // Turns go to the model that was named; titles and summaries to the cheapest.
        let place = match request["model"] == "gpt-4o" {
            true => given.fetch_add(1, Ordering::Relaxed),
            false => 0,
        };
        let said = answers.get(place).or(answers.last()).cloned().unwrap_or_default();
        if let Ok(mut heard) = heard.lock() {
            heard.push(request);
        }
        stream.write_all(&streamed(&[said])).await?;
        read.drain(..end);
    }
    Ok(())
}

/// Starts one that always says the same, for as long as the process runs.
pub async fn start() -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (whole, streamed) = (whole(), streamed(&words()));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A connection that breaks is its client's loss.
            tokio::spawn(serve(stream, whole.clone(), streamed.clone()));
        }
    });
    Ok(address)
}

async fn serve(mut stream: TcpStream, whole: Vec<u8>, streamed: Vec<u8>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut request = Vec::with_capacity(64 * 1024);
    loop {
        let Some(end) = read_request(&mut stream, &mut request).await? else { return Ok(()) };
        let wants_stream = contains(&request[..end], b"\"stream\":true")
            || contains(&request[..end], b"\"stream\": true");
        stream.write_all(if wants_stream { &streamed } else { &whole }).await?;
        request.drain(..end);
    }
}

/// Reads until a request is whole, and returns where it ends; nothing when the client has gone.
async fn read_request(stream: &mut TcpStream, request: &mut Vec<u8>) -> Result<Option<usize>> {
    loop {
        if let Some(head) = find(request, b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&request[..head]).to_lowercase();
            let length = text.lines().find_map(|line| {
                line.strip_prefix("content-length:")?.trim().parse::<usize>().ok()
            });
            let end = head + 4 + length.unwrap_or(0);
            if request.len() >= end {
                return Ok(Some(end));
            }
        }
        if stream.read_buf(request).await? == 0 {
            return Ok(None);
        }
    }
}

pub fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn contains(text: &[u8], what: &[u8]) -> bool {
    find(text, what).is_some()
}

fn words() -> Vec<String> {
    (0..PIECES).map(|number| format!("word{number} ")).collect()
}

fn whole() -> Vec<u8> {
    let message = json!({ "role": "assistant", "content": words().concat() });
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000,
        "model": "gpt-4o",
        "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 20, "completion_tokens": 40, "total_tokens": 60 },
    })
    .to_string();
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn streamed(words: &[String]) -> Vec<u8> {
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_760_000_000,
            "model": "gpt-4o",
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        })
    };
    let mut frames: Vec<String> = words
        .iter()
        .map(|word| chunk(json!({ "role": "assistant", "content": word }), json!(null)))
        .chain([chunk(json!({}), json!("stop"))])
        .map(|frame| frame.to_string())
        .collect();
    let usage = json!({ "prompt_tokens": 20, "completion_tokens": 40, "total_tokens": 60 });
    frames.push(
        json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk",
        "created": 1_760_000_000, "model": "gpt-4o", "choices": [], "usage": usage })
        .to_string(),
    );
    frames.push("[DONE]".to_owned());
    let mut response = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
        transfer-encoding: chunked\r\n\r\n"
        .to_vec();
    for frame in frames {
        let frame = format!("data: {frame}\n\n");
        response.extend(format!("{:x}\r\n{frame}\r\n", frame.len()).into_bytes());
    }
    response.extend(b"0\r\n\r\n");
    response
}
