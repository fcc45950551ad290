//! How much a PDF may unpack to.
//!
//! Streams of objects are unpacked as soon as a file is opened, so they are measured in the file
//! as it is; all others when it is open and, if need be, decrypted.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::object::Name;
use hayro_syntax::object::Stream;
use hayro_syntax::object::dict::keys::{SUBTYPE, TYPE};

use super::Fault;

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
const DICTIONARY_BYTES: usize = 1024;

const STREAM: Fault = Fault::Bomb("a stream is larger than 64 MiB");
const ALL: Fault = Fault::Bomb("its streams are larger than 512 MiB");
const FILTERS: Fault = Fault::Bomb("a stream is packed more than once");

/// Measures the streams that are unpacked while the file is opened.
pub(super) fn check_file(bytes: &[u8]) -> Result<(), Fault> {
    if !bytes[..bytes.len().min(1024)].windows(5).any(|window| window == b"%PDF-") {
        return Err(Fault::Damaged("it does not begin as a PDF"));
    }
    let is_encrypted = find(bytes, b"/Encrypt").is_some();
    let mut all = 0;
    let mut at = 0;
    while let Some(found) = find(&bytes[at..], b"stream") {
        let keyword = at + found;
        at = keyword + b"stream".len();
        let dictionary = &bytes[keyword.saturating_sub(DICTIONARY_BYTES)..keyword];
        let dictionary = &dictionary[rfind(dictionary, b"obj").unwrap_or(0)..];
        if dictionary.ends_with(b"end") || is_image(dictionary) {
            continue;
        }
        all += unpacked(bytes, at, dictionary, is_encrypted)?;
        if all > ALL_BYTES {
            return Err(ALL);
        }
    }
    Ok(())
}

/// What a stream unpacks to, as far as it can be told.
fn unpacked(
    bytes: &[u8],
    start: usize,
    dictionary: &[u8],
    is_encrypted: bool,
) -> Result<usize, Fault> {
    let holds_objects = find(dictionary, b"ObjStm").is_some() || find(dictionary, b"#").is_some();
    let filters = dictionary.windows(6).filter(|window| *window == b"Decode").count();
    let parameters = dictionary.windows(11).filter(|window| *window == b"DecodeParms").count();
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
    match unpacked_size(&bytes[start + line_end..]) {
        size if size > STREAM_BYTES => Err(STREAM),
        size => Ok(size),
    }
}

/// Pictures are never unpacked; but nothing that may hold objects passes for one.
fn is_image(dictionary: &[u8]) -> bool {
    find(dictionary, b"/Image").is_some()
        && [&b"ObjStm"[..], b"XRef", b"/First", b"#"]
            .iter()
            .all(|key| find(dictionary, key).is_none())
}

/// Pictures are not unpacked, and streams of objects are unpacked already.
pub(super) fn is_measured(stream: &Stream<'_>) -> bool {
    let named = |key, wanted: &[u8]| {
        stream.dict().get::<Name<'_>>(key).is_some_and(|name| &*name == wanted)
    };
    !(named(SUBTYPE, b"Image") || named(TYPE, b"ObjStm") || named(TYPE, b"XRef"))
}

/// What the streams of an open file unpack to.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    all: usize,
}

impl Unpacked {
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
                unpacked_size(&packed).max(packed.len())
            }
            // Behind letters, such as base 85.
            Some(Filter::FlateDecode) if packed.len() > DEFLATED_BYTES => return Err(STREAM),
            _ => packed.len(),
        };
        if size > STREAM_BYTES {
            return Err(STREAM);
        }
        self.all += size;
        if self.all > ALL_BYTES { Err(ALL) } else { Ok(()) }
    }
}

/// The size of what is packed here, as far as it is of interest, and up to where it is damaged.
/// Neither the header nor the checksum of zlib is missed by a reader of PDFs.
fn unpacked_size(packed: &[u8]) -> usize {
    size(ZlibDecoder::new(packed)).max(size(DeflateDecoder::new(packed)))
}

fn size(unpacked: impl Read) -> usize {
    let mut unpacked = unpacked.take(STREAM_BYTES as u64 + 1);
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
