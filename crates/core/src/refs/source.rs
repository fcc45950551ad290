//! By what a content is known when it comes again with changes: the file it was read from, or the
//! tool, page or path that gave it.

use crate::hash::ContentHash;
use crate::json::Json;
use serde_json::Value;

/// Members that tell where a content comes from; others, such as the name of a program, are shared by
/// contents that have nothing to do with each other.
const TELLING: [&str; 4] = ["tool", "url", "uri", "path"];

/// What somebody attached to a message has a name that other contents have, too.
const ATTACHED: &str = "attachment";

/// The same for the same source, whatever the content; none where that is not told. Arguments may
/// hold anything, so only their hash is kept.
pub fn source_key(source: &Value, file: Option<&str>) -> Option<String> {
    if source.get(ATTACHED).is_some() {
        return None;
    }
    let told =
        source.as_object().filter(|told| TELLING.iter().any(|name| told.contains_key(*name)));
    let source = match (file, told) {
        (Some(file), _) => format!("file {file}"),
        (None, Some(_)) => Json::parse(&source.to_string())?.canonical(),
        (None, None) => return None,
    };
    Some(ContentHash::of(source).as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_same_tool_with_the_same_arguments_is_the_same_source() {
        let key = |source: Value| source_key(&source, None);
        let first = key(json!({"tool": "search", "arguments": "{\"q\":1}"}));
        assert!(first.is_some());
        assert_eq!(first, key(json!({"arguments": "{\"q\":1}", "tool": "search"})));
        assert_ne!(first, key(json!({"tool": "search", "arguments": "{\"q\":2}"})));
    }

    #[test]
    fn a_file_is_known_by_its_path_and_what_tells_nothing_by_nothing() {
        let source = json!({"from": "command line"});
        assert_eq!(source_key(&source, None), None);
        assert_eq!(source_key(&Value::Null, None), None);
        assert_eq!(source_key(&source, Some("a.log")), source_key(&Value::Null, Some("a.log")));
        assert_ne!(source_key(&source, Some("a.log")), source_key(&source, Some("b.log")));
    }

    #[test]
    fn what_is_attached_is_not_known_by_its_name() {
        assert_eq!(source_key(&json!({"attachment": "notes.txt"}), Some("notes.txt")), None);
    }
}
