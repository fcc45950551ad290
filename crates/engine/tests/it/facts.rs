//! Memory: what is taken from what is said, how it comes into a dossier, and how it goes.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon, rendered};
use anyhow::Result;
use dossier_core::facts::FactKind;
use dossier_core::id::OwnerId;
use dossier_core::item::{Form, Kind};
use dossier_core::time::Timestamp;
use dossier_engine::{
    AssembleRequest, Embedder, EngineError, FactChange, FactFilter, FactQuery, FactState, NewFact,
    ProjectChange, Removal, Silent, Terms, TurnRequest,
};
use dossier_engine::{Holding, HoldingKind};
use serde_json::json;

stories!(
    what_a_person_states_in_a_turn_is_remembered,
    a_newer_fact_closes_the_older_and_takes_its_words_out_of_messages,
    what_stands_in_a_file_that_was_shown_is_not_remembered_again,
    what_is_written_down_is_confirmed_changed_and_forgotten,
    a_fact_that_is_edited_takes_the_place_of_what_it_contradicts,
    forgetting_a_conversation_forgets_its_facts_and_what_receipts_quote_of_them,
    a_project_may_do_without_memory,
    meaning_finds_facts_once_they_have_vectors,
    facts_are_looked_up_by_their_session,
    what_was_said_is_recalled_among_many_files,
    many_may_remember_at_once,
    bad_facts_say_what_to_do,
);

/// Every fact of the project as `text (state)`, the last confirmed first.
async fn known(desk: &Desk) -> Result<Vec<String>> {
    let filter = FactFilter { project: Some(desk.project.id.clone()), ..FactFilter::default() };
    let page = desk.workspace.list_facts(&filter, None, 100, later(100)).await?;
    let tell = |shown: &dossier_engine::FactShown| {
        format!("{} ({})", shown.fact.text, shown.state.as_str())
    };
    Ok(page.facts.iter().map(tell).collect())
}

async fn ask(desk: &Desk, message: &str, now: Timestamp) -> Result<dossier_engine::Turn> {
    let request = TurnRequest {
        project: desk.project.clone(),
        thread: None,
        message: message.to_owned(),
        models: vec!["builtin/extractive".to_owned()],
        attachments: Vec::new(),
        client_message_id: None,
        terms: Terms {
            profile: dossier_core::profile::ProfileName::Lean,
            budget: None,
            options: Default::default(),
            brought: None,
            freshness: Default::default(),
        },
        now,
    };
    let mut stream = desk.workspace.turn(&request).await?;
    while stream.next().await.is_some() {}
    Ok(stream.turn.clone())
}

fn later(hours: i64) -> Timestamp {
    Timestamp::from_millis(noon().as_millis() + hours * 3_600_000)
}

fn lean(desk: &Desk, question: &str) -> AssembleRequest {
    AssembleRequest { now: later(9), ..desk.request(question) }
}

async fn what_a_person_states_in_a_turn_is_remembered(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let turn =
        ask(&desk, "We decided to use Redis for the queue. What do you think?", noon()).await?;
    assert_eq!(known(&desk).await?, ["We decided to use Redis for the queue. (holds)"]);
    let filter = FactFilter::default();
    let fact = desk.workspace.list_facts(&filter, None, 9, noon()).await?.facts.remove(0).fact;
    assert_eq!((fact.kind, fact.source.message), (FactKind::Decision, Some(turn.message)));
    assert_eq!(fact.source.quote, "We decided to use Redis for the queue.");
    // Said again it is confirmed, and asking states nothing.
    ask(&desk, "We decided to use Redis for the queue!", later(1)).await?;
    ask(&desk, "Which queue do we use?", later(2)).await?;
    let page = desk.workspace.list_facts(&filter, None, 9, noon()).await?;
    assert_eq!((page.total, page.facts[0].fact.confirmed_at), (1, later(1)));
    Ok(())
}

async fn a_newer_fact_closes_the_older_and_takes_its_words_out_of_messages(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    ask(&desk, "We chose Redis for the queue. The workers run in Oslo.", noon()).await?;
    ask(&desk, "We chose Kafka for the queue.", later(1)).await?;
    let all = known(&desk).await?;
    assert!(all.contains(&"We chose Redis for the queue. (closed)".to_owned()), "{all:?}");
    assert!(all.contains(&"We chose Kafka for the queue. (holds)".to_owned()), "{all:?}");
    let dossier =
        desk.workspace.assemble(&lean(&desk, "Which queue, and where are the workers?")).await?;
    let shown = rendered(&dossier);
    assert!(shown.contains("Kafka") && !shown.contains("Redis"), "{shown}");
    assert!(shown.contains("[out of date] The workers run in Oslo."), "{shown}");
    let trimmed = dossier.receipt.items.iter().find(|item| item.form == Form::Trimmed).unwrap();
    assert!(trimmed.kind == Kind::Message && trimmed.reason.contains("out of date, see fct_"));
    Ok(())
}

async fn what_stands_in_a_file_that_was_shown_is_not_remembered_again(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("plan.md", "We chose Redis for the queue.\n");
    desk.index().await?;
    ask(&desk, "We chose Redis for the queue.", noon()).await?;
    assert_eq!(known(&desk).await?, [""; 0]);
    Ok(())
}

async fn what_is_written_down_is_confirmed_changed_and_forgotten(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let workspace = &desk.workspace;
    let new = |text: &str| NewFact { text: text.to_owned(), ..NewFact::default() };
    let launch = new("The launch is on March 5, 2027.");
    let first = workspace.remember(&desk.project.id, &launch, noon()).await?;
    let again = workspace.remember(&desk.project.id, &launch, later(1)).await?;
    assert_eq!((&again.fact.id, again.fact.confirmed_at), (&first.fact.id, later(1)));
    let moved = new("The launch has been moved to 2027-04-12.");
    let moved = workspace.remember(&desk.project.id, &moved, later(2)).await?;
    let closed = workspace.fact(&first.fact.id, later(3)).await?;
    assert_eq!(
        (closed.state, closed.fact.superseded_by),
        (FactState::Closed, Some(moved.fact.id.clone()))
    );
    let change = FactChange {
        tags: Some(vec!["Launch".to_owned()]),
        pinned: Some(true),
        ..FactChange::default()
    };
    let changed = workspace.change_fact(&moved.fact.id, &change, later(3)).await?;
    assert_eq!((changed.fact.pinned, changed.fact.tags), (true, vec!["launch".to_owned()]));
    // What is pinned is not closed by itself.
    let doubtful = new("The launch is on May 1, 2027.");
    let doubtful = workspace.remember(&desk.project.id, &doubtful, later(4)).await?;
    assert_eq!(doubtful.state, FactState::Doubtful);
    let accept = FactChange { accepted: true, ..FactChange::default() };
    let accepted = workspace.change_fact(&doubtful.fact.id, &accept, later(4)).await?;
    assert_eq!(accepted.state, FactState::Holds);
    let closed = workspace.fact(&moved.fact.id, later(5)).await?;
    assert_eq!(
        (closed.state, closed.fact.superseded_by),
        (FactState::Closed, Some(accepted.fact.id.clone()))
    );
    // Forgetting what closed a fact lets it hold again, unless something newer has.
    workspace.forget_fact(&moved.fact.id, later(5)).await?;
    assert_eq!(workspace.fact(&first.fact.id, later(5)).await?.state, FactState::Closed);
    workspace.forget_fact(&accepted.fact.id, later(5)).await?;
    assert_eq!(workspace.fact(&first.fact.id, later(5)).await?.state, FactState::Holds);
    let gone = workspace.fact(&moved.fact.id, later(5)).await.unwrap_err();
    assert!(matches!(gone, EngineError::NotFound { .. }), "{gone}");
    Ok(())
}

async fn a_fact_that_is_edited_takes_the_place_of_what_it_contradicts(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let workspace = &desk.workspace;
    let remember = async |text: &str, pinned, hour| {
        let new = NewFact { text: text.to_owned(), pinned, ..NewFact::default() };
        Ok::<_, EngineError>(workspace.remember(&desk.project.id, &new, later(hour)).await?.fact.id)
    };
    let edit = |text: &str| FactChange { text: Some(text.to_owned()), ..FactChange::default() };
    let may = remember("The launch is on May 1, 2027.", false, 1).await?;
    let review = remember("The review is on June 3, 2027.", false, 2).await?;
    let june = edit("The launch is on June 3, 2027.");
    assert_eq!(workspace.change_fact(&review, &june, later(3)).await?.state, FactState::Holds);
    let closed = workspace.fact(&may, later(3)).await?;
    assert_eq!(
        (closed.state, closed.fact.superseded_by),
        (FactState::Closed, Some(review.clone()))
    );
    // What is pinned does not give way unasked.
    let pin = FactChange { pinned: Some(true), ..FactChange::default() };
    workspace.change_fact(&review, &pin, later(4)).await?;
    let dinner = remember("The dinner is on July 9, 2027.", false, 5).await?;
    let july = edit("The launch is on July 9, 2027.");
    assert_eq!(workspace.change_fact(&dinner, &july, later(6)).await?.state, FactState::Doubtful);
    assert_eq!(workspace.fact(&review, later(6)).await?.state, FactState::Holds);
    // Letting a closed fact hold again closes what had closed it.
    let again = FactChange { valid_until: Some(None), ..FactChange::default() };
    assert_eq!(workspace.change_fact(&may, &again, later(7)).await?.state, FactState::Holds);
    assert_eq!(workspace.fact(&review, later(7)).await?.state, FactState::Closed);
    let refused = workspace.change_fact(&may, &edit("Ok."), later(8)).await.unwrap_err();
    assert!(refused.to_string().contains("says too little"), "{refused}");
    Ok(())
}

async fn forgetting_a_conversation_forgets_its_facts_and_what_receipts_quote_of_them(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let said = [("user", "We chose Redis for the queue."), ("agent:o3", "Noted.")];
    let talk =
        desk.workspace.import(&desk.project.id, &conversation("talk", &said), noon()).await?;
    let own =
        NewFact { text: "The office is in Oslo near the park.".to_owned(), ..NewFact::default() };
    let own = desk.workspace.remember(&desk.project.id, &own, noon()).await?;
    let dossier = desk.workspace.assemble(&lean(&desk, "Where is the office?")).await?;
    assert!(rendered(&dossier).contains("[remembered 2026-03-01] The office is in Oslo"));
    desk.workspace.keep(&dossier).await?;
    desk.workspace.forget_fact(&own.fact.id, noon()).await?;
    let receipt = desk.workspace.receipt(&dossier.receipt.id).await?;
    let told = desk.workspace.rendered(&receipt).await.unwrap_err().to_string();
    assert!(told.contains("forgotten") || told.contains("removed"), "{told}");
    assert_eq!(known(&desk).await?, ["We chose Redis for the queue. (holds)"]);
    let holding = Holding::Thread(talk.thread);
    desk.workspace.remove(&holding, Removal::After { days: 7 }, noon()).await?;
    assert_eq!(known(&desk).await?, [""; 0]);
    let hidden = desk
        .workspace
        .hidden_named(HoldingKind::Thread, Some(&desk.project), "talk", noon())
        .await?;
    assert!(desk.workspace.bring_back(&hidden[0]).await?);
    assert_eq!(known(&desk).await?.len(), 1);
    assert!(desk.workspace.forget(&holding).await?);
    assert_eq!(known(&desk).await?, [""; 0]);
    Ok(())
}

async fn a_project_may_do_without_memory(database: Database) -> Result<()> {
    let mut desk = Desk::new(&database).await?;
    let own =
        NewFact { text: "The office is in Oslo near the park.".to_owned(), ..NewFact::default() };
    desk.workspace.remember(&desk.project.id, &own, noon()).await?;
    let settings = |value| json!({ "enable_facts_ledger": value }).as_object().cloned();
    let change = ProjectChange { settings: settings(json!(false)), ..ProjectChange::default() };
    desk.project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
    ask(&desk, "We chose Redis for the queue.", noon()).await?;
    assert_eq!(known(&desk).await?.len(), 1);
    let dossier = desk.workspace.assemble(&lean(&desk, "Where is the office?")).await?;
    assert!(!rendered(&dossier).contains("Oslo"));
    let wrong = ProjectChange { settings: settings(json!("no")), ..ProjectChange::default() };
    let wrong = desk.workspace.change_project(&desk.project.id, wrong, noon()).await.unwrap_err();
    assert_eq!(wrong.to_string(), "enable_facts_ledger is true or false");
    Ok(())
}

async fn meaning_finds_facts_once_they_have_vectors(database: Database) -> Result<()> {
    let desk = Desk::with(&database, Embedder::local(), &OwnerId::local()).await?;
    let workspace = &desk.workspace;
    for text in ["Our dog is called Rex.", "The launch is on March 5, 2027."] {
        let new = NewFact { text: text.to_owned(), ..NewFact::default() };
        workspace.remember(&desk.project.id, &new, noon()).await?;
    }
    let best = async || -> Result<(String, f32)> {
        let query = "name of the puppy";
        let sought = FactQuery { project: Some(&desk.project.id), query, ..FactQuery::default() };
        let found = workspace.top_facts(&sought, noon()).await?;
        Ok((found[0].shown.fact.text.clone(), found[0].similarity))
    };
    assert_eq!(best().await?.1, 0.0);
    let report = workspace.embed_pending(&desk.project.id, &Silent).await?;
    assert_eq!(report.problem, None);
    let (text, similarity) = best().await?;
    assert!(text.contains("Rex") && similarity > 0.3, "{text} {similarity}");
    Ok(())
}

async fn facts_are_looked_up_by_their_session(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let turn = ask(&desk, "We chose Redis for the queue.", noon()).await?;
    ask(&desk, "We chose Oslo for the queue of ferries.", later(1)).await?;
    let texts = async |session: &str| -> Result<Vec<String>> {
        let session = session.into();
        let sought =
            FactQuery { session: Some(&session), query: "the queue", ..FactQuery::default() };
        let found = desk.workspace.top_facts(&sought, later(2)).await?;
        Ok(found.into_iter().map(|recalled| recalled.shown.fact.text).collect())
    };
    assert_eq!(texts(turn.thread.as_str()).await?, ["We chose Redis for the queue."]);
    let laptop = "laptop".into();
    desk.workspace.enter_session(&laptop, &desk.project.id, Some(&turn.thread), later(2)).await?;
    assert_eq!(texts("laptop").await?, ["We chose Redis for the queue."]);
    assert_eq!(texts("phone").await?, [""; 0]);
    Ok(())
}

async fn what_was_said_is_recalled_among_many_files(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    for number in 0..120 {
        desk.write(&format!("walrus{number}.md"), "The walrus sleeps at the quay. The walrus!");
    }
    desk.index().await?;
    let said = [("user", "Somebody has fed the walrus of our neighbours with old bread.")];
    desk.workspace.import(&desk.project.id, &conversation("talk", &said), noon()).await?;
    let query = "the walrus at the quay";
    let (_, recalled) = desk.workspace.recall(&desk.project.id, query, None, noon()).await?;
    let texts: Vec<&str> = recalled.iter().map(|hit| hit.text.as_str()).collect();
    assert_eq!(texts, [said[0].1]);
    Ok(())
}

async fn many_may_remember_at_once(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let remember = |number: usize| {
        let (workspace, project) = (desk.workspace.clone(), desk.project.id.clone());
        tokio::spawn(async move {
            let text = format!("The walrus number {} lives in the harbour.", number % 4);
            let new = NewFact { text, ..NewFact::default() };
            workspace.remember(&project, &new, noon()).await.map(drop)
        })
    };
    for done in (0..8).map(remember).collect::<Vec<_>>() {
        done.await??;
    }
    assert_eq!(known(&desk).await?.len(), 4);
    Ok(())
}

async fn bad_facts_say_what_to_do(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let long = "word ".repeat(200);
    for (text, expected) in [
        (" ", "a fact needs a text; write one to three lines"),
        ("a\nb\nc\nd", "a fact has at most 3 lines, this one has 4; split it"),
        (long.as_str(), "a fact has at most 500 characters, this one has 999; shorten it"),
        ("Ok.", "this says too little to be found again; write a whole sentence"),
    ] {
        let new = NewFact { text: text.to_owned(), ..NewFact::default() };
        let refused = desk.workspace.remember(&desk.project.id, &new, noon()).await.unwrap_err();
        assert_eq!(refused.to_string(), expected);
    }
    let secret = concat!("The key is sk-lf-", "6f9619ff-8b86-4011-b42d-00cf4fc964ff for the bot.");
    let new = NewFact { text: secret.to_owned(), ..NewFact::default() };
    let kept = desk.workspace.remember(&desk.project.id, &new, noon()).await?;
    assert!(!kept.fact.text.contains("6f9619ff"), "{}", kept.fact.text);
    assert_eq!(known(&desk).await?.len(), 1);
    Ok(())
}
