//! Access tokens, and replies that are kept for requests which come again.

use crate::database::Database;
use crate::isolation::fill;
use crate::sample::{at, file_id, project};
use anyhow::Result;
use dossier_core::access::AccessToken;
use dossier_core::hash::ContentHash;
use dossier_store::{Holding, KeptReply, Reservation, StoreError};

fn token(owner: &str, name: &str) -> AccessToken {
    AccessToken {
        id: format!("tok_{owner}_{name}").into(),
        owner: owner.into(),
        name: name.to_owned(),
        hash: ContentHash::of(name),
        created_at: at(1),
        expires_at: Some(at(9)),
    }
}

async fn a_token_is_found_by_its_id_until_it_is_revoked(database: Database) -> Result<()> {
    let store = database.store().await?;
    let (ann, bob) = (store.owner(&"ann".into()), store.owner(&"bob".into()));
    let tokens = [token("ann", "Laptop"), token("ann", "phone"), token("bob", "Laptop")];
    bob.create_token(&tokens[2]).await?;
    ann.create_token(&tokens[1]).await?;
    ann.create_token(&tokens[0]).await?;
    assert_eq!(store.access_tokens().await?, tokens);
    assert_eq!(store.access_token(&tokens[1].id).await?.as_ref(), Some(&tokens[1]));
    assert!(ann.revoke_token(&tokens[1].id).await?);
    assert!(!ann.revoke_token(&tokens[1].id).await?);
    assert_eq!(store.access_token(&tokens[1].id).await?, None);
    Ok(())
}

async fn a_name_is_given_to_one_token_of_an_owner(database: Database) -> Result<()> {
    let store = database.store().await?;
    let ann = store.owner(&"ann".into());
    ann.create_token(&token("ann", "phone")).await?;
    let again = AccessToken { id: "tok_other".into(), ..token("ann", "phone") };
    let refused = ann.create_token(&again).await.unwrap_err();
    assert!(matches!(refused, StoreError::Conflict { .. }), "{refused}");
    Ok(())
}

async fn a_request_is_granted_once_and_its_reply_kept(database: Database) -> Result<()> {
    let store = database.store().await?;
    let ann = store.owner(&"ann".into());
    let (request, other) = (ContentHash::of("request"), ContentHash::of("other"));
    let reply = KeptReply {
        status: 201,
        media_type: "application/json".to_owned(),
        headers: vec![("location".to_owned(), "/api/projects/prj_1".to_owned())],
        body: "{}".to_owned(),
    };
    assert_eq!(ann.reserve_reply("k", &request, at(0), at(5)).await?, Reservation::Granted);
    assert_eq!(ann.reserve_reply("k", &request, at(5), at(6)).await?, Reservation::UnderWay);
    assert_eq!(ann.reserve_reply("k", &other, at(5), at(6)).await?, Reservation::OtherRequest);
    // It was lost with its process.
    assert_eq!(ann.reserve_reply("k", &request, at(6), at(7)).await?, Reservation::Granted);
    ann.keep_reply("k", &reply).await?;
    let kept = Reservation::Kept(reply);
    assert_eq!(ann.reserve_reply("k", &request, at(99), at(99)).await?, kept);
    ann.release_reply("k").await?;
    assert_eq!(ann.reserve_reply("k", &request, at(99), at(99)).await?, kept);
    assert_eq!(ann.expire_replies(at(7)).await?, 0);
    assert_eq!(ann.expire_replies(at(8)).await?, 1);
    assert_eq!(ann.reserve_reply("k", &other, at(0), at(9)).await?, Reservation::Granted);
    Ok(())
}

async fn a_kept_reply_loses_its_text_when_something_is_forgotten(database: Database) -> Result<()> {
    let store = database.store().await?;
    let (ann, bob) = (store.owner(&"ann".into()), store.owner(&"bob".into()));
    let request = ContentHash::of("request");
    let reply = KeptReply {
        status: 200,
        media_type: "application/json".to_owned(),
        headers: Vec::new(),
        body: "the secret plan".to_owned(),
    };
    for owner in [&ann, &bob] {
        fill(owner).await?;
        owner.reserve_reply("given", &request, at(0), at(5)).await?;
        owner.keep_reply("given", &reply).await?;
        owner.reserve_reply("to come", &request, at(0), at(5)).await?;
    }
    assert!(ann.hide(&Holding::File(file_id("a.txt")), at(6), at(9)).await?);
    // A reply that was under way may quote what was there when it began.
    ann.keep_reply("to come", &reply).await?;
    for key in ["given", "to come"] {
        let again = ann.reserve_reply(key, &request, at(0), at(7)).await?;
        assert_eq!(again, Reservation::Forgotten, "{key}");
    }
    let texts = "SELECT COUNT(*) FROM kept_replies WHERE body IS NOT NULL";
    assert_eq!(database.number(texts).await?, 1, "the other owner's");
    let kept = bob.reserve_reply("given", &request, at(0), at(7)).await?;
    assert_eq!(kept, Reservation::Kept(reply));
    assert!(bob.forget(&Holding::Project(project("p").id)).await?);
    assert_eq!(database.number(texts).await?, 0);
    Ok(())
}

stories![
    a_kept_reply_loses_its_text_when_something_is_forgotten,
    a_token_is_found_by_its_id_until_it_is_revoked,
    a_name_is_given_to_one_token_of_an_owner,
    a_request_is_granted_once_and_its_reply_kept,
];
