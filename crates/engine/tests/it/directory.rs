//! Tools by name: what a lean model is told of them, and how their schemas come to it.

use crate::database::Database;
use crate::desk::{Desk, noon, rendered};
use crate::turn::{calls, desk, engine, request, told};
use anyhow::Result;
use dossier_core::chat::{Format, ToolSpec};
use dossier_core::id::OwnerId;
use dossier_core::profile::ProfileName;
use dossier_core::render::WireRole;
use dossier_engine::{AssembleRequest, Brought, Dossier, TurnRequest};
use dossier_testkit::{Provider as Script, Reply, Request};
use serde_json::{Value, json};

stories! {
    a_lean_model_loads_a_tool_by_its_name_and_uses_it,
    a_tool_that_is_called_by_its_name_alone_is_run_and_its_schema_follows,
    most_schemas_come_when_there_is_something_to_use_them_for,
    a_name_that_no_tool_has_is_answered_with_those_there_are,
    a_model_that_loads_without_end_must_answer,
    only_who_can_use_them_is_told_of_tools,
    without_files_the_rest_of_what_was_cut_can_be_had_at_once,
    the_directory_is_the_same_from_turn_to_turn_and_counted,
}

const NAMED: [&str; 4] =
    ["read_project_file", "list_project_files", "search_project", "expand_ref"];

/// The names of the tools in a request.
fn offered(request: &Request) -> Vec<String> {
    let tools = request.body["tools"].as_array().into_iter().flatten();
    tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

/// What tools gave in all.
fn results(request: &Request) -> Vec<String> {
    let messages = request.body["messages"].as_array().unwrap().iter();
    let results = messages.filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

fn load(name: &str) -> Reply {
    calls(&[("load_tool", json!({ "name": name }))])
}

fn system(request: &Request) -> &Value {
    &request.body["messages"][0]["content"]
}

async fn ferry(database: &Database, script: &Script) -> Result<Desk> {
    let desk = desk(database, script).await?;
    desk.write("docs/ferry.md", "# Ferry\nThe departure is from quay 7.\nNot on Mondays.\n");
    desk.index().await?;
    Ok(desk)
}

async fn a_lean_model_loads_a_tool_by_its_name_and_uses_it(database: Database) -> Result<()> {
    let read = json!({"path": "docs/ferry.md", "start_line": 3, "end_line": 3});
    let script = Script::start([
        load("read_project_file"),
        calls(&[("read_project_file", read)]),
        Reply::chat("Not on Mondays."),
        Reply::chat("Still not."),
    ])?;
    let engine = engine(&database, &script).await?;
    let workspace = engine.owner(&OwnerId::local());
    let project = workspace.project(Some("story"), noon()).await?;
    let desk = Desk { workspace, project, folder: tempfile::tempdir()? };
    desk.write("docs/ferry.md", "# Ferry\nThe departure is from quay 7.\nNot on Mondays.\n");
    desk.index().await?;
    let stream = desk.workspace.turn(&request(&desk, "Which days?", &["openai/gpt-5"])).await?;
    let thread = stream.turn.thread.clone();
    let replied = "openai/gpt-5 replied: Not on Mondays.";
    let used = ["openai/gpt-5 used load_tool", "openai/gpt-5 used read_project_file"];
    assert_eq!(told(stream).await, ["done", replied, used[0], used[1]]);

    let requests = script.requests();
    let tools: Vec<Vec<String>> = requests.iter().map(offered).collect();
    let loaded = ["load_tool", "read_project_file"];
    assert_eq!(tools, [&loaded[..1], &loaded, &loaded]);
    let schema = &results(&requests[1])[0];
    assert!(schema.starts_with("read_project_file can be called now."), "{schema}");
    assert!(schema.contains("start_line"), "{schema}");
    assert_eq!(results(&requests[2])[1], "docs/ferry.md, lines 3-3 of 3\nNot on Mondays.\n");
    let header = system(&requests[0]).as_str().unwrap();
    let line = "\n- read_project_file: Reads a file of the project, or some of its lines\n";
    assert!(header.contains(line) && !header.contains("start_line"), "{header}");
    let uses = engine.figures().tool_uses;
    assert_eq!((uses["first"], uses["lazy"]), (0, 1));

    let reply = desk.workspace.messages(&thread).await?.pop().unwrap();
    let receipt = desk.workspace.receipt_of(&reply.id).await?;
    assert_eq!(receipt.tools[0], "load_tool");
    assert_eq!(receipt.tools[1..], NAMED);
    assert_eq!(receipt.lazy_tools, NAMED);
    assert_eq!(receipt.tool_server.as_deref(), Some("dossier"));

    let next = TurnRequest { thread: Some(thread), ..request(&desk, "Sure?", &["openai/gpt-5"]) };
    told(desk.workspace.turn(&next).await?).await;
    let requests = script.requests();
    assert_eq!(system(&requests[0]), system(&requests[3]));
    assert_eq!(offered(&requests[3]), ["load_tool"]);
    Ok(())
}

async fn a_tool_that_is_called_by_its_name_alone_is_run_and_its_schema_follows(
    database: Database,
) -> Result<()> {
    let script = Script::start([
        calls(&[("list_project_files", json!({})), ("search_project", json!({"words": "quay"}))]),
        Reply::chat("One."),
    ])?;
    let desk = ferry(&database, &script).await?;
    told(desk.workspace.turn(&request(&desk, "How many?", &["openai/gpt-5"])).await?).await;
    let last = &script.requests()[1];
    assert_eq!(offered(last), ["load_tool", "list_project_files", "search_project"]);
    let results = results(last);
    assert_eq!(results[0], "1 files\ndocs/ferry.md (54 bytes)\n");
    assert!(results[1].starts_with("the arguments of search_project do not fit"), "{results:?}");
    Ok(())
}

async fn most_schemas_come_when_there_is_something_to_use_them_for(
    database: Database,
) -> Result<()> {
    let read = || calls(&[("read_project_file", json!({"path": "docs/ferry.md"}))]);
    let script = Script::start([
        load("read_project_file"),
        read(),
        Reply::chat("Not on Mondays."),
        calls(&[("search_project", json!({"query": "quay"}))]),
        read(),
        Reply::chat("From quay 7."),
        Reply::chat("Yes."),
        read(),
        Reply::chat("One."),
    ])?;
    let engine = engine(&database, &script).await?;
    let workspace = engine.owner(&OwnerId::local());
    let project = workspace.project(Some("story"), noon()).await?;
    let desk = Desk { workspace, project, folder: tempfile::tempdir()? };
    desk.write("docs/ferry.md", "# Ferry\nThe departure is from quay 7.\nNot on Mondays.\n");
    desk.index().await?;
    let mut thread = None;
    for message in ["Which days?", "From where?", "Sure?"] {
        let ask = request(&desk, message, &["openai/gpt-5"]);
        let stream = desk.workspace.turn(&TurnRequest { thread, ..ask }).await?;
        thread = Some(stream.turn.thread.clone());
        told(stream).await;
    }
    // A model with room for them is given them at once.
    let mut ask = request(&desk, "How many?", &["openai/gpt-5"]);
    ask.terms.profile = ProfileName::Project;
    told(desk.workspace.turn(&ask).await?).await;
    let uses = engine.figures().tool_uses;
    assert_eq!((uses["first"], uses["lazy"]), (1, 3));
    assert!(uses["lazy"] * 10 >= (uses["first"] + uses["lazy"]) * 7);
    assert_eq!(script.requests().len(), 9);
    Ok(())
}

async fn a_name_that_no_tool_has_is_answered_with_those_there_are(
    database: Database,
) -> Result<()> {
    let script = Script::start([load("sail"), Reply::chat("I cannot.")])?;
    let desk = ferry(&database, &script).await?;
    told(desk.workspace.turn(&request(&desk, "Sail!", &["openai/gpt-5"])).await?).await;
    let last = &script.requests()[1];
    assert_eq!(offered(last), ["load_tool"]);
    let expected = format!("there is no tool `sail`; there are {}", NAMED.join(", "));
    assert_eq!(results(last), [expected]);
    Ok(())
}

async fn a_model_that_loads_without_end_must_answer(database: Database) -> Result<()> {
    let loads = std::iter::repeat_with(|| load("expand_ref")).take(8);
    let script = Script::start(loads.chain([Reply::chat("Enough.")]))?;
    let desk = ferry(&database, &script).await?;
    let told = told(desk.workspace.turn(&request(&desk, "Go on.", &["openai/gpt-5"])).await?).await;
    assert_eq!((told.len(), told[1].as_str()), (10, "openai/gpt-5 replied: Enough."));
    let last = &script.requests()[8];
    assert_eq!(last.body["tool_choice"], "none");
    assert_eq!(offered(last), ["load_tool", "expand_ref"]);
    Ok(())
}

async fn only_who_can_use_them_is_told_of_tools(database: Database) -> Result<()> {
    let own = ToolSpec {
        name: "sail".to_owned(),
        description: "Sails.".to_owned(),
        schema: json!({"type": "object", "properties": {}}),
        strict: None,
    };
    let brought = Brought { tools: vec![own], ..Brought::default() };
    let format = Format { name: "days".to_owned(), schema: json!({"type": "object"}) };
    let script = Script::start((0..5).map(|_| Reply::chat("Aye.")))?;
    let desk = ferry(&database, &script).await?;
    let ask = |model: &str| request(&desk, "Which days?", &[model]);
    let mut bringing = ask("openai/gpt-5");
    bringing.terms.brought = Some(brought);
    let mut formatted = ask("openai/gpt-5");
    formatted.terms.options.format = Some(format);
    let empty = desk.workspace.project(Some("empty"), noon()).await?;
    let elsewhere = TurnRequest { project: empty, ..ask("openai/gpt-5") };
    for (request, expected) in [
        (ask("openai/gpt-5"), &["load_tool"][..]),
        (ask("openai/gpt-4o-mini"), &["load_tool"]),
        (bringing, &["sail"]),
        (formatted, &[]),
        (elsewhere, &[]),
    ] {
        told(desk.workspace.turn(&request).await?).await;
        let sent = script.requests().pop().unwrap();
        assert_eq!(offered(&sent), expected);
        let names_tools = system(&sent).to_string().contains("Tools, by name");
        assert_eq!(names_tools, expected == ["load_tool"], "{expected:?}");
    }
    Ok(())
}

async fn without_files_the_rest_of_what_was_cut_can_be_had_at_once(
    database: Database,
) -> Result<()> {
    let long = |number: usize| {
        let sentence = format!("Pier {number} is closed on the day of the regatta. ");
        sentence.repeat(60)
    };
    let replies = (0..8).map(|number| Reply::chat(&long(number)));
    let script = Script::start(replies.chain([Reply::chat("At pier 1.")]))?;
    let desk = desk(&database, &script).await?;
    let mut thread = None;
    for number in 0..8 {
        let ask = request(&desk, &format!("What of pier {number}?"), &["openai/gpt-5"]);
        let stream = desk.workspace.turn(&TurnRequest { thread, ..ask }).await?;
        thread = Some(stream.turn.thread.clone());
        told(stream).await;
    }
    let requests = script.requests();
    assert_eq!(offered(&requests[0]), [""; 0]);
    assert_eq!(offered(&requests[7]), ["expand_ref"]);
    Ok(())
}

async fn the_directory_is_the_same_from_turn_to_turn_and_counted(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let header = |dossier: &Dossier| dossier.messages[0].content.clone();
    let request = AssembleRequest { model: None, ..desk.request("Which days?") };
    let without = desk.workspace.assemble(&request).await?;
    desk.write("ferry.md", "Not on Mondays.");
    desk.index().await?;
    let first = desk.workspace.assemble(&request).await?;
    let named = "and what of ref:log:000000000000?".to_owned();
    let second =
        desk.workspace.assemble(&AssembleRequest { question: named, ..request.clone() }).await?;
    assert_eq!(first.messages[0].role, WireRole::System);
    assert_eq!(header(&first), header(&second));
    assert!(rendered(&first).contains("- search_project: Finds passages"));
    let sections = |dossier: &Dossier| dossier.receipt.budget.sections.values().sum::<u32>();
    assert!(sections(&first) >= sections(&without) + 50);
    assert_eq!(first.receipt.budget.limit, 3_000);
    Ok(())
}
