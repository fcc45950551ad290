//! What must hold whatever bytes come in: one function a part of the product, each of which
//! panics when its part breaks a promise. libFuzzer calls them from `libfuzzer/`, and the tests
//! of this crate call them with the corpus and a fixed number of its mutations.
//!
//! Invariant: the same bytes always take the same path; there is no clock and no chance.

#![expect(clippy::panic, reason = "a broken promise is told by a panic")]

mod analyse;
mod chunk;
mod compress;
mod extract;
mod fit;
mod import;
mod path;
mod tokens;
mod wordpiece;

pub use analyse::analyse;
pub use chunk::chunk;
pub use compress::compress;
pub use extract::extract;
pub use import::import;
pub use path::path;
pub use tokens::tokens;
pub use wordpiece::wordpiece;

use std::borrow::Cow;

fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// A number below `end` that depends on every byte, for limits and budgets: so an input is plain
/// text, and the fuzzer still reaches every limit.
fn number(data: &[u8], end: usize) -> usize {
    let mix = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    data.iter().fold(0x811c_9dc5, mix) as usize % end
}

/// The text over and over, for one input in 256: what takes the square of its length then takes
/// longer than libFuzzer waits.
fn repeated(text: &str) -> Option<String> {
    const LENGTH: usize = 128 << 10;
    let chosen = !text.is_empty() && number(text.as_bytes(), 256) == 0;
    chosen.then(|| text.repeat(LENGTH.div_ceil(text.len())))
}
