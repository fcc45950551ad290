//! Importing conversations.

use crate::database::Database;
use crate::desk::{Desk, conversation, noon};
use anyhow::Result;
use dossier_engine::{Conversation, read_conversations};

stories!(
    an_imported_conversation_is_searchable_at_once,
    rubbish_in_messages_is_kept_as_far_as_it_can_be,
    the_same_conversation_twice_is_two_threads,
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
    let empty = Conversation { title: None, messages: Vec::new() };
    assert_eq!(desk.workspace.import(&desk.project.id, &empty, noon()).await?.messages, []);
    Ok(())
}

async fn the_same_conversation_twice_is_two_threads(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    let text = r#"{"title":"t","messages":[{"id":"1","speaker":"Ann","content":"walrus"}]}"#;
    for talk in [read_conversations(text)?, read_conversations(text)?].concat() {
        desk.workspace.import(&desk.project.id, &talk, noon()).await?;
    }
    assert_eq!(desk.places("walrus").await?, ["walrus", "walrus"]);
    Ok(())
}
