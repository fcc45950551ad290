//! One analyser for both databases: text becomes plain terms.
//!
//! A term is made of lower-case letters, digits and underscores, without accents, so that each
//! database's index takes it as one word. Words are stemmed; an identifier gives itself and the
//! stems of its parts; writing without spaces gives pairs of characters.

mod dates;
mod profile;
mod question;
mod words;

pub use dates::{AskedMonths, date_terms};
pub use profile::{Counts, Field, Profile, Term};
pub use question::Question;
pub use words::{each_term, is_stopword, terms, words};
