//! Writing the journal back into the file, beside the writers. Left to itself SQLite has whoever
//! commits the thousandth page do it, who then waits for the disk with a person before them.

use crate::sql;
use crate::store::{Backend, Inner};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// After so many commits the journal is written back.
const COMMITS: u32 = 100;

/// How much has been committed since the journal was last written back.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    commits: AtomicU32,
    is_busy: AtomicBool,
}

impl Journal {
    /// Notes a commit; whether the journal is to be written back now, by the caller.
    fn is_due(&self) -> bool {
        let commits = self.commits.fetch_add(1, Ordering::Relaxed) + 1;
        commits >= COMMITS && !self.is_busy.swap(true, Ordering::Relaxed)
    }

    fn written_back(&self) {
        self.commits.store(0, Ordering::Relaxed);
        self.is_busy.store(false, Ordering::Relaxed);
    }
}

/// Notes a commit, and has the journal written back when it has grown.
pub(crate) fn committed(inner: &Arc<Inner>) {
    let Backend::Sqlite(local) = &inner.backend else { return };
    if !local.journal.is_due() {
        return;
    }
    let inner = Arc::clone(inner);
    tokio::spawn(async move {
        // What fails here SQLite does itself, when the journal is several times as long or the
        // last connection is closed.
        if let Ok(mut connection) = inner.pool.apart().await {
            let checkpoint = sql::script("PRAGMA wal_checkpoint(PASSIVE)");
            let _ = checkpoint.execute(&mut connection).await;
        }
        if let Backend::Sqlite(local) = &inner.backend {
            local.journal.written_back();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_written_back_by_one_at_a_time_and_counted_anew() {
        let journal = Journal::default();
        let due = |count: u32| (0..count).filter(|_| journal.is_due()).count();
        assert_eq!(due(COMMITS - 1), 0);
        assert_eq!(due(2 * COMMITS), 1);
        journal.written_back();
        assert_eq!(due(COMMITS), 1);
    }
}
