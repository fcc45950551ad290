//! No answer is given to another question: every pair of `data/sameness.jsonl`, with a similarity
//! that never objects, so that the words alone must tell.

use dossier_core::analyse::is_stopword;
use dossier_core::hash::ContentHash;
use dossier_core::sameness::{
    Asked, Difference, Likeness, Signature, Unfit, Used, Verdict, compare, judge,
};
use proptest::prelude::*;
use serde::Deserialize;

const PAIRS: &str = include_str!("../data/sameness.jsonl");

#[derive(Debug, Deserialize)]
struct Pair {
    id: String,
    a: String,
    b: String,
    label: u8,
    /// What the second answer would be made from otherwise.
    changed: Option<String>,
}

fn pairs() -> Vec<Pair> {
    PAIRS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn used() -> Used {
    Used {
        owner: "ana".to_owned(),
        project: "garden".to_owned(),
        model: "m".to_owned(),
        sources: [("notes.md".to_owned(), ContentHash::of("one"))].into(),
        ..Used::default()
    }
}

fn changed(what: &str) -> Used {
    let mut used = used();
    match what {
        "persona" => used.persona = Some("pirate".to_owned()),
        "owner" => used.owner = "ben".to_owned(),
        "project" => used.project = "house".to_owned(),
        "model" => used.model = "n".to_owned(),
        "instructions" | "rules" => used.instructions = "be brief".to_owned(),
        "tools" => used.tools = ["search".to_owned()].into(),
        "file" => used.sources = [("notes.md".to_owned(), ContentHash::of("two"))].into(),
        "ref" | "fact" => {
            used.sources.insert((what.to_owned(), ContentHash::of("new")));
        }
        other => panic!("nothing called {other} can change"),
    }
    used
}

fn verdict(pair: &Pair) -> Verdict {
    let one = Signature::of(&used());
    let other =
        pair.changed.as_deref().map_or_else(|| one.clone(), |what| Signature::of(&changed(what)));
    judge(
        Asked { text: &pair.a, signature: &one },
        Asked { text: &pair.b, signature: &other },
        Some(1.0),
    )
}

#[test]
fn no_question_gets_the_answer_to_another() {
    let pairs = pairs();
    let wrong: Vec<&Pair> =
        pairs.iter().filter(|pair| pair.label == 0 && verdict(pair).is_same()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let same_context = pairs.iter().filter(|pair| pair.label == 0 && pair.changed.is_none());
    assert!(same_context.count() >= 750);
}

#[test]
fn each_way_to_ask_something_else_is_tried() {
    let pairs = pairs();
    for (kind, least) in [
        ("number", 30),
        ("negation", 20),
        ("opposite", 30),
        ("roles", 70),
        ("replaced", 80),
        ("case", 35),
        ("symbols", 50),
        ("units", 30),
        ("articles", 12),
        ("plurals", 18),
        ("wording", 15),
        ("phrases", 35),
        ("dates", 20),
        ("modality", 20),
        ("tense", 25),
        ("quantifier", 25),
    ] {
        let tried = pairs
            .iter()
            .filter(|pair| pair.id.trim_end_matches(char::is_numeric) == format!("{kind}-"));
        let tried = tried.count();
        assert!(tried >= least, "{kind}: {tried}");
    }
}

#[test]
fn each_thing_that_may_change_does_so_in_ten_pairs() {
    for what in ["persona", "rules", "tools", "file", "ref", "owner", "model", "project", "fact"] {
        let pairs = pairs().into_iter().filter(|pair| pair.changed.as_deref() == Some(what));
        assert!(pairs.count() >= 10, "{what}");
    }
}

#[test]
fn the_order_of_two_questions_does_not_matter() {
    for pair in pairs() {
        let turned = Pair { a: pair.b.clone(), b: pair.a.clone(), id: pair.id.clone(), ..pair };
        assert_eq!(
            compare(&turned.a, &turned.b, Some(1.0)).is_same(),
            compare(&turned.b, &turned.a, Some(1.0)).is_same(),
            "{}",
            turned.id
        );
    }
}

#[test]
fn many_paraphrases_get_the_same_answer() {
    let pairs = pairs();
    let right: Vec<&Pair> = pairs.iter().filter(|pair| pair.label == 1).collect();
    let missed: Vec<&&Pair> = right.iter().filter(|pair| !verdict(pair).is_same()).collect();
    let share = 1.0 - missed.len() as f64 / right.len() as f64;
    assert!(right.len() >= 120 && share >= 0.42, "{share}: {missed:#?}");
}

#[test]
fn without_vectors_only_the_same_characters_are_the_same_question() {
    let question = "What is the capital of Peru?";
    let other = "What's the capital of Peru?";
    assert_eq!(compare(question, question, None), Verdict::Same(Likeness::Exact));
    assert_eq!(compare(question, other, Some(0.99)), Verdict::Same(Likeness::Paraphrase));
    for similarity in [None, Some(0.2), Some(f32::NAN)] {
        let expected = Verdict::Different(Difference::Unlike);
        assert_eq!(compare(question, other, similarity), expected);
    }
}

#[test]
fn a_question_that_cannot_be_compared_says_why() {
    let check = |question: &str, unfit: Unfit| {
        let expected = Verdict::Different(Difference::Unfit(unfit));
        assert_eq!(compare(question, question, Some(1.0)), expected, "{question}");
    };
    check("What does it mean?", Unfit::Outside("it".to_owned()));
    check("Create a task for Ana", Unfit::NoQuestion);
    check("Wie spät ist es?", Unfit::Language);
    check("", Unfit::Language);
    check(&format!("What is {}?", "word ".repeat(80)), Unfit::Long);
}

/// Words that carry a meaning of their own, so that their place tells.
fn carries(word: &str) -> bool {
    let word = word.to_lowercase();
    word.chars().all(char::is_alphabetic)
        && !is_stopword(&word)
        && !["please", "march", "may"].contains(&word.as_str())
}

#[test]
fn swapped_words_make_another_question() {
    let mut swapped = 0;
    // The difference between two things is the same in both directions.
    for Pair { a: text, .. } in pairs().iter().filter(|pair| !pair.a.contains("between")) {
        let words: Vec<&str> = text.trim_end_matches('?').split(' ').collect();
        let places = (0..words.len()).filter(|place| carries(words[*place]));
        let places: Vec<usize> = places.collect();
        for (at, first) in places.iter().enumerate() {
            for second in &places[at + 1..] {
                let mut other = words.clone();
                other.swap(*first, *second);
                if !words[*first].eq_ignore_ascii_case(words[*second]) {
                    let other = format!("{}?", other.join(" "));
                    assert!(!compare(text, &other, Some(1.0)).is_same(), "{text} / {other}");
                    swapped += 1;
                }
            }
        }
    }
    assert!(swapped > 1_000, "{swapped}");
}

#[test]
fn a_sign_an_article_or_a_capital_more_makes_another_question() {
    let mut tried = 0;
    for Pair { a: text, .. } in pairs().iter().filter(|pair| pair.changed.is_none()) {
        let words: Vec<&str> = text.trim_end_matches('?').split(' ').collect();
        for (at, word) in words.iter().enumerate().skip(1).filter(|(_, word)| carries(word)) {
            for other in [
                format!("\"{word}\""),
                format!("-{word}"),
                format!("{word};"),
                format!("{word}_"),
                format!("the {word}"),
                format!("some {word}"),
                format!("not {word}"),
                format!("{word}X"),
            ] {
                let mut words = words.clone();
                words[at] = &other;
                let other = format!("{}?", words.join(" "));
                assert!(!compare(text, &other, Some(1.0)).is_same(), "{text} / {other}");
                tried += 1;
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
}

#[test]
fn a_question_about_signs_or_words_is_the_same_only_as_it_was_written() {
    for question in ["What does grep -v do?", "How do you spell can't?", "What is 5!"] {
        assert_eq!(compare(question, question, None), Verdict::Same(Likeness::Exact));
    }
    for (one, other) in [
        ("What does \"a  b\" match?", "What does \"a b\" match?"),
        ("What's the ! operator?", "What is the ! operator?"),
        ("How do I spell can't?", "How can I spell can't?"),
    ] {
        assert_eq!(compare(one, other, Some(1.0)), Verdict::Different(Difference::Words));
    }
}

proptest! {
    /// Whatever is asked, it is the same question as itself, or none that can be compared.
    #[test]
    fn a_question_is_the_same_as_itself_or_unfit(
        text in "(What is |How do you |[Tt]he |'s |, |1,0|of |between |and |U.S. |\\PC{0,12}|[.!?\n] ){0,12}",
    ) {
        let verdict = compare(&text, &text, None);
        let known = matches!(
            verdict,
            Verdict::Same(Likeness::Exact) | Verdict::Different(Difference::Unfit(_))
        );
        prop_assert!(known, "{verdict:?}");
    }
}
