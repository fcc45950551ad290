//! Both databases give the same dossiers, and an evaluation measures them.

use crate::database::{Database, on_postgres, on_sqlite};
use crate::desk::{Desk, conversation, noon};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_core::render::WireMessage;
use dossier_engine::eval::{ContextEval, read_cases};
use dossier_engine::{AssembleRequest, Embedder, Engine, Shape, Silent};
use std::sync::{Arc, Mutex};

const SAID: &[(&str, &str)] = &[
    ("Ann", "I bought a bicycle on Tuesday."),
    ("Ben", "What colour is it?"),
    ("Ann", "Blue, with a white saddle."),
    ("Ben", "Mine is at the repair shop; the chain broke."),
    ("Ann", "Shall we ride to the lake in May?"),
    ("Ben", "Yes, if the chain is mended by then."),
    ("Ann", "My sister wants to come along."),
    ("Ben", "She can have my old bicycle."),
];

const QUESTIONS: &[&str] = &[
    "What colour is Ann's bicycle?",
    "Why is Ben's bicycle at the shop?",
    "Who rides to the lake? Which bicycle can the sister have?",
    "parse the chain \"lake in May\"",
    "anything at all",
];

/// What is sent for each question.
async fn dossiers(database: Database) -> Result<Vec<Vec<WireMessage>>> {
    let desk = Desk::with(&database, Embedder::local(), &OwnerId::local()).await?;
    desk.write("src/chain.rs", "/// Mends a chain.\nfn mend() {}\n");
    desk.write("src/lake.rs", "/// The way to the lake.\nfn ride() {}\n");
    desk.index().await?;
    desk.workspace.import(&desk.project.id, &conversation("talk", SAID), noon()).await?;
    desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    let mut sent = Vec::new();
    for question in QUESTIONS {
        for budget in [90, 3_000] {
            let request = AssembleRequest {
                shape: Shape::Bare,
                budget: Some(budget),
                ..desk.request(question)
            };
            sent.push(desk.workspace.assemble(&request).await?.messages);
        }
    }
    Ok(sent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases_give_the_same_dossiers() -> Result<()> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let story = |kept: Arc<Mutex<Vec<_>>>| {
        async move |database: Database| -> Result<()> {
            let sent = dossiers(database).await?;
            kept.lock().unwrap().push(sent);
            Ok(())
        }
    };
    on_sqlite(story(Arc::clone(&kept))).await?;
    let for_postgres = Arc::clone(&kept);
    on_postgres(move |database| async move {
        let sent = dossiers(database).await?;
        for_postgres.lock().unwrap().push(sent);
        Ok(())
    })
    .await?;
    let kept = kept.lock().unwrap();
    assert_eq!(kept[0], kept[1]);
    assert_eq!(kept[0].len(), 2 * QUESTIONS.len());
    Ok(())
}

stories!(an_evaluation_counts_evidence_tokens_and_leaves_nothing_behind);

async fn an_evaluation_counts_evidence_tokens_and_leaves_nothing_behind(
    database: Database,
) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let before = database.row_counts().await?;
    let messages: Vec<_> = SAID
        .iter()
        .enumerate()
        .map(|(number, (speaker, content))| {
            serde_json::json!({"id": format!("m{number}"), "speaker": speaker, "content": content})
        })
        .collect();
    let question = |id: &str, text: &str, evidence: &[&str]| serde_json::json!({"id": id, "text": text, "evidence": evidence});
    let case = serde_json::json!({
        "id": "case",
        "messages": messages,
        "files": [
            {"path": "src/lake.rs", "content": "fn ride() {}\n"},
            {"path": "tests/.env", "content": "refused, and no reason to stop"},
        ],
        "questions": [
            question("q1", "What colour is Ann's bicycle?", &["m2"]),
            question("q2", "ride", &["src/lake.rs"]),
            question("q3", "nothing to be found", &["nowhere"]),
        ],
    });
    let cases = read_cases(&case.to_string())?;
    assert_eq!(cases[0].unknown_evidence(), ["nowhere"]);
    let eval = ContextEval { budgets: vec![60, 1_000], shape: Shape::Bare };
    let report = eval.run(&engine, &cases, &Silent).await?;
    let large = &report.budgets[1];
    assert_eq!((large.budget, large.questions), (1_000, 3));
    assert!((large.all_evidence - 2.0 / 3.0).abs() < 1e-9, "{large:?}");
    assert!(report.budgets[0].tokens.max <= 60);
    assert!(large.saved < report.budgets[0].saved);
    let mut after = database.row_counts().await?;
    after.insert("owners".to_owned(), before["owners"]);
    assert_eq!(after, before, "the data set is thrown away");
    Ok(())
}
