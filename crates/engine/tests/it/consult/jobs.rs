//! Calls that are started, looked after and given up; repeated ones; and models that a caller brings.

use super::{Table, figures};
use crate::database::Database;
use crate::leave;
use anyhow::Result;
use dossier_core::catalogue::ModelInfo;
use dossier_core::chat::{Event, Finish, Prompt};
use dossier_core::turn::ReplyState;
use dossier_engine::{
    ChatModel, ConsultRequest, EngineError, Events, ModelsError, Trouble, TurnEvent,
};
use dossier_testkit::{Provider as Script, Reply};
use futures::FutureExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

stories! {
    a_call_is_started_looked_after_and_answered,
    a_call_that_is_given_up_is_forgotten,
    a_caller_leaves_no_open_turn_whenever_it_leaves,
    a_caller_that_leaves_while_its_call_goes_on_leaves_the_session_free,
    a_repeated_call_is_made_once,
    a_caller_may_bring_its_own_model,
    a_model_that_breaks_the_program_breaks_its_own_reply_alone,
}

async fn a_call_is_started_looked_after_and_answered(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let workspace = &table.desk.workspace;
    let started = workspace.start_consult(&table.request("small", "Look.", &["a.rs"])).await?;
    assert_eq!(figures(&started.files), (1, 0, 0));
    workspace.turns_idle().await;
    let job = workspace.consult_job(&started.turn.id).await?;
    assert_eq!(job.outcome.unwrap().unwrap().text, "Noted.");
    assert_eq!((job.files.sent, job.files.tokens_sent), (1, started.files.tokens_sent));
    assert!(job.files.tokens_used > job.files.tokens_sent);
    let unknown = workspace.consult_job(&"trn_none".into()).await.unwrap_err();
    assert!(matches!(unknown, EngineError::NotFound { .. }), "{unknown}");
    let again = workspace.retry_turn(&started.turn.id, &[], super::noon()).await.unwrap_err();
    assert!(matches!(again, EngineError::Invalid(_)), "{again}");
    Ok(())
}

async fn a_call_that_is_given_up_is_forgotten(database: Database) -> Result<()> {
    let script = Script::start([Reply::silence(), Reply::chat("Noted.")])?;
    let table = Table::set(&database, script).await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let workspace = &table.desk.workspace;
    let request = table.request("small", "Look.", &["a.rs"]);
    let started = workspace.start_consult(&request).await?;
    let busy = workspace.start_consult(&request).await.unwrap_err();
    assert!(matches!(busy, EngineError::Conflict(_)), "{busy}");
    let job = workspace.consult_job(&started.turn.id).await?;
    assert!(job.outcome.is_none(), "{job:?}");
    // Given up before, it would leave its silence to the next.
    while table.script.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(workspace.cancel_turn(&started.turn.id).await?);
    workspace.turns_idle().await;
    let job = workspace.consult_job(&started.turn.id).await?;
    let ended = job.outcome.unwrap().unwrap_err();
    let is_given_up = matches!(&ended, TurnEvent::Error { state: ReplyState::Cancelled, .. });
    assert!(is_given_up, "{ended:?}");
    // Nothing of it is believed to have been sent.
    assert_eq!(figures(&table.ask(&request).await?.1), (1, 0, 0));
    Ok(())
}

async fn a_caller_leaves_no_open_turn_whenever_it_leaves(database: Database) -> Result<()> {
    let table = Table::set(&database, Script::answering(|_| Reply::silence())?).await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let request = table.request("small", "Look.", &["a.rs"]);
    let call = || {
        let begun = table.desk.workspace.consult(&request);
        begun.map(|begun| begun.unwrap().stream.alone()).boxed()
    };
    leave::everywhere(&database, call).await
}

/// A model that puts its first answer off, and is silent when it is asked again.
#[derive(Debug)]
struct Later {
    info: ModelInfo,
    is_known: AtomicBool,
}

impl ChatModel for Later {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, _: Prompt, _: dossier_engine::AnswerLimits) -> Events {
        if self.is_known.swap(true, Ordering::Relaxed) {
            return Box::pin(futures::stream::pending());
        }
        let (provider, model) = ("client".to_owned(), "later".to_owned());
        let put_off = ModelsError::Call { provider, model, trouble: Trouble::Suspended };
        Box::pin(futures::stream::iter([Err(put_off)]))
    }
}

/// A call whose answer was put off, so that it goes on when it is made again.
async fn put_off(table: &Table, plain: &ConsultRequest, number: usize) -> ConsultRequest {
    let info = ModelInfo::unknown("client", "later");
    let later = Later { info, is_known: AtomicBool::new(false) };
    let request = ConsultRequest {
        model: Some(Arc::new(later)),
        client_message_id: Some(format!("c-{number}")),
        ..plain.clone()
    };
    let put_off = table.ask(&request).await.unwrap_err().to_string();
    assert!(put_off.starts_with("suspended"), "{put_off}");
    request
}

async fn a_caller_that_leaves_while_its_call_goes_on_leaves_the_session_free(
    database: Database,
) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let plain = table.request("small", "Look.", &["a.rs"]);
    for waits in 0.. {
        let request = put_off(&table, &plain, waits).await;
        let resumed = leave::after(waits, table.desk.workspace.consult(&request)).await;
        let is_over = resumed.is_some();
        drop(resumed.transpose()?.map(|resumed| resumed.stream.alone()));
        leave::nothing_is_open(&database).await?;
        if is_over {
            break;
        }
    }
    let mut is_in_time = false;
    for number in 0..leave::TRIES {
        let request = put_off(&table, &plain, usize::MAX - number).await;
        let resumed = table.desk.workspace.consult(&request);
        let resumed = resumed.map(|resumed| resumed.unwrap().stream.alone());
        is_in_time = leave::once_stored(&database, resumed).await?;
        if is_in_time {
            break;
        }
    }
    assert!(is_in_time, "the moment was missed each time");
    // Nothing of it all is believed to have been sent, and the next need not wait.
    let next = table.desk.workspace.start_consult(&plain).await?;
    assert_eq!(figures(&next.files), (1, 0, 0));
    table.desk.workspace.turns_idle().await;
    Ok(())
}

async fn a_repeated_call_is_made_once(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let request = ConsultRequest {
        client_message_id: Some("c-1".to_owned()),
        ..table.request("small", "Look.", &["a.rs"])
    };
    let first = table.ask(&request).await?;
    assert_eq!(table.ask(&request).await?, first);
    assert_eq!(table.script.requests().len(), 1);
    Ok(())
}

/// A model that says how many messages it was sent.
#[derive(Debug)]
struct Brought(ModelInfo);

impl ChatModel for Brought {
    fn info(&self) -> &ModelInfo {
        &self.0
    }

    fn ask(&self, prompt: Prompt, _: dossier_engine::AnswerLimits) -> Events {
        let said = format!("{} messages", prompt.messages.len());
        let events = [Ok(Event::Text(said)), Ok(Event::Finish(Finish::Stop))];
        Box::pin(futures::stream::iter(events))
    }
}

/// A model that nobody tested.
#[derive(Debug)]
struct Broken(ModelInfo);

impl ChatModel for Broken {
    fn info(&self) -> &ModelInfo {
        &self.0
    }

    fn ask(&self, _: Prompt, _: dossier_engine::AnswerLimits) -> Events {
        panic!("it does not answer, it panics")
    }
}

async fn a_model_that_breaks_the_program_breaks_its_own_reply_alone(
    database: Database,
) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let broken: Arc<dyn ChatModel> = Arc::new(Broken(ModelInfo::unknown("client", "broken")));
    let request = table.request("small", "Look.", &["a.rs"]);
    let asked = ConsultRequest { model: Some(broken), ..request.clone() };
    let error = table.ask(&asked).await.unwrap_err().to_string();
    assert!(error.contains("the program failed while it worked on the reply"), "{error}");
    // The session is free again.
    assert_eq!(table.ask(&request).await?.0, "Noted.");
    Ok(())
}

async fn a_caller_may_bring_its_own_model(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    table.desk.write("a.rs", "fn a() {}\n");
    let brought: Arc<dyn ChatModel> = Arc::new(Brought(ModelInfo::unknown("client", "sampling")));
    let request =
        ConsultRequest { model: Some(brought), ..table.request("small", "Look.", &["a.rs"]) };
    assert_eq!(table.ask(&request).await?.0, "2 messages");
    let (answer, files) = table.ask(&request).await?;
    assert_eq!((answer.as_str(), figures(&files)), ("4 messages", (0, 1, 0)));
    assert_eq!(table.script.requests().len(), 0);
    Ok(())
}
