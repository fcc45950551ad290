//! Vectors: what is pending, what is near, and what goes.

use crate::database::Database;
use crate::sample::{MODEL, file_id, nearest, project, vector, whole_file};
use anyhow::Result;
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, OwnerId};
use dossier_core::vector::Quantised;
use dossier_store::{Alike, Coverage, OwnerStore, Project};

const TEXT: &str = "red apple\ngreen apple\nblue sky\nred apple";

async fn indexed(database: &Database) -> Result<(OwnerStore, Project)> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    put(&store, &project, "a.txt", TEXT).await?;
    Ok((store, project))
}

async fn put(store: &OwnerStore, project: &Project, path: &str, text: &str) -> Result<()> {
    let (file, content, chunks) = whole_file(project, path, text);
    Ok(store.put_file(&file, &content, &chunks).await?)
}

async fn embed(store: &OwnerStore, texts: &[&str]) -> Result<()> {
    let vectors: Vec<(ContentHash, Vec<Quantised>)> =
        texts.iter().map(|text| (hash(text), vec![vector(text)])).collect();
    Ok(store.put_vectors(MODEL, &vectors).await?)
}

/// The key of the vectors of a line with this text.
fn hash(text: &str) -> ContentHash {
    whole_file(&project("a"), "a.txt", text).2[0].hash()
}

/// The contents of the nearest chunks with their similarities.
async fn near(
    store: &OwnerStore,
    project: &Project,
    text: &str,
    limit: usize,
) -> Result<Vec<(String, f32)>> {
    let found = nearest(store, &project.id, MODEL, &vector(text), limit).await?;
    let ids: Vec<ChunkId> = found.iter().map(|(id, _)| *id).collect();
    let chunks = store.chunks(&ids).await?;
    let contents = chunks.iter().map(|chunk| chunk.content.clone());
    Ok(contents.zip(found.iter().map(|(_, similarity)| *similarity)).collect())
}

fn expected(question: &str, texts: &[&str]) -> Vec<(String, f32)> {
    let query = vector(question);
    texts.iter().map(|text| ((*text).to_owned(), vector(text).similarity(&query))).collect()
}

async fn pending_chunks_are_those_without_vectors(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    let first = store.pending_vectors(&project.id, MODEL).await?;
    assert_eq!(first.iter().map(|chunk| chunk.tokens).collect::<Vec<_>>(), [1, 1, 1]);
    let first: Vec<ChunkId> = first.iter().map(|chunk| chunk.id).collect();
    let still = async || {
        let chunks = store.still_pending(MODEL, &first).await?;
        anyhow::Ok(chunks.iter().map(|chunk| chunk.content.clone()).collect::<Vec<_>>())
    };
    assert_eq!(still().await?, ["red apple", "green apple", "blue sky"]);
    embed(&store, &["red apple"]).await?;
    embed(&store, &["red apple"]).await?;
    assert_eq!(still().await?, ["green apple", "blue sky"]);
    let pending = store.pending_vectors(&project.id, MODEL).await?;
    assert_eq!(pending.iter().map(|chunk| chunk.id).collect::<Vec<_>>(), first[1..]);
    let coverage = store.coverage(&project.id, MODEL).await?;
    assert_eq!(coverage, Coverage { chunks: 4, with_vectors: 2 });
    let coverage = store.coverage(&project.id, "other").await?;
    assert_eq!(coverage, Coverage { chunks: 4, with_vectors: 0 });
    Ok(())
}

async fn the_nearest_chunks_come_best_first_with_all_that_tie(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    assert_eq!(near(&store, &project, "red apple", 5).await?, []);
    embed(&store, &["red apple", "green apple", "blue sky"]).await?;
    assert_eq!(
        near(&store, &project, "red apple", 1).await?,
        expected("red apple", &["red apple", "red apple"])
    );
    let mut all = expected("blue", &["red apple", "red apple", "green apple", "blue sky"]);
    all.sort_by(|left, right| right.1.total_cmp(&left.1));
    assert_eq!(near(&store, &project, "blue", 10).await?, all);
    Ok(())
}

async fn a_chunk_is_as_near_as_its_best_vector(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    let several = vec![vector("far away"), vector("blue"), vector("sky")];
    store.put_vectors(MODEL, &[(hash("blue sky"), several)]).await?;
    let found = near(&store, &project, "blue", 10).await?;
    let similarity = vector("blue").similarity(&vector("blue"));
    assert_eq!(found, [("blue sky".to_owned(), similarity)]);
    Ok(())
}

async fn similarities_are_given_for_the_chunks_asked_for(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    embed(&store, &["blue sky"]).await?;
    let query = vector("blue");
    let ids: Vec<ChunkId> =
        store.pending_vectors(&project.id, "other").await?.iter().map(|chunk| chunk.id).collect();
    let asked = [ids[2], ChunkId(999), ids[0], ids[2]];
    let red = vector("red sky");
    let like = [&query, &red].map(|topic| vector("blue sky").similarity(topic));
    let expected = Alike {
        chunks: vec![(ids[0], vec![]), (ids[2], like.to_vec()), (ChunkId(999), vec![])],
        with_vectors: 1,
    };
    let found = store.alike(&project.id, MODEL, &[query, red], &asked, 0).await?;
    assert_eq!(found, expected);
    Ok(())
}

async fn vectors_of_another_dimension_or_model_are_not_compared(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    embed(&store, &["blue sky"]).await?;
    let short = Quantised::of(&[1.0, 0.0]);
    store.put_vectors(MODEL, &[(hash("red apple"), vec![short.clone()])]).await?;
    assert_eq!(near(&store, &project, "red", 5).await?, expected("red", &["blue sky"]));
    assert_eq!(nearest(&store, &project.id, "other", &vector("red"), 5).await?, []);
    let found = nearest(&store, &project.id, MODEL, &short, 5).await?;
    assert_eq!(found.len(), 2);
    Ok(())
}

async fn vectors_of_any_length_are_kept(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    for length in [1, 3, 1_536, 16_000] {
        let model = format!("of length {length}");
        let vector = Quantised::of(&vec![1.0 / (length as f32).sqrt(); length]);
        store.put_vectors(&model, &[(hash("blue sky"), vec![vector.clone()])]).await?;
        let found = nearest(&store, &project.id, &model, &vector, 5).await?;
        let similarities: Vec<f32> = found.iter().map(|(_, similarity)| *similarity).collect();
        assert_eq!(similarities, [vector.similarity(&vector)], "{length}");
    }
    Ok(())
}

async fn vectors_stay_while_a_chunk_of_those_words_does(database: Database) -> Result<()> {
    let (store, project) = indexed(&database).await?;
    embed(&store, &["red apple", "green apple", "blue sky"]).await?;
    put(&store, &project, "b.txt", "blue sky").await?;
    // Unchanged lines keep their vectors, the changed one loses them.
    put(&store, &project, "a.txt", "red apple\ngreen pear").await?;
    let coverage = store.coverage(&project.id, MODEL).await?;
    assert_eq!(coverage, Coverage { chunks: 3, with_vectors: 2 });
    assert_eq!(database.row_counts().await?["vectors"], 2);
    store.delete_files(&project.id, &[file_id("a.txt"), file_id("b.txt")]).await?;
    assert_eq!(database.row_counts().await?["vectors"], 0);
    Ok(())
}

async fn vectors_of_words_no_chunk_has_are_not_stored(database: Database) -> Result<()> {
    let (store, _) = indexed(&database).await?;
    embed(&store, &["deleted meanwhile"]).await?;
    assert_eq!(database.row_counts().await?["vectors"], 0);
    let error = store.put_vectors(MODEL, &[(hash("blue sky"), vec![])]).await;
    assert_eq!(error.unwrap_err().to_string(), "vectors: a chunk needs at least one");
    Ok(())
}

async fn a_search_sees_what_another_store_wrote_and_deleted(database: Database) -> Result<()> {
    let (ours, project) = indexed(&database).await?;
    let theirs = database.store().await?.owner(&OwnerId::local());
    embed(&ours, &["red apple", "green apple", "blue sky"]).await?;
    assert_eq!(near(&ours, &project, "sky", 9).await?.len(), 4);
    assert_eq!(near(&theirs, &project, "sky", 9).await?.len(), 4);

    // New chunks of known words, new words, new vectors of chunks known before.
    put(&theirs, &project, "b.txt", "blue sky\nold sky").await?;
    assert_eq!(near(&ours, &project, "sky", 9).await?.len(), 5);
    embed(&theirs, &["old sky"]).await?;
    assert_eq!(near(&ours, &project, "old sky", 1).await?, expected("old sky", &["old sky"]));

    theirs.delete_files(&project.id, &[file_id("a.txt")]).await?;
    let mut left = expected("sky", &["blue sky", "old sky"]);
    left.sort_by(|left, right| right.1.total_cmp(&left.1));
    assert_eq!(near(&ours, &project, "sky", 9).await?, left);

    // A project deleted and made again under the same id.
    theirs.delete_project(&project.id).await?;
    theirs.create_project(&project).await?;
    put(&theirs, &project, "c.txt", "blue sky").await?;
    embed(&theirs, &["blue sky"]).await?;
    assert_eq!(near(&ours, &project, "sky", 9).await?, expected("sky", &["blue sky"]));
    Ok(())
}

/// Vectors that depend on the seed alone, of a dimension that two words of signs hold.
fn many(seed: u64, count: usize) -> Vec<Quantised> {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    };
    (0..count)
        .map(|_| {
            let values: Vec<f32> = (0..128).map(|_| random()).collect();
            let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
            Quantised::of(&values.iter().map(|value| value / length).collect::<Vec<_>>())
        })
        .collect()
}

/// A project of so many vectors that signs tell which are worth reading.
async fn a_large_project_is_searched_by_signs_and_packed(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let lines: Vec<String> = (0..25).map(|number| format!("line {number}")).collect();
    put(&store, &project, "a.txt", &lines[..20].join("\n")).await?;
    put(&store, &project, "b.txt", &lines[20..].join("\n")).await?;
    for (seed, line) in (0..).zip(&lines) {
        store.put_vectors(MODEL, &[(hash(line), many(seed, 1_000))]).await?;
    }
    // The query is one of the vectors of line 22, and then of line 3.
    let best = async |store: &OwnerStore, line: u64| {
        let query = many(line, 500).pop().unwrap();
        let found = nearest(store, &project.id, MODEL, &query, 1).await?;
        let chunks = store.chunks(&[found[0].0]).await?;
        let alike = store.alike(&project.id, MODEL, &[query], &[found[0].0], 0).await?;
        assert_eq!(alike.chunks, [(found[0].0, vec![found[0].1])]);
        anyhow::Ok((chunks[0].content.clone(), found[0].1 > 0.99))
    };
    for packed in [0, 1] {
        assert_eq!(best(&store, 22).await?, ("line 22".to_owned(), true));
        assert_eq!(database.row_counts().await?["vector_segments"], packed);
        store.pack_vectors(&project.id, MODEL).await?;
    }
    // One that loads the segments, and sees what goes and comes after they were packed.
    let fresh = database.owner().await?;
    assert_eq!(best(&fresh, 22).await?, ("line 22".to_owned(), true));
    assert_eq!(best(&fresh, 3).await?, ("line 3".to_owned(), true));
    let coverage = Coverage { chunks: 25, with_vectors: 25 };
    assert_eq!(fresh.coverage(&project.id, MODEL).await?, coverage);
    store.delete_files(&project.id, &[file_id("b.txt")]).await?;
    put(&store, &project, "c.txt", &lines[22..].join("\n")).await?;
    store.put_vectors(MODEL, &[(hash("line 23"), many(23, 9_000))]).await?;
    for store in [&fresh, &store, &database.owner().await?] {
        assert_ne!(best(store, 22).await?, ("line 22".to_owned(), true));
        assert_eq!(best(store, 23).await?, ("line 23".to_owned(), true));
        store.pack_vectors(&project.id, MODEL).await?;
        let coverage = Coverage { chunks: 23, with_vectors: 21 };
        assert_eq!(store.coverage(&project.id, MODEL).await?, coverage);
    }
    assert_eq!(best(&database.owner().await?, 23).await?, ("line 23".to_owned(), true));
    assert_eq!(database.row_counts().await?["vector_segments"], 2);
    // What is left is small again, and found alike by those who knew it large and by others.
    store.delete_files(&project.id, &[file_id("a.txt")]).await?;
    let query = many(23, 500).pop().unwrap();
    let left = nearest(&database.owner().await?, &project.id, MODEL, &query, 3).await?;
    assert_eq!(left.len(), 1);
    for store in [&fresh, &store] {
        assert_eq!(nearest(store, &project.id, MODEL, &query, 3).await?, left);
    }
    Ok(())
}

/// More chunks than are read at once.
async fn an_index_is_read_page_by_page(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let lines: Vec<String> = (0..17_000).map(|number| format!("line {number}")).collect();
    put(&store, &project, "a.txt", &lines.join("\n")).await?;
    let pending = store.pending_vectors(&project.id, MODEL).await?;
    assert_eq!((pending.len(), pending.is_sorted_by_key(|chunk| chunk.id)), (17_000, true));
    let vectors: Vec<(ContentHash, Vec<Quantised>)> = (0..)
        .zip(&lines)
        .map(|(number, line)| {
            let angle = number as f32 / 17_000.0;
            (hash(line), vec![Quantised::of(&[angle.cos(), angle.sin()])])
        })
        .collect();
    store.put_vectors(MODEL, &vectors).await?;
    let coverage = Coverage { chunks: 17_000, with_vectors: 17_000 };
    assert_eq!(store.coverage(&project.id, MODEL).await?, coverage);
    let (query, last) = (vectors[16_999].1[0].clone(), pending[16_999].id);
    let alike = store.alike(&project.id, MODEL, &[query], &[last], 0).await?;
    assert_eq!(alike.chunks.len(), 1);
    assert!(alike.chunks[0].1[0] > 0.99, "{alike:?}");
    Ok(())
}

stories![
    an_index_is_read_page_by_page,
    a_large_project_is_searched_by_signs_and_packed,
    pending_chunks_are_those_without_vectors,
    the_nearest_chunks_come_best_first_with_all_that_tie,
    a_chunk_is_as_near_as_its_best_vector,
    similarities_are_given_for_the_chunks_asked_for,
    vectors_of_another_dimension_or_model_are_not_compared,
    vectors_of_any_length_are_kept,
    vectors_stay_while_a_chunk_of_those_words_does,
    vectors_of_words_no_chunk_has_are_not_stored,
    a_search_sees_what_another_store_wrote_and_deleted,
];
