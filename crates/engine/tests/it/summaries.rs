//! Summaries in a lean dossier: of rounds that are no longer carried, and of refs.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon, rendered};
use crate::turn::{desk, request, told};
use anyhow::Result;
use dossier_core::item::{Form, Kind, Section};
use dossier_core::profile::ProfileName;
use dossier_core::receipt::{Receipt, ReceiptItem};
use dossier_core::tokens::Tokenizer;
use dossier_engine::{
    AssembleRequest, Dossier, NewFact, NewRef, ProjectChange, RefShown, Shape, TurnRequest,
};
use dossier_store::MadeOf;
use dossier_testkit::{Provider as Script, Reply};
use serde_json::json;

stories! {
    rounds_that_are_not_carried_are_summed_up,
    refs_that_a_question_names_are_shown_in_short,
    a_ref_that_is_named_is_shown_however_old_it_is_and_counted,
    a_stale_ref_is_shown_as_such_until_it_is_expanded,
    without_refs_none_are_shown,
    what_is_forgotten_stands_in_no_summary,
    more_than_five_thousand_tokens_become_less_than_three_thousand,
}

fn summaries(receipt: &Receipt) -> Vec<&ReceiptItem> {
    receipt.items.iter().filter(|item| item.kind == Kind::Summary).collect()
}

async fn put(desk: &Desk, word: &str) -> Result<RefShown> {
    let text = (0..200).map(|step| format!("step {step} of the {word} backup is done\n")).collect();
    let new = NewRef {
        text,
        project: Some(desk.project.id.clone()),
        source: json!({ "tool": "backup", "arguments": word }),
        ..NewRef::default()
    };
    Ok(desk.workspace.put_ref(new, noon()).await?.0)
}

async fn ask(desk: &Desk, question: &str) -> Result<Dossier> {
    Ok(desk.workspace.assemble(&desk.request(question)).await?)
}

async fn rounds_that_are_not_carried_are_summed_up(database: Database) -> Result<()> {
    let script = Script::answering(|_| Reply::chat("Noted."))?;
    let desk = desk(&database, &script).await?;
    let mut thread = None;
    for round in 1..=10 {
        let told_of = format!("Pier {round} has {round} bollards. Keep that in mind.");
        let ask = TurnRequest { thread, ..request(&desk, &told_of, &["openai/gpt-5"]) };
        let stream = desk.workspace.turn(&ask).await?;
        thread = Some(stream.turn.thread.clone());
        told(stream).await;
    }
    desk.workspace.work_off().await?;
    let summary = desk.workspace.thread_by_id(thread.as_ref().unwrap()).await?.summary.unwrap();
    let request = AssembleRequest { thread: thread.clone(), ..desk.request("What was first?") };
    let dossier = desk.workspace.assemble(&request).await?;
    let line = format!("[summary of rounds 1-10] {summary}\n");
    assert!(rendered(&dossier).contains(&line), "{}", rendered(&dossier));
    let [item] = summaries(&dossier.receipt)[..] else { panic!("{:?}", dossier.receipt.items) };
    assert_eq!(item.form, Form::Full);
    assert_eq!(item.source.id, thread.as_ref().unwrap().as_str());
    assert_eq!(item.reason, "the conversation's summary; rounds 1-10 are not all shown");
    assert!(dossier.receipt.budget.sections[&Section::Summaries] >= item.tokens);
    let project = Shape::Profile(ProfileName::Project);
    let other = desk.workspace.assemble(&AssembleRequest { shape: project, ..request }).await?;
    assert_eq!(summaries(&other.receipt).len(), 0);
    Ok(())
}

async fn refs_that_a_question_names_are_shown_in_short(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let harbour = put(&desk, "harbour").await?;
    put(&desk, "library").await?;
    let question = format!("Is the backup of {} done?", harbour.name);
    let dossier = ask(&desk, &question).await?;
    let line = format!("{}: {}", harbour.name, harbour.row.summary);
    assert!(rendered(&dossier).contains(&line), "{}", rendered(&dossier));
    let items = summaries(&dossier.receipt);
    assert_eq!(items[0].source.id, harbour.whole_name().to_string());
    assert_eq!((items.len(), items[0].reason.as_str()), (1, "the question names it"));
    // Words alone bring none: what a ref quotes may be hidden by now.
    let alike = ask(&desk, "Is the harbour backup done?").await?;
    assert_eq!(summaries(&alike.receipt).len(), 0);
    // Another project has refs of its own.
    let project = desk.workspace.project(Some("other"), noon()).await?;
    let request = AssembleRequest { project, ..desk.request(&question) };
    assert_eq!(summaries(&desk.workspace.assemble(&request).await?.receipt).len(), 0);
    Ok(())
}

async fn a_ref_that_is_named_is_shown_however_old_it_is_and_counted(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let harbour = put(&desk, "harbour").await?;
    let text = (0..200).map(|step| format!("step {step} of the lighthouse is done\n")).collect();
    let free = NewRef { text, ..NewRef::default() };
    let (lighthouse, _) = desk.workspace.put_ref(free, noon()).await?;
    for number in 0..31 {
        put(&desk, &format!("library {number}")).await?;
    }
    let question = format!("What of {} and {}?", harbour.name, lighthouse.name);
    let dossier = ask(&desk, &question).await?;
    let mut shown: Vec<&str> =
        summaries(&dossier.receipt).iter().map(|item| item.source.id.as_str()).collect();
    let mut expected = [&harbour, &lighthouse].map(|shown| shown.whole_name().to_string());
    shown.sort_unstable();
    expected.sort_unstable();
    assert_eq!(shown, expected);
    // A dossier that is kept has made use of them; one that nobody keeps has not.
    let looked_at = async || -> Result<Vec<String>> {
        let page = desk.workspace.list_refs(None, None, None, 99, noon()).await?;
        let looked_at = page.refs.iter().filter(|shown| shown.row.access_count == 1);
        let mut names: Vec<String> =
            looked_at.map(|shown| shown.whole_name().to_string()).collect();
        names.sort_unstable();
        Ok(names)
    };
    assert_eq!(looked_at().await?, [] as [String; 0]);
    desk.workspace.keep(&dossier).await?;
    assert_eq!(looked_at().await?, expected);
    Ok(())
}

async fn a_stale_ref_is_shown_as_such_until_it_is_expanded(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let shown = put(&desk, "harbour").await?;
    let name = shown.name.to_string();
    desk.workspace.mark_ref_stale(&name, noon()).await?;
    let marked = format!("{name}: [stale; expand it to look again] ");
    let question = format!("What of {name}?");
    assert!(rendered(&ask(&desk, &question).await?).contains(&marked));
    desk.workspace.expand_ref(&name, &Default::default(), noon()).await?;
    let fresh = rendered(&ask(&desk, &question).await?);
    assert!(fresh.contains(&name) && !fresh.contains(&marked), "{fresh}");
    Ok(())
}

async fn without_refs_none_are_shown(database: Database) -> Result<()> {
    let mut desk = Desk::new(&database).await?;
    let shown = put(&desk, "harbour").await?;
    let settings = json!({"enable_cas_refs": false}).as_object().cloned();
    let change = ProjectChange { settings, ..ProjectChange::default() };
    desk.project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
    let dossier = ask(&desk, &format!("What of {}?", shown.name)).await?;
    assert_eq!(summaries(&dossier.receipt).len(), 0);
    Ok(())
}

async fn what_is_forgotten_stands_in_no_summary(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let shown = put(&desk, "harbour").await?;
    let dossier = ask(&desk, &format!("What of {}?", shown.name)).await?;
    desk.workspace.keep(&dossier).await?;
    assert_eq!(desk.workspace.rendered(&dossier.receipt).await?, dossier.messages);
    desk.workspace.forget_ref(&shown.name.to_string(), noon()).await?;
    let error = desk.workspace.rendered(&dossier.receipt).await.unwrap_err().to_string();
    assert!(error.contains("its source was forgotten"), "{error}");

    // The same when its time is over.
    let store = database.owner().await?;
    let shown = put(&desk, "library").await?;
    let dossier = ask(&desk, &format!("What of {}?", shown.name)).await?;
    desk.workspace.keep(&dossier).await?;
    assert_eq!(store.expire_refs(shown.row.expires_at).await?, 1);
    let error = desk.workspace.rendered(&dossier.receipt).await.unwrap_err().to_string();
    assert!(error.contains("its source was forgotten"), "{error}");

    let said: Vec<(&str, &str)> =
        (0..12).flat_map(|_| [("user", "Is the pier closed?"), ("agent:a", "It is.")]).collect();
    let talk = conversation("talk", &said);
    let thread = desk.workspace.import(&desk.project.id, &talk, noon()).await?.thread;
    let state = json!({"summary_rounds": [1, 10]});
    store
        .set_context_state(&thread, Some("The pier is closed."), &state, MadeOf::default())
        .await?;
    let request = AssembleRequest { thread: Some(thread.clone()), ..desk.request("And now?") };
    let dossier = desk.workspace.assemble(&request).await?;
    desk.workspace.keep(&dossier).await?;
    let items = &dossier.receipt.items;
    let place = items.iter().position(|item| item.kind == Kind::Summary);
    let block = dossier.receipt.blocks.iter().find(|block| block.item == place).unwrap();
    assert!(place.is_some() && store.blob(&block.hash).await?.is_some());
    let first = desk.workspace.messages(&thread).await?.remove(0);
    store.delete_message(&first.id, &[], noon()).await?;
    assert_eq!(store.thread(&thread).await?.unwrap().summary, None);
    assert_eq!(store.blob(&block.hash).await?, None);
    Ok(())
}

async fn more_than_five_thousand_tokens_become_less_than_three_thousand(
    database: Database,
) -> Result<()> {
    const DOCKS: &str = "Alder Aspen Birch Cedar Cherry Chestnut Cypress Elder Elm Fir Ginkgo \
        Hawthorn Hazel Hickory Holly Hornbeam Juniper Larch Laurel Linden Magnolia Maple Mulberry \
        Myrtle Olive Pear Pine Plum Poplar Quince Redwood Rowan Spruce Sycamore Teak Walnut Willow";
    let desk = Desk::new(&database).await?;
    desk.write("pier.md", "The pier was built in 1898.\n");
    desk.index().await?;
    let words = " The crew checked the moorings, wrote down what it found, and told the mayor.";
    let said: Vec<(String, String)> = (1..=10)
        .map(|week| {
            let asked = format!("What did the crew do in week {week}?");
            (asked, format!("Week {week}:{}", words.repeat(5)))
        })
        .collect();
    let talk: Vec<(&str, &str)> = said
        .iter()
        .flat_map(|(asked, told)| [("user", asked.as_str()), ("agent:a", told.as_str())])
        .collect();
    let talk = conversation("talk", &talk);
    let thread = desk.workspace.import(&desk.project.id, &talk, noon()).await?.thread;
    let count = |text: &str| Tokenizer::O200k.count(text);
    let mut before: u32 = talk.messages.iter().map(|message| count(&message.content)).sum();
    for dock in DOCKS.split_whitespace() {
        let text =
            format!("We decided that the {dock} dock takes boats of 7 tons and closes at noon.");
        before += count(&text);
        let new = NewFact { text, ..NewFact::default() };
        desk.workspace.remember(&desk.project.id, &new, noon()).await?;
    }
    let mut question = "Which dock takes boats of 7 tons, and what of".to_owned();
    for word in ["harbour", "library"] {
        let shown = put(&desk, word).await?;
        question.push_str(&format!(" {}", shown.name));
        before += shown.row.tokens;
    }
    assert!(before > 5_000, "{before}");
    let request = AssembleRequest { thread: Some(thread), ..desk.request(&question) };
    let dossier = desk.workspace.assemble(&request).await?;
    let receipt = &dossier.receipt;
    let shown = |kind| {
        receipt.items.iter().filter(move |item| item.kind == kind && item.form != Form::Dropped)
    };
    let tokens = |kind| shown(kind).map(|item| item.tokens).sum::<u32>();
    let sections = &receipt.budget.sections;
    let shares = [
        (tokens(Kind::Rules), 200),
        (tokens(Kind::ToolDirectory), 100),
        (sections[&Section::History], 800),
        (sections[&Section::Facts], 600),
        (sections[&Section::Summaries], 300),
    ];
    assert!(shares.iter().all(|(used, share)| (1..=*share).contains(used)), "{shares:?}");
    assert!(receipt.budget.used <= 3_000, "{:?}", receipt.budget);
    // Enough of each is left: the last round whole, eight facts or more, and both refs.
    assert!(rendered(&dossier).contains(&said[9].1), "{}", rendered(&dossier));
    assert!(shown(Kind::Fact).count() >= 8, "{}", rendered(&dossier));
    assert_eq!(shown(Kind::Summary).filter(|item| item.source.kind == "ref").count(), 2);
    Ok(())
}
