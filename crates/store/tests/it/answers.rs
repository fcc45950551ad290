//! Kept answers: found by their names while what they quote is there, and gone with it.

use crate::database::Database;
use crate::isolation::{answer, fill};
use crate::sample::{at, file_id, matching, message, project, terms, thread};
use anyhow::Result;
use dossier_core::chat::Usage;
use dossier_core::hash::ContentHash;
use dossier_core::id::ChunkId;
use dossier_core::sameness::{MOST_KEPT, stands_in_until};
use dossier_core::time::Timestamp;
use dossier_core::turn::ReplyState;
use dossier_store::{
    AnswerRow, Holding, KeptAnswer, MessageRow, NewReply, NewTurn, OwnerStore, Reply, Turn,
};
use serde_json::json;

stories![
    a_kept_answer_is_told_with_its_question_and_counts_how_often_it_was_given,
    of_two_answers_to_one_question_the_later_is_kept,
    an_answer_goes_when_its_time_is_over,
    of_too_many_answers_those_go_that_were_not_asked_for_longest,
    an_answer_goes_with_whatever_is_hidden_or_deleted,
    chunks_that_were_added_later_have_higher_numbers_and_none_comes_back,
];

async fn kept(store: &OwnerStore) -> Result<Option<KeptAnswer>> {
    Ok(store.kept_answer(&project("p").id, &answer().key).await?)
}

/// Rows of the table, seen or not.
async fn rows(database: &Database) -> Result<i64> {
    Ok(database.row_counts().await?["semantic_cache"])
}

/// A turn in the thread that `fill` wrote, with a reply at this position that is yet to be given.
async fn turn(store: &OwnerStore, id: &str, position: i64) -> Result<MessageRow> {
    let thread = thread("t", &project("p"));
    let reply = Reply {
        model: "p/o".to_owned(),
        state: ReplyState::Prepared,
        receipt: None,
        message: None,
        error: None,
    };
    let turn = Turn {
        id: id.into(),
        project: project("p").id,
        thread: thread.id.clone(),
        message: message(&thread.id, 0, "").id,
        client_message_id: None,
        request: json!({}),
        lease_until: at(9),
        created_at: at(1),
        learned_at: Some(at(1)),
        replies: vec![reply],
    };
    store
        .create_turn(NewTurn { turn: &turn, thread: None, messages: &[], chunks: &[], end: None })
        .await?;
    let usage = Usage { input: 7, output: 5, ..Usage::default() };
    Ok(MessageRow {
        message: message(&thread.id, position, "another answer"),
        metadata: json!({"usage": usage}),
        deleted_at: None,
    })
}

fn reply<'a>(turn: &'a dossier_core::id::TurnId, message: &'a MessageRow) -> NewReply<'a> {
    NewReply { turn, ordinal: 0, receipt: None, message, usage: None, links: &[] }
}

async fn a_kept_answer_is_told_with_its_question_and_counts_how_often_it_was_given(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let expected = KeptAnswer {
        row: answer(),
        question: "secret word".to_owned(),
        answer: "secret answer".to_owned(),
        usage: None,
        hit_count: 0,
        last_hit_at: None,
    };
    assert_eq!(kept(&store).await?, Some(expected.clone()));
    let other = ContentHash::of("other");
    assert_eq!(store.kept_answer(&project("p").id, &other).await?, None);
    assert_eq!(store.kept_answer(&"prj_other".into(), &answer().key).await?, None);
    let said = turn(&store, "trn_2", 3).await?;
    let id = "trn_2".into();
    assert!(store.reply_repeated(reply(&id, &said), &answer().key, at(5)).await?);
    // A reply that has ended is not given again, and not counted.
    assert!(!store.reply_repeated(reply(&id, &said), &answer().key, at(6)).await?);
    let counted = KeptAnswer { hit_count: 1, last_hit_at: Some(at(5)), ..expected };
    assert_eq!(kept(&store).await?, Some(counted));
    Ok(())
}

async fn of_two_answers_to_one_question_the_later_is_kept(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let said = turn(&store, "trn_2", 3).await?;
    let later = AnswerRow {
        answer: said.message.id.clone(),
        created_at: at(4),
        expires_at: at(12),
        ..answer()
    };
    let id = "trn_2".into();
    assert!(store.reply_kept(reply(&id, &said), &later, MOST_KEPT).await?);
    // What is given twice is kept once.
    assert!(!store.reply_kept(reply(&id, &said), &answer(), MOST_KEPT).await?);
    let kept = kept(&store).await?.unwrap();
    assert_eq!((kept.row, kept.answer.as_str()), (later, "another answer"));
    assert_eq!(kept.usage, Some(Usage { input: 7, output: 5, ..Usage::default() }));
    assert_eq!(rows(&database).await?, 1);
    Ok(())
}

async fn an_answer_goes_when_its_time_is_over(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let answer = answer();
    // Until then it may stand in for a model.
    let over = stands_in_until(answer.created_at, answer.expires_at);
    assert!(over > answer.expires_at);
    let before = Timestamp::from_millis(over.as_millis() - 1);
    assert_eq!(store.expire_answers(before).await?, 0);
    assert_eq!(store.expire_answers(over).await?, 1);
    assert_eq!(rows(&database).await?, 0);
    Ok(())
}

async fn of_too_many_answers_those_go_that_were_not_asked_for_longest(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let stranger = database.store().await?.owner(&"stranger".into());
    fill(&stranger).await?;
    let keep = async |name: &str, position: i64, most: usize| {
        let said = turn(&store, &format!("trn_{name}"), position).await?;
        let row = AnswerRow {
            key: ContentHash::of(name),
            answer: said.message.id.clone(),
            created_at: at(position),
            ..answer()
        };
        let id = format!("trn_{name}").as_str().into();
        anyhow::Ok(store.reply_kept(reply(&id, &said), &row, most).await?)
    };
    let left = async || {
        let mut left = Vec::new();
        for name in ["second", "third", "fourth", "fifth"] {
            let kept = store.kept_answer(&project("p").id, &ContentHash::of(name)).await?;
            left.extend(kept.map(|_| name));
        }
        anyhow::Ok((kept(&store).await?.is_some(), left))
    };
    assert!(keep("second", 3, 3).await?);
    assert!(keep("third", 4, 3).await?);
    assert_eq!(left().await?, (true, vec!["second", "third"]));
    // The oldest is asked for again, so another has waited longest.
    let said = turn(&store, "trn_again", 5).await?;
    assert!(store.reply_repeated(reply(&"trn_again".into(), &said), &answer().key, at(5)).await?);
    assert!(keep("fourth", 6, 3).await?);
    assert_eq!(left().await?, (true, vec!["third", "fourth"]));
    // The new one stays, however few may.
    assert!(keep("fifth", 7, 1).await?);
    assert_eq!(left().await?, (false, vec!["fifth"]));
    assert!(kept(&stranger).await?.is_some());
    Ok(())
}

async fn an_answer_goes_with_whatever_is_hidden_or_deleted(database: Database) -> Result<()> {
    let store = database.store().await?;
    let holdings = [
        Holding::File(file_id("a.txt")),
        Holding::Thread(thread("t", &project("p")).id),
        Holding::Project(project("p").id),
    ];
    for (number, holding) in holdings.iter().enumerate() {
        let hides = store.owner(&format!("hides {number}").as_str().into());
        let forgets = store.owner(&format!("forgets {number}").as_str().into());
        for owner in [&hides, &forgets] {
            fill(owner).await?;
            assert!(kept(owner).await?.is_some());
        }
        assert!(hides.hide(holding, at(2), at(3)).await?);
        assert!(forgets.forget(holding).await?);
        assert_eq!(rows(&database).await?, 0, "{holding:?}");
    }
    let store = store.owner(&"deletes".into());
    fill(&store).await?;
    let said = message(&thread("t", &project("p")).id, 1, "").id;
    assert!(store.delete_message(&said, &[], at(9)).await?);
    assert_eq!(rows(&database).await?, 0);
    Ok(())
}

async fn chunks_that_were_added_later_have_higher_numbers_and_none_comes_back(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    assert_eq!(store.newest_chunk().await?, ChunkId(0));
    fill(&store).await?;
    let project = project("p");
    let newest = store.newest_chunk().await?;
    let ids = matching(&store, &project.id, &terms("secret")).await?;
    let there = ids.iter().copied().collect();
    assert!(ids.iter().all(|id| *id <= newest), "{ids:?} {newest:?}");
    assert!(store.has_chunks(&project.id, &there).await?);
    assert!(!store.has_chunks(&"prj_other".into(), &there).await?);
    let (file, content, chunks) = crate::sample::whole_file(&project, "a.txt", "another secret");
    store.put_file(&file, &content, &chunks).await?;
    assert!(!store.has_chunks(&project.id, &there).await?);
    let now = matching(&store, &project.id, &terms("another")).await?;
    assert!(!now.is_empty() && now.iter().all(|id| *id > newest), "{now:?} {newest:?}");
    Ok(())
}
