//! Counting over generated and over pathological text.

use dossier_core::tokens::Tokenizer;
use proptest::prelude::*;

proptest! {
    #[test]
    fn counts_equal_those_of_the_plain_encoder(text in text_with_runs()) {
        let counts = [Tokenizer::O200k, Tokenizer::Cl100k].map(|it| it.count(&text) as usize);
        let expected = [bpe_openai::o200k_base(), bpe_openai::cl100k_base()].map(|it| it.count(&*text));
        prop_assert_eq!(counts, expected);
    }

    #[test]
    fn an_estimate_is_never_below_the_exact_count(text in "\\PC{0,200}", model in "[a-z0-9-]{0,12}") {
        let tokenizer = Tokenizer::for_model(&model);
        prop_assert!(tokenizer.is_exact() || tokenizer.count(&text) >= Tokenizer::O200k.count(&text));
    }
}

/// Words, any characters, and long runs of one character.
fn text_with_runs() -> impl Strategy<Value = String> {
    let run = (any::<char>(), 1..900_usize);
    let ascii_run = ("[ -~\t\n]", 1..900_usize);
    let part = prop_oneof![
        "[a-zA-Z' ]{0,20}",
        "\\PC{0,20}",
        run.prop_map(|(c, length)| c.to_string().repeat(length)),
        ascii_run.prop_map(|(c, length)| c.repeat(length)),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

#[test]
fn ten_megabytes_of_one_character_are_counted() {
    const SIZE: usize = 10 << 20;
    let check = |text: &str, expected: usize| {
        let count = Tokenizer::O200k.count(&text.repeat(SIZE / text.len()));
        assert_eq!(count as usize, expected, "{text:?}");
    };
    check("a", SIZE / 8);
    check(" ", SIZE / 128);
    check("😀", SIZE / 4);
    check("-", SIZE / 64);
    check(&format!("{}\n", "=".repeat(127)), SIZE / 128 * 4);
}
