//! What can go wrong: an error for a path someone named, a reason for a file that was left out.
//!
//! Every message is safe to show: paths in it have passed through [`crate::name::printable`].

use std::io;

use crate::extract::Fault;

/// Why a call failed as a whole.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error("{path} does not exist; check its spelling and the folder it is relative to")]
    NotFound { path: String },

    #[error(
        "{path} is refused: credentials and system files are never read; \
         copy what is needed into another file"
    )]
    Forbidden { path: String },

    #[error(
        "{path} is refused: it is not below a folder that may be read from; \
         allow its folder with --root DIR"
    )]
    OutsideRoots { path: String },

    #[error(
        "{path} is not a valid path: {fault}; \
         give a path below the project's folder, such as src/main.rs"
    )]
    Invalid { path: String, fault: &'static str },

    #[error("{path} cannot be examined: {source}; check that it can be opened")]
    Unreadable { path: String, source: io::Error },

    #[error(
        "the ZIP cannot be read: {fault}; fetch it again, or unpack it and name what is inside"
    )]
    BadZip { fault: String },
}

/// Why one file was left out; it never fails the call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    #[error("binary")]
    Binary,

    /// A document, but of a kind that has no reader here.
    #[error("a format that is not read; save it as PDF, DOCX or HTML")]
    UnreadFormat,

    #[error("no text can be taken out of it: {0}")]
    Document(Fault),

    /// Neither UTF-8 nor marked UTF-16, and too damaged to be read as if it were.
    #[error("not text in UTF-8 or UTF-16")]
    NotText,

    #[error("too large: {size} bytes, the limit is {limit}")]
    TooLarge { size: u64, limit: u64 },

    #[error("the limit for all files together is used up")]
    TotalExceeded,

    #[error(
        "no more may be stored (limits.bytes); forget something with dossier forget … --now, or \
         allow more with dossier config set limits.bytes N"
    )]
    StoreFull,

    #[error("a credential or system file, which is never read")]
    Credential,

    #[error("unreadable: {0}")]
    Unreadable(String),

    /// A pipe, a socket or a device.
    #[error("not a regular file")]
    NotAFile,

    #[error("a link that leaves the folder")]
    OutsideRoot,

    #[error("a link that leads back to itself")]
    LinkLoop,

    #[error("a link to nothing")]
    BrokenLink,

    #[error("its name is not UTF-8")]
    NameNotUtf8,

    /// The name would not survive [`crate::virtual_path`], or would deceive whoever is shown it.
    #[error("its name holds control characters, backslashes or other parts that mislead")]
    UnsafeName,

    #[error("a dependency, build or version-control folder")]
    SkippedFolder,

    #[error("replaced by something else while it was read")]
    Replaced,
}
