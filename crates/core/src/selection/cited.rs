//! What a reply names: refs, ids, and files with or without their lines.

use crate::refs::{RefName, names};

/// A reply, to be asked what it names.
#[derive(Debug)]
pub(super) struct Cited<'a> {
    reply: &'a str,
    refs: Vec<RefName>,
}

impl<'a> Cited<'a> {
    pub(super) fn of(reply: &'a str) -> Self {
        Self { reply, refs: names(reply) }
    }

    pub(super) fn refs(&self) -> &[RefName] {
        &self.refs
    }

    /// Whether this id stands in it, as a word of its own.
    pub(super) fn names(&self, id: &str) -> bool {
        self.mentions(id).next().is_some()
    }

    /// Each mention of a file, with its lines where it names them.
    pub(super) fn places(&self, path: &str) -> Vec<Option<(u32, u32)>> {
        self.mentions(path).map(lines).collect()
    }

    /// What follows each mention of a name.
    fn mentions(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let reply = self.reply;
        let found = (!name.is_empty()).then(|| reply.match_indices(name)).into_iter().flatten();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
        let ends: Vec<usize> = found
            .filter(|(at, _)| {
                let before = reply[..*at].strip_suffix("./").unwrap_or(&reply[..*at]);
                !before.ends_with(is_part) && !before.ends_with('.')
            })
            .map(|(at, name)| at + name.len())
            .collect();
        ends.into_iter().map(move |end| &reply[end..]).filter(move |rest| {
            let more = rest.strip_prefix('.').unwrap_or(rest);
            !rest.starts_with(is_part) && (more == *rest || !more.starts_with(is_part))
        })
    }
}

/// The lines that follow a path: `:12`, `:12-20`, `#L12-L20`, `, lines 12-20`.
fn lines(rest: &str) -> Option<(u32, u32)> {
    let rest = rest.trim_start_matches(['`', '"', '\'', '*', ')', ']']);
    let marked = [":", "#L"].iter().find_map(|mark| rest.strip_prefix(mark));
    let rest = match marked {
        Some(rest) => rest,
        None => {
            let rest = rest.trim_start_matches([' ', ',', '(', ':']);
            let rest = rest.strip_prefix("at ").unwrap_or(rest);
            let rest = rest.strip_prefix("lines").or_else(|| rest.strip_prefix("line"))?;
            rest.trim_start()
        }
    };
    let (first, rest) = number(rest)?;
    let after = rest.trim_start_matches(' ').strip_prefix(['-', '–']);
    let last = after.and_then(|rest| number(rest.trim_start_matches([' ', 'L'])));
    let last = last.map_or(first, |(last, _)| last);
    Some((first, last.max(first)))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_with_or_without_its_lines() {
        for (reply, expected) in [
            ("see src/a.rs.", vec![None]),
            ("see `src/a.rs:12`", vec![Some((12, 12))]),
            ("(src/a.rs:12-20)", vec![Some((12, 20))]),
            ("src/a.rs#L12-L20 and src/a.rs", vec![Some((12, 20)), None]),
            ("./src/a.rs, lines 3–4", vec![Some((3, 4))]),
            ("`src/a.rs` (line 7)", vec![Some((7, 7))]),
            ("src/a.rs: 3 of them", vec![None]),
            ("lib/src/a.rs, src/a.rs.bak, src/a.rsx, my-src/a.rs", vec![]),
            ("src/a.rs line by line", vec![None]),
        ] {
            assert_eq!(Cited::of(reply).places("src/a.rs"), expected, "{reply}");
        }
    }

    #[test]
    fn an_id_is_a_word_of_its_own() {
        assert!(Cited::of("as msg_01 says").names("msg_01"));
        assert!(!Cited::of("as msg_012 says").names("msg_01"));
        assert!(!Cited::of("anything").names(""));
    }
}
