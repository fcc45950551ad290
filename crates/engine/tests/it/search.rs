//! Searching, also with rubbish.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon};
use anyhow::Result;
use dossier_core::id::OwnerId;
use dossier_engine::{Embedder, Filter, SearchRequest};

stories!(
    words_are_found_by_their_stems_and_identifiers_by_their_parts,
    quoted_words_must_stand_together,
    hostile_queries_are_harmless,
    a_thread_can_be_excluded,
    a_match_below_a_path_is_found_however_many_are_better_elsewhere,
    what_a_branch_has_taken_over_is_found_once,
    another_owner_finds_nothing,
);

async fn words_are_found_by_their_stems_and_identifiers_by_their_parts(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("src/parser.rs", "fn readProjectFile() {}\n");
    desk.write("notes.md", "The horses were running.\n");
    desk.index().await?;
    assert_eq!(desk.places("project").await?, ["src/parser.rs:1-1"]);
    assert_eq!(desk.places("a horse runs").await?, ["notes.md:1-1"]);
    assert_eq!(desk.places("parser").await?, ["src/parser.rs:1-1"]);
    Ok(())
}

async fn quoted_words_must_stand_together(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "red house and blue door");
    desk.write("b.md", "blue house and red door");
    desk.index().await?;
    assert_eq!(desk.places("blue door").await?.len(), 2);
    assert_eq!(desk.places("\"blue door\"").await?, ["a.md:1-1"]);
    Ok(())
}

async fn hostile_queries_are_harmless(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "the walrus sleeps");
    desk.index().await?;
    let long = "walrus ".repeat(20_000);
    for query in [
        "walrus AND",
        "walrus OR (",
        "\"walrus",
        "walrus\"",
        "walrus*",
        "NEAR(walrus, 2)",
        "terms:walrus",
        "walrus'; DROP TABLE content_chunks; --",
        "-walrus",
        "^walrus",
        "walrus\0sleeps",
        "🦭 walrus",
        long.as_str(),
    ] {
        let places = desk.places(query).await?;
        assert_eq!(places, ["a.md:1-1"], "{query:.40}");
    }
    for query in ["", "   ", "\"\"", "***", "!?", "the of and"] {
        assert_eq!(desk.places(query).await?, Vec::<String>::new(), "{query}");
    }
    Ok(())
}

async fn what_a_branch_has_taken_over_is_found_once(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let talk = conversation("talk", &[("Ann", "the walrus of the north"), ("Bob", "it sleeps")]);
    let talk = desk.workspace.import(&desk.project.id, &talk, noon()).await?;
    desk.workspace.branch(&talk.thread, &talk.messages[1], noon()).await?;
    let request = SearchRequest {
        project: desk.project.id.clone(),
        query: "walrus".to_owned(),
        limit: 10,
        exclude: None,
    };
    let hits = desk.workspace.search(&request).await?.hits;
    // The second is found by what was said before it.
    let ids: Vec<&str> = hits.iter().map(|hit| hit.source.id.as_str()).collect();
    assert_eq!(ids, [talk.messages[0].as_str(), talk.messages[1].as_str()]);
    Ok(())
}

async fn a_thread_can_be_excluded(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let first = conversation("first", &[("Ann", "the walrus of the north")]);
    let second = conversation("second", &[("Ann", "the walrus of the south")]);
    let first = desk.workspace.import(&desk.project.id, &first, noon()).await?;
    desk.workspace.import(&desk.project.id, &second, noon()).await?;
    let request = SearchRequest {
        project: desk.project.id.clone(),
        query: "walrus".to_owned(),
        limit: 10,
        exclude: Some(first.thread),
    };
    let hits = desk.workspace.search(&request).await?.hits;
    let texts: Vec<&str> = hits.iter().map(|hit| hit.text.as_str()).collect();
    assert_eq!(texts, ["the walrus of the south"]);
    Ok(())
}

async fn a_match_below_a_path_is_found_however_many_are_better_elsewhere(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    for number in 0..650 {
        desk.write(&format!("log/{number}.md"), format!("walrus walrus {number}"));
    }
    let filler = "the tide was out and the boats lay dry. ".repeat(20);
    desk.write("notes/a.txt", format!("{filler}Then came a walrus."));
    // More than are ranked all, of which one holds the word.
    for number in 0..450 {
        desk.write(&format!("many/{number}.rs"), format!("fn tide_{number}() {{}}"));
    }
    desk.write("many/z.rs", format!("{filler}Then came a walrus."));
    desk.index().await?;
    let filter = |paths: &[&str], types: &[&str]| Filter {
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        file_types: types.iter().map(|kind| (*kind).to_owned()).collect(),
        exclude_conversations: true,
        ..Filter::default()
    };
    for (filter, expected) in [
        (filter(&["notes/"], &[]), vec!["notes/a.txt"]),
        (filter(&[], &["txt"]), vec!["notes/a.txt"]),
        (filter(&["many/"], &[]), vec!["many/z.rs"]),
        (filter(&["notes/", "many/"], &["rs"]), vec!["many/z.rs"]),
        (filter(&["notes/"], &["rs"]), vec![]),
        (filter(&["nowhere/"], &[]), vec![]),
    ] {
        let query = "walrus".to_owned();
        let hits = desk.workspace.search_within(&desk.project, query, &filter, 10).await?;
        let paths: Vec<String> = hits.into_iter().filter_map(|hit| hit.source.path).collect();
        assert_eq!(paths, expected, "{filter:?}");
    }
    let all = Filter::default();
    let hits = desk.workspace.search_within(&desk.project, "walrus".to_owned(), &all, 90).await?;
    assert_eq!(hits.len(), 50);
    Ok(())
}

async fn another_owner_finds_nothing(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "the walrus sleeps");
    desk.index().await?;
    let stranger = Desk::with(&database, Embedder::none(), &OwnerId::from("stranger")).await?;
    assert_eq!(stranger.places("walrus").await?, Vec::<String>::new());
    let request = SearchRequest {
        project: desk.project.id.clone(),
        query: "walrus".to_owned(),
        limit: 10,
        exclude: None,
    };
    let error = stranger.workspace.search(&request).await.unwrap_err().to_string();
    assert!(error.contains("is not known") || error.contains("does not exist"), "{error}");
    Ok(())
}
