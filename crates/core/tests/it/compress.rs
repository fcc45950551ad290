//! Properties of compression: whatever the text, values come through unaltered or stay reachable.

use dossier_core::compress::{Age, by_age, honest, is_untouchable, protected};
use dossier_core::item::Form;
use proptest::prelude::*;

const REFERENCE: &str = "msg_01hqvjx9kf3t0q2z8w1mxnbr4c";
const AGES: [Age; 3] = [Age::Fresh, Age::Middle, Age::Old];

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,9}([.,:/-][0-9]{1,4}){0,3}( (km|MB|%|€|[0-9]{3}))?",
        "[$€#v+-][0-9]{1,6}(\\.[0-9]{1,3}){0,2}",
        "https?://[a-z]{1,9}\\.(org|com)/[a-z0-9/._~?&=%#()-]{0,60}",
        "[A-Z]{2,5}-[0-9]{1,6}",
        "(msg|fil|ref:file:)_?[0-9a-f]{6,26}",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "[a-z]{1,8}@[a-z]{1,8}\\.org",
        "(/|\\./|[a-z]{1,5}/)[a-z0-9/]{1,30}\\.rs",
    ]
}

/// A message of words, values, code, emoji and other scripts, with and without spaces.
fn message() -> impl Strategy<Value = String> {
    let between = prop::sample::select(vec![
        "", " ", ". ", ", ", "\n", "\n\n", "\r\n", "。", "; ", ") ", " (", "**", "_", "\t",
        "\u{a0}", "[cut ",
    ]);
    let part = prop_oneof![
        6 => "[a-zA-Z]{1,12}",
        4 => value(),
        1 => "\\PC{0,10}",
        1 => any::<char>().prop_map(String::from),
        1 => prop::sample::select(vec!["\n```\n", "日本語", "👩‍🚀", "e.g.", "\n~~~\n", REFERENCE]).prop_map(str::to_owned),
        1 => ("[a-z日本1 ]", 1..400_usize).prop_map(|(c, length)| c.repeat(length)),
    ];
    prop::collection::vec((part, between), 0..200)
        .prop_map(|parts| parts.into_iter().map(|(part, between)| part + between).collect())
}

/// The text with the marker's own words taken out, independently of the product's code.
fn unmarked(text: &str) -> String {
    let Some(end) = text.rfind(&format!("{REFERENCE}]")) else { return text.to_owned() };
    let Some(start) = text[..end].rfind("[cut ") else { return text.to_owned() };
    let mut inner: Vec<&str> = text[start..end].split(", ").skip(1).collect();
    inner.retain(|part| !(part.is_empty() || part.starts_with('+') && part.ends_with(" in ")));
    // The number of the marker may have commas without a space only, so the list starts here.
    format!("{} {} {}", &text[..start], inner.join(" , "), &text[end + REFERENCE.len() + 1..])
}

proptest! {
    #[test]
    fn values_are_unaltered_and_missing_ones_are_reachable(text in message()) {
        let known = protected(&text);
        for age in AGES {
            let compressed = by_age(&text, age, REFERENCE);
            prop_assert!(honest(&text, &compressed.text, REFERENCE));
            if compressed.form == Form::Full {
                prop_assert_eq!(&compressed.text, &text);
                continue;
            }
            prop_assert!(compressed.text.contains(REFERENCE));
            let shown = unmarked(&compressed.text);
            for value in protected(&shown) {
                prop_assert!(known.contains(&value), "{} in {}", value, compressed.text);
                prop_assert!(text.contains(value));
            }
        }
    }

    #[test]
    fn compressing_twice_gives_the_same(text in message()) {
        for age in AGES {
            prop_assert_eq!(by_age(&text, age, REFERENCE), by_age(&text, age, REFERENCE));
        }
    }

    #[test]
    fn forms_keep_their_size(text in message()) {
        let length = text.chars().count();
        for age in AGES {
            let compressed = by_age(&text, age, REFERENCE);
            let shorter = compressed.text.chars().count();
            match compressed.form {
                // What is four times as long as the longest form is always compressed.
                Form::Full => prop_assert!(
                    age == Age::Fresh || length <= 1_680 || is_untouchable(&text),
                    "not compressed: {text:?}"
                ),
                Form::Trimmed => prop_assert!(shorter <= 300 && shorter < length),
                Form::Line => {
                    prop_assert!(shorter <= 420 && shorter < length);
                    prop_assert!(!compressed.text.contains(['\n', '\r']));
                }
                form => prop_assert!(false, "{form:?} is no form of an old message"),
            }
        }
    }

    #[test]
    fn a_value_is_found_again_alone(text in message()) {
        for value in protected(&text) {
            let alone = format!("x, {value}, x");
            prop_assert_eq!(protected(&alone), vec![value]);
        }
    }
}

#[test]
fn a_megabyte_of_anything_is_compressed_at_once() {
    const SIZE: usize = 1 << 20;
    for part in
        ["a", "1", "1,", "1 ", " ", "日", "a:", "://", "https://a.org/(", "```\n", ". ", "-_"]
    {
        let text = part.repeat(SIZE / part.len());
        let compressed = by_age(&text, Age::Old, REFERENCE);
        assert!(compressed.text.len() < 1_000, "{part:?}");
    }
}
