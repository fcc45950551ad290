//! What is forgotten is gone for search, dossiers and archives, and comes back as it was.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon, rendered};
use anyhow::{Context as _, Result};
use dossier_core::exchange::{Bundle, Conversation};
use dossier_core::id::OwnerId;
use dossier_core::maxima::Maxima;
use dossier_core::time::Timestamp;
use dossier_engine::{
    BackupWhen, Embedder, Engine, EngineError, Holding, HoldingKind, Incoming, Keeping, Outcome,
    Silent,
};
use dossier_store::{DatabaseKind, StoreError};
use std::io::Write as _;

const DAY: i64 = 24 * 3_600_000;

fn days_later(days: i64) -> Timestamp {
    Timestamp::from_millis(noon().as_millis() + days * DAY)
}

/// A conversation that is known again by its title.
fn talk(title: &str, said: &[(&str, &str)]) -> Conversation {
    Conversation { id: Some(title.to_owned()), ..conversation(title, said) }
}

/// A desk with two files and two threads.
async fn filled(database: &Database) -> Result<Desk> {
    let desk = Desk::new(database).await?;
    desk.write("garden.md", "The tulips are planted in October.\n");
    desk.write("kitchen.md", "The oven was planted in the kitchen.\n");
    desk.index().await?;
    for (title, said) in [("Planning", "The tulips need water"), ("Other", "The oven is broken")] {
        let talk = talk(title, &[("user", said), ("agent", &format!("{title}: noted"))]);
        desk.workspace.import(&desk.project.id, &talk, noon()).await?;
    }
    Ok(desk)
}

async fn thread(desk: &Desk, title: &str) -> Result<Holding> {
    Ok(Holding::Thread(desk.workspace.thread(&desk.project.id, title).await?.id))
}

async fn file(desk: &Desk, path: &str) -> Result<Holding> {
    Ok(Holding::File(desk.workspace.files_at(&desk.project, path).await?[0].id.clone()))
}

async fn archive(desk: &Desk) -> Result<String> {
    let mut out = Vec::new();
    desk.workspace.save(None, &mut out, noon(), &Silent).await?;
    Ok(String::from_utf8(out)?)
}

async fn restore(desk: &Desk, text: &str) -> Result<()> {
    let mut archive = tempfile::tempfile()?;
    archive.write_all(text.as_bytes())?;
    let Incoming::Archive(mut archive) = Incoming::read(archive)? else {
        anyhow::bail!("no archive")
    };
    desk.workspace.restore(&mut archive, &Silent).await?;
    Ok(())
}

async fn ranking_is_as_if_what_is_hidden_had_never_been(database: Database) -> Result<()> {
    let desk = filled(&database).await?;
    let before = desk.search("planted tulips oven").await?;
    let kept = desk.assemble("planted tulips oven").await?;
    desk.workspace.keep(&kept).await?;
    let holdings = [thread(&desk, "Planning").await?, file(&desk, "garden.md").await?];
    for holding in &holdings {
        assert_eq!(
            desk.workspace.hide(holding, 7, noon()).await?,
            Some(days_later(7)),
            "{holding:?}"
        );
    }
    let other = Desk::with(&database, Embedder::none(), &OwnerId::from("never")).await?;
    other.write("kitchen.md", "The oven was planted in the kitchen.\n");
    other.index().await?;
    let talk = talk("Other", &[("user", "The oven is broken"), ("agent", "Other: noted")]);
    other.workspace.import(&other.project.id, &talk, noon()).await?;
    let scores = async |desk: &Desk| -> Result<Vec<(String, f32)>> {
        let hits = desk.search("planted tulips oven").await?;
        Ok(hits.into_iter().map(|hit| (hit.text, hit.score)).collect())
    };
    assert_eq!(scores(&desk).await?, scores(&other).await?);
    let dossier = rendered(&desk.assemble("planted tulips oven").await?);
    assert!(!dossier.contains("October") && !dossier.contains("water"), "{dossier}");
    let error = desk.workspace.rendered(&kept.receipt).await.unwrap_err().to_string();
    assert!(error.ends_with("its source is hidden"), "{error}");

    for hidden in desk.workspace.hidden(noon()).await? {
        assert!(desk.workspace.bring_back(&hidden).await?);
    }
    assert_eq!(desk.search("planted tulips oven").await?, before);
    assert_eq!(desk.workspace.rendered(&kept.receipt).await?, kept.messages);
    Ok(())
}

async fn a_hidden_project_cannot_be_asked_even_by_who_knows_it(database: Database) -> Result<()> {
    let desk = filled(&database).await?;
    let project = Holding::Project(desk.project.id.clone());
    desk.workspace.hide(&project, 7, noon()).await?;
    assert!(desk.search("tulips").await.is_err());
    assert!(desk.assemble("tulips").await.is_err());
    assert!(desk.workspace.existing_project(Some("story")).await.is_err());
    let again = desk.workspace.project(Some("story"), noon()).await?;
    assert_ne!(again.id, desk.project.id, "its name is free");
    let found =
        desk.workspace.hidden_named(HoldingKind::Project, None, "story", days_later(6)).await?;
    let error = desk.workspace.bring_back(&found[0]).await.unwrap_err().to_string();
    assert!(error.contains("dossier forget project \"story\""), "{error}");
    desk.workspace.forget(&Holding::Project(again.id)).await?;
    assert!(desk.workspace.bring_back(&found[0]).await?);
    assert_eq!(desk.places("October").await?, ["garden.md:1-1"]);
    Ok(())
}

async fn after_its_grace_nothing_is_shown_or_brought_back(database: Database) -> Result<()> {
    let desk = filled(&database).await?;
    desk.workspace.hide(&thread(&desk, "Planning").await?, 7, noon()).await?;
    assert_eq!(desk.workspace.hidden(days_later(6)).await?.len(), 1);
    assert_eq!(desk.workspace.hidden(days_later(7)).await?, []);
    let late = desk
        .workspace
        .hidden_named(HoldingKind::Thread, Some(&desk.project), "Planning", days_later(7))
        .await;
    assert!(matches!(late, Err(EngineError::NotFound { .. })), "{late:?}");
    Ok(())
}

async fn what_is_due_goes_for_every_owner(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let local = filled(&database).await?;
    // Without a token, and without anything that is visible.
    let ana = engine.owner(&OwnerId::from("ana"));
    let project = ana.project(Some("hers"), noon()).await?;
    ana.hide(&Holding::Project(project.id), 1, noon()).await?;
    local.workspace.hide(&file(&local, "garden.md").await?, 1, noon()).await?;
    let done = engine.back_up(&Keeping::default(), BackupWhen::Due, days_later(2)).await;
    assert_eq!((done.purged, done.purge_waits), (2, false), "{done:?}");
    assert_eq!(ana.hidden(noon()).await?, []);
    assert_eq!(local.workspace.hidden(noon()).await?, []);
    Ok(())
}

async fn what_is_due_goes_after_a_backup(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let workspace = engine.owner(&OwnerId::local());
    let desk = filled(&database).await?;
    let keeping = Keeping::default();
    let care = async |days: i64| engine.back_up(&keeping, BackupWhen::Due, days_later(days)).await;
    care(0).await;
    workspace.hide(&thread(&desk, "Planning").await?, 7, days_later(1)).await?;
    assert_eq!(care(7).await.purged, 0);
    let done = care(8).await;
    assert_eq!((done.purged, done.purge_waits), (1, false));

    // Without a backup it waits, where there are backups.
    workspace.hide(&file(&desk, "garden.md").await?, 0, days_later(8)).await?;
    let mut never = keeping;
    never.backups.days = 0;
    let done = engine.back_up(&never, BackupWhen::Due, days_later(9)).await;
    let expected = match database.kind {
        DatabaseKind::Sqlite => (0, true, false),
        DatabaseKind::Postgres => (1, false, false),
    };
    assert_eq!((done.purged, done.purge_waits, done.backup.is_some()), expected);
    let done = engine.back_up(&never, BackupWhen::Now, days_later(9)).await;
    assert_eq!(done.purged, 1 - expected.0);
    assert_eq!(workspace.hidden(noon()).await?, []);
    Ok(())
}

async fn a_backup_that_fails_keeps_what_is_due(database: Database) -> Result<()> {
    let engine = Engine::open(&database.url, Embedder::none()).await?;
    let workspace = engine.owner(&OwnerId::local());
    let desk = filled(&database).await?;
    workspace.hide(&thread(&desk, "Planning").await?, 0, noon()).await?;
    let root = database.folder.path().join("backups");
    std::fs::write(&root, "in the way")?;
    let keeping = Keeping::default();
    let done = engine.back_up(&keeping, BackupWhen::Due, days_later(1)).await;
    if database.kind == DatabaseKind::Sqlite {
        assert!(done.backup_problem.is_some() && done.purged == 0, "{done:?}");
        std::fs::remove_file(&root)?;
        let done = engine.back_up(&keeping, BackupWhen::Due, days_later(1)).await;
        assert_eq!((done.backup.is_some(), done.purged), (true, 1));
    } else {
        assert_eq!(done.purged, 1);
    }
    Ok(())
}

async fn indexing_a_hidden_file_brings_it_back(database: Database) -> Result<()> {
    let desk = filled(&database).await?;
    let garden = file(&desk, "garden.md").await?;
    desk.workspace.hide(&garden, 7, noon()).await?;
    let report = desk.index().await?;
    assert_eq!((report.added, report.changed, report.unchanged), (1, 0, 1));
    assert_eq!(file(&desk, "garden.md").await?, garden);
    assert_eq!(desk.places("October").await?, ["garden.md:1-1"]);
    // Gone from the disk, it stays hidden; another folder's file does not take its place.
    desk.workspace.hide(&garden, 7, noon()).await?;
    std::fs::remove_file(desk.folder.path().join("garden.md"))?;
    let elsewhere = tempfile::tempdir()?;
    std::fs::write(elsewhere.path().join("garden.md"), "Weeds.\n")?;
    desk.index_paths(vec![desk.folder.path().to_owned(), elsewhere.path().to_owned()]).await?;
    let hidden = desk.workspace.hidden(noon()).await?;
    assert_eq!(hidden[0].holding, garden);
    assert!(desk.workspace.bring_back(&hidden[0]).await?);
    assert_eq!(desk.workspace.files(&desk.project.id).await?.len(), 3);
    assert_eq!(desk.places("October").await?, ["garden.md:1-1"]);
    Ok(())
}

async fn importing_a_hidden_thread_brings_it_back(database: Database) -> Result<()> {
    let desk = filled(&database).await?;
    let planning = thread(&desk, "Planning").await?;
    let longer =
        [("user", "The tulips need water"), ("agent", "Planning: noted"), ("user", "Daily")];
    let import = async |said: &[(&str, &str)], now| {
        desk.workspace.import(&desk.project.id, &talk("Planning", said), now).await
    };
    desk.workspace.hide(&planning, 7, noon()).await?;
    let back = import(&longer, days_later(6)).await?;
    assert_eq!((back.thread.as_str(), back.outcome), (planning.as_str(), Outcome::Extended));
    assert_eq!(desk.places("tulips water").await?[0], "The tulips need water");
    // After its time it is as if it had never been here.
    desk.workspace.hide(&planning, 7, noon()).await?;
    let new = import(&longer, days_later(7)).await?;
    assert_eq!((new.thread.as_str() == planning.as_str(), new.outcome), (false, Outcome::New));
    assert_eq!(desk.workspace.hidden(noon()).await?, []);
    Ok(())
}

async fn an_archive_leaves_hidden_things_out_and_brings_them_back(
    database: Database,
) -> Result<()> {
    let desk = filled(&database).await?;
    let dossier = desk.assemble("tulips planted in October").await?;
    desk.workspace.keep(&dossier).await?;
    let whole = archive(&desk).await?;
    for holding in [thread(&desk, "Planning").await?, file(&desk, "garden.md").await?] {
        desk.workspace.hide(&holding, 36_500, noon()).await?;
    }
    let without = archive(&desk).await?;
    assert!(!without.contains("October") && !without.contains("Planning"), "{without}");
    assert!(without.contains("Other") && without.contains("kitchen.md"));
    restore(&desk, &whole).await?;
    assert_eq!(archive(&desk).await?, whole);
    let project = Holding::Project(desk.project.id.clone());
    desk.workspace.hide(&project, 36_500, noon()).await?;
    restore(&desk, &whole).await?;
    assert_eq!(archive(&desk).await?, whole);
    // What receipts quoted is gone, and an archive can still be made.
    desk.workspace.forget(&file(&desk, "garden.md").await?).await?;
    let left = archive(&desk).await?;
    assert!(!left.contains("The tulips are planted"), "{left}");
    let error = desk.workspace.rendered(&dossier.receipt).await.unwrap_err().to_string();
    assert!(error.ends_with("its source was forgotten"), "{error}");
    Ok(())
}

async fn an_import_that_is_too_much_leaves_nothing(database: Database) -> Result<()> {
    let desk = filled(&database).await?;
    let whole = archive(&desk).await?;
    let talks = |count: usize, length: usize| Bundle {
        conversations: (0..count)
            .map(|number| conversation(&format!("Talk {number}"), &vec![("user", "hm"); length]))
            .collect(),
        ..Bundle::default()
    };
    let check = async |maxima: Maxima, bundle: &Bundle| {
        let workspace = desk.workspace.clone().within(maxima);
        match workspace.check_room(Some("new"), bundle).await {
            Err(EngineError::Store(StoreError::Exceeded(exceeded))) => {
                Some(exceeded.maximum.setting())
            }
            result => result.map(|()| None).unwrap(),
        }
    };
    let most = Maxima::default();
    assert_eq!(check(Maxima { threads: 5, ..most }, &talks(3, 1)).await, None);
    assert_eq!(check(Maxima { threads: 4, ..most }, &talks(3, 1)).await, Some("limits.threads"));
    assert_eq!(check(Maxima { messages: 3, ..most }, &talks(1, 4)).await, Some("limits.messages"));
    assert_eq!(check(Maxima { bytes: 200, ..most }, &talks(1, 99)).await, Some("limits.bytes"));

    let other = Desk::with(&database, Embedder::none(), &OwnerId::from("other")).await?;
    let before = database.row_counts().await?;
    let with = |threads| {
        let workspace = other.workspace.clone().within(Maxima { threads, ..most });
        Desk { workspace, project: other.project.clone(), folder: tempfile::tempdir().unwrap() }
    };
    assert!(restore(&with(1), &whole).await.is_err());
    assert_eq!(database.row_counts().await?, before);
    restore(&with(2), &whole).await?;
    Ok(())
}

async fn files_that_are_too_much_are_left_out_with_the_reason(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let maxima = Maxima { bytes: 25, ..Maxima::default() };
    let desk = Desk { workspace: desk.workspace.within(maxima), ..desk };
    desk.write("a.md", "ten bytes.");
    desk.write("b.md", "and twenty bytes too");
    desk.write("c.md", "ten others");
    let report = desk.index().await?;
    assert_eq!((report.added, report.chunks), (2, 2));
    let left_out = report.skipped.first().context("one is too much")?;
    assert_eq!((report.skipped.len(), left_out.path.as_str()), (1, "b.md"));
    assert!(left_out.reason.to_string().contains("limits.bytes"), "{}", left_out.reason);
    assert_eq!(desk.index().await?.unchanged, 2);
    desk.workspace.forget(&file(&desk, "a.md").await?).await?;
    desk.write("a.md", "x");
    assert_eq!(desk.index().await?.added, 1);
    Ok(())
}

stories![
    ranking_is_as_if_what_is_hidden_had_never_been,
    a_hidden_project_cannot_be_asked_even_by_who_knows_it,
    after_its_grace_nothing_is_shown_or_brought_back,
    what_is_due_goes_after_a_backup,
    what_is_due_goes_for_every_owner,
    a_backup_that_fails_keeps_what_is_due,
    indexing_a_hidden_file_brings_it_back,
    importing_a_hidden_thread_brings_it_back,
    an_archive_leaves_hidden_things_out_and_brings_them_back,
    an_import_that_is_too_much_leaves_nothing,
    files_that_are_too_much_are_left_out_with_the_reason,
];
