//! One line of a conversation that branches: from its last message back to its first.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The ids from the root to `leaf`. What leads back to itself ends there.
pub(super) fn path<Id: Copy + Eq + Hash>(leaf: Id, parents: &HashMap<Id, Option<Id>>) -> Vec<Id> {
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(leaf);
    while let Some(id) = next.filter(|id| parents.contains_key(id) && seen.insert(*id)) {
        path.push(id);
        next = parents.get(&id).copied().flatten();
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_from_the_root_to_the_leaf_and_never_round() {
        let parents = HashMap::from([(1, None), (2, Some(1)), (3, Some(2)), (4, Some(1))]);
        assert_eq!(path(3, &parents), [1, 2, 3]);
        assert_eq!(path(9, &parents), [] as [i32; 0]);
        let round = HashMap::from([(1, Some(2)), (2, Some(1)), (3, Some(8))]);
        assert_eq!(path(1, &round), [2, 1]);
        assert_eq!(path(3, &round), [3]);
    }
}
