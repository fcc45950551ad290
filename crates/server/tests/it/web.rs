//! The page that the binary carries: for whoever comes, kept by browsers, and strict about itself.

use crate::database::Database;
use crate::desk::{Desk, options};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, Engine, now};
use dossier_server::{Options, TokenPolicy};
use hyper::Method;

async fn the_page_is_served_without_a_token_and_known_again(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    engine.create_token(&OwnerId::local(), "laptop", None, now()).await?;
    let options = Options { tokens: TokenPolicy::Everyone, ..options() };
    let desk = Desk::start(engine, options).await?;
    let page = desk.get("/").await?;
    assert_eq!(page.status, 200);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(page.headers["cache-control"], "no-cache");
    let policy = page.headers["content-security-policy"].to_str()?;
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    let known = [("if-none-match", page.headers["etag"].to_str()?)];
    let again = desk.send(Method::GET, "/", &known, "").await?;
    assert_eq!((again.status, again.body.len()), (304, 0));
    let missing = desk.get("/assets/none.js").await?;
    assert_eq!(missing.problem(), (404, "not_found".to_owned()));
    desk.stopped().await
}

stories! {
    the_page_is_served_without_a_token_and_known_again,
}
