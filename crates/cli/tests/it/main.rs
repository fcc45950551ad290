//! The real program, run as a person runs it: in a folder of its own, with a home of its own.

#![cfg(test)]

mod desk;

mod config;
mod eval;
mod import;
mod output;
mod rubbish;
mod settings;
mod story;
