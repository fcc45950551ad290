//! Personas and presets are kept, are seen as long as their threads are, and go with them.

use crate::database::Database;
use crate::isolation::fill;
use crate::sample::{at, matching, message, message_chunk, project, terms, thread};
use anyhow::Result;
use dossier_core::hash::ContentHash;
use dossier_core::maxima::{Exceeded, Maxima, Maximum};
use dossier_core::persona::{Figures, Persona, Preset, Settings, Traits};
use dossier_core::time::Timestamp;
use dossier_store::{Feedback, Holding, Order, PutAway, ReceiptRow, StoreError, Thread, Used};
use serde_json::json;
use std::slice;

/// The persona of the thread with this name.
pub fn persona(name: &str) -> Persona {
    Persona {
        id: format!("psn_{name}").into(),
        thread: format!("thr_{name}").into(),
        traits: Traits {
            name: name.to_owned(),
            system_prompt: format!("You are {name}, and you say 'quote \" this'."),
            personality: "Calm. Größe 数".to_owned(),
            settings: Settings { temperature: 0.0, ..Settings::default() },
            model: Some("openai/gpt-4o".to_owned()),
            tags: vec!["home".to_owned(), "work".to_owned()],
        },
        preset: Some("preset-own".into()),
        created_at: at(4),
        updated_at: at(4),
        last_used_at: at(4),
        expires_at: at(40),
    }
}

pub fn preset(id: &str) -> Preset {
    Preset {
        id: id.into(),
        name: "Own".to_owned(),
        description: "mine".to_owned(),
        system_prompt: "You are mine.".to_owned(),
        personality: "Odd.".to_owned(),
        settings: Settings { temperature: 0.25, ..Settings::default() },
        metadata: json!({"by": ["me"]}),
        is_active: true,
        created_at: at(5),
        updated_at: at(5),
    }
}

pub fn feedback(id: &str, rating: i64, created_at: Timestamp) -> Feedback {
    let comment = (rating > 3).then(|| "helped".to_owned());
    Feedback { id: id.into(), preset: "preset-own".into(), rating, comment, created_at }
}

fn own_thread(name: &str) -> Thread {
    Thread { title: Some(name.to_owned()), ..thread(name, &project("p")) }
}

async fn a_persona_comes_and_goes_with_its_thread(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("p")).await?;
    let before = database.row_counts().await?;
    store.create_persona(&persona("ada"), &own_thread("ada")).await?;
    assert_eq!(store.persona(&"psn_ada".into()).await?, Some(persona("ada")));
    assert_eq!(store.personas().await?, [persona("ada")]);
    assert_eq!(store.personas_called("ADA").await?, [persona("ada")]);
    assert_eq!(store.personas_called("ad").await?, []);
    assert!(!store.restore_persona(&persona("ada")).await?);
    let again = store.create_persona(&persona("ada"), &own_thread("ada")).await;
    assert!(matches!(again, Err(StoreError::Conflict { .. })), "{again:?}");

    let thread = Holding::Thread("thr_ada".into());
    assert!(store.hide(&thread, at(10), at(20)).await?);
    assert_eq!(store.personas().await?, []);
    assert_eq!(store.personas_called("ada").await?, []);
    assert_eq!(store.persona(&"psn_ada".into()).await?, None);
    assert!(!store.update_persona(&persona("ada"), &persona("ada")).await?);
    assert_eq!(store.any_persona(&"psn_ada".into()).await?, Some(persona("ada")));
    let hidden = store.hidden().await?;
    assert_eq!(hidden[0].name, "ada");
    assert!(store.show(&hidden[0], &[]).await?);
    assert_eq!(store.personas().await?, [persona("ada")]);

    store.hide(&thread, at(11), at(20)).await?;
    assert_eq!(store.purge(at(12), at(20)).await?, 1);
    assert_eq!(database.row_counts().await?, before);
    Ok(())
}

async fn a_change_is_whole_and_renames_the_thread(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("p")).await?;
    store.create_persona(&persona("ada"), &own_thread("ada")).await?;
    let mut changed = persona("ada");
    changed.traits = Traits {
        name: "Ada II".to_owned(),
        model: None,
        tags: vec!["new".to_owned()],
        ..persona("other").traits
    };
    changed.updated_at = at(50);
    changed.expires_at = at(70);
    assert!(store.update_persona(&changed, &persona("ada")).await?);
    // Who has not seen that does not undo it.
    assert!(!store.update_persona(&persona("ada"), &persona("ada")).await?);
    assert_eq!(store.persona(&changed.id).await?, Some(changed.clone()));
    let thread = store.thread(&changed.thread).await?.unwrap();
    assert_eq!(thread.title.as_deref(), Some("Ada II"));
    Ok(())
}

async fn the_end_of_a_persona_only_moves_away(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("p")).await?;
    store.create_persona(&persona("ada"), &own_thread("ada")).await?;
    let ends = async |now, until| {
        store.use_persona(&"psn_ada".into(), at(now), at(until)).await?;
        let ada = store.persona(&"psn_ada".into()).await?.unwrap();
        anyhow::Ok((ada.last_used_at.as_millis(), ada.expires_at.as_millis()))
    };
    assert_eq!(ends(10, 45).await?, (10, 45));
    assert_eq!(ends(9, 30).await?, (10, 45));
    assert_eq!(store.expired_personas(at(44)).await?, []);
    assert_eq!(store.expired_personas(at(45)).await?, ["thr_ada".into()]);
    store.hide(&Holding::Thread("thr_ada".into()), at(50), at(60)).await?;
    assert_eq!(store.expired_personas(at(50)).await?, []);
    Ok(())
}

async fn a_persona_too_many_is_refused(database: Database) -> Result<()> {
    let store = database.owner().await?.within(Maxima { personas: 1, ..Maxima::default() });
    store.create_project(&project("p")).await?;
    store.create_persona(&persona("ada"), &own_thread("ada")).await?;
    store.create_preset(&preset("preset-a")).await?;
    let before = database.row_counts().await?;
    let expected = Exceeded { maximum: Maximum::Personas, allowed: 1 };
    for refused in [
        store.create_persona(&persona("bea"), &own_thread("bea")).await,
        store.create_preset(&preset("preset-b")).await,
    ] {
        let Err(StoreError::Exceeded(exceeded)) = refused else { panic!("{refused:?}") };
        assert_eq!(exceeded, expected);
    }
    assert_eq!(database.row_counts().await?, before);
    Ok(())
}

async fn a_preset_is_put_away_and_goes_when_its_time_has_come(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_preset(&preset("preset-a")).await?;
    store.create_preset(&preset("preset-b")).await?;
    let taken = store.create_preset(&preset("preset-a")).await;
    assert!(matches!(taken, Err(StoreError::Conflict { .. })), "{taken:?}");
    let changed = Preset { updated_at: at(9), is_active: false, ..preset("preset-a") };
    let away = PutAway { at: at(10), purge_at: Some(at(20)) };
    assert!(store.change_preset(&changed, Some(away), &preset("preset-a")).await?);
    let late = Preset { description: "late".to_owned(), ..preset("preset-a") };
    assert!(!store.change_preset(&late, None, &preset("preset-a")).await?);
    let built_in = Preset { is_active: false, ..preset("preset-b") };
    store.put_preset(&built_in, Some(PutAway { at: at(10), purge_at: None })).await?;
    assert_eq!(store.presets().await?, [changed, built_in.clone()]);
    assert_eq!(store.overdue(at(19)).await?, None);
    assert_eq!(store.overdue(at(20)).await?, Some(at(10)));
    assert_eq!(store.purge(at(10), at(20)).await?, 0, "no backup since");
    assert_eq!(store.purge(at(11), at(20)).await?, 1);
    assert_eq!(store.presets().await?, [built_in]);
    assert!(store.delete_preset(&"preset-b".into()).await?);
    assert!(!store.delete_preset(&"preset-b".into()).await?);
    Ok(())
}

async fn what_presets_are_used_for_is_counted(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let own = "preset-own".into();
    store.count_preset(&own, Used { personas: 1, ..Used::default() }, at(5)).await?;
    let turn = Used { turns: 1, truncated: 1, tokens: 40, ..Used::default() };
    store.count_preset(&own, turn, at(7)).await?;
    store.count_preset(&own, Used { failed: 1, ..Used::default() }, at(8)).await?;
    store.add_feedback(&feedback("fbk_1", 5, at(8))).await?;
    store.add_feedback(&feedback("fbk_2", 2, at(9))).await?;
    let figures = Figures {
        personas: 1,
        turns: 1,
        truncated: 1,
        failed: 1,
        tokens: 40,
        last_used_at: Some(at(8)),
        ratings: 2,
        mean_rating: Some(3.5),
    };
    assert_eq!(store.preset_figures().await?.into_iter().collect::<Vec<_>>(), [(own, figures)]);
    let told = store.feedback(&"preset-own".into(), 1).await?;
    assert_eq!(told, [feedback("fbk_2", 2, at(9))]);
    Ok(())
}

async fn deleted_messages_leave_neither_index_nor_receipt(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let thread = thread("own", &project("p"));
    store.create_thread(&thread).await?;
    let said: Vec<_> = (0..4).map(|at| message(&thread.id, at, &format!("walrus {at}"))).collect();
    let chunks: Vec<_> = said.iter().map(|message| message_chunk(message, "")).collect();
    store.append_messages(&thread.id, &said, &chunks).await?;
    let text = "the answer";
    let receipt = ReceiptRow {
        id: "rcp_2".into(),
        thread: Some(thread.id.clone()),
        project: Some(project("p").id),
        message: Some(said[1].id.clone()),
        body: "{}".to_owned(),
        blocks: vec![ContentHash::of(text)],
        created_at: at(1),
    };
    store.put_receipt(&receipt, &[(ContentHash::of(text), text.to_owned())]).await?;
    assert_eq!(store.message_count(&thread.id).await?, 4);
    let page = async |order, start| {
        let page = store.message_page(&thread.id, order, start, 2).await?;
        anyhow::Ok(page.iter().map(|message| message.position).collect::<Vec<_>>())
    };
    assert_eq!(page(Order::NewestFirst, 0).await?, [3, 2]);
    assert_eq!(page(Order::NewestFirst, 2).await?, [1, 0]);
    assert_eq!(page(Order::OldestFirst, 3).await?, [3]);

    let ids = [said[1].id.clone(), said[2].id.clone(), "msg_none".into()];
    let itself = store.delete_messages(&thread.id, &ids, slice::from_ref(&chunks[1]), at(9)).await;
    assert!(matches!(itself, Err(StoreError::Invalid { .. })), "{itself:?}");
    assert_eq!(store.message_count(&thread.id).await?, 4, "nothing was done by halves");
    assert_eq!(store.delete_messages(&thread.id, &ids, &[], at(9)).await?, 2);
    assert_eq!(store.delete_messages(&thread.id, &ids, &[], at(9)).await?, 0);
    assert_eq!(page(Order::OldestFirst, 0).await?, [0, 3]);
    assert_eq!(matching(&store, &project("p").id, &terms("walrus")).await?.len(), 2);
    assert_eq!(store.receipt(&"rcp_2".into()).await?, None);
    assert_eq!(store.blob(&ContentHash::of(text)).await?, None);
    assert!(database.store().await?.verify().await?.is_sound());
    Ok(())
}

stories![
    a_persona_comes_and_goes_with_its_thread,
    a_change_is_whole_and_renames_the_thread,
    the_end_of_a_persona_only_moves_away,
    a_persona_too_many_is_refused,
    a_preset_is_put_away_and_goes_when_its_time_has_come,
    what_presets_are_used_for_is_counted,
    deleted_messages_leave_neither_index_nor_receipt,
];
