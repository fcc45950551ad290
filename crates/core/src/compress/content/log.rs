//! Logs and other lines that are alike: repeats are folded into their first one with a count;
//! errors, their traces and warnings are kept to the letter, and what is rare comes before what is
//! common.

use super::detect::{is_frame, level};
use super::sheet::Sheet;
use super::texts::{Gaps, beginning, whole};
use crate::compress::is_untouchable;
use crate::refs::lines;
use std::collections::HashMap;
use std::ops::Range;

/// What is shown of a line that is no error.
const WIDTH: usize = 400;
/// What a line is told by.
const TEMPLATE: usize = 200;
/// Lines at both ends that are shown if anything is.
const ENDS: usize = 3;
/// The shortest gap: a line costs less than what would be said in its place.
const GAP: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Error,
    Warning,
    Plain,
}

/// Lines that belong together: an error with its trace, or one line.
struct Block {
    lines: Range<usize>,
    grade: Grade,
    group: usize,
}

/// Blocks that say the same.
struct Group {
    /// The block that is shown.
    first: usize,
    last_line: usize,
    count: usize,
    grade: Grade,
}

pub(super) fn view(text: &str, gaps: Gaps<'_>, bytes: usize) -> Sheet {
    let lines = lines(text);
    let (blocks, groups) = folded(&lines);
    let shown = chosen(&lines, &blocks, &groups, bytes);
    let mut sheet = Sheet::default();
    let mut hidden: Option<Range<usize>> = None;
    for (number, block) in blocks.iter().enumerate() {
        let group = &groups[block.group];
        if !shown[block.group] {
            let start = hidden.map_or(block.lines.start, |gap| gap.start);
            hidden = Some(start..block.lines.end);
        } else if group.first == number {
            close(&mut sheet, hidden.take(), &lines, gaps);
            sheet.line_end();
            for number in block.lines.clone() {
                let line = lines[number];
                sheet.append(line_of(untorn(&lines, number), block.grade, gaps));
                if line.ends_with(['\n', '\r']) {
                    sheet.quote("\n");
                }
            }
            if group.count > 1 {
                if sheet.text.ends_with('\n') {
                    sheet.text.pop();
                }
                gaps.repeats(&mut sheet, group.count, group.last_line);
            }
        }
    }
    close(&mut sheet, hidden, &lines, gaps);
    sheet
}

fn close(sheet: &mut Sheet, gap: Option<Range<usize>>, lines: &[&str], gaps: Gaps<'_>) {
    let Some(gap) = gap else { return };
    sheet.line_end();
    let short = lines[gap.clone()].iter().all(|line| line.len() < 60 && !line.contains('\u{1b}'));
    if gap.len() < GAP && short {
        sheet.quote(lines[gap].concat().trim_end());
    } else {
        gaps.lines(sheet, gap.start, gap.len());
    }
}

/// A line without the ends at which a very long one was parted: they may be halves of values.
pub(super) fn untorn<'a>(lines: &[&'a str], number: usize) -> &'a str {
    let is_border = |c: char| ",;\"'{}[]()<>".contains(c);
    let is_end = |line: &str| line.ends_with(['\n', '\r']);
    let mut line = lines[number];
    if !is_end(line) && number + 1 < lines.len() {
        line = line.rfind(is_border).map_or("", |at| &line[..at]);
    }
    if number > 0 && !is_end(lines[number - 1]) {
        line = line.find(is_border).map_or("", |at| &line[at..]);
    }
    line
}

fn line_of(line: &str, grade: Grade, gaps: Gaps<'_>) -> Sheet {
    let line = line.trim_end();
    if grade == Grade::Plain && line.len() > WIDTH {
        beginning(line, WIDTH, gaps.path)
    } else {
        whole(line, gaps.path)
    }
}

fn folded(lines: &[&str]) -> (Vec<Block>, Vec<Group>) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let grade = grade(lines[at]);
        let end = if grade == Grade::Error { end_of_trace(lines, at) } else { at + 1 };
        let key = match grade {
            Grade::Plain => template(lines[at]),
            // Of an error only the time may differ.
            _ => lines[at..end].iter().flat_map(|line| [unstamped(line), "\n"]).collect(),
        };
        let group = *known.entry(key).or_insert_with(|| {
            groups.push(Group { first: blocks.len(), last_line: at, count: 0, grade });
            groups.len() - 1
        });
        groups[group].count += 1;
        groups[group].last_line = end - 1;
        blocks.push(Block { lines: at..end, grade, group });
        at = end;
    }
    (blocks, groups)
}

fn grade(line: &str) -> Grade {
    if is_untouchable(line) || level(line) == Some("SEVERE") {
        return Grade::Error;
    }
    let start = unstamped(line).get(..8).unwrap_or_default();
    let warns =
        matches!(level(line), Some("WARN" | "WARNING")) || start.eq_ignore_ascii_case("warning:");
    if warns { Grade::Warning } else { Grade::Plain }
}

/// The end of the lines that tell where an error came from, and of the error that follows them.
fn end_of_trace(lines: &[&str], at: usize) -> usize {
    const LONGEST: usize = 200;
    let is_more = |line: &&&str| {
        is_frame(line) && !line.trim().is_empty()
            || line.starts_with("Caused by")
            || line.starts_with("stack backtrace")
    };
    let frames = lines[at + 1..].iter().take(LONGEST).take_while(is_more).count();
    let end = at + 1 + frames;
    let is_python = lines[at].contains("Traceback (most recent call last)");
    if is_python && end < lines.len() { end + 1 } else { end }
}

/// What a line is without what changes from one to the next of its kind.
fn template(line: &str) -> String {
    let line = &line[..line.floor_char_boundary(TEMPLATE)];
    let mut template = String::with_capacity(line.len());
    for word in line.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')) {
        if word.contains(|c: char| c.is_ascii_digit()) {
            template.push('#');
            template.extend(word.chars().last().filter(|c| !c.is_alphanumeric()));
        } else {
            template.push_str(word);
        }
    }
    template
}

/// A line without the time at its start.
fn unstamped(line: &str) -> &str {
    let is_time = |c: char| c.is_ascii_digit() || " \t[]():.,/+-TZ|".contains(c);
    let rest = line.trim_start_matches(is_time);
    if rest.is_empty() { line } else { rest }
}

/// Which groups are shown: both ends, errors, warnings, then the rarest, while there is room.
fn chosen(lines: &[&str], blocks: &[Block], groups: &[Group], bytes: usize) -> Vec<bool> {
    let mut shown = vec![false; groups.len()];
    let mut left = bytes;
    let size = |group: &Group| {
        let block = &blocks[group.first];
        let cost = |line: &&str| {
            if block.grade == Grade::Plain { line.len().min(WIDTH) } else { line.len() }
        };
        lines[block.lines.clone()].iter().map(cost).sum::<usize>() + 24
    };
    let ends =
        blocks.iter().take(ENDS).chain(blocks.iter().rev().take(ENDS)).map(|block| block.group);
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|group| {
        let group = &groups[*group];
        (group.grade, if group.grade == Grade::Plain { group.count } else { 0 }, group.first)
    });
    let (urgent, plain): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|group| groups[*group].grade != Grade::Plain);
    for group in urgent.into_iter().chain(ends).chain(plain) {
        let cost = size(&groups[group]);
        if !shown[group] && cost <= left {
            shown[group] = true;
            left -= cost;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::texts::Counted;
    use super::*;

    fn check(text: &str, bytes: usize, expected: &str) {
        assert_eq!(view(text, Gaps { path: "", lines: Counted::AsStored }, bytes).text, expected);
    }

    #[test]
    fn repeats_are_folded_and_errors_stay() {
        let mut text = String::new();
        for n in 0..50 {
            text.push_str(&format!("2026-03-01 12:00:{n:02} INFO served /a in {n} ms\n"));
            if n == 20 {
                text.push_str("2026-03-01 12:00:20 ERROR db gone id=ABC-123\n  at f (a.js:1:2)\n");
            }
        }
        check(
            &text,
            2_000,
            "2026-03-01 12:00:00 INFO served /a in 0 ms [… ×50, to offset 51]\n\
             2026-03-01 12:00:20 ERROR db gone id=ABC-123\n  at f (a.js:1:2)\n",
        );
    }

    #[test]
    fn what_does_not_fit_is_a_gap_that_says_where() {
        let words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay"];
        let text: String = words.iter().map(|word| format!("{}\n", word.repeat(30))).collect();
        let shown = view(&text, Gaps { path: "out", lines: Counted::AsStored }, 700).text;
        assert!(shown.starts_with(&"ant".repeat(30)), "{shown}");
        assert!(shown.contains("[… 5 lines at offset 3 of out]"), "{shown}");
    }

    #[test]
    fn errors_fold_when_only_their_time_differs() {
        let text = "12:00:01 ERROR a 1\n12:00:02 ERROR a 1\n12:00:03 ERROR a 2\n";
        check(text, 2_000, "12:00:01 ERROR a 1 [… ×2, to offset 1]\n12:00:03 ERROR a 2\n");
    }
}
