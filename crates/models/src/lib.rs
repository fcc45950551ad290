//! Language models behind one trait, [`ChatModel`]: those of providers, and the built-in one that
//! only quotes.
//!
//! [`Models`] knows which there are and gives the one that a name means. Wire formats stay in
//! `provider`; what is asked and said is in `dossier_core::chat`.

mod catalogue;
mod client;
mod courier;
mod error;
mod extractive;
mod keys;
mod model;
mod models;
mod provider;
mod retry;
mod secret;

pub use catalogue::{OwnCatalogue, builtin as builtin_catalogue};
pub use courier::{Courier, NotDelivered};
pub use error::{ModelsError, Trouble};
pub use extractive::Extractive;
pub use keys::{KeyOrigin, KeyStore, Keys};
pub use model::{ChatModel, Events, Limits, answer};
pub use models::{Models, Refreshed};
pub use provider::{
    AddressOrigin, Declarations, Declared, FileSays, Forward, HostedHit, HostedStores, KeyShown,
    Passed, Provider, ProviderState, Sources, Wire,
};
pub use retry::Patience;
pub use secret::Secret;
