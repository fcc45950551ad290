//! A server that goes away and comes back. Between the store and the real PostgreSQL stands a
//! go-between that can hang up and refuse.

use crate::database::Database;
use crate::sample::{matching, message, message_chunk, project, terms, thread};
use anyhow::{Context, Result};
use dossier_core::id::OwnerId;
use dossier_store::{Store, StoreError};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Passes connections on while the line is up; hangs up on all of them when it goes down.
struct GoBetween {
    port: u16,
    up: watch::Sender<bool>,
}

impl GoBetween {
    async fn to(server: String) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let (up, is_up) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let (server, mut up) = (server.clone(), is_up.clone());
                tokio::spawn(async move {
                    let pass = async {
                        let Ok(mut far) = TcpStream::connect(server).await else { return };
                        let _ = copy_bidirectional(&mut near, &mut far).await;
                    };
                    tokio::select! {
                        biased;
                        _ = up.wait_for(|up| !up) => {}
                        () = pass => {}
                    }
                });
            }
        });
        Ok(Self { port, up })
    }

    fn go_down(&self) {
        self.up.send_replace(false);
    }

    fn come_back(&self) {
        self.up.send_replace(true);
    }
}

async fn a_server_that_comes_back_finds_everything_acknowledged(database: Database) -> Result<()> {
    let (_, rest) = database.url.split_once('@').context("a user")?;
    let (server, name) = rest.split_once('/').context("a database")?;
    let between = GoBetween::to(server.to_owned()).await?;
    let url = format!("postgres://postgres@127.0.0.1:{}/{name}", between.port);
    let store = Store::open(&url).await?.owner(&OwnerId::local());
    let project = project("a");
    store.create_project(&project).await?;
    let thread = thread("t", &project);
    store.create_thread(&thread).await?;

    let mut acknowledged = 0;
    for outage in 1..=5 {
        let writer = {
            let (store, thread) = (store.clone(), thread.clone());
            tokio::spawn(async move {
                for position in acknowledged.. {
                    let said = message(&thread.id, position, "common words");
                    let chunk = message_chunk(&said, "");
                    let written = store.append_messages(&thread.id, &[said], &[chunk]).await;
                    match written {
                        Ok(()) => {}
                        // It was written before, and its acknowledgement got lost on the way.
                        Err(StoreError::Conflict { .. }) => {}
                        Err(error) => return (position, error),
                    }
                }
                unreachable!("positions do not end")
            })
        };
        while store.next_position(&thread.id).await? < acknowledged + outage {}
        between.go_down();
        let (written, error) = writer.await?;
        let message = error.to_string();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
        assert!(message.contains("check that it runs"), "{message}");
        acknowledged = written;
        assert!(store.messages(&thread.id).await.is_err(), "the line is down");
        between.come_back();
        let messages = store.messages(&thread.id).await?;
        assert!(messages.len() as i64 >= acknowledged, "{} of {acknowledged}", messages.len());
        assert!(messages.len() as i64 <= acknowledged + 1, "{} of {acknowledged}", messages.len());
    }
    let messages = store.messages(&thread.id).await?.len();
    let found = matching(&store, &project.id, &terms("common")).await?;
    assert_eq!(found.len(), messages);
    let facts = Store::open(&database.url).await?.verify().await?;
    assert!(facts.is_sound(), "{facts:#?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_away_costs_nothing_acknowledged() -> Result<()> {
    crate::database::on_postgres(a_server_that_comes_back_finds_everything_acknowledged).await
}
