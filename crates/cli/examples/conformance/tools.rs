//! The suite's tools, but for those that ask first.

use crate::asking::{Context, ask, result, tell, typed};
use crate::resources::{PICTURE, text};
use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use serde_json::{Value, json};

/// Those after which a list is said to have changed.
pub const TOOL_CHANGE: &str = "test_trigger_tool_change";
pub const PROMPT_CHANGE: &str = "test_trigger_prompt_change";

/// One that nobody lists, and that breaks.
pub const BREAKS: &str = "test_panic";

const NAMES: [&str; 18] = [
    "json_schema_2020_12_tool",
    "test_audio_content",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_embedded_resource",
    "test_error_handling",
    "test_header",
    "test_image_content",
    "test_logging_tool",
    "test_multiple_content_types",
    "test_reconnection",
    "test_sampling",
    "test_simple_text",
    "test_tool_with_logging",
    "test_tool_with_progress",
    PROMPT_CHANGE,
    TOOL_CHANGE,
];

/// A sound of no length.
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

pub fn list(others: &[&str]) -> Result<Vec<Tool>, ErrorData> {
    NAMES.iter().chain(others).map(|name| listed(name)).collect()
}

/// The tool of this name, if it is one of these.
pub fn find(name: &str) -> Option<Tool> {
    NAMES.contains(&name).then(|| listed(name).ok())?
}

fn listed(name: &str) -> Result<Tool, ErrorData> {
    let description = "Belongs to the conformance suite";
    typed(json!({"name": name, "description": description, "inputSchema": schema(name)}))
}

fn schema(name: &str) -> Value {
    match name {
        "json_schema_2020_12_tool" => wide_schema(),
        "test_elicitation" => json!({
            "type": "object",
            "properties": {"message": {"type": "string"}},
            "required": ["message"],
        }),
        "test_sampling" => json!({
            "type": "object",
            "properties": {"prompt": {"type": "string"}},
            "required": ["prompt"],
        }),
        "test_header" => json!({
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            "required": ["region"],
        }),
        _ => json!({"type": "object", "properties": {}}),
    }
}

/// The suite's own, word for word: nothing of it may be lost on the way.
fn wide_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// What a tool of these comes to.
pub async fn call(
    request: &CallToolRequestParams,
    context: &Context,
) -> Result<CallToolResult, ErrorData> {
    let argument = |name| request.arguments.as_ref().and_then(|all| all.get(name)?.as_str());
    let contents = match &*request.name {
        "test_simple_text" => vec![said("This is a simple text response for testing.")],
        "test_image_content" => vec![picture()],
        "test_audio_content" => {
            vec![json!({"type": "audio", "data": SOUND, "mimeType": "audio/wav"})]
        }
        "test_embedded_resource" => {
            let content = "This is an embedded resource content.";
            vec![embedded(text("test://embedded-resource", content))]
        }
        "test_multiple_content_types" => {
            let data = text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
            vec![said("Multiple content types test:"), picture(), embedded(data)]
        }
        "test_error_handling" => {
            let what = "This tool intentionally returns an error for testing";
            return result(json!({"isError": true, "content": [said(what)]}));
        }
        "test_tool_with_progress" => vec![said(progress(context).await?)],
        "test_tool_with_logging" => vec![said(log(context).await?)],
        // In this era nothing is logged for a client that has not said what it wants to hear.
        "test_logging_tool" if context.meta.log_level().is_none() => vec![said("not logged")],
        "test_logging_tool" => vec![said(log(context).await?)],
        "test_sampling" => {
            let prompt = said(argument("prompt").unwrap_or_default());
            let message = json!({"role": "user", "content": prompt});
            let params = json!({"messages": [message], "maxTokens": 100});
            let answer = ask(context, "sampling/createMessage", params).await?;
            vec![said(&format!("LLM response: {answer}"))]
        }
        "test_elicitation" => {
            let message = argument("message").unwrap_or_default();
            vec![said(&elicit(context, message, person(), &["username", "email"]).await?)]
        }
        "test_elicitation_sep1034_defaults" => {
            vec![said(&elicit(context, "Defaults", defaults(), &[]).await?)]
        }
        "test_elicitation_sep1330_enums" => {
            vec![said(&elicit(context, "Choices", choices(), &[]).await?)]
        }
        _ => vec![said("done")],
    };
    result(json!({ "content": contents }))
}

fn said(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn picture() -> Value {
    json!({"type": "image", "data": PICTURE, "mimeType": "image/png"})
}

fn embedded(resource: Value) -> Value {
    json!({"type": "resource", "resource": resource})
}

async fn progress(context: &Context) -> Result<&'static str, ErrorData> {
    if let Some(token) = context.meta.get_progress_token() {
        for progress in [0, 50, 100] {
            let params = json!({"progressToken": token, "progress": progress, "total": 100});
            tell(context, "notifications/progress", params).await?;
        }
    }
    Ok("progress was told")
}

async fn log(context: &Context) -> Result<&'static str, ErrorData> {
    for event in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let params = json!({"level": "info", "logger": "conformance", "data": event});
        tell(context, "notifications/message", params).await?;
    }
    Ok("logged")
}

async fn elicit(
    context: &Context,
    message: &str,
    properties: Value,
    required: &[&str],
) -> Result<String, ErrorData> {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let params = json!({"message": message, "requestedSchema": schema});
    let answer = ask(context, "elicitation/create", params).await?;
    Ok(format!("User response: {answer}"))
}

fn person() -> Value {
    json!({
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    })
}

fn defaults() -> Value {
    let states = ["active", "inactive", "pending"];
    json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": states, "default": "active"},
        "verified": {"type": "boolean", "default": true},
    })
}

fn choices() -> Value {
    let plain = ["option1", "option2", "option3"];
    let titled = json!([
        {"const": "value1", "title": "First"},
        {"const": "value2", "title": "Second"},
        {"const": "value3", "title": "Third"},
    ]);
    json!({
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    })
}
