//! What stands where text was cut: how much, the values that are carried over, how many are not,
//! and the reference that stands for all of it. `[cut 1,234 characters, ABC-123, +2 values in msg_1]`

use super::values::Value;
use std::collections::BTreeSet;
use std::fmt;

pub(super) struct Marker<'a> {
    pub(super) characters: usize,
    pub(super) carried: Vec<&'a str>,
    pub(super) elided: usize,
    pub(super) reference: &'a str,
}

const OPENING: &str = "[cut ";
const UNIT: &str = " characters, ";
const IN_SHORT: &str = "[in short; expand_ref ";

impl<'a> Marker<'a> {
    /// The marker for a cut that loses these values, with no more than `room` characters of them.
    pub(super) fn new(
        characters: usize,
        lost: &[&Value<'a>],
        room: usize,
        reference: &'a str,
    ) -> Self {
        let mut marker = Self { characters, carried: Vec::new(), elided: 0, reference };
        let mut seen = BTreeSet::new();
        let mut left = room;
        for value in lost.iter().filter(|value| seen.insert(value.text)) {
            let length = Self::length(value);
            if value.kind.speaks_alone() && length <= left {
                marker.carried.push(value.text);
                left -= length;
            } else {
                marker.elided += 1;
            }
        }
        marker
    }

    /// How many characters a carried value takes.
    pub(super) fn length(value: &Value<'_>) -> usize {
        value.text.chars().count() + ", ".len()
    }
}

impl fmt::Display for Marker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPENING}{}{UNIT}", Grouped(self.characters))?;
        for value in &self.carried {
            write!(f, "{value}, ")?;
        }
        match self.elided {
            0 => {}
            1 => f.write_str("+1 value in ")?,
            elided => write!(f, "+{} values in ", Grouped(elided))?,
        }
        write!(f, "{}]", self.reference)
    }
}

/// A number with commas between its thousands.
struct Grouped(usize);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.char_indices() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// What stands for a whole text: what it is, and the reference by which it is asked for.
pub fn in_short(reference: &str, summary: &str) -> String {
    format!("{IN_SHORT}{reference} for all of it]\n{summary}")
}

/// Whether a text says that something was cut out of it, or that it stands for a longer one.
pub fn is_cut(text: &str) -> bool {
    text.contains(IN_SHORT)
        || text.match_indices(OPENING).any(|(at, _)| {
            let rest = &text[at + OPENING.len()..];
            rest.split_once(UNIT).is_some_and(|(count, _)| {
                !count.is_empty() && count.chars().all(|c| c.is_ascii_digit() || c == ',')
            })
        })
}

/// A compressed text without what its marker adds to the original: the carried values stay. The
/// text itself when there is no marker with this reference.
pub(super) fn without_frame(text: &str, reference: &str) -> String {
    let parts = || {
        let end = text.rfind(&format!("{reference}]"))?;
        let start = text[..end].rfind(OPENING)?;
        let (count, values) = text[start + OPENING.len()..end].split_once(UNIT)?;
        let is_count = |part: &str| part.chars().all(|c| c.is_ascii_digit() || c == ',');
        let carried = match values.rsplit_once('+') {
            Some((carried, elided)) => elided
                .strip_suffix(" values in ")
                .or(elided.strip_suffix(" value in "))
                .filter(|number| is_count(number))
                .map_or(values, |_| carried),
            None => values,
        };
        let after = &text[end + reference.len() + "]".len()..];
        is_count(count).then(|| format!("{} {carried} {after}", &text[..start]))
    };
    parts().unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::values::values;
    use super::*;

    fn check(text: &str, room: usize, marker: &str, carried: &str) {
        let values = values(text);
        let lost: Vec<&Value<'_>> = values.iter().collect();
        assert_eq!(Marker::new(1_234, &lost, room, "msg_1").to_string(), marker);
        assert_eq!(without_frame(&format!("a {marker} b"), "msg_1"), format!("a  {carried}  b"));
    }

    #[test]
    fn a_marker_says_how_much_was_cut_and_where_it_is() {
        check("nothing", 99, "[cut 1,234 characters, msg_1]", "");
    }

    #[test]
    fn values_are_carried_while_there_is_room_and_counted_after() {
        let text = "ABC-123, 42 km, http://a.org/long, ABC-123, XY-1 and 7";
        let marker = "[cut 1,234 characters, ABC-123, http://a.org/long, XY-1, +2 values in msg_1]";
        check(text, 99, marker, "ABC-123, http://a.org/long, XY-1, ");
        let marker = "[cut 1,234 characters, ABC-123, XY-1, +3 values in msg_1]";
        check(text, 16, marker, "ABC-123, XY-1, ");
        check("ABC-123", 3, "[cut 1,234 characters, +1 value in msg_1]", "");
    }

    #[test]
    fn a_text_without_a_marker_stays_as_it_is() {
        for text in ["", "msg_1]", "[cut x characters, msg_1]", "[cut 1 characters, msg_2]"] {
            assert_eq!(without_frame(text, "msg_1"), text);
        }
    }
}
