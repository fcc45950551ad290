//! Real folders, real links, real pipes: a fixture that makes them, and the facts about walking and
//! reading them.

#![cfg(test)]

mod decoding;
mod documents;
mod folder;
mod guard;
mod hostile;
mod ignoring;
mod limits;
#[cfg(unix)]
mod links;
mod names;
#[cfg(unix)]
mod roots;
#[cfg(unix)]
mod swaps;
mod walking;
mod zips;
