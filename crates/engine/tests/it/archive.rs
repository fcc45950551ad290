//! An archive holds everything, moves it from one database to the other, and is refused when it is
//! not whole.

use crate::database::{Database, on_postgres, on_sqlite};
use crate::desk::{Desk, conversation, noon};
use anyhow::Result;
use dossier_core::catalogue::Capabilities;
use dossier_core::chunk::draft;
use dossier_core::exchange::Conversation;
use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
use dossier_core::persona::{PersonaDraft, PresetDraft};
use dossier_engine::{
    Archive, Dossier, Embedder, ExpandRequest, Incoming, NewFact, NewRef, Restored, Silent,
};
use dossier_store::{MadeOf, ModelRow, Session};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

const QUESTIONS: &[&str] =
    &["walrus", "walrus \"and the ferry\"", "where is the ferry now?", "tulips"];

/// A store with something of every kind in it.
async fn fill(database: &Database) -> Result<Desk> {
    let desk = Desk::with(database, Embedder::none(), &OwnerId::local()).await?;
    let store = database.owner().await?;
    desk.write("src/ferry.rs", "/// Where the ferry is.\nfn ferry() {}\n");
    desk.write("notes/tulips.md", "# Tulips\n\nPlanted in October. 🌷\r\n");
    desk.write("big.txt", "walrus on the ice\n".repeat(70_000));
    desk.index().await?;
    let said = [
        ("Ann", "Where is the walrus?"),
        ("agent:o3", "At the pier."),
        ("tool:python", "1.5\u{0}"),
        ("Ann", "Thanks, and the ferry?"),
        ("agent:o3", "Halfway."),
    ];
    let talk = Conversation { id: Some("chatgpt:1".into()), ..conversation("talk", &said) };
    let imported = desk.workspace.import(&desk.project.id, &talk, noon()).await?;
    let mut kept = store.messages(&imported.thread).await?;
    let deleted = kept.remove(1);
    // The message behind it was found with its words too.
    let behind = draft::of_message(&kept[1], Some(&kept[0]));
    store.delete_message(&deleted.id, behind.as_slice(), noon()).await?;
    store
        .set_context_state(
            &imported.thread,
            Some("about a walrus"),
            &json!({"epoch": 0.1}),
            MadeOf::default(),
        )
        .await?;
    let thread = desk.workspace.thread(&desk.project.id, "talk").await?;
    for question in QUESTIONS {
        let mut request = desk.request(question);
        request.thread = Some(thread.id.clone());
        let dossier: Dossier = desk.workspace.assemble(&request).await?;
        desk.workspace.keep(&dossier).await?;
    }
    store.set_config("user.role", &json!("pilot"), noon()).await?;
    let model = ModelRow {
        provider: "p".into(),
        model: "m".into(),
        display_name: "M".into(),
        context_window: 8_000,
        max_output: 1_000,
        input_cost: 0.15,
        output_cost: 0.6,
        tier: "smart".into(),
        capabilities: Capabilities { tools: true, ..Capabilities::default() },
    };
    store.put_models(&[model]).await?;
    let session = Session {
        id: "ses_1".into(),
        thread: Some(thread.id),
        project: Some(desk.project.id.clone()),
        client: json!({"name": "cli"}),
        last_active: noon(),
    };
    store.touch_session(&session).await?;
    let preset = PresetDraft {
        name: Some("Own".to_owned()),
        system_prompt: Some("You are mine.".to_owned()),
        ..PresetDraft::default()
    };
    desk.workspace.create_preset(preset, noon()).await?;
    let persona = PersonaDraft {
        name: Some("Ada".to_owned()),
        system_prompt: Some("You are calm.".to_owned()),
        tags: Some(vec!["sea".to_owned()]),
        ..PersonaDraft::default()
    };
    desk.workspace.create_persona(persona, noon()).await?;
    for text in ["We chose Redis for the queue.", "We chose Kafka for the queue."] {
        let new = NewFact { text: text.to_owned(), ..NewFact::default() };
        desk.workspace.remember(&desk.project.id, &new, noon()).await?;
    }
    for (text, project) in [("pump", Some(&desk.project.id)), ("lamp", None)] {
        let lines = (0..400).map(|line| format!("INFO {text} {line} is on\n")).collect::<String>();
        let new = NewRef { text: lines, project: project.cloned(), ..NewRef::default() };
        desk.workspace.put_ref(new, dossier_engine::now()).await?;
    }
    let plan = [("Ann", "We chose Svelte for the page.")];
    desk.workspace.import(&desk.project.id, &conversation("plan", &plan), noon()).await?;
    let other = desk.workspace.project(Some("other"), noon()).await?;
    desk.workspace.import(&other.id, &conversation("small", &said[..1]), noon()).await?;
    Ok(desk)
}

async fn saved(desk: &Desk) -> Result<String> {
    let mut out = Vec::new();
    desk.workspace.save(None, &mut out, noon(), &Silent).await?;
    Ok(String::from_utf8(out)?)
}

fn opened(text: &str) -> Result<Archive> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text.as_bytes())?;
    match Incoming::read(file)? {
        Incoming::Archive(archive) => Ok(archive),
        Incoming::Bundle(bundle) => anyhow::bail!("{bundle:?}"),
    }
}

async fn restored(desk: &Desk, text: &str) -> Result<Restored> {
    Ok(desk.workspace.restore(&mut opened(text)?, &Silent).await?)
}

/// What is found, in which order.
async fn found(desk: &Desk) -> Result<Vec<Vec<String>>> {
    let mut found = Vec::new();
    for question in QUESTIONS {
        found.push(desk.places(question).await?);
    }
    Ok(found)
}

/// Counts of rows, but for those that only one database keeps, and what an installation counts of
/// its own work.
async fn rows(database: &Database) -> Result<BTreeMap<String, i64>> {
    let mut counts = database.row_counts().await?;
    counts.retain(|name, _| !name.starts_with("retrieval_index") && !name.contains("sqlite"));
    for name in ["vector_log", "files of large blobs", "assemblies"] {
        counts.remove(name);
    }
    Ok(counts)
}

type Kept = Arc<Mutex<Vec<(String, Vec<Vec<String>>, BTreeMap<String, i64>)>>>;

/// Fills the database, or restores what the other one has saved; keeps what it saves then.
async fn one_side(database: Database, kept: Kept) -> Result<()> {
    let before = kept.lock().unwrap().last().map(|(text, ..)| text.clone());
    let desk = match before {
        None => fill(&database).await?,
        Some(text) => {
            let engine = dossier_engine::Engine::open(&database.url, Embedder::none()).await?;
            let report =
                engine.owner(&OwnerId::local()).restore(&mut opened(&text)?, &Silent).await?;
            assert_eq!((report.here, report.notes), (BTreeMap::new(), Vec::<String>::new()));
            Desk::new(&database).await?
        }
    };
    let side = (saved(&desk).await?, found(&desk).await?, rows(&database).await?);
    kept.lock().unwrap().push(side);
    Ok(())
}

fn assert_alike(kept: &Kept) {
    let kept = kept.lock().unwrap();
    let (first, second) = (&kept[0], &kept[1]);
    assert_eq!(first.0, second.0, "the archives are equal to the byte");
    assert_eq!(first.1, second.1, "search finds the same");
    assert!(first.1.iter().all(|found| !found.is_empty()), "{:?}", first.1);
    let shared = |name: &&String| first.2.contains_key(*name) && second.2.contains_key(*name);
    for name in first.2.keys().filter(shared) {
        assert_eq!(first.2[name], second.2[name], "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_moves_from_sqlite_to_postgres() -> Result<()> {
    let kept = Kept::default();
    let (first, second) = (Arc::clone(&kept), Arc::clone(&kept));
    on_sqlite(move |database| one_side(database, first)).await?;
    on_postgres(move |database| one_side(database, second)).await?;
    assert_alike(&kept);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_moves_from_postgres_to_sqlite() -> Result<()> {
    let kept = Kept::default();
    let (first, second) = (Arc::clone(&kept), Arc::clone(&kept));
    on_postgres(move |database| one_side(database, first)).await?;
    on_sqlite(move |database| one_side(database, second)).await?;
    assert_alike(&kept);
    Ok(())
}

stories!(
    restoring_what_is_here_changes_nothing,
    restoring_goes_on_where_it_was_stopped,
    what_is_here_stays_as_it_is_and_is_counted,
    an_archive_that_is_not_whole_changes_nothing,
    a_project_alone_can_be_saved,
    a_ref_whose_time_is_over_does_not_come_back,
    a_ref_of_several_projects_comes_back_to_all_of_them,
    a_ref_that_is_not_what_its_hash_says_is_refused,
);

async fn restoring_what_is_here_changes_nothing(database: Database) -> Result<()> {
    let desk = fill(&database).await?;
    let (text, before) = (saved(&desk).await?, database.row_counts().await?);
    let report = restored(&desk, &text).await?;
    assert_eq!(report.added, BTreeMap::new());
    assert_eq!(report.notes, [] as [&str; 0]);
    assert_eq!(database.row_counts().await?, before);
    assert_eq!(saved(&desk).await?, text);
    Ok(())
}

async fn restoring_goes_on_where_it_was_stopped(database: Database) -> Result<()> {
    let desk = fill(&database).await?;
    let (text, results) = (saved(&desk).await?, found(&desk).await?);
    let store = database.owner().await?;
    for project in store.projects().await? {
        store.delete_project(&project.id).await?;
    }
    assert!(restored(&desk, &text).await?.added["messages"] > 0);
    // As if it had been stopped between two batches of messages.
    database.execute("DELETE FROM receipts").await?;
    let thread = store.threads(&desk.project.id).await?.remove(0);
    let last = store.messages(&thread.id).await?.pop().unwrap();
    store.delete_thread(&thread.id).await?;
    database.execute("DELETE FROM sessions").await?;
    let report = restored(&desk, &text).await?;
    assert_eq!((report.added["threads"], report.added.get("files")), (1, None));
    assert_eq!(store.message(&last.id).await?, Some(last));
    assert_eq!(saved(&desk).await?, text);
    assert_eq!(found(&desk).await?, results);
    Ok(())
}

async fn what_is_here_stays_as_it_is_and_is_counted(database: Database) -> Result<()> {
    let desk = fill(&database).await?;
    let text = saved(&desk).await?;
    // Another owner has projects of the same names, one of the files, and the same conversation.
    let ann = Desk::with(&database, Embedder::none(), &"ann".into()).await?;
    ann.write("notes/tulips.md", "Mine are yellow.\n");
    ann.index().await?;
    let talk = Conversation {
        id: Some("chatgpt:1".into()),
        ..conversation("talk", &[("Ann", "Where is the walrus?")])
    };
    let mine = ann.workspace.import(&ann.project.id, &talk, noon()).await?;
    let report = restored(&ann, &text).await?;
    assert_eq!((report.here["projects"], report.here["files"], report.here["threads"]), (1, 1, 1));
    assert_eq!(
        report.notes,
        [
            "project story was here, and was added to",
            "file notes/tulips.md differs, and stays as it is here",
        ]
    );
    assert_eq!(ann.places("tulips").await?, ["notes/tulips.md:1-1"]);
    let store = database.store().await?.owner(&"ann".into());
    assert_eq!(store.messages(&mine.thread).await?.len(), 1);
    assert!(store.recent_receipt(&mine.thread, 0).await?.is_some());
    Ok(())
}

async fn an_archive_that_is_not_whole_changes_nothing(database: Database) -> Result<()> {
    let desk = fill(&database).await?;
    let text = saved(&desk).await?;
    let check = |text: &str, expected: &str| {
        let error = opened(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let last = lines.len() - 1;
    check(&text[..text.len() / 2], "its last line is missing; it holds");
    check(&lines[..last].concat(), "its last line is missing");
    check(&[&lines[..3], &lines[4..]].concat().concat(), "the archive is incomplete: it holds");
    check(&text.replace("Halfway", "Nowhere"), "the archive was changed after it was written");
    check(&format!("{text}{}", lines[2]), "something follows its last line");
    check(&text.replacen("\"version\":", "\"version\":9", 1), "update dossier");
    check(&text.replacen("{\"config\"", "{\"konfig\"", 1), "line 2: unknown variant `konfig`");
    check(lines[0], "its last line is missing; it holds nothing");
    Ok(())
}

async fn a_project_alone_can_be_saved(database: Database) -> Result<()> {
    let desk = fill(&database).await?;
    let mut out = Vec::new();
    let end = desk.workspace.save(Some(&desk.project), &mut out, noon(), &Silent).await?;
    let counts = [
        ("facts", 3),
        ("files", 3),
        ("messages", 6),
        ("projects", 1),
        ("receipts", 4),
        ("refs", 1),
        ("threads", 2),
    ];
    assert_eq!(end.counts, counts.map(|(kind, count)| (kind.to_owned(), count)).into());
    let ann = Desk::with(&database, Embedder::none(), &"ann".into()).await?;
    restored(&ann, &String::from_utf8(out)?).await?;
    assert_eq!(found(&ann).await?, found(&desk).await?);
    let pump = async |desk: &Desk| -> Result<String> {
        let refs = desk.workspace.list_refs(None, None, None, 10, dossier_engine::now()).await?;
        let name = refs.refs.last().unwrap().whole_name().to_string();
        let whole = ExpandRequest::default();
        Ok(desk.workspace.expand_ref(&name, &whole, dossier_engine::now()).await?.text)
    };
    assert!(pump(&ann).await?.contains("INFO pump 399 is on"));
    Ok(())
}

async fn a_ref_whose_time_is_over_does_not_come_back(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let lines = (0..400).map(|line| format!("INFO pump {line} is on\n")).collect::<String>();
    let new = NewRef { text: lines, ..NewRef::default() };
    let (shown, _) = desk.workspace.put_ref(new, noon()).await?;
    let text = saved(&desk).await?;
    let ann = Desk::with(&database, Embedder::none(), &"ann".into()).await?;
    let report = restored(&ann, &text).await?;
    let note = format!("{} was left out: its time is over", shown.whole_name());
    assert_eq!((report.added.get("refs"), report.notes.last()), (None, Some(&note)));
    Ok(())
}

async fn a_ref_of_several_projects_comes_back_to_all_of_them(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let other = desk.workspace.project(Some("other"), noon()).await?;
    let lines = (0..400).map(|line| format!("INFO pump {line} is on\n")).collect::<String>();
    for project in [&desk.project, &other] {
        let project = Some(project.id.clone());
        let new = NewRef { text: lines.clone(), project, ..NewRef::default() };
        desk.workspace.put_ref(new, dossier_engine::now()).await?;
    }
    let text = saved(&desk).await?;
    let store = database.owner().await?;
    let names = store.shared_refs().await?.into_keys().collect::<Vec<_>>();
    let [name] = &names[..] else { panic!("{names:?}") };
    for project in store.projects().await? {
        store.delete_project(&project.id).await?;
    }
    let whole = ExpandRequest::default();
    assert!(desk.workspace.expand_ref(name, &whole, dossier_engine::now()).await.is_err());
    assert_eq!(restored(&desk, &text).await?.added["refs"], 2);
    assert_eq!(restored(&desk, &text).await?.here["refs"], 2);
    assert_eq!(store.shared_refs().await?[name].len(), 2);
    assert_eq!(saved(&desk).await?, text);
    Ok(())
}

async fn a_ref_that_is_not_what_its_hash_says_is_refused(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let lines = (0..400).map(|line| format!("INFO pump {line} is on\n")).collect::<String>();
    let new = NewRef { text: lines, ..NewRef::default() };
    desk.workspace.put_ref(new, dossier_engine::now()).await?;
    let text = saved(&desk).await?;
    // Whoever changes an archive can seal it again.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (last, before) = lines.split_last().unwrap();
    let before = before.concat();
    let changed = before.replace("INFO pump 399 is on", "INFO pump 399 is off");
    let hash = |text: &str| ContentHash::of(text).to_string();
    let sealed = last.replace(&hash(&before), &hash(&changed));
    assert_ne!(&sealed, last);
    let ann = Desk::with(&database, Embedder::none(), &"ann".into()).await?;
    let error = restored(&ann, &format!("{changed}{sealed}")).await.unwrap_err().to_string();
    assert!(error.contains("its content is another than its hash says"), "{error}");
    let refs = ann.workspace.list_refs(None, None, None, 9, dossier_engine::now()).await?;
    assert_eq!(refs.refs.len(), 0);
    Ok(())
}
