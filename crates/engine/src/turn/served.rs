//! How well what was chosen served a reply. It is counted when the reply is stored and told: the reply
//! does not wait for it, only the end of the turn does.

use super::answer::{Held, Part, Told};
use dossier_core::id::ReceiptId;
use dossier_core::receipt::ReceiptItem;
use dossier_core::render::Block;
use dossier_core::selection::{Fetched, Selection, Served};

/// What a dossier considered, and what it showed.
pub(super) struct Chosen {
    items: Vec<ReceiptItem>,
    blocks: Vec<Block>,
}

/// A dossier that a model has answered.
pub(super) struct Answered {
    receipt: ReceiptId,
    chosen: Chosen,
    /// None where the model could fetch nothing.
    fetched: Option<Vec<Fetched>>,
}

impl Part {
    /// What is to be counted of a stored dossier. Nothing is chosen for the question of a persona or
    /// of a session about files; and where an answer is given again, nobody has read what was chosen.
    pub(super) fn chosen(&self, held: Held) -> Option<Chosen> {
        let dossier = held.into_dossier();
        let is_chosen = self.asked.consulting.is_none()
            && self.asked.persona().is_none()
            && dossier.receipt.cached.is_none();
        is_chosen.then_some(Chosen { items: dossier.receipt.items, blocks: dossier.blocks })
    }
}

impl Told {
    /// How the dossier that a reply answers has served it, where that is counted.
    pub(super) fn served(&mut self, receipt: &ReceiptId) -> Option<Served> {
        let place = self.dossiers.iter().position(|answered| answered.receipt == *receipt)?;
        let Answered { chosen, fetched, .. } = self.dossiers.swap_remove(place);
        let selection = Selection::of(chosen.items, &chosen.blocks);
        Some(selection.served(&self.answer.text, fetched.as_deref()))
    }

    /// Notes that a dossier was answered, and what was fetched meanwhile.
    pub(super) fn answered(
        &mut self,
        receipt: &ReceiptId,
        chosen: Option<Chosen>,
        could_fetch: bool,
    ) {
        let fetched = std::mem::take(&mut self.fetched);
        let Some(chosen) = chosen else { return };
        let fetched = could_fetch.then_some(fetched);
        self.dossiers.push(Answered { receipt: receipt.clone(), chosen, fetched });
    }
}
