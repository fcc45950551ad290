//! The best passages, of one project or of all.

use super::receipts::SourceResponse;
use crate::body::{JsonBody, PathOf};
use crate::problem::{Code, Problem, Problems};
use crate::state::Caller;
use axum::Json;
use dossier_core::id::{ProjectId, ThreadId};
use dossier_engine::{Found, FoundEverywhere, Hit, SearchRequest as Wanted};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

const USUAL: usize = 10;
const MOST: usize = 1000;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// What stands in double quotes must be there word for word.
    pub query: String,
    /// The most passages; 10 when not given.
    #[schema(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// A conversation whose messages are not wanted.
    pub exclude_conversation_id: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GlobalSearchRequest {
    /// What stands in double quotes must be there word for word.
    pub query: String,
    /// The most passages; 10 when not given.
    #[schema(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchResponse {
    /// The best first.
    pub hits: Vec<HitResponse>,
    /// What went less well than it could.
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HitResponse {
    pub source: SourceResponse,
    /// Messages in full, the beginning of file excerpts.
    pub text: String,
    pub tokens: u32,
    pub score: f32,
    /// The score of each signal.
    pub scores: BTreeMap<String, f32>,
    /// The words that were found.
    pub matched: Vec<String>,
    /// What the conversation is about that a message was said in, where it has a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct GlobalSearchResponse {
    /// The best first.
    pub hits: Vec<GlobalHitResponse>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct GlobalHitResponse {
    pub project_id: String,
    pub project: String,
    #[serde(flatten)]
    pub hit: HitResponse,
}

impl From<Hit> for HitResponse {
    fn from(hit: Hit) -> Self {
        Self {
            source: hit.source.into(),
            text: hit.text,
            tokens: hit.tokens,
            score: hit.score,
            scores: hit
                .scores
                .into_iter()
                .map(|(name, score)| (name.into_owned(), score))
                .collect(),
            matched: hit.matched,
            preview: hit.preview,
        }
    }
}

fn checked(limit: Option<usize>) -> Result<usize, Problem> {
    let limit = limit.unwrap_or(USUAL);
    match (1..=MOST).contains(&limit) {
        true => Ok(limit),
        false => Err(Problem::new(Code::Invalid, format!("limit is a number from 1 to {MOST}"))),
    }
}

/// Find the best passages of a project
#[utoipa::path(
    post,
    path = "/api/projects/{id}/search",
    operation_id = "search_project",
    tag = "search",
    params(("id" = String, Path, description = "The project's id")),
    request_body = SearchRequest,
    responses((status = 200, body = SearchResponse), Problems)
)]
pub async fn project(
    caller: Caller,
    PathOf(id): PathOf<ProjectId>,
    JsonBody(request): JsonBody<SearchRequest>,
) -> Result<Json<SearchResponse>, Problem> {
    let limit = checked(request.limit)?;
    let project = caller.workspace.project_by_id(&id).await?.id;
    let exclude = request.exclude_conversation_id.map(ThreadId::from);
    let wanted = Wanted { project, query: request.query, limit, exclude };
    let Found { hits, warnings } = caller.workspace.search(&wanted).await?;
    Ok(Json(SearchResponse { hits: hits.into_iter().map(Into::into).collect(), warnings }))
}

/// Find the best passages of all projects
#[utoipa::path(
    post,
    path = "/api/search/global",
    operation_id = "search_everywhere",
    tag = "search",
    request_body = GlobalSearchRequest,
    responses((status = 200, body = GlobalSearchResponse), Problems)
)]
pub async fn global(
    caller: Caller,
    JsonBody(request): JsonBody<GlobalSearchRequest>,
) -> Result<Json<GlobalSearchResponse>, Problem> {
    let limit = checked(request.limit)?;
    let FoundEverywhere { hits, warnings } =
        caller.workspace.search_everywhere(&request.query, limit).await?;
    let hits = hits
        .into_iter()
        .map(|found| GlobalHitResponse {
            project_id: found.project.id.to_string(),
            project: found.project.name,
            hit: found.hit.into(),
        })
        .collect();
    Ok(Json(GlobalSearchResponse { hits, warnings }))
}
