//! A text that must not be seen. It shows as `[masked]`, and is overwritten when it is no longer
//! needed.

use std::fmt;

#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// None when nothing is left without the white space around it.
    pub fn new(text: &str) -> Option<Self> {
        Some(text.trim()).filter(|text| !text.is_empty()).map(|text| Self(text.to_owned()))
    }

    /// The text itself, for the one place that needs it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Enough of it to tell it from others, and no more.
    pub(crate) fn hint(&self) -> String {
        const SHOWN: usize = 4;
        let characters: Vec<char> = self.0.chars().collect();
        match characters.len() >= 4 * SHOWN {
            true => {
                format!("…{}", characters[characters.len() - SHOWN..].iter().collect::<String>())
            }
            false => "…".to_owned(),
        }
    }

    /// A text without the secret, wherever it stands in it.
    pub(crate) fn masked_in(&self, text: &str) -> String {
        text.replace(&self.0, "[masked]")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[masked]")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[masked]")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.0).into_bytes();
        bytes.fill(0);
        std::hint::black_box(&bytes);
    }
}
