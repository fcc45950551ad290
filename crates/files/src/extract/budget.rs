//! What one file may cost with all that is enclosed in it: a mail with a thousand small bombs is
//! no better than one large bomb.

use std::cell::Cell;

use super::Fault;

const MIB: usize = 1024 * 1024;
const ALL_BYTES: usize = 1024 * MIB;
const MOST_ENCLOSED: usize = 500;

const SPENT: Fault = Fault::Bomb("all that it holds is larger than 1,024 MiB");
const TOO_MANY: Fault = Fault::Bomb("it encloses more than 500 documents");

/// What is left of it.
#[derive(Debug)]
pub(super) struct Budget {
    bytes: Cell<usize>,
    enclosed: Cell<usize>,
}

impl Budget {
    pub(super) fn of_one_file() -> Self {
        Self { bytes: Cell::new(ALL_BYTES), enclosed: Cell::new(MOST_ENCLOSED) }
    }

    /// Bytes that may still be unpacked.
    pub(super) fn left(&self) -> usize {
        self.bytes.get()
    }

    /// For bytes that were unpacked or measured, of use or not.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Fault> {
        let left = self.bytes.get().checked_sub(bytes);
        self.bytes.set(left.unwrap_or(0));
        left.map(drop).ok_or(SPENT)
    }

    /// For a document inside the file.
    fn enclose(&self) -> Result<(), Fault> {
        if self.left() == 0 {
            return Err(SPENT);
        }
        let left = self.enclosed.get().checked_sub(1).ok_or(TOO_MANY)?;
        self.enclosed.set(left);
        Ok(())
    }
}

/// How deep inside a file, and what is left of the file's budget.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nest<'a> {
    pub(super) depth: usize,
    pub(super) budget: &'a Budget,
}

impl Nest<'_> {
    /// For a document inside this one.
    pub(super) fn inner(self) -> Result<Self, Fault> {
        self.budget.enclose()?;
        Ok(Self { depth: self.depth + 1, ..self })
    }
}
