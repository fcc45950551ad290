//! Candidates by term, and the chunks they name.

use crate::database::Database;
use crate::sample::{matching, project, terms, whole_file};
use anyhow::Result;
use dossier_core::chunk::Origin;
use dossier_core::hash::ContentHash;
use dossier_core::id::ChunkId;
use dossier_core::rank::{Postings, Strength};
use dossier_store::{OwnerStore, Project};

const TEXT: &str = "the quick fox\nthe lazy dog\nsnake_case größe 数据 http2";

async fn indexed(database: &Database) -> Result<(OwnerStore, Project)> {
    let store = database.owner().await?;
    let (project, other) = (project("a"), project("b"));
    for project in [&project, &other] {
        store.create_project(project).await?;
    }
    let mut elsewhere = whole_file(&other, "b.txt", TEXT);
    elsewhere.0.id = "fil_other".into();
    for chunk in &mut elsewhere.2 {
        chunk.origin = Origin::File("fil_other".into());
    }
    store.put_files(&[elsewhere, whole_file(&project, "a.txt", TEXT)]).await?;
    Ok((store, project))
}

async fn lines(store: &OwnerStore, project: &Project, terms: &[String]) -> Result<Vec<u32>> {
    let ids = matching(store, &project.id, terms).await?;
    Ok(store.chunks(&ids).await?.iter().map(|chunk| chunk.index).collect())
}

async fn chunks_with_any_of_the_terms_are_found_in_their_project(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    for (question, expected) in [
        ("fox", vec![0]),
        ("dog fox", vec![0, 1]),
        ("the", vec![0, 1]),
        ("snake_case", vec![2]),
        ("größe", vec![2]),
        ("数据", vec![2]),
        ("http2", vec![2]),
        ("snake", vec![]),
        ("quic", vec![]),
        ("absent", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(lines(&store, &project, &terms(question)).await?, expected, "{question}");
    }
    Ok(())
}

async fn hostile_terms_find_nothing_and_break_nothing(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    let hostile = [
        "\"",
        "'",
        "fox\" OR \"dog",
        "fox' | 'dog",
        "AND",
        "OR",
        "NOT",
        "NEAR(fox dog)",
        "*",
        "fo*",
        "terms:fox",
        "{terms}:fox",
        "^fox",
        "-fox",
        "(",
        ")",
        "\\",
        "fox\\",
        "fox dog",
        "fox & dog",
        "!fox",
        "fox:*",
        "<->",
        "\0",
        "a\0b",
        ";DROP TABLE projects",
        "$1",
        "?",
        "-0123456789abcdef",
    ]
    .map(str::to_owned);
    for term in &hostile {
        assert_eq!(
            lines(&store, &project, std::slice::from_ref(term)).await?,
            [0_u32; 0],
            "{term}"
        );
    }
    let mut all = hostile.to_vec();
    all.push("fox".to_owned());
    assert_eq!(lines(&store, &project, &all).await?, [0]);
    Ok(())
}

async fn each_list_holds_what_its_term_says_as_much_about(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let long = format!("fox {}", "word ".repeat(300));
    store.put_files(&[whole_file(&project, "a.txt", &format!("fox\n{long}\nfox dog"))]).await?;
    let list = |strength| Postings { length: 1, term: "fox".to_owned(), strength };
    let lists = vec![list(Strength::Weak), list(Strength::Strong)];
    let found = store.postings(&project.id, lists.clone(), 10).await?;
    let ids = matching(&store, &project.id, &terms("fox")).await?;
    assert_eq!(found, [(lists[0].clone(), vec![ids[1]]), (lists[1].clone(), vec![ids[0], ids[2]])]);
    assert_eq!(store.postings(&project.id, lists, 1).await?[1].1, [ids[0]]);
    let statistics = store.statistics(&project.id, &terms("fox")).await?;
    assert_eq!((statistics.frequency["fox"], statistics.strong["fox"]), (3, 2));
    Ok(())
}

async fn chunks_come_in_the_order_asked_for_and_whole(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    let mut ids = matching(&store, &project.id, &terms("the größe")).await?;
    ids.reverse();
    ids.push(ChunkId(999));
    let (_, _, mut drafts) = whole_file(&project, "a.txt", TEXT);
    drafts.reverse();
    // From the database, and then from memory.
    for _ in 0..2 {
        let chunks = store.chunks(&ids).await?;
        let found: Vec<_> = chunks.iter().map(|chunk| chunk.draft.clone()).collect();
        assert_eq!(found, drafts);
    }
    Ok(())
}

async fn a_deleted_chunk_is_not_served_from_memory(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    let ids = matching(&store, &project.id, &terms("fox")).await?;
    assert_eq!(store.chunks(&ids).await?.len(), 1);
    store.delete_files(&project.id, &["fil_a.txt".into()]).await?;
    assert_eq!(store.chunks(&ids).await?, []);
    assert_eq!(matching(&store, &project.id, &terms("fox")).await?, []);
    Ok(())
}

async fn a_rebuilt_index_finds_the_same(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    let before = lines(&store, &project, &terms("the größe")).await?;
    let statistics = store.statistics(&project.id, &terms("the fox")).await?;
    let (file, _, chunks) = whole_file(&project, "a.txt", TEXT);
    let source = (Origin::File(file.id.clone()), Some(file.content));
    // Chunks of a text that the file no longer has are not taken.
    let stale = (Origin::File(file.id), Some(ContentHash::of("another text")));
    store.replace_chunks(&project.id, &[stale], &[]).await?;
    assert_eq!(lines(&store, &project, &terms("the größe")).await?, before);
    store.replace_chunks(&project.id, std::slice::from_ref(&source), &[]).await?;
    assert_eq!(lines(&store, &project, &terms("the größe")).await?, [0_u32; 0]);
    assert_eq!(store.statistics(&project.id, &terms("the fox")).await?, Default::default());
    store.replace_chunks(&project.id, &[source], &chunks).await?;
    assert_eq!(lines(&store, &project, &terms("the größe")).await?, before);
    assert_eq!(store.statistics(&project.id, &terms("the fox")).await?, statistics);
    Ok(())
}

async fn a_chunk_of_many_and_long_terms_is_stored(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let words: Vec<String> = (0..150_000).map(|number| format!("w{number:06}")).collect();
    let content = format!("{} {}", words.join(" "), "x".repeat(5_000));
    let (file, content, chunks) = whole_file(&project, "a.txt", &content);
    store.put_file(&file, &content, &chunks).await?;
    assert_eq!(lines(&store, &project, &terms("w000007")).await?, [0]);
    store.delete_files(&project.id, &[file.id]).await?;
    assert_eq!(database.row_counts().await?["term_statistics"], 0);
    Ok(())
}

stories![
    chunks_with_any_of_the_terms_are_found_in_their_project,
    hostile_terms_find_nothing_and_break_nothing,
    each_list_holds_what_its_term_says_as_much_about,
    chunks_come_in_the_order_asked_for_and_whole,
    a_deleted_chunk_is_not_served_from_memory,
    a_rebuilt_index_finds_the_same,
    a_chunk_of_many_and_long_terms_is_stored,
];
