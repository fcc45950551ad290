//! Properties of cutting: nothing is lost, nothing is too large, every place is exact.

use dossier_core::chunk::{lines, prose, windows};
use proptest::prelude::*;
use std::ops::Range;

/// Text with every kind of line end, blank lines, long lines and other scripts.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        5 => "[a-z]{1,8}[ .!?]{0,2}",
        3 => prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", " \n", "\t"]).prop_map(str::to_owned),
        2 => "\\PC{0,12}",
        1 => prop::sample::select(vec!["日本語。", "e.g. ", "3.14 ", "\u{301}", "👩‍🚀", "\u{2028}"])
            .prop_map(str::to_owned),
        1 => (any::<char>(), 1..9_000_usize).prop_map(|(c, length)| c.to_string().repeat(length)),
        1 => (60..200_usize).prop_map(|lines| "x y\n".repeat(lines)),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// The line of a byte, counted as an editor would, the slow way.
fn line_of(text: &str, byte: usize) -> u32 {
    let plain = text[..byte].replace("\r\n", "\n").replace('\r', "\n");
    // Between the two characters of a line end the line is not over yet.
    let inside = text[..byte].ends_with('\r') && text[byte..].starts_with('\n');
    plain.matches('\n').count() as u32 + u32::from(!inside)
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn joined(text: &str, ranges: &[Range<usize>]) -> String {
    ranges.iter().map(|range| &text[range.clone()]).collect()
}

proptest! {
    #[test]
    fn the_pieces_of_a_file_are_the_file_and_their_places_are_exact(text in text()) {
        let pieces = lines(&text);
        prop_assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), &*text);
        let mut start = 0;
        for piece in pieces {
            let end = start + piece.text.len();
            prop_assert_eq!(piece.start_char, text[..start].chars().count() as u64);
            prop_assert_eq!(piece.end_char, text[..end].chars().count() as u64);
            prop_assert_eq!(piece.start_line, line_of(&text, start));
            let last = text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
            prop_assert_eq!(piece.end_line, line_of(&text, last));
            prop_assert!(piece.end_line - piece.start_line < 50);
            prop_assert!((piece.start_line - 1) / 50 == (piece.end_line - 1) / 50);
            prop_assert!((1..=8_000).contains(&(piece.end_char - piece.start_char)));
            start = end;
        }
    }

    #[test]
    fn prose_keeps_every_word_in_pieces_of_five_hundred_characters(text in text()) {
        let pieces = prose(&text);
        prop_assert_eq!(squeezed(&joined(&text, &pieces)), squeezed(&text));
        for piece in &pieces {
            let piece = &text[piece.clone()];
            prop_assert_eq!(piece, piece.trim());
            prop_assert!((1..=500).contains(&piece.chars().count()));
        }
    }

    #[test]
    fn windows_cover_the_text_and_never_exceed_the_limit(text in text(), limit in 1..300_usize) {
        let measures: [fn(&str) -> usize; 3] = [
            |part| part.split_whitespace().map(|word| word.len().div_ceil(4)).sum(),
            |part| part.chars().count(),
            // More than the sum of its parts.
            |part| part.chars().count() + part.matches('\n').count() * 2,
        ];
        for measure in measures {
            let pieces = windows(&text, limit, measure);
            prop_assert_eq!(squeezed(&joined(&text, &pieces)), squeezed(&text));
            prop_assert!(pieces.windows(2).all(|pair| pair[0].end <= pair[1].start));
            for piece in pieces {
                let piece = &text[piece];
                prop_assert!(measure(piece) <= limit || piece.chars().count() == 1);
            }
        }
    }
}

#[test]
fn the_measure_is_asked_a_bounded_number_of_times() {
    let text = "a line of five words\n".repeat(20_000);
    let calls = std::cell::Cell::new(0);
    let pieces = windows(&text, 100, |part| {
        calls.set(calls.get() + 1);
        part.split_whitespace().count()
    });
    assert_eq!(pieces.len(), 1_000);
    assert_eq!(calls.get(), 1 + 20_000 + 1_000);
}

#[test]
fn ten_megabytes_on_one_line_are_cut() {
    let gap = format!("a{}b", " ".repeat(10 << 20));
    for text in ["x".repeat(10 << 20), "日 ".repeat(5 << 19), "e.g. ".repeat(2 << 20), gap] {
        assert_eq!(lines(&text).iter().map(|piece| piece.text.len()).sum::<usize>(), text.len());
        assert!(!prose(&text).is_empty());
        assert!(!windows(&text, 256, |part| part.len() / 4).is_empty());
    }
}
