//! Who spoke in what was found last, for each project. A question is embedded in the words of the
//! speakers whom it names, and who they are is known when words have found something; by guessing,
//! embedding need not wait for that. A wrong guess costs time and nothing else.

use dossier_core::id::{OwnerId, ProjectId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Projects that are remembered; beyond them all are guessed anew.
const MOST: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Speakers {
    last: Mutex<HashMap<(OwnerId, ProjectId), Vec<String>>>,
}

impl Speakers {
    /// Whom a search in this project will probably find; nobody when there was none yet.
    pub(crate) fn guess(&self, owner: &OwnerId, project: &ProjectId) -> Vec<String> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.get(&(owner.clone(), project.clone())).cloned().unwrap_or_default()
    }

    pub(crate) fn found(&self, owner: &OwnerId, project: &ProjectId, speakers: Vec<String>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.len() >= MOST {
            last.clear();
        }
        last.insert((owner.clone(), project.clone()), speakers);
    }
}
