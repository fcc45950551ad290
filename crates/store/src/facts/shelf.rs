//! Facts held in memory, a shelf for each project that was asked lately. The store tells before each
//! use whether a shelf is up to date, so that what another process wrote is seen.

use super::FactsAtHand;
use dossier_core::facts::Remembered;
use dossier_core::id::{OwnerId, ProjectId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Projects whose facts are held.
const SHELVES: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Shelves(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    facts: HashMap<(OwnerId, ProjectId), (u64, FactsAtHand)>,
    /// Counts uses, so that the one that was not used for longest can go.
    uses: u64,
}

impl Shelves {
    pub(crate) fn get(&self, owner: &OwnerId, project: &ProjectId) -> Option<FactsAtHand> {
        let mut shelf = self.lock();
        shelf.uses += 1;
        let now = shelf.uses;
        let (used, facts) = shelf.facts.get_mut(&(owner.clone(), project.clone()))?;
        *used = now;
        Some(facts.clone())
    }

    pub(crate) fn put(&self, owner: &OwnerId, project: &ProjectId, facts: &FactsAtHand) {
        let mut shelf = self.lock();
        shelf.uses += 1;
        let now = shelf.uses;
        shelf.facts.insert((owner.clone(), project.clone()), (now, facts.clone()));
        if shelf.facts.len() > SHELVES {
            let oldest = shelf.facts.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                shelf.facts.remove(&key);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Facts with those that were written since, in the order of their ids.
pub(super) fn merged(
    known: &[Arc<Remembered>],
    changed: Vec<Arc<Remembered>>,
) -> Vec<Arc<Remembered>> {
    let mut merged: Vec<Arc<Remembered>> = known.to_vec();
    for fact in changed {
        match merged.binary_search_by(|known| known.fact.id.cmp(&fact.fact.id)) {
            Ok(place) => merged[place] = fact,
            // Ids grow with time, so this is nearly always the end.
            Err(place) => merged.insert(place, fact),
        }
    }
    merged
}
