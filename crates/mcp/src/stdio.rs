//! The door on standard input and output, for a client that starts the program.
//!
//! Invariant: nothing but messages of the protocol is written to standard output, and the end of
//! the input is the end of the program.

use crate::steady::Steady;
use rmcp::service::ServerInitializeError;
use rmcp::{ServerHandler, ServiceExt as _};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

/// Calls that are under way when the input ends may take so long to answer.
const FAREWELL: Duration = Duration::from_millis(500);

/// Serves until the input ends.
pub async fn serve_stdio(door: impl ServerHandler) -> io::Result<()> {
    let (input, output) = rmcp::transport::stdio_pipes();
    let ended = Arc::new(Notify::new());
    let input = Watched { input, ended: Arc::clone(&ended) };
    let serving = async {
        match Steady(door).serve((input, output)).await {
            Ok(running) => running.waiting().await.map(|_| ()).map_err(io::Error::other),
            // The client left before it had said who it is.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    };
    let farewell = async {
        ended.notified().await;
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        served = serving => served,
        () = farewell => Ok(()),
    }
}

/// An input that tells when it ends.
struct Watched<R> {
    input: R,
    ended: Arc<Notify>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        let is_over = match &polled {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_over {
            self.ended.notify_one();
        }
        polled
    }
}
