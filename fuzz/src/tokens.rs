//! Counting tokens: as the plain encoder counts them, for any text and any model's name.

use crate::{repeated, text};
use dossier_core::catalogue::{Catalogue, ModelInfo};
use dossier_core::tokens::Tokenizer;

pub fn tokens(data: &[u8]) {
    let text = text(data);
    check_counts(&text);
    check_names(&text);
    if let Some(long) = repeated(&text) {
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            let count = tokenizer.count(&long) as usize;
            assert!((1..=long.len()).contains(&count));
        }
    }
}

fn check_counts(text: &str) {
    // The plain encoder takes long over runs of one character.
    const LONGEST: usize = 16 << 10;
    let counts = [Tokenizer::O200k, Tokenizer::Cl100k].map(|it| it.count(text) as usize);
    if text.len() <= LONGEST {
        let plain = [bpe_openai::o200k_base(), bpe_openai::cl100k_base()];
        assert_eq!(counts, plain.map(|it| it.count(text)));
    }
    for count in counts {
        assert!(count <= text.len());
        assert_eq!(count == 0, text.is_empty());
    }
}

fn check_names(text: &str) {
    let tokenizer = Tokenizer::for_model(text);
    assert_eq!(tokenizer.method().parse(), Ok(tokenizer));
    // An estimate errs on the high side.
    assert!(tokenizer.is_exact() || tokenizer.count(text) >= Tokenizer::O200k.count(text));
    if let Ok(tokenizer) = text.parse::<Tokenizer>() {
        assert_eq!(tokenizer.method().parse(), Ok(tokenizer));
        tokenizer.count(text);
    }
    let info = catalogue().info(text);
    assert_eq!(info, catalogue().info(text));
    assert!(catalogue().near(text).len() <= 3);
    assert!(info.window.input() < info.window.context);
}

fn catalogue() -> Catalogue {
    let names = ["gpt-4o", "claude-sonnet-4-5", "gemini-2.5-pro"];
    Catalogue::new(names.map(|name| ModelInfo::unknown("vendor", name)))
}
