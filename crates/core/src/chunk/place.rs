//! Places: the parts by which a reader finds something in a document, such as its pages, sections
//! and cells. They come with the text that was taken out of it, and go by its lines.

use serde::{Deserialize, Serialize};

/// From this line of a text on, a label holds; up to the next place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Counted from 1.
    pub line: u32,
    /// Such as `page 3` or `section Installing`.
    pub label: String,
}
