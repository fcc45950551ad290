//! Consulting through real processes, on either database: killed in the middle of a call, and two at
//! once in one session. What an assistant has not answered to is not believed to be before it.

use crate::desk::Desk;
use crate::interrupted::wait_until;
use crate::piped::Piped;
use crate::postgres::Postgres;
use crate::served::{Served, receive, send};
use dossier_testkit::{Provider, Reply, Request};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// How a process is spoken with.
#[derive(Debug, Clone, Copy)]
enum Way {
    Mcp,
    Serve,
}

/// A process, with the call that waits for its answer.
enum Door {
    Mcp(Piped),
    Serve(Served, Option<TcpStream>),
}

/// Where everything is: a folder with sources, a database and an assistant.
struct Place {
    desk: Desk,
    postgres: Option<Postgres>,
    provider: Provider,
}

impl Place {
    fn new(postgres: Option<Postgres>, provider: Provider) -> Self {
        let desk = Desk::new();
        desk.write("src/a.rs", "fn a() {}\n");
        Self { desk, postgres, provider }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.desk.bare(args);
        command
            .env("DOSSIER_EMBEDDER", "none")
            .env("DOSSIER_MODEL", "openai/gpt-4.1")
            .env("OPENAI_API_KEY", "sk-hunter2hunter2hunter2")
            .env("OPENAI_BASE_URL", self.provider.url("/v1"));
        if let Some(postgres) = &self.postgres {
            command.env("DOSSIER_DATABASE", &postgres.url);
        }
        command
    }

    fn open(&self, way: Way) -> Door {
        let root = self.desk.path("src");
        match way {
            Way::Mcp => Door::Mcp(Piped::start(self.command(&["mcp"]).arg("--root").arg(root))),
            Way::Serve => {
                Door::Serve(Served::start_reading(&mut self.command(&[]), &[&root]), None)
            }
        }
    }

    /// What the client says to consult the assistant about the sources.
    fn question(&self, instructions: &str) -> Value {
        let context = [self.desk.path("src").to_str().unwrap().to_owned()];
        json!({"session_id": "plan", "instructions": instructions, "context": context})
    }

    /// Asks, and waits for what became of the files.
    fn consult(&self, door: &mut Door, instructions: &str) -> Value {
        door.begin(self.question(instructions));
        door.heard()
    }

    /// The messages of each question that the assistant was asked; titles are asked of others.
    fn asked(&self) -> Vec<Vec<(String, String)>> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let message = |message: &Value| (text(&message["role"]), text(&message["content"]));
        let messages = |request: &Request| {
            request.body["messages"].as_array().unwrap().iter().map(message).collect()
        };
        self.provider.requests().iter().filter(|one| is_question(one)).map(messages).collect()
    }

    /// Waits until the assistant has been asked so often.
    fn wait_for(&self, questions: usize) {
        let asked = || self.provider.requests().iter().filter(|one| is_question(one)).count();
        wait_until("a question", || asked() >= questions);
    }

    /// Lets the time pass after which a process on PostgreSQL is known to be gone; beside SQLite a
    /// lock tells at once.
    fn pass_time(&self) {
        if let Some(postgres) = &self.postgres {
            postgres.execute("UPDATE turns SET lease_until = 0");
        }
    }
}

impl Door {
    /// Asks, and does not wait.
    fn begin(&mut self, question: Value) {
        match self {
            Self::Mcp(piped) => piped.begin("chat_with_gpt_4_1", question),
            Self::Serve(served, waiting) => {
                let mut body = question;
                body["assistant"] = json!("gpt_4_1");
                let path = "/api/consult";
                *waiting =
                    Some(send(&served.address, "POST", path, "", &body.to_string()).unwrap());
            }
        }
    }

    /// The answer, whatever it is.
    fn told(&mut self) -> Value {
        match self {
            Self::Mcp(piped) => piped.hear()["result"].take(),
            Self::Serve(_, waiting) => receive(waiting.take().unwrap()).unwrap().1,
        }
    }

    /// How many files were sent, unchanged and left to search.
    fn heard(&mut self) -> Value {
        let told = self.told();
        let files = match self {
            Self::Mcp(_) => &told["structuredContent"]["files"],
            Self::Serve(..) => &told["files"],
        };
        assert!(files.is_object(), "{told:#}");
        json!([files["sent"], files["unchanged"], files["searchable"]])
    }

    fn kill(self) {
        match self {
            Self::Mcp(piped) => piped.kill(),
            Self::Serve(served, _) => served.kill(),
        }
    }
}

fn is_question(request: &Request) -> bool {
    request.body["model"] == "gpt-4.1"
}

/// Whether the last message of a question says this.
fn says(request: &Request, words: &str) -> bool {
    let last = request.body["messages"].as_array().and_then(|messages| messages.last());
    is_question(request) && last.is_some_and(|last| last.to_string().contains(words))
}

/// Says nothing when it is told to wait, and otherwise that it has noted it.
fn patient() -> Provider {
    Provider::answering(|request| match says(request, "Wait.") {
        true => Reply::silence(),
        false => Reply::chat("Noted."),
    })
    .unwrap()
}

fn check_killed(way: Way, postgres: Option<Postgres>) {
    let place = Place::new(postgres, patient());
    let mut door = place.open(way);
    assert_eq!(place.consult(&mut door, "First."), json!([1, 0, 0]));
    place.desk.write("src/a.rs", "fn a() { changed() }\n");
    door.begin(place.question("Wait."));
    place.wait_for(2);
    door.kill();
    place.pass_time();
    let mut door = place.open(way);
    assert_eq!(place.consult(&mut door, "Second."), json!([1, 0, 0]));
    let asked = place.asked();
    let noted = [("assistant".to_owned(), "Noted.".to_owned())];
    // What was answered is shown to the byte, and of the other question there is nothing.
    let [before @ .., (_, own)] = asked[2].as_slice() else { panic!("{asked:#?}") };
    assert_eq!(before, [&asked[0][..], &noted].concat());
    assert!(own.contains("changed()") && !own.contains("Wait."), "{own}");
    assert_eq!(place.consult(&mut door, "Third."), json!([0, 1, 0]));
    let asked = place.asked();
    assert_eq!(asked[3][..5], [&asked[2][..], &noted].concat());
    door.kill();
}

#[test]
fn a_session_goes_on_after_its_process_was_killed_in_a_call() {
    for way in [Way::Mcp, Way::Serve] {
        check_killed(way, None);
    }
}

#[test]
fn a_session_on_postgres_goes_on_after_its_process_was_killed_in_a_call() {
    for (way, kind) in [(Way::Mcp, "killed_mcp"), (Way::Serve, "killed_serve")] {
        check_killed(way, Some(Postgres::new(kind)));
    }
}

/// Processes to kill at any moment of a call.
const KILLS: usize = 8;

#[test]
fn whenever_it_was_killed_the_assistant_has_the_newest_text_before_it() {
    for way in [Way::Mcp, Way::Serve] {
        let place = Place::new(None, patient());
        for kill in 1..=KILLS {
            let text = |version: usize| format!("fn a() {{ {}end() }}\n", "f();".repeat(version));
            place.desk.write("src/a.rs", text(2 * kill));
            let before = place.asked().len();
            let mut door = place.open(way);
            door.begin(place.question("Look."));
            place.wait_for(before + 1);
            // Killing at a chosen moment is what this is about.
            thread::sleep(Duration::from_millis(3 * (kill as u64 % 5)));
            door.kill();
            let mut door = place.open(way);
            place.consult(&mut door, "And now?");
            let asked = place.asked();
            let last = asked.last().unwrap();
            let held = last.iter().filter(|(_, said)| said.contains(&text(2 * kill))).count();
            assert_eq!(held, 1, "{way:?}, kill {kill}: {last:#?}");
            door.kill();
        }
        place.desk.dossier(&["doctor"]).ok();
    }
}

fn check_two(ways: [Way; 2], postgres: Option<Postgres>) {
    let (arrived, has_arrived) = channel();
    let (go, may_go) = channel::<()>();
    let provider = Provider::answering(move |request| {
        if says(request, "Slowly.") {
            arrived.send(()).unwrap();
            may_go.recv().unwrap();
        }
        Reply::chat("Noted.")
    });
    let place = Place::new(postgres, provider.unwrap());
    let [mut first, mut second] = ways.map(|way| place.open(way));
    first.begin(place.question("Slowly."));
    has_arrived.recv().unwrap();
    // Whoever will not wait is told so, and whoever will is asked after the other.
    let mut at_once = place.question("At once.");
    at_once["start"] = json!(true);
    second.begin(at_once);
    let refused = second.told().to_string();
    assert!(refused.contains("the session `plan` is answering another call"), "{refused}");
    second.begin(place.question("In turn."));
    go.send(()).unwrap();
    assert_eq!(first.heard(), json!([1, 0, 0]));
    assert_eq!(second.heard(), json!([0, 1, 0]));
    let asked = place.asked();
    let noted = [("assistant".to_owned(), "Noted.".to_owned())];
    assert_eq!(asked.len(), 2, "{asked:#?}");
    assert_eq!(asked[1][..3], [&asked[0][..], &noted].concat());
    assert_eq!(place.consult(&mut first, "Again."), json!([0, 1, 0]));
    assert_eq!(place.asked()[2].len(), 6);
    for door in [first, second] {
        door.kill();
    }
}

#[test]
fn two_processes_take_turns_in_one_session() {
    check_two([Way::Mcp, Way::Mcp], None);
    check_two([Way::Serve, Way::Mcp], None);
}

#[test]
fn two_processes_on_postgres_take_turns_in_one_session() {
    check_two([Way::Mcp, Way::Mcp], Some(Postgres::new("turns_mcp")));
    check_two([Way::Mcp, Way::Serve], Some(Postgres::new("turns_serve")));
}

fn check_persona_of_two(postgres: Option<Postgres>) {
    let place = Place::new(postgres, patient());
    let [mut one, mut other] =
        [(); 2].map(|()| Piped::start(&mut place.command(&["mcp", "--tools", "persona"])));
    let draft = json!({
        "action": "create", "name": "Ada", "systemPrompt": "You are calm, and you stay so.",
    });
    let made = one.call("context-manage", draft)["structuredContent"]["context"]["id"].take();
    let listed = other.call("context-manage", json!({"action": "list"}));
    assert_eq!(listed["structuredContent"]["contexts"][0]["id"], made);
    // Both at once: each is heard, and neither overtakes the other's half.
    let chat = |message: &str| json!({"contextId": made, "message": message});
    one.begin("context-chat", chat("Are you calm?"));
    other.begin("context-chat", chat("Are you still?"));
    for process in [&mut one, &mut other] {
        assert_eq!(process.hear()["result"]["structuredContent"]["response"], "Noted.");
    }
    let list = json!({"action": "list", "contextId": made});
    for process in [&mut one, &mut other] {
        let said = process.call("conversation-manage", list.clone())["structuredContent"].take();
        let messages = said["conversations"].as_array().unwrap();
        let mut texts: Vec<&str> =
            messages.iter().map(|message| message["content"].as_str().unwrap()).collect();
        texts.sort_unstable();
        assert_eq!(texts, ["Are you calm?", "Are you still?", "Noted.", "Noted."]);
    }
    other.call("context-manage", json!({"action": "delete", "contextId": made}));
    let listed = one.call("context-manage", json!({"action": "list"}));
    assert_eq!(listed["structuredContent"]["totalCount"], 0);
    for process in [one, other] {
        process.end();
    }
}

#[test]
fn a_persona_is_the_same_in_every_process() {
    check_persona_of_two(None);
    check_persona_of_two(Some(Postgres::new("persona")));
}

/// What a killed process had made at the provider is deleted when the next one starts.
#[test]
fn a_store_that_a_killed_process_left_at_the_provider_is_deleted_at_the_next_start() {
    let provider = Provider::answering(|request| match request.line.as_str() {
        "POST /v1/files" => Reply::json(200, &json!({"id": "file-1"})),
        "POST /v1/vector_stores" => Reply::json(200, &json!({"id": "vs_1"})),
        line if line.starts_with("DELETE ") => Reply::json(200, &json!({"deleted": true})),
        "POST /v1/chat/completions" => calling("search_files", r#"{"queries": ["a"]}"#),
        _ => Reply::silence(),
    });
    let place = Place::new(None, provider.unwrap());
    place.desk.dossier(&["config", "set", "consult.hosted_store", "true"]).ok();
    let mut door = place.open(Way::Mcp);
    let attached = [place.desk.path("src/a.rs").to_str().unwrap().to_owned()];
    let instructions = "What is it?";
    door.begin(json!({"session_id": "s", "instructions": instructions, "attachments": attached}));
    let lines = || -> Vec<String> {
        place.provider.requests().into_iter().map(|request| request.line).collect()
    };
    let has = |line: &str| lines().iter().any(|other| other == line);
    wait_until("the files", || has("POST /v1/vector_stores/vs_1/file_batches"));
    door.kill();
    let _door = place.open(Way::Mcp);
    wait_until("the sweeping", || {
        has("DELETE /v1/vector_stores/vs_1") && has("DELETE /v1/files/file-1")
    });
}

/// A model that calls a tool.
fn calling(tool: &str, arguments: &str) -> Reply {
    let call = json!({
        "index": 0, "id": "c1", "type": "function",
        "function": {"name": tool, "arguments": arguments},
    });
    let chunk = |delta: Value, finish: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let frames = [
        chunk(json!({"role": "assistant", "tool_calls": [call]}), Value::Null),
        chunk(json!({}), json!("tool_calls")),
    ];
    let frames: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    Reply::events(&format!("{frames}data: [DONE]\n\n"))
}
