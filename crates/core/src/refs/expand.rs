//! Parts of a stored content: some fields of a document, a slice of a list or of a text. What is
//! returned stands in the content as it is.

use super::lines;
use crate::json::{Json, Path, Step};
use serde::{Deserialize, Serialize};

/// So many items of a list, or lines of a text, from one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    #[serde(default)]
    pub offset: usize,
    /// All that follow when it is missing.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Slice {
    fn of<T>(self, whole: &[T]) -> &[T] {
        let start = self.offset.min(whole.len());
        let end = self.limit.map_or(whole.len(), |limit| start.saturating_add(limit));
        &whole[start..end.min(whole.len())]
    }
}

/// What of a content is wanted; nothing said means all of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// Only these members of a document. A text has none.
    pub fields: Vec<Path>,
    /// Of the list that the first field goes through, or of the text it leads to; without fields,
    /// of the document itself or the longest list in it; of a text, its lines.
    pub slice: Option<Slice>,
}

/// What was asked for, and how much there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    pub text: String,
    /// Items or lines of what was sliced.
    pub total: Option<usize>,
}

/// The part of a content that is asked for.
pub fn expand(content: &str, request: &Request) -> Expanded {
    match Json::parse(content).filter(|json| json.scalar().is_none()) {
        Some(json) => document(&json, request),
        None => match json_lines(content) {
            Some(json) if !request.fields.is_empty() => document(&json, request),
            _ => text(content, request.slice),
        },
    }
}

/// Lines that are documents of their own, as one list.
pub fn json_lines(text: &str) -> Option<Json> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().filter(|line| line.trim_start().starts_with('{'))?;
    let items: Vec<Json> = lines.map(Json::parse).collect::<Option<_>>()?;
    (items.len() > 1).then_some(Json::List(items))
}

fn text(content: &str, slice: Option<Slice>) -> Expanded {
    let Some(slice) = slice else { return Expanded { text: content.to_owned(), total: None } };
    let lines = lines(content);
    Expanded { text: slice.of(&lines).concat(), total: Some(lines.len()) }
}

fn document(json: &Json, request: &Request) -> Expanded {
    let mut total = None;
    let sliced = request.slice.map(|slice| {
        let target = target(json, request.fields.first());
        at(json, target.steps(), &mut |found| {
            let (part, count) = cut(found, slice);
            total = Some(count);
            part
        })
    });
    let json = sliced.as_ref().unwrap_or(json);
    let paths: Vec<&[Step]> = request.fields.iter().map(Path::steps).collect();
    let part = if paths.is_empty() { Some(json.clone()) } else { pruned(json, &paths) };
    Expanded { text: part.map_or_else(|| "null".to_owned(), |part| part.minified()), total }
}

/// What a slice is taken of.
fn target(json: &Json, field: Option<&Path>) -> Path {
    let whole = Path::default();
    match field {
        Some(field) => {
            let names = field.steps().iter().take_while(|step| matches!(step, Step::Key(_)));
            Path::of(names.cloned().collect())
        }
        None => {
            let Json::Object(members) = json else { return whole };
            let lists = members.iter().filter_map(|(name, value)| match value {
                Json::List(items) => Some((name, items.len())),
                _ => None,
            });
            // Of equals the first.
            let longest = lists.reduce(|best, next| if next.1 > best.1 { next } else { best });
            longest.map_or(whole, |(name, _)| Path::of(vec![Step::Key(name.clone())]))
        }
    }
}

fn cut(json: &Json, slice: Slice) -> (Json, usize) {
    match json {
        Json::List(items) => (Json::List(slice.of(items).to_vec()), items.len()),
        Json::Text(text) => {
            let lines = lines(text);
            (Json::Text(slice.of(&lines).concat()), lines.len())
        }
        other => (other.clone(), 1),
    }
}

/// The document with what the names lead to replaced.
fn at(json: &Json, steps: &[Step], change: &mut impl FnMut(&Json) -> Json) -> Json {
    match (steps.split_first(), json) {
        (None, _) => change(json),
        (Some((Step::Key(key), rest)), Json::Object(members)) => {
            let members = members.iter().map(|(name, value)| {
                let value = if name == key { at(value, rest, change) } else { value.clone() };
                (name.clone(), value)
            });
            Json::Object(members.collect())
        }
        _ => json.clone(),
    }
}

/// What of a document the paths lead to, in its place.
fn pruned(json: &Json, paths: &[&[Step]]) -> Option<Json> {
    if paths.iter().any(|steps| steps.is_empty() || *steps == [Step::AnyDepth]) {
        return Some(json.clone());
    }
    match json {
        Json::Object(members) => {
            let kept: Vec<(String, Json)> = members
                .iter()
                .filter_map(|(name, value)| {
                    let below = below(paths, |step| match step {
                        Step::Key(key) => key == name,
                        Step::AnyKey => true,
                        Step::AnyDepth | Step::Items(..) => false,
                    });
                    Some((name.clone(), pruned(value, &below)?))
                })
                .collect();
            (!kept.is_empty()).then_some(Json::Object(kept))
        }
        Json::List(items) => {
            // A name that is asked of a list is asked of its items.
            let named =
                |steps: &&&[Step]| matches!(steps.first(), Some(Step::Key(_) | Step::AnyKey));
            let kept: Vec<Json> = items
                .iter()
                .enumerate()
                .filter_map(|(index, item)| {
                    let mut below = below(paths, |step| match step {
                        Step::Items(from, to) => *from <= index && to.is_none_or(|to| index < to),
                        _ => false,
                    });
                    below.extend(paths.iter().filter(named));
                    pruned(item, &below)
                })
                .collect();
            (!kept.is_empty()).then_some(Json::List(kept))
        }
        _ => None,
    }
}

/// What is left of the paths behind a step; `**` goes on as itself.
fn below<'a>(paths: &[&'a [Step]], leads: impl Fn(&Step) -> bool) -> Vec<&'a [Step]> {
    let mut below = Vec::new();
    for steps in paths {
        let after = match steps.split_first() {
            Some((Step::AnyDepth, rest)) => {
                below.push(*steps);
                rest
            }
            _ => steps,
        };
        if let Some((_, rest)) = after.split_first().filter(|(step, _)| leads(step)) {
            below.push(rest);
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        content: &str,
        fields: &[&str],
        slice: Option<(usize, usize)>,
        text: &str,
        total: Option<usize>,
    ) {
        let request = Request {
            fields: fields.iter().map(|field| Path::parse(field).unwrap()).collect(),
            slice: slice.map(|(offset, limit)| Slice { offset, limit: Some(limit) }),
        };
        assert_eq!(expand(content, &request), Expanded { text: text.to_owned(), total });
    }

    const DOCUMENT: &str =
        r#"{"n":4,"items":[{"id":1,"u":{"a":1.50}},{"id":2,"x":"l1\nl2\nl3"},{"id":3}],"few":[9]}"#;

    #[test]
    fn fields_keep_their_place() {
        check(
            DOCUMENT,
            &["items[].id", "n"],
            None,
            r#"{"n":4,"items":[{"id":1},{"id":2},{"id":3}]}"#,
            None,
        );
        check(DOCUMENT, &["items[1:].id"], None, r#"{"items":[{"id":2},{"id":3}]}"#, None);
        check(DOCUMENT, &["items.u.a"], None, r#"{"items":[{"u":{"a":1.50}}]}"#, None);
        check(DOCUMENT, &["**.a"], None, r#"{"items":[{"u":{"a":1.50}}]}"#, None);
        check(DOCUMENT, &["none"], None, "null", None);
        check(DOCUMENT, &[""], None, DOCUMENT, None);
    }

    #[test]
    fn a_slice_is_of_the_list_that_the_field_goes_through_or_of_the_longest() {
        check(DOCUMENT, &[], Some((2, 9)), r#"{"n":4,"items":[{"id":3}],"few":[9]}"#, Some(3));
        check(DOCUMENT, &["items[].id"], Some((1, 1)), r#"{"items":[{"id":2}]}"#, Some(3));
        check("[1,2,3]", &[], Some((1, 1)), "[2]", Some(3));
        check("[1,2,3]", &[], Some((9, 1)), "[]", Some(3));
    }

    #[test]
    fn a_text_is_sliced_by_lines_also_within_a_document() {
        check("a\nb\nc\n", &[], Some((1, 1)), "b\n", Some(3));
        check("a\nb\nc\n", &[], None, "a\nb\nc\n", None);
        check(r#"{"out":"l1\nl2\nl3"}"#, &["out"], Some((1, 1)), r#"{"out":"l2\n"}"#, Some(3));
        check("{\"a\":1}\n{\"a\":2}\n", &[], Some((1, 1)), "{\"a\":2}\n", Some(2));
        check("{\"a\":1,\"b\":3}\n{\"a\":2}\n", &["[].a"], None, r#"[{"a":1},{"a":2}]"#, None);
    }
}
