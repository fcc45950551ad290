//! What is hidden is gone for everyone who asks, and comes back as it was.

use crate::database::Database;
use crate::isolation::{answer, consult, fill, story};
use crate::sample::{
    MODEL, at, file, file_id, matching, message, message_chunk, nearest, project, terms, thread,
    vector, whole_file,
};
use anyhow::Result;
use dossier_core::chunk::Draft;
use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
use dossier_core::rank::Statistics;
use dossier_store::{
    FileMetadata, Hidden, Holding, OwnerStore, ReceiptRow, RefFilter, StoreError, Thread,
};
use serde_json::json;

fn holdings() -> [(Holding, Vec<Draft>); 3] {
    let project = project("p");
    let thread = thread("t", &project);
    let (_, _, of_file) = whole_file(&project, "a.txt", "secret plan");
    let of_thread = message_chunk(&message(&thread.id, 0, "secret word"), "");
    [
        (Holding::File(file_id("a.txt")), of_file),
        (Holding::Thread(thread.id), vec![of_thread]),
        (Holding::Project(project.id), Vec::new()),
    ]
}

/// Everything that can be asked about what `fill` wrote.
#[derive(Debug, PartialEq)]
struct Seen {
    projects: usize,
    files: usize,
    threads: usize,
    messages: usize,
    found: Vec<String>,
    statistics: Statistics,
    nearest: usize,
    receipt: bool,
    receipts: usize,
    sessions: Vec<(bool, bool)>,
    links: usize,
    personas: usize,
    consulted: bool,
    refs: usize,
    facts: usize,
    answers: bool,
}

async fn seen(store: &OwnerStore) -> Result<Seen> {
    let (project, thread) = (project("p"), thread("t", &project("p")));
    let said = message(&thread.id, 0, "");
    let file = store.file(&file_id("a.txt")).await?;
    assert_eq!(file, store.file_at(&project.id, "a.txt").await?);
    assert_eq!(file.is_some(), store.file_content(&file_id("a.txt")).await?.is_some());
    let files = store.files(&project.id).await?;
    assert_eq!(files.len(), usize::from(file.is_some()));
    let threads = store.threads(&project.id).await?;
    assert_eq!(threads.first(), store.thread(&thread.id).await?.as_ref());
    assert_eq!(threads.first(), store.thread_from(&project.id, "elsewhere").await?.as_ref());
    let messages = store.messages(&thread.id).await?;
    assert_eq!(messages, store.recent_messages(&thread.id, 9).await?);
    assert_eq!(messages.first(), store.message(&said.id).await?.as_ref());
    assert_eq!(messages.len(), store.message_rows(&thread.id, 0, 9).await?.len());
    assert_eq!(messages.len() as i64, store.next_position(&thread.id).await?);
    let projects = store.projects().await?;
    assert_eq!(projects.first(), store.project(&project.id).await?.as_ref());
    assert_eq!(projects.first(), store.project_named("p").await?.as_ref());
    let receipt = store.receipt(&"rcp_1".into()).await?;
    let recent = store.recent_receipt(&thread.id, 0).await?;
    assert_eq!(receipt.as_ref().map(|receipt| receipt.body.clone()), recent);
    let statistics = store.statistics(&project.id, &terms("secret plan word")).await?;
    // Without statistics, nobody asks for the lists.
    let found = match statistics.documents {
        0 => Vec::new(),
        _ => matching(store, &project.id, &terms("secret")).await?,
    };
    let nearest = nearest(store, &project.id, MODEL, &vector("secret"), 9).await?;
    let sessions = store.sessions().await?;
    let found = store.chunks(&found).await?;
    let mut found: Vec<String> = found.iter().map(|chunk| chunk.content.clone()).collect();
    found.sort();
    let links = store.story_links(&project.id, [&story()]).await?.len();
    let consulted = store.consult_session(&consult()).await?;
    assert_eq!(consulted.is_some(), !store.consult_sessions().await?.is_empty());
    Ok(Seen {
        personas: store.personas().await?.len(),
        links,
        consulted: consulted.is_some(),
        refs: store.refs(&RefFilter::default(), None, 9, at(9)).await?.len(),
        facts: store.facts(&project.id).await?.facts.len(),
        answers: store.kept_answer(&project.id, &answer().key).await?.is_some(),
        projects: projects.len(),
        files: files.len(),
        threads: threads.len(),
        messages: messages.len(),
        nearest: if projects.is_empty() { 0 } else { nearest.len() },
        found,
        statistics,
        receipt: receipt.is_some(),
        receipts: store.receipt_ids(None).await?.len(),
        sessions: sessions
            .iter()
            .map(|session| (session.thread.is_some(), session.project.is_some()))
            .collect(),
    })
}

async fn what_is_hidden_is_seen_as_if_it_had_been_deleted(database: Database) -> Result<()> {
    let store = database.store().await?;
    for (holding, _) in holdings() {
        let name = holding.as_str();
        let hiding = store.owner(&OwnerId::from(format!("hides {name}").as_str()));
        let deleting = store.owner(&OwnerId::from(format!("deletes {name}").as_str()));
        fill(&hiding).await?;
        fill(&deleting).await?;
        seen(&hiding).await?;
        assert!(hiding.hide(&holding, at(20), at(30)).await?);
        assert!(deleting.forget(&holding).await?);
        assert_eq!(seen(&hiding).await?, seen(&deleting).await?, "{name}");
        assert!(!hiding.hide(&holding, at(21), at(31)).await?, "{name} is hidden already");
        assert!(!deleting.hide(&holding, at(21), at(31)).await?, "{name} is gone");
    }
    assert!(store.verify().await?.is_sound(), "{:#?}", store.verify().await?);
    Ok(())
}

async fn what_comes_back_is_as_it_was(database: Database) -> Result<()> {
    let store = database.store().await?;
    for (holding, chunks) in holdings() {
        let name = holding.as_str();
        let owner = store.owner(&OwnerId::from(name));
        fill(&owner).await?;
        let before = seen(&owner).await?;
        owner.hide(&holding, at(20), at(30)).await?;
        let hidden = owner.hidden().await?;
        let expected = Hidden {
            holding: holding.clone(),
            project: project("p").id,
            name: match &holding {
                Holding::Project(_) => "p".to_owned(),
                Holding::Thread(id) => id.to_string(),
                Holding::File(_) => "a.txt".to_owned(),
            },
            hidden_at: at(20),
            purge_at: at(30),
        };
        assert_eq!(hidden, [expected]);
        assert!(owner.show(&hidden[0], &chunks).await?);
        assert!(!owner.show(&hidden[0], &chunks).await?, "{name} is back already");
        assert_eq!(owner.hidden().await?, []);
        let vectors: Vec<_> =
            chunks.iter().map(|chunk| (chunk.hash(), vec![vector("secret")])).collect();
        owner.put_vectors(MODEL, &vectors).await?;
        // Answers may have been made from it, and are not brought back.
        assert_eq!(seen(&owner).await?, Seen { answers: false, ..before }, "{name}");
    }
    assert!(store.verify().await?.is_sound(), "{:#?}", store.verify().await?);
    Ok(())
}

async fn nothing_is_added_to_what_is_hidden(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (project, thread) = (project("p"), thread("t", &project("p")));
    fill(&store).await?;
    let next = message(&thread.id, 2, "more");
    store.hide(&Holding::Thread(thread.id.clone()), at(20), at(30)).await?;
    let refused = store.append_messages(&thread.id, &[next], &[]).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotFound { .. }), "{refused}");
    assert!(store.set_title(&thread.id, "new", at(21)).await.is_err());
    assert!(store.delete_message(&message(&thread.id, 0, "").id, &[], at(21)).await.is_err());
    store.hide(&Holding::File(file_id("a.txt")), at(20), at(30)).await?;
    let metadata = FileMetadata::default();
    assert!(store.set_file_metadata(&file_id("a.txt"), &metadata, at(21)).await.is_err());
    store.hide(&Holding::Project(project.id.clone()), at(20), at(30)).await?;
    let (file, content, chunks) = whole_file(&project, "b.txt", "new");
    let refused = store.put_file(&file, &content, &chunks).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotFound { .. }), "{refused}");
    let other = Thread { id: "thr_u".into(), ..thread };
    assert!(store.create_thread(&other).await.is_err());
    assert!(store.update_project(&project).await.is_err());
    Ok(())
}

async fn a_file_put_again_is_no_longer_hidden(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("p");
    store.create_project(&project).await?;
    store.put_files(&[whole_file(&project, "a.txt", "alpha")]).await?;
    store.hide(&Holding::File(file_id("a.txt")), at(20), at(30)).await?;
    assert_eq!(store.hidden_files(&project.id).await?, [file(&project, "a.txt", "alpha")]);
    store.put_files(&[whole_file(&project, "a.txt", "beta")]).await?;
    assert_eq!(store.files(&project.id).await?, [file(&project, "a.txt", "beta")]);
    assert_eq!((store.hidden().await?, store.hidden_files(&project.id).await?), (vec![], vec![]));
    assert_eq!(store.purge(at(99), at(99)).await?, 0);
    Ok(())
}

async fn the_name_of_a_hidden_project_is_free(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let old = project("p").id;
    store.hide(&Holding::Project(old.clone()), at(20), at(30)).await?;
    let hidden = store.hidden().await?;
    let new = dossier_store::Project { id: "prj_new".into(), ..project("p") };
    store.create_project(&new).await?;
    assert_eq!(store.projects().await?, std::slice::from_ref(&new));
    let refused = store.show(&hidden[0], &[]).await.unwrap_err();
    assert!(matches!(refused, StoreError::Conflict { .. }), "{refused}");
    store.hide(&Holding::Project(new.id), at(21), at(31)).await?;
    assert_eq!(
        store.hidden().await?.iter().map(|hidden| &hidden.name).collect::<Vec<_>>(),
        ["p", "p"]
    );
    assert!(store.show(&hidden[0], &[]).await?);
    assert_eq!(store.projects().await?, [project("p")]);
    Ok(())
}

async fn only_what_is_due_and_was_hidden_before_a_moment_is_purged(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let project = project("p");
    store.create_project(&project).await?;
    for path in ["early", "late", "waiting", "shown"] {
        store.put_files(&[whole_file(&project, path, path)]).await?;
    }
    let hide = async |path: &str, now, until| {
        store.hide(&Holding::File(file_id(path)), at(now), at(until)).await
    };
    assert_eq!(store.overdue(at(99)).await?, None);
    hide("early", 10, 50).await?;
    hide("late", 40, 50).await?;
    hide("waiting", 10, 60).await?;
    assert_eq!(store.overdue(at(49)).await?, None);
    assert_eq!(store.overdue(at(50)).await?, Some(at(40)));
    assert_eq!(store.purge(at(40), at(50)).await?, 1);
    let left: Vec<String> = store.hidden().await?.into_iter().map(|hidden| hidden.name).collect();
    assert_eq!(left, ["late", "waiting"]);
    assert_eq!(store.purge(at(41), at(50)).await?, 1);
    assert_eq!(store.purge(at(90), at(90)).await?, 1);
    assert_eq!(store.overdue(at(99)).await?, None);
    assert_eq!(store.files(&project.id).await?, [file(&project, "shown", "shown")]);
    assert_eq!(database.row_counts().await?["blobs"], 1);
    Ok(())
}

async fn purging_leaves_what_deleting_leaves(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for (holding, _) in holdings() {
        fill(&store).await?;
        store.hide(&holding, at(20), at(30)).await?;
        assert_eq!(store.purge(at(30), at(30)).await?, 1);
        let purged = database.row_counts().await?;
        store.delete_project(&project("p").id).await?;
        database.execute(OUTSIDE).await?;
        fill(&store).await?;
        store.forget(&holding).await?;
        assert_eq!(database.row_counts().await?, purged, "{}", holding.as_str());
        store.delete_project(&project("p").id).await?;
        database.execute(OUTSIDE).await?;
    }
    Ok(())
}

/// What a sample holds that belongs to no project.
const OUTSIDE: &str = "DELETE FROM jobs; DELETE FROM vector_log; DELETE FROM access_tokens;
    DELETE FROM kept_replies; DELETE FROM token_factors; DELETE FROM personality_presets;
    DELETE FROM preset_figures; DELETE FROM preset_feedback";

/// A receipt of the project that shows a line of each of two sources.
fn quoting(id: &str, sources: [&str; 2]) -> (ReceiptRow, Vec<(ContentHash, String)>) {
    let texts = sources.map(|source| format!("{source} was quoted"));
    let hashes = texts.clone().map(ContentHash::of);
    let item = |source: &str| {
        json!({"kind": "file", "source": {"type": "file", "id": source}, "form": "full",
               "include_mode": "retrieved", "tokens": 1, "reason": ""})
    };
    let block = |place: usize| json!({"hash": hashes[place], "message": 0, "role": "user", "item": place, "bytes": 1});
    let body = json!({
        "id": id, "now": at(5), "project": project("p").id, "question": "?",
        "intent": "deep_analysis", "profile": "lean",
        "budget": {"limit": 1, "used": 1, "counted_by": "", "sections": {}, "warnings": []},
        "coverage": {"chunks": 0, "with_vectors": 0}, "beyond": {"chunks": 0, "rounds": 0},
        "items": sources.map(item), "blocks": [block(0), block(1)], "sent": hashes[0],
    });
    let row = ReceiptRow {
        id: id.into(),
        thread: None,
        project: Some(project("p").id),
        message: None,
        body: body.to_string(),
        blocks: hashes.to_vec(),
        created_at: at(5),
    };
    (row, hashes.into_iter().zip(texts).collect())
}

async fn what_receipts_quote_of_it_is_forgotten_and_named(database: Database) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let thread = thread("t", &project("p")).id;
    let said = message(&thread, 0, "").id;
    let (row, contents) = quoting("rcp_2", ["fil_a.txt", said.as_str()]);
    serde_json::from_str::<dossier_core::receipt::Receipt>(&row.body)?;
    store.put_receipt(&row, &contents).await?;
    let ids = ["fil_a.txt", said.as_str(), "fil_other"];
    assert!(store.hidden_among(ids).await?.is_empty());
    store.hide(&Holding::File(file_id("a.txt")), at(20), at(30)).await?;
    store.hide(&Holding::Thread(thread.clone()), at(20), at(30)).await?;
    let hidden = store.hidden_among(ids).await?;
    assert_eq!(hidden, ["fil_a.txt".to_owned(), said.to_string()].into());

    store.forget(&Holding::File(file_id("a.txt"))).await?;
    let left = store.receipt(&row.id).await?.unwrap();
    assert_eq!((left.blocks.as_slice(), &left.body), (&row.blocks[1..], &row.body));
    assert_eq!(store.blob(&row.blocks[0]).await?, None);
    store.forget(&Holding::Thread(thread)).await?;
    assert_eq!(store.receipt(&row.id).await?.unwrap().blocks, []);
    assert_eq!(store.blob(&row.blocks[1]).await?, None);
    Ok(())
}

async fn what_another_source_says_too_is_shown_however_often_one_is_forgotten(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let (row, mut contents) = quoting("rcp_2", ["fil_a.txt", "fil_other"]);
    // Both say the same.
    let shown = row.blocks[0].clone();
    let row = ReceiptRow { blocks: vec![shown.clone(), shown.clone()], ..row };
    contents.truncate(1);
    store.put_receipt(&row, &contents).await?;
    let (file, content, chunks) = whole_file(&project("p"), "a.txt", "words");
    for _ in 0..2 {
        store.put_file(&file, &content, &chunks).await?;
        store.hide(&Holding::File(file_id("a.txt")), at(20), at(30)).await?;
        assert!(store.forget(&Holding::File(file_id("a.txt"))).await?);
        assert_eq!(store.receipt(&row.id).await?.unwrap().blocks, std::slice::from_ref(&shown));
        assert!(store.blob(&shown).await?.is_some());
    }
    Ok(())
}

async fn a_receipt_from_an_archive_that_lacks_a_block_loses_the_right_one(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    fill(&store).await?;
    let (row, mut contents) = quoting("rcp_2", ["fil_other", "fil_a.txt"]);
    // Where it comes from, its first block was forgotten.
    let row = ReceiptRow { blocks: row.blocks[1..].to_vec(), ..row };
    contents.remove(0);
    store.put_receipt(&row, &contents).await?;
    store.hide(&Holding::File(file_id("a.txt")), at(20), at(30)).await?;
    store.forget(&Holding::File(file_id("a.txt"))).await?;
    assert_eq!(store.receipt(&row.id).await?.unwrap().blocks, []);
    assert_eq!(store.blob(&row.blocks[0]).await?, None);
    Ok(())
}

async fn another_owner_hides_and_forgets_nothing(database: Database) -> Result<()> {
    let store = database.store().await?;
    let (ann, bob) = (store.owner(&"ann".into()), store.owner(&"bob".into()));
    fill(&ann).await?;
    let before = seen(&ann).await?;
    for (holding, _) in holdings() {
        assert!(!bob.hide(&holding, at(1), at(2)).await?);
        assert!(!bob.forget(&holding).await?);
    }
    assert_eq!(seen(&ann).await?, before);
    for (holding, _) in holdings() {
        ann.hide(&holding, at(1), at(2)).await?;
    }
    let hidden = ann.hidden().await?;
    assert_eq!(bob.hidden().await?, []);
    assert_eq!(bob.hidden_files(&project("p").id).await?, []);
    assert_eq!(bob.hidden_file(&file_id("a.txt")).await?, None);
    assert_eq!(bob.hidden_messages(&"thr_t".into()).await?, []);
    assert_eq!(bob.hidden_from(&project("p").id, "elsewhere").await?, None);
    assert!(bob.hidden_among(["fil_a.txt"]).await?.is_empty());
    assert_eq!(bob.overdue(at(9)).await?, None);
    assert_eq!(bob.purge(at(9), at(9)).await?, 0);
    assert!(!bob.show(&hidden[0], &[]).await?);
    assert_eq!(ann.hidden().await?, hidden);
    Ok(())
}

stories![
    what_is_hidden_is_seen_as_if_it_had_been_deleted,
    what_comes_back_is_as_it_was,
    nothing_is_added_to_what_is_hidden,
    a_file_put_again_is_no_longer_hidden,
    the_name_of_a_hidden_project_is_free,
    only_what_is_due_and_was_hidden_before_a_moment_is_purged,
    purging_leaves_what_deleting_leaves,
    what_receipts_quote_of_it_is_forgotten_and_named,
    what_another_source_says_too_is_shown_however_often_one_is_forgotten,
    a_receipt_from_an_archive_that_lacks_a_block_loses_the_right_one,
    another_owner_hides_and_forgets_nothing,
];
