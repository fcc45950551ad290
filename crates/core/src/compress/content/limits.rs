//! How much of a content is shown.

/// The most of each; a content that is larger than `bytes` is shown within the next narrower ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// After so many bytes nothing more is begun.
    pub(super) bytes: usize,
    /// Items of a list of objects.
    pub(super) items: usize,
    /// Values of a list.
    pub(super) scalars: usize,
    /// Members of an object.
    pub(super) members: usize,
    /// Objects within objects.
    pub(super) depth: usize,
    /// Bytes of a text within a document.
    pub(super) string: usize,
    /// Characters of a cell of a table.
    pub(super) cell: usize,
}

pub(super) const RUNGS: [Limits; 3] = [
    Limits {
        bytes: 6_000,
        items: 10,
        scalars: 24,
        members: 60,
        depth: 8,
        string: 1_200,
        cell: 160,
    },
    Limits { bytes: 6_000, items: 10, scalars: 12, members: 30, depth: 5, string: 400, cell: 80 },
    Limits { bytes: 6_000, items: 3, scalars: 6, members: 12, depth: 4, string: 160, cell: 40 },
];

/// The most bytes that are shown of a text, and of the errors in it.
pub(super) const MOST_TEXT: usize = 6_000;

/// The bytes that are shown of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) bytes: usize,
    /// Errors come first, and may take more than anything else.
    pub(super) errors: usize,
}

impl Room {
    /// Of a text by itself: two fifths of it, with errors whole as far as anybody would read them.
    pub(super) fn of(text: &str) -> Self {
        const LEAST: usize = 600;
        let bytes = (text.len() / 5 * 2).clamp(LEAST, MOST_TEXT);
        Self { bytes, errors: MOST_TEXT }
    }

    /// Of a text in a document, whose errors are told apart.
    pub(super) fn within(bytes: usize) -> Self {
        Self { bytes, errors: bytes }
    }
}
