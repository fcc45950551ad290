//! PDF: text page by page, in the order in which it is drawn.
//!
//! The crates below read files of any kind of damage, but know no limits. So every stream is
//! measured before it is unpacked, and pages are drawn by our own small machine, which counts its
//! steps.

mod bounds;
mod inflate;
mod layout;
mod machine;

use hayro_syntax::object::dict::keys::CONTENTS;
use hayro_syntax::object::{Array, Object, Stream};
use hayro_syntax::page::Page;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use super::budget::Budget;
use super::sheet::Sheet;
use super::{Extracted, Fault};
use bounds::Unpacked;
use layout::Layout;
use machine::Machine;

/// No honest document has more.
const MOST_PAGES: usize = 20_000;

pub(super) fn extract(bytes: &[u8], most: usize, budget: &Budget) -> Result<Extracted, Fault> {
    bounds::check_file(bytes, budget)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Fault::Encrypted,
        LoadPdfError::Decryption(_) => Fault::Encrypted,
        LoadPdfError::Invalid => Fault::Damaged("it cannot be read as a PDF"),
    })?;
    let mut unpacked = Unpacked::of(budget);
    for object in pdf.objects() {
        if let Object::Stream(stream) = object {
            unpacked.check(&stream)?;
        }
    }
    let mut sheet = Sheet::new(most);
    let mut machine = Machine::default();
    for (page, number) in pdf.pages().iter().take(MOST_PAGES).zip(1..) {
        let mut layout = Layout::default();
        machine.draw(page, &contents(page), &mut layout)?;
        sheet.begin_place(&format!("page {number}"));
        layout.write(&mut sheet);
        if sheet.is_full() {
            break;
        }
    }
    match machine.has_nameless_text() {
        true => Err(Fault::Damaged("its fonts do not tell which letters they show")),
        false => sheet.finish(),
    }
}

/// The instructions of a page, of which a part may be named any number of times.
fn contents(page: &Page<'_>) -> Vec<u8> {
    let streams: Vec<Stream<'_>> = match page.raw().get::<Object<'_>>(CONTENTS) {
        Some(Object::Stream(stream)) => vec![stream],
        Some(Object::Array(array)) => parts(&array),
        _ => Vec::new(),
    };
    let mut contents = Vec::new();
    for stream in streams {
        if contents.len() > bounds::STREAM_BYTES {
            break;
        }
        // Nobody has measured a picture.
        if !bounds::is_measured(&stream) {
            continue;
        }
        if let Ok(part) = stream.decoded_data() {
            contents.extend_from_slice(&part);
            contents.push(b' ');
        }
    }
    contents
}

fn parts<'a>(array: &Array<'a>) -> Vec<Stream<'a>> {
    array.iter::<Stream<'a>>().collect()
}
