//! Compressing: values come through unaltered or stay reachable, no form is longer than it may be,
//! and what may not be shortened is not. Fitting, which uses it, keeps its budget.

use crate::{fit, number, repeated, text};
use dossier_core::compress::{Age, Compressed, by_age, honest, is_untouchable, protected};
use dossier_core::item::Form;
use std::collections::BTreeSet;

const REFERENCE: &str = "msg_01hqvjx9kf3t0q2z8w1mxnbr4c";

pub fn compress(data: &[u8]) {
    let text = text(data);
    check_values(&text);
    check(&text);
    fit::check(&text, 30 + number(data, 1_500) as u32);
    if let Some(long) = repeated(&text) {
        check(&long);
    }
}

/// Every value is a part of the text, and is found again alone.
fn check_values(text: &str) {
    for value in protected(text) {
        assert!(!value.is_empty() && text.contains(value));
        assert_eq!(protected(&format!("x, {value}, x")), [value]);
    }
}

fn check(text: &str) {
    let known: BTreeSet<&str> = protected(text).into_iter().collect();
    let length = text.chars().count();
    for age in [Age::Fresh, Age::Middle, Age::Old] {
        let compressed = by_age(text, age, REFERENCE);
        assert_eq!(compressed, by_age(text, age, REFERENCE));
        assert!(honest(text, &compressed.text, REFERENCE));
        let shorter = compressed.text.chars().count();
        match compressed.form {
            Form::Full => {
                assert_eq!(compressed.text, text);
                // What is four times as long as the longest form is always compressed, unless it
                // holds its own id and so looks as if it were cut already.
                let stays = is_untouchable(text) || text.contains(REFERENCE);
                assert!(age == Age::Fresh || length <= 1_680 || stays);
                continue;
            }
            Form::Trimmed => assert!(shorter <= 300 && shorter < length),
            Form::Line => {
                assert!(shorter <= 420 && shorter < length);
                assert!(!compressed.text.contains(['\n', '\r']));
            }
            form => unreachable!("{form:?} is no form of an old message"),
        }
        assert!(!is_untouchable(text));
        check_shortened(&compressed, &known);
    }
    assert_eq!(by_age(text, Age::Old, "").form, Form::Full, "nothing is cut without a reference");
}

/// What is shown has no value that the original has not, its marker's own numbers aside.
fn check_shortened(compressed: &Compressed, known: &BTreeSet<&str>) {
    let marker = compressed.text.rfind(&format!("{REFERENCE}]"));
    let opening = marker.and_then(|end| compressed.text[..end].rfind("[cut "));
    let (Some(end), Some(start)) = (marker, opening) else {
        unreachable!("no marker in {:?}", compressed.text)
    };
    let mut carried: Vec<&str> = compressed.text[start..end].split(", ").skip(1).collect();
    carried.retain(|part| !(part.starts_with('+') && part.ends_with(" in ")));
    let after = &compressed.text[end + REFERENCE.len() + 1..];
    let shown = format!("{} {} {after}", &compressed.text[..start], carried.join(" , "));
    for value in protected(&shown) {
        assert!(known.contains(value), "{value:?} in {:?}", compressed.text);
    }
}
