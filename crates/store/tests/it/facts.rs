//! What is remembered: written once, seen by every process, gone with what it quotes.

use crate::database::Database;
use crate::sample::{at, message, message_chunk, project, thread, vector};
use anyhow::Result;
use dossier_core::facts::{Fact, FactKind, Quotation, Topic};
use dossier_core::id::{FactId, MessageId};
use dossier_store::{FactsAtHand, Hidden, Holding, OwnerStore};

pub fn fact(id: &str, text: &str, source: Option<&MessageId>) -> Fact {
    Fact {
        id: FactId::from(id),
        kind: FactKind::Decision,
        text: text.to_owned(),
        source: Quotation {
            thread: source.map(|_| thread("t", &project("p")).id),
            message: source.cloned(),
            quote: text.to_owned(),
        },
        topic: Some(Topic { subject: "queue".to_owned(), attribute: "choice".to_owned() }),
        tags: vec!["infra".to_owned()],
        created_at: at(5),
        confirmed_at: at(6),
        valid_from: at(5),
        valid_until: None,
        superseded_by: None,
        pinned: true,
        doubt: None,
    }
}

/// Writes facts into the project `p`, whatever was there.
pub async fn put(store: &OwnerStore, facts: &[Fact]) -> Result<()> {
    let project = project("p").id;
    let known = store.facts(&project).await?;
    assert!(store.write_facts(&project, &known, facts, &[]).await?);
    Ok(())
}

/// A project with a thread of two messages.
async fn begun(store: &OwnerStore) -> Result<[MessageId; 2]> {
    let project = project("p");
    store.create_project(&project).await?;
    let thread = thread("t", &project);
    store.create_thread(&thread).await?;
    let said = [message(&thread.id, 0, "Redis"), message(&thread.id, 1, "Kafka")];
    store
        .append_messages(&thread.id, &said, &said.each_ref().map(|said| message_chunk(said, "")))
        .await?;
    Ok(said.map(|message| message.id))
}

fn texts(known: &FactsAtHand) -> Vec<&str> {
    known.facts.iter().map(|known| known.fact.text.as_str()).collect()
}

async fn facts_are_read_as_they_were_written(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let [said, _] = begun(&store).await?;
    let whole = fact("fct_1", "We use Redis.", Some(&said));
    let bare = Fact { topic: None, tags: Vec::new(), pinned: false, ..fact("fct_2", "b", None) };
    put(&store, &[whole.clone(), bare.clone()]).await?;
    let project = project("p").id;
    let known = store.facts(&project).await?;
    let facts: Vec<&Fact> = known.facts.iter().map(|known| &known.fact).collect();
    assert_eq!(facts, [&whole, &bare]);
    assert_eq!(store.fact(&whole.id).await?, Some((project, whole)));
    assert_eq!(store.fact(&"fct_none".into()).await?, None);
    Ok(())
}

async fn what_another_process_writes_is_seen(database: Database) -> Result<()> {
    let (here, there) = (database.owner().await?, database.owner().await?);
    begun(&here).await?;
    let project = project("p").id;
    put(&here, &[fact("fct_2", "two", None)]).await?;
    assert_eq!(texts(&there.facts(&project).await?), ["two"]);
    put(&here, &[fact("fct_1", "one", None), fact("fct_2", "second", None)]).await?;
    assert_eq!(texts(&there.facts(&project).await?), ["one", "second"]);
    let seen = there.facts(&project).await?;
    assert!(here.forget_fact(&project, &"fct_1".into()).await?);
    assert!(!here.forget_fact(&project, &"fct_1".into()).await?);
    assert_eq!(texts(&there.facts(&project).await?), ["second"]);
    // Who decides by what has changed since does not write.
    let late = [fact("fct_3", "three", None)];
    assert!(!there.write_facts(&project, &seen, &late, &[]).await?);
    assert_eq!(texts(&here.facts(&project).await?), ["second"]);
    Ok(())
}

async fn a_project_that_is_made_anew_remembers_nothing(database: Database) -> Result<()> {
    let (here, there) = (database.owner().await?, database.owner().await?);
    for text in ["one", "two"] {
        begun(&here).await?;
        let project = project("p").id;
        assert_eq!(texts(&there.facts(&project).await?), [""; 0]);
        put(&here, &[fact("fct_1", text, None)]).await?;
        assert_eq!(texts(&there.facts(&project).await?), [text]);
        assert!(here.delete_project(&project).await?);
    }
    Ok(())
}

async fn a_vector_belongs_to_the_text_it_was_made_of(database: Database) -> Result<()> {
    let store = database.owner().await?;
    begun(&store).await?;
    let project = project("p").id;
    put(&store, &[fact("fct_1", "one", None)]).await?;
    let made = |text: &str| vec![("fct_1".into(), text.to_owned(), vector(text))];
    store.put_fact_vectors(&project, "mini", &made("another")).await?;
    let embedding =
        |known: &FactsAtHand| known.facts[0].embedding.clone().map(|own| (own.model, own.vector));
    assert_eq!(embedding(&store.facts(&project).await?), None);
    store.put_fact_vectors(&project, "mini", &made("one")).await?;
    let expected = Some(("mini".to_owned(), vector("one")));
    assert_eq!(embedding(&store.facts(&project).await?), expected);
    put(&store, &[Fact { confirmed_at: at(9), ..fact("fct_1", "one", None) }]).await?;
    assert_eq!(embedding(&store.facts(&project).await?), expected);
    put(&store, &[fact("fct_1", "changed", None)]).await?;
    assert_eq!(embedding(&store.facts(&project).await?), None);
    Ok(())
}

async fn a_fact_goes_with_its_message_and_what_it_had_closed_holds_again(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let [first, second] = begun(&store).await?;
    let project = project("p").id;
    let old = Fact {
        valid_until: Some(at(7)),
        superseded_by: Some("fct_2".into()),
        ..fact("fct_1", "We use Redis.", Some(&first))
    };
    put(&store, &[old.clone(), fact("fct_2", "We use Kafka.", Some(&second))]).await?;
    store.delete_message(&second, &[], at(9)).await?;
    let known = store.facts(&project).await?;
    let facts: Vec<&Fact> = known.facts.iter().map(|known| &known.fact).collect();
    assert_eq!(facts, [&Fact { valid_until: None, superseded_by: None, ..old }]);
    assert!(store.delete_thread(&thread("t", &crate::sample::project("p")).id).await?);
    assert_eq!(texts(&store.facts(&project).await?), [""; 0]);
    assert_eq!(database.row_counts().await?["facts_ledger"], 0);
    Ok(())
}

async fn what_a_forgotten_fact_had_closed_is_closed_by_what_closed_it(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    begun(&store).await?;
    let project = project("p").id;
    let closed = |id: &str, by: &str, until: i64| Fact {
        valid_until: Some(at(until)),
        superseded_by: Some(by.into()),
        ..fact(id, id, None)
    };
    let (first, second) = (closed("fct_1", "fct_2", 5), closed("fct_2", "fct_3", 7));
    put(&store, &[first, second, fact("fct_3", "fct_3", None)]).await?;
    let left = async || -> Result<Vec<Fact>> {
        let known = store.facts(&project).await?;
        Ok(known.facts.iter().map(|known| known.fact.clone()).collect())
    };
    assert!(store.forget_fact(&project, &"fct_2".into()).await?);
    assert_eq!(left().await?, [closed("fct_1", "fct_3", 7), fact("fct_3", "fct_3", None)]);
    assert!(store.forget_fact(&project, &"fct_3".into()).await?);
    assert_eq!(left().await?, [fact("fct_1", "fct_1", None)]);
    Ok(())
}

async fn the_facts_of_a_hidden_thread_are_hidden_with_it(database: Database) -> Result<()> {
    let (here, there) = (database.owner().await?, database.owner().await?);
    let [said, _] = begun(&here).await?;
    let project = project("p").id;
    put(&here, &[fact("fct_1", "We use Redis.", Some(&said)), fact("fct_2", "own", None)]).await?;
    assert_eq!(there.facts(&project).await?.facts.len(), 2);
    let holding = Holding::Thread(thread("t", &crate::sample::project("p")).id);
    assert!(here.hide(&holding, at(10), at(20)).await?);
    assert_eq!(texts(&there.facts(&project).await?), ["own"]);
    assert_eq!(there.fact(&"fct_1".into()).await?, None);
    let hidden: Vec<Hidden> = here.hidden().await?;
    assert!(here.show(&hidden[0], &[]).await?);
    assert_eq!(texts(&there.facts(&project).await?), ["We use Redis.", "own"]);
    Ok(())
}

stories![
    facts_are_read_as_they_were_written,
    what_another_process_writes_is_seen,
    a_project_that_is_made_anew_remembers_nothing,
    a_vector_belongs_to_the_text_it_was_made_of,
    a_fact_goes_with_its_message_and_what_it_had_closed_holds_again,
    what_a_forgotten_fact_had_closed_is_closed_by_what_closed_it,
    the_facts_of_a_hidden_thread_are_hidden_with_it,
];
