//! The answer cache: the same question gets the same answer and no model is asked, unless anything
//! that the answer was made from, or would be made from now, is not as it was.

use crate::database::Database;
use crate::desk::{Desk, noon};
use crate::turn::calls;
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_core::chat::{Image, Message as Said, Options, ToolSpec};
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_core::sameness::{Cached, Likeness};
use dossier_engine::{
    Attachment, Embedder, Engine, Freshness, Holding, Models, Patience, ProjectChange, Provider,
    RelayRequest, Replied, Secret, Silent, Terms, TurnEvent, TurnRequest, TurnStream, UsageBy,
    UsageFilter, builtin_catalogue,
};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};
use std::time::Duration;

stories! {
    the_same_question_is_answered_once,
    the_same_question_in_other_words_is_answered_once,
    whoever_asks_the_same_meanwhile_waits_for_the_answer,
    without_vectors_other_words_are_another_question,
    what_lacked_its_vectors_is_news_when_it_is_found_by_them,
    another_question_is_asked_however_like_it_is,
    nothing_is_kept_unless_the_project_says_so,
    another_context_is_another_answer,
    what_changes_or_is_added_puts_an_answer_out_of_date,
    what_bears_on_nothing_leaves_an_answer_as_it_is,
    an_answer_does_not_outlive_its_time,
    an_answer_whose_time_is_over_stands_in_for_a_model_that_cannot_be_reached,
    nothing_stands_in_for_a_model_but_what_time_alone_speaks_against,
    an_answer_stands_in_for_a_while_only,
    whoever_wants_another_answer_gets_it,
    what_is_forgotten_is_given_to_nobody,
    another_owner_gets_no_answer,
    only_a_whole_answer_from_the_dossier_alone_is_kept,
    what_comes_beside_the_dossier_is_never_answered_from_the_cache,
    a_conversation_that_a_client_tells_is_answered_from_the_cache,
    a_repeated_turn_is_told_as_it_was,
    settings_that_nobody_could_follow_are_refused,
    an_answer_that_names_a_ref_stands_while_the_ref_is_fresh,
    a_kept_answer_costs_no_call_whatever_follows_from_it,
    a_spent_budget_refuses_a_model_and_gives_a_kept_answer,
    a_provider_that_has_moved_is_asked_anew,
}

const QUESTION: &str = "When does the ferry to Aran sail?";
const OTHER_WORDS: &str = "Could you please tell me when the ferry to Aran sails?";

/// A desk whose models are those of a script, with a project that keeps answers and a file.
async fn desk(database: &Database, script: &Script, embedder: Embedder) -> Result<Desk> {
    let desk = owned(database, script, embedder, &OwnerId::local()).await?;
    desk.write("ferry.md", "The ferry to Aran sails at nine from quay 7.\n");
    desk.index().await?;
    let mut desk = desk;
    set(&mut desk, json!({"enable_semantic_cache": true})).await?;
    Ok(desk)
}

async fn owned(
    database: &Database,
    script: &Script,
    embedder: Embedder,
    owner: &OwnerId,
) -> Result<Desk> {
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), Secret::new("k"))?;
    let patience =
        Patience { first: Duration::from_micros(1), longest: Duration::from_secs(1), attempts: 1 };
    let models = Models::new(builtin_catalogue().clone(), [provider])?.with_patience(patience);
    let engine = Engine::open(&database.url, embedder).await?.with_models(models);
    let workspace = engine.owner(owner);
    let project = workspace.project(Some("story"), noon()).await?;
    Ok(Desk { workspace, project, folder: tempfile::tempdir()? })
}

async fn set(desk: &mut Desk, settings: Value) -> Result<()> {
    let settings = settings.as_object().cloned();
    let change = ProjectChange { settings, ..ProjectChange::default() };
    desk.project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
    Ok(())
}

fn request(desk: &Desk, message: &str) -> TurnRequest {
    TurnRequest {
        project: desk.project.clone(),
        thread: None,
        message: message.to_owned(),
        models: vec!["openai/gpt-4o".to_owned()],
        attachments: Vec::new(),
        client_message_id: None,
        terms: Terms {
            profile: ProfileName::Lean,
            budget: None,
            options: Options::default(),
            brought: None,
            freshness: Freshness::Kept,
        },
        now: noon(),
    }
}

/// The reply of a turn, and why it came from no cache.
async fn heard(mut stream: TurnStream) -> (Option<Replied>, Option<&'static str>) {
    let (mut replied, mut reason) = (None, None);
    while let Some((_, event)) = stream.next().await {
        match &*event {
            TurnEvent::Dossier { cached, cache_miss, .. } => {
                assert!(cached.is_none() || cache_miss.is_none());
                // A second dossier means that the reply begins anew.
                reason = reason.or(*cache_miss);
            }
            TurnEvent::Reply(reply) => replied = Some(reply.clone()),
            TurnEvent::Error { message, .. } => panic!("{message}"),
            _ => {}
        }
    }
    (replied, reason)
}

async fn asked(desk: &Desk, request: &TurnRequest) -> Result<Replied> {
    let (replied, _) = heard(desk.workspace.turn(request).await?).await;
    desk.workspace.turns_idle().await;
    Ok(replied.unwrap())
}

/// What becomes of a question: the text, with how it was the same or why it was not.
async fn told(desk: &Desk, request: &TurnRequest) -> Result<String> {
    let (replied, reason) = heard(desk.workspace.turn(request).await?).await;
    desk.workspace.turns_idle().await;
    let replied = replied.unwrap();
    let how = match (&replied.cached, reason) {
        (Some(cached), None) => cached.how.as_str(),
        (None, Some(reason)) => reason,
        (None, None) => "off",
        (Some(_), Some(_)) => panic!("both"),
    };
    Ok(format!("{} ({how})", replied.text))
}

async fn say(desk: &Desk, message: &str) -> Result<String> {
    told(desk, &request(desk, message)).await
}

/// What calls of a component saved, net.
async fn net(desk: &Desk, component: &str) -> Result<i64> {
    let sums = desk.workspace.usage(UsageBy::Component, &UsageFilter::default()).await?;
    Ok(sums.iter().filter(|sum| sum.key == component).map(|sum| sum.saved_net).sum())
}

/// So many answers, each with its number.
fn script(answers: usize) -> Result<Script> {
    Ok(Script::start((1..=answers).map(|number| Reply::chat(&format!("At nine ({number})."))))?)
}

async fn the_same_question_is_answered_once(database: Database) -> Result<()> {
    let script = script(1)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    let first = asked(&desk, &request(&desk, QUESTION)).await?;
    assert_eq!(first.cached, None);
    let second = asked(&desk, &request(&desk, &format!("  {QUESTION}\n"))).await?;
    let cached = second.cached.clone().unwrap();
    let expected = Cached {
        from_message: first.message_id.clone(),
        kept_at: cached.kept_at,
        how: Likeness::Exact,
        similarity: None,
        stale: false,
    };
    assert_eq!(cached, expected);
    assert_eq!((second.text.as_str(), second.finish.as_str()), ("At nine (1).", "stop"));
    assert_eq!((second.usage, second.cost), (Some(Default::default()), Some(0.0)));
    assert_eq!(script.requests().len(), 1);
    // It is a reply like any other, and its receipt says where it comes from.
    let receipt = desk.workspace.receipt_of(&second.message_id).await?;
    assert_eq!(receipt.cached, Some(cached));
    let sums = desk.workspace.usage(UsageBy::Component, &UsageFilter::default()).await?;
    let sums: Vec<_> = sums
        .iter()
        .map(|sum| (sum.key.as_str(), sum.calls, sum.cache_hits, sum.input, sum.saved))
        .collect();
    assert_eq!(sums, [("answer_cache", 0, 1, 0, 15), ("turn", 1, 0, 10, 0)]);
    // Asked again, the vendor's cache would have had all ten of the input, at half the price.
    assert_eq!(net(&desk, "answer_cache").await?, 10);
    // A third asking finds two earlier ones and what was said to them, and is no news either.
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (exact)");
    Ok(())
}

async fn whoever_asks_the_same_meanwhile_waits_for_the_answer(database: Database) -> Result<()> {
    let script = script(1)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    let request = request(&desk, QUESTION);
    let ask = async || Ok::<_, anyhow::Error>(heard(desk.workspace.turn(&request).await?).await);
    let (one, two, three, four) = tokio::try_join!(ask(), ask(), ask(), ask())?;
    let replies = [one, two, three, four].map(|(replied, _)| replied.unwrap());
    assert!(replies.iter().all(|reply| reply.text == "At nine (1)."), "{replies:?}");
    assert_eq!(replies.iter().filter(|reply| reply.cached.is_none()).count(), 1);
    assert_eq!(script.requests().len(), 1);
    Ok(())
}

async fn the_same_question_in_other_words_is_answered_once(database: Database) -> Result<()> {
    let script = script(2)?;
    let mut desk = desk(&database, &script, Embedder::local()).await?;
    desk.write("other.md", "Tickets for the ferry are sold on the ship. Please tell the crew.\n");
    desk.index().await?;
    desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    let other = asked(&desk, &request(&desk, OTHER_WORDS)).await?;
    let cached = other.cached.unwrap();
    assert_eq!((cached.how, other.text.as_str()), (Likeness::Paraphrase, "At nine (1)."));
    assert!((0.8..=1.0).contains(&cached.similarity.unwrap()), "{cached:?}");
    // The bound is the project's.
    set(&mut desk, json!({"enable_semantic_cache": true, "semantic_cache_similarity": 1.0}))
        .await?;
    assert_eq!(say(&desk, OTHER_WORDS).await?, "At nine (2). (unlike)");
    Ok(())
}

async fn without_vectors_other_words_are_another_question(database: Database) -> Result<()> {
    let script = script(2)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    assert_eq!(say(&desk, OTHER_WORDS).await?, "At nine (2). (unlike)");
    Ok(())
}

async fn what_lacked_its_vectors_is_news_when_it_is_found_by_them(
    database: Database,
) -> Result<()> {
    let script = script(2)?;
    let desk = desk(&database, &script, Embedder::local()).await?;
    desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    desk.write("ships.md", "Boats for those islands depart early in the morning.\n");
    desk.index().await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (exact)");
    desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (news)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (exact)");
    Ok(())
}

async fn another_question_is_asked_however_like_it_is(database: Database) -> Result<()> {
    let script = script(7)?;
    let desk = desk(&database, &script, Embedder::local()).await?;
    assert_eq!(say(&desk, "What is at quay 7 in Aran?").await?, "At nine (1). (none)");
    for (number, question) in [
        (2, "What is at quay 8 in Aran?"),
        (3, "What is not at quay 7 in Aran?"),
        (4, "What was at quay 7 in Aran?"),
    ] {
        assert_eq!(say(&desk, question).await?, format!("At nine ({number}). (none)"));
    }
    // Whose meaning lies outside of it, and what wants something done, is never compared.
    for (number, question) in
        [(5, "What is at it today?"), (6, "What is at it today?"), (7, "Write a poem about Aran")]
    {
        assert_eq!(say(&desk, question).await?, format!("At nine ({number}). (unfit)"));
    }
    Ok(())
}

async fn nothing_is_kept_unless_the_project_says_so(database: Database) -> Result<()> {
    let script = script(4)?;
    let mut desk = desk(&database, &script, Embedder::none()).await?;
    set(&mut desk, json!({})).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (off)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (off)");
    assert_eq!(database.row_counts().await?["semantic_cache"], 0);
    set(&mut desk, json!({"enable_semantic_cache": true})).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (3). (none)");
    set(&mut desk, json!({"enable_semantic_cache": false})).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (4). (off)");
    Ok(())
}

async fn another_context_is_another_answer(database: Database) -> Result<()> {
    let script = script(8)?;
    let mut desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    type Change = fn(&mut TurnRequest);
    let changes: [Change; 4] = [
        |request| request.models = vec!["openai/gpt-4o-mini".to_owned()],
        |request| request.terms.options.temperature = Some(0.3),
        |request| request.terms.profile = ProfileName::Project,
        |request| request.terms.budget = Some(2_000),
    ];
    for (number, change) in (2..).zip(changes) {
        let mut request = request(&desk, QUESTION);
        change(&mut request);
        assert_eq!(told(&desk, &request).await?, format!("At nine ({number}). (none)"));
    }
    let prompt = json!({"enable_semantic_cache": true, "system_prompt": "Rhyme."});
    set(&mut desk, prompt).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (6). (none)");
    // A conversation that went before is context as well.
    let other = request(&desk, "Who owns the harbour of Aran?");
    let stream = desk.workspace.turn(&other).await?;
    let thread = stream.turn.thread.clone();
    assert_eq!(heard(stream).await.0.unwrap().text, "At nine (7).");
    let within = TurnRequest { thread: Some(thread), ..request(&desk, QUESTION) };
    let (_, reason) = heard(desk.workspace.turn(&within).await.unwrap()).await;
    assert_eq!(reason, Some("none"));
    Ok(())
}

async fn what_changes_or_is_added_puts_an_answer_out_of_date(database: Database) -> Result<()> {
    let script = script(6)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    desk.write("ferry.md", "The ferry to Aran sails at ten from quay 7.\n");
    desk.index().await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (stale)");
    desk.write("news.md", "From Monday on the ferry to Aran does not sail.\n");
    desk.index().await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (3). (news)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (3). (exact)");
    // What was said elsewhere is news as a file is.
    let other = request(&desk, "I heard that the ferry to Aran sails at noon from now on.");
    assert_eq!(told(&desk, &other).await?, "At nine (4). (unfit)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (5). (news)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (5). (exact)");
    // A file that is gone takes every answer with it.
    std::fs::remove_file(desk.folder.path().join("news.md"))?;
    desk.index().await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (6). (none)");
    Ok(())
}

async fn what_bears_on_nothing_leaves_an_answer_as_it_is(database: Database) -> Result<()> {
    let script = script(2)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    desk.write("cooking.md", "Onions, butter, and much patience.\n");
    desk.index().await?;
    assert_eq!(say(&desk, "How long do onions take?").await?, "At nine (2). (none)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (exact)");
    Ok(())
}

async fn an_answer_does_not_outlive_its_time(database: Database) -> Result<()> {
    let script = script(3)?;
    let mut desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    database.execute("UPDATE semantic_cache SET ttl_expires_at = created_at").await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (expired)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (exact)");
    // Whoever shortens the time shortens it for what is kept.
    database.execute("UPDATE semantic_cache SET created_at = created_at - 20000").await?;
    let settings = json!({"enable_semantic_cache": true, "semantic_cache_seconds": 10});
    set(&mut desk, settings).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (3). (expired)");
    Ok(())
}

/// Ends the time of all kept answers now; they were kept for an hour.
const OVER: &str = "UPDATE semantic_cache SET created_at = created_at - 3600000,
    ttl_expires_at = ttl_expires_at - 3600000";

fn error(status: u16) -> Reply {
    Reply::json(status, &json!({"error": {"message": "not now"}}))
}

/// Why there was no reply, in one word.
async fn failed(desk: &Desk, request: &TurnRequest) -> Result<String> {
    let mut stream = desk.workspace.turn(request).await?;
    let mut failed = None;
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Error { code, .. } = &*event {
            failed = Some(code.clone());
        }
    }
    desk.workspace.turns_idle().await;
    failed.ok_or_else(|| anyhow::anyhow!("there was a reply"))
}

async fn an_answer_whose_time_is_over_stands_in_for_a_model_that_cannot_be_reached(
    database: Database,
) -> Result<()> {
    let script = Script::start([
        Reply::chat("At nine (1)."),
        error(503),
        error(429),
        Reply::silence().cut_off(),
        Reply::chat("At nine (2)."),
    ])?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    let first = asked(&desk, &request(&desk, QUESTION)).await?;
    database.execute(OVER).await?;
    for _ in 0..3 {
        let stale = asked(&desk, &request(&desk, QUESTION)).await?;
        let cached = stale.cached.clone().unwrap();
        assert_eq!((&cached.from_message, cached.stale), (&first.message_id, true));
        assert_eq!((stale.text.as_str(), stale.cost), ("At nine (1).", Some(0.0)));
        assert_eq!(desk.workspace.receipt_of(&stale.message_id).await?.cached, Some(cached));
    }
    // None of them counts as a hit.
    let counted = "SELECT CAST(COUNT(cache_hit) AS BIGINT) FROM assemblies";
    assert_eq!(database.number(counted).await?, 0);
    // It is asked for each time, and the next answer is fresh.
    let fresh = asked(&desk, &request(&desk, QUESTION)).await?;
    assert_eq!((fresh.text.as_str(), fresh.cached), ("At nine (2).", None));
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (exact)");
    assert_eq!(script.requests().len(), 5);
    Ok(())
}

async fn nothing_stands_in_for_a_model_but_what_time_alone_speaks_against(
    database: Database,
) -> Result<()> {
    let begun = json!({"choices": [{"index": 0, "delta": {"content": "At"}}]});
    let script = Script::start([
        Reply::chat("At nine (1)."),
        Reply::json(400, &json!({"error": {"message": "no such thing"}})),
        Reply::json(401, &json!({"error": {"code": "invalid_api_key", "message": "no"}})),
        Reply::events(&format!("data: {begun}\n\n")).cut_off(),
    ])?;
    let mut desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    database.execute(OVER).await?;
    let plain = request(&desk, QUESTION);
    // The model is there and refuses, or has said something already.
    for code in ["invalid", "key_refused", "broken"] {
        assert_eq!(failed(&desk, &plain).await?, code);
    }
    // From here on the provider is down.
    let mut other = plain.clone();
    other.terms.freshness = Freshness::Anew;
    assert_eq!(failed(&desk, &other).await?, "unavailable");
    let mut other = plain.clone();
    other.terms.options.temperature = Some(0.3);
    assert_eq!(failed(&desk, &other).await?, "unavailable");
    assert!(asked(&desk, &plain).await?.cached.unwrap().stale);
    let mut settings = json!({"enable_semantic_cache": true, "semantic_cache_seconds": 10});
    set(&mut desk, settings.clone()).await?;
    assert_eq!(failed(&desk, &request(&desk, QUESTION)).await?, "unavailable");
    settings["semantic_cache_seconds"] = json!(3_600);
    set(&mut desk, settings).await?;
    assert!(asked(&desk, &request(&desk, QUESTION)).await?.cached.unwrap().stale);
    desk.write("ferry.md", "The ferry to Aran sails at ten from quay 7.\n");
    desk.index().await?;
    assert_eq!(failed(&desk, &request(&desk, QUESTION)).await?, "unavailable");
    Ok(())
}

async fn an_answer_stands_in_for_a_while_only(database: Database) -> Result<()> {
    let script = script(1)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    let plain = request(&desk, QUESTION);
    database.execute(OVER).await?;
    assert!(asked(&desk, &plain).await?.cached.unwrap().stale);
    database.execute(OVER).await?;
    assert_eq!(failed(&desk, &plain).await?, "unavailable");
    Ok(())
}

async fn whoever_wants_another_answer_gets_it(database: Database) -> Result<()> {
    let refused = json!({"error": {"message": "no such key", "code": "invalid_api_key"}});
    let script = Script::start([
        Reply::chat("At nine (1)."),
        Reply::chat("At nine (2)."),
        Reply::json(401, &refused),
        Reply::chat("At nine (3)."),
    ])?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    let mut anew = request(&desk, QUESTION);
    anew.terms.freshness = Freshness::Anew;
    assert_eq!(told(&desk, &anew).await?, "At nine (2). (refreshed)");
    // The newer one has taken its place.
    assert_eq!(say(&desk, QUESTION).await?, "At nine (2). (exact)");
    // A turn that failed and is asked again is asked, whatever is kept.
    let mut stream = desk.workspace.turn(&anew).await?;
    let turn = stream.turn.id.clone();
    while stream.next().await.is_some() {}
    let (replied, reason) = heard(desk.workspace.retry_turn(&turn, &[], noon()).await?).await;
    assert_eq!((replied.unwrap().text.as_str(), reason), ("At nine (3).", Some("refreshed")));
    assert_eq!(script.requests().len(), 4);
    Ok(())
}

async fn what_is_forgotten_is_given_to_nobody(database: Database) -> Result<()> {
    let script = script(3)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    assert_eq!(database.row_counts().await?["semantic_cache"], 1);
    let file = desk.workspace.files(&desk.project.id).await?.remove(0);
    desk.workspace.forget(&Holding::File(file.id)).await?;
    assert_eq!(database.row_counts().await?["semantic_cache"], 0);
    let first = desk.workspace.turn(&request(&desk, QUESTION)).await?;
    let thread = first.turn.thread.clone();
    assert_eq!(heard(first).await.1, Some("none"));
    assert_eq!(database.row_counts().await?["semantic_cache"], 1);
    desk.workspace.forget(&Holding::Thread(thread)).await?;
    assert_eq!(database.row_counts().await?["semantic_cache"], 0);
    assert_eq!(say(&desk, QUESTION).await?, "At nine (3). (none)");
    Ok(())
}

async fn another_owner_gets_no_answer(database: Database) -> Result<()> {
    let script = script(2)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    let mut other = owned(&database, &script, Embedder::none(), &"ben".into()).await?;
    other.write("ferry.md", "The ferry to Aran sails at nine from quay 7.\n");
    other.index().await?;
    set(&mut other, json!({"enable_semantic_cache": true})).await?;
    assert_eq!(say(&other, QUESTION).await?, "At nine (2). (none)");
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (exact)");
    Ok(())
}

async fn only_a_whole_answer_from_the_dossier_alone_is_kept(database: Database) -> Result<()> {
    let script = Script::start([
        Reply::chat_cut("At ni"),
        Reply::chat_cut("At nin"),
        calls(&[("read_project_file", json!({"path": "ferry.md"}))]),
        Reply::chat("At nine (2)."),
        Reply::chat("At nine (3)."),
    ])?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nin (none)");
    assert_eq!(database.row_counts().await?["semantic_cache"], 0);
    // What a tool has read may have changed by now.
    let mut smart = request(&desk, QUESTION);
    smart.models = vec!["openai/gpt-5".to_owned()];
    smart.terms.profile = ProfileName::Project;
    assert_eq!(told(&desk, &smart).await?, "At nine (2). (none)");
    assert_eq!(database.row_counts().await?["semantic_cache"], 0);
    assert_eq!(told(&desk, &smart).await?, "At nine (3). (none)");
    assert_eq!(told(&desk, &smart).await?, "At nine (3). (exact)");
    Ok(())
}

async fn what_comes_beside_the_dossier_is_never_answered_from_the_cache(
    database: Database,
) -> Result<()> {
    let script = script(4)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (none)");
    let mut seen = request(&desk, QUESTION);
    let image = Image { mime: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() };
    seen.attachments = vec![Attachment::Image(image)];
    assert_eq!(told(&desk, &seen).await?, "At nine (2). (off)");
    let mut tools = relay(&desk, &[QUESTION]);
    tools.tools = vec![ToolSpec {
        name: "clock".to_owned(),
        description: "Tells the time.".to_owned(),
        schema: json!({"type": "object"}),
        strict: None,
    }];
    let (replied, reason) = heard(desk.workspace.relay(tools).await?).await;
    assert_eq!((replied.unwrap().text.as_str(), reason), ("At nine (3).", None));
    assert_eq!(database.row_counts().await?["semantic_cache"], 1);
    Ok(())
}

/// What a client tells in turns, the first word being its user's.
pub fn relay(desk: &Desk, said: &[&str]) -> RelayRequest {
    let message = |(place, text): (usize, &&str)| match place % 2 {
        0 => Said::user(*text),
        _ => Said::assistant(*text),
    };
    RelayRequest {
        project: desk.project.clone(),
        thread: None,
        messages: said.iter().enumerate().map(message).collect(),
        after: None,
        tools: Vec::new(),
        model: "openai/gpt-4o".to_owned(),
        profile: ProfileName::Lean,
        options: Options::default(),
        freshness: Freshness::Kept,
        now: noon(),
    }
}

async fn a_conversation_that_a_client_tells_is_answered_from_the_cache(
    database: Database,
) -> Result<()> {
    let script = script(4)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    let ask = async |request: RelayRequest| -> Result<String> {
        let (replied, reason) = heard(desk.workspace.relay(request).await?).await;
        desk.workspace.turns_idle().await;
        let replied = replied.unwrap();
        let how = replied.cached.map(|cached| cached.how.as_str());
        Ok(format!("{} ({})", replied.text, how.or(reason).unwrap_or("off")))
    };
    assert_eq!(ask(relay(&desk, &[QUESTION])).await?, "At nine (1). (none)");
    assert_eq!(ask(relay(&desk, &[QUESTION])).await?, "At nine (1). (exact)");
    let mut instructed = relay(&desk, &[QUESTION]);
    instructed.messages.insert(0, Said::system("Rhyme."));
    assert_eq!(ask(instructed.clone()).await?, "At nine (2). (none)");
    assert_eq!(ask(instructed).await?, "At nine (2). (exact)");
    let later = ["Who owns the harbour?", "Nobody.", QUESTION];
    assert_eq!(ask(relay(&desk, &later)).await?, "At nine (3). (none)");
    let anew = RelayRequest { freshness: Freshness::Anew, ..relay(&desk, &[QUESTION]) };
    assert_eq!(ask(anew).await?, "At nine (4). (refreshed)");
    assert_eq!(script.requests().len(), 4);
    Ok(())
}

async fn a_repeated_turn_is_told_as_it_was(database: Database) -> Result<()> {
    let script = script(1)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    let named = |name: &str| TurnRequest {
        client_message_id: Some(name.to_owned()),
        ..request(&desk, QUESTION)
    };
    let first = asked(&desk, &named("a")).await?;
    let second = asked(&desk, &named("b")).await?;
    assert!(first.cached.is_none() && second.cached.is_some());
    // Another process has nothing but the store.
    let elsewhere = Engine::open(&database.url, Embedder::none()).await?;
    let elsewhere = elsewhere.owner(&OwnerId::local());
    for (name, expected) in [("a", first), ("b", second)] {
        assert_eq!(asked(&desk, &named(name)).await?, expected);
        assert_eq!(heard(elsewhere.turn(&named(name)).await?).await.0, Some(expected));
    }
    assert_eq!(script.requests().len(), 1);
    Ok(())
}

async fn settings_that_nobody_could_follow_are_refused(database: Database) -> Result<()> {
    let script = script(0)?;
    let mut desk = desk(&database, &script, Embedder::none()).await?;
    for settings in [
        json!({"enable_semantic_cache": "yes"}),
        json!({"semantic_cache_seconds": 0}),
        json!({"semantic_cache_similarity": 2}),
    ] {
        let error = set(&mut desk, settings.clone()).await.unwrap_err().to_string();
        assert!(error.contains("semantic_cache"), "{settings}: {error}");
    }
    let project = desk.workspace.project_by_id(&desk.project.id).await?;
    assert_eq!(project.settings, json!({"enable_semantic_cache": true}));
    Ok(())
}

async fn an_answer_that_names_a_ref_stands_while_the_ref_is_fresh(
    database: Database,
) -> Result<()> {
    let script = script(0)?;
    let plain = desk(&database, &script, Embedder::none()).await?;
    let new = dossier_engine::NewRef {
        text: "sails at nine".repeat(9),
        source: json!({}),
        ..Default::default()
    };
    let now = dossier_engine::now();
    let name = plain.workspace.put_ref(new, now).await?.0.name.to_string();
    let said = format!("See {name}.");
    let script = Script::start([&said, &said, &said].map(|said| Reply::chat(said)))?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    assert_eq!(say(&desk, QUESTION).await?, format!("{said} (none)"));
    assert_eq!(say(&desk, QUESTION).await?, format!("{said} (exact)"));
    desk.workspace.mark_ref_stale(&name, now).await?;
    assert_eq!(say(&desk, QUESTION).await?, format!("{said} (stale)"));
    assert_eq!(say(&desk, QUESTION).await?, format!("{said} (stale)"));
    Ok(())
}

async fn a_kept_answer_costs_no_call_whatever_follows_from_it(database: Database) -> Result<()> {
    // The second answer is the title of the first thread.
    let script = script(2)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    say(&desk, QUESTION).await?;
    desk.workspace.work_off().await?;
    assert_eq!(script.requests().len(), 2);
    let stream = desk.workspace.turn(&request(&desk, QUESTION)).await?;
    let thread = stream.turn.thread.clone();
    let (replied, _) = heard(stream).await;
    desk.workspace.turns_idle().await;
    desk.workspace.work_off().await?;
    assert_eq!(script.requests().len(), 2);
    let titled = desk.workspace.thread_by_id(&thread).await?;
    assert_eq!(titled.title.as_deref(), Some(QUESTION));
    // Whoever looks later is told that it was kept, and since when.
    let asked = desk.workspace.asked(&thread).await?;
    let cached: Vec<_> = asked.into_iter().map(|asked| asked.cached).collect();
    assert_eq!(cached, [replied.unwrap().cached]);
    Ok(())
}

async fn a_spent_budget_refuses_a_model_and_gives_a_kept_answer(database: Database) -> Result<()> {
    let script = script(1)?;
    let desk = desk(&database, &script, Embedder::none()).await?;
    say(&desk, QUESTION).await?;
    desk.workspace.set_config("budget.usd_per_day", &json!(0.0), noon()).await?;
    assert_eq!(say(&desk, QUESTION).await?, "At nine (1). (exact)");
    let mut stream = desk.workspace.turn(&request(&desk, "Who owns the ferry?")).await?;
    let mut refused = Vec::new();
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Error { code, message, .. } = &*event {
            refused.push((code.clone(), message.clone()));
        }
    }
    let said = "the day's budget of $0.00 is spent ($0.00); raise it, or wait for the next";
    assert_eq!(refused, [("over_budget".to_owned(), said.to_owned())]);
    // Whoever wants a model and nothing else is refused before anything is stored.
    let anew = TurnRequest {
        terms: Terms { freshness: Freshness::Anew, ..request(&desk, QUESTION).terms },
        ..request(&desk, QUESTION)
    };
    let refused = desk.workspace.turn(&anew).await.err().unwrap();
    assert_eq!(refused.to_string(), said);
    assert_eq!(script.requests().len(), 1);
    Ok(())
}

async fn a_provider_that_has_moved_is_asked_anew(database: Database) -> Result<()> {
    let (here, there) = (script(1)?, script(1)?);
    let first = desk(&database, &here, Embedder::none()).await?;
    assert_eq!(say(&first, QUESTION).await?, "At nine (1). (none)");
    let moved = owned(&database, &there, Embedder::none(), &OwnerId::local()).await?;
    assert_eq!(say(&moved, QUESTION).await?, "At nine (1). (none)");
    assert_eq!(there.requests().len(), 1);
    Ok(())
}
