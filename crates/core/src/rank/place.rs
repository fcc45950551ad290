//! The order of places: what breaks ties. No generated id takes part, so a rebuilt index and
//! another database give the same order.

use crate::chunk::{Chunk, Location};
use std::cmp::Ordering;

/// Messages before files; messages by time and position, files by path and place in the file.
pub(super) fn compare(left: &Chunk, right: &Chunk) -> Ordering {
    match (&left.location, &right.location) {
        (
            Location::Message { created_at: left_time, position: left_position, .. },
            Location::Message { created_at: right_time, position: right_position, .. },
        ) => (left_time, left_position)
            .cmp(&(right_time, right_position))
            .then_with(|| left.content.cmp(&right.content)),
        (Location::File { path: left_path, .. }, Location::File { path: right_path, .. }) => {
            (left_path, left.index).cmp(&(right_path, right.index))
        }
        (Location::Message { .. }, Location::File { .. }) => Ordering::Less,
        (Location::File { .. }, Location::Message { .. }) => Ordering::Greater,
    }
}
