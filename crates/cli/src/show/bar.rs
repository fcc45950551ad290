//! The budget as a bar: one sign and one colour for each section, so that it can be read without
//! colours too.

use super::style::{FAINT, of_section, paint};
use super::text::{number, width};
use anstyle::Style;
use dossier_core::item::Section;
use dossier_core::receipt::BudgetUse;

/// The sections with their signs, and what a person calls them.
const SECTIONS: [(Section, &str, &str); 5] = [
    (Section::Header, "█", "header"),
    (Section::History, "▓", "messages"),
    (Section::Facts, "▚", "facts"),
    (Section::Summaries, "▒", "files"),
    (Section::Question, "░", "question and frame"),
];
const FREE: &str = "·";

/// A part of the bar.
struct Part {
    name: &'static str,
    sign: &'static str,
    style: Style,
    tokens: u32,
}

/// The bar and its legend, in lines of at most so many columns.
pub(super) fn bar(budget: &BudgetUse, columns: usize) -> Vec<String> {
    let parts = parts(budget);
    let tokens: Vec<u32> = parts.iter().map(|part| part.tokens).collect();
    let bar = parts
        .iter()
        .zip(cells(&tokens, columns))
        .map(|(part, cells)| paint(part.style, &part.sign.repeat(cells)))
        .collect();
    let mut lines = vec![bar];
    lines.extend(legend(&parts, columns));
    lines
}

fn parts(budget: &BudgetUse) -> Vec<Part> {
    let mut parts: Vec<Part> = SECTIONS
        .iter()
        .map(|(section, sign, name)| Part {
            name,
            sign,
            style: of_section(*section),
            tokens: budget.sections.get(section).copied().unwrap_or(0),
        })
        .collect();
    let tokens = budget.limit.saturating_sub(budget.used);
    parts.push(Part { name: "free", sign: FREE, style: FAINT, tokens });
    parts
}

/// How many cells each part has: its share, but at least one if it has any tokens.
fn cells(tokens: &[u32], columns: usize) -> Vec<usize> {
    let total: u64 = tokens.iter().map(|tokens| u64::from(*tokens)).sum();
    let share = |tokens: u32| (u64::from(tokens) * columns as u64).checked_div(total).unwrap_or(0);
    let mut cells: Vec<usize> = tokens
        .iter()
        .map(|tokens| (share(*tokens) as usize).max(usize::from(*tokens > 0)))
        .collect();
    // What rounding left over or took too much is the largest part's.
    let largest = (0..cells.len()).max_by_key(|index| cells[*index]);
    let sum: usize = cells.iter().sum();
    if let Some(largest) = largest.filter(|_| sum > 0) {
        cells[largest] = (cells[largest] + columns).saturating_sub(sum);
    }
    cells
}

fn legend(parts: &[Part], columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for part in parts {
        let label = format!("{} {}", part.name, number(part.tokens));
        let needed = width(part.sign) + 1 + width(&label);
        if used > 0 && used + 3 + needed > columns {
            lines.push(String::new());
            used = 0;
        }
        let gap = if used > 0 { "   " } else { "" };
        used += gap.len() + needed;
        if let Some(line) = lines.last_mut() {
            line.push_str(&format!("{gap}{} {label}", paint(part.style, part.sign)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_wide_as_it_may_be_and_shows_every_part() {
        for (tokens, expected) in [
            (vec![50, 50], vec![50, 50]),
            (vec![1, 0, 2_999], vec![1, 0, 99]),
            (vec![1, 1, 1], vec![33, 33, 34]),
            (vec![u32::MAX, u32::MAX], vec![50, 50]),
            (vec![0, 0], vec![0, 0]),
        ] {
            assert_eq!(cells(&tokens, 100), expected, "{tokens:?}");
        }
    }
}
