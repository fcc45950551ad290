//! Receipts, settings, sessions, models and jobs.

use crate::database::Database;
use crate::sample::{at, project, thread};
use anyhow::Result;
use dossier_core::catalogue::Capabilities;
use dossier_core::hash::ContentHash;
use dossier_core::id::JobId;
use dossier_store::{Job, JobState, ModelRow, OwnerStore, ReceiptRow, Session, StoreError};
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
    }
}

async fn jobs_are_leased_by_priority_and_once(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.enqueue(&job("low", 1)).await?;
    store.enqueue(&job("high", 9)).await?;
    store.enqueue(&Job { next_attempt_at: at(500), ..job("later", 99) }).await?;
    let leased =
        Job { state: JobState::Running, attempts: 1, lease_until: Some(at(110)), ..job("high", 9) };
    assert_eq!(store.lease("embed", at(100), 10).await?, Some(leased));
    assert_eq!(id(store.lease("embed", at(100), 10).await?), Some("job_low".into()));
    assert_eq!(store.lease("embed", at(100), 10).await?, None);
    assert_eq!(store.lease("other", at(100), 10).await?, None);
    store.finish(&"job_high".into(), JobState::Done).await?;
    let done = Job { state: JobState::Done, attempts: 1, ..job("high", 9) };
    assert_eq!(store.job(&done.id).await?, Some(done));
    Ok(())
}

async fn a_job_fails_when_its_attempts_are_used_up(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let job = job("a", 1);
    store.enqueue(&job).await?;
    store.lease("embed", at(100), 10).await?;
    store.fail(&job.id, "no network", Some(at(200))).await?;
    assert_eq!(store.lease("embed", at(150), 10).await?, None);
    assert_eq!(id(store.lease("embed", at(200), 10).await?), Some(job.id.clone()));
    store.fail(&job.id, "no network", Some(at(300))).await?;
    assert_eq!(store.lease("embed", at(400), 10).await?, None);
    assert_eq!(state(&store, &job.id).await?, JobState::Failed);
    Ok(())
}

async fn a_dead_workers_job_is_taken_over(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let job = job("a", 1);
    store.enqueue(&job).await?;
    for now in [100, 200] {
        assert_eq!(id(store.lease("embed", at(now), 10).await?), Some(job.id.clone()));
    }
    assert_eq!(store.lease("embed", at(300), 10).await?, None);
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
    models_are_written_and_read_by_name,
    jobs_are_leased_by_priority_and_once,
    a_job_fails_when_its_attempts_are_used_up,
    a_dead_workers_job_is_taken_over,
];
