//! The door over HTTP. The server that it stands in has let the caller in, has looked at `Host` and
//! `Origin`, and says whose projects are meant.

use crate::server::Mcp;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// Where the door is.
pub const PATH: &str = "/mcp";

pub type HttpDoor = StreamableHttpService<Mcp, LocalSessionManager>;

impl Mcp {
    /// The door as a service of an HTTP server.
    pub fn over_http(self) -> HttpDoor {
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        StreamableHttpService::new(move || Ok(self.clone()), Arc::default(), config)
    }
}
