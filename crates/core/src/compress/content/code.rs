//! Code: what is declared stays, how it is done is left out with the place of its lines.

use super::log::untorn;
use super::sheet::Sheet;
use super::texts::{Gaps, beginning};
use crate::compress::is_untouchable;
use crate::refs::lines;

/// What declarations begin with, behind their modifiers.
const DECLARATIONS: [&str; 26] = [
    "fn ",
    "def ",
    "class ",
    "struct ",
    "enum ",
    "trait ",
    "impl ",
    "impl<",
    "interface ",
    "type ",
    "func ",
    "function ",
    "function(",
    "module ",
    "mod ",
    "namespace ",
    "protocol ",
    "extension ",
    "macro_rules!",
    "record ",
    "object ",
    "union ",
    "CREATE ",
    "create table ",
    "procedure ",
    "package ",
];
const MODIFIERS: [&str; 20] = [
    "pub ",
    "pub(crate) ",
    "pub(super) ",
    "public ",
    "private ",
    "protected ",
    "internal ",
    "static ",
    "final ",
    "abstract ",
    "async ",
    "export ",
    "default ",
    "unsafe ",
    "const ",
    "extern ",
    "override ",
    "open ",
    "sealed ",
    "inline ",
];
/// Lines that a declaration may go on for.
const LONGEST: usize = 8;
const WIDTH: usize = 300;

/// Whether a line without its indentation declares something.
pub(super) fn is_signature(line: &str) -> bool {
    let mut rest = line;
    let mut modified = false;
    while let Some(after) = MODIFIERS.iter().find_map(|modifier| rest.strip_prefix(modifier)) {
        rest = after.trim_start();
        modified = true;
    }
    DECLARATIONS.iter().any(|start| rest.starts_with(start))
        // A method of Java or C#, a constant that is exported.
        || modified && rest.contains(['(', '=', '{'])
}

pub(super) fn view(text: &str, gaps: Gaps<'_>, bytes: usize) -> Sheet {
    let lines = lines(text);
    let kept = kept(&lines);
    let mut sheet = Sheet::default();
    let mut gap: Option<usize> = None;
    for (number, line) in lines.iter().enumerate() {
        let short_gap = |start: usize| number - start < 2;
        if !kept[number] || sheet.text.len() > bytes && !is_untouchable(line) {
            gap = gap.or(Some(number));
            continue;
        }
        if let Some(start) = gap.take() {
            let is_blank = lines[start..number].iter().all(|line| line.trim().is_empty());
            sheet.line_end();
            if !is_blank {
                gaps.lines(&mut sheet, start, number - start, 0);
                sheet.line_end();
            } else if short_gap(start) {
                sheet.quote("\n");
            }
        }
        let line = untorn(&lines, number).trim_end();
        if line.len() > WIDTH && !is_untouchable(line) {
            sheet.append(beginning(line, WIDTH, gaps.path));
        } else {
            sheet.quote(line);
        }
        sheet.quote("\n");
    }
    if let Some(start) = gap {
        gaps.lines(&mut sheet, start, lines.len() - start, 0);
    }
    sheet
}

/// Declarations with the rest of their heads, what stands at the left edge, and warnings.
fn kept(lines: &[&str]) -> Vec<bool> {
    let mut kept = vec![false; lines.len()];
    let mut head = 0;
    for (number, line) in lines.iter().enumerate() {
        let inner = line.trim();
        let at_edge = line.starts_with(|c: char| !c.is_whitespace());
        let is_note =
            ["//", "#", "/*", "*", "\"\"\"", "'''"].iter().any(|mark| inner.starts_with(mark));
        let declares = is_signature(inner);
        if declares {
            head = LONGEST;
        }
        // A line of a long one that was cut is never the start of anything.
        let whole = number == 0 || lines[number - 1].ends_with(['\n', '\r']);
        let documents = number < 3 && is_note;
        kept[number] = whole
            && !inner.is_empty()
            && (declares || head > 0 || at_edge && !is_note || documents)
            || is_untouchable(line);
        let ends = inner.ends_with(['{', ';', ':', '}']) || inner.ends_with("=>");
        head = if ends { 0 } else { head.saturating_sub(1) };
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::texts::Counted;
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(view(text, Gaps { path: "", lines: Counted::AsStored }, 4_000).text, expected);
    }

    #[test]
    fn signatures_stay_and_bodies_are_gaps() {
        check(
            "//! Notes.\nuse std::fmt;\n\npub struct A {\n    b: u8,\n    c: u8,\n}\n\nimpl A {\n    /// Does.\n    pub fn long(\n        a: u8,\n    ) -> u8 {\n        a + 1\n    }\n}\n",
            "//! Notes.\nuse std::fmt;\n\npub struct A {\n[… 2 lines at offset 4]\n}\n\nimpl A {\n[… 1 line at offset 9]\n    pub fn long(\n        a: u8,\n    ) -> u8 {\n[… 2 lines at offset 13]\n}\n",
        );
        check(
            "class A:\n    def f(self, x):\n        y = x\n        return y\n\n    def g(self):\n        # SECURITY: never log the password\n        pass\n",
            "class A:\n    def f(self, x):\n[… 3 lines at offset 2]\n    def g(self):\n        # SECURITY: never log the password\n[… 1 line at offset 7]",
        );
    }
}
