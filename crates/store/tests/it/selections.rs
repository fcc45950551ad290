//! How selections served their replies: noted after the reply, added up by day and by profile.

use crate::database::Database;
use crate::sample::at;
use crate::turns::{assembly, begun, row};
use anyhow::Result;
use dossier_core::selection::Served;
use dossier_store::{
    Assembly, Learned, NewReply, OwnerStore, ReceiptRow, SelectionSum, SelectionsBy, Thread, Turn,
    UsageFilter,
};

stories![a_selection_is_counted_for_its_owner_alone, selections_are_added_up_by_day_and_by_profile,];

const SERVED: Served =
    Served { shown: 8, used: 3, left_out: 20, could_fetch: true, missed: 2, followed: 1 };

/// A dossier of a profile, made on a day.
async fn called(
    store: &OwnerStore,
    (thread, turn): (&Thread, &Turn),
    ordinal: usize,
    (profile, day): (&str, i64),
) -> Result<ReceiptRow> {
    let receipt = ReceiptRow {
        id: format!("rcp_{ordinal}").into(),
        thread: Some(thread.id.clone()),
        project: Some(thread.project.clone()),
        message: None,
        body: "{}".to_owned(),
        blocks: Vec::new(),
        created_at: at(day * 86_400_000),
    };
    let assembly = Assembly { profile: profile.to_owned(), ..assembly(1) };
    assert!(store.reply_called(&turn.id, ordinal, &receipt, &[], &assembly).await?);
    Ok(receipt)
}

/// Gives the reply to a dossier, and notes how that served it.
async fn replied(
    store: &OwnerStore,
    (thread, turn): (&Thread, &Turn),
    ordinal: usize,
    receipt: &ReceiptRow,
    served: Served,
) -> Result<()> {
    let said = row(thread, i64::try_from(ordinal)? + 1, "here");
    let reply = NewReply {
        turn: &turn.id,
        ordinal,
        receipt: Some(&receipt.id),
        message: &said,
        usage: None,
        links: &[],
    };
    assert!(store.reply_given(reply).await?);
    let served = [(receipt.id.clone(), served)];
    let learned = Learned { served: &served, ..Learned::default() };
    Ok(store.turn_learned(turn, learned, at(0)).await?)
}

async fn a_selection_is_counted_for_its_owner_alone(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (_, thread, turn) = begun(&store).await?;
    let place = (&thread, &turn);
    let receipt = called(&store, place, 0, ("lean", 0)).await?;
    assert_eq!(store.served(&receipt.id).await?, None);
    assert_eq!(store.selections(SelectionsBy::Day, &UsageFilter::default()).await?, []);
    replied(&store, place, 0, &receipt, SERVED).await?;
    assert_eq!(store.served(&receipt.id).await?, Some(SERVED));
    let stranger = database.store().await?.owner(&"stranger".into());
    let served = [(receipt.id.clone(), Served::default())];
    let learned = Learned { served: &served, question: true, ..Learned::default() };
    stranger.turn_learned(&turn, learned, at(0)).await?;
    assert_eq!(store.served(&receipt.id).await?, Some(SERVED));
    assert_eq!(stranger.served(&receipt.id).await?, None);
    assert_eq!(stranger.selections(SelectionsBy::Day, &UsageFilter::default()).await?, []);
    Ok(())
}

async fn selections_are_added_up_by_day_and_by_profile(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (project, thread, turn) = begun(&store).await?;
    let place = (&thread, &turn);
    let first = called(&store, place, 0, ("lean", 0)).await?;
    replied(&store, place, 0, &first, SERVED).await?;
    let second = called(&store, place, 1, ("project", 1)).await?;
    let served = Served { shown: 5, used: 5, left_out: 1, ..Served::default() };
    replied(&store, place, 1, &second, served).await?;
    // They stay when the dossiers go.
    store.delete_project(&project.id).await?;
    let lean = |key: &str| SelectionSum {
        key: key.to_owned(),
        replies: 1,
        shown: 8,
        used: 3,
        left_out: 20,
        could_fetch: 1,
        lacking: 1,
        missed: 2,
        followed: 1,
    };
    let whole = |key: &str| SelectionSum {
        key: key.to_owned(),
        replies: 1,
        shown: 5,
        used: 5,
        left_out: 1,
        ..SelectionSum::default()
    };
    let all = UsageFilter::default();
    let by_profile = store.selections(SelectionsBy::Profile, &all).await?;
    assert_eq!(by_profile, [lean("lean"), whole("project")]);
    let by_day = store.selections(SelectionsBy::Day, &all).await?;
    assert_eq!(by_day, [lean("1970-01-01"), whole("1970-01-02")]);
    let later = UsageFilter { from: Some("1970-01-02".to_owned()), ..UsageFilter::default() };
    assert_eq!(store.selections(SelectionsBy::Profile, &later).await?, [whole("project")]);
    let elsewhere = UsageFilter { project: Some("prj_other".into()), ..UsageFilter::default() };
    assert_eq!(store.selections(SelectionsBy::Profile, &elsewhere).await?, []);
    Ok(())
}
