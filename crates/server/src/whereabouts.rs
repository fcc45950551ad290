//! Where a client of this door looks for what it has named and is not there. The engine says so for
//! people at a terminal and for models as well, who look elsewhere.

/// How to find things of this kind, where there is an address that tells.
pub fn whereabouts(what: &str) -> Option<&'static str> {
    Some(match what {
        "project" => "GET /api/projects lists them",
        "thread" => "GET /api/projects/{id}/conversations lists those of a project",
        "file" => "GET /api/projects/{id}/files lists those of a project",
        "message" => "GET /api/conversations/{id} shows those of a conversation",
        "turn" => "GET /api/conversations/{id} names those of a conversation",
        "receipt" => "GET /api/conversations/{id} names that of each reply",
        "receipt of message" => {
            "replies of models have one, which GET /api/conversations/{id} names"
        }
        "block" => "its source was deleted; GET /api/hidden lists what can be brought back",
        "fact" => "it may have been forgotten; GET /api/facts lists them",
        "ref" => "it may have expired; GET /api/refs lists them",
        "persona" => "GET /api/personas lists them all",
        "preset" => "GET /api/presets lists them all",
        "provider" => "GET /api/providers lists them",
        "assistant" => "GET /api/consult/assistants lists them",
        "session" => "GET /api/consult/sessions lists them",
        "consultation" => "POST /api/consult tells its id; GET /api/turn/{id} tells of other turns",
        _ => return None,
    })
}
