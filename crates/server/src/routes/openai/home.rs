//! Where a conversation is at home and how it is treated, as headers say it.

use crate::problem::{Code, Problem};
use crate::routes::assemble::named;
use crate::state::{Caller, Door};
use axum::http::HeaderMap;
use dossier_core::id::ProjectId;
use dossier_core::profile::ProfileName;
use dossier_engine::{Freshness, Project};
use serde_json::{Map, Value};

const THREAD: &str = "x-dossier-thread";
const PROJECT: &str = "x-dossier-project";
const PROFILE: &str = "x-dossier-profile";
const CACHE: &str = "x-dossier-cache";

#[derive(Debug)]
pub struct Home {
    pub thread: Option<String>,
    pub project: Option<String>,
    pub treatment: Treatment,
    pub freshness: Freshness,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// The owner's own profile.
    Usual,
    Profile(ProfileName),
    /// Passed on as it is.
    Off,
}

impl Home {
    pub fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let treatment = match text(headers, PROFILE)?.as_deref() {
            None => Treatment::Usual,
            Some("off") => Treatment::Off,
            Some(name) => Treatment::Profile(named(name).map_err(|problem| {
                let detail = format!("{}, or off", problem.detail);
                Problem { detail, param: Some("X-Dossier-Profile".to_owned()), ..problem }
            })?),
        };
        let freshness = match text(headers, CACHE)?.as_deref() {
            None => Freshness::Kept,
            Some("refresh") => Freshness::Anew,
            Some(other) => {
                let what = format!("`{other}` is nothing to do with kept answers; send refresh");
                let param = Some("X-Dossier-Cache".to_owned());
                return Err(Problem { param, ..Problem::new(Code::Invalid, what) });
            }
        };
        let (thread, project) = (text(headers, THREAD)?, text(headers, PROJECT)?);
        Ok(Self { thread, project, treatment, freshness })
    }

    /// What a request's metadata says, where no header does.
    pub fn hear(&mut self, metadata: Option<&Map<String, Value>>) {
        self.name_thread(metadata);
        let forced = metadata.and_then(|metadata| metadata.get("dossier_force_refresh"));
        // The values of metadata are texts.
        let is_true = |value: &Value| value.as_bool() == Some(true) || value == "true";
        if forced.is_some_and(is_true) {
            self.freshness = Freshness::Anew;
        }
    }

    /// The thread as `dossier_thread` of a request's metadata names it, if no header does.
    fn name_thread(&mut self, metadata: Option<&Map<String, Value>>) {
        if self.thread.is_none() {
            let named = metadata.and_then(|metadata| metadata.get("dossier_thread")?.as_str());
            self.thread = named.map(str::to_owned);
        }
    }

    pub async fn profile(&self, door: &Door, caller: &Caller) -> Result<ProfileName, Problem> {
        match self.treatment {
            Treatment::Profile(name) => Ok(name),
            Treatment::Usual | Treatment::Off => Ok(door.settings.profile(&caller.held().await?)),
        }
    }

    /// The project of the conversation.
    pub async fn project(&self, caller: &Caller) -> Result<Project, Problem> {
        let (thread, project) = (self.thread.as_deref(), self.project.as_deref());
        Ok(caller.workspace.relay_project(thread, project, caller.now).await?)
    }

    /// Refuses a project that is named and is not that of what goes on.
    pub async fn expect_in(&self, own: &ProjectId, caller: &Caller) -> Result<(), Problem> {
        if self.project.is_none() || self.project(caller).await?.id == *own {
            return Ok(());
        }
        let what = "previous_response_id belongs to another project; leave the header out";
        let param = Some("X-Dossier-Project".to_owned());
        Err(Problem { param, ..Problem::new(Code::Invalid, what) })
    }

    /// The id or the name of the project, where the client tells one.
    pub fn project_named(&self) -> Option<&str> {
        self.project.as_deref()
    }
}

fn text(headers: &HeaderMap, name: &'static str) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(name) else { return Ok(None) };
    let text = std::str::from_utf8(value.as_bytes()).map_err(|_| {
        Problem::new(Code::MalformedRequest, format!("the header {name} is not UTF-8"))
    })?;
    Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
}
