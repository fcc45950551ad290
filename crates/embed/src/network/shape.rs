//! The sizes of all-MiniLM-L6-v2, and of the pieces in which its weights are kept. The build script
//! packs the weights by these numbers and the network reads them by the same.

pub const LAYERS: usize = 6;
pub const HIDDEN: usize = 384;
pub const INNER: usize = 1536;
pub const WORDS: usize = 30_522;
pub const POSITIONS: usize = 512;

/// Floats that are worked on side by side, and output channels whose weights lie side by side.
pub const LANES: usize = 16;
/// Inputs whose products one instruction sums: four bytes fill one lane of 32 bits.
pub const DEPTH: usize = 4;
/// Blocks of [`LANES`] channels that are computed together, so that an input is fetched once for
/// all of them. It divides the blocks of each matrix.
pub const BLOCKS: usize = 3;
