//! One store over two databases. SQLite is the embedded default; PostgreSQL serves teams and
//! several server processes. Portable SQL stands beside the noun it is about; what
//! differs between the two stands in `sqlite` and `postgres`.
//!
//! Every query names its owner: nothing can be asked of a [`Store`] but a handle on one owner's
//! rows, and every method lives on that [`OwnerStore`].
//!
//! The caller makes ids and times; the store writes what it is given.

mod error;
mod store;

mod blobs;
mod blocks;
mod files;
mod hidden;
mod messages;
mod projects;
mod receipts;
mod threads;

mod cache;
mod chunks;
mod search;
mod statistics;
mod vectors;

mod answers;
mod asked;
mod assemblies;
mod config;
mod consult;
mod factors;
mod facts;
mod hosted;
mod jobs;
mod models;
mod personas;
mod presets;
mod refs;
mod replies;
mod selections;
mod sessions;
mod stories;
mod tokens;
mod totals;
mod turns;
mod usage;
mod waits;

mod backups;
mod care;
mod maxima;
mod mend;
mod surroundings;
mod verify;

mod insert;
mod migrate;
mod postgres;
mod reindex;
mod row;
mod sql;
mod sqlite;
mod squeeze;
mod write;

pub use answers::{AnswerRow, KeptAnswer};
pub use asked::Asked;
pub use assemblies::{Assembly, AssemblySums, LookedUp, Quantiles};
pub use backups::{Backup, Backups};
pub use blobs::LARGE_CONTENT;
pub use consult::{ConsultKey, ConsultRecord, ConsultSession, NewConsult};
pub use error::StoreError;
pub use factors::Factor;
pub use facts::FactsAtHand;
pub use files::{FileMetadata, FileRecord, FileStat};
pub use hidden::{Hidden, Holding};
pub use hosted::{Hosted, HostedKind};
pub use jobs::{Job, JobEnd, JobState};
pub use messages::{MessageRow, Order, ThreadImport};
pub use models::ModelRow;
pub use presets::{Feedback, PutAway, Used};
pub use projects::{Project, ProjectCounts};
pub use receipts::ReceiptRow;
pub use refs::{
    CompressedSum, Look, RefBrief, RefFilter, RefRow, RefSum, RefSums, RefsBy, Summarised,
};
pub use replies::{KeptReply, Reservation};
pub use selections::{SelectionSum, SelectionsBy};
pub use sessions::Session;
pub use sqlite::Restored;
pub use store::{DatabaseKind, OwnerStore, Store};
pub use stories::StoryLink;
pub use surroundings::surroundings;
pub use threads::{MadeOf, Thread};
pub use turns::{EndedReply, Learned, NewReply, NewTurn, Reply, Turn};
pub use usage::{ANSWER_CACHE, UsageBy, UsageFilter, UsageRow, UsageSum};
pub use vectors::{Alike, Coverage, PendingChunk};
pub use waits::Waits;
