//! The OpenAPI document, made of the routes. `openapi.json` beside this crate is the same, for
//! whoever makes a client of it.

use crate::problem::{Code, ProblemResponse};
use crate::{headers, router};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dossier",
        description = "The context engine: projects, files and conversations, and for each \
                       question the smallest context that still holds the evidence."
    ),
    components(schemas(ProblemResponse, Code)),
    modifiers(&Tokens),
    security((), ("token" = [])),
    tags(
        (name = "projects", description = "Pieces of work"),
        (name = "files", description = "Files of a project"),
        (name = "conversations", description = "Threads of messages"),
        (name = "turn", description = "One question for one or several models"),
        (name = "personas", description = "Someone to talk with who stays the same"),
        (name = "consult", description = "An assistant's view on files of the server's machine"),
        (name = "models", description = "Who can be asked, and what it took"),
        (name = "context", description = "Dossiers, and the receipts that tell why"),
        (name = "search", description = "The best passages"),
        (name = "memory", description = "Contents that are stored once and given back in part or whole"),
        (name = "settings", description = "What the owner has set"),
        (name = "openai", description = "For clients of OpenAI's interface"),
        (name = "live", description = "What changes, as it happens"),
        (name = "server", description = "How the server is"),
    )
)]
struct Frame;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", scheme);
    }
}

/// What the document says before any route.
pub fn frame() -> utoipa::openapi::OpenApi {
    Frame::openapi()
}

/// The whole document.
pub fn document() -> String {
    let (_, mut document) = router::routes().split_for_parts();
    headers::name(&mut document);
    document.to_pretty_json().unwrap_or_default() + "\n"
}
