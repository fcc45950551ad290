//! Callers that leave: at one wait of their call after the other.

use crate::database::Database;
use anyhow::Result;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

/// Follows work through so many waits, and leaves at the next: what came of it, if it was over
/// before.
pub async fn after<T>(waits: usize, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut left = waits;
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

/// Waits until no reply is open any more. One that nobody works on would stay so for half a minute.
pub async fn nothing_is_open(database: &Database) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(15);
    let open = "SELECT COUNT(*) FROM turn_replies WHERE state IN ('prepared', 'called')";
    while database.number(open).await? != 0 {
        anyhow::ensure!(Instant::now() < deadline, "a turn is open, and nobody works on it");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}
