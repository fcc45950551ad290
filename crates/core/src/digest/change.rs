//! What has changed from one content to the next, by lines. A document on one line is compared
//! member by member.

use super::{MOST_SHOWN, tokens};
use similar::TextDiff;
use std::borrow::Cow;

/// Longer contents are not compared: the time grows with the lines and with the differences.
const MOST_LINES: usize = 5_000;
const MOST_BYTES: usize = 1 << 20;

/// The lines that came and went, with some around them; none where that says no less than the whole
/// content does.
pub(super) fn change(before: &str, after: &str) -> Option<String> {
    if before.len().max(after.len()) > MOST_BYTES {
        return None;
    }
    let (before, after) = (laid_out(before), laid_out(after));
    if before.lines().count().max(after.lines().count()) > MOST_LINES {
        return None;
    }
    let diff = TextDiff::from_lines(&*before, &*after);
    let change = diff.unified_diff().context_radius(2).missing_newline_hint(false).to_string();
    let size = tokens(&change);
    (!change.is_empty() && size <= MOST_SHOWN && size * 2 <= tokens(&after)).then_some(change)
}

/// A document with a member on each line, since most are written on a single one.
fn laid_out(content: &str) -> Cow<'_, str> {
    let value: Option<serde_json::Value> = serde_json::from_str(content).ok();
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    pretty.map_or(Cow::Borrowed(content), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_on_one_line_is_compared_by_its_members() {
        let document = |state: &str| {
            let items: Vec<String> = (0..90)
                .map(|id| {
                    let state = if id == 40 { state } else { "open" };
                    format!("{{\"id\":{id},\"state\":\"{state}\"}}")
                })
                .collect();
            format!("[{}]", items.join(","))
        };
        let change = change(&document("open"), &document("closed")).unwrap();
        assert!(
            change.contains("-    \"state\": \"open\"\n+    \"state\": \"closed\""),
            "{change}"
        );
        assert!(change.lines().count() < 12, "{change}");
    }

    #[test]
    fn contents_that_have_little_in_common_are_not_compared() {
        let lines = |word: &str| (0..90).map(|line| format!("{word} {line}\n")).collect::<String>();
        assert_eq!(change(&lines("one"), &lines("two")), None);
        assert_eq!(change(&lines("one"), &lines("one")), None);
        let endless = "x\n".repeat(MOST_LINES + 1);
        assert_eq!(change(&endless, &format!("{endless}y\n")), None);
    }
}
