//! Every decision of Dossier, pure: no I/O, no async, no clock.
//!
//! A question and a pool of candidates go in, a dossier comes out: [`analyse`] and [`chunk`] say
//! what is searchable and under which words, [`rank`] puts candidates into one order, [`history`]
//! and [`compress`] shape the last turns, [`guard`] masks their secrets, [`fit`] keeps the budget, [`render`] writes the messages
//! and [`receipt`] tells why. [`exchange`] reads and writes what comes from and goes to other
//! programs. The same input always gives the same bytes.

pub mod access;
pub mod hash;
pub mod id;
pub mod time;
pub mod vector;

pub mod fields;
pub mod json;
pub mod message;
pub mod tokens;

pub mod analyse;
pub mod chunk;
pub mod fileset;
mod phrase;

pub mod intent;
pub mod rank;
pub mod sameness;

pub mod catalogue;
pub mod guard;
pub mod item;
pub mod profile;
pub mod strategy;
pub mod tier;

pub mod header;
pub mod prompt;
pub mod select;

pub mod refs;

pub mod compress;
pub mod digest;
pub mod facts;
pub mod history;
pub mod persona;
pub mod summaries;

pub mod fit;
pub mod render;

pub mod chat;
pub mod quote;

pub mod forecast;
pub mod receipt;
pub mod savings;
pub mod selection;
pub mod spend;
pub mod story;
pub mod turn;
pub mod work;

pub mod backup;
pub mod exchange;
pub mod health;
pub mod histogram;
pub mod maxima;
