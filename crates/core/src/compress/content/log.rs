//! Logs and other lines that are alike: repeats are folded into their first one with a count;
//! errors, their traces and warnings are kept to the letter, and what is rare comes before what is
//! common. Of errors that are more than anybody would read, first every message is shown, then
//! where it came from, then the rest; what is folded says how many errors it holds.

use super::detect::{is_frame, level};
use super::limits::Room;
use super::sheet::Sheet;
use super::texts::{Gaps, LONGEST_ERROR, beginning, whole};
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
/// What is shown of a line of an error that is not shown whole.
const MESSAGE: usize = 2_000;
/// Lines of a trace that are shown after each message, and at its end.
const FRAMES: usize = 3;
/// What saying that something is left out costs.
const MARK: usize = 24;

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

/// How much of a block is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Nothing,
    /// What went wrong.
    Message,
    /// With its causes and the ends of its trace.
    Part,
    Whole,
}

/// Blocks that say the same.
struct Group {
    /// The block that is shown.
    first: usize,
    last_line: usize,
    count: usize,
    grade: Grade,
}

pub(super) fn view(text: &str, gaps: Gaps<'_>, room: Room) -> Sheet {
    let log = Log::of(lines(text));
    let shown = log.chosen(room);
    let mut sheet = Sheet::default();
    let mut gap = Gap::default();
    for (number, block) in log.blocks.iter().enumerate() {
        let group = &log.groups[block.group];
        let extent = shown[block.group];
        if extent == Extent::Nothing {
            gap.add(block.lines.clone(), usize::from(block.grade == Grade::Error));
        } else if group.first == number {
            for line in block.lines.clone() {
                if !log.is_within(line, block, extent) {
                    gap.add(line..line + 1, 0);
                    continue;
                }
                gap.close(&mut sheet, &log.lines, gaps);
                sheet.line_end();
                let most = block.most(extent);
                sheet.append(line_of(untorn(&log.lines, line), most, gaps));
                if log.lines[line].ends_with(['\n', '\r']) {
                    sheet.quote("\n");
                }
            }
            if group.count > 1 {
                gap.close(&mut sheet, &log.lines, gaps);
                if sheet.text.ends_with('\n') {
                    sheet.text.pop();
                }
                gaps.repeats(&mut sheet, group.count, group.last_line);
            }
        }
    }
    gap.close(&mut sheet, &log.lines, gaps);
    sheet
}

/// Lines that are left out, and how many errors they hold.
#[derive(Debug, Default)]
struct Gap {
    lines: Option<Range<usize>>,
    errors: usize,
}

impl Gap {
    fn add(&mut self, lines: Range<usize>, errors: usize) {
        let start = self.lines.as_ref().map_or(lines.start, |gap| gap.start);
        self.lines = Some(start..lines.end);
        self.errors += errors;
    }

    fn close(&mut self, sheet: &mut Sheet, lines: &[&str], gaps: Gaps<'_>) {
        let Gap { lines: Some(gap), errors } = std::mem::take(self) else { return };
        sheet.line_end();
        let is_short = |line: &&str| line.len() < 60 && !line.contains('\u{1b}');
        if gap.len() < GAP && lines[gap.clone()].iter().all(is_short) {
            sheet.quote(lines[gap].concat().trim_end());
        } else {
            gaps.lines(sheet, gap.start, gap.len(), errors);
        }
    }
}

struct Log<'a> {
    lines: Vec<&'a str>,
    blocks: Vec<Block>,
    groups: Vec<Group>,
}

impl<'a> Log<'a> {
    fn of(lines: Vec<&'a str>) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut at = 0;
        while at < lines.len() {
            let grade = grade(lines[at]);
            let end = if grade == Grade::Error { end_of_trace(&lines, at) } else { at + 1 };
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
        Self { lines, blocks, groups }
    }

    /// How much of each group is shown: errors in a room of their own, then both ends, warnings
    /// and the rarest, while there is room.
    fn chosen(&self, room: Room) -> Vec<Extent> {
        let mut shown = vec![Extent::Nothing; self.groups.len()];
        let mut used = 0;
        let mut grant = |group: usize, extent: Extent, most: usize| {
            let more = self.cost(group, extent).saturating_sub(self.cost(group, shown[group]));
            if shown[group] < extent && used + more <= most {
                shown[group] = extent;
                used += more;
            }
        };
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|group| {
            let group = &self.groups[*group];
            (group.grade, if group.grade == Grade::Plain { group.count } else { 0 }, group.first)
        });
        let graded = |grade: Grade| {
            order.iter().copied().filter(move |group| self.groups[*group].grade == grade)
        };
        for extent in [Extent::Message, Extent::Part, Extent::Whole] {
            graded(Grade::Error).for_each(|group| grant(group, extent, room.errors));
        }
        let first = self.blocks.iter().take(ENDS);
        let ends = first.chain(self.blocks.iter().rev().take(ENDS)).map(|block| block.group);
        let rest = graded(Grade::Warning).chain(ends).chain(graded(Grade::Plain));
        rest.filter(|group| self.groups[*group].grade != Grade::Error)
            .for_each(|group| grant(group, Extent::Whole, room.bytes));
        shown
    }

    fn cost(&self, group: usize, extent: Extent) -> usize {
        if extent == Extent::Nothing {
            return 0;
        }
        let block = &self.blocks[self.groups[group].first];
        let shown = block.lines.clone().filter(|line| self.is_within(*line, block, extent));
        shown.map(|line| self.lines[line].len().min(block.most(extent))).sum::<usize>() + MARK
    }

    /// Whether so much of a block shows one of its lines.
    fn is_within(&self, line: usize, block: &Block, extent: Extent) -> bool {
        let Range { start, end } = block.lines;
        let tells = |line: usize| is_untouchable(self.lines[line]);
        match extent {
            Extent::Nothing => false,
            Extent::Whole => true,
            Extent::Message => line == start || line + 1 == end && tells(line),
            Extent::Part => {
                line + FRAMES >= end || (line.saturating_sub(FRAMES).max(start)..=line).any(tells)
            }
        }
    }
}

impl Block {
    /// What is shown of each of its lines.
    fn most(&self, extent: Extent) -> usize {
        match (self.grade, extent) {
            (Grade::Plain, _) => WIDTH,
            (_, Extent::Message | Extent::Part) => MESSAGE,
            _ => LONGEST_ERROR,
        }
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

fn line_of(line: &str, most: usize, gaps: Gaps<'_>) -> Sheet {
    let line = line.trim_end();
    if line.len() > most { beginning(line, most, gaps.path) } else { whole(line, gaps.path) }
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

#[cfg(test)]
mod tests {
    use super::super::texts::Counted;
    use super::*;

    fn check(text: &str, bytes: usize, expected: &str) {
        let shown = view(text, Gaps { path: "", lines: Counted::AsStored }, Room::within(bytes));
        assert_eq!(shown.text, expected);
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
        let gaps = Gaps { path: "out", lines: Counted::AsStored };
        let shown = view(&text, gaps, Room::within(700)).text;
        assert!(shown.starts_with(&"ant".repeat(30)), "{shown}");
        assert!(shown.contains("[… 5 lines at offset 3 of out]"), "{shown}");
    }

    fn trace(frames: usize) -> String {
        let frame = |n: usize| format!("\tat org.pool.Frame{n}.call(Frame.java:{n})\n");
        let (outer, inner): (String, String) =
            ((0..frames).map(frame).collect(), (0..frames).map(frame).collect());
        format!(
            "java.lang.IllegalStateException: pool exhausted\n{outer}\
             Caused by: java.net.ConnectException: refused by 10.0.0.7\n{inner}"
        )
    }

    #[test]
    fn a_trace_that_does_not_fit_keeps_its_messages_and_the_ends_of_its_frames() {
        check(
            &trace(60),
            700,
            "java.lang.IllegalStateException: pool exhausted\n\
             \tat org.pool.Frame0.call(Frame.java:0)\n\
             \tat org.pool.Frame1.call(Frame.java:1)\n\
             \tat org.pool.Frame2.call(Frame.java:2)\n\
             [… 57 lines at offset 4]\n\
             Caused by: java.net.ConnectException: refused by 10.0.0.7\n\
             \tat org.pool.Frame0.call(Frame.java:0)\n\
             \tat org.pool.Frame1.call(Frame.java:1)\n\
             \tat org.pool.Frame2.call(Frame.java:2)\n\
             [… 54 lines at offset 65]\n\
             \tat org.pool.Frame57.call(Frame.java:57)\n\
             \tat org.pool.Frame58.call(Frame.java:58)\n\
             \tat org.pool.Frame59.call(Frame.java:59)\n",
        );
        check(
            &trace(60),
            300,
            "java.lang.IllegalStateException: pool exhausted\n[… 121 lines at offset 1]",
        );
    }

    #[test]
    fn errors_beyond_the_room_are_counted() {
        let names = ["ant", "bee", "cat", "dog", "elk", "fox"];
        let text: String = names.iter().map(|name| format!("ERROR {name} is gone\n")).collect();
        check(
            &text,
            100,
            "ERROR ant is gone\nERROR bee is gone\n[… 4 lines at offset 2, 4 errors]",
        );
    }

    #[test]
    fn errors_fold_when_only_their_time_differs() {
        let text = "12:00:01 ERROR a 1\n12:00:02 ERROR a 1\n12:00:03 ERROR a 2\n";
        check(text, 2_000, "12:00:01 ERROR a 1 [… ×2, to offset 1]\n12:00:03 ERROR a 2\n");
    }
}
