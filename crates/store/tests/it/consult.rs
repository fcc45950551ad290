//! Sessions in which an assistant is consulted: begun once, remembered with the reply, reset, and
//! gone with their thread.

use crate::database::Database;
use crate::isolation::{consult, fill};
use crate::sample::{at, message, project, thread};
use anyhow::Result;
use dossier_core::fileset::{FileState, Sent};
use dossier_core::message::Message;
use dossier_core::turn::ReplyState;
use dossier_store::{
    ConsultKey, ConsultRecord, ConsultSession, EndedReply, Holding, MessageRow, NewConsult,
    NewReply, NewTurn, OwnerStore, Reply, StoreError, Thread, Turn,
};
use serde_json::json;
use std::slice;

fn state(paths: &[&str], round: i64) -> FileState {
    let sent = Sent { size: 9, modified_ns: -1, tokens: 3, round };
    FileState {
        inline: paths.iter().map(|path| (*path).to_owned()).collect(),
        frozen: false,
        sent: paths.iter().map(|path| ((*path).to_owned(), sent)).collect(),
    }
}

/// Asks in a thread at this position.
async fn ask(store: &OwnerStore, thread: &Thread, position: i64, opens: bool) -> Result<Turn> {
    let question = row(message(&thread.id, position, "why"));
    let reply = Reply {
        model: "openai/o3".to_owned(),
        state: ReplyState::Prepared,
        receipt: None,
        message: None,
        error: None,
    };
    let turn = Turn {
        id: format!("trn_{}_{position}", thread.id).into(),
        project: thread.project.clone(),
        thread: thread.id.clone(),
        message: question.message.id.clone(),
        client_message_id: None,
        request: json!({}),
        lease_until: at(9),
        created_at: at(position),
        learned_at: None,
        replies: vec![reply],
    };
    let new = NewTurn {
        turn: &turn,
        thread: opens.then_some(thread),
        messages: slice::from_ref(&question),
        chunks: &[],
        end: None,
    };
    let session = NewConsult { key: &consult(), thread: &thread.id, now: at(position) };
    store.create_consult_turn(new, opens.then_some(session)).await?;
    Ok(turn)
}

fn row(message: Message) -> MessageRow {
    MessageRow { message, metadata: json!({}), deleted_at: None }
}

async fn answer(
    store: &OwnerStore,
    turn: &Turn,
    position: i64,
    record: &ConsultRecord,
) -> Result<bool> {
    let said = row(message(&turn.thread, position, "because"));
    let reply = NewReply {
        turn: &turn.id,
        ordinal: 0,
        receipt: None,
        message: &said,
        usage: None,
        links: &[],
    };
    Ok(store.consult_answered(reply, record).await?)
}

fn record(session: &ConsultSession, before: FileState, after: FileState) -> ConsultRecord {
    ConsultRecord {
        session: session.number,
        revision: session.revision,
        base: Some("/work".to_owned()),
        context: vec!["src".to_owned()],
        before,
        after,
        now: at(50),
    }
}

async fn known(store: &OwnerStore) -> Result<ConsultSession> {
    Ok(store.consult_session(&consult()).await?.unwrap())
}

async fn what_is_remembered_comes_with_the_reply_and_goes_with_a_reset(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("p")).await?;
    let thread = thread("c", &project("p"));
    let turn = ask(&store, &thread, 0, true).await?;
    let session = known(&store).await?;
    assert_eq!((session.number, &session.thread, &session.base), (1, &thread.id, &None));
    assert!(store.is_busy(&thread.id).await?);
    assert_eq!(store.consult_files(1).await?, FileState::default());

    let first = state(&["a", "src/b", "/elsewhere/c"], 1);
    let remembered = record(&session, FileState::default(), first.clone());
    assert!(answer(&store, &turn, 1, &remembered).await?);
    assert!(!answer(&store, &turn, 1, &remembered).await?);
    assert!(!store.is_busy(&thread.id).await?);
    assert_eq!(store.consult_files(1).await?, first);
    let session = known(&store).await?;
    let expected = ConsultSession {
        number: 1,
        key: consult(),
        thread: thread.id.clone(),
        revision: 1,
        base: Some("/work".to_owned()),
        context: vec!["src".to_owned()],
        created_at: at(0),
        used_at: at(50),
    };
    assert_eq!(session, expected);
    // Another process sees the same.
    assert_eq!(known(&database.owner().await?).await?, expected);

    // A reset in the middle of a call is not undone by the reply.
    let turn = ask(&store, &thread, 2, false).await?;
    let late = record(&session, first.clone(), state(&["a", "d"], 2));
    assert!(store.reset_consult(1).await?);
    assert!(answer(&store, &turn, 3, &late).await?);
    assert_eq!(store.consult_files(1).await?, FileState::default());
    let session = known(&store).await?;
    // What it was given is found again where it was.
    let context = ["src", "/elsewhere/c", "a"].map(str::to_owned).to_vec();
    let base = Some("/work".to_owned());
    assert_eq!((session.revision, session.base, session.context), (2, base, context));
    assert_eq!(store.messages(&thread.id).await?.len(), 4);
    assert!(!store.reset_consult(7).await?);
    Ok(())
}

async fn a_call_that_fails_is_not_remembered(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("p")).await?;
    let thread = thread("c", &project("p"));
    let turn = ask(&store, &thread, 0, true).await?;
    let error = json!({});
    let ended = EndedReply {
        turn: &turn.id,
        ordinal: 0,
        state: ReplyState::Failed,
        error: &error,
        usage: None,
        links: &[],
    };
    assert!(store.reply_ended(ended).await?);
    let session = known(&store).await?;
    let late = record(&session, FileState::default(), state(&["a"], 1));
    assert!(!answer(&store, &turn, 1, &late).await?);
    assert_eq!(store.consult_files(1).await?, FileState::default());
    Ok(())
}

async fn a_session_is_begun_once_and_its_name_is_free_when_its_thread_is_hidden(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let other = thread("other", &project("p"));
    let refused = ask(&store, &other, 0, true).await.unwrap_err();
    let refused = refused.downcast_ref::<StoreError>().unwrap();
    assert!(matches!(refused, StoreError::Conflict { .. }), "{refused}");
    assert_eq!(store.thread(&other.id).await?, None);
    store.hide(&Holding::Thread(thread("t", &project("p")).id), at(20), at(30)).await?;
    ask(&store, &other, 0, true).await?;
    assert_eq!(known(&store).await?.thread, other.id);
    assert!(store.delete_thread(&other.id).await?);
    assert_eq!(store.consult_sessions().await?, []);
    Ok(())
}

async fn a_session_that_nobody_uses_ends(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    assert_eq!(store.expire_consults(at(1)).await?, 0);
    assert_eq!(store.expire_consults(at(2)).await?, 1);
    assert_eq!(store.consult_session(&consult()).await?, None);
    assert_eq!(store.consult_files(1).await?, FileState::default());
    assert!(store.thread(&thread("t", &project("p")).id).await?.is_some());
    Ok(())
}

async fn the_state_of_a_thousand_files_takes_less_than_a_hundred_kilobytes(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("p")).await?;
    let thread = thread("c", &project("p"));
    let turn = ask(&store, &thread, 0, true).await?;
    let paths: Vec<String> =
        (0..1000).map(|n| format!("crates/engine/src/module_{}/part_{n}.rs", n % 30)).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let session = known(&store).await?;
    let remembered = record(&session, FileState::default(), state(&paths, 1));
    assert!(answer(&store, &turn, 1, &remembered).await?);
    assert_eq!(store.consult_files(1).await?.inline.len(), 1000);
    let bytes = database
        .number(
            "SELECT CAST((SELECT SUM(LENGTH(inline_paths)) FROM stable_inline_lists)
                 + (SELECT SUM(LENGTH(file_path) + LENGTH(owner) + 24) FROM sent_files)
             AS BIGINT)",
        )
        .await?;
    assert!(bytes < 100_000, "{bytes}");
    Ok(())
}

async fn assistants_and_projects_do_not_share_a_name(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    for key in [
        ConsultKey { assistant: "gemini".to_owned(), ..consult() },
        ConsultKey { project: "prj_other".into(), ..consult() },
        ConsultKey { name: "Plan".to_owned(), ..consult() },
    ] {
        assert_eq!(store.consult_session(&key).await?, None);
    }
    Ok(())
}

stories![
    what_is_remembered_comes_with_the_reply_and_goes_with_a_reset,
    a_call_that_fails_is_not_remembered,
    a_session_is_begun_once_and_its_name_is_free_when_its_thread_is_hidden,
    a_session_that_nobody_uses_ends,
    the_state_of_a_thousand_files_takes_less_than_a_hundred_kilobytes,
    assistants_and_projects_do_not_share_a_name,
];
