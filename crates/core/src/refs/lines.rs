//! The lines of a text as they are counted in slices and in what compressed texts point to. A very
//! long line counts as several, so that a slice of any text is small. Put together they are the
//! text.

use crate::chunk::{bounded, each_line};

/// A line with more characters is several.
const LONGEST: usize = 2_000;

pub fn lines(text: &str) -> Vec<&str> {
    each_line(text).flat_map(|line| bounded(line, LONGEST).map(|part| &line[part])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_several() {
        assert_eq!(lines("a\nb\r\nc"), ["a\n", "b\r\n", "c"]);
        assert_eq!(lines(""), [""; 0]);
        let long = "x".repeat(4_500);
        assert_eq!(
            lines(&long).iter().map(|line| line.len()).collect::<Vec<_>>(),
            [2_000, 2_000, 500]
        );
    }
}
