//! The server that the protocol's conformance suite is run against: the real door, mounted as
//! `dossier serve` mounts it, with the suite's fixtures beside its own tools.
//!
//! The first line of standard output is the URL; the end of standard input is the end. With the
//! argument `stdio` it speaks over these itself, as `dossier mcp` does.

mod asking;
mod fixture;
#[path = "../../src/panics.rs"]
mod panics;
mod prompts;
mod resources;
mod rounds;
mod settings;
mod tools;

use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, Engine, IndexRequest, Limits, Pinning, Silent, now};
use dossier_mcp::{HttpDoor, Mcp, Usual};
use dossier_server::{Options, Server};
use fixture::Fixture;
use settings::Plain;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    panics::mask();
    let folder = tempfile::tempdir()?;
    let engine = engine(folder.path()).await?;
    let usual = Arc::new(Usual::new(settings::GRACE_DAYS));
    let door = Mcp::new(engine.clone(), dossier_mcp::Options::new(usual));
    if std::env::args().nth(1).as_deref() == Some("stdio") {
        dossier_mcp::serve_stdio(Fixture::new(door)).await?;
        engine.close().await;
        return Ok(());
    }
    // The fixtures stand behind the HTTP settings of the real door, whatever they are.
    let fixture = Fixture::new(door);
    let door = HttpDoor::new(move || fixture.clone());
    let closing = door.config.cancellation_token.clone();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let options = Options { listen, ..Options::default() };
    let server = Server::bind(engine.clone(), Arc::new(Plain), options).await?;
    let server = server.with_door(dossier_mcp::PATH, door);
    writeln!(io::stdout(), "http://{}{}", server.address(), dossier_mcp::PATH)?;
    let ended = end_of_input();
    let stop = async {
        let _ = ended.await;
        closing.cancel();
    };
    server.run(stop).await;
    engine.close().await;
    Ok(())
}

/// A store with a project, so that the door has something of its own to list.
async fn engine(folder: &Path) -> anyhow::Result<Engine> {
    let database = format!("sqlite:{}", folder.join("dossier.db").display());
    let engine = Engine::open(&database, Embedder::none()).await?;
    let workspace = engine.owner(&OwnerId::local());
    let note = folder.join("note.md");
    std::fs::write(&note, "The walrus sleeps on the pier.\n")?;
    let project = workspace.project(None, now()).await?;
    let request = IndexRequest {
        project: project.id,
        paths: vec![note],
        limits: Limits::default(),
        pinning: Pinning::Keep,
        now: now(),
    };
    workspace.index(&request, &Silent).await?;
    Ok(engine)
}

/// Comes when nobody holds the other end of standard input any more.
fn end_of_input() -> oneshot::Receiver<()> {
    let (ended, end) = oneshot::channel();
    std::thread::spawn(move || {
        // However it ends, it has ended.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    end
}
