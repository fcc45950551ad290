//! Documents without what differs from run to run: ids are numbered as they appear, times are
//! times, and hashes are hashes.

use serde_json::Value;

/// The document with its ids, times and hashes replaced.
pub fn steady(document: &Value) -> Value {
    let mut ids = Vec::new();
    replaced(document, &mut ids)
}

fn replaced(value: &Value, ids: &mut Vec<String>) -> Value {
    match value {
        Value::String(text) => Value::String(words(text, ids)),
        Value::Array(list) => list.iter().map(|value| replaced(value, ids)).collect(),
        Value::Object(object) => {
            object.iter().map(|(key, value)| (key.clone(), replaced(value, ids))).collect()
        }
        value => value.clone(),
    }
}

/// Each word of the text, and everything between them as it is.
fn words(text: &str, ids: &mut Vec<String>) -> String {
    let is_word = |character: char| character.is_alphanumeric() || "_-:.".contains(character);
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |end| start + end);
        out.push_str(&rest[..start]);
        out.push_str(&word(&rest[start..end], ids));
        rest = &rest[end..];
    }
    out + rest
}

fn word(word: &str, ids: &mut Vec<String>) -> String {
    let is_id = word.len() == 30 && word.as_bytes()[3] == b'_';
    if is_id {
        let number = ids.iter().position(|known| known == word).unwrap_or_else(|| {
            ids.push(word.to_owned());
            ids.len() - 1
        });
        return format!("<{} {}>", &word[..3], number + 1);
    }
    let is_hash = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_time = word.len() >= 20 && word.ends_with('Z') && word.starts_with("20");
    match (is_hash, is_time) {
        (true, _) => "<hash>".to_owned(),
        (_, true) => "<time>".to_owned(),
        _ => word.to_owned(),
    }
}
