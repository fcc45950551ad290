//! The suite's prompts.

use crate::asking::{Context, result, typed};
use crate::resources::{PICTURE, text};
use crate::rounds::{Next, Rounds, Said};
use rmcp::ErrorData;
use rmcp::model::{GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt};
use serde_json::{Value, json};

pub const WITH_ARGUMENTS: &str = "test_prompt_with_arguments";

pub fn list() -> Result<Vec<Prompt>, ErrorData> {
    let needed = |name: &str| json!({"name": name, "description": name, "required": true});
    typed(json!([
        {"name": "test_simple_prompt", "description": "A text"},
        {"name": WITH_ARGUMENTS, "description": "A text with two arguments in it",
         "arguments": [needed("arg1"), needed("arg2")]},
        {"name": "test_prompt_with_embedded_resource", "description": "A resource and a text",
         "arguments": [needed("resourceUri")]},
        {"name": "test_prompt_with_image", "description": "A picture and a text"},
        {"name": "test_input_required_result_prompt", "description": "Asks before it is given"},
    ]))
}

/// The prompt, if it is one of these.
pub fn get(
    request: &GetPromptRequestParams,
    rounds: &Rounds,
    context: &Context,
) -> Option<Result<GetPromptResponse, ErrorData>> {
    let argument = |name| request.arguments.as_ref().and_then(|all| all.get(name)?.as_str());
    let given = |name| argument(name).unwrap_or_default();
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![said("This is a simple prompt for testing.")],
        WITH_ARGUMENTS => {
            let (first, second) = (given("arg1"), given("arg2"));
            vec![said(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let content = "Embedded resource content for testing.";
            let resource = text(given("resourceUri"), content);
            vec![
                json!({"type": "resource", "resource": resource}),
                said("Please process the embedded resource above."),
            ]
        }
        "test_prompt_with_image" => vec![
            json!({"type": "image", "data": PICTURE, "mimeType": "image/png"}),
            said("Please analyze the image above."),
        ],
        name => {
            let next = rounds.next(name, &Said::for_prompt(request), context)?;
            return Some(next.and_then(|next| match next {
                Next::Ask(question) => Ok(question.into()),
                Next::Answered(answers) => Ok(prompt(vec![said(&answers)])?.into()),
            }));
        }
    };
    Some(prompt(contents).map(Into::into))
}

fn said(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn prompt(contents: Vec<Value>) -> Result<GetPromptResult, ErrorData> {
    let message = |content| json!({"role": "user", "content": content});
    result(json!({ "messages": contents.into_iter().map(message).collect::<Vec<_>>() }))
}
