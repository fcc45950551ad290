//! Refs: large contents stored once, and given back in part or whole.

use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::page::{PageQuery, cursor};
use crate::problem::{Code, Problem, Problems};
use crate::state::Caller;
use axum::Json;
use axum::http::StatusCode;
use dossier_core::id::ProjectId;
use dossier_core::refs::Slice;
use dossier_core::time::Timestamp;
use dossier_engine::{ExpandRequest, Expansion, NewRef, RefShown, RefsBy};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A content to store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefRequest {
    /// A text, or any JSON. Secrets are masked before it is stored.
    #[schema(value_type = Value)]
    pub content: Box<RawValue>,
    /// What it is called, such as `github_search`; told from the content when it is missing.
    #[schema(pattern = "^[a-z][a-z0-9_]{0,39}$")]
    pub kind: Option<String>,
    /// The path or the name of the file it comes from.
    pub file: Option<String>,
    /// The project it belongs to, and goes with.
    pub project_id: Option<String>,
    /// Where it comes from: a JSON object of your own.
    #[schema(value_type = Option<Object>)]
    pub source: Option<serde_json::Map<String, Value>>,
    /// Days that it is kept after it was stored or last expanded; 30 when not given.
    #[schema(minimum = 1, maximum = 3650)]
    pub ttl_days: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefResponse {
    /// As texts show it, with a beginning of the hash.
    pub id: String,
    /// With the whole hash.
    pub full_id: String,
    pub kind: String,
    /// Marked when it is stale.
    pub summary: String,
    /// The model that wrote the summary; `extractive` when it was made without one.
    pub summary_by: String,
    /// The content in short; not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressed: Option<String>,
    pub tokens: u32,
    pub compressed_tokens: u32,
    /// From 1, just stored or expanded, to 0.
    pub freshness: f64,
    pub is_stale: bool,
    pub access_count: i64,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub expires_at: String,
    #[schema(format = DateTime)]
    pub last_accessed_at: Option<String>,
    pub project_id: Option<String>,
    /// Where it comes from, and what was done to shorten it.
    #[schema(value_type = Object)]
    pub source: Value,
}

impl RefResponse {
    fn of(shown: RefShown, compressed: Option<String>) -> Self {
        Self {
            id: shown.name.to_string(),
            full_id: shown.whole_name().to_string(),
            kind: shown.row.kind.to_string(),
            summary: shown.summary(),
            summary_by: shown.summary_by().to_owned(),
            compressed,
            tokens: shown.row.tokens,
            compressed_tokens: shown.row.compressed_tokens,
            freshness: shown.freshness,
            is_stale: shown.is_stale,
            access_count: shown.row.access_count,
            created_at: shown.row.created_at.to_string(),
            expires_at: shown.row.expires_at.to_string(),
            last_accessed_at: shown.row.last_accessed_at.map(|at| at.to_string()),
            project_id: shown.row.project.map(|project| project.to_string()),
            source: shown.row.source,
        }
    }

    fn whole(shown: RefShown) -> Self {
        let compressed = shown.row.compressed.clone();
        Self::of(shown, Some(compressed))
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefsResponse {
    /// The last stored first.
    pub refs: Vec<RefResponse>,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RefsQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only those of this kind.
    pub kind: Option<String>,
    /// Only those with this in their id or their summary.
    pub text: Option<String>,
}

/// What refs are added up by.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefGrouping {
    #[default]
    Kind,
    /// On which they were first stored.
    Day,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RefSumsQuery {
    /// What the sums are made for; kinds when not given.
    #[param(inline)]
    pub by: Option<RefGrouping>,
    /// The first day, as in `2026-11-15`.
    pub from: Option<String>,
    pub project_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefSumsResponse {
    pub sums: Vec<RefSumResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefSumResponse {
    /// The kind or the day.
    pub key: String,
    pub refs: u64,
    pub tokens: u64,
    /// Of what is shown of them in short.
    pub compressed_tokens: u64,
}

/// What is wanted of a content; all of it when nothing is said.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpandBody {
    /// Paths into a JSON document, such as `items[].full_name` or `items[10:20]`.
    #[serde(default)]
    pub fields: Vec<String>,
    pub slice: Option<SliceBody>,
}

/// Items of a list, or lines of a text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SliceBody {
    #[serde(default)]
    pub offset: usize,
    pub limit: Option<usize>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExpandResponse {
    pub id: String,
    /// What was asked for; JSON as a text, to the digit.
    pub content: String,
    /// Items or lines of what was sliced.
    pub total: Option<usize>,
    /// Whether it was stale when it was asked for: old, or its source has changed.
    pub was_stale: bool,
}

/// List the refs
#[utoipa::path(
    get,
    path = "/api/refs",
    operation_id = "list_refs",
    tag = "memory",
    params(RefsQuery),
    responses((status = 200, body = RefsResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    QueryOf(query): QueryOf<RefsQuery>,
) -> Result<Json<RefsResponse>, Problem> {
    let RefsQuery { limit, cursor: after, kind, text } = query;
    let page = PageQuery { limit, cursor: after };
    let wrong = || Problem::new(Code::InvalidQuery, "cursor must be the next_cursor of a page");
    let after = match page.after()? {
        Some(place) => {
            let (time, hash) = place.split_once(' ').ok_or_else(wrong)?;
            let time = time.parse().map_err(|_| wrong())?;
            Some((Timestamp::from_millis(time), hash.to_owned()))
        }
        None => None,
    };
    let found = caller
        .workspace
        .list_refs(kind.as_deref(), text.as_deref(), after.as_ref(), page.limit()?, caller.now)
        .await?;
    let next_cursor =
        found.next.map(|(time, hash)| cursor(&format!("{} {hash}", time.as_millis())));
    let refs = found.refs.into_iter().map(|shown| RefResponse::of(shown, None)).collect();
    Ok(Json(RefsResponse { refs, next_cursor }))
}

/// Add up how much refs were shortened
#[utoipa::path(
    get,
    path = "/api/refs/sums",
    operation_id = "sum_refs",
    tag = "memory",
    params(RefSumsQuery),
    responses((status = 200, body = RefSumsResponse), Problems)
)]
pub async fn sums(
    caller: Caller,
    QueryOf(query): QueryOf<RefSumsQuery>,
) -> Result<Json<RefSumsResponse>, Problem> {
    let by = match query.by.unwrap_or_default() {
        RefGrouping::Kind => RefsBy::Kind,
        RefGrouping::Day => RefsBy::Day,
    };
    let since = match query.from {
        Some(day) => Timestamp::parse(&format!("{day}T00:00:00Z"))
            .map_err(|_| Problem::new(Code::InvalidQuery, "from is a day as in 2026-11-15"))?,
        None => Timestamp::from_millis(0),
    };
    let project = query.project_id.map(ProjectId::from);
    let sums = caller.workspace.ref_sums(by, since, project.as_ref(), caller.now).await?;
    let sums = sums.into_iter().map(|sum| RefSumResponse {
        key: sum.key,
        refs: sum.count,
        tokens: sum.tokens,
        compressed_tokens: sum.compressed_tokens,
    });
    Ok(Json(RefSumsResponse { sums: sums.collect() }))
}

/// Store a content
#[utoipa::path(
    post,
    path = "/api/refs",
    operation_id = "create_ref",
    tag = "memory",
    request_body = RefRequest,
    responses((status = 201, body = RefResponse), Problems)
)]
pub async fn create(
    caller: Caller,
    JsonBody(request): JsonBody<RefRequest>,
) -> Result<Created<RefResponse>, Problem> {
    let raw = request.content.get();
    let text = match raw.starts_with('"') {
        true => serde_json::from_str(raw)
            .map_err(|error| Problem::new(Code::Invalid, format!("content: {error}")))?,
        false => raw.to_owned(),
    };
    let new = NewRef {
        text,
        kind: request.kind,
        file: request.file,
        project: request.project_id.map(Into::into),
        source: request.source.map_or(Value::Null, Value::Object),
        days: request.ttl_days,
        ..NewRef::default()
    };
    let (shown, _) = caller.workspace.put_ref(new, caller.now).await?;
    let body = RefResponse::whole(shown);
    Ok(Created { location: format!("/api/refs/{}", body.id), body })
}

/// Look at a ref: its summary and the content in short
#[utoipa::path(
    get,
    path = "/api/refs/{id}",
    operation_id = "get_ref",
    tag = "memory",
    params(("id" = String, Path, description = "`ref:<kind>:<hash>`; eight digits are enough")),
    responses((status = 200, body = RefResponse), Problems)
)]
pub async fn get(caller: Caller, PathOf(id): PathOf<String>) -> Result<Json<RefResponse>, Problem> {
    Ok(Json(RefResponse::whole(caller.workspace.get_ref(&id, caller.now).await?)))
}

/// Get the content of a ref or of a message: all of it, some fields, or a slice
#[utoipa::path(
    post,
    path = "/api/refs/{id}/expand",
    operation_id = "expand_ref",
    tag = "memory",
    params((
        "id" = String, Path,
        description = "`ref:<kind>:<hash>`, with `:summary` or `:compressed` behind it for these, or \
                       the id of a message"
    )),
    request_body = ExpandBody,
    responses((status = 200, body = ExpandResponse), Problems)
)]
pub async fn expand(
    caller: Caller,
    PathOf(id): PathOf<String>,
    JsonBody(body): JsonBody<ExpandBody>,
) -> Result<Json<ExpandResponse>, Problem> {
    let slice = body.slice.map(|SliceBody { offset, limit }| Slice { offset, limit });
    let request = ExpandRequest { fields: body.fields, slice };
    let Expansion { id, text, total, was_stale, .. } =
        caller.workspace.expand_ref(&id, &request, caller.now).await?;
    Ok(Json(ExpandResponse { id, content: text, total, was_stale }))
}

/// Say that what a ref was made from has changed
#[utoipa::path(
    post,
    path = "/api/refs/{id}/stale",
    operation_id = "mark_ref_stale",
    tag = "memory",
    params(("id" = String, Path, description = "`ref:<kind>:<hash>`; eight digits are enough")),
    responses((status = 200, body = RefResponse), Problems)
)]
pub async fn stale(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<RefResponse>, Problem> {
    Ok(Json(RefResponse::whole(caller.workspace.mark_ref_stale(&id, caller.now).await?)))
}

/// Delete a ref for good, with its content when nothing else holds it
#[utoipa::path(
    delete,
    path = "/api/refs/{id}",
    operation_id = "forget_ref",
    tag = "memory",
    params(("id" = String, Path, description = "`ref:<kind>:<hash>`; eight digits are enough")),
    responses((status = 204, description = "It is gone for good"), Problems)
)]
pub async fn forget(caller: Caller, PathOf(id): PathOf<String>) -> Result<StatusCode, Problem> {
    caller.workspace.forget_ref(&id, caller.now).await?;
    Ok(StatusCode::NO_CONTENT)
}
