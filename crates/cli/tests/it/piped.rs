//! `dossier mcp` as whoever started it sees it: lines on its standard input and output.

use crate::desk::Desk;
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program at work, with a client that writes lines by hand.
pub struct Piped {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Piped {
    /// Starts it and says hello.
    pub fn start(command: &mut Command) -> Self {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut piped = Self { process, input, output };
        let about = json!({"name": "t", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let told = piped.ask("initialize", hello);
        assert_eq!(told["result"]["serverInfo"]["name"], "dossier");
        piped.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        piped
    }

    pub fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}));
        self.hear()
    }

    /// Calls a tool, and does not wait.
    pub fn begin(&mut self, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.say(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.begin(tool, arguments);
        self.hear()["result"].take()
    }

    /// Ends it at once, without a word.
    pub fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Ends the input; gives what is left on the output when the program has ended by itself.
    pub fn end(self) -> String {
        let Self { mut process, input, mut output } = self;
        drop(input);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert!(process.wait().unwrap().success());
        rest
    }
}

fn persona() -> Value {
    let prompt = "You are calm, and you stay so.";
    json!({"action": "create", "name": "Ada", "systemPrompt": prompt})
}

/// Asks a model that never answers.
fn waiting(desk: &Desk, provider: &Provider) -> Piped {
    let mut command = desk.bare(&["mcp"]);
    command
        .env("DOSSIER_EMBEDDER", "none")
        .env("OPENAI_API_KEY", "sk-hunter2hunter2hunter2")
        .env("OPENAI_BASE_URL", provider.url("/v1"))
        .env("DOSSIER_MODEL", "openai/gpt-4.1");
    let mut piped = Piped::start(&mut command);
    piped.call("context-manage", persona());
    piped.begin("context-chat", json!({"contextId": "Ada", "message": "Are you there?"}));
    while provider.requests().is_empty() {
        std::thread::yield_now();
    }
    piped
}

#[test]
fn standard_output_carries_messages_alone() {
    let desk = Desk::new();
    let mut piped = Piped::start(&mut desk.bare(&["--verbose", "mcp"]));
    let tools = piped.ask("tools/list", json!({}));
    assert!(tools["result"]["tools"].as_array().unwrap().len() > 5);
    // What makes no sense is answered, or passed over, and never ends it.
    writeln!(piped.input, "rubbish").unwrap();
    for line in piped.end().lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
    }
}

/// The fixtures of the conformance suite have a tool that panics, behind the door and the input and
/// output of `dossier mcp`.
#[test]
fn a_panic_is_an_answer_and_leaves_standard_output_to_messages() {
    let programs = Path::new(env!("CARGO_BIN_EXE_dossier")).parent().unwrap();
    let mut piped = Piped::start(Command::new(programs.join("examples/conformance")).arg("stdio"));
    piped.begin("test_panic", json!({}));
    let told = piped.hear();
    assert_eq!((&told["id"], &told["error"]["code"]), (&json!(7), &json!(-32603)), "{told}");
    let said = told["error"]["message"].as_str().unwrap();
    assert!(said.contains("standard error"), "{said}");
    let searched = piped.call("search_project", json!({"query": "walrus"}));
    assert_eq!(searched["isError"], false, "{searched}");
    assert_eq!(piped.end(), "");
}

#[test]
fn the_end_of_the_input_ends_it_though_a_model_is_silent() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::silence()]).unwrap();
    waiting(&desk, &provider).end();
    assert!(provider.was_hung_up_on());
}

#[test]
fn a_call_that_is_given_up_hangs_up_on_its_model() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::silence()]).unwrap();
    let mut piped = waiting(&desk, &provider);
    let params = json!({"requestId": 7, "reason": "I have changed my mind"});
    let method = "notifications/cancelled";
    piped.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    assert!(provider.was_hung_up_on());
    let said = piped.call("conversation-manage", json!({"action": "list", "contextId": "Ada"}));
    assert_eq!(said["structuredContent"]["totalCount"], 1);
    piped.end();
}

#[test]
fn what_may_be_kept_at_most_holds_here_too() {
    let desk = Desk::new();
    let mut command = desk.bare(&["mcp"]);
    let mut piped = Piped::start(command.env("DOSSIER_LIMITS_PERSONAS", "1"));
    assert_eq!(piped.call("context-manage", persona())["isError"], false);
    let refused = piped.call("context-manage", persona());
    assert_eq!(refused["isError"], true);
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("limits.personas"));
    piped.end();
}
