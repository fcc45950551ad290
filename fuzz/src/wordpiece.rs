//! WordPiece: ids that the model has, counted as they are listed, in one pass.

use crate::{number, repeated, text};
use dossier_embed::wordpiece::WordPiece;
use std::sync::LazyLock;

static WORD_PIECE: LazyLock<WordPiece> = LazyLock::new(WordPiece::load);

const VOCABULARY: i32 = 30_522;
const CLASSIFY: i32 = 101;
const SEPARATE: i32 = 102;

pub fn wordpiece(data: &[u8]) {
    let text = text(data);
    check(&text, 2 + number(data, 300));
    if let Some(long) = repeated(&text) {
        check(&long, 256);
    }
}

fn check(text: &str, limit: usize) {
    let count = WORD_PIECE.count(text);
    let whole = WORD_PIECE.ids(text, usize::MAX);
    assert_eq!(whole.len(), count + 2);
    assert_eq!((whole.first(), whole.last()), (Some(&CLASSIFY), Some(&SEPARATE)));
    let inner = &whole[1..=count];
    assert!(inner.iter().all(|id| (0..VOCABULARY).contains(id)));
    assert!(!inner.contains(&CLASSIFY) && !inner.contains(&SEPARATE), "only the frame has them");

    let mut expected = whole[..whole.len().min(limit) - 1].to_vec();
    expected.push(SEPARATE);
    assert_eq!(WORD_PIECE.ids(text, limit), expected);

    // No character decomposes into more than four that are no marks.
    assert!(count <= 4 * text.chars().count());
    let words = text.split(' ').map(|word| WORD_PIECE.count(word)).sum::<usize>();
    assert_eq!(count, words, "no piece reaches over a space");
}
