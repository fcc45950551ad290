//! What follows from a turn when it is over: its words are found, what was saved is counted, and
//! what stood in files is nobody's statement, however the turn came to its end.

use crate::answers::relay;
use crate::database::Database;
use crate::desk::{Desk, noon};
use crate::turn::{calls, desk, request, told};
use anyhow::Result;
use dossier_core::chat::{Message as Said, Said as What, ToolCall, ToolResult, ToolSpec};
use dossier_core::item::Section;
use dossier_core::message::{Message, Speaker};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_core::turn::ReplyState;
use dossier_engine::{FactFilter, Silent, Turn, TurnEvent, UsageBy, UsageFilter};
use dossier_store::{MessageRow, NewReply, NewTurn};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::json;
use tokio::task::yield_now;

stories! {
    the_results_of_a_clients_tools_are_found_like_all_that_was_said,
    what_a_killed_process_has_not_noted_is_found_by_whoever_looks,
    a_question_is_part_of_what_would_have_been_sent,
    what_stands_in_a_file_is_not_remembered_of_a_turn_that_failed,
    what_was_said_is_found_though_memory_cannot_be_written,
    what_one_model_has_said_is_found_while_another_is_silent,
}

/// The same is found as before, and as in an index that is made anew.
async fn expect_found(desk: &Desk, query: &str, mut expected: Vec<&str>) -> Result<()> {
    expected.sort();
    let found = async || -> Result<Vec<String>> {
        let mut found = desk.places(query).await?;
        found.sort();
        Ok(found)
    };
    assert_eq!(found().await?, expected);
    desk.workspace.rebuild(&desk.project.id, &Silent).await?;
    assert_eq!(found().await?, expected);
    Ok(())
}

async fn the_results_of_a_clients_tools_are_found_like_all_that_was_said(
    database: Database,
) -> Result<()> {
    let (name, at) = ("look", json!({"at": "quay"}));
    let script = Script::start([calls(&[(name, at.clone())]), Reply::chat("It swims.")])?;
    let desk = desk(&database, &script).await?;
    let mut asked = relay(&desk, &["Where is the walrus?"]);
    asked.tools = vec![ToolSpec {
        name: name.to_owned(),
        description: "Looks.".to_owned(),
        schema: json!({"type": "object"}),
        strict: None,
    }];
    told(desk.workspace.relay(asked.clone()).await?).await;
    let result = "Wet stones, and a walrus behind them.";
    let call =
        ToolCall { id: "call_0".to_owned(), name: name.to_owned(), arguments: at.to_string() };
    let given = ToolResult { call: call.id.clone(), content: result.to_owned(), failed: false };
    let calls = What::Assistant { text: String::new(), calls: vec![call], sealed: None };
    asked.messages.extend([calls.into(), Said::results(vec![given])]);
    told(desk.workspace.relay(asked).await?).await;
    desk.workspace.turns_idle().await;
    expect_found(&desk, "stones", vec![result, "It swims."]).await
}

/// A turn whose process was killed when it had stored the reply, and not yet noted its end.
async fn leave_behind(database: &Database, like: Turn, said: [&str; 2]) -> Result<()> {
    let store = database.owner().await?;
    let last = store.recent_messages(&like.thread, 1).await?.remove(0);
    let [question, reply] = [1, 2].map(|place: i64| {
        let speaker = if place == 1 { Speaker::user() } else { last.speaker.clone() };
        let parent = if place == 1 { last.id.clone() } else { "msg_1".into() };
        let message = Message {
            id: format!("msg_{place}").as_str().into(),
            parent: Some(parent),
            position: last.position + place,
            round: last.round + 1,
            speaker,
            content: said[place as usize - 1].to_owned(),
            ..last.clone()
        };
        MessageRow { message, metadata: json!({}), deleted_at: None }
    });
    let mut turn = Turn {
        id: "trn_left".into(),
        message: question.message.id.clone(),
        lease_until: noon(),
        learned_at: None,
        ..like
    };
    turn.replies[0] = dossier_store::Reply {
        model: turn.replies[0].model.clone(),
        state: ReplyState::Prepared,
        receipt: None,
        message: None,
        error: None,
    };
    let messages = &[question];
    store
        .create_turn(NewTurn { turn: &turn, thread: None, messages, chunks: &[], end: None })
        .await?;
    let (turn, links) = (&turn.id, &[]);
    let given = NewReply { turn, ordinal: 0, receipt: None, message: &reply, usage: None, links };
    assert!(store.reply_given(given).await?);
    Ok(())
}

async fn what_a_killed_process_has_not_noted_is_found_by_whoever_looks(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let stream = desk.workspace.turn(&request(&desk, "Where is the boat?", &["gpt-4o"])).await?;
    let turn = stream.turn.id.clone();
    told(stream).await;
    let turn = desk.workspace.turn_by_id(&turn).await?;
    drop(desk);
    leave_behind(&database, turn, ["And the walrus?", "Beside it."]).await?;
    let desk = crate::turn::desk(&database, &script).await?;
    expect_found(&desk, "walrus", vec!["And the walrus?", "Beside it."]).await
}

async fn a_question_is_part_of_what_would_have_been_sent(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("Yes.")])?;
    let desk = desk(&database, &script).await?;
    let long = |what: &str| -> String {
        (0..600).map(|number| format!("{what} number {number} swims. ")).collect()
    };
    let said = [long("Walrus"), long("Seal"), format!("{}Which is next?", long("Otter"))];
    let stream = desk.workspace.relay(relay(&desk, &said.each_ref().map(String::as_str))).await?;
    let thread = stream.turn.thread.clone();
    told(stream).await;
    let messages = desk.workspace.messages(&thread).await?;
    let receipt = desk.workspace.receipt_of(&messages.last().unwrap().id).await?;
    let spoken: u32 =
        messages[..3].iter().map(|message| Tokenizer::O200k.count(&message.content)).sum();
    let header = receipt.budget.sections[&Section::Header];
    let usage = desk.workspace.usage(UsageBy::Component, &UsageFilter::default()).await?;
    assert_eq!(usage[0].saved, i64::from(header + spoken - receipt.budget.used));
    Ok(())
}

async fn what_stands_in_a_file_is_not_remembered_of_a_turn_that_failed(
    database: Database,
) -> Result<()> {
    let refused = || Reply::json(400, &json!({"error": {"message": "not now"}}));
    let script = Script::start([refused(), refused()])?;
    let desk = desk(&database, &script).await?;
    desk.write("plan.md", "We chose Redis for the queue.\n");
    desk.index().await?;
    let known = async || -> Result<usize> {
        Ok(desk.workspace.list_facts(&FactFilter::default(), None, 9, noon()).await?.facts.len())
    };
    for (question, facts) in [("We chose Redis for the queue.", 0), ("We chose Oslo.", 1)] {
        let turn = desk.workspace.turn(&request(&desk, question, &["gpt-4o"])).await?;
        assert_eq!(told(turn).await, ["done", "openai/gpt-4o failed: invalid"]);
        assert_eq!(known().await?, facts, "{question}");
    }
    Ok(())
}

async fn what_was_said_is_found_though_memory_cannot_be_written(database: Database) -> Result<()> {
    let (question, reply) = ("We chose Oslo for the walrus.", "Noted.");
    let script = Script::start([Reply::chat(reply)])?;
    let desk = desk(&database, &script).await?;
    let [refuse, allow] = match database.url.starts_with("postgres") {
        true => [
            "ALTER TABLE facts_ledger ADD CONSTRAINT refused CHECK (false) NOT VALID",
            "ALTER TABLE facts_ledger DROP CONSTRAINT refused",
        ],
        false => [
            "CREATE TRIGGER refused BEFORE INSERT ON facts_ledger
             BEGIN SELECT RAISE(ABORT, 'refused'); END",
            "DROP TRIGGER refused",
        ],
    };
    sqlx::query(refuse).execute(&mut database.raw().await?).await?;
    let turn = desk.workspace.turn(&request(&desk, question, &["gpt-4o"])).await?;
    assert_eq!(told(turn).await, ["done", "openai/gpt-4o replied: Noted."]);
    expect_found(&desk, "walrus", vec![question, reply]).await?;
    let known = async || desk.workspace.list_facts(&FactFilter::default(), None, 9, noon()).await;
    assert_eq!(known().await?.facts.len(), 0);
    sqlx::query(allow).execute(&mut database.raw().await?).await?;
    // When the lease is over.
    let later = Timestamp::from_millis(i64::MAX);
    desk.workspace.recover_turns(later).await?;
    assert_eq!(known().await?.facts.len(), 1);
    let store = database.owner().await?;
    assert_eq!(store.unlearned_turns(&desk.project.id).await?, []);
    Ok(())
}

async fn what_one_model_has_said_is_found_while_another_is_silent(
    database: Database,
) -> Result<()> {
    let script = Script::answering(|request| match request.body["model"] == "gpt-4o" {
        true => Reply::chat("Beside the quay."),
        false => Reply::silence(),
    })?;
    let desk = desk(&database, &script).await?;
    let asked = request(&desk, "Where is the walrus?", &["gpt-4o-mini", "gpt-4o"]);
    let mut turn = desk.workspace.turn(&asked).await?;
    while let Some((_, event)) = turn.next().await {
        if matches!(&*event, TurnEvent::Reply(_)) {
            break;
        }
    }
    while desk.places("walrus").await?.is_empty() {
        yield_now().await;
    }
    expect_found(&desk, "walrus", vec!["Where is the walrus?", "Beside the quay."]).await?;
    assert!(desk.workspace.cancel_turn(&turn.turn.id).await?);
    let ended = ["done", "openai/gpt-4o-mini cancelled: cancelled"];
    assert_eq!(told(turn).await, ended);
    Ok(())
}
