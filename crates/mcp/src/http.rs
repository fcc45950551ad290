//! The door over HTTP. The server that it stands in has let the caller in, has looked at `Host` and
//! `Origin`, and says whose projects are meant.
//!
//! Invariant: a session belongs to the owner who began it; for everybody else it is not there.

use crate::server::Mcp;
use dossier_core::id::OwnerId;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::{HeaderMap, Request, Response, StatusCode};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// Where the door is.
pub const PATH: &str = "/mcp";

/// How long a session lives in which nothing happens. A call may be silent for long, and whoever
/// goes to lunch finds the session again.
const KEPT: Duration = Duration::from_secs(12 * 3_600);

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

type Whose = Option<OwnerId>;

/// A door as a service of an HTTP server.
pub struct HttpDoor<S> {
    pub config: StreamableHttpServerConfig,
    service: StreamableHttpService<S, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    owners: Arc<Mutex<HashMap<String, Whose>>>,
}

impl<S> Clone for HttpDoor<S> {
    fn clone(&self) -> Self {
        Self {
            config: self.config.clone(),
            service: self.service.clone(),
            sessions: Arc::clone(&self.sessions),
            owners: Arc::clone(&self.owners),
        }
    }
}

impl<S> fmt::Debug for HttpDoor<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HttpDoor")
    }
}

impl Mcp {
    /// The door as a service of an HTTP server.
    pub fn over_http(self) -> HttpDoor<Mcp> {
        let told = self.telling_changes();
        HttpDoor::new(move || told.for_another_client())
    }
}

impl<S: ServerHandler> HttpDoor<S> {
    /// A door that makes somebody to answer for each session, and for each call that has none.
    pub fn new(make: impl Fn() -> S + Send + Sync + 'static) -> Self {
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(KEPT);
        let sessions = Arc::new(sessions);
        let service =
            StreamableHttpService::new(move || Ok(make()), Arc::clone(&sessions), config.clone());
        Self { config, service, sessions, owners: Arc::default() }
    }
}

impl<S> HttpDoor<S> {
    fn is_anothers(&self, session: &str, whose: &Whose) -> bool {
        self.owners().get(session).is_some_and(|owner| owner != whose)
    }

    /// Remembers who began a session, and nobody whose session is over.
    async fn remember(&self, session: String, whose: Whose) {
        let going_on = self.sessions.sessions.read().await;
        let mut owners = self.owners();
        owners.retain(|session, _| going_on.contains_key(session.as_str()));
        owners.insert(session, whose);
    }

    fn owners(&self) -> MutexGuard<'_, HashMap<String, Whose>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session that headers name.
fn named(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

impl<S, B, R> Service<Request<B>> for HttpDoor<S>
where
    S: ServerHandler,
    B: Send + 'static,
    R: Default + Send + 'static,
    StreamableHttpService<S, LocalSessionManager>: Service<
            Request<B>,
            Response = Response<R>,
            Error = Infallible,
            Future = BoxFuture<'static, Result<Response<R>, Infallible>>,
        >,
{
    type Response = Response<R>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<R>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let whose = request.extensions().get::<OwnerId>().cloned();
        if let Some(session) = named(request.headers())
            && self.is_anothers(session, &whose)
        {
            let mut unknown = Response::new(R::default());
            *unknown.status_mut() = StatusCode::NOT_FOUND;
            return std::future::ready(Ok(unknown)).boxed();
        }
        let mut door = self.clone();
        async move {
            let response = door.service.call(request).await?;
            let session = named(response.headers()).map(str::to_owned);
            if let Some(session) = session {
                door.remember(session, whose).await;
            }
            Ok(response)
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Somebody who answers what every server answers.
    struct Plain;

    impl ServerHandler for Plain {}

    /// Sends a message, in a session if it is named: the status, and the session that was begun.
    async fn send(
        door: &HttpDoor<Plain>,
        session: Option<&str>,
        message: Value,
    ) -> (u16, Option<String>) {
        let mut request = Request::post(PATH)
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25");
        if let Some(session) = session {
            request = request.header(SESSION, session);
        }
        let request = request.body(message.to_string()).unwrap();
        let response = door.clone().call(request).await.unwrap();
        (response.status().as_u16(), named(response.headers()).map(str::to_owned))
    }

    async fn begin(door: &HttpDoor<Plain>) -> String {
        let about = json!({"name": "t", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
        let (status, session) = send(door, None, hello).await;
        assert_eq!(status, 200);
        let session = session.unwrap();
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(send(door, Some(&session), begun).await.0, 202);
        session
    }

    async fn ping(door: &HttpDoor<Plain>, session: &str) -> u16 {
        send(door, Some(session), json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})).await.0
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_stays_while_it_is_used_and_goes_when_it_is_not() {
        let door = HttpDoor::new(|| Plain);
        let (used, left) = (begin(&door).await, begin(&door).await);
        // A night, in which one of them is used once.
        for hours in [8, 8] {
            tokio::time::sleep(Duration::from_secs(hours * 3_600)).await;
            assert_eq!(ping(&door, &used).await, 200);
        }
        assert_eq!(ping(&door, &left).await, 404);
        tokio::time::sleep(KEPT + Duration::from_secs(1)).await;
        assert_eq!(ping(&door, &used).await, 404);
        // Whose it was is forgotten with it.
        let new = begin(&door).await;
        assert_eq!(door.owners().keys().collect::<Vec<_>>(), [&new]);
    }
}
