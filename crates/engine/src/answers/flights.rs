//! Questions that a model is being asked and whose answers will be kept. Whoever asks the same
//! meanwhile waits for that answer, so that a model is asked once.

use dossier_core::hash::ContentHash;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// By the names that answers are kept under; each names its owner.
#[derive(Debug, Default)]
pub(crate) struct Flights(Mutex<HashMap<ContentHash, watch::Receiver<()>>>);

/// Who asks.
pub(crate) enum Flight {
    First(Asking),
    /// Ends when the first has its answer stored, or has none.
    Later(watch::Receiver<()>),
}

/// A question that a model is being asked, until this is dropped.
#[derive(Debug)]
pub(crate) struct Asking {
    flights: Arc<Flights>,
    key: ContentHash,
    _waiting: watch::Sender<()>,
}

impl Flights {
    pub(crate) fn begin(self: &Arc<Self>, key: &ContentHash) -> Flight {
        let mut flights = self.lock();
        if let Some(first) = flights.get(key) {
            return Flight::Later(first.clone());
        }
        let (sender, receiver) = watch::channel(());
        flights.insert(key.clone(), receiver);
        Flight::First(Asking { flights: Arc::clone(self), key: key.clone(), _waiting: sender })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ContentHash, watch::Receiver<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.flights.lock().remove(&self.key);
    }
}
