//! Work on other threads ends with whoever waits for it: a thread cannot be stopped, so it asks
//! whether it is still wanted, once for each file.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work was given up.
#[derive(Debug, Clone, Default)]
pub(super) struct GivenUp(Arc<AtomicBool>);

/// Gives work up when it is dropped.
#[derive(Debug, Default)]
pub(super) struct WhileWanted(GivenUp);

impl GivenUp {
    pub(super) fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl WhileWanted {
    pub(super) fn given_up(&self) -> GivenUp {
        self.0.clone()
    }
}

impl Drop for WhileWanted {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}
