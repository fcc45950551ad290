//! A request as it arrived.

use serde_json::Value;
use std::io::{self, BufRead};

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Method and path: `POST /v1/chat/completions`.
    pub line: String,
    /// Names in lower case, in the order in which they came.
    pub headers: Vec<(String, String)>,
    /// Null when there was none, and a text when it was no JSON.
    pub body: Value,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(own, _)| own == name)?;
        Some(value)
    }

    /// The next request of a connection; none when the client has closed it.
    pub(crate) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(None);
        }
        let line = first.trim_end().rsplit_once(' ').map_or("", |(line, _)| line).to_owned();
        let mut headers = Vec::new();
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            let Some((name, value)) = header.trim_end().split_once(": ") else { break };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        let mut request = Self { line, headers, body: Value::Null };
        let length = request.header("content-length").and_then(|text| text.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body)?;
        request.body = match serde_json::from_slice(&body) {
            Ok(body) => body,
            Err(_) if body.is_empty() => Value::Null,
            Err(_) => String::from_utf8_lossy(&body).into(),
        };
        Ok(Some(request))
    }
}
