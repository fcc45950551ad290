//! All facts of a project at hand, to be compared with a question at once.

use super::{Remembered, Sought};
use crate::vector::Rows;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Facts in the order of their ids. Their vectors are laid side by side when they are first asked
/// for, since many changes may come before that.
#[derive(Debug, Default)]
pub struct Memory {
    facts: Vec<Arc<Remembered>>,
    /// The rows of one embedder; there is hardly ever a second.
    rows: OnceLock<(String, Rows)>,
}

impl Memory {
    pub fn new(facts: Vec<Arc<Remembered>>) -> Self {
        Self { facts, rows: OnceLock::new() }
    }

    /// How like each fact is to what is sought, in their order.
    pub(super) fn similarities(&self, sought: &Sought) -> Vec<f32> {
        let each = || self.facts.iter().map(|known| sought.similarity(known)).collect();
        let Some((model, vectors)) = &sought.vectors else { return each() };
        let (own, rows) = self.rows.get_or_init(|| (model.clone(), self.rows_of(model)));
        if own != model {
            return each();
        }
        let rows = rows.similarities(vectors);
        // Where nothing has a vector there are no rows.
        let rows = rows.into_iter().chain(std::iter::repeat(None));
        let facts = self.facts.iter().zip(rows);
        facts.map(|(known, row)| row.unwrap_or_else(|| sought.similarity(known))).collect()
    }

    fn rows_of(&self, model: &str) -> Rows {
        Rows::of(self.facts.iter().map(|known| {
            let own = known.embedding.as_ref().filter(|embedding| embedding.model == model);
            own.map(|embedding| &embedding.vector)
        }))
    }
}

impl Deref for Memory {
    type Target = [Arc<Remembered>];

    fn deref(&self) -> &Self::Target {
        &self.facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Embedding, Fact, FactKind, Quotation};
    use crate::time::Timestamp;
    use crate::vector::Quantised;

    fn fact(id: &str, text: &str, embedding: Option<(&str, [f32; 2])>) -> Arc<Remembered> {
        let at = Timestamp::from_millis(0);
        let fact = Fact {
            id: id.into(),
            kind: FactKind::Fact,
            text: text.to_owned(),
            source: Quotation { thread: None, message: None, quote: text.to_owned() },
            topic: None,
            tags: Vec::new(),
            created_at: at,
            confirmed_at: at,
            valid_from: at,
            valid_until: None,
            superseded_by: None,
            pinned: false,
            doubt: None,
        };
        let embedding = embedding.map(|(model, vector)| Embedding {
            model: model.to_owned(),
            vector: Quantised::of(&vector),
        });
        Arc::new(Remembered::new(fact, embedding))
    }

    #[test]
    fn all_at_once_are_as_alike_as_one_by_one() {
        let memory = Memory::new(vec![
            fact("fct_1", "The ferry sails at nine.", Some(("m", [1.0, 0.0]))),
            fact("fct_2", "The ferry sails at ten.", None),
            fact("fct_3", "The quay is wet.", Some(("n", [0.6, 0.8]))),
            fact("fct_4", "The quay is dry.", Some(("m", [0.6, 0.8]))),
        ]);
        let vectors = vec![Quantised::of(&[0.8, 0.6])];
        for vectors in [
            None,
            Some(("m".to_owned(), vectors.clone())),
            Some(("n".to_owned(), vectors.clone())),
            Some(("none".to_owned(), vectors)),
        ] {
            let sought = Sought::new("When does the ferry sail?", vectors);
            let each: Vec<f32> = memory.iter().map(|known| sought.similarity(known)).collect();
            assert_eq!(memory.similarities(&sought), each);
        }
    }
}
