//! Lists in pages. A cursor names the last entry that was given, so a list that grows meanwhile
//! neither repeats nor skips one.

use rmcp::ErrorData;
use rmcp::model::PaginatedRequestParams;

/// The most entries of a page.
const PAGE: usize = 100;

/// Entries that come next, and the cursor of those after them. `all` is in the order of the names.
pub fn page<T>(
    all: Vec<T>,
    request: Option<PaginatedRequestParams>,
    name: impl Fn(&T) -> &str,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let mut rest: Vec<T> = match &cursor {
        None => all,
        Some(cursor) => {
            let after = cursor.strip_prefix("after:").ok_or_else(|| {
                ErrorData::invalid_params("the cursor is not one of this list; begin anew", None)
            })?;
            all.into_iter().filter(|entry| name(entry) > after).collect()
        }
    };
    let next = (rest.len() > PAGE).then(|| format!("after:{}", name(&rest[PAGE - 1])));
    rest.truncate(PAGE);
    Ok((rest, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_together_are_the_whole_list() {
        let all: Vec<String> = (0..250).map(|number| format!("{number:03}")).collect();
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let request = PaginatedRequestParams::default().with_cursor(cursor);
            let (entries, next) = page(all.clone(), Some(request), String::as_str).unwrap();
            seen.extend(entries);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, all);
        let wrong = PaginatedRequestParams::default().with_cursor(Some("7".to_owned()));
        assert!(page(all, Some(wrong), String::as_str).is_err());
    }
}
