//! A turn: one question, several models, each with its own dossier; and what is left of it when it
//! is repeated, given up or interrupted.

use crate::database::Database;
use crate::desk::{Desk, noon};
use anyhow::Result;
use dossier_core::catalogue::Protocol;
use dossier_core::chat::{Image, Options};
use dossier_core::id::{OwnerId, TurnId};
use dossier_core::profile::ProfileName;
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use dossier_core::turn::ReplyState;
use dossier_engine::{
    Attachment, Embedder, Engine, EngineError, FactFilter, FactShown, Factor, Freshness, Models,
    Patience, Provider, Secret, Silent, Terms, TurnEvent, TurnRequest, TurnStream, UsageFilter,
    builtin_catalogue,
};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

stories! {
    a_model_that_fails_fails_alone,
    a_model_that_stays_silent_is_given_up_after_the_time_that_is_set,
    a_repeated_turn_neither_asks_nor_writes_again,
    a_reply_that_was_cut_short_is_asked_for_once_more_with_less,
    a_reply_that_was_cut_short_is_better_than_none,
    a_smart_model_is_given_tools_and_their_results,
    a_model_that_searches_finds_no_other_answer_to_its_question,
    a_model_that_asks_for_tools_without_end_must_answer,
    each_model_sees_its_own_replies_as_its_own,
    what_was_interrupted_is_marked_and_can_be_asked_again,
    what_a_killed_process_left_is_told_so_and_can_be_asked_again,
    a_turn_that_several_ask_again_at_once_is_asked_once,
    another_process_follows_a_turn_to_its_end,
    a_turn_that_is_given_up_hangs_up_and_stores_no_half,
    what_a_call_took_is_counted_though_nobody_told_it,
    a_program_that_ends_leaves_its_turns_to_be_asked_again,
    images_reach_models_that_see_and_are_not_asked_for_again_without_them,
    one_reply_of_several_is_given_up_and_the_others_go_on,
    nothing_is_stored_of_a_turn_that_is_asked_wrongly,
    a_long_text_that_comes_with_a_question_is_shown_in_short,
    a_long_text_that_was_pasted_into_a_question_is_shown_in_short,
    what_a_preview_names_can_be_expanded,
    those_with_room_for_a_long_question_get_all_of_it_and_others_a_part,
    texts_that_are_too_many_in_short_are_named_with_their_summaries,
    a_file_that_is_read_whole_is_shown_in_short_and_its_lines_as_they_are,
    a_spent_budget_stops_and_a_nearly_spent_one_warns,
    the_budget_of_the_machine_holds_for_all_owners_together,
    a_session_of_very_many_tokens_is_told_so_and_goes_on,
    a_thread_is_given_a_title_and_a_summary,
    a_branch_goes_on_from_any_message,
    a_forecast_tells_what_a_turn_would_take,
    a_rebuilt_index_finds_replies_by_the_question_they_answer,
    a_question_that_is_asked_again_is_not_learned_again,
    a_question_that_nobody_answered_calls_for_no_title,
    reported_usage_corrects_the_count_of_the_next_turn,
}

/// An engine whose models are those of a script.
pub async fn engine(database: &Database, script: &Script) -> Result<Engine> {
    let provider = Provider::new("openai", Protocol::Chat, &script.url("/v1"), Secret::new("k"))?;
    // Waits that no story notices.
    let patience =
        Patience { first: Duration::from_micros(1), longest: Duration::from_secs(1), attempts: 2 };
    let models = Models::new(builtin_catalogue().clone(), [provider])?.with_patience(patience);
    Ok(Engine::open(&database.url, Embedder::none()).await?.with_models(models))
}

/// A desk whose models are those of a script.
pub async fn desk(database: &Database, script: &Script) -> Result<Desk> {
    let workspace = engine(database, script).await?.owner(&OwnerId::local());
    let project = workspace.project(Some("story"), noon()).await?;
    Ok(Desk { workspace, project, folder: tempfile::tempdir()? })
}

pub fn request(desk: &Desk, message: &str, models: &[&str]) -> TurnRequest {
    TurnRequest {
        project: desk.project.clone(),
        thread: None,
        message: message.to_owned(),
        models: models.iter().map(|model| (*model).to_owned()).collect(),
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

/// Everything that happens until the end, but for dossiers and pieces, as short lines in order.
pub async fn told(mut stream: TurnStream) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some((_, event)) = stream.next().await {
        match &*event {
            TurnEvent::Reply(reply) => {
                lines.push(format!("{} replied: {}", reply.model, reply.text));
            }
            TurnEvent::Error { model, state, code, .. } => {
                lines.push(format!("{model} {}: {code}", state.as_str()));
            }
            TurnEvent::Tool { model, name, failed, .. } => {
                lines.push(format!("{model} used {name}{}", if *failed { " in vain" } else { "" }));
            }
            TurnEvent::Done { .. } => lines.push("done".to_owned()),
            TurnEvent::Dossier { .. }
            | TurnEvent::Delta { .. }
            | TurnEvent::Call { .. }
            | TurnEvent::Arguments { .. } => {}
        }
    }
    lines.sort();
    lines
}

/// The messages of a thread, each with its speaker.
async fn said(desk: &Desk, thread: &str) -> Result<Vec<String>> {
    let thread = desk.workspace.thread(&desk.project.id, thread).await?;
    let messages = desk.workspace.messages(&thread.id).await?;
    Ok(messages.iter().map(|message| format!("{}: {}", message.speaker, message.content)).collect())
}

async fn a_model_that_fails_fails_alone(database: Database) -> Result<()> {
    let refused = json!({"error": {"message": "no such key", "code": "invalid_api_key"}});
    let script = Script::start([Reply::json(401, &refused)])?;
    let desk = desk(&database, &script).await?;
    let request = request(&desk, "Where is the ferry?", &["gpt-4o", "builtin/extractive"]);
    let stream = desk.workspace.turn(&request).await?;
    let turn = stream.turn.clone();
    let told = told(stream).await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("builtin/extractive replied: "), "{told:?}");
    assert_eq!(told[1..], ["done", "openai/gpt-4o failed: key_refused"]);
    let said = said(&desk, turn.thread.as_str()).await?;
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(said[0], "user: Where is the ferry?");
    let stored = desk.workspace.turn_by_id(&turn.id).await?;
    let states: Vec<ReplyState> = stored.replies.iter().map(|reply| reply.state).collect();
    assert_eq!(states, [ReplyState::Failed, ReplyState::Replied]);
    assert!(stored.learned_at.is_some());
    Ok(())
}

async fn a_model_that_stays_silent_is_given_up_after_the_time_that_is_set(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::silence()])?;
    let desk = desk(&database, &script).await?;
    let seconds = json!("1");
    desk.workspace.set_config("models.timeout_seconds", &seconds, noon()).await?;
    let began = Instant::now();
    let mut stream =
        desk.workspace.turn(&request(&desk, "Where is the ferry?", &["gpt-4o"])).await?;
    let mut said = None;
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Error { code, message, .. } = &*event {
            said = Some(format!("{code}: {message}"));
        }
    }
    let expected = "timed_out: openai/gpt-4o did not answer in time: the whole answer may take 1 s; \
                    take a faster model, or give answers longer with models.timeout_seconds";
    assert_eq!(said.as_deref(), Some(expected));
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(script.was_hung_up_on());
    Ok(())
}

async fn a_repeated_turn_neither_asks_nor_writes_again(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let request = TurnRequest {
        client_message_id: Some("m-1".to_owned()),
        ..request(&desk, "Where is the ferry?", &["openai/gpt-4o"])
    };
    let expected = ["done", "openai/gpt-4o replied: At the quay."];
    let first = desk.workspace.turn(&request).await?;
    let turn = first.turn.clone();
    assert_eq!(told(first).await, expected);
    assert_eq!(told(desk.workspace.turn(&request).await?).await, expected);
    // Another process tells it from the store.
    let elsewhere = Engine::open(&database.url, Embedder::none()).await?;
    let elsewhere = elsewhere.owner(&OwnerId::local());
    assert_eq!(told(elsewhere.turn(&request).await?).await, expected);
    assert_eq!(told(elsewhere.follow_turn(&turn.id, Some(1)).await?).await, expected);
    assert_eq!(script.requests().len(), 1);
    assert_eq!(said(&desk, turn.thread.as_str()).await?.len(), 2);
    Ok(())
}

/// A reply that asks for tools.
pub fn calls(calls: &[(&str, Value)]) -> Reply {
    let calls: Vec<Value> = (0..)
        .zip(calls)
        .map(|(index, (name, arguments))| {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            json!({"index": index, "id": format!("call_{index}"), "type": "function",
                   "function": function})
        })
        .collect();
    let frames = [
        json!({"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": calls}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let frames: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    Reply::events(&format!("{frames}data: [DONE]\n\n"))
}

async fn a_reply_that_was_cut_short_is_asked_for_once_more_with_less(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat_cut("The fer"), Reply::chat("The ferry sails at 9.")])?;
    let desk = desk(&database, &script).await?;
    for number in 0..60 {
        let note = format!("Ferry {number} sails at {number} past nine from pier {number}. ");
        desk.write(&format!("{number}.md"), note.repeat(20));
    }
    desk.index().await?;
    let stream = desk.workspace.turn(&request(&desk, "When sails the ferry?", &["gpt-4o"])).await?;
    let turn = stream.turn.id.clone();
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o replied: The ferry sails at 9."]);
    let [first, second] = script.requests().try_into().unwrap();
    let [first, second] = [first, second].map(|request| request.body.to_string().len());
    assert!(second < first * 9 / 10, "{second} of {first}");
    let reply = desk.workspace.turn_by_id(&turn).await?.replies.remove(0);
    let receipt = desk.workspace.receipt_of(&reply.message.unwrap()).await?;
    assert_eq!((Some(&receipt.id), receipt.budget.limit), (reply.receipt.as_ref(), 2_250));
    Ok(())
}

async fn a_reply_that_was_cut_short_is_better_than_none(database: Database) -> Result<()> {
    let refused = Reply::json(401, &json!({"error": {"message": "no such key"}}));
    let script = Script::start([Reply::chat_cut("The ferry sails at"), refused])?;
    let desk = desk(&database, &script).await?;
    let stream = desk.workspace.turn(&request(&desk, "When sails the ferry?", &["gpt-4o"])).await?;
    let turn = stream.turn.id.clone();
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o replied: The ferry sails at"]);
    assert_eq!(script.requests().len(), 2);
    // It answers the first dossier, not that of the second call.
    let reply = desk.workspace.turn_by_id(&turn).await?.replies.remove(0);
    let receipt = desk.workspace.receipt_of(&reply.message.unwrap()).await?;
    assert_eq!((Some(&receipt.id), receipt.budget.limit), (reply.receipt.as_ref(), 3_000));
    Ok(())
}

async fn a_model_that_asks_for_tools_without_end_must_answer(database: Database) -> Result<()> {
    let asking = || calls(&[("list_project_files", json!({}))]);
    let replies = std::iter::repeat_with(asking).take(8).chain([Reply::chat("Enough.")]);
    let script = Script::start(replies)?;
    let desk = desk(&database, &script).await?;
    let mut request = request(&desk, "Which files?", &["openai/gpt-5"]);
    request.terms.profile = ProfileName::Project;
    let told = told(desk.workspace.turn(&request).await?).await;
    assert_eq!(told[..2], ["done", "openai/gpt-5 replied: Enough."]);
    assert_eq!(told.len(), 10, "{told:?}");
    let choices: Vec<Value> =
        script.requests().iter().map(|request| request.body["tool_choice"].clone()).collect();
    assert!(choices[..8].iter().all(Value::is_null), "{choices:?}");
    assert_eq!(choices[8..], ["none"]);
    assert!(script.requests()[8].body["tools"].is_array());
    Ok(())
}

async fn a_model_that_searches_finds_no_other_answer_to_its_question(
    database: Database,
) -> Result<()> {
    let mut asked = 0;
    let script = Script::answering(move |request| {
        asked += usize::from(request.body["model"] == "gpt-5");
        match (request.body["model"] == "gpt-5", asked) {
            (false, _) => Reply::chat("Its departure is from quay 7."),
            (true, 1) => Reply::json(400, &json!({"error": {"message": "not now"}})),
            (true, 2) => calls(&[("search_project", json!({"query": "departure quay"}))]),
            (true, _) => Reply::chat("I do not know."),
        }
    })?;
    let desk = desk(&database, &script).await?;
    desk.write("docs/ferry.md", "# Ferry\nThe departure is at nine.\n");
    desk.index().await?;
    let models = ["openai/gpt-4o", "openai/gpt-5"];
    let mut request = request(&desk, "From which quay is the departure?", &models);
    request.terms.profile = ProfileName::Project;
    let stream = desk.workspace.turn(&request).await?;
    let turn = stream.turn.id.clone();
    told(stream).await;
    assert!(desk.places("quay").await?.contains(&"Its departure is from quay 7.".to_owned()));
    told(desk.workspace.retry_turn(&turn, &[], noon()).await?).await;
    let last = script.requests().pop().unwrap();
    let messages = last.body["messages"].as_array().unwrap();
    let found = messages.iter().find(|message| message["role"] == "tool").unwrap();
    let found = found["content"].as_str().unwrap();
    assert!(found.contains("at nine"), "{found}");
    assert!(!found.contains("quay"), "{found}");
    Ok(())
}

async fn a_smart_model_is_given_tools_and_their_results(database: Database) -> Result<()> {
    let script = Script::start([
        calls(&[
            ("read_project_file", json!({"path": "docs/ferry.md", "start_line": 2, "end_line": 2})),
            ("read_project_file", json!({"path": "../etc/passwd"})),
            ("list_project_files", json!({"prefix": "docs/"})),
            ("search_project", json!({"query": "departure quay"})),
        ]),
        Reply::chat("From quay 7."),
    ])?;
    let desk = desk(&database, &script).await?;
    desk.write("docs/ferry.md", "# Ferry\nThe departure is from quay 7.\nNot on Mondays.\n");
    desk.index().await?;
    let mut request = request(&desk, "Which quay?", &["openai/gpt-5"]);
    request.terms.profile = ProfileName::Project;
    let stream = desk.workspace.turn(&request).await?;
    let thread = stream.turn.thread.clone();
    assert_eq!(
        told(stream).await,
        [
            "done",
            "openai/gpt-5 replied: From quay 7.",
            "openai/gpt-5 used list_project_files",
            "openai/gpt-5 used read_project_file",
            "openai/gpt-5 used read_project_file in vain",
            "openai/gpt-5 used search_project",
        ]
    );
    let requests = script.requests();
    assert_eq!(requests[0].body["tools"].as_array().map(Vec::len), Some(3));
    let messages = requests[1].body["messages"].as_array().unwrap();
    let results: Vec<&str> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(results[0], "docs/ferry.md, lines 2-2 of 3\nThe departure is from quay 7.\n");
    assert!(results[1].contains("'..'"), "{}", results[1]);
    assert_eq!(results[2], "1 files\ndocs/ferry.md (54 bytes)\n");
    assert!(results[3].starts_with("1. docs/ferry.md:1-3"), "{}", results[3]);
    let page = desk.workspace.messages_from(&thread, 0, 10).await?;
    let reply = page.messages.last().unwrap();
    let receipt = desk.workspace.receipt_of(&reply.id).await?;
    assert_eq!(receipt.tools, ["read_project_file", "list_project_files", "search_project"]);
    assert_eq!(receipt.tool_server.as_deref(), Some("dossier"));
    let runs = page.notes.get(&reply.id).unwrap();
    let runs: Vec<(&str, bool)> =
        runs.tools.iter().map(|run| (run.name.as_str(), run.failed)).collect();
    assert_eq!(
        runs,
        [
            ("read_project_file", false),
            ("read_project_file", true),
            ("list_project_files", false),
            ("search_project", false),
        ]
    );
    Ok(())
}

async fn each_model_sees_its_own_replies_as_its_own(database: Database) -> Result<()> {
    let script = Script::start(["One.", "Two.", "Three.", "Four."].map(Reply::chat))?;
    let desk = desk(&database, &script).await?;
    let first = request(&desk, "Count.", &["openai/gpt-4o"]);
    let stream = desk.workspace.turn(&first).await?;
    let thread = Some(stream.turn.thread.clone());
    told(stream).await;
    let second = TurnRequest { thread, ..request(&desk, "And on.", &["openai/gpt-4.1"]) };
    told(desk.workspace.turn(&second).await?).await;
    let third = TurnRequest { models: vec!["openai/gpt-4o".to_owned()], ..second.clone() };
    told(desk.workspace.turn(&third).await?).await;
    let seen = |place: usize| -> Vec<String> {
        let body = script.requests()[place].body.clone();
        let messages = body["messages"].as_array().unwrap().iter().skip(1);
        messages
            .map(|message| {
                format!(
                    "{}: {}",
                    message["role"].as_str().unwrap(),
                    message["content"].as_str().unwrap()
                )
            })
            .collect()
    };
    assert_eq!(seen(1), ["user: Count.", "user: [openai/gpt-4o]: One.", "user: And on."]);
    assert_eq!(
        seen(2),
        [
            "user: Count.",
            "assistant: One.",
            "user: And on.",
            "user: [openai/gpt-4.1]: Two.",
            "user: And on.",
        ]
    );
    Ok(())
}

/// Waits until the model has begun to answer.
async fn until_it_speaks(stream: &mut TurnStream) {
    while let Some((_, event)) = stream.next().await {
        if matches!(&*event, TurnEvent::Delta { .. }) {
            return;
        }
    }
}

/// The beginning of a reply that never ends.
fn unfinished() -> Reply {
    let frame = json!({"choices": [{"index": 0, "delta": {"content": "At the"}}]});
    Reply::events(&format!("data: {frame}\n\n")).then_silence()
}

async fn what_was_interrupted_is_marked_and_can_be_asked_again(database: Database) -> Result<()> {
    let script = Script::start([unfinished(), Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let mut stream = desk.workspace.turn(&request(&desk, "Where?", &["openai/gpt-4o"])).await?;
    let turn = stream.turn.clone();
    until_it_speaks(&mut stream).await;
    // What another process sees when this one has been silent for longer than its lease.
    let elsewhere = Engine::open(&database.url, Embedder::none()).await?;
    let elsewhere = elsewhere.owner(&OwnerId::local());
    assert_eq!(elsewhere.recover_turns(noon()).await?, 0);
    let later = Timestamp::from_millis(dossier_engine::now().as_millis() + 60_000);
    assert_eq!(elsewhere.recover_turns(later).await?, 1);
    assert_eq!(elsewhere.recover_turns(later).await?, 0);
    let stored = elsewhere.turn_by_id(&turn.id).await?;
    assert_eq!(stored.replies[0].state, ReplyState::Interrupted);
    assert_eq!(said(&desk, turn.thread.as_str()).await?, ["user: Where?"]);
    // The first process must not write what comes too late.
    desk.workspace.cancel_turn(&turn.id).await?;
    told(stream).await;
    let again = desk.workspace.retry_turn(&turn.id, &[], later).await?;
    assert_eq!(told(again).await, ["done", "openai/gpt-4o replied: At the quay."]);
    let expected = ["user: Where?", "agent:openai/gpt-4o: At the quay."];
    assert_eq!(said(&desk, turn.thread.as_str()).await?, expected);
    assert!(desk.workspace.retry_turn(&turn.id, &[], later).await.is_err());
    Ok(())
}

async fn what_a_killed_process_left_is_told_so_and_can_be_asked_again(
    database: Database,
) -> Result<()> {
    let refused = Reply::json(401, &json!({"error": {"message": "no such key"}}));
    let script = Script::start([refused, Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let stream = desk.workspace.turn(&request(&desk, "Where?", &["openai/gpt-4o"])).await?;
    let turn = stream.turn.clone();
    told(stream).await;
    let killed = async || {
        database.execute("UPDATE turn_replies SET state = 'called', error = NULL").await?;
        database.execute("UPDATE turns SET learned_at = NULL, lease_until = 0").await
    };
    killed().await?;
    let asked = desk.workspace.asked(&turn.thread).await?;
    assert_eq!(asked[0].reply.state, ReplyState::Interrupted);
    killed().await?;
    let again = desk.workspace.retry_turn(&turn.id, &[], noon()).await?;
    assert_eq!(told(again).await, ["done", "openai/gpt-4o replied: At the quay."]);
    Ok(())
}

/// A script that fails the first request and answers each other when the sender says so.
fn gated() -> Result<(Script, Sender<()>)> {
    let (open, gate) = channel();
    let mut is_first = true;
    let script = Script::answering(move |_| {
        if std::mem::take(&mut is_first) {
            return Reply::json(401, &json!({"error": {"message": "no such key"}}));
        }
        // One that is never opened ends with the test.
        let _ = gate.recv();
        Reply::chat("At the quay.")
    })?;
    Ok((script, open))
}

async fn a_turn_that_several_ask_again_at_once_is_asked_once(database: Database) -> Result<()> {
    let (script, open) = gated()?;
    let desk = desk(&database, &script).await?;
    let stream = desk.workspace.turn(&request(&desk, "Where?", &["openai/gpt-4o"])).await?;
    let turn = stream.turn.clone();
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o failed: key_refused"]);
    let again = (0..4).map(|_| desk.workspace.retry_turn(&turn.id, &[], noon()));
    let streams = futures::future::try_join_all(again).await?;
    // Whoever comes later follows it as well.
    let late = desk.workspace.retry_turn(&turn.id, &[], noon()).await?;
    open.send(())?;
    for stream in streams.into_iter().chain([late]) {
        assert_eq!(told(stream).await, ["done", "openai/gpt-4o replied: At the quay."]);
    }
    assert_eq!(script.requests().len(), 2);
    assert_eq!(said(&desk, turn.thread.as_str()).await?.len(), 2);
    Ok(())
}

async fn another_process_follows_a_turn_to_its_end(database: Database) -> Result<()> {
    let (script, open) = gated()?;
    let desk = desk(&database, &script).await?;
    let ask = TurnRequest {
        client_message_id: Some("m-1".to_owned()),
        ..request(&desk, "Where?", &["openai/gpt-4o"])
    };
    let stream = desk.workspace.turn(&ask).await?;
    let turn = stream.turn.clone();
    told(stream).await;
    let elsewhere = engine(&database, &script).await?.owner(&OwnerId::local());
    // It knows the end of the first attempt, and not of the second.
    let ended = ["done", "openai/gpt-4o failed: key_refused"];
    assert_eq!(told(elsewhere.turn(&ask).await?).await, ended);
    let again = desk.workspace.retry_turn(&turn.id, &[], noon()).await?;
    let followed = elsewhere.turn(&ask).await?;
    let retried = elsewhere.retry_turn(&turn.id, &[], noon()).await?;
    let followers = tokio::spawn(async move { (told(followed).await, told(retried).await) });
    open.send(())?;
    let replied = ["done", "openai/gpt-4o replied: At the quay."];
    assert_eq!(told(again).await, replied);
    let (followed, retried) = followers.await?;
    assert_eq!(
        (followed, retried),
        (replied.map(str::to_owned).to_vec(), replied.map(str::to_owned).to_vec())
    );
    assert_eq!(script.requests().len(), 2);
    Ok(())
}

async fn what_a_call_took_is_counted_though_nobody_told_it(database: Database) -> Result<()> {
    let frames = [
        json!({"choices": [{"index": 0, "delta": {"content": "At the quay."}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
    ];
    let frames = frames.map(|frame| format!("data: {frame}\n\n")).concat();
    let untold = Reply::events(&format!("{frames}data: [DONE]\n\n"));
    let refused = Reply::json(401, &json!({"error": {"message": "no such key"}}));
    let script = Script::start([unfinished(), untold, refused])?;
    let desk = desk(&database, &script).await?;
    let taken = async || -> Result<(i64, i64, i64, bool)> {
        let by = dossier_engine::UsageBy::Component;
        let sums = desk.workspace.usage(by, &UsageFilter::default()).await?;
        let [sum] = &sums[..] else { panic!("{sums:?}") };
        Ok((sum.calls, sum.input, sum.output, sum.cost > 0))
    };
    let used = async |turn: &TurnId| -> Result<i64> {
        let receipt = desk.workspace.turn_by_id(turn).await?.replies.remove(0).receipt.unwrap();
        Ok(i64::from(desk.workspace.receipt(&receipt).await?.budget.used))
    };
    let ask = request(&desk, "Where?", &["openai/gpt-4o"]);
    let mut stream = desk.workspace.turn(&ask).await?;
    let left = stream.turn.id.clone();
    until_it_speaks(&mut stream).await;
    desk.workspace.cancel_turn(&left).await?;
    told(stream).await;
    let first = used(&left).await?;
    let count = |text: &str| i64::from(Tokenizer::O200k.count(text));
    assert_eq!(taken().await?, (1, first, count("At the"), true));
    let stream = desk.workspace.turn(&ask).await?;
    let turn = stream.turn.id.clone();
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o replied: At the quay."]);
    let output = count("At the") + count("At the quay.");
    let expected = (2, first + used(&turn).await?, output, true);
    assert_eq!(taken().await?, expected);
    // Nothing is paid for what was refused.
    told(desk.workspace.turn(&ask).await?).await;
    assert_eq!(taken().await?, expected);
    Ok(())
}

async fn a_turn_that_is_given_up_hangs_up_and_stores_no_half(database: Database) -> Result<()> {
    let script = Script::start([unfinished()])?;
    let desk = desk(&database, &script).await?;
    let mut stream = desk.workspace.turn(&request(&desk, "Where?", &["openai/gpt-4o"])).await?;
    let turn = stream.turn.clone();
    until_it_speaks(&mut stream).await;
    assert!(desk.workspace.cancel_turn(&turn.id).await?);
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o cancelled: cancelled"]);
    assert!(script.was_hung_up_on());
    assert_eq!(said(&desk, turn.thread.as_str()).await?, ["user: Where?"]);
    Ok(())
}

async fn a_program_that_ends_leaves_its_turns_to_be_asked_again(database: Database) -> Result<()> {
    let script = Script::start([unfinished(), Reply::chat("At the quay.")])?;
    let engine = engine(&database, &script).await?;
    let workspace = engine.owner(&OwnerId::local());
    let project = workspace.project(Some("story"), noon()).await?;
    let desk = Desk { workspace, project, folder: tempfile::tempdir()? };
    let mut stream = desk.workspace.turn(&request(&desk, "Where?", &["openai/gpt-4o"])).await?;
    let turn = stream.turn.clone();
    until_it_speaks(&mut stream).await;
    engine.park().await;
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o interrupted: interrupted"]);
    let again = desk.workspace.retry_turn(&turn.id, &[], noon()).await?;
    assert_eq!(told(again).await, ["done", "openai/gpt-4o replied: At the quay."]);
    Ok(())
}

async fn images_reach_models_that_see_and_are_not_asked_for_again_without_them(
    database: Database,
) -> Result<()> {
    let busy = || Reply::json(503, &json!({"error": {"message": "busy"}}));
    let script = Script::start([busy(), busy(), Reply::chat("I cannot see it.")])?;
    let desk = desk(&database, &script).await?;
    let image = Image { mime: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() };
    let shown = TurnRequest {
        attachments: vec![Attachment::Image(image)],
        ..request(&desk, "What is this?", &["openai/gpt-4o"])
    };
    let stream = desk.workspace.turn(&shown).await?;
    let turn = stream.turn.clone();
    assert_eq!(told(stream).await.len(), 2);
    assert!(script.requests()[0].body.to_string().contains("data:image/png;base64,iVBORw0KGgo="));
    let error = desk.workspace.retry_turn(&turn.id, &[], noon()).await.unwrap_err().to_string();
    assert!(error.contains("ask it anew with them"), "{error}");
    let blind = TurnRequest { models: vec!["openai/gpt-3.5-turbo".to_owned()], ..shown };
    let mut stream = desk.workspace.turn(&blind).await?;
    let mut warnings = Vec::new();
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Dossier { warnings: own, .. } = &*event {
            warnings.extend(own.clone());
        }
    }
    let expected = "openai/gpt-3.5-turbo cannot see images and is told that there are some";
    assert_eq!(warnings, [expected]);
    assert!(!script.requests()[2].body.to_string().contains("iVBORw0KGgo="));
    Ok(())
}

async fn one_reply_of_several_is_given_up_and_the_others_go_on(database: Database) -> Result<()> {
    let script = Script::start([unfinished(), unfinished()])?;
    let desk = desk(&database, &script).await?;
    let models = ["openai/gpt-4o", "openai/gpt-4.1", "builtin/extractive"];
    let stream = desk.workspace.turn(&request(&desk, "Where?", &models)).await?;
    let turn = stream.turn.clone();
    assert!(desk.workspace.cancel_reply(&turn.id, "openai/gpt-5").await.is_err());
    assert!(desk.workspace.cancel_reply(&turn.id, "openai/gpt-4o").await?);
    assert!(desk.workspace.cancel_reply(&turn.id, "openai/gpt-4.1").await?);
    let told = told(stream).await;
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with("builtin/extractive replied: "), "{told:?}");
    let given_up = ["openai/gpt-4.1 cancelled: cancelled", "openai/gpt-4o cancelled: cancelled"];
    assert_eq!(told[2..], given_up);
    Ok(())
}

async fn nothing_is_stored_of_a_turn_that_is_asked_wrongly(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    let fine = request(&desk, "Where?", &["openai/gpt-4o"]);
    let many = vec!["openai/gpt-4o".to_owned(); 9];
    let little = Terms { budget: Some(10), ..fine.terms.clone() };
    let long = "Where is the ferry? ".repeat(60_000);
    for (wrong, expected) in [
        (TurnRequest { message: " ".to_owned(), ..fine.clone() }, "the message is empty"),
        (TurnRequest { models: Vec::new(), ..fine.clone() }, "no model is named"),
        (TurnRequest { models: many, ..fine.clone() }, "9 models are named"),
        (request(&desk, "Where?", &["openai/gpt-4o", "gtp-4o"]), "no model is called `gtp-4o`"),
        (request(&desk, "Where?", &["anthropic/claude-sonnet-4-5"]), "is not set up"),
        (request(&desk, "Where?", &["gpt-4o", "openai/gpt-4o"]), "openai/gpt-4o is named twice"),
        (TurnRequest { terms: little, ..fine.clone() }, "and the budget is 10"),
        (TurnRequest { message: long, ..fine.clone() }, "the question has 1200000 bytes"),
        (TurnRequest { thread: Some("thr_none".into()), ..fine.clone() }, "thread `thr_none`"),
        (
            TurnRequest { client_message_id: Some(String::new()), ..fine.clone() },
            "client_message_id",
        ),
    ] {
        let error = desk.workspace.turn(&wrong).await.unwrap_err().to_string();
        assert!(error.starts_with(expected) || error.contains(expected), "{error}");
    }
    assert_eq!(desk.workspace.threads(&desk.project.id).await?, []);
    assert_eq!(script.requests().len(), 0);
    Ok(())
}

async fn a_long_text_that_comes_with_a_question_is_shown_in_short(
    database: Database,
) -> Result<()> {
    let mut log: String = (0..900).map(|n| format!("INFO request {n} took {n} ms\n")).collect();
    log.push_str("ERROR the pump of dock 4 has failed with E-4711\n");
    let whole = Arc::new(Mutex::new(String::new()));
    let expanded = Arc::clone(&whole);
    let script = Script::answering(move |request| {
        let messages = request.body["messages"].as_array().unwrap();
        let last = messages.last().unwrap();
        if last["role"] == "tool" {
            *expanded.lock().unwrap() = last["content"].as_str().unwrap().to_owned();
            return Reply::chat("Request 700 took 700 ms.");
        }
        let text = last["content"].as_str().unwrap();
        let name = dossier_core::refs::names(text)[0].to_string();
        let slice = json!({"offset": 700, "limit": 1});
        calls(&[("expand_ref", json!({"ref_id": name, "slice": slice}))])
    })?;
    let desk = desk(&database, &script).await?;
    let long = TurnRequest {
        attachments: vec![Attachment::Text { name: "pump.log".to_owned(), content: log }],
        ..request(&desk, "How long did request 700 take, and what failed?", &["openai/gpt-4o"])
    };
    let forecast = desk.workspace.forecast(&long).await?;
    assert_eq!(forecast.models[0].problem, None);
    // Nor is anything stored of what is too large even in short.
    let little = Terms { budget: Some(100), ..long.terms.clone() };
    let too_long = TurnRequest { terms: little, ..long.clone() };
    let error = desk.workspace.turn(&too_long).await.unwrap_err();
    assert!(matches!(error, EngineError::TooLarge(_)), "{error}");
    assert_eq!(desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs.len(), 0);
    let told = told(desk.workspace.turn(&long).await?).await;
    let replied = "openai/gpt-4o replied: Request 700 took 700 ms.";
    assert_eq!(told, ["done", replied, "openai/gpt-4o used expand_ref"]);
    let first = script.requests()[0].body.to_string();
    assert!(first.contains("the pump of dock 4 has failed with E-4711"), "{first}");
    assert!(!first.contains("request 700 took") && first.len() < 16_000, "{first}");
    assert!(whole.lock().unwrap().contains("INFO request 700 took 700 ms"));
    Ok(())
}

/// A log of some 20,000 tokens, in which one line says what is wrong.
fn long_log() -> String {
    let line = |n: i32| format!("INFO request {n} took {n} ms\n");
    let mut log: String = (0..1_200).map(line).collect();
    log.push_str("ERROR the pump of dock 4 has failed with E-4711\n");
    log.extend((1_200..2_400).map(line));
    log
}

/// What a turn tells of its dossiers, without an end of each that varies.
async fn warnings(mut stream: TurnStream) -> Vec<String> {
    let mut warnings = Vec::new();
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Dossier { model, warnings: own, .. } = &*event {
            warnings.extend(own.iter().map(|warning| format!("{model}: {warning}")));
        }
    }
    warnings
}

async fn a_long_text_that_was_pasted_into_a_question_is_shown_in_short(
    database: Database,
) -> Result<()> {
    let script = Script::start(["The pump.", "Of dock 4.", "The pump."].map(Reply::chat))?;
    let desk = desk(&database, &script).await?;
    let message = format!("What failed here?\n\n{}\nAnswer in one sentence.", long_log());
    let long = request(&desk, &message, &["openai/gpt-4o"]);
    assert_eq!(desk.workspace.forecast(&long).await?.models[0].problem, None);
    assert_eq!(desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs.len(), 0);
    let stream = desk.workspace.turn(&long).await?;
    let turn = stream.turn.clone();
    let refs = desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs;
    let [log] = refs.as_slice() else { panic!("{refs:?}") };
    let expected = format!(
        "openai/gpt-4o: there is no room for all of the question; it is shown in short, see {}",
        log.name
    );
    assert_eq!(warnings(stream).await, [expected]);
    let sent = |place: usize| {
        let body = script.requests()[place].body.clone();
        let messages = body["messages"].as_array().unwrap().clone();
        messages.last().unwrap()["content"].as_str().unwrap().to_owned()
    };
    let asked = sent(0);
    let begins = format!("What failed here?\n\n[in part; expand_ref {} for the rest]\n", log.name);
    assert!(asked.contains(&begins) && asked.ends_with("\nAnswer in one sentence."), "{asked}");
    assert!(asked.contains("the pump of dock 4 has failed with E-4711"), "{asked}");
    assert!(asked.len() < 9_000, "{}", asked.len());
    // The message is kept as it was written, and the ref holds what was pasted.
    assert_eq!(desk.workspace.messages(&turn.thread).await?[0].content, message);
    let name = log.name.to_string();
    let whole = desk.workspace.expand_ref(&name, &Default::default(), noon()).await?;
    assert_eq!(whole.text, long_log().trim_end());
    // The conversation goes on, and what is asked again is asked in short again.
    let thread = Some(turn.thread.clone());
    let next = TurnRequest { thread, ..request(&desk, "Which one?", &["openai/gpt-4o"]) };
    assert_eq!(warnings(desk.workspace.turn(&next).await?).await, [] as [String; 0]);
    assert!(script.requests()[1].body.to_string().contains("What failed here?"));
    told(desk.workspace.turn(&long).await?).await;
    let again = sent(2);
    assert!(again.ends_with(&asked), "{again}");
    assert_eq!(desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs.len(), 1);
    Ok(())
}

async fn what_a_preview_names_can_be_expanded(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let question = format!("What failed here?\n\n{}\nAnswer in one sentence.", long_log());
    let request = desk.request(&question);
    // A look that nobody keeps leaves nothing.
    desk.workspace.preview(&request).await?;
    assert_eq!(desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs.len(), 0);
    let dossier = desk.workspace.assemble_for(None, request, &[]).await?;
    let shown = &dossier.messages.last().unwrap().content;
    let names = dossier_core::refs::names(shown);
    let [name] = names.as_slice() else { panic!("{shown}") };
    let said =
        format!("there is no room for all of the question; it is shown in short, see {name}");
    assert_eq!(dossier.receipt.budget.warnings, [said]);
    let (name, now) = (name.to_string(), dossier_engine::now());
    let whole = desk.workspace.expand_ref(&name, &Default::default(), now).await?;
    assert_eq!(whole.text, long_log().trim_end());
    Ok(())
}

async fn those_with_room_for_a_long_question_get_all_of_it_and_others_a_part(
    database: Database,
) -> Result<()> {
    let script = Script::answering(|_| Reply::chat("The pump."))?;
    let desk = desk(&database, &script).await?;
    let message = format!("What failed here?\n\n{}", long_log());
    let mut both = request(&desk, &message, &["openai/gpt-4o", "openai/gpt-3.5-turbo"]);
    both.terms.profile = ProfileName::Project;
    let told = told(desk.workspace.turn(&both).await?).await;
    let replied =
        ["openai/gpt-3.5-turbo", "openai/gpt-4o"].map(|it| format!("{it} replied: The pump."));
    assert_eq!(told, ["done", replied[0].as_str(), replied[1].as_str()]);
    let mut lengths: Vec<(String, bool)> = script
        .requests()
        .iter()
        .map(|request| {
            let model = request.body["model"].as_str().unwrap().to_owned();
            (model, request.body.to_string().contains("request 777 took"))
        })
        .collect();
    lengths.sort();
    assert_eq!(lengths, [("gpt-3.5-turbo".to_owned(), false), ("gpt-4o".to_owned(), true)]);
    Ok(())
}

async fn texts_that_are_too_many_in_short_are_named_with_their_summaries(
    database: Database,
) -> Result<()> {
    let script = Script::start([Reply::chat("The third.")])?;
    let desk = desk(&database, &script).await?;
    // Errors are shown as they are, so that excerpts are long.
    let error = |dock: usize| format!("ERROR the pump of dock {dock} has failed with E-{dock}\n");
    let errors: String = (0..120).map(error).collect();
    let log = |n: usize| format!("INFO this is log {n}\n{errors}{}", long_log());
    let fenced: String = (1..=4).map(|n| format!("Log {n}:\n```\n{}```\n", log(n))).collect();
    let many = request(&desk, &format!("{fenced}Which is the oldest?"), &["openai/gpt-4o"]);
    told(desk.workspace.turn(&many).await?).await;
    let sent = script.requests()[0].body["messages"].to_string();
    assert_eq!(sent.matches("[in short; expand_ref ref:log:").count(), 4, "{sent}");
    for words in ["Log 1:", "Log 4:", "Which is the oldest?"] {
        assert!(sent.contains(words), "{words}: {sent}");
    }
    assert_eq!(desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs.len(), 4);
    Ok(())
}

async fn a_file_that_is_read_whole_is_shown_in_short_and_its_lines_as_they_are(
    database: Database,
) -> Result<()> {
    let read = |arguments: Value| calls(&[("read_project_file", arguments)]);
    let script = Script::start([
        read(json!({"path": "pump.log"})),
        read(json!({"path": "pump.log", "start_line": 1, "end_line": 1000})),
        Reply::chat("The pump."),
    ])?;
    let desk = desk(&database, &script).await?;
    desk.write("pump.log", long_log());
    desk.index().await?;
    let mut request = request(&desk, "What failed?", &["openai/gpt-5"]);
    request.terms.profile = ProfileName::Project;
    told(desk.workspace.turn(&request).await?).await;
    let result = |place: usize| {
        let body = script.requests()[place].body.clone();
        let messages = body["messages"].as_array().unwrap().clone();
        messages.last().unwrap()["content"].as_str().unwrap().to_owned()
    };
    let refs = desk.workspace.list_refs(None, None, None, 10, noon()).await?.refs;
    let [log] = refs.as_slice() else { panic!("{refs:?}") };
    let whole = result(1);
    let begins = format!("[in part; expand_ref {} for the rest]\n", log.name);
    assert!(whole.starts_with(&begins) && whole.contains("E-4711"), "{whole}");
    assert!(whole.len() < 9_000 && !whole.contains("request 777 took"), "{whole}");
    let kept =
        desk.workspace.expand_ref(&log.name.to_string(), &Default::default(), noon()).await?;
    assert_eq!(kept.text, long_log());
    let lines = result(2);
    assert!(lines.starts_with("pump.log, lines 1-1000 of 2401\nINFO request 0 took"), "{lines}");
    assert!(lines.contains("request 777 took"), "{lines}");
    Ok(())
}

async fn a_spent_budget_stops_and_a_nearly_spent_one_warns(database: Database) -> Result<()> {
    let script = Script::start(["One.", "Two."].map(Reply::chat))?;
    let desk = desk(&database, &script).await?;
    let set = async |limit: f64| {
        let now = dossier_engine::now();
        desk.workspace.set_config("budget.usd_per_day", &json!(limit), now).await
    };
    let now = dossier_engine::now();
    let ask = TurnRequest { now, ..request(&desk, "Count.", &["openai/gpt-4o"]) };
    told(desk.workspace.turn(&ask).await?).await;
    let spent: i64 = desk
        .workspace
        .usage(dossier_engine::UsageBy::Model, &UsageFilter::default())
        .await?
        .iter()
        .map(|sum| sum.cost)
        .sum();
    // 10 tokens in at $2.50 and 5 out at $10 a million.
    assert_eq!(spent, 75);
    set(85e-6).await?;
    let mut stream = desk.workspace.turn(&ask).await?;
    let mut warnings = Vec::new();
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Dossier { warnings: own, .. } = &*event {
            warnings.extend(own.clone());
        }
    }
    assert_eq!(warnings, ["88 % of the day's budget of $0.00 are spent"]);
    let error = desk.workspace.turn(&ask).await.unwrap_err().to_string();
    assert!(error.starts_with("the day's budget of $0.00 is spent"), "{error}");
    assert_eq!(script.requests().len(), 2);
    // What costs nothing goes on, alone or beside what costs something.
    for models in [vec!["builtin/extractive"], vec!["builtin/extractive", "openai/gpt-4o"]] {
        let models: Vec<String> = models.into_iter().map(str::to_owned).collect();
        let quoted = TurnRequest { models: models.clone(), ..ask.clone() };
        let told = told(desk.workspace.turn(&quoted).await?).await;
        assert!(told[0].starts_with("builtin/extractive replied: "), "{told:?}");
        let refused = ["openai/gpt-4o failed: over_budget"];
        assert_eq!(told[2..], refused[..models.len() - 1]);
    }
    assert_eq!(script.requests().len(), 2);
    Ok(())
}

async fn the_budget_of_the_machine_holds_for_all_owners_together(database: Database) -> Result<()> {
    let script = Script::start(["One.", "Two."].map(Reply::chat))?;
    let engine = engine(&database, &script).await?;
    let [local, ann] = [OwnerId::local(), "ann".into()].map(|owner| engine.owner(&owner));
    let now = dossier_engine::now();
    let mut asks = Vec::new();
    for workspace in [&local, &ann] {
        let project = workspace.project(Some("story"), now).await?;
        let folder = tempfile::tempdir()?;
        let desk = Desk { workspace: workspace.clone(), project, folder };
        asks.push(TurnRequest { now, ..request(&desk, "Count.", &["openai/gpt-4o"]) });
    }
    let key = "budget.usd_per_day";
    let refused = async |workspace: &dossier_engine::Workspace, ask: &TurnRequest| {
        workspace.turn(ask).await.unwrap_err().to_string()
    };
    // Her own budget is about what she spends herself.
    told(ann.turn(&asks[1]).await?).await;
    ann.set_config(key, &json!(1e-6), now).await?;
    let said = refused(&ann, &asks[1]).await;
    assert_eq!(said, "the day's budget of $0.00 is spent ($0.00); raise it, or wait for the next");
    told(local.turn(&asks[0]).await?).await;
    ann.unset_config(key).await?;
    // That of the machine is about both, and tells nobody else how much that is.
    local.set_config(key, &json!(140e-6), now).await?;
    assert!(refused(&local, &asks[0]).await.starts_with("the day's budget of $0.00 is spent"));
    let said = "the day's budget of this machine is spent; whoever runs it can raise it, or wait \
                for the next";
    assert_eq!(refused(&ann, &asks[1]).await, said);
    assert_eq!(script.requests().len(), 2);
    Ok(())
}

async fn a_session_of_very_many_tokens_is_told_so_and_goes_on(database: Database) -> Result<()> {
    let script = Script::start([
        Reply::chat_taking("One.", 60_000),
        Reply::chat_taking("Two.", 40_001),
        Reply::chat("Three."),
    ])?;
    let desk = desk(&database, &script).await?;
    let first = request(&desk, "Count.", &["openai/gpt-4o"]);
    let stream = desk.workspace.turn(&first).await?;
    let next = TurnRequest { thread: Some(stream.turn.thread.clone()), ..first };
    told(stream).await;
    told(desk.workspace.turn(&next).await?).await;
    let mut stream = desk.workspace.turn(&next).await?;
    let mut told = Vec::new();
    while let Some((_, event)) = stream.next().await {
        match &*event {
            TurnEvent::Dossier { warnings, .. } => told.extend(warnings.clone()),
            TurnEvent::Reply(replied) => told.push(replied.text.clone()),
            _ => {}
        }
    }
    let warning = "this conversation has taken 100001 tokens of input, more than 100000; a new one \
                   costs less, and finds what was said here";
    assert_eq!(told, [warning, "Three."]);
    let stats = desk.workspace.stats(&UsageFilter::default(), noon()).await?;
    let sessions: Vec<i64> = stats.long_sessions.iter().map(|sum| sum.input).collect();
    assert_eq!(sessions, [100_011]);
    Ok(())
}

async fn a_thread_is_given_a_title_and_a_summary(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let mut desk = desk(&database, &script).await?;
    // Without a provider the thread's own words do.
    desk.workspace = Engine::open(&database.url, Embedder::none()).await?.owner(&OwnerId::local());
    let first =
        request(&desk, "Where does the ferry leave from on Mondays?", &["builtin/extractive"]);
    let stream = desk.workspace.turn(&first).await?;
    let thread = stream.turn.thread.clone();
    told(stream).await;
    for round in 2..=10 {
        let message = format!("And on day {round}?");
        let next = TurnRequest { thread: Some(thread.clone()), message, ..first.clone() };
        told(desk.workspace.turn(&next).await?).await;
    }
    assert_eq!(desk.workspace.work_off().await?, 2);
    assert_eq!(desk.workspace.work_off().await?, 0);
    let thread = desk.workspace.thread(&desk.project.id, thread.as_str()).await?;
    assert_eq!(thread.title.as_deref(), Some("Where does the ferry leave from on Mondays?"));
    let later = (2..=10).map(|round| format!(" · And on day {round}?")).collect::<String>();
    let summary = format!("Asked: Where does the ferry leave from on Mondays?{later}");
    assert_eq!(thread.summary, Some(summary));
    assert_eq!(thread.context_state["summary_rounds"], json!([1, 10]));
    Ok(())
}

async fn a_branch_goes_on_from_any_message(database: Database) -> Result<()> {
    let script = Script::start(["One.", "Two.", "Three."].map(Reply::chat))?;
    let desk = desk(&database, &script).await?;
    let first = request(&desk, "Count.", &["openai/gpt-4o"]);
    let stream = desk.workspace.turn(&first).await?;
    let thread = stream.turn.thread.clone();
    told(stream).await;
    let both = &["openai/gpt-4o", "openai/gpt-4.1"];
    let second = TurnRequest { thread: Some(thread.clone()), ..request(&desk, "On.", both) };
    told(desk.workspace.turn(&second).await?).await;
    let messages = desk.workspace.messages(&thread).await?;
    assert_eq!(messages.len(), 5);
    let branch = desk.workspace.branch(&thread, &messages[4].id, noon()).await?;
    let expected: Vec<String> = [0, 1, 2, 4]
        .map(|place: usize| format!("{}: {}", messages[place].speaker, messages[place].content))
        .to_vec();
    assert_eq!(said(&desk, branch.id.as_str()).await?, expected);
    assert_eq!(branch.round_count, 2);
    let copies = desk.workspace.messages(&branch.id).await?;
    assert_eq!(copies[3].parent.as_ref(), Some(&copies[2].id));
    assert_eq!(desk.workspace.messages(&thread).await?, messages);
    // What the model of a reply was given is known in the branch as well.
    let given = desk.workspace.receipt_of(&messages[4].id).await?;
    assert_eq!(desk.workspace.receipt_of(&copies[3].id).await?, given);
    assert!(desk.workspace.receipt_of(&copies[2].id).await.is_err());
    let page = desk.workspace.messages_from(&branch.id, 0, 10).await?;
    assert_eq!(page.notes[&copies[3].id].receipt.as_ref(), Some(&given.id));
    assert!(desk.workspace.branch(&branch.id, &messages[0].id, noon()).await.is_err());
    let before = desk.workspace.branch_before(&thread, &messages[2].id, noon()).await?;
    let expected: Vec<String> = messages[..2]
        .iter()
        .map(|message| format!("{}: {}", message.speaker, message.content))
        .collect();
    assert_eq!(said(&desk, before.id.as_str()).await?, expected);
    assert!(desk.workspace.branch_before(&thread, &messages[0].id, noon()).await.is_err());
    Ok(())
}

async fn a_forecast_tells_what_a_turn_would_take(database: Database) -> Result<()> {
    let script = Script::start([])?;
    let desk = desk(&database, &script).await?;
    for quay in 1..4 {
        desk.write(&format!("{quay}.md"), format!("The ferry leaves from quay {quay}. ").repeat(9));
    }
    desk.index().await?;
    let mut request = request(&desk, "Where does the ferry leave?", &["openai/gpt-4o"]);
    request.terms.budget = Some(200);
    let forecast = desk.workspace.forecast(&request).await?;
    let model = &forecast.models[0];
    assert_eq!((model.model.as_str(), model.limit, model.window), ("openai/gpt-4o", 200, 128_000));
    assert!(model.tokens <= 200 && model.cost.is_some_and(|cost| cost > 0.0), "{model:?}");
    assert_eq!(model.left_out.last().unwrap().source, "3.md:1-1", "{model:?}");
    assert_eq!(model.alternatives[0].model, "openai/gpt-5-nano");
    // A word of the question is no reason.
    desk.write("budget.md", "The budget of the year.");
    desk.write("more.md", format!("{}budget", "Other words stand here. ".repeat(200)));
    desk.index().await?;
    request.message = "budget".to_owned();
    request.terms.budget = Some(3_000);
    let model = desk.workspace.forecast(&request).await?.models.remove(0);
    assert_eq!(model.left_out, [], "{model:?}");
    request.terms.budget = Some(20);
    let problem = desk.workspace.forecast(&request).await?.models[0].problem.clone();
    assert!(problem.is_some_and(|problem| problem.contains("the budget is 20")));
    assert_eq!(desk.workspace.threads(&desk.project.id).await?, []);
    assert_eq!(script.requests().len(), 0);
    Ok(())
}

async fn a_rebuilt_index_finds_replies_by_the_question_they_answer(
    database: Database,
) -> Result<()> {
    let script = Script::start(["At the quay.", "By the water."].map(Reply::chat))?;
    let desk = desk(&database, &script).await?;
    let both = &["openai/gpt-4o", "openai/gpt-4.1"];
    told(desk.workspace.turn(&request(&desk, "Where is the walrus?", both)).await?).await;
    let found = desk.places("walrus").await?;
    assert_eq!(found.len(), 3, "{found:?}");
    desk.workspace.rebuild(&desk.project.id, &Silent).await?;
    assert_eq!(desk.places("walrus").await?, found);
    Ok(())
}

async fn a_question_that_is_asked_again_is_not_learned_again(database: Database) -> Result<()> {
    let script = Script::start([unfinished(), Reply::chat("At the quay.")])?;
    let desk = desk(&database, &script).await?;
    let question = "We chose Redis for the queue. Is it well?";
    let mut stream = desk.workspace.turn(&request(&desk, question, &["openai/gpt-4o"])).await?;
    let turn = stream.turn.clone();
    until_it_speaks(&mut stream).await;
    let known = async || -> Result<Vec<FactShown>> {
        let all = FactFilter::default();
        Ok(desk.workspace.list_facts(&all, None, 9, noon()).await?.facts)
    };
    assert_eq!(known().await?, []);
    // What a process left in the middle is learned from by the next.
    let elsewhere = Engine::open(&database.url, Embedder::none()).await?;
    let later = Timestamp::from_millis(dossier_engine::now().as_millis() + 60_000);
    assert_eq!(elsewhere.owner(&OwnerId::local()).recover_turns(later).await?, 1);
    let learned = known().await?;
    assert_eq!(learned.len(), 1);
    desk.workspace.cancel_turn(&turn.id).await?;
    told(stream).await;
    desk.workspace.forget_fact(&learned[0].fact.id, noon()).await?;
    let again = desk.workspace.retry_turn(&turn.id, &[], later).await?;
    assert_eq!(told(again).await, ["done", "openai/gpt-4o replied: At the quay."]);
    assert_eq!(known().await?, []);
    Ok(())
}

async fn a_question_that_nobody_answered_calls_for_no_title(database: Database) -> Result<()> {
    let refused = Reply::json(401, &json!({"error": {"message": "no such key"}}));
    let script = Script::start([refused, Reply::chat("Yes."), Reply::chat("Walruses")])?;
    let desk = desk(&database, &script).await?;
    let stream = desk.workspace.turn(&request(&desk, "Is it well?", &["gpt-4o"])).await?;
    let turn = stream.turn.clone();
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o failed: key_refused"]);
    assert_eq!(desk.workspace.work_off().await?, 0);
    assert_eq!(script.requests().len(), 1);
    // It is asked for when somebody has answered after all.
    let stream = desk.workspace.retry_turn(&turn.id, &[], noon()).await?;
    assert_eq!(told(stream).await, ["done", "openai/gpt-4o replied: Yes."]);
    assert_eq!(desk.workspace.work_off().await?, 1);
    assert_eq!(desk.workspace.thread_by_id(&turn.thread).await?.title.as_deref(), Some("Walruses"));
    Ok(())
}

async fn reported_usage_corrects_the_count_of_the_next_turn(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("Yes."), Reply::chat("No."), Reply::chat("Well.")])?;
    let desk = desk(&database, &script).await?;
    let long = "Does the walrus eat clams, or does it not? ".repeat(80);
    let counted_by = async |message: &str, model: &str| -> Result<String> {
        let mut stream = desk.workspace.turn(&request(&desk, message, &[model])).await?;
        let mut receipt = None;
        while let Some((_, event)) = stream.next().await {
            if let TurnEvent::Dossier { receipt: id, .. } = &*event {
                receipt = Some(id.clone());
            }
        }
        Ok(desk.workspace.receipt(&receipt.unwrap()).await?.budget.counted_by)
    };
    let claude = "openai/claude-sonnet-4";
    assert_eq!(desk.workspace.token_factors().await?, BTreeMap::new());
    assert_eq!(counted_by(&long, claude).await?, "estimate:claude@130");
    // The provider reported far fewer: an eighth of the way to the lower bound of 80.
    let learned = BTreeMap::from([("claude".to_owned(), Factor { percent: 123, reports: 1 })]);
    assert_eq!(desk.workspace.token_factors().await?, learned);
    assert_eq!(counted_by("Short.", claude).await?, "estimate:claude@123");
    assert_eq!(desk.workspace.token_factors().await?, learned, "a short text tells nothing");
    assert_eq!(counted_by(&long, "gpt-4o").await?, "o200k");
    assert_eq!(desk.workspace.token_factors().await?, learned);
    let request = desk.request("Is it so?");
    let request = dossier_engine::AssembleRequest { model: Some(claude.to_owned()), ..request };
    let once = desk.workspace.assemble(&request).await?;
    assert_eq!(once.receipt.budget.counted_by, "estimate:claude@123");
    assert_eq!(desk.workspace.assemble(&request).await?.messages, once.messages);
    Ok(())
}
