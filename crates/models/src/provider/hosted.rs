//! A provider's own store for searching in files, as OpenAI has it: made for one call, filled, asked
//! and deleted. Every request has a limit of time, and so has the waiting until the store is ready.

use super::Provider;
use super::trouble::connection;
use crate::client::Client;
use crate::error::{ModelsError, Trouble};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// For each request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Between two looks at a store that is being filled.
const LOOK: Duration = Duration::from_millis(200);

/// Where such stores are had.
#[derive(Debug, Clone)]
pub struct HostedStores {
    provider: Provider,
    client: reqwest::Client,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedHit {
    /// The id of its file.
    pub file: String,
    pub text: String,
}

impl HostedStores {
    /// None where the address cannot have any.
    pub(crate) fn new(provider: &Provider, client: &Client) -> Option<Self> {
        let url = reqwest::Url::parse(&provider.base_url).ok()?;
        let client = client.to(&url).clone();
        (provider.name == "openai").then(|| Self { provider: provider.clone(), client })
    }

    pub fn provider(&self) -> &str {
        &self.provider.name
    }

    /// Uploads a text; its id. The provider itself deletes it after two hours: whoever is killed
    /// before the id is noted could not.
    pub async fn upload(&self, name: &str, text: &str) -> Result<String, ModelsError> {
        const BOUNDARY: &str = "dossier-7f3c9a51e2d84b06";
        let name = name.replace(['"', '\r', '\n'], "_");
        let body = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nassistants\r\n\
             --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"expires_after[anchor]\"\r\n\r\n\
             created_at\r\n\
             --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"expires_after[seconds]\"\r\n\r\n\
             7200\r\n\
             --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             content-type: text/plain\r\n\r\n{}\r\n--{BOUNDARY}--\r\n",
            text.replace(BOUNDARY, "dossier")
        );
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let request = self.request(Method::POST, "files")?.header(CONTENT_TYPE, kind).body(body);
        self.id(request).await
    }

    /// Makes an empty store; its id. The provider itself deletes it after a day without use.
    pub async fn create(&self) -> Result<String, ModelsError> {
        let expires = json!({"anchor": "last_active_at", "days": 1});
        let body = json!({"name": "dossier", "expires_after": expires});
        self.id(self.json("vector_stores", &body)?).await
    }

    /// Puts uploaded files into a store and waits until they can be searched.
    pub async fn fill(
        &self,
        store: &str,
        files: &[String],
        patience: Duration,
    ) -> Result<(), ModelsError> {
        let deadline = Instant::now() + patience;
        let path = format!("vector_stores/{store}/file_batches");
        self.value(self.json(&path, &json!({"file_ids": files}))?).await?;
        loop {
            let path = format!("vector_stores/{store}");
            let state = self.value(self.request(Method::GET, &path)?).await?;
            let count = |key: &str| state["file_counts"][key].as_u64().unwrap_or(0);
            let ended = count("completed") + count("failed") + count("cancelled");
            if count("in_progress") == 0 && ended >= files.len() as u64 {
                return Ok(());
            }
            if Instant::now() >= deadline {
                let waited = format!("its store was not ready after {} s", patience.as_secs());
                return Err(self.failed(Trouble::TimedOut { waited }));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    pub async fn search(
        &self,
        store: &str,
        query: &str,
        limit: usize,
    ) -> Result<Vec<HostedHit>, ModelsError> {
        let path = format!("vector_stores/{store}/search");
        let body = json!({"query": query, "max_num_results": limit.clamp(1, 50)});
        let found = self.value(self.json(&path, &body)?).await?;
        let hit = |hit: &Value| {
            let texts = hit["content"].as_array()?.iter().filter_map(|part| part["text"].as_str());
            let text = texts.collect::<Vec<_>>().join("\n");
            Some(HostedHit { file: hit["file_id"].as_str()?.to_owned(), text })
        };
        Ok(found["data"]
            .as_array()
            .map(|hits| hits.iter().filter_map(hit).collect())
            .unwrap_or_default())
    }

    pub async fn delete_store(&self, id: &str) -> Result<(), ModelsError> {
        self.delete(&format!("vector_stores/{id}")).await
    }

    pub async fn delete_file(&self, id: &str) -> Result<(), ModelsError> {
        self.delete(&format!("files/{id}")).await
    }

    /// What is not there any more is deleted as well.
    async fn delete(&self, path: &str) -> Result<(), ModelsError> {
        let request = self.request(Method::DELETE, path)?.timeout(PATIENCE);
        let answer = request.send().await;
        let answer = answer.map_err(|error| self.failed(connection(&self.provider, &error)))?;
        match answer.status().as_u16() {
            200..300 | 404 => Ok(()),
            status => {
                let said = format!("status {status}");
                Err(self.failed(Trouble::Unavailable { retry_after: None, said }))
            }
        }
    }

    fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, ModelsError> {
        let request = self.client.request(method, format!("{}{path}", self.provider.base_url));
        let Some(key) = self.provider.key() else { return Ok(request) };
        let value = HeaderValue::try_from(format!("Bearer {}", key.reveal()));
        let mut value = value.map_err(|_| {
            let said = "its key holds characters that no key has; store it anew".to_owned();
            self.failed(Trouble::Invalid { said })
        })?;
        value.set_sensitive(true);
        Ok(request.header(AUTHORIZATION, value))
    }

    fn json(&self, path: &str, body: &Value) -> Result<RequestBuilder, ModelsError> {
        let request = self.request(Method::POST, path)?;
        Ok(request.header(CONTENT_TYPE, "application/json").body(body.to_string()))
    }

    async fn id(&self, request: RequestBuilder) -> Result<String, ModelsError> {
        let value = self.value(request).await?;
        let id = value["id"].as_str().map(str::to_owned);
        id.ok_or_else(|| self.failed(Trouble::Broken { said: "it gave no id".to_owned() }))
    }

    async fn value(&self, request: RequestBuilder) -> Result<Value, ModelsError> {
        let broken = |error: reqwest::Error| self.failed(connection(&self.provider, &error));
        let answer = request.timeout(PATIENCE).send().await.map_err(broken)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(broken)?;
        if !status.is_success() {
            let said = format!("status {} from its file store", status.as_u16());
            return Err(self.failed(Trouble::Unavailable { retry_after: None, said }));
        }
        serde_json::from_slice(&body)
            .map_err(|error| self.failed(Trouble::Broken { said: error.to_string() }))
    }

    fn failed(&self, trouble: Trouble) -> ModelsError {
        let (provider, model) = (self.provider.name.clone(), "file store".to_owned());
        ModelsError::Call { provider, model, trouble }
    }
}
