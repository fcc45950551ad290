//! The MCP door with the protocol's own clients, over both ways and in both eras.

use crate::desk::Desk;
use crate::interrupted::wait_until;
use crate::served::{Served, send};
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const TOOLS: [&str; 14] = [
    "assemble_context",
    "chat_with_builtin",
    "consult_sessions",
    "context-chat",
    "context-manage",
    "conversation-manage",
    "expand_ref",
    "get_top_facts",
    "list_project_files",
    "personality-preset-manage",
    "read_project_file",
    "recall",
    "remember",
    "search_project",
];

/// Where the clients were installed.
pub fn installed() -> PathBuf {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.test/clients");
    assert!(home.join("installed").is_file(), "MCP's clients are missing: scripts/clients");
    home.canonicalize().unwrap()
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

/// Node.js as the newer of these programs want it, which comes with them.
pub fn newer_node() -> Command {
    let mut node = Command::new(installed().join("node_modules/.bin/node"));
    node.env_clear();
    node
}

/// A desk with one indexed note.
pub fn desk() -> Desk {
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
pub fn ways(desk: &Desk, served: &Served) -> [Vec<String>; 2] {
    let data = desk.home().join(".local/share/dossier").to_str().unwrap().to_owned();
    let root = desk.path("src").to_str().unwrap().to_owned();
    let command =
        [env!("CARGO_BIN_EXE_dossier"), "--quiet", "--data", &data, "mcp", "--root", &root];
    [command.map(str::to_owned).to_vec(), vec![format!("http://{}/mcp", served.address)]]
}

#[test]
fn the_python_client_lists_and_calls_everything_in_both_eras() {
    let desk = desk();
    desk.write("lines.txt", "one\ntwo\nthree\n");
    let added = desk.json(&["refs", "add", "lines.txt"]);
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    for way in ways(&desk, &served) {
        for (era, revision) in
            [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
        {
            let mut client = Command::new(installed().join("python/bin/python"));
            client.arg(program("mcp_client.py")).arg(era);
            client.env("DOSSIER_TEST_FOLDER", desk.path("src"));
            client.env("DOSSIER_TEST_REF", added["id"].as_str().unwrap());
            let mut told = told(&mut client, &way);
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
                ("wrong arguments", "query: invalid type: integer `7`, expected a string"),
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
                    json!({
                        "counts": [[1, 0], [0, 1], [1, 0], [1, 0]], "inline": 1, "outside": null,
                    })
                ),
            }
            let ferry = "The ferry to the island leaves at nine.";
            assert_eq!(
                told["memory"],
                json!({
                    "kept": [ferry, true], "top": [ferry], "recalled": [ferry],
                    "expanded": "one\ntwo\nthree\n", "part": ["two\n", 3],
                    "wrong": "kind: `rumour` is none of decision, entity, task, metric, link, fact",
                })
            );
            let unknown = told["persona"]["unknown"].take();
            assert_eq!(unknown[0], true);
            assert!(unknown[1].as_str().unwrap().contains("`Ada`"), "{unknown}");
            assert_eq!(
                told["persona"].take(),
                json!({
                    "presets": 6, "temperature": 0.0, "expiry days": 14,
                    "asked": "Are you calm?", "answered": true, "said": ["user", "assistant"],
                    "resources": resources(revision),
                    "wrong": "systemPrompt: is missing; say who the persona is and how it behaves; \
                              name: has 1 to 200 characters on one line; temperature: is a number \
                              from 0 to 1; maxTokens: is a whole number from 1 to 2000000",
                    "cleared": 2, "gone": true, "unknown": null,
                })
            );
        }
    }
}

/// What the client finds besides tools.
fn resources(revision: &str) -> Value {
    let missing = if revision == "2025-11-25" { -32002 } else { -32602 };
    let settings =
        json!({"temperature": 0.6, "maxTokens": 1200, "maxHistoryTokens": 15000, "expiryDays": 14});
    json!({
        "listed": [
            "mcp-llm-generator://contexts",
            "mcp-llm-generator://personality-presets",
            "mcp-llm-generator://personality-templates",
        ],
        "templates": [
            "dossier://receipt/{messageId}",
            "mcp-llm-generator://context/{contextId}",
            "mcp-llm-generator://preset/{presetId}",
        ],
        "prompts": ["context-summary", "personality-creator"],
        "contexts": ["Ada"], "context": ["Ada", 2], "presets": 6, "preset": settings,
        "templates of personas": 4, "receipt": ["persona", true],
        "summary": ["text", "resource"], "summed up": true, "creator": true,
        "completed": [["preset-calm-counselor"], ["Ada"]],
        "missing": [missing, missing, missing],
    })
}

/// The clients in JavaScript, each in every era that it speaks.
const JAVASCRIPT: [(&str, &str); 3] = [("v1", "legacy"), ("v2", "legacy"), ("v2", "2026-07-28")];

fn javascript(name: &str, (version, era): (&str, &str)) -> Command {
    let mut client = Command::new("node");
    client.arg(program(name)).arg(installed()).args([version, era]);
    client
}

#[test]
fn both_javascript_clients_list_and_call_everything() {
    let desk = desk();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    for way in ways(&desk, &served) {
        for kind in JAVASCRIPT {
            let mut told = told(&mut javascript("mcp_client.mjs", kind), &way);
            let found = told["search"].take();
            assert_eq!(found[0], false);
            assert!(found[1].as_str().unwrap().contains("The walrus sleeps"), "{found}");
            assert_eq!(told["wrong arguments"].take()[0], true);
            let consulted = told["consult"].take();
            assert_eq!(consulted[0], false, "{consulted}");
            let ferry = "The ferry to the island leaves at nine.";
            assert_eq!(
                told,
                json!({
                    "tools": TOOLS,
                    "search": null,
                    "list": [false, "1 file\nnotes.md (49 bytes)\n"],
                    "read": [
                        false, "notes.md, lines 1-1 of 2\nThe walrus sleeps on the pier.\n",
                    ],
                    "assembled": 1,
                    "wrong arguments": null,
                    "unknown ref": true,
                    "said": ["user", "assistant"],
                    "profile": "persona",
                    "presets": 6,
                    "consult": null,
                    "sessions": true,
                    "remembered": ferry,
                    "recalled": [ferry],
                    "top": [ferry],
                    "resources": 3,
                    "templates": 3,
                    "prompts": ["context-summary", "personality-creator"],
                    "prompt": "user",
                    "completed": ["preset-calm-counselor"],
                })
            );
        }
    }
}

/// The client's own model answers for a persona and for an assistant, whether it is asked while its
/// call goes on or answers with another call.
#[test]
fn a_client_without_a_provider_lends_its_own_model() {
    let desk = desk();
    let root = desk.path("src");
    let served = Served::start_reading(&mut desk.bare::<&str>(&[]), &[&root]);
    let [mut command, url] = ways(&desk, &served);
    // Its own word counts for which folders may be read.
    command.truncate(command.len() - 2);
    for way in [command, url] {
        let python = ["legacy", "2026-07-28"].map(|era| {
            let mut client = Command::new(installed().join("python/bin/python"));
            client.arg(program("mcp_sampling.py")).arg(era);
            client
        });
        let javascript = JAVASCRIPT.map(|kind| javascript("mcp_sampling.mjs", kind));
        for mut client in python.into_iter().chain(javascript) {
            check_lent(&told(client.env("DOSSIER_TEST_FOLDER", &root), &way));
        }
    }
}

#[track_caller]
fn check_lent(told: &Value) {
    assert_eq!(told["offered"], true);
    assert_eq!(told["replies"], json!(["I have looked: False.", "I have looked: False."]));
    assert_eq!(told["said"], json!(["user", "assistant", "user", "assistant"]));
    let [first, second] = told["chats"].as_array().unwrap().as_slice() else { panic!("{told:#}") };
    assert_eq!(first["system"], second["system"]);
    assert_eq!((first["temperature"].as_f64(), &first["most"]), (Some(0.0), &json!(1000)));
    assert_eq!(first["messages"], json!(["text"]));
    assert_eq!(second["messages"], json!(["text", "text", "text"]));
    assert_eq!(told["consult"]["response"], "I have looked: True.", "{told:#}");
    assert_eq!(told["consult"]["files"]["searchable"], 1);
    let sampled: Vec<&Value> = told["sampled"].as_array().unwrap().iter().collect();
    assert_eq!(sampled.len(), 2, "{told:#}");
    assert_eq!(sampled[0]["tools"], json!(["search_files", "read_file"]));
    assert!(sampled[1]["messages"].to_string().ends_with(r#""tool_use","tool_result"]"#));
    let progress = told["progress"].to_string();
    assert!(progress.contains("is asked with"), "{progress}");
}

#[test]
fn clients_are_told_when_a_provider_comes() {
    let desk = Desk::new();
    let provider = Provider::start([]).unwrap();
    for era in ["legacy", "2026-07-28"] {
        let served = Served::start(&mut desk.bare::<&str>(&[]));
        let mut client = Command::new(installed().join("python/bin/python"));
        client.arg(program("mcp_changes.py")).arg(era).arg(&served.address);
        assert_eq!(told(&mut client, &[provider.url("/v1")]), "told");
    }
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

/// Calls a tool as a client of the newer era does, in one request, and does not wait.
fn calling(served: &Served, token: &str, tool: &str, arguments: &Value) -> TcpStream {
    let about = "io.modelcontextprotocol";
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": tool, "arguments": arguments,
            "_meta": {
                format!("{about}/protocolVersion"): "2026-07-28",
                format!("{about}/clientInfo"): {"name": "t", "version": "1"},
                format!("{about}/clientCapabilities"): {},
            },
        },
    });
    let headers = format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\nAuthorization: Bearer {token}\r\n"
    );
    send(&served.address, "POST", "/mcp", &headers, &body.to_string()).unwrap()
}

/// The same for one who waits.
fn called(served: &Served, token: &str, tool: &str, arguments: &Value) -> String {
    all_of(calling(served, token, tool, arguments))
}

fn all_of(mut stream: TcpStream) -> String {
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

/// A client of the older era that writes its requests by hand, in a session.
struct Older<'a> {
    served: &'a Served,
    session: String,
}

impl<'a> Older<'a> {
    fn begin(served: &'a Served, token: &str) -> Self {
        let about = json!({"name": "t", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
        let unnamed = Self { served, session: String::new() };
        let reply = all_of(unnamed.send(token, "POST", &hello));
        let session = reply.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        let session = session.unwrap_or_else(|| panic!("{reply}")).trim().to_owned();
        let begun = Self { served, session };
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(begun.status(token, "POST", &initialized), "202");
        begun
    }

    /// Sends a message, and does not wait for the answer.
    fn send(&self, token: &str, method: &str, message: &Value) -> TcpStream {
        let mut headers = format!(
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n\
             Authorization: Bearer {token}\r\n"
        );
        if !self.session.is_empty() {
            headers += &format!("Mcp-Session-Id: {}\r\n", self.session);
        }
        let body = if message.is_null() { String::new() } else { message.to_string() };
        send(&self.served.address, method, "/mcp", &headers, &body).unwrap()
    }

    fn status(&self, token: &str, method: &str, message: &Value) -> String {
        // A stream that is open has a status and no end.
        let mut line = String::new();
        BufReader::new(self.send(token, method, message)).read_line(&mut line).unwrap();
        line.split(' ').nth(1).unwrap_or_else(|| panic!("{line}")).to_owned()
    }
}

/// A server with somebody's token, and a persona whose model is silent.
fn silent(desk: &Desk, provider: &Provider) -> (Served, String) {
    let made = desk.dossier(&["token", "create", "ana", "--owner", "ana"]).ok();
    let token = made.out.trim().to_owned();
    let served = Served::with_provider(desk, provider, "none");
    let who = format!("Authorization: Bearer {token}\r\n");
    let set = r#"{"values": {"model": "openai/gpt-4.1"}}"#;
    assert_eq!(served.ask("PUT", "/api/settings", &who, set).0, 200);
    let made = json!({"action": "create", "name": "Ada", "systemPrompt": "You are calm."});
    called(&served, &token, "context-manage", &made);
    (served, token)
}

#[test]
fn a_newer_client_that_hangs_up_has_given_its_call_up() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::silence()]).unwrap();
    let (served, token) = silent(&desk, &provider);
    let asked = json!({"contextId": "Ada", "message": "Are you there?"});
    let stream = calling(&served, &token, "context-chat", &asked);
    wait_until("the model to be asked", || !provider.requests().is_empty());
    drop(stream);
    assert!(provider.was_hung_up_on());
}

#[test]
fn an_older_client_gives_its_call_up_with_a_word() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::silence()]).unwrap();
    let (served, token) = silent(&desk, &provider);
    let older = Older::begin(&served, &token);
    let asked = json!({"contextId": "Ada", "message": "Are you there?"});
    let call = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "context-chat", "arguments": asked},
    });
    let stream = older.send(&token, "POST", &call);
    wait_until("the model to be asked", || !provider.requests().is_empty());
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7},
    });
    assert_eq!(older.status(&token, "POST", &cancelled), "202");
    assert!(provider.was_hung_up_on());
    drop(stream);
}

#[test]
fn a_session_is_there_for_its_owner_alone() {
    let desk = Desk::new();
    let token = |owner: &str| {
        let made = desk.dossier(&["token", "create", owner, "--owner", owner]).ok();
        made.out.trim().to_owned()
    };
    let [ana, bea] = ["ana", "bea"].map(token);
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    let older = Older::begin(&served, &ana);
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    for (method, message) in [("GET", &Value::Null), ("POST", &ping), ("DELETE", &Value::Null)] {
        assert_eq!(older.status(&bea, method, message), "404", "{method}");
    }
    assert_eq!(older.status(&ana, "GET", &Value::Null), "200");
    assert_eq!(older.status(&ana, "POST", &ping), "200");
}

#[test]
fn a_session_that_is_over_listens_no_more() {
    let desk = Desk::new();
    let served = Served::start(&mut desk.bare::<&str>(&[]));
    let listeners = || {
        let told = all_of(send(&served.address, "GET", "/metrics", "", "").unwrap());
        let line = told.lines().find_map(|line| line.strip_prefix("dossier_event_listeners "));
        line.unwrap_or_else(|| panic!("{told}")).trim().parse::<usize>().unwrap()
    };
    let made = desk.dossier(&["token", "create", "ana", "--owner", "ana"]).ok();
    let token = made.out.trim();
    let sessions = [(); 3].map(|()| Older::begin(&served, token));
    wait_until("three sessions to listen", || listeners() == 3);
    for session in sessions {
        assert_eq!(session.status(token, "DELETE", &Value::Null), "202");
    }
    wait_until("nobody to listen", || listeners() == 0);
}

#[test]
fn everybody_has_their_own_usual_model_from_when_it_is_set() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::chat("As a lake.")]).unwrap();
    let token = |owner: &str| {
        let made = desk.dossier(&["token", "create", owner, "--owner", owner]).ok();
        made.out.trim().to_owned()
    };
    let [ana, bea] = ["ana", "bea"].map(token);
    let served = Served::with_provider(&desk, &provider, "none");
    let made = json!({"action": "create", "name": "Ada", "systemPrompt": "You are calm."});
    let asked = json!({"contextId": "Ada", "message": "Are you calm?"});
    for token in [&ana, &bea] {
        called(&served, token, "context-manage", &made);
        let refused = called(&served, token, "context-chat", &asked);
        assert!(refused.contains("dossier config set model NAME"), "{refused}");
    }
    let set = r#"{"values": {"model": "openai/gpt-4.1"}}"#;
    let who = format!("Authorization: Bearer {bea}\r\n");
    assert_eq!(served.ask("PUT", "/api/settings", &who, set).0, 200);
    let refused = called(&served, &ana, "context-chat", &asked);
    assert!(refused.contains("dossier config set model NAME"), "{refused}");
    let answered = called(&served, &bea, "context-chat", &asked);
    assert!(answered.contains("As a lake.") && answered.contains("openai/gpt-4.1"), "{answered}");
}

#[test]
fn a_set_that_does_not_exist_is_a_wrong_use() {
    let desk = Desk::new();
    desk.dossier(&["mcp", "--tools", "projects"]).failed(
        2,
        &["there is no tool set `projects`; there are consult, memory, persona, project"],
    );
}
