//! The suite's resources.

use crate::asking::{result, typed};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceTemplate};
use serde_json::{Value, json};

/// A picture of one red point.
pub const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==";

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub fn list() -> Result<Vec<Resource>, ErrorData> {
    typed(json!([
        {"uri": TEXT, "name": "Text", "description": "A text", "mimeType": "text/plain"},
        {"uri": BINARY, "name": "Picture", "description": "A picture", "mimeType": "image/png"},
        {"uri": WATCHED, "name": "Watched", "description": "A text that one can subscribe to",
         "mimeType": "text/plain"},
    ]))
}

pub fn templates() -> Result<Vec<ResourceTemplate>, ErrorData> {
    typed(json!([{
        "uriTemplate": "test://template/{id}/data", "name": "Data",
        "description": "Data with an id", "mimeType": "application/json",
    }]))
}

pub fn is_watchable(uri: &str) -> bool {
    uri == WATCHED
}

/// What a resource holds, if it is one of these.
pub fn read(uri: &str) -> Option<Result<ReadResourceResult, ErrorData>> {
    let content = match uri {
        TEXT => text(uri, "This is the content of the static text resource."),
        BINARY => json!({"uri": uri, "mimeType": "image/png", "blob": PICTURE}),
        WATCHED => text(uri, "This is the content of the watched resource."),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data =
                json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            json!({"uri": uri, "mimeType": "application/json", "text": data.to_string()})
        }
    };
    Some(result(json!({ "contents": [content] })))
}

/// A text, as it stands in resources and in what embeds them.
pub fn text(uri: &str, text: &str) -> Value {
    json!({"uri": uri, "mimeType": "text/plain", "text": text})
}
