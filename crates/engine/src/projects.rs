//! Projects by their ids, for doors whose users hold ids and not names.

use crate::error::EngineError;
use crate::flags::{self, NAMES};
use crate::header::PROMPT;
use crate::mint;
use crate::turn::MOST_MODELS;
use crate::usual::DEFAULT_MODELS;
use crate::workspace::{Workspace, checked_name};
use dossier_core::id::ProjectId;
use dossier_core::sameness::{Keeping, SECONDS, SIMILARITY};
use dossier_core::strategy::{RETRIEVAL, STRATEGY, Strategy};
use dossier_core::time::Timestamp;
use dossier_store::{Project, StoreError};
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// The longest description, in characters; it stands in every dossier.
const LONGEST_DESCRIPTION: usize = 10_000;
/// The longest prompt of a project's own, in characters; it stands in every dossier as well.
const LONGEST_PROMPT: usize = 10_000;
/// The most that a project's settings take, in bytes.
const MOST_SETTINGS: usize = 64 << 10;

/// The settings that a project has an effect by.
pub const PROJECT_SETTINGS: [&str; 8 + NAMES.len()] = {
    let [a, b, c, d, e, f] = NAMES;
    let own = (BUDGET, "max_context_tokens", STRATEGY, RETRIEVAL);
    let (budget, most, strategy, retrieval) = own;
    [
        budget,
        most,
        strategy,
        retrieval,
        DEFAULT_MODELS,
        PROMPT,
        a,
        b,
        c,
        d,
        e,
        f,
        SECONDS,
        SIMILARITY,
    ]
};

/// Dollars that a month may cost.
const BUDGET: &str = "budget_usd_per_month";
/// The largest budget, as of everything together.
const MOST_DOLLARS: f64 = 1e6;

/// What is to become of a project; what is not given stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProjectChange {
    pub name: Option<String>,
    pub description: Option<String>,
    pub settings: Option<Map<String, Value>>,
}

impl Workspace {
    pub async fn project_by_id(&self, id: &ProjectId) -> Result<Project, EngineError> {
        let project = self.store.project(id).await?;
        project.ok_or_else(|| EngineError::not_found("project", id.as_str(), "list the projects"))
    }

    /// Makes a project whose name is not taken.
    pub async fn create_project(
        &self,
        given: ProjectChange,
        now: Timestamp,
    ) -> Result<Project, EngineError> {
        let mut project = Project {
            id: mint::id(),
            name: String::new(),
            description: String::new(),
            settings: serde_json::json!({}),
            created_at: now,
            updated_at: now,
        };
        let given = ProjectChange { name: Some(given.name.unwrap_or_default()), ..given };
        apply(&mut project, given)?;
        let made = self.store.create_project(&project).await;
        made.map_err(|error| taken(&project.name, error))?;
        Ok(project)
    }

    pub async fn change_project(
        &self,
        id: &ProjectId,
        change: ProjectChange,
        now: Timestamp,
    ) -> Result<Project, EngineError> {
        let mut project = self.project_by_id(id).await?;
        apply(&mut project, change)?;
        project.updated_at = now;
        let changed = self.store.update_project(&project).await;
        changed.map_err(|error| taken(&project.name, error))?;
        Ok(project)
    }
}

fn apply(project: &mut Project, change: ProjectChange) -> Result<(), EngineError> {
    if let Some(name) = change.name {
        project.name = checked_name(&name)?.to_owned();
    }
    if let Some(description) = change.description {
        if description.chars().count() > LONGEST_DESCRIPTION || description.contains('\0') {
            return Err(EngineError::Invalid(format!(
                "a project's description has up to {LONGEST_DESCRIPTION} characters and no NUL"
            )));
        }
        project.description = description;
    }
    if let Some(settings) = change.settings {
        project.settings = checked_settings(settings)?;
    }
    Ok(())
}

/// A project's settings, if they are such that assembling can use them.
fn checked_settings(settings: Map<String, Value>) -> Result<Value, EngineError> {
    if let Some(most) = settings.get("max_context_tokens")
        && !most.as_u64().is_some_and(|most| (1..=u64::from(u32::MAX)).contains(&most))
    {
        return Err(EngineError::Invalid(
            "max_context_tokens is a whole number of tokens above 0".to_owned(),
        ));
    }
    if let Some(budget) = settings.get(BUDGET)
        && !dollars(budget).is_some_and(|dollars| (0.0..=MOST_DOLLARS).contains(&dollars))
    {
        return Err(EngineError::Invalid(format!(
            "{BUDGET} is a sum of dollars from 0 to {MOST_DOLLARS}, such as 2.50"
        )));
    }
    Strategy::check(&settings).map_err(EngineError::Invalid)?;
    if let Some(prompt) = settings.get(PROMPT)
        && prompt.as_str().is_none_or(|text| text.chars().count() > LONGEST_PROMPT)
    {
        return Err(EngineError::Invalid(format!(
            "{PROMPT} is a text of up to {LONGEST_PROMPT} characters; keep more in a file that is \
             always in context"
        )));
    }
    if let Some(models) = settings.get(DEFAULT_MODELS)
        && !Vec::<String>::deserialize(models).is_ok_and(|models| models.len() <= MOST_MODELS)
    {
        return Err(EngineError::Invalid(format!(
            "{DEFAULT_MODELS} is a list of up to {MOST_MODELS} names, such as [\"openai/gpt-4o\"]"
        )));
    }
    flags::check(&settings)?;
    Keeping::check(&settings).map_err(EngineError::Invalid)?;
    let settings = Value::Object(settings);
    let text = settings.to_string();
    if text.len() > MOST_SETTINGS {
        return Err(EngineError::Invalid(format!(
            "a project's settings take up to {MOST_SETTINGS} bytes; keep long texts in files"
        )));
    }
    Ok(settings)
}

/// A number, or the text of one.
fn dollars(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn taken(name: &str, error: StoreError) -> EngineError {
    match error {
        StoreError::Conflict { .. } => EngineError::Conflict(format!(
            "there is a project `{name}` already; choose another name"
        )),
        error => error.into(),
    }
}
