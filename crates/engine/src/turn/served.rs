//! How well what was chosen served a reply. What was shown is taken apart while the model is asked, so
//! that nothing waits for it; what the reply made of it is counted when the reply is stored.

use super::answer::{Held, Part, Told};
use dossier_core::id::ReceiptId;
use dossier_core::selection::{Fetched, Selection};
use tokio::task::{JoinHandle, spawn_blocking};

/// What is left of a dossier that was stored.
pub(super) struct Stored {
    /// Tokens of the whole thread.
    pub whole: u64,
    /// What was chosen, where that is to be counted.
    pub selection: Option<JoinHandle<Selection>>,
}

/// A dossier that a model has answered.
pub(super) struct Answered {
    receipt: ReceiptId,
    selection: JoinHandle<Selection>,
    /// None where the model could fetch nothing.
    fetched: Option<Vec<Fetched>>,
}

impl Part {
    /// Takes a stored dossier apart, and lets go of what it was made of. Nothing is chosen for the
    /// question of a persona or of a session about files; and where an answer is given again, nobody
    /// has read what was chosen.
    pub(super) fn taken_apart(&self, held: Held) -> Option<JoinHandle<Selection>> {
        let dossier = held.into_dossier();
        let is_chosen = self.asked.consulting.is_none()
            && self.asked.persona().is_none()
            && dossier.receipt.cached.is_none();
        is_chosen
            .then(|| spawn_blocking(move || Selection::of(dossier.receipt.items, &dossier.blocks)))
    }
}

impl Told {
    /// Notes that a dossier was answered, and what was fetched meanwhile.
    pub(super) fn answered(
        &mut self,
        receipt: &ReceiptId,
        selection: Option<JoinHandle<Selection>>,
        could_fetch: bool,
    ) {
        let fetched = std::mem::take(&mut self.fetched);
        let Some(selection) = selection else { return };
        let fetched = could_fetch.then_some(fetched);
        self.dossiers.push(Answered { receipt: receipt.clone(), selection, fetched });
    }

    /// How the dossier that a reply answers has served it, where that is counted.
    pub(super) async fn serve(&mut self, receipt: &ReceiptId) {
        let place = self.dossiers.iter().position(|answered| answered.receipt == *receipt);
        let Some(place) = place else { return };
        let Answered { selection, fetched, .. } = self.dossiers.swap_remove(place);
        // A count that fails costs no reply.
        let Ok(selection) = selection.await else { return };
        self.served = Some(selection.served(&self.answer.text, fetched.as_deref()));
    }
}
