//! What a store promises, told as stories. Each is run on a real SQLite file and on a real
//! PostgreSQL.

#![expect(clippy::unwrap_used, clippy::panic, reason = "stories say what went wrong by panicking")]

#[macro_use]
mod database;
mod sample;

mod access;
mod answers;
mod backups;
mod blobs;
mod concurrency;
mod consult;
mod crash;
mod damage;
mod facts;
mod files;
mod forgetting;
mod format;
mod health;
mod hiding;
mod isolation;
mod maxima;
mod outage;
mod personas;
mod projects;
mod refs;
mod rest;
mod search;
mod selections;
mod statistics;
mod threads;
mod turns;
mod vectors;

mod sqlite_file;
