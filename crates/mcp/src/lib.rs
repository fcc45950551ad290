//! The MCP door: tools, resources and prompts for AI clients, over standard input and output or
//! over HTTP, for both eras of the protocol. It translates and calls the engine.
//!
//! Invariant: what goes wrong inside a tool is a result that says how to mend it; a protocol error
//! means that the request itself made no sense.

mod options;
mod page;
mod schema;

mod call;
mod client;
mod rounds;
mod sampling;
mod tool;

mod consult;
mod memory;
mod persona;
mod project;

mod completion;
mod prompt;
mod resource;

mod server;
mod steady;

mod http;
mod stdio;

pub use http::{HttpDoor, PATH};
pub use options::{ClientRoots, Held, Options, Settings, ToolSet, Usual};
pub use server::Mcp;
pub use stdio::serve_stdio;
