//! Receipts, settings, sessions, models and jobs.

use crate::database::Database;
use crate::sample::{at, project, thread};
use anyhow::Result;
use dossier_core::catalogue::Capabilities;
use dossier_core::chat::Usage;
use dossier_core::hash::ContentHash;
use dossier_core::id::{JobId, OwnerId};
use dossier_core::savings::Savings;
use dossier_core::time::Timestamp;
use dossier_core::work::Spent;
use dossier_store::{
    DatabaseKind, Job, JobEnd, JobState, ModelRow, OwnerStore, ReceiptRow, Session, StoreError,
    UsageRow,
};
use serde_json::json;
use std::collections::BTreeMap;

async fn a_receipt_names_its_blocks_in_order(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    let thread = thread("t", &project);
    store.create_project(&project).await?;
    store.create_thread(&thread).await?;
    let [header, question] = ["header", "question"].map(ContentHash::of);
    let first = ReceiptRow {
        id: "rcp_1".into(),
        thread: Some(thread.id.clone()),
        project: Some(project.id.clone()),
        message: Some("msg_1".into()),
        body: r#"{"budget":3000,"items":[]}"#.to_owned(),
        blocks: vec![header.clone(), question.clone(), header.clone()],
        created_at: at(5),
    };
    let contents =
        [(header.clone(), "header".to_owned()), (question.clone(), "question".to_owned())];
    store.put_receipt(&first, &contents).await?;
    // The header is known by now and need not be given again.
    let second =
        ReceiptRow { id: "rcp_2".into(), blocks: vec![header], created_at: at(6), ..first.clone() };
    let second = ReceiptRow { body: r#"{"budget":2000}"#.to_owned(), ..second };
    store.put_receipt(&second, &[]).await?;
    assert_eq!(store.receipt(&first.id).await?, Some(first));
    assert_eq!(store.recent_receipt(&thread.id, 0).await?, Some(second.body));
    for project in [None, Some(&project.id)] {
        assert_eq!(store.receipt_ids(project).await?, ["rcp_1".into(), "rcp_2".into()]);
    }
    assert_eq!(store.receipt_ids(Some(&"prj_other".into())).await?, []);
    assert_eq!(store.blob(&question).await?, Some(b"question".to_vec()));
    Ok(())
}

async fn a_receipt_of_unknown_blocks_is_refused(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let receipt = ReceiptRow {
        id: "rcp_1".into(),
        thread: None,
        project: None,
        message: None,
        body: "null".to_owned(),
        blocks: vec![ContentHash::of("unknown")],
        created_at: at(5),
    };
    let error = store.put_receipt(&receipt, &[]).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    assert_eq!(store.receipt(&receipt.id).await?, None);
    Ok(())
}

async fn settings_are_set_changed_and_unset(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.set_config("model", &json!("a"), at(1)).await?;
    store.set_config("model", &json!({ "name": "b\0" }), at(2)).await?;
    store.set_config("width", &json!(7), at(2)).await?;
    assert!(store.unset_config("width").await?);
    assert!(!store.unset_config("width").await?);
    let expected = BTreeMap::from([("model".to_owned(), json!({ "name": "b\0" }))]);
    assert_eq!(store.config().await?, expected);
    Ok(())
}

async fn a_session_outlives_its_thread_and_project(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let project = project("a");
    let thread = thread("t", &project);
    store.create_project(&project).await?;
    store.create_thread(&thread).await?;
    let session = Session {
        id: "ses_1".into(),
        thread: Some(thread.id.clone()),
        project: Some(project.id.clone()),
        client: json!({ "name": "cursor" }),
        last_active: at(1),
    };
    store.touch_session(&session).await?;
    let session = Session { last_active: at(2), ..session };
    store.touch_session(&session).await?;
    assert_eq!(store.session(&session.id).await?, Some(session.clone()));
    store.delete_thread(&thread.id).await?;
    let session = Session { thread: None, ..session };
    assert_eq!(store.session(&session.id).await?, Some(session.clone()));
    store.delete_project(&project.id).await?;
    let session = Session { project: None, ..session };
    assert_eq!(store.session(&session.id).await?, Some(session.clone()));
    let lost = Session { project: Some(project.id), ..session };
    let error = store.touch_session(&lost).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
    Ok(())
}

async fn settings_are_changed_together_or_not_at_all(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.set_config("a", &json!("1"), at(1)).await?;
    let both = [("a", None), ("b", Some(json!("2")))];
    store.change_config(&both, at(2)).await?;
    let held = BTreeMap::from([("b".to_owned(), json!("2"))]);
    assert_eq!(store.config().await?, held);
    let wrong = [("b", None), ("c", Some(json!("3"))), ("no\0key", Some(json!("4")))];
    assert!(store.change_config(&wrong, at(3)).await.is_err());
    assert_eq!(store.config().await?, held);
    Ok(())
}

async fn models_are_written_and_read_by_name(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let model = |name: &str, cost: f64| ModelRow {
        provider: "openai".to_owned(),
        model: name.to_owned(),
        display_name: name.to_uppercase(),
        context_window: 200_000,
        max_output: 100_000,
        input_cost: cost,
        output_cost: cost * 4.0,
        tier: "smart".to_owned(),
        capabilities: Capabilities { tools: true, thinking: true, ..Capabilities::default() },
    };
    store.put_models(&[model("o3", 2.0), model("gpt", 0.15)]).await?;
    store.put_models(&[model("o3", 1.1)]).await?;
    assert_eq!(store.models().await?, [model("gpt", 0.15), model("o3", 1.1)]);
    Ok(())
}

fn job(name: &str, priority: i64) -> Job {
    Job {
        id: format!("job_{name}").as_str().into(),
        kind: "embed".to_owned(),
        payload: json!({ "project": "prj_a" }),
        priority,
        state: JobState::Queued,
        attempts: 0,
        max_attempts: 2,
        next_attempt_at: at(0),
        lease_until: None,
        error: None,
        created_at: at(0),
        tokens: 0,
        cost: None,
        completed_at: None,
    }
}

async fn jobs_are_leased_by_priority_and_once(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.enqueue(&job("low", 1)).await?;
    store.enqueue(&job("high", 9)).await?;
    store.enqueue(&Job { next_attempt_at: at(500), ..job("later", 99) }).await?;
    let leased =
        Job { state: JobState::Running, attempts: 1, lease_until: Some(at(110)), ..job("high", 9) };
    assert_eq!(store.lease(&["embed"], at(100), 10).await?, Some(leased));
    // Of equal ones the first that was due, whatever its name and whenever it was added.
    store.enqueue(&Job { next_attempt_at: at(90), ..job("a", 1) }).await?;
    store.enqueue(&Job { next_attempt_at: at(10), created_at: at(80), ..job("z", 1) }).await?;
    for next in ["job_low", "job_z", "job_a"] {
        assert_eq!(id(store.lease(&["embed"], at(100), 10).await?), Some(next.into()));
    }
    assert_eq!(store.lease(&["embed"], at(100), 10).await?, None);
    assert_eq!(store.lease(&["other"], at(100), 10).await?, None);
    let high = store.job(&"job_high".into()).await?.unwrap();
    assert!(store.finish(&high, JobEnd::Done, at(105)).await?);
    let done =
        Job { state: JobState::Done, attempts: 1, completed_at: Some(at(105)), ..job("high", 9) };
    assert_eq!(store.job(&done.id).await?, Some(done));
    Ok(())
}

async fn a_job_fails_when_its_attempts_are_used_up(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let job = job("a", 1);
    store.enqueue(&job).await?;
    let first = store.lease(&["embed"], at(100), 10).await?.unwrap();
    store.finish(&first, JobEnd::Again("no network", at(200)), at(101)).await?;
    assert_eq!(store.lease(&["embed"], at(150), 10).await?, None);
    let second = store.lease(&["embed"], at(200), 10).await?.unwrap();
    assert_eq!((&second.id, second.attempts), (&job.id, 2));
    store.finish(&second, JobEnd::Again("no network", at(300)), at(201)).await?;
    assert_eq!(store.lease(&["embed"], at(400), 10).await?, None);
    let failed = store.job(&job.id).await?.unwrap();
    let told = (failed.state, failed.error.as_deref(), failed.completed_at);
    assert_eq!(told, (JobState::Failed, Some("no network"), Some(at(201))));
    Ok(())
}

async fn beside_sqlite_a_lease_ends_with_its_process(database: Database) -> Result<()> {
    let (gone, store) = (database.store().await?, database.store().await?);
    let (worker, other) = (gone.owner(&OwnerId::local()), store.owner(&OwnerId::local()));
    let job = job("a", 1);
    worker.enqueue(&job).await?;
    assert_eq!(id(worker.lease(&["embed"], at(100), 1_000).await?), Some(job.id.clone()));
    let later = database.owner().await?;
    assert_eq!(later.lease(&["embed"], at(101), 1_000).await?, None);
    drop((worker, later));
    gone.close().await;
    let again = other.lease(&["embed"], at(102), 1_000).await?;
    match database.kind {
        DatabaseKind::Sqlite => assert_eq!(again.map(|job| job.attempts), Some(2)),
        DatabaseKind::Postgres => assert_eq!(again, None),
    }
    assert_eq!(store.owners_with_jobs(at(102)).await?, [OwnerId::local()]);
    Ok(())
}

async fn who_has_lost_a_job_cannot_end_it(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.enqueue(&job("a", 1)).await?;
    let first = store.lease(&["embed"], at(100), 10).await?.unwrap();
    let second = store.lease(&["embed"], at(200), 10).await?.unwrap();
    assert!(!store.finish(&first, JobEnd::Failed("too late"), at(201)).await?);
    assert_eq!(state(&store, &first.id).await?, JobState::Running);
    assert!(store.finish(&second, JobEnd::Done, at(202)).await?);
    assert!(!store.finish(&second, JobEnd::Failed("twice"), at(203)).await?);
    assert_eq!(state(&store, &first.id).await?, JobState::Done);
    Ok(())
}

async fn what_came_to_nothing_is_done_again_when_it_is_called_for_later(
    database: Database,
) -> Result<()> {
    let store = database.owner().await?;
    let job = job("a", 1);
    store.enqueue(&job).await?;
    let taken = store.lease(&["embed"], at(100), 10).await?.unwrap();
    // What is at work stays so.
    store.enqueue_again(&job, at(999)).await?;
    assert_eq!(state(&store, &job.id).await?, JobState::Running);
    store.finish(&taken, JobEnd::Skipped("quota_exceeded"), at(100)).await?;
    store.enqueue_again(&job, at(100)).await?;
    assert_eq!(state(&store, &job.id).await?, JobState::Skipped);
    store.enqueue_again(&job, at(101)).await?;
    assert_eq!(store.job(&job.id).await?, Some(job));
    Ok(())
}

async fn a_call_is_counted_with_its_job_its_thread_and_its_day(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (own, other) = (job("a", 1), job("b", 1));
    for job in [&own, &other] {
        store.enqueue(job).await?;
        store.lease(&["embed"], at(1), 10).await?;
    }
    for (number, (day, thread, cost)) in
        [(0, "thr_a", Some(7)), (0, "thr_b", None), (2, "thr_a", Some(9))].into_iter().enumerate()
    {
        let usage = UsageRow {
            id: format!("usg_{number}").as_str().into(),
            component: "embed".to_owned(),
            model: "m".to_owned(),
            project: None,
            thread: Some(thread.into()),
            message: None,
            tokens: Usage { input: 100, output: 10, ..Usage::default() },
            cost,
            saved: Savings::default(),
            created_at: Timestamp::from_millis(day * 24 * 3_600_000),
        };
        store.note_call(&own, &usage).await?;
    }
    let spent = store.spent_on(&["embed"], &own, Some(&"thr_a".into()), "1970-01-01").await?;
    let expected = Spent { tokens_of_day: 220, tokens_of_thread: 220, usd_of_day: 7e-6 };
    assert_eq!(spent, (expected, 1));
    let (spent, _) = store.spent_on(&["embed"], &own, None, "1970-01-02").await?;
    assert_eq!(spent, Spent::default());
    let noted = store.job(&own.id).await?.unwrap();
    assert_eq!((noted.tokens, noted.cost), (330, Some(16)));
    Ok(())
}

async fn a_dead_workers_job_is_taken_over(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let job = job("a", 1);
    store.enqueue(&job).await?;
    for now in [100, 200] {
        assert_eq!(id(store.lease(&["embed"], at(now), 10).await?), Some(job.id.clone()));
    }
    assert_eq!(store.lease(&["embed"], at(300), 10).await?, None);
    assert_eq!(state(&store, &job.id).await?, JobState::Failed);
    Ok(())
}

fn id(job: Option<Job>) -> Option<JobId> {
    job.map(|job| job.id)
}

async fn state(store: &OwnerStore, id: &JobId) -> Result<JobState> {
    Ok(store.job(id).await?.unwrap().state)
}

stories![
    a_receipt_names_its_blocks_in_order,
    a_receipt_of_unknown_blocks_is_refused,
    settings_are_set_changed_and_unset,
    a_session_outlives_its_thread_and_project,
    settings_are_changed_together_or_not_at_all,
    models_are_written_and_read_by_name,
    jobs_are_leased_by_priority_and_once,
    a_job_fails_when_its_attempts_are_used_up,
    a_dead_workers_job_is_taken_over,
    beside_sqlite_a_lease_ends_with_its_process,
    who_has_lost_a_job_cannot_end_it,
    what_came_to_nothing_is_done_again_when_it_is_called_for_later,
    a_call_is_counted_with_its_job_its_thread_and_its_day,
];
