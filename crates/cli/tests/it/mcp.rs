//! The MCP door with the protocol's own clients, over both ways and in both eras.

use crate::desk::Desk;
use crate::served::{Served, send};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TOOLS: [&str; 10] = [
    "assemble_context",
    "chat_with_builtin",
    "consult_sessions",
    "context-chat",
    "context-manage",
    "conversation-manage",
    "list_project_files",
    "personality-preset-manage",
    "read_project_file",
    "search_project",
];

/// Where the clients were installed.
fn installed() -> PathBuf {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.test/clients");
    assert!(home.join("installed").is_file(), "MCP's clients are missing: scripts/clients");
    home.canonicalize().unwrap()
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

/// A desk with one indexed note.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("src/notes.md", "The walrus sleeps on the pier.\nIt wakes at nine.\n");
    desk.dossier(&["index", desk.path("src").to_str().unwrap()]).ok();
    desk
}

/// What a client that is given these arguments tells.
fn told(client: &mut Command, server: &[String]) -> Value {
    let output = client.args(server).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"))
}

/// The command that a client starts, and the URL of a server.
fn ways(desk: &Desk, served: &Served) -> [Vec<String>; 2] {
    let data = desk.home().join(".local/share/dossier").to_str().unwrap().to_owned();
    let root = desk.path("src").to_str().unwrap().to_owned();
    let command =
        [env!("CARGO_BIN_EXE_dossier"), "--quiet", "--data", &data, "mcp", "--root", &root];
    [command.map(str::to_owned).to_vec(), vec![format!("http://{}/mcp", served.address)]]
}

#[test]
fn the_python_client_lists_and_calls_everything_in_both_eras() {
    let desk = desk();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    for way in ways(&desk, &served) {
        for (era, revision) in
            [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
        {
            let mut client = Command::new(installed().join("python/bin/python"));
            client.arg(program("mcp_client.py")).arg(era);
            let mut told = told(client.env("DOSSIER_TEST_FOLDER", desk.path("src")), &way);
            assert_eq!(told["revision"], revision);
            assert_eq!(told["tools"], json!(TOOLS));
            assert_eq!(told["described"], true);
            let passage = "The walrus sleeps on the pier. It wakes at nine.";
            let hit = &told["search"]["fields"]["hits"][0];
            assert_eq!((&hit["source"], &hit["text"]), (&json!("notes.md:1-2"), &json!(passage)));
            assert_eq!(
                told["read"].take(),
                json!({
                    "failed": false,
                    "text": "notes.md, lines 1-1 of 2\nThe walrus sleeps on the pier.\n",
                    "fields": {
                        "path": "notes.md", "start_line": 1, "end_line": 1, "lines": 2,
                        "text": "The walrus sleeps on the pier.\n",
                    },
                })
            );
            let list = json!({"files": [{"path": "notes.md", "bytes": 49}], "total": 1});
            assert_eq!(told["list"]["fields"], list);
            let question = &told["assemble"]["fields"]["working_set"][0]["content"];
            assert!(question.as_str().unwrap().ends_with("Where does the walrus sleep?"));
            for (call, mend) in [
                ("wrong arguments", "invalid type: integer `7`, expected a string"),
                ("unknown file", "../secret is not a valid path"),
            ] {
                assert_eq!(told[call]["failed"], true);
                let text = told[call]["text"].as_str().unwrap();
                assert!(text.contains(mend), "{text}");
            }
            assert_eq!(told["unknown tool"], -32602);
            let outside = told["consult"]["outside"].take();
            assert!(outside.as_str().unwrap().contains("/etc/hostname"), "{outside}");
            match way.len() {
                // The server was started without a folder that may be read.
                1 => {
                    let refused = told["consult"]["counts"][0].as_str().unwrap();
                    assert!(refused.contains("--root"), "{refused}");
                }
                _ => assert_eq!(
                    told["consult"],
                    json!({"counts": [[1, 0], [0, 1], [1, 0]], "inline": 1, "outside": null})
                ),
            }
            let unknown = told["persona"]["unknown"].take();
            assert_eq!(unknown[0], true);
            assert!(unknown[1].as_str().unwrap().contains("`Ada`"), "{unknown}");
            assert_eq!(
                told["persona"].take(),
                json!({
                    "presets": 6, "temperature": 0.0, "expiry days": 14,
                    "asked": "Are you calm?", "answered": true, "said": ["user", "assistant"],
                    "wrong": "systemPrompt: is missing; say who the persona is and how it behaves; \
                              name: has 1 to 200 characters on one line; temperature: is a number \
                              from 0 to 1; maxTokens: is a whole number from 1 to 2000000",
                    "cleared": 2, "gone": true, "unknown": null,
                })
            );
        }
    }
}

#[test]
fn both_javascript_clients_list_and_call() {
    let desk = desk();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    for way in ways(&desk, &served) {
        for version in ["v1", "v2"] {
            let mut client = Command::new("node");
            client.arg(program("mcp_client.mjs")).arg(installed()).arg(version);
            let told = told(&mut client, &way);
            assert_eq!(told["tools"], json!(TOOLS));
            assert_eq!(told["list"], json!([false, "1 files\nnotes.md (49 bytes)\n"]));
            assert_eq!(told["wrong arguments"][0], true);
        }
    }
}

#[test]
fn standard_output_carries_messages_alone_and_the_end_of_the_input_ends_it() {
    let desk = desk();
    let mut command = desk.bare(&["--verbose", "mcp"]);
    let mut process =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let about = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
    let mut lines = String::new();
    for (id, method, params) in [(1, "initialize", params), (2, "tools/list", json!({}))] {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").unwrap();
        output.read_line(&mut lines).unwrap();
        if id == 1 {
            writeln!(input, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#).unwrap();
        }
    }
    // What makes no sense is answered, or passed over, and never ends it.
    writeln!(input, "rubbish").unwrap();
    drop(input);
    output.read_to_string(&mut lines).unwrap();
    assert!(process.wait().unwrap().success());
    let messages: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(messages.iter().all(|message| message["jsonrpc"] == "2.0"), "{lines}");
    assert_eq!(messages[0]["result"]["serverInfo"]["name"], "dossier");
    assert_eq!(messages[1]["result"]["tools"].as_array().unwrap().len(), TOOLS.len());
}

#[test]
fn a_page_of_another_site_may_not_come_in() {
    let desk = Desk::new();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    let status = |headers: &str| {
        let mut reply = String::new();
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let mut stream = send(&served.address, "POST", "/mcp", headers, body).unwrap();
        stream.read_to_string(&mut reply).unwrap();
        reply.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status("Origin: https://evil.example\r\n"), "403");
    assert_ne!(status(&format!("Origin: http://{}\r\n", served.address)), "403");
}

#[test]
fn a_set_that_does_not_exist_is_a_wrong_use() {
    let desk = Desk::new();
    desk.dossier(&["mcp", "--tools", "projects"])
        .failed(2, &["there is no tool set `projects`; there are consult, persona, project"]);
}
