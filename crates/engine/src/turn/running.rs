//! The turns that this process works on, and who listens to them. A listener that was cut off can
//! come back and is told what it missed; a turn that nobody has listened to for a while is given
//! up, so that nobody pays for what nobody reads.

use super::event::TurnEvent;
use dossier_core::id::{OwnerId, TurnId};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// How long a turn goes on though nobody listens, where nothing else is said.
const PATIENCE: Duration = Duration::from_secs(20);

/// Ended turns whose events are still at hand; older ones are told from the store.
const KEPT: usize = 256;

/// Questions that material is held for at the same time; others wait. More would take memory and
/// gain nothing: finding and arranging is work for the processor.
const AT_ONCE: usize = 8;

/// How often whoever searches looks for what another process has left in the middle.
const ROUND: Duration = Duration::from_secs(10);

/// The turns of all owners.
#[derive(Debug)]
pub(crate) struct Running {
    patience: Duration,
    turns: Mutex<Turns>,
    rooms: Arc<Semaphore>,
    /// Held by whoever ends what was interrupted, so that nobody looks at it half done.
    pub(super) recovering: tokio::sync::Mutex<()>,
    /// When it was last looked for, by those who search.
    looked_back: Mutex<HashMap<OwnerId, Instant>>,
}

/// Room for one question's material, until it is dropped.
pub(super) type Room = Option<OwnedSemaphorePermit>;

impl Default for Running {
    fn default() -> Self {
        Self {
            patience: PATIENCE,
            turns: Mutex::default(),
            rooms: Arc::new(Semaphore::new(AT_ONCE)),
            recovering: tokio::sync::Mutex::default(),
            looked_back: Mutex::default(),
        }
    }
}

#[derive(Debug, Default)]
struct Turns {
    channels: HashMap<(OwnerId, TurnId), Arc<Channel>>,
    /// In the order in which they ended.
    ended: VecDeque<(OwnerId, TurnId)>,
}

impl Running {
    /// Gives up what nobody has listened to for so long.
    pub(crate) fn patient_for(patience: Duration) -> Self {
        Self { patience, ..Self::default() }
    }

    /// A channel for a turn that begins.
    pub(super) fn open(&self, owner: &OwnerId, turn: &TurnId) -> Arc<Channel> {
        let channel = Arc::new(Channel::new(self.patience));
        let key = (owner.clone(), turn.clone());
        let mut turns = lock(&self.turns);
        // One that is asked again is no longer an ended one.
        turns.ended.retain(|ended| *ended != key);
        turns.channels.insert(key, Arc::clone(&channel));
        channel
    }

    pub(super) fn get(&self, owner: &OwnerId, turn: &TurnId) -> Option<Arc<Channel>> {
        lock(&self.turns).channels.get(&(owner.clone(), turn.clone())).map(Arc::clone)
    }

    /// Whether it is time to look for what was left in the middle; nobody else is told so now.
    pub(super) fn looks_back(&self, owner: &OwnerId) -> bool {
        let mut looked_back = lock(&self.looked_back);
        let is_due = looked_back.get(owner).is_none_or(|last| last.elapsed() >= ROUND);
        if is_due {
            looked_back.retain(|_, last| last.elapsed() < ROUND);
            looked_back.insert(owner.clone(), Instant::now());
        }
        is_due
    }

    pub(super) async fn room(&self) -> Room {
        // The semaphore is never closed.
        Arc::clone(&self.rooms).acquire_owned().await.ok()
    }

    /// Lets go of the oldest of those that ended.
    pub(super) fn close(&self, owner: &OwnerId, turn: &TurnId) {
        let mut turns = lock(&self.turns);
        turns.ended.push_back((owner.clone(), turn.clone()));
        while turns.ended.len() > KEPT {
            if let Some(oldest) = turns.ended.pop_front() {
                turns.channels.remove(&oldest);
            }
        }
    }

    /// Waits until no turn is running.
    pub(crate) async fn idle(&self) {
        for channel in self.channels() {
            channel.ended().await;
        }
    }

    /// Interrupts what is running, so that it can be asked for again, and waits until that is
    /// stored.
    pub(crate) async fn park(&self) {
        for channel in self.channels() {
            channel.cancelled.send_replace(Cancelled::Parked);
        }
        self.idle().await;
    }

    fn channels(&self) -> Vec<Arc<Channel>> {
        lock(&self.turns).channels.values().cloned().collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Everything that happened in one turn.
#[derive(Debug)]
pub(crate) struct Channel {
    patience: Duration,
    log: Mutex<Log>,
    /// How many events there are, and whether more will come.
    news: watch::Sender<(usize, bool)>,
    listeners: watch::Sender<usize>,
    cancelled: watch::Sender<Cancelled>,
}

/// What nobody waits for any more.
#[derive(Debug, Default)]
enum Cancelled {
    #[default]
    Nothing,
    /// The replies of these models.
    Models(BTreeSet<String>),
    Everything,
    /// Everything, because the program ends.
    Parked,
}

impl Cancelled {
    fn holds(&self, model: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::Models(models) => models.contains(model),
            Self::Everything | Self::Parked => true,
        }
    }

    fn add(&mut self, model: &str) {
        match self {
            Self::Nothing => *self = Self::Models(BTreeSet::from([model.to_owned()])),
            Self::Models(models) => {
                models.insert(model.to_owned());
            }
            Self::Everything | Self::Parked => {}
        }
    }
}

#[derive(Debug, Default)]
struct Log {
    events: Vec<Arc<TurnEvent>>,
}

impl Channel {
    fn new(patience: Duration) -> Self {
        Self {
            patience,
            log: Mutex::default(),
            news: watch::Sender::new((0, false)),
            listeners: watch::Sender::new(0),
            cancelled: watch::Sender::default(),
        }
    }

    pub(super) fn send(&self, event: TurnEvent) {
        self.send_all([event]);
    }

    /// Tells several events together: whoever listens is woken once.
    pub(super) fn send_all(&self, events: impl IntoIterator<Item = TurnEvent>) {
        let mut log = lock(&self.log);
        // What is given up may have something on its tongue.
        if self.news.borrow().1 {
            return;
        }
        log.events.extend(events.into_iter().map(Arc::new));
        let is_last = matches!(log.events.last().map(Arc::as_ref), Some(TurnEvent::Done { .. }));
        self.news.send_replace((log.events.len(), is_last));
    }

    /// Gives the turn up.
    pub(super) fn cancel(&self) {
        self.cancelled.send_replace(Cancelled::Everything);
    }

    /// Gives up the reply of one model; the others go on.
    pub(super) fn cancel_reply(&self, model: &str) {
        self.cancelled.send_modify(|cancelled| cancelled.add(model));
    }

    /// Whether the turn is given up because the program ends.
    pub(super) fn is_parked(&self) -> bool {
        matches!(*self.cancelled.borrow(), Cancelled::Parked)
    }

    /// Returns when a model's reply is given up, by somebody or because nobody has listened for a
    /// while.
    pub(super) async fn given_up(&self, model: &str) {
        let mut cancelled = self.cancelled.subscribe();
        let mut listeners = self.listeners.subscribe();
        let nobody = async {
            loop {
                // The sender lives as long as the channel.
                let _ = listeners.wait_for(|listeners| *listeners == 0).await;
                let somebody = listeners.wait_for(|listeners| *listeners > 0);
                if tokio::time::timeout(self.patience, somebody).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            _ = cancelled.wait_for(|cancelled| cancelled.holds(model)) => {}
            () = nobody => {}
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.news.borrow().1
    }

    async fn ended(&self) {
        let _ = self.news.subscribe().wait_for(|(_, ended)| *ended).await;
    }
}

/// Somebody who listens to a turn, from an event on.
#[derive(Debug)]
pub(super) struct Listener {
    channel: Arc<Channel>,
    news: watch::Receiver<(usize, bool)>,
    next: usize,
    /// Whether the turn is given up when it leaves.
    alone: bool,
}

impl Listener {
    pub(super) fn new(channel: Arc<Channel>, next: usize) -> Self {
        channel.listeners.send_modify(|listeners| *listeners += 1);
        let news = channel.news.subscribe();
        Self { channel, news, next, alone: false }
    }

    pub(super) fn alone(&mut self) {
        self.alone = true;
    }

    pub(super) fn shared(&mut self) {
        self.alone = false;
    }

    /// The next event with its number; none after the last.
    pub(super) async fn next(&mut self) -> Option<(usize, Arc<TurnEvent>)> {
        let next = self.next;
        let known = self.news.wait_for(|(events, ended)| *events > next || *ended).await;
        drop(known.ok()?);
        let event = lock(&self.channel.log).events.get(next).map(Arc::clone)?;
        self.next += 1;
        Some((next, event))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if self.alone {
            self.channel.cancel();
        }
        self.channel.listeners.send_modify(|listeners| *listeners -= 1);
    }
}
