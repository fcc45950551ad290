//! A short run of every property on stable Rust: the whole corpus, then a fixed number of its
//! mutations, the same ones every time. `make fuzz` is the long run.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests say what went wrong by panicking")]

mod mutation;

use mutation::Mutator;
use std::fs;
use std::path::Path;

/// Inputs that are tried besides the corpus.
const MUTATIONS: usize = 400;

/// The corpus of a target, in order.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn check(name: &str, property: fn(&[u8])) {
    let corpus = corpus(name);
    let mut mutator = Mutator::new(&corpus);
    let mutations: Vec<Vec<u8>> = (0..MUTATIONS).map(|_| mutator.next()).collect();
    for data in corpus.iter().chain(&mutations) {
        if std::panic::catch_unwind(|| property(data)).is_err() {
            panic!("{name} fails for b\"{}\"", data.escape_ascii());
        }
    }
}

#[test]
fn terms_are_plain_words_whatever_the_text() {
    check("analyse", dossier_fuzz::analyse);
}

#[test]
fn chunks_cover_the_text_and_name_their_places() {
    check("chunk", dossier_fuzz::chunk);
}

#[test]
fn shorter_forms_are_honest_and_fit() {
    check("compress", dossier_fuzz::compress);
}

#[test]
fn documents_give_their_text_or_a_reason() {
    check("extract", dossier_fuzz::extract);
}

#[test]
fn conversations_are_read_whole_or_refused() {
    check("import", dossier_fuzz::import);
}

#[test]
fn a_path_that_is_taken_leads_nowhere_else() {
    check("path", dossier_fuzz::path);
}

#[test]
fn tokens_are_counted_as_the_plain_encoder_counts_them() {
    check("tokens", dossier_fuzz::tokens);
}

#[test]
fn word_pieces_are_those_that_the_model_has() {
    check("wordpiece", dossier_fuzz::wordpiece);
}
