//! Contents that stand in texts by their names.

use crate::database::Database;
use crate::sample::{at, project, whole_file};
use crate::turns::assembly;
use anyhow::Result;
use dossier_core::chat::Usage;
use dossier_core::hash::ContentHash;
use dossier_core::refs::{Kind, RefName};
use dossier_core::savings::Savings;
use dossier_core::time::Timestamp;
use dossier_store::{
    Assembly, CompressedSum, Holding, Job, JobState, KeptReply, Look, OwnerStore, Project,
    ReceiptRow, RefFilter, RefRow, RefSum, RefsBy, Reservation, Summarised, UsageRow,
};
use serde_json::json;

pub fn row(content: &str, in_project: Option<&str>) -> RefRow {
    RefRow {
        kind: Kind::new("log").unwrap(),
        hash: ContentHash::of(format!("canonical {content}")),
        content: ContentHash::of(content),
        project: in_project.map(|name| project(name).id),
        summary: "a log".to_owned(),
        summary_model: None,
        compressed: "in part".to_owned(),
        tokens: 900,
        compressed_tokens: 90,
        created_at: at(1),
        refreshed_at: at(1),
        expires_at: at(100),
        is_stale: false,
        access_count: 0,
        last_accessed_at: None,
        source: json!({ "tool": "read" }),
        source_key: Some("read".to_owned()),
    }
}

pub fn name(row: &RefRow) -> RefName {
    RefName::whole(row.kind.clone(), &row.hash)
}

/// A job that is at work, for a summary.
async fn job(store: &OwnerStore) -> Result<Job> {
    store.enqueue_again(&waiting(), at(0)).await?;
    Ok(store.lease(&["ref_summary"], at(1), 10).await?.unwrap())
}

fn waiting() -> Job {
    Job {
        id: "job_ref".into(),
        kind: "ref_summary".to_owned(),
        payload: json!({}),
        priority: 5,
        state: JobState::Queued,
        attempts: 0,
        max_attempts: 3,
        next_attempt_at: at(0),
        lease_until: None,
        error: None,
        created_at: at(0),
        tokens: 0,
        cost: None,
        completed_at: None,
    }
}

async fn what_a_model_wrote_of_a_content_stays_when_it_is_stored_again(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let first = row("one", None);
    store.put_ref(&first, b"one").await?;
    let taken = job(&store).await?;
    assert!(store.finish_summary(&taken, &first, ("A good log.", "m/small"), at(2)).await?);
    let summarised = RefRow {
        summary: "A good log.".to_owned(),
        summary_model: Some("m/small".to_owned()),
        ..first.clone()
    };
    assert_eq!(store.put_ref(&first, b"one").await?, summarised);
    // Whoever lost the job writes nothing.
    assert!(!store.finish_summary(&taken, &first, ("Late.", "m/late"), at(3)).await?);
    assert_eq!(store.find_ref(&first.kind, &first.hash, at(9)).await?, Some(summarised));
    Ok(())
}

async fn a_summary_is_told_with_what_it_took_and_how_often_it_served(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let first = row("one", None);
    store.put_ref(&first, b"one").await?;
    // What was made without a model took nothing, and is none of them.
    store.touch_ref(&first, Look::Summary, at(2)).await?;
    assert_eq!(store.summarised(at(9)).await?, []);
    let own = Job { id: first.summary_job(), ..waiting() };
    store.enqueue(&own).await?;
    let own = store.lease(&["ref_summary"], at(1), 10).await?.unwrap();
    let usage = UsageRow {
        id: "usg_1".into(),
        component: "ref_summary".to_owned(),
        model: "m/small".to_owned(),
        project: None,
        thread: None,
        message: None,
        tokens: Usage { input: 300, output: 20, ..Usage::default() },
        cost: Some(40),
        saved: Savings::default(),
        created_at: at(2),
    };
    store.note_call(&own, &usage).await?;
    store.finish_summary(&own, &first, ("A good log.", "m/small"), at(2)).await?;
    store.touch_ref(&first, Look::Summary, at(3)).await?;
    store.touch_ref(&first, Look::Compressed, at(3)).await?;
    store.put_ref(&first, b"one").await?;
    let receipt = ReceiptRow {
        id: "rcp_1".into(),
        thread: None,
        project: None,
        message: None,
        body: "{}".to_owned(),
        blocks: Vec::new(),
        created_at: at(5),
    };
    let assembly = Assembly { refs: vec![name(&first)], ..assembly(1) };
    store.put_dossier(&receipt, &[], &assembly).await?;
    let looked_at = store.find_ref(&first.kind, &first.hash, at(9)).await?.unwrap();
    assert_eq!((looked_at.access_count, looked_at.last_accessed_at), (4, Some(at(5))));
    let told = Summarised {
        kind: first.kind.clone(),
        hash: first.hash.clone(),
        model: "m/small".to_owned(),
        summary: "A good log.".to_owned(),
        compressed_tokens: 90,
        uses: 3,
        tokens: 320,
        cost: Some(40),
    };
    assert_eq!(store.summarised(at(9)).await?, [told]);
    let bob = database.store().await?.owner(&"bob".into());
    assert_eq!(bob.summarised(at(9)).await?, []);
    Ok(())
}

async fn what_compressing_came_to_stands_in_the_refs(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let audits =
        [("log", "compressed", 40), ("log", "compressed", 60), ("json", "check_failed", 9)];
    for (number, (kind, outcome, after)) in audits.into_iter().enumerate() {
        let audit = json!({
            "kind": kind, "outcome": outcome, "tokens_before": 1_000, "tokens_after": after,
        });
        let content = number.to_string();
        let row = RefRow { source: json!({ "audit": audit }), ..row(&content, None) };
        store.put_ref(&row, content.as_bytes()).await?;
    }
    // From before it was noted.
    store.put_ref(&row("old", None), b"old").await?;
    let sum = |kind: &str, outcome: &str, count, tokens_before, tokens_after| CompressedSum {
        kind: kind.to_owned(),
        outcome: outcome.to_owned(),
        count,
        tokens_before,
        tokens_after,
    };
    let sums = [sum("json", "check_failed", 1, 1_000, 9), sum("log", "compressed", 2, 2_000, 100)];
    assert_eq!(store.compressed_sums(at(9)).await?, sums);
    assert_eq!(store.compressed_sums(at(100)).await?, []);
    Ok(())
}

async fn a_summary_is_found_by_the_content_or_by_its_source(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for name in ["a", "b"] {
        store.create_project(&project(name)).await?;
    }
    let first = row("one", Some("a"));
    store.put_ref(&first, b"one").await?;
    let taken = job(&store).await?;
    store.finish_summary(&taken, &first, ("A good log.", "m/small"), at(2)).await?;
    let told = |found: Option<RefRow>| found.map(|found| found.summary);
    let renamed = RefRow { kind: Kind::new("page").unwrap(), ..first.clone() };
    let alike = |row: RefRow| {
        let store = store.clone();
        async move { store.summarised_alike(&row, at(9)).await.map(told) }
    };
    let before = |row: RefRow| {
        let store = store.clone();
        async move { store.summarised_before(&row, at(9)).await.map(told) }
    };
    assert_eq!(alike(renamed.clone()).await?.as_deref(), Some("A good log."));
    assert_eq!(alike(row("two", Some("a"))).await?, None);
    assert_eq!(before(row("two", Some("a"))).await?.as_deref(), Some("A good log."));
    assert_eq!(before(row("two", Some("b"))).await?, None);
    assert_eq!(before(RefRow { source_key: None, ..row("two", Some("a")) }).await?, None);
    assert_eq!(before(first).await?, None);
    let bob = database.store().await?.owner(&"bob".into());
    assert_eq!(bob.summarised_alike(&renamed, at(9)).await?, None);
    assert_eq!(bob.summarised_before(&row("two", Some("a")), at(9)).await?, None);
    Ok(())
}

async fn a_ref_is_found_by_a_beginning_of_its_hash_and_its_kind(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let first = row("one", None);
    store.put_ref(&first, b"one").await?;
    let shown = name(&first).shown([]);
    assert_eq!(store.refs_named(&shown, at(9)).await?, std::slice::from_ref(&first));
    assert_eq!(store.refs_named(&name(&first), at(9)).await?, std::slice::from_ref(&first));
    let other = RefName::whole(Kind::new("json").unwrap(), &first.hash);
    assert_eq!(store.refs_named(&other, at(9)).await?, []);
    assert_eq!(store.blob(&first.content).await?.as_deref(), Some("one".as_bytes()));
    Ok(())
}

async fn looking_counts_and_expanding_makes_fresh(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let first = row("one", None);
    store.put_ref(&first, b"one").await?;
    assert!(store.mark_ref_stale(&first).await?);
    store.touch_ref(&first, Look::Compressed, at(5)).await?;
    let looked =
        RefRow { is_stale: true, access_count: 1, last_accessed_at: Some(at(5)), ..first.clone() };
    assert_eq!(store.refs(&RefFilter::default(), None, 9, at(9)).await?, [looked]);
    store.refresh_ref(&first, at(200), at(6)).await?;
    let fresh = RefRow {
        refreshed_at: at(6),
        expires_at: at(200),
        access_count: 2,
        last_accessed_at: Some(at(6)),
        ..first
    };
    assert_eq!(store.refs(&RefFilter::default(), None, 9, at(150)).await?, [fresh]);
    Ok(())
}

async fn what_has_expired_is_found_by_nobody_and_goes_with_its_content(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let mut before = database.row_counts().await?;
    let first = row("one", None);
    store.put_ref(&first, b"one").await?;
    assert_eq!(store.refs_named(&name(&first), at(100)).await?, []);
    assert_eq!(store.refs(&RefFilter::default(), None, 9, at(100)).await?, []);
    assert_eq!(store.expire_refs(at(99)).await?, 0);
    assert_eq!(store.expire_refs(at(100)).await?, 1);
    before.insert("owners".to_owned(), 1);
    assert_eq!(database.row_counts().await?, before);
    Ok(())
}

async fn forgetting_takes_the_content_unless_a_file_holds_it(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    store.create_project(&project).await?;
    let (file, content, chunks) = whole_file(&project, "a.txt", "one");
    store.put_file(&file, &content, &chunks).await?;
    let [one, two] = ["one", "two"].map(|content| row(content, None));
    store.put_ref(&one, b"one").await?;
    store.put_ref(&two, b"two").await?;
    // What was replied may quote it.
    let request = ContentHash::of("request");
    store.reserve_reply("k", &request, at(0), at(5)).await?;
    let (media_type, body) = ("text/plain".to_owned(), "one is a log".to_owned());
    store
        .keep_reply("k", &KeptReply { status: 200, media_type, headers: Vec::new(), body })
        .await?;
    assert!(store.forget_ref(&one).await?);
    let again = store.reserve_reply("k", &request, at(0), at(5)).await?;
    assert_eq!(again, Reservation::Forgotten);
    assert!(store.forget_ref(&two).await?);
    assert!(!store.forget_ref(&two).await?);
    assert_eq!(store.blob(&one.content).await?.as_deref(), Some("one".as_bytes()));
    assert_eq!(store.blob(&two.content).await?, None);
    Ok(())
}

/// Whether somebody finds the ref.
async fn is_found(store: &OwnerStore, row: &RefRow) -> Result<bool> {
    let found = store.find_ref(&row.kind, &row.hash, at(9)).await?;
    let has_content = store.blob(&row.content).await?.is_some();
    assert!(has_content || found.is_none(), "its content is gone");
    Ok(found.is_some())
}

async fn the_same_content_is_one_ref_that_goes_with_the_last_project_that_stored_it(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let before = database.row_counts().await?;
    let projects = ["a", "b", "c"].map(project);
    for project in &projects {
        store.create_project(project).await?;
    }
    store.put_ref(&row("one", Some("a")), b"one").await?;
    store.put_ref(&row("one", Some("a")), b"one").await?;
    assert_eq!(store.refs(&RefFilter::default(), None, 9, at(9)).await?, [row("one", Some("a"))]);
    for name in ["b", "c", "b"] {
        store.put_ref(&row("one", Some(name)), b"one").await?;
    }
    assert_eq!(store.refs(&RefFilter::default(), None, 9, at(9)).await?, [row("one", None)]);
    let [a, b, c] = projects.map(|project| project.id);
    let shared = store.shared_refs().await?;
    let name = name(&row("one", None));
    assert_eq!(shared, [(name.to_string(), vec![a.clone(), b.clone(), c.clone()])].into());
    // Each of them has it at hand, and it counts for each.
    for project in [&a, &b, &c] {
        let found = store.refs_at_hand(project, std::slice::from_ref(&name), at(9)).await?;
        assert_eq!(found.iter().map(|found| found.is_own).collect::<Vec<_>>(), [true]);
        let sums = store.ref_sums_by(RefsBy::Kind, at(0), Some(project), at(9)).await?;
        assert_eq!(sums.len(), 1);
    }
    for (project, stays) in [(&b, true), (&a, true), (&c, false)] {
        assert!(store.delete_project(project).await?);
        assert_eq!(is_found(&store, &row("one", None)).await?, stays, "{project}");
    }
    assert_eq!(store.blob(&row("one", None).content).await?, None);
    let counts = database.row_counts().await?;
    assert_eq!([counts["cas_refs"], counts["ref_projects"]], [0, 0]);
    assert_eq!(counts["blobs"], before["blobs"]);
    Ok(())
}

async fn a_ref_that_was_stored_without_a_project_outlives_those_that_store_it(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    // Whenever that was: before, between or after the others.
    for (number, order) in
        [[None, Some("a"), Some("b")], [Some("a"), None, Some("b")], [Some("a"), Some("b"), None]]
            .into_iter()
            .enumerate()
    {
        let content = format!("content {number}");
        for name in ["a", "b"] {
            store.create_project(&project(name)).await?;
        }
        for name in order {
            store.put_ref(&row(&content, name), content.as_bytes()).await?;
        }
        assert_eq!(store.shared_refs().await?, [].into());
        for name in ["a", "b"] {
            store.delete_project(&project(name).id).await?;
            assert!(is_found(&store, &row(&content, None)).await?, "{order:?}");
        }
    }
    Ok(())
}

async fn a_shared_ref_is_hidden_with_the_last_project_that_is_seen(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    for name in ["a", "b"] {
        store.create_project(&project(name)).await?;
        store.put_ref(&row("one", Some(name)), b"one").await?;
    }
    for (name, stays) in [("a", true), ("b", false)] {
        store.hide(&Holding::Project(project(name).id), at(5), at(50)).await?;
        assert_eq!(is_found(&store, &row("one", None)).await?, stays, "{name}");
    }
    Ok(())
}

async fn a_ref_that_is_restored_belongs_to_its_project_as_well(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for name in ["a", "b"] {
        store.create_project(&project(name)).await?;
    }
    assert!(store.restore_ref(&row("one", Some("a")), b"one", at(9)).await?);
    // Restoring twice changes nothing.
    for _ in 0..2 {
        assert!(!store.restore_ref(&row("one", Some("a")), b"one", at(9)).await?);
    }
    assert_eq!(store.shared_refs().await?, [].into());
    assert!(store.restore_ref(&row("one", Some("b")), b"one", at(9)).await?);
    for name in ["a", "b"] {
        assert!(!store.restore_ref(&row("one", Some(name)), b"one", at(9)).await?);
    }
    assert_eq!(store.shared_refs().await?.values().map(Vec::len).collect::<Vec<_>>(), [2]);
    for (name, stays) in [("a", true), ("b", false)] {
        store.delete_project(&project(name).id).await?;
        assert_eq!(is_found(&store, &row("one", None)).await?, stays, "{name}");
    }
    Ok(())
}

async fn a_name_is_looked_up_however_old_its_ref_is_and_other_projects_are_told_apart(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    for name in ["a", "b"] {
        store.create_project(&project(name)).await?;
    }
    for number in 0..40 {
        let content = format!("content {number}");
        let row = RefRow { refreshed_at: at(number), ..row(&content, Some("a")) };
        store.put_ref(&row, content.as_bytes()).await?;
    }
    let [free, other] = [row("free", None), row("other", Some("b"))];
    for (row, content) in [(&free, "free"), (&other, "other")] {
        store.put_ref(row, content.as_bytes()).await?;
    }
    let oldest = row("content 0", Some("a"));
    let names: Vec<RefName> =
        [&oldest, &free, &other].map(|row| name(row).shown([])).into_iter().collect();
    let mut found: Vec<(ContentHash, bool)> = store
        .refs_at_hand(&project("a").id, &names, at(50))
        .await?
        .into_iter()
        .map(|found| (found.hash, found.is_own))
        .collect();
    found.sort_by_key(|(hash, _)| hash.to_string());
    let mut expected = vec![(oldest.hash, true), (free.hash, true), (other.hash, false)];
    expected.sort_by_key(|(hash, _)| hash.to_string());
    assert_eq!(found, expected);
    assert_eq!(store.refs_at_hand(&project("a").id, &[], at(50)).await?, []);
    Ok(())
}

async fn a_ref_goes_with_its_project_and_its_blob_too(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("a")).await?;
    let one = row("one", Some("a"));
    store.put_ref(&one, b"one").await?;
    store.delete_project(&project("a").id).await?;
    assert_eq!(store.refs(&RefFilter::default(), None, 9, at(9)).await?, []);
    assert_eq!(store.blob(&one.content).await?, None);
    assert!(store.put_ref(&one, b"one").await.is_err());
    Ok(())
}

async fn refs_are_listed_page_by_page(database: Database) -> Result<()> {
    let store = database.owner().await?;
    for number in 0..7 {
        let row = RefRow { created_at: at(number / 2), ..row(&number.to_string(), None) };
        store.put_ref(&row, number.to_string().as_bytes()).await?;
    }
    let all = store.refs(&RefFilter::default(), None, 99, at(9)).await?;
    assert_eq!(all.len(), 7);
    let mut paged: Vec<RefRow> = Vec::new();
    loop {
        let after = paged.last().map(|row| (row.created_at, format!("{}{}", row.hash, row.kind)));
        let page = store.refs(&RefFilter::default(), after.as_ref(), 2, at(9)).await?;
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, all);
    let filter = RefFilter { kind: Kind::new("json"), ..RefFilter::default() };
    assert_eq!(store.refs(&filter, None, 99, at(9)).await?, []);
    Ok(())
}

async fn refs_are_found_by_a_part_of_their_name_or_summary(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let [one, two] = ["one", "two"].map(|content| row(content, None));
    let one = RefRow { summary: "Gusts of 100%_strength".to_owned(), ..one };
    for (row, content) in [(&one, b"one"), (&two, b"two")] {
        store.put_ref(row, content).await?;
    }
    // The second has the same source.
    let one = RefRow { is_stale: true, ..one };
    let digits = one.hash.as_str().get(..12).unwrap();
    for (text, found) in [
        ("gusts", vec![&one]),
        ("100%_s", vec![&one]),
        ("a LOG", vec![&two]),
        ("100_", vec![]),
        (&format!("ref:log:{digits}"), vec![&one]),
        ("!", vec![]),
    ] {
        let filter = RefFilter { text: text.to_owned(), ..RefFilter::default() };
        let refs = store.refs(&filter, None, 9, at(9)).await?;
        assert_eq!(refs.iter().collect::<Vec<_>>(), found, "{text}");
    }
    Ok(())
}

async fn refs_are_added_up_by_kinds_and_days(database: Database) -> Result<()> {
    const DAY: i64 = 86_400_000;
    let store = database.owner().await?;
    store.create_project(&project("a")).await?;
    let stored = |content: &str, kind: &str, day: i64, tokens: u32| RefRow {
        kind: Kind::new(kind).unwrap(),
        created_at: Timestamp::from_millis(day * DAY + 5),
        expires_at: Timestamp::from_millis(100 * DAY),
        compressed_tokens: 90,
        tokens,
        ..row(content, (kind == "json").then_some("a"))
    };
    for row in [
        stored("one", "log", 1, 900),
        // In short it is longer.
        stored("two", "log", 2, 50),
        stored("three", "json", 2, 400),
    ] {
        let content = row.content.to_string();
        store
            .put_ref(&RefRow { content: ContentHash::of(&content), ..row }, content.as_bytes())
            .await?;
    }
    let sum = |key: &str, count, tokens, compressed_tokens| RefSum {
        key: key.to_owned(),
        count,
        tokens,
        compressed_tokens,
    };
    let now = Timestamp::from_millis(9 * DAY);
    let all = Timestamp::from_millis(0);
    let by = async |by, since, project: Option<&Project>| {
        store.ref_sums_by(by, since, project.map(|project| &project.id), now).await
    };
    let kinds = [sum("json", 1, 400, 90), sum("log", 2, 950, 140)];
    assert_eq!(by(RefsBy::Kind, all, None).await?, kinds);
    let days = [sum("1970-01-02", 1, 900, 90), sum("1970-01-03", 2, 450, 140)];
    assert_eq!(by(RefsBy::Day, all, None).await?, days);
    let later = Timestamp::from_millis(2 * DAY);
    assert_eq!(by(RefsBy::Day, later, None).await?, days[1..]);
    assert_eq!(by(RefsBy::Kind, later, Some(&project("a"))).await?, kinds[..1]);
    Ok(())
}

stories![
    a_ref_is_found_by_a_beginning_of_its_hash_and_its_kind,
    looking_counts_and_expanding_makes_fresh,
    what_has_expired_is_found_by_nobody_and_goes_with_its_content,
    forgetting_takes_the_content_unless_a_file_holds_it,
    the_same_content_is_one_ref_that_goes_with_the_last_project_that_stored_it,
    a_ref_that_was_stored_without_a_project_outlives_those_that_store_it,
    a_shared_ref_is_hidden_with_the_last_project_that_is_seen,
    a_ref_that_is_restored_belongs_to_its_project_as_well,
    a_name_is_looked_up_however_old_its_ref_is_and_other_projects_are_told_apart,
    a_ref_goes_with_its_project_and_its_blob_too,
    refs_are_listed_page_by_page,
    refs_are_found_by_a_part_of_their_name_or_summary,
    refs_are_added_up_by_kinds_and_days,
    what_a_model_wrote_of_a_content_stays_when_it_is_stored_again,
    a_summary_is_found_by_the_content_or_by_its_source,
    a_summary_is_told_with_what_it_took_and_how_often_it_served,
    what_compressing_came_to_stands_in_the_refs,
];
