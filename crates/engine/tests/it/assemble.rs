//! Assembling dossiers and keeping their receipts.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon, rendered};
use anyhow::Result;
use dossier_core::history::PolicyKind;
use dossier_core::item::{Form, Kind, Mode};
use dossier_core::profile::ProfileName;
use dossier_core::quote::OPENING;
use dossier_core::receipt::ReceiptItem;
use dossier_core::render;
use dossier_engine::{
    AssembleRequest, Dossier, EngineError, IndexRequest, Limits, Pinning, ProjectChange, Shape,
    Silent, ToolUse,
};
use serde_json::json;

stories!(
    a_dossier_holds_the_evidence_and_says_why,
    a_kept_receipt_gives_back_the_exact_messages,
    blocks_that_do_not_change_are_stored_once_and_the_prefix_is_told,
    recent_turns_are_history_and_are_not_shown_twice,
    always_files_are_pinned_or_the_call_fails_with_their_name,
    the_same_request_gives_the_same_bytes,
    a_secret_in_a_question_is_masked_wherever_it_goes,
    bad_requests_say_what_to_do,
    the_user_card_tells_project_role_and_time_zone,
    a_project_header_lists_files_and_stays_the_same_while_round_and_title_change,
    topics_are_looked_for_and_not_shown,
    what_only_quotes_is_no_evidence,
    who_cannot_follow_pointers_is_given_the_text,
    a_projects_strategy_and_retrieval_bound_its_dossiers,
);

async fn a_dossier_holds_the_evidence_and_says_why(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("docs/walrus.md", "The walrus eats clams.\n");
    desk.write("docs/otter.md", "The otter eats urchins.\n");
    desk.index().await?;
    let dossier = desk.assemble("What does the walrus eat?").await?;
    assert!(rendered(&dossier).contains("The walrus eats clams."));
    let first = dossier.receipt.items.iter().find(|item| item.include_mode == Mode::Retrieved);
    let first = first.unwrap();
    assert_eq!(first.source.path.as_deref(), Some("docs/walrus.md"));
    assert_eq!((first.form, first.source.lines), (Form::Full, Some((1, 1))));
    assert!(first.reason.starts_with("rank 1: words eat, walrus"), "{}", first.reason);
    assert!(dossier.receipt.items.iter().all(|item| !item.reason.is_empty()));
    Ok(())
}

async fn a_kept_receipt_gives_back_the_exact_messages(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("a.md", "The walrus eats clams.\n");
    desk.index().await?;
    let dossier = desk.assemble("What does the walrus eat?").await?;
    desk.workspace.keep(&dossier).await?;
    desk.write("a.md", "Nothing about animals any more, and longer.\n");
    desk.index().await?;
    let receipt = desk.workspace.receipt(&dossier.receipt.id).await?;
    assert_eq!(receipt, dossier.receipt);
    let messages = desk.workspace.rendered(&receipt).await?;
    assert_eq!(messages, dossier.messages);
    assert_eq!(render::hash(&messages), receipt.sent);
    Ok(())
}

async fn blocks_that_do_not_change_are_stored_once_and_the_prefix_is_told(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let talk = conversation("t", &[("user", "Is the walrus well?"), ("assistant", "It sleeps.")]);
    let imported = desk.workspace.import(&desk.project.id, &talk, noon()).await?;
    let request = AssembleRequest { thread: Some(imported.thread), ..desk.request("Where?") };
    let first = desk.workspace.assemble(&request).await?;
    assert_eq!(first.receipt.prefix, None);
    desk.workspace.keep(&first).await?;
    let blobs = database.number("SELECT CAST(COUNT(*) AS BIGINT) FROM blobs").await?;

    let request = AssembleRequest { question: "When?".to_owned(), ..request };
    let second = desk.workspace.assemble(&request).await?;
    desk.workspace.keep(&second).await?;
    let more = database.number("SELECT CAST(COUNT(*) AS BIGINT) FROM blobs").await?;
    assert_eq!(more, blobs + 1, "only the question is new");
    let shared = second.receipt.prefix.unwrap();
    let stable: usize = second.messages[..second.messages.len() - 1]
        .iter()
        .map(|message| message.content.len())
        .sum();
    assert_eq!((shared.previous, shared.bytes), (first.receipt.id, stable));
    Ok(())
}

async fn recent_turns_are_history_and_are_not_shown_twice(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let mut said = vec![("user", "The walrus is called Gustav."), ("assistant", "Noted.")];
    let filler = "Let us speak of something else for a while, at some length. ".repeat(10);
    for _ in 0..12 {
        said.extend([("user", filler.as_str()), ("assistant", filler.as_str())]);
    }
    said.extend([("user", "And the last walrus question?"), ("assistant", "Later.")]);
    let imported =
        desk.workspace.import(&desk.project.id, &conversation("t", &said), noon()).await?;
    let request = AssembleRequest {
        thread: Some(imported.thread.clone()),
        ..desk.request("What is the walrus called?")
    };
    let dossier = desk.workspace.assemble(&request).await?;
    let text = rendered(&dossier);
    assert_eq!(text.matches("Gustav").count(), 1, "found by search, though long ago");
    assert_eq!(text.matches("And the last walrus question?").count(), 1);
    assert!(dossier.receipt.budget.used <= 3_000);
    let modes: Vec<Mode> = dossier.receipt.items.iter().map(|item| item.include_mode).collect();
    assert!(modes.contains(&Mode::Recent) && modes.contains(&Mode::Retrieved));

    let fixed =
        AssembleRequest { budget: Some(1_000), history: Some(PolicyKind::Fixed), ..request };
    let error = desk.workspace.assemble(&fixed).await.unwrap_err();
    assert!(matches!(error, EngineError::WindowFull(_)), "{error}");
    Ok(())
}

async fn always_files_are_pinned_or_the_call_fails_with_their_name(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("rules.md", "Answer in verse.\n");
    let request = IndexRequest {
        project: desk.project.id.clone(),
        paths: vec![desk.folder.path().join("rules.md")],
        limits: Limits::default(),
        pinning: Pinning::Pin,
        now: noon(),
    };
    desk.workspace.index(&request, &Silent).await?;
    let dossier = desk.assemble("Anything?").await?;
    assert!(dossier.messages[0].content.contains("<file path=\"rules.md\">\nAnswer in verse."));
    let pinned = dossier.receipt.items.iter().filter(|item| item.kind == Kind::File);
    assert!(pinned.clone().any(|item| item.include_mode == Mode::Always));
    let dossier = desk.assemble("Who answers in verse?").await?;
    assert_eq!(
        rendered(&dossier).matches("Answer in verse.").count(),
        1,
        "pinned and not found again"
    );

    desk.write("rules.md", "Answer in verse. ".repeat(2_000));
    desk.workspace.index(&request, &Silent).await?;
    let error = desk.assemble("Anything?").await.unwrap_err().to_string();
    assert!(error.contains("rules.md ("), "{error}");
    let unpin = IndexRequest { pinning: Pinning::Unpin, ..request };
    desk.workspace.index(&unpin, &Silent).await?;
    assert!(!rendered(&desk.assemble("Anything?").await?).contains("<file path=\"rules.md\">"));
    Ok(())
}

async fn the_same_request_gives_the_same_bytes(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    for number in 0..30 {
        desk.write(&format!("n{number}.md"), format!("walrus number {}\n", number % 3));
    }
    desk.index().await?;
    let first = desk.assemble("walrus number 2").await?;
    let second = desk.assemble("walrus number 2").await?;
    assert_eq!(first.messages, second.messages);
    assert_eq!(first.receipt.items, second.receipt.items);
    assert_eq!(first.receipt.sent, second.receipt.sent);
    Ok(())
}

async fn a_secret_in_a_question_is_masked_wherever_it_goes(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let secret = concat!("sk-lf-", "6f9619ff-8b86-4011-b42d-00cf4fc964ff");
    let dossier = desk.assemble(&format!("Why is the key {secret} refused?")).await?;
    assert!(!rendered(&dossier).contains(secret));
    assert!(rendered(&dossier).contains("Why is the key"));
    assert!(!dossier.receipt.question.contains(secret), "{}", dossier.receipt.question);
    assert!(rendered(&dossier).contains(&dossier.receipt.question));
    Ok(())
}

async fn bad_requests_say_what_to_do(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let check = async |request: AssembleRequest, expected: &str| {
        let error = desk.workspace.assemble(&request).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(desk.request("  "), "the question is empty").await;
    check(desk.request(&"x".repeat(2 << 20)), "put long material into a file").await;
    let thread = AssembleRequest { thread: Some("thr_none".into()), ..desk.request("q") };
    check(thread, "thread `thr_none` is not known").await;
    check(AssembleRequest { budget: Some(10), ..desk.request("q") }, "the budget is 10").await;
    let error = desk.workspace.existing_project(Some("nope")).await.unwrap_err().to_string();
    assert!(error.contains("known projects: story"), "{error}");
    Ok(())
}

async fn the_user_card_tells_project_role_and_time_zone(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.workspace.set_config("user.role", &"zookeeper".into(), noon()).await?;
    desk.workspace.set_config("user.time_zone", &"Europe/Oslo".into(), noon()).await?;
    let header = desk.assemble("q").await?.messages[0].content.clone();
    assert!(
        header.contains("Project: story. The user's role: zookeeper. Time zone: Europe/Oslo."),
        "{header}"
    );
    desk.workspace.set_config("user.role", &"keeper of ".repeat(200).into(), noon()).await?;
    let dossier = desk.assemble("q").await?;
    let card = dossier.receipt.items.iter().find(|item| item.kind == Kind::UserCard).unwrap();
    assert!(card.tokens <= 100, "{}", card.tokens);
    Ok(())
}

async fn a_project_header_lists_files_and_stays_the_same_while_round_and_title_change(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("README.md", "Walruses.\n");
    desk.write("docs/walrus.md", "The walrus eats clams.\n");
    desk.index().await?;
    let prompt = json!({"system_prompt": "Speak plainly."}).as_object().cloned();
    let change = ProjectChange { settings: prompt, ..ProjectChange::default() };
    let project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
    let said = [("user", "Is it well?"), ("assistant", "It sleeps.")];
    let talk = conversation("Walrus care", &said.repeat(20));
    let thread = desk.workspace.import(&project.id, &talk, noon()).await?.thread;
    let request = |round| AssembleRequest {
        project: project.clone(),
        thread: Some(thread.clone()),
        shape: Shape::Profile(ProfileName::Project),
        model: Some("google/gemini-2.5-pro".to_owned()),
        round,
        ..desk.request("Where?")
    };
    let first = desk.workspace.assemble(&request(Some(20))).await?;
    let header = &first.messages[0].content;
    let begins = "You are google/gemini-2.5-pro, one of several models";
    assert!(header.starts_with(begins), "{header}");
    let ends = "Project: story.\nThe project's files:\n- README.md (10 B)\n\
                - docs/walrus.md (23 B)\nGround every statement in the material above; what comes \
                from elsewhere, mark as general knowledge.\nSpeak plainly.\n";
    assert!(header.ends_with(ends), "{header}");
    let map = first.receipt.items.iter().find(|item| item.kind == Kind::ProjectMap).unwrap();
    assert_eq!(map.reason, "pinned: the project's files by name");
    let asked = |dossier: &Dossier| {
        let turn = &dossier.messages.last().unwrap().content;
        turn.lines().next().unwrap().to_owned()
    };
    assert_eq!(asked(&first), "This is round 20 of “Walrus care”.");

    desk.workspace.retitle(&thread, "Walruses, all of them", noon()).await?;
    let second = desk.workspace.assemble(&request(None)).await?;
    assert_eq!(&second.messages[0].content, header);
    assert_eq!(
        asked(&second),
        "This is round 21 of “Walruses, all of them”. Earlier rounds than those shown are found \
         by searching."
    );
    for number in 0..49 {
        desk.write(&format!("src/part {number}.rs"), "fn part() {}\n");
    }
    desk.index().await?;
    let many = desk.workspace.assemble(&request(None)).await?.messages[0].content.clone();
    let folders = "The project's 51 files by folder:\n- 1 outside of folders\n- docs/ (1)\n\
                   - src/ (49)\n";
    assert!(many.contains(folders), "{many}");
    let lean = desk.assemble("Where?").await?;
    assert!(!rendered(&lean).contains("README.md (10 B)"), "tools serve the list there");
    Ok(())
}

async fn topics_are_looked_for_and_not_shown(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("walrus.md", "The walrus eats clams.\n");
    desk.write("otter.md", "The otter eats urchins.\n");
    desk.index().await?;
    let about = |topics: &[&str]| AssembleRequest {
        topics: topics.iter().map(|topic| (*topic).to_owned()).collect(),
        ..desk.request("How much?")
    };
    let without = desk.workspace.assemble(&about(&[])).await?;
    assert!(!rendered(&without).contains("urchins"));
    let with = desk.workspace.assemble(&about(&["otter", "sea food"])).await?;
    assert!(rendered(&with).contains("The otter eats urchins."));
    assert!(!rendered(&with).contains("walrus") && !rendered(&with).contains("sea food"));
    assert_eq!(with.receipt.question, "How much?");
    for topics in [&[" "][..], &["x"; 21], &[&*"x".repeat(101)]] {
        let error = desk.workspace.assemble(&about(topics)).await.unwrap_err().to_string();
        assert!(error.contains("topic tags"), "{error}");
    }
    Ok(())
}

async fn what_only_quotes_is_no_evidence(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let quoted = format!("{OPENING}\n\n> The ferry leaves at nine.\n— ferry.md, line 1\n");
    let said = [("user", "When does the ferry leave?"), ("agent:builtin/extractive", &quoted)];
    desk.workspace.import(&desk.project.id, &conversation("talk", &said), noon()).await?;
    desk.write("ferry.md", "The ferry leaves at ten.\n");
    desk.index().await?;
    let dossier = desk.assemble("When does the ferry leave?").await?;
    let shown = rendered(&dossier);
    assert!(shown.contains("at ten") && !shown.contains("at nine"), "{shown}");
    let reason = "left out: it only quotes what stands elsewhere";
    assert!(dossier.receipt.items.iter().any(|item| item.reason.ends_with(reason)));
    Ok(())
}

async fn who_cannot_follow_pointers_is_given_the_text(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    desk.write("pool.md", "# Pool\n\nThe walrus bathes in the north pool.\n");
    desk.index().await?;
    let asked = |tools| AssembleRequest {
        shape: Shape::Profile(ProfileName::Project),
        model: Some("openai/gpt-4o".to_owned()),
        tools,
        ..desk.request("Where does the walrus bathe?")
    };
    let forms = async |tools| {
        let dossier = desk.workspace.assemble(&asked(tools)).await?;
        let items = dossier.receipt.items.into_iter();
        let files = items.filter(|item| item.source.path.as_deref() == Some("pool.md"));
        anyhow::Ok(files.map(|item| item.form).collect::<Vec<Form>>())
    };
    assert_eq!(forms(ToolUse::Free).await?, [Form::Pointer]);
    assert_eq!(forms(ToolUse::None).await?, [Form::Full]);
    Ok(())
}

async fn a_projects_strategy_and_retrieval_bound_its_dossiers(database: Database) -> Result<()> {
    let mut desk = Desk::new(&database).await?;
    for number in 1..=3 {
        desk.write(&format!("pool{number}.md"), format!("The walrus bathes in pool {number}.\n"));
    }
    desk.index().await?;
    let change = async |desk: &mut Desk, settings: serde_json::Value| -> Result<()> {
        let settings = settings.as_object().cloned();
        let change = ProjectChange { settings, ..ProjectChange::default() };
        desk.project = desk.workspace.change_project(&desk.project.id, change, noon()).await?;
        Ok(())
    };
    let shown = async |desk: &Desk| -> Result<usize> {
        let request = AssembleRequest {
            shape: Shape::Profile(ProfileName::Project),
            model: Some("openai/gpt-4o".to_owned()),
            ..desk.request("Where does the walrus bathe?")
        };
        let items = desk.workspace.assemble(&request).await?.receipt.items;
        let is_text = |item: &&ReceiptItem| item.kind == Kind::File && item.form == Form::Full;
        Ok(items.iter().filter(is_text).count())
    };
    assert_eq!(shown(&desk).await?, 0, "a smart model is given pointers");
    change(&mut desk, json!({ "context_strategy": "balanced" })).await?;
    assert_eq!(shown(&desk).await?, 3);
    let both = json!({ "context_strategy": "minimal", "retrieval_config": { "top_k": 2 } });
    change(&mut desk, both).await?;
    assert_eq!(shown(&desk).await?, 2);
    for wrong in [
        json!({ "context_strategy": "huge" }),
        json!({ "context_strategy": 1 }),
        json!({ "retrieval_config": "all" }),
        json!({ "retrieval_config": { "top_k": 0 } }),
        json!({ "retrieval_config": { "min_score": 2 } }),
        json!({ "retrieval_config": { "colour": "red" } }),
        json!({ "budget_usd_per_month": "lots" }),
        json!({ "budget_usd_per_month": -1 }),
    ] {
        let refused = change(&mut desk, wrong.clone()).await;
        assert!(refused.is_err(), "{wrong}");
    }
    Ok(())
}
