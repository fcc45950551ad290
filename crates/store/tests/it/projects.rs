//! Projects.

use crate::database::Database;
use crate::sample::{at, project};
use anyhow::Result;
use dossier_store::{Project, StoreError};
use serde_json::json;

async fn a_project_is_found_by_id_and_by_name(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let (zoo, ape) = (project("zoo"), project("Ape"));
    store.create_project(&zoo).await?;
    store.create_project(&ape).await?;
    assert_eq!(store.project(&zoo.id).await?, Some(zoo.clone()));
    assert_eq!(store.project_named("Ape").await?, Some(ape.clone()));
    assert_eq!(store.project_named("ape").await?, None);
    assert_eq!(store.projects().await?, vec![ape, zoo]);
    Ok(())
}

async fn a_name_is_taken_once(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("a")).await?;
    let other = Project { id: "prj_other".into(), ..project("a") };
    let error = store.create_project(&other).await.unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }), "{error}");
    assert_eq!(store.projects().await?, vec![project("a")]);
    Ok(())
}

async fn an_updated_project_keeps_when_it_was_made(database: Database) -> Result<()> {
    let store = database.owner().await?;
    store.create_project(&project("a")).await?;
    let changed = Project {
        name: "b".to_owned(),
        settings: json!({ "max_context_tokens": 9000 }),
        created_at: at(77),
        updated_at: at(78),
        ..project("a")
    };
    store.update_project(&changed).await?;
    let expected = Project { created_at: at(1), ..changed };
    assert_eq!(store.projects().await?, vec![expected]);
    Ok(())
}

async fn updating_a_missing_project_says_so(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let error = store.update_project(&project("a")).await.unwrap_err();
    assert_eq!(error.to_string(), "project prj_a does not exist");
    assert!(!store.delete_project(&project("a").id).await?);
    Ok(())
}

async fn text_with_nul_is_refused_with_the_field_named(database: Database) -> Result<()> {
    let store = database.owner().await?;
    let error = store.create_project(&project("a\0b")).await.unwrap_err();
    assert_eq!(error.to_string(), "name: holds a NUL character; remove it");
    Ok(())
}

stories![
    a_project_is_found_by_id_and_by_name,
    a_name_is_taken_once,
    an_updated_project_keeps_when_it_was_made,
    updating_a_missing_project_says_so,
    text_with_nul_is_refused_with_the_field_named,
];
