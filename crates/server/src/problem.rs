//! Errors as RFC 9457 problem documents, each with a stable code, and the one place where an error
//! of the engine gets its status. What a document says is safe to show: of what went wrong inside
//! only the log tells more.

use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use dossier_core::guard::masked;
use dossier_engine::{EngineError, FilesError, SkipReason, StoreError};
use serde::Serialize;
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
    PathRefused,
    NotFound,
    MethodNotAllowed,
    Conflict,
    RequestUnderWay,
    KeyReused,
    BodyTooLarge,
    UnsupportedMediaType,
    Invalid,
    BudgetTooSmall,
    WindowFull,
    OverBudget,
    LimitReached,
    Internal,
    Busy,
    TimedOut,
    StoreUnavailable,
}

impl Code {
    pub fn status(self) -> StatusCode {
        match self {
            Code::MalformedRequest
            | Code::MalformedJson
            | Code::InvalidQuery
            | Code::InvalidPath => StatusCode::BAD_REQUEST,
            Code::TokenRequired | Code::TokenRefused => StatusCode::UNAUTHORIZED,
            Code::HostRefused | Code::OriginRefused => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::OverBudget => StatusCode::PAYMENT_REQUIRED,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::Conflict | Code::RequestUnderWay => StatusCode::CONFLICT,
            Code::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::PathRefused
            | Code::KeyReused
            | Code::Invalid
            | Code::BudgetTooSmall
            | Code::WindowFull
            | Code::LimitReached => StatusCode::UNPROCESSABLE_ENTITY,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Code::Busy | Code::TimedOut | Code::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
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
            Code::PathRefused => "The path is refused",
            Code::NotFound => "There is no such thing",
            Code::MethodNotAllowed => "The method is not allowed",
            Code::Conflict => "It is there already",
            Code::RequestUnderWay => "The same request is under way",
            Code::KeyReused => "The key was used for another request",
            Code::BodyTooLarge => "The body is too large",
            Code::UnsupportedMediaType => "The media type is not supported",
            Code::Invalid => "The request is not valid",
            Code::BudgetTooSmall => "The budget is too small",
            Code::WindowFull => "The conversation is full",
            Code::OverBudget => "The budget is spent",
            Code::LimitReached => "No more can be kept",
            Code::Internal => "Something went wrong",
            Code::Busy => "The server is busy",
            Code::TimedOut => "It took too long",
            Code::StoreUnavailable => "The store is not available",
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
}

impl Problem {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), cause: None }
    }

    /// A fault of ours, of which only the log tells more.
    pub fn internal(cause: impl ToString) -> Self {
        let detail = "the server's log tells more under the id of this request";
        Self { cause: Some(cause.to_string()), ..Self::new(Code::Internal, detail) }
    }

    /// The whole response, for the request of this id.
    pub fn response(&self, request_id: &str) -> Response {
        let status = self.code.status();
        let name = serde_json::to_value(self.code).unwrap_or_default();
        let detail: String = masked(&self.detail).chars().take(LONGEST_DETAIL).collect();
        let document = ProblemResponse {
            kind: format!("urn:dossier:problem:{}", name.as_str().unwrap_or_default()),
            title: self.code.title(),
            status: status.as_u16(),
            code: self.code,
            detail,
            request_id: request_id.to_owned(),
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
        response
    }

    /// What is behind a response that is an error and no problem document.
    pub fn of_status(status: StatusCode) -> Self {
        let (code, detail) = match status {
            StatusCode::NOT_FOUND => (Code::NotFound, "nothing is served at this address"),
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
            // How to mend it is told there for people at a terminal.
            EngineError::NotFound { what, name, .. } => {
                Self::new(Code::NotFound, format!("{what} `{name}` is not known"))
            }
            EngineError::Invalid(_) | EngineError::Exchange(_) | EngineError::Models(_) => {
                Self::new(Code::Invalid, told)
            }
            EngineError::OverBudget(_) => Self::new(Code::OverBudget, told),
            EngineError::Conflict(_) => Self::new(Code::Conflict, told),
            EngineError::NotTaken { reason: SkipReason::TooLarge { .. }, .. } => {
                Self::new(Code::BodyTooLarge, told)
            }
            EngineError::NotTaken { .. } => Self::new(Code::Invalid, told),
            EngineError::TooLarge(_) => Self::new(Code::BudgetTooSmall, told),
            EngineError::WindowFull(_) => Self::new(Code::WindowFull, told),
            EngineError::Files(FilesError::Forbidden { .. } | FilesError::Invalid { .. }) => {
                Self::new(Code::PathRefused, told)
            }
            EngineError::Store(error) => of_store(error, told),
            EngineError::Files(_)
            | EngineError::Reading(_)
            | EngineError::Writing(_)
            | EngineError::Interrupted(_) => Self::internal(told),
        }
    }
}

/// Messages of the store may name files of the server or parts of its tables.
fn of_store(error: StoreError, told: String) -> Problem {
    match error {
        StoreError::NotFound { .. } => Problem::new(Code::NotFound, told),
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
    /// The server is not known by this name, or another site asks.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(ProblemResponse),
    /// There is no such thing.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(ProblemResponse),
    /// It is there already, or the same request is under way.
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
