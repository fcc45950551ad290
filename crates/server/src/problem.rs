//! Errors as RFC 9457 problem documents, each with a stable code, and the one place where an error
//! of the engine gets its status. What a document says is safe to show: of what went wrong inside
//! only the log tells more.

use crate::whereabouts::whereabouts;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use dossier_core::fields::FieldError;
use dossier_core::guard::masked;
use dossier_engine::{EmbedError, EngineError, FilesError, ModelsError, SkipReason, StoreError};
use serde::Serialize;
use std::borrow::Cow;
use utoipa::{IntoResponses, ToSchema};

pub const MEDIA_TYPE: &str = "application/problem+json";

/// The longest detail, in characters: it may quote what was sent.
const LONGEST_DETAIL: usize = 1000;

/// What kind of problem it is. Codes are never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    MalformedRequest,
    MalformedJson,
    InvalidQuery,
    InvalidPath,
    TokenRequired,
    TokenRefused,
    HostRefused,
    OriginRefused,
    OwnerRefused,
    PathRefused,
    NotFound,
    MethodNotAllowed,
    Conflict,
    RequestUnderWay,
    ReplyForgotten,
    KeyReused,
    BodyTooLarge,
    UnsupportedMediaType,
    Invalid,
    BudgetTooSmall,
    WindowFull,
    OverBudget,
    LimitReached,
    Expired,
    Internal,
    Busy,
    TimedOut,
    StoreUnavailable,
    /// These are about a model's provider.
    KeyMissing,
    KeyRefused,
    Unpaid,
    UnknownModel,
    RateLimited,
    TooLong,
    Refused,
    ModelUnavailable,
    ModelTimedOut,
    Broken,
    NotTaken,
}

impl Code {
    pub fn status(self) -> StatusCode {
        match self {
            Code::MalformedRequest
            | Code::MalformedJson
            | Code::InvalidQuery
            | Code::InvalidPath
            | Code::TooLong
            | Code::Refused
            | Code::NotTaken => StatusCode::BAD_REQUEST,
            Code::TokenRequired | Code::TokenRefused | Code::KeyMissing | Code::KeyRefused => {
                StatusCode::UNAUTHORIZED
            }
            Code::HostRefused | Code::OriginRefused | Code::OwnerRefused => StatusCode::FORBIDDEN,
            Code::NotFound | Code::UnknownModel => StatusCode::NOT_FOUND,
            Code::OverBudget | Code::Unpaid => StatusCode::PAYMENT_REQUIRED,
            Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Code::Broken => StatusCode::BAD_GATEWAY,
            Code::ModelTimedOut => StatusCode::GATEWAY_TIMEOUT,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::Conflict | Code::RequestUnderWay | Code::ReplyForgotten | Code::Expired => {
                StatusCode::CONFLICT
            }
            Code::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::PathRefused
            | Code::KeyReused
            | Code::Invalid
            | Code::BudgetTooSmall
            | Code::WindowFull
            | Code::LimitReached => StatusCode::UNPROCESSABLE_ENTITY,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Code::Busy | Code::TimedOut | Code::StoreUnavailable | Code::ModelUnavailable => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
    }

    fn title(self) -> &'static str {
        match self {
            Code::MalformedRequest => "The request cannot be understood",
            Code::MalformedJson => "The body is no JSON",
            Code::InvalidQuery => "The query string is wrong",
            Code::InvalidPath => "The address is wrong",
            Code::TokenRequired => "An access token is required",
            Code::TokenRefused => "The access token is not valid",
            Code::HostRefused => "The server is not known by this name",
            Code::OriginRefused => "Other sites may not ask",
            Code::OwnerRefused => "Another owner's to decide",
            Code::PathRefused => "The path is refused",
            Code::NotFound => "There is no such thing",
            Code::MethodNotAllowed => "The method is not allowed",
            Code::Conflict => "It is there already",
            Code::RequestUnderWay => "The same request is under way",
            Code::ReplyForgotten => "The first reply was forgotten",
            Code::KeyReused => "The key was used for another request",
            Code::BodyTooLarge => "The body is too large",
            Code::UnsupportedMediaType => "The media type is not supported",
            Code::Invalid => "The request is not valid",
            Code::BudgetTooSmall => "The budget is too small",
            Code::WindowFull => "The conversation is full",
            Code::OverBudget => "The budget is spent",
            Code::LimitReached => "No more can be kept",
            Code::Expired => "Its time is over",
            Code::Internal => "Something went wrong",
            Code::Busy => "The server is busy",
            Code::TimedOut => "It took too long",
            Code::StoreUnavailable => "The store is not available",
            Code::KeyMissing => "The model's provider needs a key",
            Code::KeyRefused => "The model's provider does not accept the key",
            Code::Unpaid => "The model's provider wants to be paid",
            Code::UnknownModel => "There is no such model",
            Code::RateLimited => "The model is asked too often",
            Code::TooLong => "The prompt is too long for the model",
            Code::Refused => "The model declines to answer",
            Code::ModelUnavailable => "The model cannot be reached",
            Code::ModelTimedOut => "The model did not answer in time",
            Code::Broken => "The answer is not whole",
            Code::NotTaken => "The model does not take the request",
        }
    }
}

/// Why a request was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub code: Code,
    pub detail: String,
    /// For the log alone.
    pub cause: Option<String>,
    /// The part of the request that is wrong, where one is.
    pub param: Option<String>,
    /// Every field that is wrong, where fields were checked.
    pub fields: Vec<FieldProblem>,
    /// How many seconds to wait before the same request may succeed.
    pub retry_after: Option<u64>,
}

/// A field of the request, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldProblem {
    #[schema(value_type = String)]
    pub field: Cow<'static, str>,
    pub message: String,
}

/// The document that is sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemResponse {
    /// A name of the code, as a URI.
    #[serde(rename = "type")]
    pub kind: String,
    #[schema(value_type = String)]
    pub title: &'static str,
    pub status: u16,
    pub code: Code,
    pub detail: String,
    /// By which the log tells more.
    pub request_id: String,
    /// Every field that is wrong, where fields were checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
    /// The same for clients of OpenAI's interface, at its addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorResponse>,
}

/// An error as OpenAI's clients read it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorResponse {
    pub message: String,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: &'static str,
    pub param: Option<String>,
    pub code: String,
}

/// In which form a problem is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Plain,
    /// With what OpenAI's clients read.
    OpenAi,
}

impl Form {
    pub fn of_path(path: &str) -> Self {
        if path.starts_with("/v1/") { Self::OpenAi } else { Self::Plain }
    }
}

impl Problem {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { code, detail, cause: None, param: None, fields: Vec::new(), retry_after: None }
    }

    /// A fault of ours, of which only the log tells more.
    pub fn internal(cause: impl ToString) -> Self {
        let detail = "the server's log tells more under the id of this request";
        Self { cause: Some(cause.to_string()), ..Self::new(Code::Internal, detail) }
    }

    /// The whole response, for the request of this id.
    pub fn response(&self, request_id: &str, form: Form) -> Response {
        let status = self.code.status();
        let document = ProblemResponse {
            kind: format!("urn:dossier:problem:{}", self.name()),
            title: self.code.title(),
            status: status.as_u16(),
            code: self.code,
            detail: self.shown(),
            request_id: request_id.to_owned(),
            errors: self.fields.clone(),
            error: (form == Form::OpenAi).then(|| self.error()),
        };
        let body = serde_json::to_string(&document).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        match self.code {
            Code::TokenRequired => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Code::TokenRefused => {
                let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
                headers.insert(header::WWW_AUTHENTICATE, challenge);
            }
            Code::Busy | Code::RequestUnderWay => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    /// The frame of a stream that ends with it.
    pub fn frame(&self) -> String {
        serde_json::json!({ "error": self.error() }).to_string()
    }

    fn name(&self) -> String {
        let name = serde_json::to_value(self.code).unwrap_or_default();
        name.as_str().unwrap_or_default().to_owned()
    }

    /// What may be shown of the detail.
    fn shown(&self) -> String {
        masked(&self.detail).chars().take(LONGEST_DETAIL).collect()
    }

    pub fn error(&self) -> ErrorResponse {
        let kind = match self.code.status() {
            StatusCode::UNAUTHORIZED => "authentication_error",
            StatusCode::FORBIDDEN => "permission_error",
            StatusCode::PAYMENT_REQUIRED => "insufficient_quota",
            StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request_error",
        };
        let code = match self.code {
            Code::UnknownModel => "model_not_found".to_owned(),
            Code::RateLimited => "rate_limit_exceeded".to_owned(),
            Code::TooLong => "context_length_exceeded".to_owned(),
            _ => self.name(),
        };
        ErrorResponse { message: self.shown(), kind, param: self.param.clone(), code }
    }

    /// Why a model did not reply, by the code that the turn gives it.
    pub fn of_reply(code: &str, message: &str) -> Self {
        let code = match code {
            "key_missing" => Code::KeyMissing,
            "key_refused" => Code::KeyRefused,
            "unpaid" => Code::Unpaid,
            "unknown_model" => Code::UnknownModel,
            "rate_limited" => Code::RateLimited,
            "too_long" => Code::TooLong,
            "refused" => Code::Refused,
            "unavailable" => Code::ModelUnavailable,
            "timed_out" => Code::ModelTimedOut,
            "broken" | "empty" | "cut_off" => Code::Broken,
            "invalid" => Code::NotTaken,
            "budget_too_small" => Code::BudgetTooSmall,
            "over_budget" => Code::OverBudget,
            "window_full" => Code::WindowFull,
            "cancelled" => Code::TimedOut,
            // It can be asked for again at once.
            "interrupted" => Code::Busy,
            _ => return Self::internal(message),
        };
        Self::new(code, message)
    }

    /// What is behind a response that is an error and no problem document.
    pub fn of_status(status: StatusCode) -> Self {
        let (code, detail) = match status {
            StatusCode::NOT_FOUND => {
                (Code::NotFound, "nothing is served at this address; /openapi.json names them all")
            }
            StatusCode::METHOD_NOT_ALLOWED => {
                (Code::MethodNotAllowed, "the header Allow names the methods of this address")
            }
            StatusCode::PAYLOAD_TOO_LARGE => (Code::BodyTooLarge, "send less at once"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                (Code::UnsupportedMediaType, "/openapi.json names the media types")
            }
            status if status.is_server_error() => return Self::internal(status),
            _ => (Code::MalformedRequest, "/openapi.json tells what can be asked"),
        };
        Self::new(code, detail)
    }
}

/// The response carries the problem; the document is written where the request's id is known.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<PathRejection> for Problem {
    fn from(_: PathRejection) -> Self {
        Self::new(Code::InvalidPath, "a part of the address is not text in UTF-8; encode it anew")
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let told = error.to_string();
        match error {
            EngineError::NotFound { what, name, mend } => {
                let mend = whereabouts(what).unwrap_or(&mend);
                Self::new(Code::NotFound, format!("{what} `{name}` is not known; {mend}"))
            }
            EngineError::Unknown { what, .. } => {
                let more = whereabouts(what).map(|place| format!("; {place}")).unwrap_or_default();
                Self::new(Code::NotFound, told + &more)
            }
            EngineError::Fields(errors) => {
                let field = |error: FieldError| FieldProblem {
                    field: error.field.into(),
                    message: masked(&error.message).into_owned(),
                };
                let fields = errors.0.into_iter().map(field).collect();
                Self { fields, ..Self::new(Code::Invalid, told) }
            }
            EngineError::Expired(_) => Self::new(Code::Expired, told),
            EngineError::Models(error) => of_model(&error, told),
            EngineError::Embedding(EmbedError::Disabled) => Self::new(Code::Invalid, told),
            EngineError::Embedding(_) => Self::new(Code::ModelUnavailable, told),
            EngineError::Invalid(_) | EngineError::Exchange(_) => Self::new(Code::Invalid, told),
            EngineError::OverBudget(_) => Self::new(Code::OverBudget, told),
            EngineError::Conflict(_) => Self::new(Code::Conflict, told),
            EngineError::NotTaken { reason: SkipReason::TooLarge { .. }, .. } => {
                Self::new(Code::BodyTooLarge, told)
            }
            EngineError::NotTaken { .. } => Self::new(Code::Invalid, told),
            EngineError::TooLarge(_) => Self::new(Code::BudgetTooSmall, told),
            EngineError::WindowFull(_) | EngineError::SessionFull(_) => {
                Self::new(Code::WindowFull, told)
            }
            EngineError::Files(
                FilesError::Forbidden { .. }
                | FilesError::Invalid { .. }
                | FilesError::OutsideRoots { .. },
            ) => Self::new(Code::PathRefused, told),
            EngineError::Files(FilesError::NotFound { .. }) => Self::new(Code::NotFound, told),
            EngineError::Store(error) => of_store(error, told),
            EngineError::BadTemplate(_)
            | EngineError::Files(_)
            | EngineError::Reading(_)
            | EngineError::Writing(_)
            | EngineError::Interrupted(_) => Self::internal(told),
        }
    }
}

fn of_model(error: &ModelsError, told: String) -> Problem {
    // Their messages name files of the server.
    if let ModelsError::BadKeys { .. } | ModelsError::BadCatalogue { .. } = error {
        return Problem::internal(told);
    }
    let Some(trouble) = error.trouble() else { return Problem::new(Code::Invalid, told) };
    Problem {
        retry_after: trouble.retry_after().map(|wait| wait.as_secs_f64().ceil() as u64),
        ..Problem::of_reply(trouble.code(), &told)
    }
}

/// Messages of the store may name files of the server or parts of its tables.
fn of_store(error: StoreError, told: String) -> Problem {
    match error {
        StoreError::NotFound { .. } => {
            let mend = "it may have been deleted meanwhile; fetch anew what there is";
            Problem::new(Code::NotFound, format!("{told}; {mend}"))
        }
        StoreError::Conflict { .. } => Problem {
            cause: Some(told),
            ..Problem::new(Code::Conflict, "something else was written meanwhile; look and retry")
        },
        StoreError::Invalid { .. } => Problem::new(Code::Invalid, told),
        StoreError::Exceeded(_) => Problem::new(Code::LimitReached, told),
        StoreError::Unavailable { .. } => Problem {
            cause: Some(told),
            ..Problem::new(Code::StoreUnavailable, "try again; nothing of this request was kept")
        },
        _ => Problem::internal(told),
    }
}

/// The problems that any request can meet.
#[derive(Debug, IntoResponses)]
#[expect(dead_code, reason = "only the OpenAPI document names them")]
pub enum Problems {
    /// The request cannot be understood.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(ProblemResponse),
    /// An access token is required, or the one that was shown is not valid.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(ProblemResponse),
    /// The server is not known by this name, another site asks, or another owner decides.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemResponse),
    /// There is no such thing.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(ProblemResponse),
    /// It is there already, or the same request is under way or was answered before.
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(ProblemResponse),
    /// The body is too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemResponse),
    /// The body has another media type than is asked for.
    #[response(status = 415, content_type = "application/problem+json")]
    UnsupportedMediaType(ProblemResponse),
    /// The request is understood and not valid.
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(ProblemResponse),
    /// Something went wrong; the log tells more.
    #[response(status = 500, content_type = "application/problem+json")]
    Internal(ProblemResponse),
    /// Busy, too slow, or without its store; try again.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemResponse),
}

/// The problems that a request can meet which waits for a model.
#[derive(Debug, IntoResponses)]
#[expect(dead_code, reason = "only the OpenAPI document names them")]
pub enum ModelProblems {
    /// A budget is spent, or the provider wants to be paid.
    #[response(status = 402, content_type = "application/problem+json")]
    Spent(ProblemResponse),
    /// The model is asked too often; Retry-After says how long to wait.
    #[response(status = 429, content_type = "application/problem+json")]
    RateLimited(ProblemResponse),
    /// The provider's answer is not whole.
    #[response(status = 502, content_type = "application/problem+json")]
    Broken(ProblemResponse),
    /// The model did not answer in time.
    #[response(status = 504, content_type = "application/problem+json")]
    TimedOut(ProblemResponse),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_was_interrupted_is_to_be_asked_for_again_and_says_why() {
        let problem = Problem::of_reply("interrupted", "the program was stopped; ask it again");
        assert_eq!(problem.code.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(problem.error().message, "the program was stopped; ask it again");
    }
}
