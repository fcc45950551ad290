//! Kinds of values. A value is told from its characters alone, so that it has the same kind
//! wherever it stands.

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Url,
    /// `ref:kind:hash`.
    Ref,
    /// An e-mail address.
    Address,
    Path,
    Id,
    /// Anything else with a digit: amounts, dates, versions, names with a number.
    Number,
}

impl Kind {
    /// Whether the value means something without the words around it.
    pub(super) fn speaks_alone(self) -> bool {
        self != Kind::Number
    }

    /// The kind of a fragment that is no URL; none for a plain word.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text.strip_prefix("ref:").is_some_and(|rest| !rest.is_empty()) {
            Some(Kind::Ref)
        } else if is_address(text) {
            Some(Kind::Address)
        } else if is_path(text) {
            Some(Kind::Path)
        } else if is_id(text) {
            Some(Kind::Id)
        } else {
            text.contains(char::is_numeric).then_some(Kind::Number)
        }
    }
}

fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
}

/// `src/main.rs`, `./run`, `~/notes`, `C:\work`, `/usr/local`; not `and/or`, `3/4` or `1/2/2026`.
fn is_path(text: &str) -> bool {
    let separator = ['/', '\\'];
    let Some((_, last)) = text.rsplit_once(separator) else { return false };
    let rooted = ["./", "../", "~/", ".\\", "..\\"].iter().any(|root| text.starts_with(root));
    let drive = text.chars().nth(1) == Some(':');
    let has_ending = last.rsplit_once('.').is_some_and(|(_, ending)| !ending.is_empty());
    let deep = text.matches(separator).count() > 1;
    text.contains(char::is_alphabetic) && (rooted || drive || has_ending || deep)
}

fn is_id(text: &str) -> bool {
    is_issue(text)
        || is_ticket(text)
        || is_uuid(text)
        || is_hash(text)
        || is_prefixed(text)
        || is_opaque(text)
}

/// `#123`.
fn is_issue(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(is_digits)
}

/// `ABC-123`, `CVE-2026-1234`.
fn is_ticket(text: &str) -> bool {
    let mut parts = text.split('-');
    let key = parts.next().unwrap_or_default();
    let is_key = key.len() > 1
        && key.starts_with(|c: char| c.is_ascii_uppercase())
        && key.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    is_key && text.len() > key.len() && parts.all(is_digits)
}

fn is_uuid(text: &str) -> bool {
    text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// Seven or more hexadecimal digits, letters among them.
fn is_hash(text: &str) -> bool {
    text.len() >= 7 && text.chars().all(|c| c.is_ascii_hexdigit()) && is_mixed(text)
}

/// `msg_01hqvj`: a word, and something with a digit.
fn is_prefixed(text: &str) -> bool {
    text.rsplit_once('_').is_some_and(|(prefix, rest)| {
        prefix.starts_with(|c: char| c.is_ascii_alphabetic())
            && rest.len() >= 6
            && rest.contains(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// Long and without words: ULIDs, keys, names that a machine made.
fn is_opaque(text: &str) -> bool {
    text.len() >= 16
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && text.chars().filter(char::is_ascii_digit).count() > 1
        && is_mixed(text)
}

fn is_mixed(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.contains(|c: char| c.is_ascii_alphabetic())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: Option<Kind>, texts: &[&str]) {
        for text in texts {
            assert_eq!(Kind::of(text), kind, "{text}");
        }
    }

    #[test]
    fn values_are_told_by_their_characters() {
        check(Some(Kind::Ref), &["ref:file:9f2c", "ref:x"]);
        check(Some(Kind::Address), &["ana@example.org"]);
        check(
            Some(Kind::Path),
            &["src/main.rs", "./run", "~/notes", "/usr/local", r"C:\work", "a/b/c"],
        );
        check(
            Some(Kind::Id),
            &[
                "#12",
                "ABC-123",
                "CVE-2026-1234",
                "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
                "9f2c4e1",
                "01HQVJX9KF3T0Q2Z8W1MXNBR4C",
                "msg_01hqvj",
                "AKIAIOSFODNN7EXAMPL3",
            ],
        );
        check(
            Some(Kind::Number),
            &[
                "1234567",
                "3/4",
                "1/2/2026",
                "v1.2.3",
                "$4,000.50",
                "2026-03-01T12:30:00Z",
                "sha256",
                "５",
            ],
        );
        check(
            None,
            &["word", "and/or", "TCP/IP", "/help", "deadbeef", "a-b", "user@host", "", "ref:"],
        );
    }
}
