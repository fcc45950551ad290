//! Taking the text out of documents: bytes to text, with the places (pages, sections, cells) by
//! which a reader finds something in it.
//!
//! Everything here is a pure function of the bytes. What is unpacked, how deep it is nested and
//! how much text comes of it are bounded, so a hostile document is an error with a reason and
//! never a crash, a hang or a full memory.

mod archive;
mod budget;
mod docx;
mod html;
mod mail;
mod notebook;
mod office;
mod pdf;
mod sheet;
mod xml;

use std::thread;

use dossier_core::chunk::Place;

use crate::kind::extension;
use budget::{Budget, Nest};

/// Parsers that go down by recursion are bounded in depth, but by no more than this.
const STACK_BYTES: usize = 32 * 1024 * 1024;

/// What was taken out of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    pub text: String,
    /// In the order of their lines.
    pub places: Vec<Place>,
}

/// Why nothing was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("it is encrypted; save a copy without a password")]
    Encrypted,

    #[error("it holds no text (scanned?)")]
    NoText,

    #[error("it is damaged or not what its name says; {0}")]
    Damaged(&'static str),

    #[error("its text is longer than {limit} bytes")]
    TooLong { limit: usize },

    /// Far more comes out of it than any honest document holds.
    #[error("it unpacks to more than is safe; {0}")]
    Bomb(&'static str),
}

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Pdf,
    Docx,
    Odt,
    Pptx,
    Epub,
    Html,
    Notebook,
    Mail,
    Mailbox,
}

impl Format {
    /// By the extension of a path, or by the first bytes where they leave no doubt; none for what
    /// is text already.
    pub fn of(path: &str, start: &[u8]) -> Option<Self> {
        if start.starts_with(b"%PDF-") {
            return Some(Self::Pdf);
        }
        match extension(path).as_str() {
            "pdf" => Some(Self::Pdf),
            "docx" | "docm" => Some(Self::Docx),
            "odt" => Some(Self::Odt),
            "pptx" => Some(Self::Pptx),
            "epub" => Some(Self::Epub),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "ipynb" => Some(Self::Notebook),
            "eml" => Some(Self::Mail),
            "mbox" => Some(Self::Mailbox),
            _ => None,
        }
    }
}

/// The text of a document, of at most so many bytes.
///
/// A parser that panics takes only its own thread with it, so a damaged document cannot end the
/// program; every profile unwinds.
pub fn extract(format: Format, bytes: &[u8], most: usize) -> Result<Extracted, Fault> {
    const GAVE_UP: Fault = Fault::Damaged("the reader gave up on it");
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
            let budget = Budget::of_one_file();
            within(format, bytes, most, Nest { depth: 0, budget: &budget })
        });
        reader.map_err(|_| GAVE_UP)?.join().map_err(|_| GAVE_UP)?
    })
}

/// The same, it may be inside another document.
fn within(format: Format, bytes: &[u8], most: usize, nest: Nest<'_>) -> Result<Extracted, Fault> {
    let budget = nest.budget;
    match format {
        Format::Pdf => pdf::extract(bytes, most, budget),
        Format::Docx => docx::extract(bytes, most, budget),
        Format::Odt => office::odt(bytes, most, budget),
        Format::Pptx => office::pptx(bytes, most, budget),
        Format::Epub => office::epub(bytes, most, budget),
        Format::Html => html::extract(bytes, most),
        Format::Notebook => notebook::extract(bytes, most),
        Format::Mail => mail::extract(bytes, most, nest),
        Format::Mailbox => mail::mailbox(bytes, most, nest),
    }
}
