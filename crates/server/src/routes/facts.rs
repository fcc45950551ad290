//! Facts: what is remembered, looked up, mended and forgotten.

use crate::body::{Created, JsonBody, PathOf, QueryOf};
use crate::page::{PageQuery, cursor};
use crate::problem::{Code, Problem, Problems};
use crate::state::Caller;
use axum::Json;
use axum::http::StatusCode;
use dossier_core::facts::{Doubt, FactKind, Topic};
use dossier_core::id::{FactId, ProjectId, SessionId};
use dossier_core::time::Timestamp;
use dossier_engine::{
    FactChange, FactCounts, FactFilter, FactQuery, FactShown, FactState, NewFact, Recalled,
};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

/// What a fact is about.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FactKind)]
pub enum KindBody {
    Decision,
    Entity,
    Task,
    Metric,
    Link,
    Fact,
}

impl From<FactKind> for KindBody {
    fn from(kind: FactKind) -> Self {
        match kind {
            FactKind::Decision => Self::Decision,
            FactKind::Entity => Self::Entity,
            FactKind::Task => Self::Task,
            FactKind::Metric => Self::Metric,
            FactKind::Link => Self::Link,
            FactKind::Fact => Self::Fact,
        }
    }
}

impl From<KindBody> for FactKind {
    fn from(kind: KindBody) -> Self {
        match kind {
            KindBody::Decision => Self::Decision,
            KindBody::Entity => Self::Entity,
            KindBody::Task => Self::Task,
            KindBody::Metric => Self::Metric,
            KindBody::Link => Self::Link,
            KindBody::Fact => Self::Fact,
        }
    }
}

/// Whether models are shown it: it holds, something newer has closed it, or a person is to look at
/// it first.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FactState)]
pub enum StateBody {
    Holds,
    Closed,
    Doubtful,
}

impl From<FactState> for StateBody {
    fn from(state: FactState) -> Self {
        match state {
            FactState::Holds => Self::Holds,
            FactState::Closed => Self::Closed,
            FactState::Doubtful => Self::Doubtful,
        }
    }
}

impl From<StateBody> for FactState {
    fn from(state: StateBody) -> Self {
        match state {
            StateBody::Holds => Self::Holds,
            StateBody::Closed => Self::Closed,
            StateBody::Doubtful => Self::Doubtful,
        }
    }
}

/// Why a fact waits for a person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FactDoubt)]
pub enum DoubtBody {
    /// Whoever said it was not sure.
    Hedged,
    /// It tells what another has said.
    Hearsay,
    /// It contradicts a fact that is pinned.
    Contradiction,
}

impl From<Doubt> for DoubtBody {
    fn from(doubt: Doubt) -> Self {
        match doubt {
            Doubt::Hedged => Self::Hedged,
            Doubt::Hearsay => Self::Hearsay,
            Doubt::Contradiction => Self::Contradiction,
        }
    }
}

/// What a fact is said of: a newer one about the same takes its place.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FactTopic)]
pub struct TopicBody {
    pub subject: String,
    pub attribute: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FactResponse {
    pub id: String,
    pub project_id: String,
    pub kind: KindBody,
    pub text: String,
    /// The words that it rests on.
    pub quote: String,
    /// Where they were said; missing where a person wrote the fact down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<TopicBody>,
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it was last said again.
    #[schema(format = DateTime)]
    pub confirmed_at: String,
    #[schema(format = DateTime)]
    pub valid_from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub valid_until: Option<String>,
    /// The fact that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    pub pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<DoubtBody>,
    pub state: StateBody,
}

impl From<FactShown> for FactResponse {
    fn from(shown: FactShown) -> Self {
        let FactShown { project, fact, state } = shown;
        Self {
            id: fact.id.to_string(),
            project_id: project.to_string(),
            kind: fact.kind.into(),
            text: fact.text,
            quote: fact.source.quote,
            conversation_id: fact.source.thread.map(|thread| thread.to_string()),
            message_id: fact.source.message.map(|message| message.to_string()),
            tags: fact.tags,
            topic: fact.topic.map(|Topic { subject, attribute }| TopicBody { subject, attribute }),
            created_at: fact.created_at.to_string(),
            confirmed_at: fact.confirmed_at.to_string(),
            valid_from: fact.valid_from.to_string(),
            valid_until: fact.valid_until.map(|until| until.to_string()),
            superseded_by: fact.superseded_by.map(|newer| newer.to_string()),
            pinned: fact.pinned,
            doubt: fact.doubt.map(Into::into),
            state: state.into(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FactsResponse {
    /// The last confirmed first.
    pub facts: Vec<FactResponse>,
    /// How many there are on all pages.
    pub total: usize,
    /// How many there are in each state, whichever is asked for.
    pub counts: FactCountsResponse,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FactCountsResponse {
    pub holds: usize,
    pub closed: usize,
    pub doubtful: usize,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FactsQuery {
    /// Rows on a page; 100 when not given.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only those of this project.
    pub project_id: Option<String>,
    /// Only those that hold, are closed, or wait for a person.
    #[param(inline)]
    pub state: Option<StateBody>,
    #[param(inline)]
    pub kind: Option<KindBody>,
    pub tag: Option<String>,
    /// Only those with all of these words in their text, their quote or their tags.
    pub text: Option<String>,
}

/// Something to remember.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FactRequest {
    /// One to three lines, at most 500 characters. Secrets are masked.
    pub text: String,
    /// The default project when it is missing.
    pub project_id: Option<String>,
    /// Told from the text when it is missing.
    pub kind: Option<KindBody>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether it never fades, and nothing closes it by itself.
    #[serde(default)]
    pub pinned: bool,
}

/// What is to be different about a fact.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FactChangeRequest {
    pub text: Option<String>,
    pub kind: Option<KindBody>,
    pub tags: Option<Vec<String>>,
    pub pinned: Option<bool>,
    /// From when on it does not hold; `null` lets it hold without end.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_until: Option<Option<String>>,
    /// Whether a doubtful fact was found to be right.
    #[serde(default)]
    pub accepted: bool,
}

/// Tells `null` from what is missing.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FactSearchRequest {
    pub query: String,
    /// The default project when it is missing.
    pub project_id: Option<String>,
    /// Whether all projects are searched; none is named then.
    #[serde(default)]
    pub all_projects: bool,
    /// Of two facts that are equally like the query, the one with more of these comes first.
    #[serde(default)]
    pub tags: Vec<String>,
    /// 12 when not given; 8 to 20.
    #[schema(minimum = 1, maximum = 20)]
    pub limit: Option<usize>,
    /// A client's session, or a conversation: only what was said in it.
    #[schema(max_length = 256)]
    pub session_id: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RecalledResponse {
    #[serde(flatten)]
    pub fact: FactResponse,
    pub similarity: f32,
    pub shared_tags: usize,
    /// What age has left of it, from 1 on.
    pub freshness: f32,
}

impl From<Recalled> for RecalledResponse {
    fn from(recalled: Recalled) -> Self {
        let Recalled { shown, similarity, shared_tags, freshness } = recalled;
        Self { fact: shown.into(), similarity, shared_tags, freshness }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FactSearchResponse {
    /// The best first.
    pub facts: Vec<RecalledResponse>,
}

/// List what is remembered
#[utoipa::path(
    get,
    path = "/api/facts",
    operation_id = "list_facts",
    tag = "memory",
    params(FactsQuery),
    responses((status = 200, body = FactsResponse), Problems)
)]
pub async fn list(
    caller: Caller,
    QueryOf(query): QueryOf<FactsQuery>,
) -> Result<Json<FactsResponse>, Problem> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let filter = FactFilter {
        project: query.project_id.map(Into::into),
        state: query.state.map(Into::into),
        kind: query.kind.map(Into::into),
        tag: query.tag,
        text: query.text,
    };
    let wrong = || Problem::new(Code::InvalidQuery, "cursor must be the next_cursor of a page");
    let after = match page.after()? {
        Some(place) => {
            let (time, id) = place.split_once(' ').ok_or_else(wrong)?;
            let time = time.parse().map_err(|_| wrong())?;
            Some((Timestamp::from_millis(time), FactId::from(id)))
        }
        None => None,
    };
    let limit = page.limit()?;
    let found = caller.workspace.list_facts(&filter, after.as_ref(), limit, caller.now).await?;
    let FactCounts { holds, closed, doubtful } = found.counts;
    Ok(Json(FactsResponse {
        facts: found.facts.into_iter().map(Into::into).collect(),
        total: found.total,
        counts: FactCountsResponse { holds, closed, doubtful },
        next_cursor: found.next.map(|(time, id)| cursor(&format!("{} {id}", time.as_millis()))),
    }))
}

/// Remember something
///
/// What is known already is confirmed, and what it contradicts is closed.
#[utoipa::path(
    post,
    path = "/api/facts",
    operation_id = "create_fact",
    tag = "memory",
    request_body = FactRequest,
    responses((status = 201, body = FactResponse), Problems)
)]
pub async fn create(
    caller: Caller,
    JsonBody(request): JsonBody<FactRequest>,
) -> Result<Created<FactResponse>, Problem> {
    let FactRequest { text, project_id, kind, tags, pinned } = request;
    let project = match project_id {
        Some(id) => ProjectId::from(id),
        None => caller.workspace.project(None, caller.now).await?.id,
    };
    let new = NewFact { text, kind: kind.map(Into::into), tags, pinned };
    let body = FactResponse::from(caller.workspace.remember(&project, &new, caller.now).await?);
    Ok(Created { location: format!("/api/facts/{}", body.id), body })
}

/// Find the facts that bear on a question
#[utoipa::path(
    post,
    path = "/api/facts/search",
    operation_id = "search_facts",
    tag = "memory",
    request_body = FactSearchRequest,
    responses((status = 200, body = FactSearchResponse), Problems)
)]
pub async fn search(
    caller: Caller,
    JsonBody(request): JsonBody<FactSearchRequest>,
) -> Result<Json<FactSearchResponse>, Problem> {
    let FactSearchRequest { query, project_id, all_projects, tags, limit, session_id } = request;
    let project = match (project_id, all_projects) {
        (Some(_), true) => {
            let wrong = "either project_id or all_projects says where to search";
            return Err(Problem::new(Code::Invalid, wrong));
        }
        (Some(id), false) => Some(ProjectId::from(id)),
        (None, true) => None,
        (None, false) => Some(caller.workspace.project(None, caller.now).await?.id),
    };
    let session = session_id.map(SessionId::from);
    let sought = FactQuery {
        project: project.as_ref(),
        session: session.as_ref(),
        query: &query,
        tags: &tags,
        count: limit,
    };
    let found = caller.workspace.top_facts(&sought, caller.now).await?;
    Ok(Json(FactSearchResponse { facts: found.into_iter().map(Into::into).collect() }))
}

/// Look at a fact
#[utoipa::path(
    get,
    path = "/api/facts/{id}",
    operation_id = "get_fact",
    tag = "memory",
    params(("id" = String, Path)),
    responses((status = 200, body = FactResponse), Problems)
)]
pub async fn get(
    caller: Caller,
    PathOf(id): PathOf<String>,
) -> Result<Json<FactResponse>, Problem> {
    Ok(Json(caller.workspace.fact(&id.into(), caller.now).await?.into()))
}

/// Change a fact: its text, kind, tags, pin or validity, or accept a doubtful one
#[utoipa::path(
    patch,
    path = "/api/facts/{id}",
    operation_id = "change_fact",
    tag = "memory",
    params(("id" = String, Path)),
    request_body = FactChangeRequest,
    responses((status = 200, body = FactResponse), Problems)
)]
pub async fn change(
    caller: Caller,
    PathOf(id): PathOf<String>,
    JsonBody(request): JsonBody<FactChangeRequest>,
) -> Result<Json<FactResponse>, Problem> {
    let time = |text: String| {
        Timestamp::parse(&text)
            .map_err(|error| Problem::new(Code::Invalid, format!("valid_until: {error}")))
    };
    let change = FactChange {
        text: request.text,
        kind: request.kind.map(Into::into),
        tags: request.tags,
        pinned: request.pinned,
        valid_until: request.valid_until.map(|until| until.map(time).transpose()).transpose()?,
        accepted: request.accepted,
    };
    Ok(Json(caller.workspace.change_fact(&id.into(), &change, caller.now).await?.into()))
}

/// Forget a fact for good, with what receipts quote of it
#[utoipa::path(
    delete,
    path = "/api/facts/{id}",
    operation_id = "forget_fact",
    tag = "memory",
    params(("id" = String, Path)),
    responses((status = 204, description = "It is gone for good"), Problems)
)]
pub async fn forget(caller: Caller, PathOf(id): PathOf<String>) -> Result<StatusCode, Problem> {
    caller.workspace.forget_fact(&id.into(), caller.now).await?;
    Ok(StatusCode::NO_CONTENT)
}
