//! Lists page by page. A cursor is the place of the last row that was shown, so rows that come and
//! go in between make nothing appear twice or get lost.

use crate::problem::{Code, Problem};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use utoipa::IntoParams;

const USUAL: usize = 100;
const MOST: usize = 1000;

/// Which page is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl PageQuery {
    pub fn limit(&self) -> Result<usize, Problem> {
        let limit = self.limit.unwrap_or(USUAL);
        match (1..=MOST).contains(&limit) {
            true => Ok(limit),
            false => {
                Err(Problem::new(Code::InvalidQuery, format!("limit is a number from 1 to {MOST}")))
            }
        }
    }

    /// The place after which the page begins.
    pub fn after(&self) -> Result<Option<String>, Problem> {
        let wrong = || Problem::new(Code::InvalidQuery, "cursor must be the next_cursor of a page");
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).map_err(|_| wrong())?;
        String::from_utf8(bytes).map(Some).map_err(|_| wrong())
    }

    /// The page of a list whose places grow, and the cursor of the next.
    pub fn cut<T>(
        &self,
        mut list: Vec<T>,
        place: impl Fn(&T) -> String,
    ) -> Result<(Vec<T>, Option<String>), Problem> {
        let limit = self.limit()?;
        if let Some(after) = self.after()? {
            list.retain(|row| place(row) > after);
        }
        let has_more = list.len() > limit;
        list.truncate(limit);
        let last = list.last().filter(|_| has_more);
        let next = last.map(|row| cursor(&place(row)));
        Ok((list, next))
    }
}

/// The cursor of a place.
pub fn cursor(place: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_without_a_gap_when_a_row_vanishes() {
        let place = |row: &&str| (*row).to_owned();
        let query = |cursor| PageQuery { limit: Some(2), cursor };
        let (page, next) = query(None).cut(vec!["a", "b", "c", "d"], place).unwrap();
        assert_eq!(page, ["a", "b"]);
        let (page, next) = query(next).cut(vec!["a", "c", "d"], place).unwrap();
        assert_eq!((page, next), (vec!["c", "d"], None));
    }

    #[test]
    fn a_limit_or_cursor_that_is_none_is_refused() {
        for (limit, cursor) in [(Some(0), None), (Some(1001), None), (None, Some("%".to_owned()))] {
            let cut = PageQuery { limit, cursor }.cut(vec!["a"], |row| (*row).to_owned());
            assert_eq!(cut.unwrap_err().code, Code::InvalidQuery);
        }
    }
}
