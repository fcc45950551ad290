//! Listening, serving, and stopping: what is at work when the server is told to stop comes to its
//! end, up to a deadline.

use crate::around::AsItIs;
use crate::options::{Options, Settings, TokenPolicy};
use crate::state::Door;
use crate::{admit, care, router};
use axum::body::{Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::map_response;
use axum::response::Response;
use axum::{BoxError, Router, http};
use dossier_engine::{Engine, EngineError, now};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower_service::Service;

/// How long a client may take to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// How long it may take to note what was interrupted, and to say so.
const PARKING: Duration = Duration::from_secs(2);

/// Why the server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error(
        "{0} can be reached from other machines, and there is no access token yet; make one: \
         dossier token create NAME, or listen on 127.0.0.1"
    )]
    NoToken(SocketAddr),
    #[error("tokens are required, and there is none yet; make one: dossier token create NAME")]
    NoTokenAtAll,
    #[error(
        "cannot listen on {address}: {source}; end what listens there, or choose another: --listen ADDRESS"
    )]
    Listening { address: SocketAddr, source: io::Error },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    door: Door,
    others: Router<Door>,
}

impl Server {
    /// Begins to listen, where the rules let it.
    pub async fn bind(
        engine: Engine,
        settings: Arc<dyn Settings>,
        options: Options,
    ) -> Result<Self, ServerError> {
        let now = now();
        if admit::needs_token(&options)
            && engine.tokens().await?.iter().all(|token| token.is_expired(now))
        {
            return Err(match options.tokens {
                TokenPolicy::Everyone => ServerError::NoTokenAtAll,
                TokenPolicy::BeyondLoopback => ServerError::NoToken(options.listen),
            });
        }
        let listening = |source| ServerError::Listening { address: options.listen, source };
        let listener = TcpListener::bind(options.listen).await.map_err(listening)?;
        let address = listener.local_addr().map_err(listening)?;
        let door = Door::new(engine, settings, options);
        Ok(Self { listener, address, door, others: Router::new() })
    }

    /// Another door at a path, behind the same checks. A request's extensions say whose it is, as an
    /// [`dossier_core::id::OwnerId`].
    #[must_use]
    pub fn with_door<S, B>(self, path: &str, door: S) -> Self
    where
        S: Service<Request, Response = http::Response<B>, Error = Infallible>,
        S: Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        let as_it_is = map_response(async |mut response: Response| {
            response.extensions_mut().insert(AsItIs);
            response
        });
        let other = Router::new().route_service(path, door).layer(as_it_is);
        Self { others: self.others.merge(other), ..self }
    }

    /// Where it really listens: a port of 0 has become one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` comes; then until what is at work has ended, or the deadline.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, door, others, .. } = self;
        let limits = door.options.limits;
        let router = router::router(door.clone(), others);
        let worker = tokio::spawn(care::work(door.clone()));
        let connections = GracefulShutdown::new();
        let room = Arc::new(Semaphore::new(limits.connections));
        let mut stop = pin!(stop);
        loop {
            let accepted = async {
                let room = Arc::clone(&room).acquire_owned().await;
                (listener.accept().await, room)
            };
            let (accepted, room) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, _)) = accepted else {
                // Out of file handles, most likely: others must end first.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let connection = connections.watch(connection(stream, router.clone()));
            tokio::spawn(async move {
                // A client that went away is no news.
                let _ = connection.await;
                drop(room);
            });
        }
        drop(listener);
        door.stopping.send_replace(true);
        let mut ended = pin!(connections.shutdown());
        if tokio::time::timeout(limits.farewell, &mut ended).await.is_err() {
            // Whoever waits is told that it can be asked for again.
            door.over.send_replace(true);
            let parked = tokio::time::timeout(PARKING, door.engine.park()).await;
            if parked.is_err() || tokio::time::timeout(PARKING, ended).await.is_err() {
                tracing::warn!("some requests were cut off: the time to finish them was over");
            }
        }
        worker.abort();
        let _ = worker.await;
        door.engine.close().await;
    }
}

fn connection(
    stream: TcpStream,
    router: Router,
) -> http1::Connection<TokioIo<TcpStream>, TowerToHyperService<Router>> {
    // Small responses must not wait for more.
    let _ = stream.set_nodelay(true);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
}
