//! A server of the story's own on a free port, and a client that asks it.

use crate::database::Database;
use crate::steady::steady;
use anyhow::{Context as _, Result};
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_engine::{Embedder, Engine, Keeping};
use dossier_server::{Applies, Options, Server, ServerError, SettingRow, Settings};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{HeaderMap, Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub struct Desk {
    pub address: SocketAddr,
    pub engine: Engine,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// On a free port of this machine.
pub fn options() -> Options {
    Options { listen: "127.0.0.1:0".parse().unwrap(), ..Options::default() }
}

impl Desk {
    pub async fn open(database: &Database) -> Result<Self> {
        Self::with(database, options()).await
    }

    pub async fn with(database: &Database, options: Options) -> Result<Self> {
        let engine = Engine::open(&database.url, Embedder::none()).await?;
        Ok(Self::start(engine, options).await?)
    }

    pub async fn start(engine: Engine, options: Options) -> Result<Self, ServerError> {
        let server = Server::bind(engine.clone(), Arc::new(Plain), options).await?;
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Ok(Self { address, engine, stop: Some(stop), server })
    }

    /// Tells the server to stop.
    pub fn tell_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).unwrap();
        }
    }

    /// Waits until the server has stopped.
    pub async fn stopped(mut self) -> Result<()> {
        self.tell_to_stop();
        Ok(self.server.await?)
    }

    pub async fn get(&self, path: &str) -> Result<Reply> {
        self.send(Method::GET, path, &[], "").await
    }

    pub async fn delete(&self, path: &str) -> Result<Reply> {
        self.send(Method::DELETE, path, &[], "").await
    }

    pub async fn post(&self, path: &str, body: Value) -> Result<Reply> {
        self.json(Method::POST, path, body).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Result<Reply> {
        self.json(Method::PUT, path, body).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Result<Reply> {
        self.json(Method::PATCH, path, body).await
    }

    async fn json(&self, method: Method, path: &str, body: Value) -> Result<Reply> {
        let headers = [("content-type", "application/json")];
        self.send(method, path, &headers, body.to_string()).await
    }

    /// A request as it is given; the header Host is added where it is missing.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Reply> {
        let response = self.response(method, path, headers, body).await?;
        let (head, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(Reply { status: head.status.as_u16(), headers: head.headers, body })
    }

    /// The response with a body that may still come.
    pub async fn response(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Response<Incoming>> {
        let stream = TcpStream::connect(self.address).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(HOST, self.address.to_string());
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Ok(sender.send_request(request.body(Full::new(body.into()))?).await?)
    }

    /// A line to the server for what no client would send.
    pub async fn line(&self, text: impl AsRef<[u8]>) -> Result<TcpStream> {
        let mut stream = TcpStream::connect(self.address).await?;
        stream.write_all(text.as_ref()).await?;
        Ok(stream)
    }

    /// A new project, by its id.
    pub async fn project(&self, name: &str) -> Result<String> {
        self.post("/api/projects", json!({ "name": name })).await?.created("id")
    }

    pub async fn file(&self, project: &str, path: &str, content: &str) -> Result<String> {
        let body = json!({ "path": path, "content": content });
        self.post(&format!("/api/projects/{project}/files"), body).await?.created("id")
    }

    pub async fn token(&self, owner: &str, name: &str) -> Result<String> {
        let owner = OwnerId::from(owner);
        let made = self.engine.create_token(&owner, name, None, dossier_engine::now()).await?;
        Ok(format!("Bearer {}", made.text))
    }
}

/// What comes on a line until its end.
pub async fn rest(mut line: TcpStream) -> Result<String> {
    let mut text = Vec::new();
    line.read_to_end(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

impl Reply {
    #[track_caller]
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Status and document, without what differs from run to run.
    #[track_caller]
    pub fn told(&self) -> (u16, Value) {
        (self.status, steady(&self.json()))
    }

    /// Status and code of a problem, which must have the form of one.
    #[track_caller]
    pub fn problem(&self) -> (u16, String) {
        let document = self.json();
        assert_eq!(self.headers[CONTENT_TYPE], "application/problem+json", "{document}");
        let mut keys: Vec<&String> = document.as_object().unwrap().keys().collect();
        // What has the wrong type is told by its field, too.
        keys.retain(|key| *key != "errors");
        assert_eq!(keys, ["type", "title", "status", "code", "detail", "request_id"], "{document}");
        assert_eq!(document["status"], self.status, "{document}");
        assert_eq!(document["request_id"], self.headers["x-request-id"].to_str().unwrap());
        let code = document["code"].as_str().unwrap();
        assert_eq!(document["type"], format!("urn:dossier:problem:{code}"));
        assert!(!document["detail"].as_str().unwrap().is_empty(), "{document}");
        (self.status, code.to_owned())
    }

    fn created(&self, key: &str) -> Result<String> {
        let document = self.json();
        anyhow::ensure!(self.status == 201, "{document}");
        Ok(document[key].as_str().context("no id")?.to_owned())
    }
}

/// Settings that only the database holds.
#[derive(Debug)]
pub struct Plain;

impl Settings for Plain {
    fn list(&self, _: &OwnerId, held: &BTreeMap<String, Value>) -> Result<Vec<SettingRow>, String> {
        let row = |key: &str, locked| SettingRow {
            key: key.to_owned(),
            value: held.get(key).and_then(Value::as_str).unwrap_or_default().to_owned(),
            origin: if held.contains_key(key) { "database" } else { "default" }.to_owned(),
            locked,
            applies: Applies::Now,
        };
        Ok(vec![row("database", true), row("profile", false), row("user.role", false)])
    }

    fn check(&self, key: &str, value: &str) -> Result<String, String> {
        match (key, ProfileName::parse(value)) {
            ("profile", Err(error)) => Err(error.to_string()),
            _ => Ok(value.to_owned()),
        }
    }

    fn profile(&self, held: &BTreeMap<String, Value>) -> ProfileName {
        let name = held.get("profile").and_then(Value::as_str).map(ProfileName::parse);
        name.and_then(Result::ok).unwrap_or(ProfileName::Lean)
    }

    fn models(&self, held: &BTreeMap<String, Value>) -> Vec<String> {
        let model = held.get("model").and_then(Value::as_str);
        model.into_iter().map(str::to_owned).collect()
    }

    fn grace_days(&self, held: &BTreeMap<String, Value>) -> u32 {
        let days = held.get("forget.grace_days").and_then(Value::as_str);
        days.and_then(|days| days.parse().ok()).unwrap_or(7)
    }

    fn keeping(&self, _: &BTreeMap<String, Value>) -> Keeping {
        Keeping::default()
    }
}
