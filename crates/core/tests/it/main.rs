//! Properties of the crate's decisions, over generated input.

mod arrows;
mod chunk;
mod compress;
mod dossier;
mod fit;
mod history;
mod material;
mod rank;
mod tokens;
