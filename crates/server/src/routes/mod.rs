//! The handlers, one file for each area, with the requests and responses of their own.

pub mod assemble;
pub mod attachments;
pub mod consult;
pub mod conversations;
pub mod docs;
pub mod events;
pub mod facts;
mod figures;
pub mod files;
pub mod forecast;
mod happenings;
pub mod health;
pub mod hidden;
pub mod models;
pub mod openai;
pub mod personas;
pub mod presets;
pub mod projects;
pub mod providers;
pub mod receipts;
pub mod refs;
pub mod replies;
pub mod search;
pub mod settings;
pub mod turns;
pub mod uploads;
pub mod web;

pub use openai::Speech;
