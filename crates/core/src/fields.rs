//! What is wrong with the fields of a request, all of it at once: whoever fills in a form wants to
//! mend it in one go. A field goes by the name that the domain has for it; doors spell it as they
//! do.

use std::fmt;

/// One field and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    pub field: &'static str,
    pub message: String,
}

/// At least one field that is wrong, in the order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FieldErrors(pub Vec<FieldError>);

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, FieldError { field, message }) in self.0.iter().enumerate() {
            let parted = if place == 0 { "" } else { "; " };
            write!(f, "{parted}{field}: {message}")?;
        }
        Ok(())
    }
}

impl FieldErrors {
    pub fn one(field: &'static str, message: impl Into<String>) -> Self {
        Self(vec![FieldError { field, message: message.into() }])
    }
}

/// Gathers what is wrong while fields are looked at.
#[derive(Debug, Default)]
pub(crate) struct Checks(Vec<FieldError>);

impl Checks {
    /// Notes a field unless it is right.
    pub(crate) fn expect(&mut self, right: bool, field: &'static str, message: impl Into<String>) {
        if !right {
            self.0.push(FieldError { field, message: message.into() });
        }
    }

    /// Takes a number that lies within bounds, or else notes them and takes the lowest.
    pub(crate) fn number(&mut self, field: &'static str, given: i64, least: u32, most: u32) -> u32 {
        let number = u32::try_from(given).ok().filter(|number| (least..=most).contains(number));
        self.expect(number.is_some(), field, format!("is a whole number from {least} to {most}"));
        number.unwrap_or(least)
    }

    /// Takes a text on one line, trimmed.
    pub(crate) fn line(&mut self, field: &'static str, text: &str, most: usize) -> String {
        let text = text.trim();
        let length = text.chars().count();
        let right = (1..=most).contains(&length) && !text.chars().any(char::is_control);
        self.expect(right, field, format!("has 1 to {most} characters on one line"));
        text.to_owned()
    }

    /// Takes a text of several lines, trimmed.
    pub(crate) fn text(&mut self, field: &'static str, text: &str, most: usize) -> String {
        let text = text.trim();
        let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
        self.expect(text.chars().all(is_text), field, "holds control characters; remove them");
        let length = text.chars().count();
        self.expect(
            length <= most,
            field,
            format!("has {length} characters and may have {most}; shorten it"),
        );
        text.to_owned()
    }

    /// What was checked, if nothing was wrong with it.
    pub(crate) fn give<T>(self, checked: T) -> Result<T, FieldErrors> {
        if self.0.is_empty() { Ok(checked) } else { Err(FieldErrors(self.0)) }
    }
}
