//! Traces for a collector, when one is configured by the usual variables
//! (`OTEL_EXPORTER_OTLP_ENDPOINT`, …): how long requests, dossiers, calls of models and storing
//! took. Names and numbers leave the machine, and no content.

use async_trait::async_trait;
use dossier_engine::Courier;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracerProvider, Tracer};
use tokio::runtime::Handle;
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::registry::LookupSpan;

const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// What sends traces until it is ended.
#[derive(Debug)]
pub struct Telemetry(SdkTracerProvider);

impl Telemetry {
    /// Nothing, unless the environment names a collector.
    pub fn begin() -> anyhow::Result<Option<Self>> {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !ENDPOINTS.iter().any(|name| is_set(name)) {
            return Ok(None);
        }
        let client = Post { courier: Courier::new()?, runtime: Handle::current() };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpJson)
            .build()?;
        let resource = Resource::builder().with_service_name("dossier").build();
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource);
        Ok(Some(Self(provider.build())))
    }

    pub fn layer<S>(&self) -> OpenTelemetryLayer<S, Tracer>
    where
        S: tracing::Subscriber + for<'span> LookupSpan<'span>,
    {
        tracing_opentelemetry::layer().with_tracer(self.0.tracer("dossier"))
    }

    /// Sends what is left. A collector that does not answer is not waited for long.
    pub async fn end(self) {
        let ended = tokio::task::spawn_blocking(move || self.0.shutdown());
        let _ = ended.await;
    }
}

/// Sends with the connection of the providers. It is asked from a thread of its own.
#[derive(Debug)]
struct Post {
    courier: Courier,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Post {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let courier = self.courier.clone();
        let (head, body) = request.into_parts();
        let headers: Vec<(String, Vec<u8>)> = head
            .headers
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
            .collect();
        let url = head.uri.to_string();
        let sent = self
            .runtime
            .spawn(async move { courier.post(&url, headers, body.to_vec()).await })
            .await??;
        Ok(Response::builder().status(sent).body(Bytes::new())?)
    }
}
