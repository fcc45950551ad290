//! Schemas of what tools take and give: without the names of our types and whatever else a model
//! pays for and does not need.

use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use rmcp::schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::Arc;

/// The schema of what a tool takes.
pub fn taken<T: JsonSchema>() -> Arc<JsonObject> {
    schema::<T>(SchemaSettings::draft2020_12())
}

/// The schema of what a tool gives, where a field that is empty may be absent.
pub fn given<T: JsonSchema>() -> Arc<JsonObject> {
    schema::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> Arc<JsonObject> {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = Value::from(schema);
    if let Value::Object(root) = &mut schema {
        // It is the description of the tool.
        root.shift_remove("description");
    }
    compact(&mut schema);
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

/// Drops titles, the widths of our numbers, defaults, and the null that an absent value stands for.
fn compact(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for noise in ["title", "format", "default"] {
                // A property may be called so; its schema is an object.
                if object.get(noise).is_some_and(|value| !value.is_object()) {
                    object.shift_remove(noise);
                }
            }
            if object.get("minimum") == Some(&Value::from(0)) {
                object.shift_remove("minimum");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    object["type"] = only.clone();
                }
            }
            if let Some(Value::Array(ways)) = object.get_mut("anyOf") {
                ways.retain(|way| way.get("type") != Some(&Value::from("null")));
                if let [Value::Object(only)] = ways.as_slice() {
                    let only = only.clone();
                    object.shift_remove("anyOf");
                    object.extend(only);
                }
            }
            object.values_mut().for_each(compact);
        }
        Value::Array(values) => values.iter_mut().for_each(compact),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::schemars;
    use serde_json::json;

    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Sample {
        /// What it is called.
        title: String,
        limit: Option<u32>,
        inner: Option<Inner>,
        names: Vec<String>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        deep: bool,
    }

    #[test]
    fn a_schema_says_what_is_wanted_and_nothing_else() {
        assert_eq!(
            Value::Object(taken::<Sample>().as_ref().clone()),
            json!({
                "type": "object",
                "properties": {
                    "title": {"description": "What it is called.", "type": "string"},
                    "limit": {"type": "integer"},
                    "inner": {
                        "type": "object",
                        "properties": {"deep": {"type": "boolean"}},
                        "required": ["deep"],
                    },
                    "names": {"type": "array", "items": {"type": "string"}},
                },
                "additionalProperties": false,
                "required": ["title", "names"],
            })
        );
    }
}
