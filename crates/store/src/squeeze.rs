//! Contents in less space: source and prose take about half in LZ4, and come back faster than the
//! saved pages could be read. What would not become smaller stays as it is.

use crate::error::StoreError;

/// Nothing that is stored in a row is larger; a size beyond it is damage.
const LARGEST: usize = 1 << 30;

/// The content in less space, if it takes less.
pub(crate) fn squeezed(content: &[u8]) -> Option<Vec<u8>> {
    let squeezed = lz4_flex::block::compress_prepend_size(content);
    (squeezed.len() < content.len()).then_some(squeezed)
}

/// The content that was squeezed.
pub(crate) fn restored(squeezed: &[u8]) -> Result<Vec<u8>, StoreError> {
    let damaged = |what: &str| StoreError::unreadable("content", what.to_owned());
    let (size, rest) = lz4_flex::block::uncompressed_size(squeezed)
        .map_err(|error| damaged(&error.to_string()))?;
    if size > LARGEST {
        return Err(damaged("its size is damaged"));
    }
    lz4_flex::block::decompress(rest, size).map_err(|error| damaged(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_smaller_comes_back_and_the_rest_stays() {
        let text = "fn main() { println!(\"hello\"); }\n".repeat(20);
        let small = squeezed(text.as_bytes()).unwrap();
        assert!(small.len() < text.len() / 2);
        assert_eq!(restored(&small).unwrap(), text.as_bytes());
        assert_eq!(squeezed(b"short"), None);
        assert_eq!(squeezed(b""), None);
    }

    #[test]
    fn damage_is_an_error() {
        let mut squeezed = squeezed(&[7; 1000]).unwrap();
        squeezed[3] = 0xff;
        assert!(restored(&squeezed).is_err());
        assert!(restored(&[1]).is_err());
        assert!(restored(&[200, 0, 0, 0, 0xff]).is_err());
    }
}
