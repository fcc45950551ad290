//! The door as the protocol's inspector sees it, over both ways, each in another era.

use crate::desk::Desk;
use crate::mcp::{TOOLS, desk, installed, newer_node, ways};
use crate::served::Served;
use serde_json::{Value, json};

/// What the inspector prints when it is told to call a method.
fn inspected(desk: &Desk, server: &[String], call: &[&str]) -> Value {
    let inspector = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    let mut command = newer_node();
    command.arg(installed().join(inspector)).arg("--cli").args(server).args(call);
    let output = command.env("HOME", desk.home()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"))
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[test]
fn the_inspector_lists_everything_and_calls_a_tool_of_each_set() {
    let desk = desk();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    for (way, era) in ways(&desk, &served).into_iter().zip(["legacy", "modern"]) {
        let method = |method, rest: &[&str]| {
            let call = [&["--protocol-era", era, "--method", method], rest].concat();
            inspected(&desk, &way, &call)
        };
        assert_eq!(names(&method("tools/list", &["--strict"])["tools"]), TOOLS);
        let resources = method("resources/list", &[]);
        let personas = ["contexts", "personality-presets", "personality-templates"];
        assert_eq!(names(&resources["resources"]), personas);
        let uri = "mcp-llm-generator://personality-presets";
        let read = method("resources/read", &["--uri", uri])["contents"][0].take();
        assert_eq!((&read["uri"], &read["mimeType"]), (&json!(uri), &json!("application/json")));
        let presets: Value = serde_json::from_str(read["text"].as_str().unwrap()).unwrap();
        assert_eq!(presets["totalCount"], 6);
        let prompts = method("prompts/list", &[]);
        assert_eq!(names(&prompts["prompts"]), ["context-summary", "personality-creator"]);
        let arguments = r#"{"path": "notes.md", "start_line": 2}"#;
        let read = ["--tool-name", "read_project_file", "--tool-args-json", arguments];
        assert_eq!(
            method("tools/call", &read)["structuredContent"],
            json!({
                "path": "notes.md", "start_line": 2, "end_line": 2, "lines": 2,
                "text": "It wakes at nine.\n",
            })
        );
        let called = |tool, arguments: &Value| {
            let arguments = arguments.to_string();
            let call = ["--tool-name", tool, "--tool-args-json", &arguments];
            method("tools/call", &call)["structuredContent"].take()
        };
        let presets = called("personality-preset-manage", &json!({"action": "list"}));
        assert_eq!(presets["totalCount"], 6);
        let ferry = "The ferry to the island leaves at nine.";
        let kept = called("remember", &json!({"text": ferry, "kind": "fact"}));
        assert_eq!(kept["fact"]["text"], ferry);
        let sessions = called("consult_sessions", &json!({"action": "list"}));
        assert_eq!(sessions, json!({"sessions": []}));
    }
}
