//! What is never compressed: errors, stack traces, security warnings. A message that has one of
//! them ships whole, since a shortened error or warning may say the opposite.

/// How the line of an error begins, in lower case.
const ERROR_STARTS: [&str; 16] = [
    "error:",
    "error[",
    "[error]",
    "fatal:",
    "fatal error",
    "panic:",
    "failed:",
    "failure:",
    "assertion failed",
    "uncaught ",
    "unhandled ",
    "exception in thread",
    "caused by:",
    "traceback (most recent call last)",
    "stack trace:",
    "stack backtrace:",
];

/// What only errors say, wherever it stands in a line, in lower case.
const ERROR_PHRASES: [&str; 6] = [
    "panicked at",
    "segmentation fault",
    "core dumped",
    "permission denied",
    "access denied",
    "out of memory",
];

/// A line with a word of both lists is a security warning.
const WARNING_WORDS: [&str; 9] =
    ["warning", "caution", "danger", "alert", "beware", "do not ", "don't ", "never ", "critical"];
const SECURITY_WORDS: [&str; 15] = [
    "security",
    "vulnerab",
    "credential",
    "password",
    "secret",
    "api key",
    "private key",
    "certificate",
    "malware",
    "phishing",
    "injection",
    "exploit",
    "compromised",
    "unauthori",
    "cve-",
];

/// Whether a text has an error, a stack trace or a security warning.
pub fn is_untouchable(text: &str) -> bool {
    text.lines().any(|line| is_error(line) || is_security_warning(line))
}

fn is_error(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "*>#-`".contains(c));
    let lower = line.to_ascii_lowercase();
    ERROR_STARTS.iter().any(|start| lower.starts_with(start))
        || ERROR_PHRASES.iter().any(|phrase| lower.contains(phrase))
        || names_an_exception(line)
        || logs_an_error(line)
}

/// `TypeError: …`, `java.io.IOException: …`.
fn names_an_exception(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let name = word.trim_end_matches(':');
    (word.ends_with(':') || line.trim_end() == name)
        && ["Error", "Exception"].iter().any(|end| name.ends_with(end) && name.len() > end.len())
}

/// A line of a log has its level in capitals among its first words.
fn logs_an_error(line: &str) -> bool {
    line.split_whitespace()
        .take(4)
        .map(|word| word.trim_matches(|c: char| !c.is_alphabetic()))
        .any(|word| matches!(word, "ERROR" | "FATAL" | "PANIC" | "CRITICAL"))
}

fn is_security_warning(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    has(&WARNING_WORDS) && has(&SECURITY_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(untouchable: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(is_untouchable(text), untouchable, "{text}");
        }
    }

    #[test]
    fn errors_and_stack_traces_are_untouchable() {
        check(
            true,
            &[
                "I ran it:\n\n    error[E0308]: mismatched types",
                "Traceback (most recent call last):\n  File \"a.py\", line 1",
                "thread 'main' panicked at src/main.rs:1:2",
                "TypeError: x is not a function\n    at f (a.js:1:2)",
                "java.io.IOException: gone",
                "2026-03-01T12:00:00Z ERROR db: gone",
                "> fatal: not a git repository",
                "open /etc/shadow: Permission denied",
            ],
        );
    }

    #[test]
    fn security_warnings_are_untouchable() {
        check(
            true,
            &[
                "Warning: this dependency has a known vulnerability.",
                "⚠ Never commit your API key.",
                "Security alert: a new sign-in",
                "Caution — prompt injection in this page",
            ],
        );
    }

    #[test]
    fn talk_about_errors_is_not() {
        check(
            false,
            &[
                "",
                "My biggest error was to leave.",
                "We discussed error handling and passwords.",
                "warning: unused variable `x`",
                "The Error type is an enum",
                "The security guard was kind.",
                "I found it on Stack Overflow; we do not compromise on quality",
            ],
        );
    }
}
