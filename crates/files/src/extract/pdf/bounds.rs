//! How much a PDF may unpack to.
//!
//! Streams of objects are unpacked as soon as a file is opened, and any stream may be named as one;
//! so all are measured in the file as it is, and once more when it is open and, if need be,
//! decrypted.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::object::Name;
use hayro_syntax::object::Stream;
use hayro_syntax::object::dict::keys::{SUBTYPE, TYPE};

use super::inflate::unpacked_size;
use super::{Budget, Fault};

const MIB: usize = 1024 * 1024;
pub(super) const STREAM_BYTES: usize = 64 * MIB;
const ALL_BYTES: usize = 512 * MIB;
/// Packed bytes that cannot be measured here and may be unpacked all the same: one byte becomes
/// at most 1,032 where it is deflated, 2,700 in LZW and 64 in run lengths.
const DEFLATED_BYTES: usize = 512 * 1024;
const LZW_BYTES: usize = 128 * 1024;
const RUN_BYTES: usize = MIB;
/// Encrypted streams of objects cannot be measured beforehand; honest ones are far smaller.
const SEALED_BYTES: usize = 256 * 1024;
/// Where the dictionary of a stream is looked for, before it.
const DICTIONARY_BYTES: usize = 64 * 1024;
/// A picture is not drawn; but a file may name it where a stream of objects should be, and then it
/// is unpacked all the same.
const PICTURE_BYTES: usize = 256 * MIB;

const STREAM: Fault = Fault::Bomb("a stream is larger than 64 MiB");
const PICTURE: Fault = Fault::Bomb("a picture is larger than 256 MiB");
const ALL: Fault = Fault::Bomb("its streams are larger than 512 MiB");
const FILTERS: Fault = Fault::Bomb("a stream is packed more than once");

/// Measures every stream, since any may be unpacked while the file is opened.
pub(super) fn check_file(bytes: &[u8], budget: &Budget) -> Result<(), Fault> {
    if !bytes[..bytes.len().min(1024)].windows(5).any(|window| window == b"%PDF-") {
        return Err(Fault::Damaged("it does not begin as a PDF"));
    }
    let is_encrypted = find(bytes, b"/Encrypt").is_some();
    let (mut all, mut before, mut at) = (0, 0, 0);
    while let Some(found) = find(&bytes[at..], b"stream") {
        let keyword = at + found;
        at = keyword + b"stream".len();
        if bytes[..keyword].ends_with(b"end") {
            before = at;
            continue;
        }
        // From the end of the stream before on: what lies farther back is some other object's.
        let from = before.max(keyword.saturating_sub(DICTIONARY_BYTES));
        let dictionary = Dictionary::of(&bytes[from..keyword]);
        let size = unpacked(bytes, at, &dictionary, is_encrypted, budget)?;
        all += if dictionary.is_picture() { 0 } else { size };
        if all > ALL_BYTES {
            return Err(ALL);
        }
    }
    Ok(())
}

/// What stands before a stream, of which its dictionary is the end.
struct Dictionary<'a> {
    /// Back to the stream before, with whatever objects lie between.
    all: &'a [u8],
    /// From the last object on.
    own: &'a [u8],
}

impl<'a> Dictionary<'a> {
    fn of(all: &'a [u8]) -> Self {
        Self { all, own: &all[rfind(all, b"obj").unwrap_or(0)..] }
    }

    fn holds_objects(&self) -> bool {
        find(self.own, b"ObjStm").is_some() || find(self.own, b"#").is_some()
    }

    /// Names may be written in many ways with the help of a `#`.
    fn may_be_deflated(&self) -> bool {
        [&b"/Fl"[..], b"#", b"ObjStm", b"XRef"].iter().any(|key| find(self.all, key).is_some())
    }

    /// Nothing that may hold objects passes for a picture.
    fn is_picture(&self) -> bool {
        find(self.own, b"/Image").is_some()
            && [&b"ObjStm"[..], b"XRef", b"/First", b"#"]
                .iter()
                .all(|key| find(self.own, key).is_none())
    }
}

/// What a stream unpacks to, as far as it can be told.
fn unpacked(
    bytes: &[u8],
    start: usize,
    dictionary: &Dictionary<'_>,
    is_encrypted: bool,
    budget: &Budget,
) -> Result<usize, Fault> {
    let own = dictionary.own;
    let holds_objects = dictionary.holds_objects();
    let filters = own.windows(6).filter(|window| *window == b"Decode").count();
    let parameters = own.windows(11).filter(|window| *window == b"DecodeParms").count();
    if holds_objects && filters.saturating_sub(parameters) > 1 {
        return Err(FILTERS);
    }
    if holds_objects && is_encrypted {
        let sealed = &bytes[start..];
        let near = &sealed[..sealed.len().min(SEALED_BYTES + b"endstream".len())];
        let fits = sealed.len() <= SEALED_BYTES || find(near, b"endstream").is_some();
        return if fits { Ok(0) } else { Err(STREAM) };
    }
    let line_end = bytes[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let packed = &bytes[start + line_end..];
    let (limit, fault) = match dictionary.is_picture() {
        true => (PICTURE_BYTES, PICTURE),
        false => (STREAM_BYTES, STREAM),
    };
    // Text that is not packed at all can look like damaged packed data without end.
    let size = match dictionary.may_be_deflated() && !is_encrypted {
        true => unpacked_size(packed, limit + 1),
        false => strictly_unpacked_size(packed, limit + 1),
    };
    budget.spend(size)?;
    if size > limit { Err(fault) } else { Ok(size) }
}

/// Pictures are not unpacked, and streams of objects are unpacked already.
pub(super) fn is_measured(stream: &Stream<'_>) -> bool {
    let named = |key, wanted: &[u8]| {
        stream.dict().get::<Name<'_>>(key).is_some_and(|name| &*name == wanted)
    };
    !(named(SUBTYPE, b"Image") || named(TYPE, b"ObjStm") || named(TYPE, b"XRef"))
}

/// What the streams of an open file unpack to.
#[derive(Debug)]
pub(super) struct Unpacked<'a> {
    all: usize,
    budget: &'a Budget,
}

impl<'a> Unpacked<'a> {
    pub(super) fn of(budget: &'a Budget) -> Self {
        Self { all: 0, budget }
    }

    pub(super) fn check(&mut self, stream: &Stream<'_>) -> Result<(), Fault> {
        use hayro_syntax::Filter;

        if !is_measured(stream) {
            return Ok(());
        }
        let is_packing = |filter: &&Filter| {
            matches!(filter, Filter::FlateDecode | Filter::LzwDecode | Filter::RunLengthDecode)
        };
        let filters = stream.filters();
        if filters.iter().filter(is_packing).count() > 1 {
            return Err(FILTERS);
        }
        let packed = stream.raw_data();
        let size = match filters.iter().find(is_packing) {
            Some(Filter::LzwDecode) if packed.len() > LZW_BYTES => return Err(STREAM),
            Some(Filter::RunLengthDecode) if packed.len() > RUN_BYTES => return Err(STREAM),
            Some(Filter::FlateDecode) if filters.len() == 1 => {
                unpacked_size(&packed, STREAM_BYTES + 1).max(packed.len())
            }
            // Behind letters, such as base 85.
            Some(Filter::FlateDecode) if packed.len() > DEFLATED_BYTES => return Err(STREAM),
            _ => packed.len(),
        };
        self.budget.spend(size)?;
        if size > STREAM_BYTES {
            return Err(STREAM);
        }
        self.all += size;
        if self.all > ALL_BYTES { Err(ALL) } else { Ok(()) }
    }
}

/// The size of what is packed here, up to where it is damaged. Neither the header nor the checksum
/// of zlib is missed by a reader of PDFs.
fn strictly_unpacked_size(packed: &[u8], most: usize) -> usize {
    size(ZlibDecoder::new(packed), most).max(size(DeflateDecoder::new(packed), most))
}

fn size(unpacked: impl Read, most: usize) -> usize {
    let mut unpacked = unpacked.take(most as u64);
    let mut buffer = [0; 16 * 1024];
    let mut size = 0;
    while let Ok(read @ 1..) = unpacked.read(&mut buffer) {
        size += read;
    }
    size
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = wanted[0];
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == first) {
        at += found;
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn rfind(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}
