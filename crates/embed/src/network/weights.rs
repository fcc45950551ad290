//! The weights as the build script has packed them, each part as the type that the network reads.
//!
//! Invariant: the parts are views of one constant, made when the crate is compiled. A file that
//! does not have the length of all the parts does not compile.

use super::shape::{BLOCKS, DEPTH, HIDDEN, INNER, LANES, LAYERS, POSITIONS, WORDS};

pub(super) static WEIGHTS: Weights = Weights::read(&PACKED.0);

/// On the boundary of a cache line, and with it each block of weights.
#[repr(align(64))]
struct Aligned<T: ?Sized>(T);

static PACKED: &Aligned<[u8]> =
    &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/minilm.weights")));

/// A number of 32 bits as it is stored, in the order of small machines.
pub(super) type Stored = [u8; 4];
/// As many numbers as are worked on side by side.
pub(super) type StoredLanes = [Stored; LANES];
/// The weights of a block of channels for some consecutive inputs, channel by channel.
pub(super) type Block = [u8; LANES * DEPTH];
/// The weights of some blocks of channels for all inputs, of which there are `K` times [`DEPTH`].
pub(super) type Group<const K: usize> = [[Block; BLOCKS]; K];

/// [`HIDDEN`] numbers, in lanes.
pub(super) const ROW: usize = HIDDEN / LANES;
/// [`INNER`] numbers, in lanes.
pub(super) const INNER_ROW: usize = INNER / LANES;
/// [`HIDDEN`] inputs, as they are multiplied.
pub(super) const DEPTHS: usize = HIDDEN / DEPTH;
/// [`INNER`] inputs, as they are multiplied.
pub(super) const INNER_DEPTHS: usize = INNER / DEPTH;

pub(super) struct Weights {
    pub(super) layers: [Layer; LAYERS],
    pub(super) norm: Norm,
    /// With what is added for the type of a text.
    pub(super) positions: &'static [[StoredLanes; ROW]],
    pub(super) word_scale: Stored,
    pub(super) word_zero: Stored,
    pub(super) words: &'static [[[u8; LANES]; ROW]],
}

pub(super) struct Layer {
    /// Queries, keys and values, in this order.
    pub(super) attention: Matrix<DEPTHS>,
    pub(super) attended: Matrix<DEPTHS>,
    pub(super) attended_norm: Norm,
    pub(super) widen: Matrix<DEPTHS>,
    pub(super) narrow: Matrix<INNER_DEPTHS>,
    pub(super) norm: Norm,
}

pub(super) struct Norm {
    pub(super) gain: &'static [StoredLanes],
    pub(super) bias: &'static [StoredLanes],
}

/// Weights of eight bits, with what turns the sums of a channel into floats.
pub(super) struct Matrix<const K: usize> {
    pub(super) groups: &'static [Group<K>],
    pub(super) scales: &'static [[StoredLanes; BLOCKS]],
    pub(super) biases: &'static [[StoredLanes; BLOCKS]],
    /// Of the weights of each channel.
    pub(super) sums: &'static [[StoredLanes; BLOCKS]],
}

impl Weights {
    const fn read(packed: &'static [u8]) -> Weights {
        let mut rest = Packed(packed);
        let weights = Weights {
            layers: [
                rest.layer(),
                rest.layer(),
                rest.layer(),
                rest.layer(),
                rest.layer(),
                rest.layer(),
            ],
            norm: rest.norm(),
            positions: rest.lanes(POSITIONS * HIDDEN).as_chunks().0,
            word_scale: rest.number(),
            word_zero: rest.number(),
            words: rest.take(WORDS * HIDDEN).as_chunks().0.as_chunks().0,
        };
        assert!(rest.0.is_empty(), "the build script has packed more than is read");
        weights
    }
}

/// What has not been read yet.
struct Packed(&'static [u8]);

impl Packed {
    const fn take(&mut self, length: usize) -> &'static [u8] {
        let (head, tail) = self.0.split_at(length);
        self.0 = tail;
        head
    }

    const fn number(&mut self) -> Stored {
        self.take(size_of::<Stored>()).as_chunks().0[0]
    }

    const fn lanes(&mut self, count: usize) -> &'static [StoredLanes] {
        self.take(count * size_of::<Stored>()).as_chunks().0.as_chunks().0
    }

    const fn layer(&mut self) -> Layer {
        Layer {
            attention: self.matrix(3 * HIDDEN),
            attended: self.matrix(HIDDEN),
            attended_norm: self.norm(),
            widen: self.matrix(INNER),
            narrow: self.matrix(HIDDEN),
            norm: self.norm(),
        }
    }

    const fn norm(&mut self) -> Norm {
        Norm { gain: self.lanes(HIDDEN), bias: self.lanes(HIDDEN) }
    }

    const fn matrix<const K: usize>(&mut self, outputs: usize) -> Matrix<K> {
        let weights = self.take(K * DEPTH * outputs);
        Matrix {
            groups: weights.as_chunks().0.as_chunks().0.as_chunks().0,
            scales: self.lanes(outputs).as_chunks().0,
            biases: self.lanes(outputs).as_chunks().0,
            sums: self.lanes(outputs).as_chunks().0,
        }
    }
}
