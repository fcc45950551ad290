//! Importing conversations.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon};
use anyhow::Result;
use dossier_core::exchange::{Conversation, ConversationMessage, LeftOut, read};
use dossier_engine::{Documents, Format, Imported, Outcome};

stories!(
    an_imported_conversation_is_searchable_at_once,
    rubbish_in_messages_is_kept_as_far_as_it_can_be,
    a_conversation_that_comes_again_is_known,
    a_newer_export_adds_what_is_new_and_one_that_differs_is_another_thread,
    a_deleted_message_is_not_brought_back,
    attachments_become_files_that_are_found,
    an_exported_thread_comes_back_as_it_was,
    many_may_import_the_same_at_once,
);

async fn an_imported_conversation_is_searchable_at_once(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let talk = conversation("talk", &[("Ann", "Where is the walrus?"), ("Ben", "At the pier.")]);
    let imported = desk.workspace.import(&desk.project.id, &talk, noon()).await?;
    assert_eq!(imported.messages.len(), 2);
    assert_eq!(desk.places("walrus").await?, ["Where is the walrus?", "At the pier."]);
    let thread = desk.workspace.thread(&desk.project.id, "talk").await?;
    assert_eq!((thread.id, thread.round_count), (imported.thread, 2));
    Ok(())
}

async fn rubbish_in_messages_is_kept_as_far_as_it_can_be(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let long = "walrus ".repeat(50_000);
    let said =
        [("", ""), ("user", "a\0b walrus"), ("agent:o3", long.as_str()), ("🦭", "\u{202e}x")];
    let imported =
        desk.workspace.import(&desk.project.id, &conversation("odd", &said), noon()).await?;
    assert_eq!(imported.messages.len(), 4);
    let dossier = desk.assemble("walrus").await?;
    assert!(dossier.receipt.budget.used <= 3_000);
    let empty = Conversation::default();
    assert_eq!(desk.workspace.import(&desk.project.id, &empty, noon()).await?.messages, []);
    Ok(())
}

impl Desk {
    async fn import(&self, talk: &Conversation) -> Result<Imported> {
        Ok(self.workspace.import(&self.project.id, talk, noon()).await?)
    }

    async fn threads(&self) -> Result<usize> {
        Ok(self.workspace.threads(&self.project.id).await?.len())
    }
}

async fn a_conversation_that_comes_again_is_known(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let text = r#"{"title":"t","messages":[{"id":"1","speaker":"Ann","content":"walrus"}]}"#;
    let nameless = &read(text)?.conversations[0];
    let named = Conversation { id: Some("chatgpt:1".to_owned()), ..nameless.clone() };
    for talk in [nameless, &named] {
        let first = desk.import(talk).await?;
        assert_eq!((first.outcome, first.added), (Outcome::New, 1));
        let again = desk.import(talk).await?;
        assert_eq!(again, Imported { outcome: Outcome::Here, added: 0, ..first });
    }
    assert_eq!(desk.places("walrus").await?, ["walrus", "walrus"]);
    let other = desk.workspace.project(Some("other"), noon()).await?;
    let elsewhere = desk.workspace.import(&other.id, nameless, noon()).await?;
    assert_eq!(elsewhere.outcome, Outcome::New);
    Ok(())
}

/// A conversation of ChatGPT, of which each message is known by its place.
fn talk(said: &[(&str, &str)]) -> Conversation {
    Conversation { id: Some("chatgpt:1".to_owned()), ..conversation("talk", said) }
}

async fn a_newer_export_adds_what_is_new_and_one_that_differs_is_another_thread(
    database: Database,
) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let said = [("Ann", "Where is the walrus?"), ("agent:o3", "At the pier."), ("Ann", "Thanks.")];
    let first = desk.import(&talk(&said[..1])).await?;
    let longer = desk.import(&talk(&said)).await?;
    assert_eq!((longer.outcome, longer.added), (Outcome::Extended, 2));
    assert_eq!((&longer.thread, &longer.messages[..1]), (&first.thread, &first.messages[..]));
    // What is added is found with the question it answers.
    assert_eq!(desk.places("walrus").await?, ["Where is the walrus?", "At the pier."]);
    let thread = desk.workspace.thread(&desk.project.id, "talk").await?;
    assert_eq!(thread.round_count, 2);
    assert_eq!(desk.import(&talk(&said[..2])).await?.outcome, Outcome::Here);

    let edited = [said[0], ("agent:o3", "On the ice.")];
    let other = desk.import(&talk(&edited)).await?;
    assert_eq!((other.outcome, other.added), (Outcome::Diverged, 2));
    assert_ne!(other.thread, first.thread);
    let again = desk.import(&talk(&edited)).await?;
    assert_eq!((again.outcome, &again.thread), (Outcome::Here, &other.thread));
    assert_eq!(desk.import(&talk(&said)).await?.outcome, Outcome::Here);
    assert_eq!(desk.threads().await?, 2);
    Ok(())
}

async fn a_deleted_message_is_not_brought_back(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let said = [("Ann", "Where is the walrus?"), ("Ben", "At the pier."), ("Ann", "Thanks.")];
    let first = desk.import(&talk(&said[..2])).await?;
    let store = database.owner().await?;
    store.delete_message(&first.messages[1], &[], noon()).await?;
    let again = desk.import(&talk(&said)).await?;
    assert_eq!((again.outcome, again.added), (Outcome::Extended, 1));
    assert_eq!(desk.places("pier").await?, [] as [&str; 0]);
    Ok(())
}

async fn attachments_become_files_that_are_found(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let attachment =
        |name: &str, text: &str| serde_json::json!({"file_name": name, "extracted_content": text});
    let export = serde_json::json!([
        {"uuid": "c1", "name": "Moor", "chat_messages": [{
            "uuid": "m1", "sender": "human", "text": "see",
            "attachments": [attachment("berths.csv", "south,lee of the mole\n"),
                            attachment(".env", "SECRET=1"), attachment("a/../b.txt", "harmless")],
        }]},
        {"uuid": "p1", "name": "Harbour", "docs": [
            {"filename": "rules.md", "content": "No mooring at the fuel pier.\n"},
            {"filename": "id_rsa", "content": "secret"}]},
    ]);
    let bundle = read(&export.to_string())?;
    let imported = desk.import(&bundle.conversations[0]).await?;
    assert_eq!((imported.files, imported.left_out), (2, [(LeftOut::Refused, 1)].into()));
    let documents =
        desk.workspace.import_documents(&desk.project.id, &bundle.documents, noon()).await?;
    assert_eq!(documents, Documents { stored: 1, refused: 1 });
    assert_eq!(desk.places("mole").await?, ["claude/c1/berths.csv:1-1"]);
    assert_eq!(desk.places("fuel").await?, ["claude/Harbour/rules.md:1-1"]);
    let again =
        desk.workspace.import_documents(&desk.project.id, &bundle.documents, noon()).await?;
    assert_eq!(again, Documents { stored: 0, refused: 1 });
    Ok(())
}

async fn an_exported_thread_comes_back_as_it_was(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let said = [("Ann", "# A heading\n"), ("agent:o3", "<!-- dossier:end -->"), ("tool:py", "")];
    let first = desk.import(&conversation("talk", &said)).await?;
    let thread = desk.workspace.thread(&desk.project.id, "talk").await?;
    let other = desk.workspace.project(Some("other"), noon()).await?;
    for format in [Format::Json, Format::Markdown] {
        let mut out = Vec::new();
        desk.workspace.export_thread(&thread, format, &mut out).await?;
        let talk = &read(&String::from_utf8(out)?)?.conversations[0];
        let here = desk.import(talk).await?;
        assert_eq!((here.outcome, &here.messages), (Outcome::Here, &first.messages));
        let copy = desk.workspace.import(&other.id, talk, noon()).await?;
        let rows = database.owner().await?.messages(&copy.thread).await?;
        let said =
            |message: &ConversationMessage| (message.speaker.clone(), message.content.clone());
        assert_eq!(
            rows.iter()
                .map(|row| (row.speaker.to_string(), row.content.clone()))
                .collect::<Vec<_>>(),
            talk.messages.iter().map(said).collect::<Vec<_>>()
        );
    }
    assert_eq!((desk.threads().await?, desk.workspace.threads(&other.id).await?.len()), (1, 1));
    Ok(())
}

async fn many_may_import_the_same_at_once(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let tasks: Vec<_> = (1..=6)
        .map(|length| {
            let said: Vec<_> = (0..length).map(|_| ("Ann", "walrus")).collect();
            let (workspace, project) = (desk.workspace.clone(), desk.project.id.clone());
            let talk = talk(&said);
            tokio::spawn(async move { workspace.import(&project, &talk, noon()).await })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    let threads = desk.workspace.threads(&desk.project.id).await?;
    assert_eq!(threads.len(), 1);
    assert_eq!(database.owner().await?.messages(&threads[0].id).await?.len(), 6);
    Ok(())
}
