//! What a check has found, the best news first.

use super::View;
use super::style::{ERROR, FAINT, PLAIN, WARNING, paint};
use super::text::{harmless, left, wrapped};
use dossier_core::health::{Finding, Verdict};

const VERDICT: usize = 9;
const ABOUT: usize = 16;

/// One finding a line or more, those that are well first.
pub fn findings(findings: &[Finding], view: View) -> String {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.verdict);
    let columns = view.width.saturating_sub(VERDICT + ABOUT);
    let mut text = String::new();
    for finding in sorted {
        let (word, style) = match finding.verdict {
            Verdict::Ok => ("ok", PLAIN),
            Verdict::Warning => ("warning", WARNING),
            Verdict::Problem => ("problem", ERROR),
        };
        let mut head =
            format!("{}{}", paint(style, &left(word, VERDICT)), left(finding.about, ABOUT));
        for line in wrapped(&harmless(&finding.what), columns) {
            text.push_str(&format!("{head}{line}\n"));
            head = " ".repeat(VERDICT + ABOUT);
        }
        if let Some(mend) = &finding.mend {
            for line in wrapped(&harmless(mend), columns) {
                text.push_str(&format!("{}{}\n", " ".repeat(VERDICT + ABOUT), paint(FAINT, &line)));
            }
        }
    }
    text
}
