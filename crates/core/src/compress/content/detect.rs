//! What a content is, told by the content itself and by the name it comes with.

use crate::compress::is_untouchable;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Json,
    /// A document on each line.
    JsonLines,
    Html,
    Log,
    Code,
    Prose,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Json => "json",
            Kind::JsonLines => "json_lines",
            Kind::Html => "html",
            Kind::Log => "log",
            Kind::Code => "code",
            Kind::Prose => "prose",
        }
    }
}

/// Lines that are looked at.
const SAMPLE: usize = 400;
/// Characters of each that are looked at.
const WIDTH: usize = 300;

const CODE_ENDINGS: [&str; 28] = [
    "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp", "cs",
    "rb", "php", "swift", "scala", "sh", "sql", "lua", "zig", "dart", "ex", "hs", "ml", "vue",
];
const PROSE_ENDINGS: [&str; 6] = ["md", "markdown", "txt", "rst", "adoc", "org"];

/// The kind of a text that is no JSON. `name` is a path or a file's name, if there is one.
pub(super) fn detect_text(text: &str, name: Option<&str>) -> Kind {
    let start = text.trim_start();
    let begins =
        |with: &str| start.get(..with.len()).is_some_and(|own| own.eq_ignore_ascii_case(with));
    if begins("<!doctype html") || begins("<html") {
        return Kind::Html;
    }
    let ending =
        name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending.to_lowercase());
    if let Some(ending) = ending {
        let is = |endings: &[&str]| endings.contains(&ending.as_str());
        match () {
            () if ending == "log" => return Kind::Log,
            () if is(&CODE_ENDINGS) => return Kind::Code,
            () if is(&PROSE_ENDINGS) => return Kind::Prose,
            () => {}
        }
    }
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line[..line.floor_char_boundary(WIDTH)].trim_end())
        .filter(|line| !line.trim().is_empty())
        .take(SAMPLE)
        .collect();
    let share = |is: fn(&str) -> bool| {
        lines.iter().filter(|line| is(line)).count() * 100 / lines.len().max(1)
    };
    if share(is_logged) >= 40 || lines.len() > 2 && is_trace(&lines) {
        Kind::Log
    } else if share(is_code) >= 45 {
        Kind::Code
    } else if share(is_sentence) >= 25 || lines.len() < 8 {
        Kind::Prose
    } else {
        // Lists, tables, output of commands: lines that are alike are folded as in a log.
        Kind::Log
    }
}

/// Begins with a time, or has a level among its first words.
fn is_logged(line: &str) -> bool {
    let stamped = line.trim_start_matches(['[', '(', ' ', '"']);
    let digits = stamped.chars().take(4).filter(char::is_ascii_digit).count() == 4
        || stamped.chars().take(8).filter(|c| *c == ':').count() == 2;
    let times = stamped.chars().take(24).any(|c| matches!(c, ':' | '/' | '-'));
    digits && times || level(line).is_some()
}

/// A level in capitals among the first words of a line.
pub(super) fn level(line: &str) -> Option<&str> {
    line.split_whitespace()
        .take(5)
        .map(|word| word.trim_matches(|c: char| !c.is_alphabetic()))
        .find(|word| {
            matches!(
                *word,
                "TRACE"
                    | "DEBUG"
                    | "INFO"
                    | "NOTICE"
                    | "WARN"
                    | "WARNING"
                    | "ERROR"
                    | "FATAL"
                    | "CRITICAL"
                    | "PANIC"
                    | "SEVERE"
            )
        })
}

fn is_trace(lines: &[&str]) -> bool {
    let frames = lines.iter().filter(|line| is_frame(line)).count();
    frames * 100 >= lines.len() * 30 && lines.iter().any(|line| is_untouchable(line))
}

/// A line of a stack trace.
pub(super) fn is_frame(line: &str) -> bool {
    let inner = line.trim_start();
    let indented = inner.len() < line.len();
    let numbered = inner.split_once(':').is_some_and(|(number, _)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    inner.starts_with("at ")
        || inner.starts_with("Caused by")
        || inner.starts_with("During handling of")
        || inner.starts_with("The above exception")
        || inner.starts_with('#') && inner[1..].starts_with(|c: char| c.is_ascii_digit())
        || indented && (inner.starts_with("File \"") || inner.starts_with("...") || numbered)
        || indented
}

fn is_code(line: &str) -> bool {
    let inner = line.trim();
    let ends = inner.ends_with(['{', '}', ';'])
        || inner.ends_with("):")
        || inner.ends_with("),")
        || inner.ends_with("->");
    let begins = super::code::is_signature(inner)
        || [
            "//", "#include", "import ", "from ", "use ", "return ", "if (", "@", "const ", "let ",
            "var ", "package ",
        ]
        .iter()
        .any(|start| inner.starts_with(start));
    let assigns = line.starts_with("    ")
        && (inner.contains(" = ") || inner.ends_with(')') || inner.ends_with(':'));
    ends || begins || assigns
}

fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let words = line.split_whitespace().count();
    words >= 6 && line.ends_with(['.', '!', '?', ':', '。', '”', '"', ')']) || words >= 25
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: Kind, text: &str) {
        assert_eq!(detect_text(text, None), kind, "{text}");
    }

    #[test]
    fn a_text_is_told_by_its_lines() {
        check(Kind::Log, "2026-03-01T12:00:00Z INFO a: b\n2026-03-01T12:00:01Z WARN c\n");
        check(Kind::Log, "12:00:01 started\n12:00:02 done\n");
        check(
            Kind::Log,
            "Traceback (most recent call last):\n  File \"a.py\", line 1\n    x()\nTypeError: no",
        );
        check(Kind::Code, "fn main() {\n    let x = 1;\n}\n\nstruct A;\n");
        check(Kind::Code, "import os\n\ndef f(a):\n    x = a\n    return x\n");
        check(Kind::Prose, "It was late. Nobody came.\n\nThen the door opened, and she went in.\n");
        check(Kind::Html, "\n<!DOCTYPE html><html><body>x</body></html>");
        check(Kind::Log, &"src/main.rs\nsrc/lib.rs\n".repeat(9));
    }

    #[test]
    fn a_name_decides_where_it_can() {
        assert_eq!(detect_text("x", Some("src/a.rs")), Kind::Code);
        assert_eq!(detect_text("x", Some("a.log")), Kind::Log);
        assert_eq!(detect_text("fn main() {}", Some("notes.md")), Kind::Prose);
    }
}
