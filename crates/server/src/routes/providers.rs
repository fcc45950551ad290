//! The providers of models: which there are, setting them up, and trying them out. They belong to
//! the machine: its own owner alone sets them up. No key is ever shown.

use crate::body::{JsonBody, PathOf};
use crate::problem::{Code, Problem, Problems};
use crate::state::{Caller, Door};
use axum::Json;
use axum::extract::State;
use dossier_core::catalogue::Protocol;
use dossier_core::id::OwnerId;
use dossier_engine::{Change, KeyChange, ProviderChange, ProviderState, Secret};
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// So many names of models are told.
const MOST_NAMED: usize = 200;

#[derive(Debug, Serialize, ToSchema)]
pub struct ProvidersResponse {
    /// By name.
    pub providers: Vec<ProviderResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderResponse {
    pub name: String,
    pub protocol: ProtocolName,
    /// Where it is, and who said so, such as `environment OPENAI_BASE_URL`; told to the machine's
    /// own owner alone, as is everything about its key.
    pub base_url: Option<String>,
    pub origin: Option<String>,
    /// Where its key comes from: a variable, or the stored keys.
    pub key_origin: Option<String>,
    /// The last characters of its key.
    pub key: Option<String>,
    pub ready: bool,
    /// Why it cannot be asked.
    pub problem: Option<String>,
}

/// The interface that a provider's models are had by.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Protocol)]
pub enum ProtocolName {
    Chat,
    Responses,
    Anthropic,
    Gemini,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeProviderRequest {
    /// One of the known ones, or a new one.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// As in `https://host/v1`; an empty one is forgotten, and its protocol with it.
    pub base_url: Option<String>,
    pub protocol: Option<ProtocolName>,
    /// It is sealed and never shown again; an empty one is removed.
    #[schema(value_type = Option<String>)]
    pub key: Option<KeyText>,
}

/// A key as it is sent; it shows as `[masked]`.
#[derive(Deserialize)]
pub struct KeyText(String);

impl fmt::Debug for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[masked]")
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TestProviderResponse {
    pub provider: String,
    /// Whether it told its models.
    pub ok: bool,
    /// How many models it has, and what they are called.
    pub count: Option<usize>,
    pub models: Vec<String>,
    /// What it said instead.
    pub problem: Option<String>,
}

impl From<Protocol> for ProtocolName {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Chat => Self::Chat,
            Protocol::Responses => Self::Responses,
            Protocol::Anthropic => Self::Anthropic,
            Protocol::Gemini => Self::Gemini,
        }
    }
}

impl From<ProtocolName> for Protocol {
    fn from(name: ProtocolName) -> Self {
        match name {
            ProtocolName::Chat => Self::Chat,
            ProtocolName::Responses => Self::Responses,
            ProtocolName::Anthropic => Self::Anthropic,
            ProtocolName::Gemini => Self::Gemini,
        }
    }
}

fn told(state: ProviderState, caller: &Caller) -> ProviderResponse {
    let own = is_own(caller);
    let key = state.key.filter(|_| own);
    ProviderResponse {
        name: state.name,
        protocol: state.protocol.into(),
        base_url: Some(state.base_url).filter(|_| own),
        origin: Some(state.origin.to_string()).filter(|_| own),
        key_origin: key.as_ref().map(|key| key.origin.to_string()),
        key: key.map(|key| key.masked),
        ready: state.provider.is_ok(),
        problem: state.provider.err().filter(|_| own),
    }
}

fn is_own(caller: &Caller) -> bool {
    *caller.owner() == OwnerId::local()
}

fn expect_own(caller: &Caller) -> Result<(), Problem> {
    match is_own(caller) {
        true => Ok(()),
        false => Err(Problem::new(
            Code::OwnerRefused,
            "providers belong to the machine; its own owner sets them up",
        )),
    }
}

/// List the providers of models
#[utoipa::path(
    get,
    path = "/api/providers",
    operation_id = "list_providers",
    tag = "models",
    responses((status = 200, body = ProvidersResponse), Problems)
)]
pub async fn list(
    State(door): State<Door>,
    caller: Caller,
) -> Result<Json<ProvidersResponse>, Problem> {
    let states = door.engine.providers().await?;
    let providers = states.into_iter().map(|state| told(state, &caller)).collect();
    Ok(Json(ProvidersResponse { providers }))
}

/// Set a provider up, or take it down
///
/// What is not given stays. It holds at once.
#[utoipa::path(
    put,
    path = "/api/providers",
    operation_id = "change_provider",
    tag = "models",
    request_body = ChangeProviderRequest,
    responses((status = 200, body = ProviderResponse), Problems)
)]
pub async fn change(
    State(door): State<Door>,
    caller: Caller,
    JsonBody(request): JsonBody<ChangeProviderRequest>,
) -> Result<Json<ProviderResponse>, Problem> {
    expect_own(&caller)?;
    let key = match request.key {
        None => KeyChange::Keep,
        Some(KeyText(text)) => Secret::new(&text).map_or(KeyChange::Remove, KeyChange::Store),
    };
    let protocol = request.protocol.map(Into::into);
    let change = ProviderChange { base_url: request.base_url, protocol, key };
    let state = door.engine.set_provider(&request.name, change, caller.now).await?;
    caller.tell(Change::settings());
    Ok(Json(told(state, &caller)))
}

/// Ask a provider for its models
///
/// A provider that does not answer is a result, too.
#[utoipa::path(
    post,
    path = "/api/providers/{name}/test",
    operation_id = "test_provider",
    tag = "models",
    params(("name" = String, Path, description = "The provider's name")),
    responses((status = 200, body = TestProviderResponse), Problems)
)]
pub async fn test(
    State(door): State<Door>,
    caller: Caller,
    PathOf(name): PathOf<String>,
) -> Result<Json<TestProviderResponse>, Problem> {
    expect_own(&caller)?;
    let tested = door.engine.test_provider(&name).await?;
    let (ok, count) = (tested.is_ok(), tested.as_ref().ok().map(Vec::len));
    let (mut models, problem) = match tested {
        Ok(models) => (models, None),
        Err(said) => (Vec::new(), Some(said)),
    };
    models.truncate(MOST_NAMED);
    Ok(Json(TestProviderResponse { provider: name, ok, count, models, problem }))
}
