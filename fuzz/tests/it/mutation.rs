//! Mutations of a corpus: what a fuzzer does, without its feedback. Seeded, so that a run is like
//! any other.

/// Bytes that decide something somewhere.
const TELLING: [&[u8]; 16] = [
    b"\n",
    b"\r\n",
    b"\0",
    b" ",
    b"\"",
    b"\\",
    b"{",
    b"]",
    b".",
    b"_",
    b"0",
    b"\xff",
    "é".as_bytes(),
    "日".as_bytes(),
    "\u{301}".as_bytes(),
    "🦀".as_bytes(),
];

pub struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    state: u64,
}

impl<'a> Mutator<'a> {
    pub fn new(corpus: &'a [Vec<u8>]) -> Self {
        Self { corpus, state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// An input of the corpus with one to eight changes.
    pub fn next(&mut self) -> Vec<u8> {
        let mut data = self.input().to_vec();
        for _ in 0..=self.below(8) {
            self.change(&mut data);
        }
        data
    }

    fn change(&mut self, data: &mut Vec<u8>) {
        let start = self.below(data.len() + 1);
        let end = start + self.below((data.len() - start).min(64) + 1);
        match self.below(5) {
            0 => drop(data.drain(start..end)),
            1 => {
                let part = data[start..end].repeat(1 + self.below(8));
                data.splice(start..start, part);
            }
            2 => {
                let telling = TELLING[self.below(TELLING.len())];
                data.splice(start..end, telling.iter().copied());
            }
            3 => {
                let bit = 1 << self.below(8);
                data[start..end].iter_mut().take(1).for_each(|byte| *byte ^= bit);
            }
            _ => {
                let other = self.input();
                let from = self.below(other.len() + 1);
                let to = from + self.below((other.len() - from).min(256) + 1);
                data.splice(start..end, other[from..to].iter().copied());
            }
        }
    }

    fn input(&mut self) -> &'a [u8] {
        let place = self.below(self.corpus.len());
        &self.corpus[place]
    }

    /// Xorshift; as good as chance for choosing inputs.
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % end as u64) as usize
    }
}
