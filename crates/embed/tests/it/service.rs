//! A service on loopback that speaks the wire format and follows a script: one reply a request,
//! and well-behaved ones when the script has come to its end.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What the service does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The right answer, last text first.
    Vectors,
    /// A status, some header lines, and a body.
    Says(u16, &'static str, String),
    /// Nothing, ever.
    Hangs,
    /// Hangs up in the middle of an answer.
    Drops,
    /// An answer without end.
    Endless,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Request {
    pub line: String,
    pub authorization: Option<String>,
    pub body: Value,
}

pub struct Service {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Service {
    pub fn start(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let script = Arc::new(Mutex::new(script.into_iter()));
        let arrived = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (script, arrived) = (Arc::clone(&script), Arc::clone(&arrived));
                thread::spawn(move || {
                    let next = || script.lock().unwrap().next().unwrap_or(Reply::Vectors);
                    serve(&stream, next, |request| arrived.lock().unwrap().push(request))
                });
            }
        });
        Self { address, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

/// The vector of a text, before it is scaled.
pub fn vector(text: &str) -> [f32; 3] {
    [text.len() as f32, f32::from(*text.as_bytes().first().unwrap_or(&0)), 3.0]
}

/// Serves one connection until the other side closes it.
fn serve(
    stream: &TcpStream,
    next: impl Fn() -> Reply,
    arrived: impl Fn(Request),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader)? {
        let input = request.body["input"].clone();
        arrived(request);
        let mut writer = stream;
        match next() {
            Reply::Vectors => say(stream, 200, "", &answer(&input))?,
            Reply::Says(status, headers, body) => say(stream, status, headers, &body)?,
            Reply::Hangs => loop {
                thread::park();
            },
            Reply::Drops => {
                return writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{\"da");
            }
            Reply::Endless => {
                writer.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
                let spaces = [b' '; 1 << 16];
                loop {
                    writer.write_all(&spaces)?;
                }
            }
        }
    }
    Ok(())
}

fn read(reader: &mut BufReader<&TcpStream>) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap();
    Ok(Some(Request { line: line.trim_end().to_owned(), authorization, body }))
}

fn answer(input: &Value) -> String {
    let texts = input.as_array().unwrap();
    let items = texts.iter().enumerate().rev().map(|(index, text)| {
        json!({ "object": "embedding", "index": index, "embedding": vector(text.as_str().unwrap()) })
    });
    json!({ "object": "list", "model": "m", "data": items.collect::<Vec<_>>() }).to_string()
}

fn say(mut stream: &TcpStream, status: u16, headers: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} So\r\n{headers}content-length: {length}\r\n\r\n");
    stream.write_all(format!("{head}{body}").as_bytes())
}
