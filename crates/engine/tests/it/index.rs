//! Indexing folders.

use crate::database::Database;
use crate::desk::Desk;
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, Silent};

stories!(
    only_changed_files_are_read_again,
    files_gone_from_a_folder_are_no_longer_found,
    a_folder_indexed_again_through_its_parent_is_there_once,
    two_folders_with_the_same_paths_do_not_mix,
    what_cannot_be_read_is_skipped_with_its_reason,
    a_file_that_becomes_binary_is_no_longer_found,
    bad_paths_are_refused_and_change_nothing,
    a_rebuilt_index_gives_the_same_results,
    vectors_follow_and_are_not_made_twice,
);

async fn only_changed_files_are_read_again(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "the walrus sleeps");
    desk.write("src/b.rs", "fn otter() {}");
    let first = desk.index().await?;
    assert_eq!((first.added, first.changed, first.unchanged), (2, 0, 0));
    let second = desk.index().await?;
    assert_eq!((second.added, second.changed, second.unchanged), (0, 0, 2));
    assert_eq!(second.fileset, first.fileset);

    desk.write("a.md", "the seal sleeps now");
    let third = desk.index().await?;
    assert_eq!((third.added, third.changed, third.unchanged), (0, 1, 1));
    assert_ne!(third.fileset, first.fileset);
    assert_eq!(desk.places("walrus").await?, Vec::<String>::new());
    assert_eq!(desk.places("seals").await?, ["a.md:1-1"]);
    Ok(())
}

async fn files_gone_from_a_folder_are_no_longer_found(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "the walrus sleeps");
    desk.write("b.md", "the walrus wakes");
    desk.index().await?;
    std::fs::remove_file(desk.folder.path().join("a.md"))?;
    assert_eq!(desk.index().await?.removed, 1);
    assert_eq!(desk.places("walrus").await?, ["b.md:1-1"]);
    std::fs::remove_dir_all(desk.folder.path())?;
    assert_eq!(desk.index().await?.removed, 1, "the folder itself may be gone");
    assert_eq!(desk.places("walrus").await?, Vec::<String>::new());
    assert!(desk.index().await.is_err(), "there is nothing left to forget");
    Ok(())
}

async fn a_folder_indexed_again_through_its_parent_is_there_once(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("src/a.md", "the walrus sleeps");
    desk.index_paths(vec![desk.folder.path().join("src")]).await?;
    let report = desk.index().await?;
    assert_eq!((report.added, report.unchanged), (0, 1));
    assert_eq!(desk.places("walrus").await?.len(), 1);
    Ok(())
}

async fn two_folders_with_the_same_paths_do_not_mix(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("one/notes.md", "the walrus sleeps");
    desk.write("two/notes.md", "the otter swims");
    for folder in ["one", "two", "one", "two"] {
        desk.index_paths(vec![desk.folder.path().join(folder)]).await?;
    }
    assert_eq!(desk.places("walrus").await?, ["notes.md:1-1"]);
    assert_eq!(desk.places("otter").await?, ["two/notes.md:1-1"]);
    Ok(())
}

async fn what_cannot_be_read_is_skipped_with_its_reason(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("image.png", [0x89, b'P', b'N', b'G', 0, 1]);
    desk.write("hidden.txt", b"text\0with a NUL");
    desk.write("latin.txt", b"caf\xe9 \xe9\xe8\xe0\xe9\xe8\xe0\xe9");
    desk.write("id_rsa", "secret");
    desk.write("long.txt", "word ".repeat(2_000_000));
    desk.write("good.md", "good");
    let report = desk.index().await?;
    let skipped: Vec<String> = report
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.path, skipped.reason))
        .collect();
    assert_eq!(report.added, 2, "{skipped:?}");
    for path in ["image.png", "hidden.txt", "latin.txt", "id_rsa"] {
        assert!(skipped.iter().any(|skipped| skipped.starts_with(path)), "{path}: {skipped:?}");
    }
    Ok(())
}

async fn a_file_that_becomes_binary_is_no_longer_found(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("notes", "the walrus sleeps");
    desk.index().await?;
    desk.write("notes", b"walrus\0\0\0\0 and more bytes");
    desk.index().await?;
    assert_eq!(desk.places("walrus").await?, Vec::<String>::new());
    Ok(())
}

async fn bad_paths_are_refused_and_change_nothing(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "the walrus sleeps");
    desk.index().await?;
    let missing = desk.folder.path().join("missing");
    let error = desk.index_paths(vec![desk.folder.path().to_owned(), missing]).await.unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
    assert_eq!(desk.places("walrus").await?, ["a.md:1-1"]);
    Ok(())
}

async fn a_rebuilt_index_gives_the_same_results(database: Database) -> Result<()> {
    let desk = Desk::with(&database, Embedder::local(), &OwnerId::local()).await?;
    for number in 0..12 {
        desk.write(
            &format!("src/part{number}.rs"),
            format!("fn part{number}() {{ /* walrus */ }}\n"),
        );
    }
    let talk = crate::desk::conversation("talk", &[("Ann", "The walrus?"), ("Ben", "It sleeps.")]);
    desk.index().await?;
    desk.workspace.import(&desk.project.id, &talk, crate::desk::noon()).await?;
    desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    let question = "which part has the walrus?";
    let before = desk.assemble(question).await?;
    desk.workspace.rebuild(&desk.project.id, &Silent).await?;
    let embedded = desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    assert_eq!(embedded.embedded, 0, "vectors are kept");
    let after = desk.assemble(question).await?;
    assert_eq!(before.messages, after.messages);
    assert_eq!(before.receipt.items, after.receipt.items);
    Ok(())
}

async fn vectors_follow_and_are_not_made_twice(database: Database) -> Result<()> {
    let desk = Desk::with(&database, Embedder::local(), &OwnerId::local()).await?;
    desk.write("a.md", "A small dog ran over the meadow.");
    desk.write("copy.md", "A small dog ran over the meadow.");
    desk.write("b.md", "Interest rates rose by half a point.");
    desk.index().await?;
    assert_eq!(desk.assemble("puppies on the grass").await?.receipt.coverage.with_vectors, 0);
    let first = desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    assert_eq!((first.embedded, first.problem), (2, None), "equal texts share their vectors");
    let second = desk.workspace.embed_pending(&desk.project.id, &Silent).await?;
    assert_eq!(second.embedded, 0);
    let coverage = desk.assemble("puppies on the grass").await?.receipt.coverage;
    assert_eq!((coverage.chunks, coverage.with_vectors), (3, 3));
    assert_eq!(desk.places("puppies on the grass").await?[..2], ["a.md:1-1", "copy.md:1-1"]);
    Ok(())
}
