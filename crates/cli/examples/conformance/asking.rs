//! Words to the client while its request is at work, written as they go over the wire: some of
//! their types are on their way out of the protocol.

use rmcp::model::{ClientResult, ServerNotification, ServerRequest};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub type Context = RequestContext<RoleServer>;

/// A message, or a part of one, from its form on the wire.
pub fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| failed(&error))
}

/// The same for a result, which says in newer eras that it is one; for older clients that is taken
/// away on the way.
pub fn result<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    value["resultType"] = json!("complete");
    typed(value)
}

pub fn failed(error: &dyn std::error::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

/// Asks the client, and waits for its answer; only until 2025-11-25.
pub async fn ask(context: &Context, method: &str, params: Value) -> Result<Value, ErrorData> {
    let request: ServerRequest = typed(json!({ "method": method, "params": params }))?;
    let answer: ClientResult =
        context.peer.send_request(request).await.map_err(|error| failed(&error))?;
    serde_json::to_value(answer).map_err(|error| failed(&error))
}

pub async fn tell(context: &Context, method: &str, params: Value) -> Result<(), ErrorData> {
    let notification: ServerNotification = typed(json!({ "method": method, "params": params }))?;
    context.peer.send_notification(notification).await.map_err(|error| failed(&error))
}
