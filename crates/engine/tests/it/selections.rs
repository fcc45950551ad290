//! How well what was chosen served the replies: counted for each, and added up by profile and by day.

use crate::database::Database;
use crate::desk::{Desk, noon};
use crate::turn::{calls, desk, request};
use anyhow::Result;
use dossier_core::id::ReceiptId;
use dossier_core::item::{Form, Mode};
use dossier_core::profile::ProfileName;
use dossier_core::selection::Served;
use dossier_engine::{
    ProjectChange, SelectionSum, Selections, TurnEvent, TurnRequest, TurnStream, UsageFilter,
};
use dossier_testkit::{Provider as Script, Reply};
use serde_json::{Value, json};

stories! {
    a_reply_is_counted_by_what_it_uses_and_what_its_model_fetched,
    profiles_stand_beside_one_another,
    what_nobody_has_read_is_not_counted,
}

const QUESTION: &str = "When does the ferry to Aran sail?";

/// A project with two files that the question finds, and one that it does not.
async fn harbour(database: &Database, script: &Script) -> Result<Desk> {
    let desk = desk(database, script).await?;
    desk.write("ferry.md", "The ferry to Aran casts off at nine beside the chandlery.\n");
    desk.write("fares.md", "Ferry to Aran: bicycles need a brass token, and sail for free.\n");
    desk.write("engine.md", "The diesel was overhauled in Bremen.\n");
    desk.index().await?;
    Ok(desk)
}

/// The same files in a project where nothing was said yet: what was said is found as well.
async fn anew(desk: &mut Desk, project: &str) -> Result<()> {
    desk.project = desk.workspace.project(Some(project), noon()).await?;
    desk.index().await?;
    Ok(())
}

/// The receipt of the one reply.
async fn receipt(mut stream: TurnStream) -> Option<ReceiptId> {
    let mut receipt = None;
    while let Some((_, event)) = stream.next().await {
        if let TurnEvent::Reply(reply) = &*event {
            receipt.clone_from(&reply.receipt);
        }
    }
    receipt
}

/// What is counted of the reply to a question, and how many items its dossier chose and showed.
async fn served(desk: &Desk, request: &TurnRequest) -> Result<(Option<Served>, u32)> {
    let id = receipt(desk.workspace.turn(request).await?).await.unwrap();
    let receipt = desk.workspace.receipt(&id).await?;
    let chosen = receipt
        .items
        .iter()
        .filter(|item| item.include_mode == Mode::Retrieved && item.form != Form::Dropped);
    Ok((desk.workspace.served(&id).await?, u32::try_from(chosen.count())?))
}

async fn selections(desk: &Desk) -> Result<Selections> {
    Ok(desk.workspace.measures(&UsageFilter::default(), noon()).await?.selections)
}

fn read(path: &str) -> (&'static str, Value) {
    ("read_project_file", json!({ "path": path }))
}

async fn a_reply_is_counted_by_what_it_uses_and_what_its_model_fetched(
    database: Database,
) -> Result<()> {
    let script = Script::start([
        Reply::chat("At nine, beside the chandlery."),
        Reply::chat("I cannot say."),
        // What is left out, what is shown, what is not there, and the first once more.
        calls(&[read("engine.md"), read("ferry.md"), read("none.md"), read("engine.md")]),
        Reply::chat("The diesel was overhauled, so it casts off at nine by the chandlery."),
    ])?;
    let mut desk = harbour(&database, &script).await?;
    let ask = |desk: &Desk| request(desk, QUESTION, &["openai/gpt-4o"]);
    let (first, shown) = served(&desk, &ask(&desk)).await?;
    assert_eq!(shown, 2);
    let expected = Served { shown, used: 1, could_fetch: true, ..Served::default() };
    assert_eq!(first, Some(expected));
    anew(&mut desk, "second").await?;
    let (second, _) = served(&desk, &ask(&desk)).await?;
    assert_eq!(second.map(|served| (served.used, served.missed)), Some((0, 0)));
    anew(&mut desk, "third").await?;
    let (third, _) = served(&desk, &ask(&desk)).await?;
    let third = third.unwrap();
    assert_eq!((third.used, third.missed, third.followed), (1, 1, 0));
    let sums = selections(&desk).await?;
    assert_eq!(sums.by_profile.len(), 1, "{sums:?}");
    let SelectionSum { key, replies, used, could_fetch, lacking, missed, .. } = &sums.by_profile[0];
    assert_eq!((key.as_str(), *replies, *used), ("lean", 3, 2));
    assert_eq!((*could_fetch, *lacking, *missed), (3, 1, 1));
    let [day] = sums.by_day.as_slice() else { panic!("{sums:?}") };
    assert_eq!(*day, SelectionSum { key: day.key.clone(), ..sums.by_profile[0].clone() });
    assert!(day.key.starts_with("20") && day.key.len() == 10, "{day:?}");
    Ok(())
}

async fn profiles_stand_beside_one_another(database: Database) -> Result<()> {
    let lines = json!({"path": "ferry.md", "start_line": 1, "end_line": 1});
    let script = Script::start([
        Reply::chat("At nine, beside the chandlery."),
        calls(&[("read_project_file", lines)]),
        Reply::chat("At nine, says ferry.md:1."),
    ])?;
    let mut desk = harbour(&database, &script).await?;
    served(&desk, &request(&desk, QUESTION, &["openai/gpt-5"])).await?;
    anew(&mut desk, "second").await?;
    // A smart model is given pointers, and follows them.
    let mut whole = request(&desk, QUESTION, &["openai/gpt-5"]);
    whole.terms.profile = ProfileName::Project;
    let (followed, _) = served(&desk, &whole).await?;
    let followed = followed.unwrap();
    assert_eq!((followed.used, followed.missed, followed.followed), (1, 0, 1));
    let sums = selections(&desk).await?;
    let told: Vec<(&str, u64, u64, u64)> = sums
        .by_profile
        .iter()
        .map(|sum| (sum.key.as_str(), sum.replies, sum.used, sum.followed))
        .collect();
    assert_eq!(told, [("lean", 1, 1, 0), ("project", 1, 1, 1)]);
    Ok(())
}

async fn what_nobody_has_read_is_not_counted(database: Database) -> Result<()> {
    let script = Script::start([Reply::chat("At nine, beside the chandlery.")])?;
    let mut desk = harbour(&database, &script).await?;
    let settings = json!({"enable_semantic_cache": true}).as_object().cloned();
    let change = ProjectChange { settings, ..ProjectChange::default() };
    desk.project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
    let ask = request(&desk, QUESTION, &["openai/gpt-4o"]);
    let (first, _) = served(&desk, &ask).await?;
    assert!(first.is_some());
    // The same answer once more, and a dossier that nobody is asked with.
    let (again, _) = served(&desk, &ask).await?;
    assert_eq!((again, script.requests().len()), (None, 1));
    desk.workspace.assemble_for(None, desk.request(QUESTION), &[]).await?;
    assert_eq!(selections(&desk).await?.by_profile[0].replies, 1);
    Ok(())
}
