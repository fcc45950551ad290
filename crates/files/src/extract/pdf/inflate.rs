//! How much deflated data unpacks to, as the reader of PDFs unpacks it: that one forgives damage
//! and goes on, so a strict measure would end where the reader does not. Nothing is unpacked here,
//! only counted.

/// Bits of the longest code.
const LONGEST: usize = 15;

/// Where the lengths of codes stand in the head of a block.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Lengths of copies without their extra bits, and the number of these.
const LENGTHS: [(u16, u8); 29] = {
    let mut table = [(0, 0); 29];
    let (mut code, mut base) = (0, 3);
    while code < 28 {
        let bits = if code < 8 { 0 } else { (code as u8 - 4) / 4 };
        table[code] = (base, bits);
        base += 1 << bits;
        code += 1;
    }
    table[28] = (258, 0);
    table
};

/// The bytes that come out, or `most` if there are no fewer.
pub(super) fn unpacked_size(packed: &[u8], most: usize) -> usize {
    let has_head = matches!(packed, [first, second, ..] if first & 0x0f == 8
        && second & 0x20 == 0
        && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31));
    let mut bits = Bits { bytes: if has_head { &packed[2..] } else { packed }, held: 0, count: 0 };
    let mut size = 0;
    while size < most && !bits.bytes.is_empty() {
        match block(&mut bits, &mut size, most) {
            Some(Last::No) => {}
            _ => break,
        }
    }
    size.min(most)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Yes,
    No,
}

/// Counts one block; `None` where the reader gives up.
fn block(bits: &mut Bits<'_>, size: &mut usize, most: usize) -> Option<Last> {
    let last = if bits.take(1)? == 1 { Last::Yes } else { Last::No };
    match bits.take(2)? {
        0 => stored(bits, size)?,
        1 => {
            let mut lengths = [8; 288];
            lengths[144..256].fill(9);
            lengths[256..280].fill(7);
            packed(bits, &Codes::new(&lengths), &Codes::new(&[5; 30]), size, most)?;
        }
        2 => {
            let (letters, distances) = tables(bits)?;
            packed(bits, &letters, &distances, size, most)?;
        }
        _ => return None,
    }
    Some(last)
}

/// Its second length, which says the same in another way, is read by nobody.
fn stored(bits: &mut Bits<'_>, size: &mut usize) -> Option<()> {
    (bits.held, bits.count) = (0, 0);
    let [low, high, _, _] = *bits.bytes.first_chunk()?;
    let length = usize::from(u16::from_le_bytes([low, high]));
    let rest = &bits.bytes[4..];
    *size += length.min(rest.len());
    bits.bytes = rest.get(length..)?;
    Some(())
}

fn packed(
    bits: &mut Bits<'_>,
    letters: &Codes,
    distances: &Codes,
    size: &mut usize,
    most: usize,
) -> Option<()> {
    while *size < most {
        match letters.read(bits)? {
            0..256 => *size += 1,
            256 => return Some(()),
            code => {
                let (base, extra) = LENGTHS.get(usize::from(code) - 257).copied().unwrap_or((0, 0));
                let length = usize::from(base) + bits.take(extra)? as usize;
                let code = distances.read(bits)?;
                let extra = if code < 4 { 0 } else { (code as u8 - 2) / 2 };
                if code >= 30 {
                    return None;
                }
                let base = if code < 4 { code.into() } else { (2 + u32::from(code) % 2) << extra };
                let distance = (base + bits.take(extra)?) as usize + 1;
                // What lies before the beginning is left out, and the reader goes on.
                *size += if distance <= *size { length } else { 0 };
            }
        }
    }
    Some(())
}

/// The codes that a block brings along.
fn tables(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    let letters = bits.take(5)? as usize + 257;
    let distances = bits.take(5)? as usize + 1;
    let own = bits.take(4)? as usize + 4;
    let mut lengths = [0; 19];
    for place in &ORDER[..own] {
        lengths[*place] = bits.take(3)? as u8;
    }
    let codes = Codes::new(&lengths);
    let mut lengths = Vec::with_capacity(letters + distances);
    while lengths.len() < letters + distances {
        let (length, times) = match codes.read(bits)? {
            length @ 0..=15 => (length as u8, 1),
            16 => (lengths.last().copied().unwrap_or(0), bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            _ => (0, bits.take(7)? + 11),
        };
        lengths.extend(std::iter::repeat_n(length, times as usize));
    }
    lengths.truncate(letters + distances);
    Some((Codes::new(&lengths[..letters]), Codes::new(&lengths[letters..])))
}

/// A table of codes: for each pattern of as many bits as the longest has, the code and its length.
struct Codes {
    table: Vec<(u16, u8)>,
    longest: u8,
}

impl Codes {
    fn new(lengths: &[u8]) -> Self {
        let longest = lengths.iter().copied().max().unwrap_or(0).clamp(1, LONGEST as u8);
        let mut table = vec![(0, 0); 1 << longest];
        let mut next = 0_usize;
        for length in 1..=longest {
            for (code, _) in (0..).zip(lengths).filter(|(_, own)| **own == length) {
                let reversed = (next as u16).reverse_bits() >> (16 - length);
                let from = usize::from(reversed) & (table.len() - 1);
                for place in table[from..].iter_mut().step_by(1 << length) {
                    *place = (code, length);
                }
                next += 1;
            }
            next <<= 1;
        }
        Self { table, longest }
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<u16> {
        bits.fill(self.longest);
        let pattern = bits.held as usize & (self.table.len() - 1);
        let (code, length) = self.table[pattern];
        if length == 0 || bits.count < length {
            return None;
        }
        bits.drop(length);
        Some(code)
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    held: u32,
    count: u8,
}

impl Bits<'_> {
    fn fill(&mut self, count: u8) {
        while self.count < count
            && let Some((byte, rest)) = self.bytes.split_first()
        {
            self.held |= u32::from(*byte) << self.count;
            self.count += 8;
            self.bytes = rest;
        }
    }

    fn take(&mut self, count: u8) -> Option<u32> {
        self.fill(count);
        if self.count < count {
            return None;
        }
        let taken = self.held & ((1 << count) - 1);
        self.drop(count);
        Some(taken)
    }

    fn drop(&mut self, count: u8) {
        self.held >>= count;
        self.count -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};
    use std::io::Write;

    fn text(length: usize) -> Vec<u8> {
        let words = (0_u64..).map(|n| format!("{} ", n.wrapping_mul(2_654_435_761) % 9_973));
        words.flat_map(String::into_bytes).take(length).collect()
    }

    #[test]
    fn what_is_whole_is_counted_to_the_byte() {
        for level in [0, 1, 6, 9] {
            for length in [0, 1, 300, 70_000, 1_000_000] {
                let mut zlib = ZlibEncoder::new(Vec::new(), Compression::new(level));
                let mut bare = DeflateEncoder::new(Vec::new(), Compression::new(level));
                zlib.write_all(&text(length)).unwrap();
                bare.write_all(&text(length)).unwrap();
                for packed in [zlib.finish().unwrap(), bare.finish().unwrap()] {
                    assert_eq!(unpacked_size(&packed, usize::MAX), length, "level {level}");
                    assert_eq!(unpacked_size(&packed, 100), length.min(100), "level {level}");
                }
            }
        }
    }

    #[test]
    fn damage_does_not_end_the_count() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&vec![b' '; 1_000_000]).unwrap();
        // A stored block whose second length is wrong, at which others stop.
        let damaged = [&[0, 2, 0, 9, 9, b'a', b'b'][..], &encoder.finish().unwrap()].concat();
        assert_eq!(unpacked_size(&damaged, usize::MAX), 1_000_002);
    }

    #[test]
    fn any_bytes_have_an_end() {
        let noise: Vec<u8> =
            (0..60_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for from in 0..2_000 {
            assert!(unpacked_size(&noise[from..], 1 << 20) <= 1 << 20);
        }
    }
}
