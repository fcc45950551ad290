//! What a project can do without, and what a model is sent then.

use crate::database::Database;
use crate::desk::{Desk, noon, rendered};
use crate::turn::{calls, desk, request, told};
use anyhow::Result;
use dossier_core::profile::ProfileName;
use dossier_engine::ProjectChange;
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};

stories! {
    the_header_names_tools_unless_the_project_does_without,
    large_results_come_in_short_unless_the_project_does_without,
    schemas_come_when_they_are_of_use_unless_all_are_wanted,
    answers_are_kept_where_the_project_says_so,
    other_flags_and_other_values_are_refused,
}

async fn set(desk: &mut Desk, settings: Value) -> Result<()> {
    let settings = settings.as_object().cloned();
    let change = ProjectChange { settings, ..ProjectChange::default() };
    desk.project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
    Ok(())
}

async fn the_header_names_tools_unless_the_project_does_without(database: Database) -> Result<()> {
    let lines = "- search_project: Finds passages in the project's files and conversations";
    for (settings, named, lazy, offered) in [
        (json!({}), &ALL[..], &ALL[..], &["load_tool"][..]),
        (json!({"enable_lazy_schemas": false}), &ALL, &[], &ALL),
        (json!({"use_tool_directory": false}), &[], &[], &READING),
        (json!({"use_tool_directory": false, "enable_lazy_schemas": false}), &[], &[], &ALL),
    ] {
        let script = Script::start([Reply::chat("At the quay.")])?;
        let mut desk = desk(&database, &script).await?;
        set(&mut desk, settings.clone()).await?;
        desk.write("boat.md", "The boat lies at the quay.");
        desk.index().await?;
        let dossier = desk.workspace.assemble(&desk.request("Where?")).await?;
        assert_eq!(rendered(&dossier).contains(lines), !named.is_empty(), "{settings}");
        assert_eq!(dossier.receipt.tools, named, "{settings}");
        assert_eq!(dossier.receipt.lazy_tools, lazy, "{settings}");
        told(desk.workspace.turn(&request(&desk, "Where?", &["openai/gpt-5"])).await?).await;
        let body = &script.requests()[0].body;
        let tools = body["tools"].as_array().unwrap().iter();
        let tools: Vec<&str> =
            tools.map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
        assert_eq!(tools, offered, "{settings}");
        assert_eq!(body["messages"][0]["content"].to_string().contains(lines), !named.is_empty());
    }
    Ok(())
}

/// The tools that were offered, and what the one that was called gave, in each request of a turn in
/// which a model lists a project of many files.
async fn listed(database: &Database, settings: Value) -> Result<Vec<(Vec<String>, String)>> {
    let list = || calls(&[("list_project_files", json!({}))]);
    let script = Script::start([list(), Reply::chat("Many.")])?;
    let mut desk = desk(database, &script).await?;
    set(&mut desk, settings).await?;
    for number in 0..150 {
        desk.write(&format!("manuscript/chapter-{number}-of-the-long-book.md"), "Words.");
    }
    desk.index().await?;
    let mut question = request(&desk, "Which chapters?", &["openai/gpt-5"]);
    question.terms.profile = ProfileName::Project;
    told(desk.workspace.turn(&question).await?).await;
    let seen = |body: &Value| {
        let tools = body["tools"].as_array().unwrap().iter();
        let tools = tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned());
        let messages = body["messages"].as_array().unwrap();
        let result = messages.iter().find(|message| message["role"] == "tool");
        let result = result.map_or("", |message| message["content"].as_str().unwrap());
        (tools.collect(), result.to_owned())
    };
    Ok(script.requests().iter().map(|request| seen(&request.body)).collect())
}

const READING: [&str; 3] = ["read_project_file", "list_project_files", "search_project"];
const ALL: [&str; 4] = ["read_project_file", "list_project_files", "search_project", "expand_ref"];

async fn large_results_come_in_short_unless_the_project_does_without(
    database: Database,
) -> Result<()> {
    let on = listed(&database, json!({})).await?;
    assert!(on[1].1.contains("ref:") && !on[1].1.contains("chapter-77-"), "{}", on[1].1);
    let off = listed(&database, json!({"enable_cas_refs": false})).await?;
    assert!(!off[1].1.contains("ref:") && off[1].1.contains("chapter-77-"), "{}", off[1].1);
    assert!(off[1].1.len() > 3 * on[1].1.len());
    assert_eq!(off[1].0, READING);
    Ok(())
}

async fn schemas_come_when_they_are_of_use_unless_all_are_wanted(database: Database) -> Result<()> {
    let on = listed(&database, json!({})).await?;
    assert_eq!(
        (&on[0].0[..], &on[1].0[..]),
        (&READING.map(String::from)[..], &ALL.map(String::from)[..])
    );
    let off = listed(&database, json!({"enable_lazy_schemas": false})).await?;
    assert_eq!(
        (&off[0].0[..], &off[1].0[..]),
        (&ALL.map(String::from)[..], &ALL.map(String::from)[..])
    );
    Ok(())
}

async fn answers_are_kept_where_the_project_says_so(database: Database) -> Result<()> {
    for (settings, asked) in [
        (json!({}), 2),
        (json!({"enable_semantic_cache": false}), 2),
        (json!({"enable_semantic_cache": true}), 1),
    ] {
        let script = Script::start(["At the quay.", "At the quay."].map(Reply::chat))?;
        let mut desk = desk(&database, &script).await?;
        set(&mut desk, settings.clone()).await?;
        desk.write("boat.md", "The boat lies at the quay.");
        desk.index().await?;
        for _ in 0..2 {
            let question = request(&desk, "Where is the boat?", &["openai/gpt-4o"]);
            told(desk.workspace.turn(&question).await?).await;
        }
        assert_eq!(script.requests().len(), asked, "{settings}");
    }
    Ok(())
}

async fn other_flags_and_other_values_are_refused(database: Database) -> Result<()> {
    let mut desk = Desk::new(&database).await?;
    let known = "use_tool_directory, enable_facts_ledger, enable_cas_refs, enable_lazy_schemas, \
                 enable_semantic_cache, extract_facts_with_model";
    for (settings, expected) in [
        (
            json!({"enable_magic": true}),
            format!("there is no flag `enable_magic`; there are {known}"),
        ),
        (json!({"use_tools": true}), format!("there is no flag `use_tools`; there are {known}")),
        (json!({"enable_cas_refs": "no"}), "enable_cas_refs is true or false".to_owned()),
        (json!({"use_tool_directory": 1}), "use_tool_directory is true or false".to_owned()),
        (
            json!({"extract_facts_with_model": null}),
            "extract_facts_with_model is true or false".to_owned(),
        ),
    ] {
        let error = set(&mut desk, settings).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(desk.workspace.project_by_id(&desk.project.id).await?.settings, json!({}));
    Ok(())
}
