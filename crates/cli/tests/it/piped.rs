//! `dossier mcp` as whoever started it sees it: lines on its standard input and output.

use crate::care::{backups, execute};
use crate::desk::Desk;
use crate::interrupted::wait_until;
use dossier_core::tokens::Tokenizer;
use dossier_testkit::{Provider, Reply};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// The program at work, with a client that writes lines by hand.
pub struct Piped {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What it writes on standard error.
    log: NamedTempFile,
    /// What it says of itself.
    hello: Value,
}

impl Piped {
    /// Starts it and says hello.
    pub fn start(command: &mut Command) -> Self {
        Self::offering(command, json!({}))
    }

    /// The same for a client with these capabilities.
    pub fn offering(command: &mut Command, capabilities: Value) -> Self {
        let log = NamedTempFile::new().unwrap();
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log.reopen().unwrap())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut piped = Self { process, input, output, log, hello: Value::Null };
        let about = json!({"name": "t", "version": "1"});
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": about,
        });
        let told = piped.ask("initialize", hello);
        piped.hello = told["result"].clone();
        assert_eq!(piped.hello["serverInfo"]["name"], "dossier");
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
        self.end_with_log().0
    }

    /// The same with all that it wrote on standard error.
    fn end_with_log(self) -> (String, String) {
        let Self { mut process, input, mut output, log, .. } = self;
        drop(input);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        let log = || std::fs::read_to_string(log.path()).unwrap();
        assert!(process.wait().unwrap().success(), "{}", log());
        (rest, log())
    }
}

fn persona() -> Value {
    let prompt = "You are calm, and you stay so.";
    json!({"action": "create", "name": "Ada", "systemPrompt": prompt})
}

/// Neither is ever to be seen.
const KEY: &str = "sk-hunter2hunter2hunter2";
const PASSWORD: &str = "hunter2!hunter2";

/// The program with a provider, and with nobody who is usually asked.
fn provided(desk: &Desk, provider: &Provider) -> Command {
    let mut command = desk.bare(&["mcp"]);
    command
        .env("DOSSIER_EMBEDDER", "none")
        .env("OPENAI_API_KEY", KEY)
        .env("OPENAI_BASE_URL", provider.url("/v1"));
    command
}

/// Asks a model that never answers.
fn waiting(desk: &Desk, provider: &Provider) -> Piped {
    let mut command = provided(desk, provider);
    let mut piped = Piped::start(command.env("DOSSIER_MODEL", "openai/gpt-4.1"));
    piped.call("context-manage", persona());
    piped.begin("context-chat", json!({"contextId": "Ada", "message": "Are you there?"}));
    wait_until("the model to be asked", || !provider.requests().is_empty());
    piped
}

#[test]
fn standard_output_carries_messages_alone() {
    let desk = Desk::with_notes();
    desk.dossier(&["index", "notes", "--project", "garden"]).ok();
    for (flags, format) in [(&["-vv"][..], "text"), (&["--verbose", "--verbose"], "json")] {
        let provider = Provider::start([Reply::chat("They are tulips.")]).unwrap();
        let mut command = desk.bare(flags);
        command
            .args(["mcp", "--root"])
            .arg(desk.path("notes"))
            .env("DOSSIER_SERVER_LOG", format)
            .env("OPENAI_API_KEY", KEY)
            .env("OPENAI_BASE_URL", provider.url("/v1"));
        let mut piped = Piped::start(&mut command);
        let tools = piped.ask("tools/list", json!({}));
        assert!(tools["result"]["tools"].as_array().unwrap().len() > 5);
        // Words and meaning, a model with files, and what makes no sense.
        let found = piped.call("search_project", json!({"query": "tulips", "project": "garden"}));
        assert_eq!(found["isError"], false, "{found}");
        let told = piped.call(
            "chat_with_gpt_4_1",
            json!({
                "session_id": format, "context": ["."],
                "instructions": format!("What grows here? My password: \"{PASSWORD}\", {KEY}"),
            }),
        );
        assert_eq!(told["structuredContent"]["response"], "They are tulips.", "{told}");
        let refused = piped.call("context-manage", json!({"action": "fly", "token": KEY}));
        assert_eq!(refused["isError"], true, "{refused}");
        // It is answered, or passed over, and never ends it.
        writeln!(piped.input, "rubbish password=\"{PASSWORD}\"").unwrap();
        let (rest, log) = piped.end_with_log();
        for line in rest.lines() {
            let message: Value = serde_json::from_str(line).unwrap();
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
        }
        // Every step is told, and every message, but no secret.
        assert!(!log.contains("hunter2"), "{log}");
        for said in ["TRACE", "rmcp::service", "What grows here?", "[masked", "store reply"] {
            assert!(log.contains(said), "{said} is not in {log}");
        }
        let lines = log.lines().map(serde_json::from_str::<Value>);
        assert_eq!(lines.filter(|line| line.is_err()).count() == 0, format == "json", "{log}");
    }
}

/// What is not asked for at its finest tells of no message.
#[test]
fn the_log_is_as_fine_as_the_strongest_source_says() {
    let desk = Desk::new();
    let told = |flags: &[&str], level: &str| {
        let mut piped =
            Piped::start(desk.bare(flags).arg("mcp").env("DOSSIER_SERVER_LOG_LEVEL", level));
        piped.call("context-manage", persona());
        let (_, log) = piped.end_with_log();
        (log.contains("TRACE"), log.contains("DEBUG"), log.contains("stay so"))
    };
    let (nothing, some, all) = ((false, false, false), (false, true, false), (true, true, true));
    assert_eq!(told(&[], ""), nothing);
    assert_eq!(told(&[], "debug"), some);
    assert_eq!(told(&[], "trace"), all);
    assert_eq!(told(&["--verbose"], "trace"), some);
    assert_eq!(told(&["-vv"], "error"), all);
    desk.dossier(&["config", "set", "server.log_level", "loud"])
        .failed(1, &["error, warn, info, debug, trace"]);
    desk.dossier(&["config", "set", "server.log_level", "debug"]).ok();
    assert_eq!(told(&[], ""), some);
    desk.write("dossier.toml", "[server]\nlog_level = \"trace\"\n");
    assert_eq!(told(&[], ""), all);
}

/// Every client pays for the list with every question.
#[test]
fn the_list_is_short_with_every_usual_assistant() {
    let desk = Desk::new();
    let mut command = desk.bare(&["mcp"]);
    for key in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "XAI_API_KEY"] {
        command.env(key, "sk-hunter2hunter2hunter2");
    }
    let mut piped = Piped::start(&mut command);
    let told = piped.ask("tools/list", json!({}))["result"].take();
    let tools = told["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let assistants = names.iter().filter_map(|name| name.strip_prefix("chat_with_"));
    let usual = ["claude", "gemini", "gpt_4_1", "grok", "o3", "o3_pro"];
    assert_eq!(assistants.collect::<Vec<_>>(), usual);
    let tokens = tools.iter().map(|tool| {
        let described = tool["description"].as_str().unwrap();
        let text =
            format!("{} {described} {}", tool["name"].as_str().unwrap(), tool["inputSchema"]);
        Tokenizer::O200k.count(&text)
    });
    let tokens: u32 = tokens.sum();
    assert!(tokens < 2_500, "{tokens}");
    piped.end();
}

/// Which tools there are is changed by other processes, which tell nobody.
#[test]
fn nothing_is_promised_that_is_never_told() {
    let desk = Desk::new();
    let piped = Piped::start(desk.bare(&["mcp"]).env("DOSSIER_EMBEDDER", "none"));
    assert_eq!(piped.hello["capabilities"]["tools"], json!({}), "{}", piped.hello);
    piped.end();
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
    let (rest, log) = piped.end_with_log();
    assert_eq!(rest, "");
    // Where it was, and what it said without its secrets.
    for told in ["panicked at ", "fixture.rs:", "a tool has broken at postgres://"] {
        assert!(log.contains(told), "{told}: {log}");
    }
    assert!(!log.contains("s3cret"), "{log}");
}

#[test]
fn a_context_is_assembled_where_its_session_worked_last_for_what_is_wanted() {
    let desk = Desk::new();
    for (folder, animal) in [("sea", "walrus"), ("sky", "heron")] {
        for number in 1..=14 {
            let note = format!("Note {number}: the {animal} of station {number} sleeps at noon.\n");
            desk.write(&format!("{folder}/{animal}{number}.md"), note);
        }
        let path = desk.path(folder);
        desk.dossier(&["index", path.to_str().unwrap(), "--project", folder]).ok();
    }
    let mut piped = Piped::start(&mut desk.bare(&["mcp"]));
    let mut assembled = |more: Value| {
        let mut wanted = json!({"user_turn": "Which animal of a station sleeps at noon?"});
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        piped.call("assemble_context", wanted)
    };
    let notes = |given: &Value, animal: &str| {
        let messages = given["structuredContent"]["working_set"].to_string();
        messages.matches(&format!("the {animal} of station")).count()
    };
    let first = assembled(json!({
        "project": "sky", "session_id": "laptop", "force_refresh": true, "topic_tags": ["heron"],
    }));
    assert_eq!((notes(&first, "heron"), notes(&first, "walrus")), (14, 0), "{first}");
    let again = assembled(json!({"session_id": "laptop"}));
    assert_eq!((notes(&again, "heron"), notes(&again, "walrus")), (14, 0), "{again}");
    // To write something down takes little.
    let quick = assembled(json!({"session_id": "laptop", "intent": "quick_capture"}));
    assert_eq!(notes(&quick, "heron"), 10, "{quick}");
    // A project that is named wins, and the session stays there.
    let other = assembled(json!({"session_id": "laptop", "project": "sea"}));
    assert_eq!((notes(&other, "heron"), notes(&other, "walrus")), (0, 14), "{other}");
    let stays = assembled(json!({"session_id": "laptop"}));
    assert_eq!(notes(&stays, "walrus"), 14, "{stays}");
    let wrong = assembled(json!({"session_id": "laptop", "intent": "fun"}));
    assert_eq!(wrong["isError"], true, "{wrong}");
    let said = wrong["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("quick_capture") && said.contains("planning"), "{said}");
    let strange = assembled(json!({"session_id": ""}));
    assert!(
        strange["content"][0]["text"].as_str().unwrap().contains("1 to 256 bytes"),
        "{strange}"
    );
    piped.end();
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
    let made = piped.call("context-manage", persona());
    // What it has no word for leaves no gap.
    let told = made["content"][0]["text"].as_str().unwrap().lines().nth(1);
    assert!(told.is_some_and(|told| told.ends_with('Z')), "{made}");
    let refused = piped.call("context-manage", persona());
    assert_eq!(refused["isError"], true);
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("limits.personas"));
    piped.end();
}

#[test]
fn a_persona_waits_for_a_choice_where_a_provider_is_set_up() {
    let desk = Desk::new();
    let provider = Provider::start([Reply::chat("As a lake.")]).unwrap();
    let mut piped = Piped::start(&mut provided(&desk, &provider));
    piped.call("context-manage", persona());
    let message = json!({"contextId": "Ada", "message": "Are you calm?"});
    let refused = piped.call("context-chat", message.clone());
    assert_eq!(refused["isError"], true, "{refused}");
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("dossier config set model NAME") && said.contains("openai/"), "{said}");
    assert_eq!(provider.requests().len(), 0);
    // What is set meanwhile holds at once.
    desk.dossier(&["config", "set", "model", "openai/gpt-4.1"]).ok();
    let answered = piped.call("context-chat", message);
    assert_eq!(answered["structuredContent"]["response"], "As a lake.", "{answered}");
    assert_eq!(answered["structuredContent"]["metadata"]["model"], "openai/gpt-4.1");
    piped.end();
}

#[test]
fn a_client_lends_no_model_where_any_provider_is_set_up() {
    let desk = Desk::new();
    let provider = Provider::start([]).unwrap();
    let home = format!("[providers.home]\nbase_url = \"{}\"\n", provider.url("/v1"));
    desk.write("dossier.toml", home);
    let mut piped = Piped::offering(&mut desk.bare(&["mcp"]), json!({"sampling": {}}));
    let tools = piped.ask("tools/list", json!({}))["result"].take();
    assert!(!tools.to_string().contains("chat_with_client"), "{tools}");
    piped.call("context-manage", persona());
    let refused = piped.call("context-chat", json!({"contextId": "Ada", "message": "Calm?"}));
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("one that is ready: home/NAME"), "{said}");
    piped.end();
}

/// An Ollama whose machine is gone takes connections, or loses them, and says nothing.
#[test]
fn it_is_there_at_once_though_an_ollama_is_silent() {
    let desk = Desk::new();
    let ollama = TcpListener::bind("127.0.0.1:0").unwrap();
    let begun = Instant::now();
    let mut command = desk.bare(&["mcp"]);
    command.env("OLLAMA_HOST", ollama.local_addr().unwrap().to_string());
    let mut piped = Piped::start(&mut command);
    let tools = piped.ask("tools/list", json!({}));
    assert!(tools["result"]["tools"].as_array().unwrap().len() > 5);
    // Somebody who asks it for its models would wait for 15 seconds.
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    piped.end();
}

#[test]
fn the_daily_backup_is_made_beside_the_calls() {
    let desk = Desk::new();
    let mut piped = Piped::start(desk.bare(&["mcp"]).env("DOSSIER_EMBEDDER", "none"));
    piped.ask("tools/list", json!({}));
    assert_eq!(backups(&desk), Vec::<String>::new());
    piped.call("context-manage", persona());
    wait_until("a backup", || !backups(&desk).is_empty());
    assert_eq!(piped.end(), "");
}

#[test]
fn a_call_is_started_polled_and_given_up() {
    let desk = Desk::new();
    desk.write("src/a.rs", "fn a() {}\n");
    let script = [Reply::silence(), Reply::chat("It is a function.")];
    let provider = Provider::start(script).unwrap();
    let mut piped = Piped::start(provided(&desk, &provider).arg("--root").arg(desk.path("src")));
    let call = json!({
        "session_id": "plan", "instructions": "What is it?", "context": ["a.rs"], "start": true,
    });
    let start = |piped: &mut Piped| {
        let started = piped.call("chat_with_gpt_4_1", call.clone())["structuredContent"].take();
        assert_eq!((&started["state"], &started["files"]["sent"]), (&json!("working"), &json!(1)));
        json!({"action": "poll", "turn_id": started["turn_id"]})
    };
    let polled = |piped: &mut Piped, poll: &Value| {
        piped.call("consult_sessions", poll.clone())["structuredContent"]["call"].take()
    };
    let until_over = |piped: &mut Piped, poll: &Value| loop {
        let call = polled(piped, poll);
        if call["state"] != "working" {
            return call;
        }
        thread::sleep(Duration::from_millis(5));
    };
    let poll = start(&mut piped);
    wait_until("the model to be asked", || !provider.requests().is_empty());
    assert_eq!(polled(&mut piped, &poll)["state"], "working");
    let cancel = json!({"action": "cancel", "turn_id": poll["turn_id"]});
    let cancelled = piped.call("consult_sessions", cancel);
    assert_eq!(cancelled["structuredContent"], json!({"cancelled": true}));
    assert!(provider.was_hung_up_on());
    assert_eq!(until_over(&mut piped, &poll)["state"], "cancelled");

    let poll = start(&mut piped);
    let replied = until_over(&mut piped, &poll);
    assert_eq!(
        (&replied["state"], &replied["model"]),
        (&json!("replied"), &json!("openai/gpt-4.1"))
    );
    assert_eq!(replied["response"], "It is a function.");
    piped.end();
}

#[test]
fn what_is_wrong_is_told_by_the_names_of_the_tool() {
    let desk = Desk::new();
    let mut piped = Piped::start(desk.bare(&["mcp"]).env("DOSSIER_EMBEDDER", "none"));
    piped.call("context-manage", persona());
    for (tool, arguments, says) in [
        ("context-manage", json!({"action": "extend", "expiryDays": 0}), "expiryDays: is a whole"),
        (
            "conversation-manage",
            json!({"action": "delete", "conversationIds": ["m"]}),
            "conversationIds: ",
        ),
    ] {
        let mut arguments = arguments;
        arguments["contextId"] = json!("Ada");
        let refused = piped.call(tool, arguments);
        let said = refused["content"][0]["text"].as_str().unwrap();
        assert!(said.starts_with(says), "{said}");
    }
    piped.end();
}

#[test]
fn a_persona_without_a_model_and_one_whose_time_is_over_say_what_helps() {
    let desk = Desk::new();
    let mut piped = Piped::start(desk.bare(&["mcp"]).env("DOSSIER_EMBEDDER", "none"));
    piped.call("context-manage", persona());
    let said = |piped: &mut Piped| {
        let message = json!({"contextId": "Ada", "message": "Are you calm?"});
        let refused = piped.call("context-chat", message);
        assert_eq!(refused["isError"], true, "{refused}");
        refused["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let alone = said(&mut piped);
    assert!(alone.starts_with("no model can speak for Ada"), "{alone}");
    execute(
        &desk.home().join(".local/share/dossier/dossier.db"),
        "UPDATE personas SET expires_at = 1",
    );
    let late = said(&mut piped);
    assert!(late.contains("context-manage, action extend"), "{late}");
    let wrong = json!({"action": "update", "contextId": "Ada", "temperature": "hot"});
    let wrong = piped.call("context-manage", wrong);
    let wrong = wrong["content"][0]["text"].as_str().unwrap();
    assert!(wrong.contains("temperature: invalid type: string \"hot\""), "{wrong}");
    piped.end();
}

#[test]
fn what_is_deleted_comes_back_as_it_is_told_or_goes_at_once() {
    let desk = Desk::new();
    let mut piped = Piped::start(desk.bare(&["mcp"]).env("DOSSIER_EMBEDDER", "none"));
    piped.call("context-manage", persona());
    let deleted = piped.call("context-manage", json!({"action": "delete", "contextId": "Ada"}));
    let told = deleted["structuredContent"]["message"].as_str().unwrap();
    let way = told.split(" dossier ").nth(1).unwrap().split(" brings").next().unwrap();
    desk.dossier(&way.split(' ').collect::<Vec<_>>()).ok();
    let at_once = json!({"action": "delete", "contextId": "Ada", "now": true});
    let deleted = piped.call("context-manage", at_once);
    assert_eq!(deleted["structuredContent"]["message"], "Ada was deleted; it is gone for good");
    assert_eq!(desk.json(&["list", "--hidden"])["hidden"], json!([]));
    piped.end();
}
