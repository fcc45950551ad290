//! The real program, run as a person runs it: in a folder of its own, with a home of its own.

#![cfg(test)]

mod desk;
mod postgres;
mod served;
#[expect(dead_code, reason = "shared with the embedder's own tests, which need more of it")]
#[path = "../../../embed/tests/it/service.rs"]
mod service;

mod ask;
mod care;
mod completions;
mod config;
mod conformance;
mod consulted;
mod crowd;
mod documents;
mod embedder;
mod eval;
mod exchange;
mod forget;
mod import;
mod inspector;
mod interrupted;
mod jobs;
mod killed;
mod mcp;
mod memory;
mod output;
mod persona;
mod piped;
mod prompt;
mod provider;
mod rubbish;
mod serve;
mod settings;
mod story;
mod traces;
mod watch;
mod web;
