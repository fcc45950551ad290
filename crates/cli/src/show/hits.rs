//! Search hits as a numbered list.

use super::View;
use super::items::place;
use super::style::{FAINT, PLACE, paint};
use super::text::{beginning, end, left, one_line, right, width, wrapped};
use dossier_engine::Hit;

const SCORE: usize = 8;
/// Lines of a message that are shown. Of a file there is one.
const LINES: usize = 3;

/// The hits, best first.
pub fn hits(hits: &[Hit], view: View) -> String {
    let digits = hits.len().to_string().len();
    let indent = digits + 2;
    let room = view.width.saturating_sub(indent + SCORE);
    let longest = hits.iter().map(|hit| width(&place(&hit.source))).max().unwrap_or(0);
    let columns = longest.min(room);
    let mut text = String::new();
    for (index, hit) in hits.iter().enumerate() {
        let place = end(&place(&hit.source), columns);
        text.push_str(&format!(
            "{}  {}{}\n",
            right(&(index + 1).to_string(), digits),
            paint(PLACE, &left(&place, columns)),
            right(&format!("{:.2}", hit.score), SCORE),
        ));
        let mut below: Vec<String> = snippet(hit, view, indent);
        if !hit.matched.is_empty() {
            let words = one_line(&format!("words: {}", hit.matched.join(", ")));
            below.push(paint(FAINT, &beginning(&words, view.width - indent)));
        }
        for line in below {
            text.push_str(&format!("{}{line}\n", " ".repeat(indent)));
        }
    }
    text
}

fn snippet(hit: &Hit, view: View, indent: usize) -> Vec<String> {
    let columns = view.width - indent;
    if hit.source.path.is_some() {
        return vec![beginning(&one_line(&hit.text), columns)];
    }
    let mut lines = wrapped(&one_line(&hit.text), columns);
    let shown = view.shown(LINES);
    if lines.len() > shown {
        lines.truncate(shown);
        if let Some(last) = lines.last_mut() {
            *last = beginning(&format!("{last} …"), columns);
        }
    }
    lines
}
