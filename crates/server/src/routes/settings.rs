//! Settings: every value with its origin, and those that the owner may set here.

use crate::body::JsonBody;
use crate::options::SettingRow;
use crate::problem::{Code, Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_engine::Change;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct SettingsResponse {
    pub settings: Vec<SettingRow>,
    /// Names of folders that are passed over wherever files are read from folders, as the setting
    /// `files.skip` has it.
    pub skipped_folders: Vec<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSettingsRequest {
    /// New values by key; null forgets one. All of them are set, or none.
    pub values: BTreeMap<String, Option<String>>,
}

async fn listed(door: &Door, caller: &Caller) -> Result<Vec<SettingRow>, Problem> {
    let held = caller.held().await?;
    door.settings.list(caller.owner(), &held).map_err(Problem::internal)
}

async fn told(door: &Door, caller: &Caller) -> Result<Json<SettingsResponse>, Problem> {
    let settings = listed(door, caller).await?;
    let skipped_folders = caller.workspace.file_limits().await?.skip_folders;
    Ok(Json(SettingsResponse { settings, skipped_folders }))
}

/// List the settings with their origins
#[utoipa::path(
    get,
    path = "/api/settings",
    operation_id = "list_settings",
    tag = "settings",
    responses((status = 200, body = SettingsResponse), Problems)
)]
pub async fn list(
    State(door): State<Door>,
    caller: Caller,
) -> Result<Json<SettingsResponse>, Problem> {
    told(&door, &caller).await
}

/// Set some settings, or forget them
#[utoipa::path(
    put,
    path = "/api/settings",
    operation_id = "change_settings",
    tag = "settings",
    request_body = ChangeSettingsRequest,
    responses((status = 200, body = SettingsResponse), Problems)
)]
pub async fn change(
    State(door): State<Door>,
    caller: Caller,
    JsonBody(request): JsonBody<ChangeSettingsRequest>,
) -> Result<Json<SettingsResponse>, Problem> {
    let rows = listed(&door, &caller).await?;
    let mut checked = Vec::new();
    for (key, value) in &request.values {
        let row = rows
            .iter()
            .find(|row| row.key == *key)
            .ok_or_else(|| Problem::new(Code::Invalid, format!("there is no setting `{key}`")))?;
        if row.locked {
            let detail = format!("`{key}` is set by the {}, which is stronger", row.origin);
            return Err(Problem::new(Code::Conflict, detail));
        }
        let value = match value {
            Some(value) => Some(
                door.settings
                    .check(key, value)
                    .map_err(|why| Problem::new(Code::Invalid, format!("{key}: {why}")))?,
            ),
            None => None,
        };
        checked.push((key.as_str(), value.map(Value::String)));
    }
    caller.workspace.change_config(&checked, caller.now).await?;
    caller.tell(Change::settings());
    told(&door, &caller).await
}
