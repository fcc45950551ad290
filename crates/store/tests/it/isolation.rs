//! One owner sees, changes and deletes nothing of another's, even where both use the same ids.

use crate::database::Database;
use crate::facts::{fact, put};
use crate::personas::{feedback, persona, preset};
use crate::refs::{name, row};
use crate::sample::{
    MODEL, at, file_id, matching, message, message_chunk, nearest, project, terms, thread, vector,
    whole_file,
};
use anyhow::Result;
use dossier_core::access::AccessToken;
use dossier_core::catalogue::Capabilities;
use dossier_core::chunk::Origin;
use dossier_core::fileset::{FileState, Sent};
use dossier_core::hash::ContentHash;
use dossier_core::id::{ChunkId, FactId, OwnerId};
use dossier_core::message::Message;
use dossier_core::rank::Statistics;
use dossier_core::sameness::{Evidence, MOST_KEPT, Signature};
use dossier_core::turn::ReplyState;
use dossier_core::vector::Quantised;
use dossier_store::{
    Alike, AnswerRow, ConsultKey, ConsultRecord, Coverage, EndedReply, FileMetadata, FileStat,
    Hosted, HostedKind, Job, JobEnd, JobState, Look, MessageRow, ModelRow, NewConsult, NewReply,
    NewTurn, Order, OwnerStore, Project, ReceiptRow, RefFilter, Reply, Reservation, Session,
    StoryLink, Thread, Turn, Used,
};
use serde_json::json;
use std::slice;

/// Writes a row of every kind.
pub async fn fill(store: &OwnerStore) -> Result<()> {
    let project = project("p");
    let thread = thread("t", &project);
    store.create_project(&project).await?;
    let imported = Thread { external_id: Some("elsewhere".to_owned()), ..thread.clone() };
    store.create_thread(&imported).await?;
    let (file, content, chunks) = whole_file(&project, "a.txt", "secret plan");
    store.put_file(&file, &content, &chunks).await?;
    let said = message(&thread.id, 0, "secret word");
    let said_chunk = message_chunk(&said, "");
    store.append_messages(&thread.id, slice::from_ref(&said), slice::from_ref(&said_chunk)).await?;
    let vectors = [&chunks[0], &said_chunk]
        .map(|chunk| (chunk.hash(), vec![vector(&chunk.content), vector("secret")]));
    store.put_vectors(MODEL, &vectors).await?;
    let receipt = ReceiptRow {
        id: "rcp_1".into(),
        thread: Some(thread.id.clone()),
        project: Some(project.id.clone()),
        message: Some(said.id.clone()),
        body: "{}".to_owned(),
        blocks: vec![ContentHash::of("block")],
        created_at: at(1),
    };
    store.put_receipt(&receipt, &[(ContentHash::of("block"), "block".to_owned())]).await?;
    tell(store, &project, &thread, &said).await?;
    store.set_config("key", &json!("secret"), at(1)).await?;
    let session = Session {
        id: "ses_1".into(),
        thread: Some(thread.id.clone()),
        project: Some(project.id),
        client: json!({}),
        last_active: at(1),
    };
    store.touch_session(&session).await?;
    let model = ModelRow {
        provider: "p".to_owned(),
        model: "m".to_owned(),
        display_name: "M".to_owned(),
        context_window: 1,
        max_output: 1,
        input_cost: 1.0,
        output_cost: 1.0,
        tier: "smart".to_owned(),
        capabilities: Capabilities::default(),
    };
    store.put_models(&[model]).await?;
    let job = Job {
        id: "job_1".into(),
        kind: "embed".to_owned(),
        payload: json!({}),
        priority: 0,
        state: JobState::Queued,
        attempts: 0,
        max_attempts: 1,
        next_attempt_at: at(0),
        lease_until: None,
        error: None,
        created_at: at(0),
        tokens: 0,
        cost: None,
        completed_at: None,
    };
    store.enqueue(&job).await?;
    store.create_token(&token(store.owner())).await?;
    let reservation = store.reserve_reply("key", &ContentHash::of("a"), at(0), at(1)).await?;
    assert_eq!(reservation, Reservation::Granted);
    store.change_factor("claude", at(1), |_| Some(120)).await?;
    store.restore_persona(&persona("t")).await?;
    store.create_preset(&preset("preset-own")).await?;
    let used = Used { personas: 1, turns: 2, truncated: 0, failed: 1, tokens: 30 };
    store.count_preset(&"preset-own".into(), used, at(5)).await?;
    store.add_feedback(&feedback("fbk_1", 4, at(6))).await?;
    store.note_hosted(&hosted()).await?;
    store.put_ref(&row("secret result", Some("p")), b"secret result").await?;
    put(store, &[fact("fct_1", "secret decision", Some(&message(&thread.id, 0, "").id))]).await?;
    Ok(())
}

/// A turn that nobody replied to, and the link by which its thread is known.
async fn tell(
    store: &OwnerStore,
    project: &Project,
    thread: &Thread,
    question: &Message,
) -> Result<()> {
    let reply = Reply {
        model: "p/m".to_owned(),
        state: ReplyState::Prepared,
        receipt: None,
        message: None,
        error: None,
    };
    let again = Reply { model: "p/n".to_owned(), ..reply.clone() };
    let kept = Reply { model: "p/o".to_owned(), ..reply.clone() };
    let turn = Turn {
        id: "trn_1".into(),
        project: project.id.clone(),
        thread: thread.id.clone(),
        message: question.id.clone(),
        client_message_id: None,
        request: json!({}),
        lease_until: at(9),
        created_at: at(1),
        learned_at: Some(at(1)),
        replies: vec![reply, again, kept],
    };
    let new = NewTurn { turn: &turn, thread: None, messages: &[], chunks: &[], end: None };
    let session = NewConsult { key: &consult(), thread: &thread.id, now: at(1) };
    store.create_consult_turn(new, Some(session)).await?;
    let link = StoryLink { hash: story(), thread: thread.id.clone(), position: 0 };
    let ended = EndedReply {
        turn: &turn.id,
        ordinal: 0,
        state: ReplyState::Failed,
        error: &json!({}),
        usage: None,
        links: &[link],
    };
    assert!(store.reply_ended(ended).await?);
    let said =
        MessageRow { message: message(&thread.id, 1, ""), metadata: json!({}), deleted_at: None };
    let reply = NewReply {
        turn: &turn.id,
        ordinal: 1,
        receipt: None,
        message: &said,
        usage: None,
        links: &[],
    };
    let sent = Sent { size: 1, modified_ns: 1, tokens: 1, round: 1 };
    let after = FileState {
        inline: ["a.rs".to_owned()].into(),
        frozen: true,
        sent: [("a.rs".to_owned(), sent)].into(),
    };
    let record = ConsultRecord {
        session: 1,
        revision: 0,
        base: Some("/work".to_owned()),
        context: vec!["/work".to_owned()],
        before: FileState::default(),
        after,
        now: at(1),
    };
    assert!(store.consult_answered(reply, &record).await?);
    let said = MessageRow {
        message: message(&thread.id, 2, "secret answer"),
        metadata: json!({}),
        deleted_at: None,
    };
    let reply = NewReply { ordinal: 2, message: &said, ..reply };
    assert!(store.reply_kept(reply, &answer(), MOST_KEPT).await?);
    Ok(())
}

fn vectored() -> (FactId, String, Quantised) {
    ("fct_1".into(), "secret decision".to_owned(), vector("secret"))
}

/// The answer that `fill` kept.
pub fn answer() -> AnswerRow {
    let project = project("p");
    let thread = thread("t", &project);
    AnswerRow {
        key: ContentHash::of("asked"),
        project: project.id,
        question: message(&thread.id, 0, "").id,
        answer: message(&thread.id, 2, "").id,
        model: "p/o".to_owned(),
        signature: Signature::from_stored("signed".to_owned()),
        evidence: Evidence { newest: ChunkId(1), ..Evidence::default() },
        created_at: at(1),
        expires_at: at(9),
    }
}

/// What the session is called that `fill` wrote.
pub fn consult() -> ConsultKey {
    ConsultKey { project: project("p").id, assistant: "o3".to_owned(), name: "plan".to_owned() }
}

/// The name of what was said in the thread that `fill` wrote.
pub fn story() -> ContentHash {
    ContentHash::of("story")
}

fn hosted() -> Hosted {
    let (provider, id) = ("openai".to_owned(), "vs_1".to_owned());
    let (kind, turn) = (HostedKind::Store, "trn_1".into());
    Hosted { provider, kind, id, turn, bytes: 7, created_at: at(1) }
}

fn token(owner: &OwnerId) -> AccessToken {
    AccessToken {
        id: format!("tok_{owner}").into(),
        owner: owner.clone(),
        name: "laptop".to_owned(),
        hash: ContentHash::of("secret"),
        created_at: at(1),
        expires_at: None,
    }
}

async fn another_owner_sees_nothing(database: Database) -> Result<()> {
    let store = database.store().await?;
    let (ann, bob) = (store.owner(&"ann".into()), store.owner(&"bob".into()));
    fill(&ann).await?;
    let project = project("p");
    let thread = thread("t", &project);
    let said = message(&thread.id, 0, "").id;
    let ids = matching(&ann, &project.id, &terms("secret")).await?;
    assert_eq!(ann.chunks(&ids).await?.len(), 2);

    assert_eq!(bob.projects().await?, []);
    assert_eq!(bob.project(&project.id).await?, None);
    assert_eq!(bob.project_named("p").await?, None);
    assert_eq!(ann.project_has_files(&project.id).await?, Some(true));
    assert_eq!(bob.project_has_files(&project.id).await?, None);
    assert_eq!(bob.files(&project.id).await?, []);
    assert_eq!(bob.file(&file_id("a.txt")).await?, None);
    assert_eq!(bob.file_at(&project.id, "a.txt").await?, None);
    assert_eq!(bob.file_content(&file_id("a.txt")).await?, None);
    assert_eq!(bob.blob(&ContentHash::of("secret plan")).await?, None);
    assert_eq!(bob.thread(&thread.id).await?, None);
    assert_eq!(bob.threads(&project.id).await?, []);
    assert_eq!(bob.messages(&thread.id).await?, []);
    assert_eq!(bob.recent_messages(&thread.id, 9).await?, []);
    assert_eq!(bob.message_rows(&thread.id, 0, 9).await?, []);
    assert_eq!(bob.thread_from(&project.id, "elsewhere").await?, None);
    assert_eq!(bob.next_position(&thread.id).await?, 0);
    assert_eq!(ann.story_links(&project.id, [&story()]).await?.len(), 1);
    assert_eq!(bob.story_links(&project.id, [&story()]).await?, []);
    assert_eq!(bob.turn(&"trn_1".into()).await?, None);
    assert_eq!(bob.message(&said).await?, None);
    assert_eq!(matching(&bob, &project.id, &terms("secret")).await?, []);
    assert_eq!(bob.chunks(&ids).await?, []);
    assert_eq!(bob.statistics(&project.id, &terms("secret")).await?, Statistics::default());
    assert_eq!(nearest(&bob, &project.id, MODEL, &vector("secret"), 9).await?, []);
    let alike = bob.alike(&project.id, MODEL, &[vector("secret")], &ids, 9).await?;
    let nothing = ids.iter().map(|id| (*id, vec![])).collect();
    assert_eq!(alike, Alike { chunks: nothing, with_vectors: 0 });
    assert_eq!(bob.pending_vectors(&project.id, MODEL).await?, []);
    assert_eq!(bob.still_pending("other", &ids).await?, []);
    assert_eq!(bob.coverage(&project.id, MODEL).await?, Coverage::default());
    assert_eq!(bob.receipt(&"rcp_1".into()).await?, None);
    assert_eq!(bob.receipt_of(&said).await?, None);
    assert_eq!(bob.recent_receipt(&thread.id, 0).await?, None);
    assert_eq!(bob.receipt_ids(None).await?, []);
    assert_eq!(bob.receipt_ids(Some(&project.id)).await?, []);
    assert_eq!(bob.config().await?, Default::default());
    assert_eq!(bob.config_times().await?, Default::default());
    assert_eq!(bob.session(&"ses_1".into()).await?, None);
    assert_eq!(bob.sessions().await?, []);
    assert_eq!(bob.models().await?, []);
    assert_eq!(bob.job(&"job_1".into()).await?, None);
    assert_eq!(bob.lease(&["embed"], at(9), 9).await?, None);
    assert_eq!(ann.personas().await?, [persona("t")]);
    assert_eq!(bob.personas().await?, []);
    assert_eq!(bob.personas_called("t").await?, []);
    assert_eq!(bob.persona(&"psn_t".into()).await?, None);
    assert_eq!(bob.any_persona(&"psn_t".into()).await?, None);
    assert_eq!(bob.expired_personas(at(i64::MAX)).await?, []);
    assert_eq!(bob.presets().await?, []);
    assert_eq!(bob.preset_figures().await?, Default::default());
    assert_eq!(bob.feedback(&"preset-own".into(), 9).await?, []);
    assert_eq!(bob.message_count(&thread.id).await?, 0);
    assert_eq!(bob.message_page(&thread.id, Order::NewestFirst, 0, 9).await?, []);
    assert!(ann.consult_session(&consult()).await?.is_some());
    assert_eq!(bob.consult_session(&consult()).await?, None);
    assert_eq!(bob.consult_sessions().await?, []);
    assert_eq!(ann.consult_files(1).await?.inline.len(), 1);
    assert_eq!(bob.consult_files(1).await?, FileState::default());
    assert_eq!(bob.hosted().await?, []);
    let result = row("secret result", Some("p"));
    assert_eq!(ann.refs_named(&name(&result), at(9)).await?, slice::from_ref(&result));
    assert_eq!(bob.refs_named(&name(&result), at(9)).await?, []);
    assert_eq!(bob.refs(&RefFilter::default(), None, 9, at(9)).await?, []);
    let names = [name(&result)];
    assert_eq!(ann.refs_at_hand(&project.id, &names, at(9)).await?[0].hash, result.hash);
    assert_eq!(bob.refs_at_hand(&project.id, &names, at(9)).await?, []);
    assert_eq!(bob.blob(&result.content).await?, None);
    assert_eq!(ann.facts(&project.id).await?.facts.len(), 1);
    assert_eq!(bob.facts(&project.id).await?.facts.len(), 0);
    assert_eq!(bob.fact(&"fct_1".into()).await?, None);
    let kept = ann.kept_answer(&project.id, &answer().key).await?.unwrap();
    assert_eq!((kept.row, kept.answer.as_str()), (answer(), "secret answer"));
    assert_eq!(bob.kept_answer(&project.id, &answer().key).await?, None);
    assert!(ann.has_chunks(&project.id, &ids.iter().copied().collect()).await?);
    assert!(!bob.has_chunks(&project.id, &ids.iter().copied().collect()).await?);
    Ok(())
}

async fn another_owner_changes_nothing(database: Database) -> Result<()> {
    let store = database.store().await?;
    let (ann, bob) = (store.owner(&"ann".into()), store.owner(&"bob".into()));
    fill(&ann).await?;
    // So that both owners' rows are there and only their contents could change.
    bob.set_config("own", &json!(1), at(1)).await?;
    let before = database.row_counts().await?;
    let project = project("p");
    let thread = thread("t", &project);
    let said = message(&thread.id, 0, "").id;

    assert!(!bob.delete_project(&project.id).await?);
    assert!(bob.update_project(&project).await.is_err());
    assert_eq!(bob.delete_files(&project.id, &[file_id("a.txt")]).await?, 0);
    assert!(
        bob.set_file_metadata(&file_id("a.txt"), &FileMetadata::default(), at(9)).await.is_err()
    );
    bob.touch_files(&[FileStat { id: file_id("a.txt"), size: 0, modified_ns: None }]).await?;
    let source = (Origin::File(file_id("a.txt")), Some(ContentHash::of("secret plan")));
    bob.replace_chunks(&project.id, &[source], &[]).await?;
    assert!(!bob.delete_thread(&thread.id).await?);
    assert!(bob.set_title(&thread.id, "mine", at(9)).await.is_err());
    assert!(!bob.delete_message(&said, &[], at(9)).await?);
    assert!(!bob.unset_config("key").await?);
    assert!(!bob.revoke_token(&token(ann.owner()).id).await?);
    assert!(bob.create_token(&token(ann.owner())).await.is_err());
    bob.release_reply("key").await?;
    assert!(!bob.reset_consult(1).await?);
    assert_eq!(bob.expire_consults(at(99)).await?, 0);
    bob.strike_hosted(&hosted()).await?;
    let result = row("secret result", Some("p"));
    bob.touch_ref(&result, Look::Summary, at(9)).await?;
    bob.refresh_ref(&result, at(9), at(9)).await?;
    assert!(!bob.mark_ref_stale(&result).await?);
    assert!(!bob.forget_ref(&result).await?);
    assert_eq!(bob.expire_refs(at(i64::MAX)).await?, 0);
    assert_eq!(ann.refs(&RefFilter::default(), None, 9, at(9)).await?, [result]);
    let known = ann.facts(&project.id).await?;
    assert!(
        bob.write_facts(&project.id, &known, &[fact("fct_1", "mine", None)], &[]).await.is_err()
    );
    assert!(!bob.forget_fact(&project.id, &"fct_1".into()).await?);
    assert!(bob.put_fact_vectors(&project.id, MODEL, &[vectored()]).await.is_err());
    assert_eq!(ann.fact(&"fct_1".into()).await?.unwrap().1, known.facts[0].fact);
    assert_eq!(bob.expire_replies(at(9)).await?, 0);
    assert_eq!(bob.expire_answers(at(i64::MAX)).await?, 0);
    let taken = ann.job(&"job_1".into()).await?.unwrap();
    let taken = Job { state: JobState::Running, attempts: 1, ..taken };
    assert!(!bob.finish(&taken, JobEnd::Done, at(9)).await?);
    assert!(!bob.update_persona(&persona("t"), &persona("t")).await?);
    bob.use_persona(&"psn_t".into(), at(90), at(99)).await?;
    assert!(!bob.delete_preset(&"preset-own".into()).await?);
    assert!(bob.delete_messages(&thread.id, slice::from_ref(&said), &[], at(9)).await.is_err());
    let next = message(&thread.id, 1, "mine");
    assert!(bob.append_messages(&thread.id, &[next], &[]).await.is_err());

    assert_eq!(database.row_counts().await?, before);
    let (file, content, _) = whole_file(&project, "a.txt", "secret plan");
    assert_eq!(ann.files(&project.id).await?, [file]);
    assert_eq!(ann.file_content(&file_id("a.txt")).await?, Some(content));
    assert_eq!(ann.job(&"job_1".into()).await?.unwrap().state, JobState::Queued);
    assert_eq!(ann.personas().await?, [persona("t")]);
    Ok(())
}

async fn two_owners_may_use_the_same_ids(database: Database) -> Result<()> {
    let store = database.store().await?;
    let (ann, bob) = (store.owner(&"ann".into()), store.owner(&"bob".into()));
    fill(&ann).await?;
    let alone = database.row_counts().await?;
    fill(&bob).await?;
    let project = project("p");
    let found: Vec<ChunkId> = nearest(&ann, &project.id, MODEL, &vector("secret"), 9)
        .await?
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(found.len(), 2);
    assert_eq!(bob.chunks(&found).await?, []);

    bob.delete_project(&project.id).await?;
    assert_eq!(matching(&ann, &project.id, &terms("secret")).await?.len(), 2);
    assert_eq!(nearest(&ann, &project.id, MODEL, &vector("secret"), 9).await?.len(), 2);
    let mut expected = alone;
    for table in [
        "owners",
        "config",
        "sessions",
        "model_metadata",
        "jobs",
        "access_tokens",
        "kept_replies",
        "token_factors",
        "personality_presets",
        "preset_figures",
        "preset_feedback",
        "hosted_things",
    ] {
        *expected.entry(table.to_owned()).or_default() += 1;
    }
    expected.insert("vector_log".to_owned(), 2);
    assert_eq!(database.row_counts().await?, expected);
    Ok(())
}

async fn an_owner_may_have_any_name(database: Database) -> Result<()> {
    let store = database.store().await?;
    for name in ["../../etc", "a'b\"c", "Größe 数", ""] {
        let owner = store.owner(&OwnerId::from(name));
        fill(&owner).await?;
        assert_eq!(owner.projects().await?, [project("p")]);
        let large = vec![7; dossier_store::LARGE_CONTENT];
        let hash = owner.put_blob(&large).await?;
        assert_eq!(owner.blob(&hash).await?, Some(large));
    }
    Ok(())
}

stories![
    another_owner_sees_nothing,
    another_owner_changes_nothing,
    two_owners_may_use_the_same_ids,
    an_owner_may_have_any_name,
];
