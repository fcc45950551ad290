//! What is wrong with a text from outside, and where.

/// What the error for an unknown text offers.
const EXPECTED: &str = "known are the exports of ChatGPT and Claude (the ZIP or its \
    conversations.json), archives and Markdown of dossier export, Markdown with a heading for each \
    speaker, and {\"title\", \"messages\": [{\"speaker\", \"content\", \"created_at\"?, \
    \"section\"?}]}, a list of these, or one a line";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeError {
    #[error("the file is empty")]
    Empty,
    #[error("not a conversation: {what}; {EXPECTED}")]
    Unknown { what: String },
    /// The text is damaged.
    #[error("line {line}, column {column}: {what}")]
    Broken { line: usize, column: usize, what: String },
    /// The text is sound, and something in it is not as it must be.
    #[error("{place}: {what}")]
    Wrong { place: String, what: String },
    #[error("an archive stands alone in its file; import it by itself")]
    NotAText,
    #[error(
        "the archive has version {found}, newer than {known}, which this version of dossier knows; \
         update dossier"
    )]
    NewerArchive { found: u64, known: u64 },
    #[error("the archive is incomplete: {what}; export it again, or copy it again")]
    Incomplete { what: String },
    #[error(
        "the archive was changed after it was written: its lines are not those that its last line \
         tells of; export it again, or copy it again"
    )]
    Changed,
}

impl ExchangeError {
    pub(super) fn unknown(what: &str) -> Self {
        Self::Unknown { what: what.to_owned() }
    }

    pub(super) fn wrong(place: impl Into<String>, what: impl ToString) -> Self {
        Self::Wrong { place: place.into(), what: brief(what, LONGEST) }
    }

    pub(super) fn incomplete(what: impl ToString) -> Self {
        Self::Incomplete { what: brief(what, LONGEST) }
    }
}

/// An error quotes what it is about, which may be most of the file.
const LONGEST: usize = 400;

/// At most so many characters.
pub(super) fn brief(what: impl ToString, longest: usize) -> String {
    let what = what.to_string();
    match what.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &what[..end]),
        None => what,
    }
}
