//! Turns and usage: each step once, and nothing of a reply that ended otherwise.

use crate::database::Database;
use crate::sample::{at, matching, message, message_chunk, project, thread};
use anyhow::Result;
use dossier_core::chat::Usage;
use dossier_core::chunk::Draft;
use dossier_core::fit::Fitting;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, OwnerId};
use dossier_core::item::Section;
use dossier_core::savings::Savings;
use dossier_core::turn::ReplyState;
use dossier_store::{
    ANSWER_CACHE, Assembly, AssemblySums, EndedReply, Holding, Learned, LookedUp, MessageRow,
    NewReply, NewTurn, OwnerStore, Project, Quantiles, ReceiptRow, Reply, StoreError, Thread, Turn,
    UsageBy, UsageFilter, UsageRow, UsageSum, Waits,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

stories! {
    a_turn_comes_with_its_thread_and_question_or_not_at_all,
    a_question_is_asked_again_only_where_the_thread_still_ends,
    a_reply_is_stored_once_and_only_while_it_is_open,
    what_nobody_works_on_is_found_when_its_lease_has_run_out,
    usage_is_added_up_and_counted_once,
    dossiers_are_counted_and_stay_so_when_they_are_gone,
    a_wait_lasts_from_the_dossier_to_the_reply,
    what_is_said_in_a_turn_is_found_once_it_is_learned,
    a_turn_is_over_when_all_that_was_replied_in_it_is_known,
    what_was_deleted_or_hidden_before_its_turn_was_learned_is_not_found,
}

pub fn row(thread: &Thread, position: i64, content: &str) -> MessageRow {
    let message = message(&thread.id, position, content);
    MessageRow { message, metadata: json!({}), deleted_at: None }
}

pub fn turn(thread: &Thread, question: &MessageRow) -> Turn {
    let reply = |model: &str| Reply {
        model: model.to_owned(),
        state: ReplyState::Prepared,
        receipt: None,
        message: None,
        error: None,
    };
    Turn {
        id: "trn_1".into(),
        project: thread.project.clone(),
        thread: thread.id.clone(),
        message: question.message.id.clone(),
        client_message_id: Some("c-1".to_owned()),
        request: json!({"profile": "lean"}),
        lease_until: at(100),
        created_at: at(5),
        learned_at: None,
        replies: vec![reply("a/b"), reply("c/d")],
    }
}

pub async fn begun(store: &OwnerStore) -> Result<(Project, Thread, Turn)> {
    let project = project("a");
    store.create_project(&project).await?;
    let thread = thread("t", &project);
    let question = row(&thread, 0, "where?");
    let turn = turn(&thread, &question);
    let chunks = [message_chunk(&question.message, "")];
    let messages = [question];
    let new = NewTurn {
        turn: &turn,
        thread: Some(&thread),
        messages: &messages,
        chunks: &chunks,
        end: None,
    };
    store.create_turn(new).await?;
    Ok((project, thread, turn))
}

/// A dossier that took so many microseconds.
pub fn assembly(took: u64) -> Assembly {
    Assembly {
        profile: "lean".to_owned(),
        took: Duration::from_micros(took),
        recalled: None,
        sections: BTreeMap::from([(Section::Header, 10), (Section::Question, 5)]),
        fitting: Fitting::Whole,
        looked_up: None,
        refs: Vec::new(),
    }
}

fn usage(id: &str, day: i64, cost: Option<i64>) -> UsageRow {
    UsageRow {
        id: id.into(),
        component: "turn".to_owned(),
        model: "a/b".to_owned(),
        project: None,
        thread: None,
        message: None,
        tokens: Usage { input: 10, output: 5, cached_input: 2, ..Usage::default() },
        cost,
        saved: Savings { gross: 7, net: -3 },
        created_at: at(day * 86_400_000),
    }
}

async fn a_turn_comes_with_its_thread_and_question_or_not_at_all(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (project, thread, turn) = begun(&store).await?;
    assert_eq!(store.turn(&turn.id).await?, Some(turn.clone()));
    assert_eq!(store.turn_named("c-1").await?, Some(turn.clone()));
    assert_eq!(store.turns(&thread.id).await?, std::slice::from_ref(&turn));
    assert_eq!(store.messages(&thread.id).await?.len(), 1);
    // The same name again, with a thread of its own.
    let other = Thread { id: "thr_other".into(), ..thread.clone() };
    let question = row(&other, 0, "where?");
    let again = Turn { id: "trn_2".into(), thread: other.id.clone(), ..turn };
    let new = NewTurn {
        turn: &again,
        thread: Some(&other),
        messages: &[question],
        chunks: &[],
        end: None,
    };
    assert!(matches!(store.create_turn(new).await, Err(StoreError::Conflict { .. })));
    assert_eq!(store.threads(&project.id).await?.len(), 1);
    Ok(())
}

async fn a_question_is_asked_again_only_where_the_thread_still_ends(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let (_, thread, turn) = begun(&store).await?;
    let error = json!({"code": "unavailable"});
    for ordinal in [0, 1] {
        let (turn, state) = (&turn.id, ReplyState::Failed);
        let ended = EndedReply { turn, ordinal, state, error: &error, usage: None, links: &[] };
        assert!(store.reply_ended(ended).await?);
    }
    let again = Turn { id: "trn_2".into(), client_message_id: None, ..turn.clone() };
    let new = NewTurn { turn: &again, thread: None, messages: &[], chunks: &[], end: Some(1) };
    // Somebody was answered meanwhile.
    let reply = row(&thread, 1, "here").message;
    store.append_messages(&thread.id, &[reply], &[]).await?;
    assert!(matches!(store.create_turn(new).await, Err(StoreError::Conflict { .. })));
    store.create_turn(NewTurn { end: Some(2), ..new }).await?;
    Ok(())
}

async fn a_reply_is_stored_once_and_only_while_it_is_open(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (_, thread, turn) = begun(&store).await?;
    let receipt = |id: &str| ReceiptRow {
        id: id.into(),
        thread: Some(thread.id.clone()),
        project: Some(thread.project.clone()),
        message: None,
        body: format!("{{\"items\":[{}]}}", vec!["\"the same\""; 100].join(",")),
        blocks: vec![ContentHash::of("block")],
        created_at: at(6),
    };
    let contents = [(ContentHash::of("block"), "block".to_owned())];
    assert!(store.reply_called(&turn.id, 0, &receipt("rcp_1"), &contents, &assembly(1)).await?);
    // Once more, with less before the question.
    assert!(store.reply_called(&turn.id, 0, &receipt("rcp_2"), &[], &assembly(1)).await?);
    let called = store.turn(&turn.id).await?.unwrap().replies.remove(0);
    assert_eq!((called.state, called.receipt), (ReplyState::Called, Some("rcp_2".into())));
    assert_eq!(store.receipt(&"rcp_1".into()).await?, Some(receipt("rcp_1")));
    let said = row(&thread, 1, "here");
    let spent = usage("use_1", 1, Some(75));
    let reply = NewReply {
        turn: &turn.id,
        ordinal: 0,
        // The second answer was worse.
        receipt: Some(&"rcp_1".into()),
        message: &said,
        usage: Some(&spent),
        links: &[],
    };
    assert!(store.reply_given(reply).await?);
    assert!(!store.reply_given(reply).await?);
    assert!(!store.reply_called(&turn.id, 0, &receipt("rcp_3"), &[], &assembly(1)).await?);
    assert_eq!(store.receipt(&"rcp_3".into()).await?, None);
    let error = json!({"code": "interrupted"});
    let ended = async |ordinal| {
        let state = ReplyState::Interrupted;
        let turn = &turn.id;
        let ended = EndedReply { turn, ordinal, state, error: &error, usage: None, links: &[] };
        store.reply_ended(ended).await
    };
    assert!(!ended(0).await?);
    assert!(ended(1).await?);
    let late = row(&thread, 2, "too late");
    assert!(!store.reply_given(NewReply { ordinal: 1, message: &late, ..reply }).await?);
    assert_eq!(store.messages(&thread.id).await?.len(), 2);
    let stored = store.turn(&turn.id).await?.unwrap();
    assert_eq!(stored.replies[0].message, Some(said.message.id.clone()));
    assert_eq!(stored.replies[1].error, Some(error.clone()));
    assert_eq!(stored.replies[0].receipt, Some("rcp_1".into()));
    for (id, message) in [("rcp_1", Some(said.message.id.clone())), ("rcp_2", None)] {
        assert_eq!(store.receipt(&id.into()).await?.unwrap().message, message, "{id}");
    }
    assert_eq!(store.retry_turn(&turn.id, &[0, 1], at(200)).await?, [1]);
    // Whoever comes at the same time finds it taken.
    assert_eq!(store.retry_turn(&turn.id, &[0, 1], at(900)).await?, [0_usize; 0]);
    assert_eq!(store.turn(&turn.id).await?.unwrap().lease_until, at(200));
    let states: Vec<ReplyState> =
        store.turn(&turn.id).await?.unwrap().replies.iter().map(|reply| reply.state).collect();
    assert_eq!(states, [ReplyState::Replied, ReplyState::Prepared]);
    Ok(())
}

async fn what_nobody_works_on_is_found_when_its_lease_has_run_out(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let (_, _, turn) = begun(&store).await?;
    let found = async |now| -> Result<usize> { Ok(store.abandoned_turns(at(now)).await?.len()) };
    assert_eq!((found(100).await?, found(101).await?), (0, 1));
    store.keep_turn(&turn.id, at(300)).await?;
    assert_eq!((found(101).await?, found(301).await?), (0, 1));
    // Nothing is over while a reply is open.
    store.turn_learned(&turn, Learned::default(), at(302)).await?;
    assert_eq!(found(400).await?, 1);
    let everybody = database.store().await?;
    let owners = async |now| everybody.owners_with_abandoned_turns(at(now)).await;
    assert_eq!((owners(300).await?, owners(301).await?), (vec![], vec![OwnerId::local()]));
    for ordinal in 0..turn.replies.len() {
        let (turn, state, error) = (&turn.id, ReplyState::Failed, &json!({}));
        store
            .reply_ended(EndedReply { turn, ordinal, state, error, usage: None, links: &[] })
            .await?;
    }
    store.turn_learned(&turn, Learned::default(), at(302)).await?;
    assert_eq!(found(400).await?, 0);
    Ok(())
}

async fn usage_is_added_up_and_counted_once(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for row in [usage("use_1", 1, Some(75)), usage("use_1", 1, Some(75)), usage("use_2", 2, None)] {
        store.put_usage(&row).await?;
    }
    let sum = |key: &str, calls: i64, cost: i64, unpriced: i64| UsageSum {
        key: key.to_owned(),
        calls,
        input: 10 * calls,
        output: 5 * calls,
        cached_input: 2 * calls,
        cost,
        unpriced,
        saved: 7 * calls,
        saved_net: -3 * calls,
        ..UsageSum::default()
    };
    let all = UsageFilter::default();
    assert_eq!(store.usage(UsageBy::Model, &all).await?, [sum("a/b", 2, 75, 1)]);
    let days = [sum("1970-01-02", 1, 75, 0), sum("1970-01-03", 1, 0, 1)];
    assert_eq!(store.usage(UsageBy::Day, &all).await?, days);
    let later = UsageFilter { from: Some("1970-01-03".to_owned()), ..all.clone() };
    assert_eq!(store.usage(UsageBy::Component, &later).await?, [sum("turn", 1, 0, 1)]);
    // A reply that no model was called for is none of the calls.
    let tokens = Default::default();
    let repeated = usage("use_3", 3, Some(0));
    let repeated = UsageRow { component: ANSWER_CACHE.to_owned(), tokens, ..repeated };
    store.put_usage(&repeated).await?;
    let hits = UsageSum {
        key: ANSWER_CACHE.to_owned(),
        saved: 7,
        saved_net: -3,
        cache_hits: 1,
        ..UsageSum::default()
    };
    assert_eq!(store.usage(UsageBy::Component, &later).await?, [hits, sum("turn", 1, 0, 1)]);
    let everybody = database.store().await?;
    everybody.owner(&"ann".into()).put_usage(&usage("use_1", 2, Some(9))).await?;
    assert_eq!(everybody.spent("1970-01-02").await?, 84);
    assert_eq!(everybody.spent("1970-01-03").await?, 9);
    let elsewhere = UsageFilter { project: Some("prj_other".into()), ..all };
    assert_eq!(store.usage(UsageBy::Day, &elsewhere).await?, []);
    Ok(())
}

async fn dossiers_are_counted_and_stay_so_when_they_are_gone(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (project, thread, _) = begun(&store).await?;
    let dossiers = [
        assembly(9_000),
        Assembly { fitting: Fitting::Minimal, ..assembly(1_000) },
        Assembly { looked_up: Some(LookedUp::Hit("exact")), ..assembly(2_000) },
        Assembly {
            recalled: Some(Duration::from_millis(4)),
            looked_up: Some(LookedUp::Miss("words")),
            ..assembly(70_000)
        },
    ];
    for (number, assembly) in dossiers.iter().enumerate() {
        let receipt = ReceiptRow {
            id: format!("rcp_{number}").into(),
            thread: Some(thread.id.clone()),
            project: Some(project.id.clone()),
            message: None,
            body: "{}".to_owned(),
            blocks: Vec::new(),
            created_at: at(if number == 0 { 0 } else { 86_400_000 }),
        };
        store.put_dossier(&receipt, &[], assembly).await?;
    }
    store.delete_project(&project.id).await?;
    let quantiles = |p50, p90| {
        let [p50, p90] = [p50, p90].map(Duration::from_millis);
        Some(Quantiles { p50, p90 })
    };
    let counts = |counts: &[(&str, u64)]| {
        counts.iter().map(|(key, count)| ((*key).to_owned(), *count)).collect()
    };
    let all = AssemblySums {
        count: 4,
        took: quantiles(2, 70),
        recalled: quantiles(4, 4),
        sections: [
            ("header", 40),
            ("history", 0),
            ("facts", 0),
            ("summaries", 0),
            ("question", 20),
        ]
        .into(),
        fittings: [("whole", 3), ("minimal", 1)].into(),
        hits: counts(&[("exact", 1)]),
        misses: counts(&[("words", 1)]),
    };
    assert_eq!(store.assemblies(&UsageFilter::default()).await?, all);
    let first = UsageFilter { to: Some("1970-01-01".to_owned()), ..UsageFilter::default() };
    let first = store.assemblies(&first).await?;
    assert_eq!((first.count, first.took), (1, quantiles(9, 9)));
    let elsewhere = UsageFilter { project: Some("prj_other".into()), ..UsageFilter::default() };
    assert_eq!(store.assemblies(&elsewhere).await?, AssemblySums::default());
    let stranger = database.store().await?.owner(&"stranger".into());
    assert_eq!(stranger.assemblies(&UsageFilter::default()).await?, AssemblySums::default());
    Ok(())
}

async fn a_wait_lasts_from_the_dossier_to_the_reply(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (_, thread, turn) = begun(&store).await?;
    for (ordinal, model, wait) in [(0, "a/b", 40), (1, "c/d", 7)] {
        let receipt = ReceiptRow {
            id: format!("rcp_{ordinal}").into(),
            thread: Some(thread.id.clone()),
            project: Some(thread.project.clone()),
            message: None,
            body: "{}".to_owned(),
            blocks: Vec::new(),
            created_at: at(6),
        };
        assert!(store.reply_called(&turn.id, ordinal, &receipt, &[], &assembly(1)).await?);
        let position = i64::try_from(ordinal)? + 1;
        let said = row(&thread, position, "here");
        let spent = UsageRow {
            model: model.to_owned(),
            message: Some(said.message.id.clone()),
            created_at: at(6 + wait),
            ..usage(&format!("use_{ordinal}"), 0, None)
        };
        let reply = NewReply {
            turn: &turn.id,
            ordinal,
            receipt: Some(&receipt.id),
            message: &said,
            usage: Some(&spent),
            links: &[],
        };
        assert!(store.reply_given(reply).await?);
    }
    // A call that belongs to no reply was waited for by nobody.
    store.put_usage(&usage("use_title", 0, None)).await?;
    let waits =
        |key: &str, replies, median, p95| Waits { key: key.to_owned(), replies, median, p95 };
    let all = UsageFilter::default();
    let by_model = [waits("a/b", 1, 40, 40), waits("c/d", 1, 7, 7)];
    assert_eq!(store.waits(UsageBy::Model, &all).await?, by_model);
    assert_eq!(store.waits(UsageBy::Day, &all).await?, [waits("1970-01-01", 2, 7, 40)]);
    let later = UsageFilter { from: Some("1970-01-02".to_owned()), ..all };
    assert_eq!(store.waits(UsageBy::Day, &later).await?, []);
    Ok(())
}

/// A turn whose question was answered, and the chunks of both, which are not found yet.
async fn answered(store: &OwnerStore) -> Result<(Turn, [MessageId; 2], [Draft; 2])> {
    let project = project("a");
    store.create_project(&project).await?;
    let thread = thread("t", &project);
    let question = row(&thread, 0, "where");
    let turn = turn(&thread, &question);
    let (messages, reply) = ([question], row(&thread, 1, "here"));
    let new =
        NewTurn { turn: &turn, thread: Some(&thread), messages: &messages, chunks: &[], end: None };
    store.create_turn(new).await?;
    let (ordinal, message) = (0, &reply);
    let links = &[];
    let reply = NewReply { turn: &turn.id, ordinal, receipt: None, message, usage: None, links };
    assert!(store.reply_given(reply).await?);
    let [question] = messages;
    let said = [question.message.id.clone(), message.message.id.clone()];
    let chunks = [message_chunk(&question.message, ""), message_chunk(&message.message, "")];
    Ok((turn, said, chunks))
}

async fn found(store: &OwnerStore, turn: &Turn) -> Result<usize> {
    let terms = ["where".to_owned(), "here".to_owned()];
    Ok(matching(store, &turn.project, &terms).await?.len())
}

async fn what_is_said_in_a_turn_is_found_once_it_is_learned(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (turn, said, chunks) = answered(&store).await?;
    assert_eq!(found(&store, &turn).await?, 0);
    let learned = Learned { chunks: &chunks, said: &said, ..Learned::default() };
    let stranger = database.store().await?.owner(&"stranger".into());
    stranger.turn_learned(&turn, learned, at(9)).await?;
    assert_eq!(found(&store, &turn).await?, 0);
    // Where it is learned again, as after a kill, nothing is found twice.
    for _ in 0..2 {
        store.turn_learned(&turn, learned, at(9)).await?;
        assert_eq!(found(&store, &turn).await?, 2);
    }
    Ok(())
}

async fn a_turn_is_over_when_all_that_was_replied_in_it_is_known(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (before_the_reply, ..) = answered(&store).await?;
    let (id, error) = (&before_the_reply.id, json!({}));
    let (state, error) = (ReplyState::Failed, &error);
    let other = EndedReply { turn: id, ordinal: 1, state, error, usage: None, links: &[] };
    assert!(store.reply_ended(other).await?);
    let abandoned = async || Ok::<usize, StoreError>(store.abandoned_turns(at(400)).await?.len());
    store.turn_learned(&before_the_reply, Learned::default(), at(9)).await?;
    assert_eq!(abandoned().await?, 1);
    let turn = store.turn(id).await?.unwrap();
    store.turn_learned(&turn, Learned::default(), at(9)).await?;
    assert_eq!(abandoned().await?, 0);
    Ok(())
}

async fn what_was_deleted_or_hidden_before_its_turn_was_learned_is_not_found(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let (turn, said, chunks) = answered(&store).await?;
    let learned = Learned { chunks: &chunks, said: &said, ..Learned::default() };
    let question = std::slice::from_ref(&turn.message);
    store.delete_messages(&turn.thread, question, &[], at(8)).await?;
    let refused = store.turn_learned(&turn, learned, at(9)).await;
    assert!(matches!(refused, Err(StoreError::Conflict { .. })));
    assert_eq!(found(&store, &turn).await?, 0);
    store.hide(&Holding::Thread(turn.thread.clone()), at(9), at(90)).await?;
    let learned = Learned { said: &said[1..], ..learned };
    store.turn_learned(&turn, learned, at(9)).await?;
    assert_eq!(found(&store, &turn).await?, 0);
    Ok(())
}
