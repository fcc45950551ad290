//! Pages of lists: which page is wanted, checked, and what of a list stands on it. Pages are
//! numbered from 1; one that does not exist is refused and not shown empty.

use super::Persona;
use crate::fields::{Checks, FieldErrors};
use crate::time::Timestamp;

/// The most rows on a page.
pub const MOST_ON_PAGE: u32 = 100;

/// A page as it is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageDraft {
    pub page: Option<i64>,
    pub page_size: Option<i64>,
}

/// A page that there can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub page: u32,
    pub size: u32,
}

impl PageDraft {
    /// The first page of so many rows, unless others are asked for.
    pub fn check(self, usual: u32) -> Result<Position, FieldErrors> {
        let mut checks = Checks::default();
        let page = checks.number("page", self.page.unwrap_or(1), 1, u32::MAX);
        let size = self.page_size.unwrap_or(usual.into());
        let size = checks.number("page_size", size, 1, MOST_ON_PAGE);
        checks.give(Position { page, size })
    }
}

impl Position {
    /// Where the page begins in a list of so many rows.
    pub fn start(self, total: usize) -> Result<usize, FieldErrors> {
        let pages = total.div_ceil(self.size as usize).max(1);
        if self.page as usize > pages {
            let said = match pages {
                1 => "there is one page".to_owned(),
                pages => format!("there are {pages} pages"),
            };
            return Err(FieldErrors::one("page", said));
        }
        Ok((self.page as usize - 1) * self.size as usize)
    }

    pub fn cut<T>(self, list: Vec<T>) -> Result<Vec<T>, FieldErrors> {
        let start = self.start(list.len())?;
        Ok(list.into_iter().skip(start).take(self.size as usize).collect())
    }
}

/// Which personas are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    pub include_expired: bool,
    /// A part of the name, the personality, a tag or the id, in any case.
    pub search: Option<String>,
    pub tag: Option<String>,
}

impl Listing {
    /// Those that are wanted, the last used first.
    pub fn choose(&self, mut personas: Vec<Persona>, now: Timestamp) -> Vec<Persona> {
        let lower = |text: &Option<String>| {
            text.as_deref().map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty())
        };
        let (sought, tag) = (lower(&self.search), lower(&self.tag));
        personas.retain(|persona| {
            let traits = &persona.traits;
            let texts = [&traits.name, &traits.personality].into_iter().chain(&traits.tags);
            let mut texts = texts.map(String::as_str).chain([persona.id.as_str()]);
            (self.include_expired || !persona.is_expired(now))
                && tag.as_ref().is_none_or(|tag| traits.tags.contains(tag))
                && sought
                    .as_ref()
                    .is_none_or(|sought| texts.any(|text| text.to_lowercase().contains(sought)))
        });
        personas.sort_by(|left, right| {
            let order = right.last_used_at.cmp(&left.last_used_at);
            order
                .then_with(|| left.traits.name.cmp(&right.traits.name))
                .then(left.id.cmp(&right.id))
        });
        personas
    }
}
