//! Whether a value is a secret, from its characters alone. Words, names of code, paths and
//! placeholders are none; hashes and ids are none unless their label leaves no doubt.

use super::{OPENING, WINDOW, run};

/// The quotation mark that a value stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    sign: char,
    /// Whether the mark itself is escaped, as in a text within a text.
    is_escaped: bool,
}

impl Quote {
    /// The innermost quotation mark of those before a value.
    pub(super) fn opened_by(signs: &str) -> Option<Self> {
        let at = signs.rfind(['"', '\'', '`'])?;
        let sign = signs[at..].chars().next()?;
        Some(Self { sign, is_escaped: signs[..at].ends_with('\\') })
    }
}

/// The value at the start of a text, as much as is judged; none for an expression of code.
pub(super) fn read(text: &str, quote: Option<Quote>) -> Option<&str> {
    let value = &text[..length(text, quote, WINDOW)];
    let is_code = quote.is_none()
        && (is_opening(&text[value.len()..])
            || ["::", "->"].iter().any(|sign| value.contains(sign)));
    let is_other = is_code || value.contains("://") || value.contains(OPENING);
    (!value.is_empty() && !is_other).then_some(value)
}

/// Whether an expression goes on: a call, an index, a type; not the end of an element.
fn is_opening(text: &str) -> bool {
    text.starts_with(['(', '[', '{', '<']) && !text.starts_with("</")
}

/// The length of the whole value.
pub(super) fn whole(text: &str, quote: Option<Quote>) -> usize {
    length(text, quote, text.len())
}

fn length(text: &str, quote: Option<Quote>, most: usize) -> usize {
    let mut end = text.len();
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let ends = match quote {
            _ if at >= most || c.is_whitespace() || c.is_control() => true,
            Some(quote) if quote.is_escaped => c == '\\' && rest[1..].starts_with(quote.sign),
            Some(quote) => c == quote.sign && !is_escaped,
            None => ends_plain(rest, c),
        };
        if ends {
            end = at;
            break;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    match quote {
        Some(_) => end,
        None => text[..end].trim_end_matches(['.', ':', '*', '?', '!']).len(),
    }
}

/// Whether a value that is not quoted ends before this character.
fn ends_plain(rest: &str, c: char) -> bool {
    match c {
        '&' => {
            let name = run(&rest[1..], |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            name > 0 && name < 40 && rest[1 + name..].starts_with(['=', ';'])
        }
        _ if c.is_ascii() => "\"'`<>()[]{},;|\\".contains(c),
        _ => !c.is_alphanumeric(),
    }
}

/// Whether a machine made this by chance: letters and digits take turns much more often than in
/// words and names.
pub(super) fn is_random(text: &str) -> bool {
    const SHORTEST: usize = 16;
    let turns = Turns::of(text);
    text.len() >= SHORTEST && turns.with_digits >= 2 && turns.all * 6 >= turns.characters
}

/// Whether a word that begins like a key goes on like one: a long run of letters and digits.
pub(super) fn is_made(text: &str) -> bool {
    const LONG: usize = 16;
    let mut runs = text.split(|c: char| !c.is_ascii_alphanumeric());
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    is_uuid(&text[text.len().saturating_sub(36)..])
        || digits > 0 && digits < text.len() && runs.any(|run| run.len() >= LONG)
}

/// How often the kind of character changes from one to the next.
struct Turns {
    characters: usize,
    /// Capitals before small letters begin a word and do not count.
    all: usize,
    with_digits: usize,
}

impl Turns {
    fn of(text: &str) -> Self {
        #[derive(PartialEq)]
        enum Sort {
            Small,
            Capital,
            Digit,
        }
        let sort = |byte: &u8| match byte {
            b'a'..=b'z' => Some(Sort::Small),
            b'A'..=b'Z' => Some(Sort::Capital),
            b'0'..=b'9' => Some(Sort::Digit),
            _ => None,
        };
        let bytes = text.as_bytes();
        let mut turns = Self { characters: 0, all: 0, with_digits: 0 };
        turns.characters = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
        for pair in bytes.windows(2) {
            let (Some(left), Some(right)) = (sort(&pair[0]), sort(&pair[1])) else { continue };
            let begins_word = left == Sort::Capital && right == Sort::Small;
            turns.all += usize::from(left != right && !begins_word);
            turns.with_digits += usize::from((left == Sort::Digit) != (right == Sort::Digit));
        }
        turns
    }
}

/// Whether a person may have chosen this as a password.
pub(super) fn is_password(text: &str, is_quoted: bool) -> bool {
    const SHORTEST: usize = 6;
    const ALGORITHMS: [&str; 8] =
        ["sha256", "sha512", "sha-256", "base64", "argon2", "argon2id", "pbkdf2", "aes256"];
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let has_letter = text.contains(char::is_alphabetic);
    let has_sign = text.contains(['@', '!', '#', '$', '%', '^', '&', '*', '+', '~']);
    let is_mixed = match (has_letter, has_digit) {
        (true, true) => true,
        (true, false) => has_sign,
        // A number or a PIN, no date and no range.
        (false, _) => has_digit && (has_sign || text.bytes().all(|byte| byte.is_ascii_digit())),
    };
    text.chars().count() >= SHORTEST
        && is_mixed
        && !is_path(text)
        && (is_quoted || !is_name(text))
        && !ALGORITHMS.iter().any(|name| text.eq_ignore_ascii_case(name))
}

/// Whether a setting has a value at all.
pub(super) fn is_set(text: &str) -> bool {
    const SHORTEST: usize = 4;
    let nothing = ["none", "null", "true", "false", "undefined"];
    text.chars().count() >= SHORTEST
        && !is_path(text)
        && !nothing.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn is_path(text: &str) -> bool {
    ["/", "./", "../", "~/"].iter().any(|root| text.starts_with(root)) && text[1..].contains('/')
}

/// A name of code: `config.db1.password`, `old_password_2`, `&self`; or a version, `v1.2.3`.
fn is_name(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_identifier = text
        .split('.')
        .all(|part| is_part(part) && !part.starts_with(|c: char| c.is_ascii_digit()));
    let lower = text.to_ascii_lowercase();
    let names_one = ["pass", "pwd"].iter().any(|name| lower.contains(name));
    let number = text.strip_prefix('v').unwrap_or(text);
    let is_version =
        number.contains('.') && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.starts_with(['&', '*', '@'])
        || is_version
        || is_identifier && (text.contains('.') || text.contains('_') && names_one)
}

/// What stands where a secret would: a variable, a mark, a row of stars.
pub(super) fn is_placeholder(text: &str) -> bool {
    let wraps = |open: char, close: char| text.starts_with(open) && text.ends_with(close);
    let is_wrapped = [('<', '>'), ('{', '}'), ('[', ']'), ('%', '%')];
    let is_variable = |name: &str| {
        name.starts_with(['{', '('])
            || name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
            || name.bytes().all(|byte| byte.is_ascii_uppercase() || is_digit_or_bar(byte))
    };
    is_wrapped.iter().any(|(open, close)| wraps(*open, *close))
        || text.strip_prefix('$').is_some_and(is_variable)
        || ["%s", "%d", "%("].iter().any(|start| text.starts_with(start))
        || text.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '.' | '…' | '•'))
        || text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("your"))
}

fn is_digit_or_bar(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

/// `msg_01hqvj…`: a word and a ULID.
pub(super) fn is_own_id(text: &str) -> bool {
    text.split_once('_').is_some_and(|(prefix, rest)| {
        prefix.len() == 3 && prefix.bytes().all(|byte| byte.is_ascii_lowercase()) && is_ulid(rest)
    })
}

/// Hashes, UUIDs and ULIDs.
pub(super) fn is_reference(text: &str) -> bool {
    let is_hash = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash || is_uuid(text) || is_ulid(text)
}

fn is_uuid(text: &str) -> bool {
    text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn is_ulid(text: &str) -> bool {
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric()
            && !matches!(byte.to_ascii_lowercase(), b'i' | b'l' | b'o' | b'u')
    };
    let is_one_case = !(text.bytes().any(|byte| byte.is_ascii_lowercase())
        && text.bytes().any(|byte| byte.is_ascii_uppercase()));
    text.len() == 26 && is_one_case && text.bytes().all(is_part)
}
