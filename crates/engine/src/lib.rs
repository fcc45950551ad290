//! The engine: the order of calls behind every door. It asks the store for candidates, lets
//! `core` decide, and stores what follows. Doors translate and call; decisions stand in `core`.

mod error;
mod mint;
mod workspace;

mod access;
mod changes;
mod config;

mod files;
mod projects;
mod providers;
mod replies;
mod threads;

mod exchange;
mod index;
mod vectors;

mod doctor;
mod forget;
mod list;
mod maintain;

mod answer;
mod answers;
mod assemble;
mod browse;
mod consult;
mod factors;
mod facts;
mod figures;
mod flags;
mod gather;
mod header;
mod receipts;
mod refs;
mod search;
mod speakers;
mod stats;
mod summaries;
mod toolbox;
mod usual;

mod persona;
mod relay;
mod turn;
mod work;

pub mod eval;

pub use access::NewToken;
pub use answer::{Assembled, AssembledBudget};
pub use answers::AnswerSums;
pub use assemble::{AssembleRequest, Dossier, Effort, Shape, ToolUse};
pub use browse::{Filter, Lines, Listing, MOST_HITS};
pub use changes::{Action, Change, Changes, Heard, Listener, Subject};
pub use consult::{
    Assistant, ConsultDescription, ConsultJob, ConsultRequest, ConsultSessionRow, Consultation,
    FilesReport, InlineFile, SessionChoice, SkippedFile,
};
pub use doctor::examine_backups;
pub use error::{EngineError, Known};
pub use exchange::{Archive, Documents, Format, Imported, Incoming, Outcome, Restored};
pub use facts::{
    FactChange, FactCounts, FactFilter, FactPage, FactQuery, FactShown, FactState, NewFact,
    Recalled,
};
pub use figures::{FigureSums, Spent, Standing, Today};
pub use files::{Existing, FileChange, NewFile, SkippedUpload, UPLOAD_BYTES, Upload, Uploaded};
pub use forget::{HoldingKind, Removal};
pub use index::{EmbeddingProgress, IndexReport, IndexRequest, Pinning, Progress, Silent};
pub use list::ProjectSummary;
pub use maintain::{BackupWhen, Keeping, Maintained};
pub use mint::now;
pub use persona::{
    Chat, ChatEnd, ChatRequest, ChatVoice, Chatted, Counted, Judged, MessagesPage, PERSONAS,
    PersonaPage, PersonaShown, PresetPage, PresetShown, WhichMessages, persona_of,
};
pub use projects::{PROJECT_SETTINGS, ProjectChange};
pub use providers::{KeyChange, ProviderChange};
pub use receipts::Preview;
pub use refs::{CompressionSum, ExpandRequest, Expansion, NewRef, RefPage, RefShown};
pub use relay::{Embeddings, Forwarded, RelayRequest, Relayed, Translated, Wire};
pub use search::{Found, FoundEverywhere, Hit, HitIn, SearchRequest};
pub use stats::{Measures, Selections, Stats, SummaryCost, SummarySums};
pub use threads::{MessagePage, Noted, ToolRun};
pub use toolbox::tool_purpose;
pub use turn::{
    Attachment, Brought, Forecast, Freshness, LeftOut, MOST_MODELS, ModelForecast, Replied, Terms,
    TurnEvent, TurnRequest, TurnStream,
};
pub use usual::BUILT_IN;
pub use vectors::VectorReport;
pub use work::KINDS as JOB_KINDS;
pub use workspace::{Engine, Workspace};

pub use dossier_core::refs::Slice;
pub use dossier_embed::{Address, BadAddress, EmbedError, Embedder, Key};
pub use dossier_files::{FilesError, Limits, Roots, SkipReason, Skipped, Watch};
pub use dossier_models::Limits as AnswerLimits;
pub use dossier_models::{
    ChatModel, Courier, Declarations, Declared, Events, FileSays, KeyStore, Models, ModelsError,
    OwnCatalogue, Passed, Patience, Provider, ProviderState, Refreshed, Secret, Sources, Trouble,
    builtin_catalogue,
};
pub use dossier_store::{
    Asked, AssemblySums, Backup, Backups, CompressedSum, Factor, Feedback, FileMetadata,
    FileRecord, Hidden, Holding, KeptReply, Order, Project, Quantiles, RefRow, RefSum, RefSums,
    RefsBy, Reply, Reservation, Restored as RestoredBackup, SelectionSum, StoreError, Thread, Turn,
    UsageBy, UsageFilter, UsageSum, Waits, surroundings,
};
