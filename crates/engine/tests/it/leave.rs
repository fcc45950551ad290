//! Callers that leave while their turn begins: nothing of it may stay open, whenever they leave.

use crate::answers::relay;
use crate::database::Database;
use crate::desk::noon;
use crate::turn::{desk, request};
use anyhow::Result;
use dossier_engine::{EngineError, TurnStream};
use dossier_testkit::{Provider as Script, Reply};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

stories! {
    whoever_leaves_while_a_turn_begins_leaves_nothing_open,
    whoever_leaves_while_a_turn_is_asked_again_leaves_nothing_open,
    whoever_leaves_while_a_conversation_is_relayed_leaves_nothing_open,
}

/// How often to try to leave at a moment that a busy machine may miss.
pub const TRIES: usize = 200;

/// Leaves such calls at every wait there is, and once more at the one that matters.
pub async fn everywhere<'a, T>(
    database: &Database,
    mut call: impl FnMut() -> BoxFuture<'a, T>,
) -> Result<()> {
    for waits in 0.. {
        let is_over = after(waits, call()).await.is_some();
        nothing_is_open(database).await?;
        if is_over {
            break;
        }
    }
    for _ in 0..TRIES {
        if once_stored(database, call()).await? {
            return Ok(());
        }
    }
    anyhow::bail!("the moment was missed {TRIES} times")
}

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

/// Follows work until its question is stored, and leaves before it can hear of that. How many waits
/// that takes differs from run to run; nor can it be done where all is over within one of them, and
/// then the work is left when it is over.
pub async fn once_stored<T>(database: &Database, work: impl Future<Output = T>) -> Result<bool> {
    let bell = Arc::new(Bell(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&bell));
    let mut work = Box::pin(work);
    let is_in_time = loop {
        // In this order: what has rung may be that the question is stored.
        let has_rung = bell.0.swap(false, Ordering::SeqCst);
        if open(database).await? != 0 {
            break true;
        }
        if has_rung && work.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            break false;
        }
    };
    drop(work);
    nothing_is_open(database).await?;
    Ok(is_in_time)
}

/// Rings when there is news for a caller.
struct Bell(AtomicBool);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Waits until no reply is open any more. One that nobody works on would stay so for half a minute.
pub async fn nothing_is_open(database: &Database) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(15);
    while open(database).await? != 0 {
        anyhow::ensure!(Instant::now() < deadline, "a turn is open, and nobody works on it");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

async fn open(database: &Database) -> Result<i64> {
    database.number("SELECT COUNT(*) FROM turn_replies WHERE state IN ('prepared', 'called')").await
}

/// A caller that does not come back.
fn alone(begun: Result<TurnStream, EngineError>) -> TurnStream {
    begun.unwrap().alone()
}

async fn whoever_leaves_while_a_turn_begins_leaves_nothing_open(database: Database) -> Result<()> {
    let script = Script::answering(|_| Reply::silence())?;
    let desk = desk(&database, &script).await?;
    let wanted = request(&desk, "Where?", &["openai/gpt-4o"]);
    everywhere(&database, || desk.workspace.turn(&wanted).map(alone).boxed()).await
}

async fn whoever_leaves_while_a_turn_is_asked_again_leaves_nothing_open(
    database: Database,
) -> Result<()> {
    let script = Script::answering(|_| Reply::silence())?;
    let desk = desk(&database, &script).await?;
    let wanted = request(&desk, "Where?", &["openai/gpt-4o"]);
    let turn = alone(desk.workspace.turn(&wanted).await).turn.id.clone();
    nothing_is_open(&database).await?;
    let again = || desk.workspace.retry_turn(&turn, &[], noon()).map(alone).boxed();
    everywhere(&database, again).await
}

async fn whoever_leaves_while_a_conversation_is_relayed_leaves_nothing_open(
    database: Database,
) -> Result<()> {
    let script = Script::answering(|_| Reply::silence())?;
    let desk = desk(&database, &script).await?;
    let told = relay(&desk, &["Who is there?", "A walrus.", "Where?"]);
    everywhere(&database, || desk.workspace.relay(told.clone()).map(alone).boxed()).await
}
