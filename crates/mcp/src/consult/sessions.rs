//! `consult_sessions`: the sessions with assistants, and the calls that were started in them.

use super::chat::Given;
use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool, counted, needed};
use dossier_core::id::TurnId;
use dossier_engine::{ConsultDescription, ConsultSessionRow, SessionChoice};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    List,
    Describe,
    /// Sends its files anew with the next call.
    Reset,
    /// The answer of a call that was started.
    Poll,
    Cancel,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    action: Action,
    session_id: Option<String>,
    assistant: Option<String>,
    /// Words in a name or a title.
    query: Option<String>,
    turn_id: Option<String>,
}

#[derive(Default, Serialize, JsonSchema)]
struct Told {
    #[serde(skip_serializing_if = "Option::is_none")]
    sessions: Option<Vec<Session>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Session>,
    #[serde(skip_serializing_if = "Option::is_none")]
    described: Option<Described>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<Given>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancelled: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
struct Session {
    id: String,
    session_id: String,
    assistant: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    rounds: i64,
    created_at: String,
    used_at: String,
}

impl From<ConsultSessionRow> for Session {
    fn from(row: ConsultSessionRow) -> Self {
        Self {
            id: row.id,
            session_id: row.session_id,
            assistant: row.assistant,
            title: row.title,
            rounds: row.rounds,
            created_at: row.created_at.to_string(),
            used_at: row.used_at.to_string(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Described {
    /// Files that stand inline, and whether more may come.
    inline: usize,
    frozen: bool,
    context: Vec<String>,
    tokens_used: u32,
    tokens_limit: u32,
    tokens_saved: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
}

impl Answer for Told {
    fn text(&self) -> String {
        if let Some(call) = &self.call {
            return call.text();
        }
        if let Some(cancelled) = self.cancelled {
            let said = if cancelled { "the call is given up" } else { "the call was over" };
            return said.to_owned();
        }
        let mut text = String::new();
        for session in self.sessions.iter().flatten().chain(&self.session) {
            let Session { session_id, assistant, rounds, used_at, .. } = session;
            let rounds = counted(rounds.unsigned_abs(), "round");
            text += &format!("{session_id} with {assistant}: {rounds}, last {used_at}\n");
        }
        if let Some(Described { inline, tokens_used, tokens_limit, tokens_saved, .. }) =
            &self.described
        {
            let inline = counted(*inline as u64, "file");
            text += &format!(
                "{inline} inline; {tokens_used} of {tokens_limit} tokens; {tokens_saved} saved\n"
            );
        }
        if text.is_empty() { "there is no session yet".to_owned() } else { text }
    }
}

pub fn tool() -> Tool {
    let face = Face {
        set: ToolSet::Consult,
        name: "consult_sessions".into(),
        title: "Sessions with assistants".into(),
        description: "Lists, describes and resets sessions with assistants, and looks after calls that were started.".into(),
        effect: Effect::Deletes,
    };
    Tool::new(face, manage)
}

async fn manage(call: Call, wanted: Wanted) -> Result<Told, Refusal> {
    let Call { workspace, now, .. } = &call;
    let choice = || {
        let name = needed("session_id", wanted.session_id.as_deref())?.to_owned();
        Ok::<_, Refusal>(SessionChoice { name, assistant: wanted.assistant.clone(), project: None })
    };
    let turn = || Ok::<_, Refusal>(TurnId::from(needed("turn_id", wanted.turn_id.as_deref())?));
    Ok(match wanted.action {
        Action::List => {
            let sessions = workspace.consult_sessions(wanted.query.as_deref(), *now).await?;
            let sessions = sessions.into_iter().map(Session::from).collect();
            Told { sessions: Some(sessions), ..Told::default() }
        }
        Action::Describe => {
            let described = workspace.describe_consult(&choice()?, *now).await?;
            let ConsultDescription { session, inline, frozen, context, .. } = described;
            let described = Described {
                inline,
                frozen,
                context,
                tokens_used: described.tokens_used,
                tokens_limit: described.tokens_limit,
                tokens_saved: described.tokens_saved,
                first: described.first,
                last: described.last,
            };
            Told { session: Some(session.into()), described: Some(described), ..Told::default() }
        }
        Action::Reset => {
            let session = workspace.reset_consult(&choice()?, *now).await?;
            Told { session: Some(session.into()), ..Told::default() }
        }
        Action::Poll => {
            let job = workspace.consult_job(&turn()?).await?;
            Told { call: Some(Given::of(job)), ..Told::default() }
        }
        Action::Cancel => {
            let cancelled = workspace.cancel_turn(&turn()?).await?;
            Told { cancelled: Some(cancelled), ..Told::default() }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_thing_is_told_as_one() {
        let session = |rounds| Session {
            id: "1".to_owned(),
            session_id: "plan".to_owned(),
            assistant: "o3".to_owned(),
            title: None,
            rounds,
            created_at: "2026-03-01".to_owned(),
            used_at: "2026-03-02".to_owned(),
        };
        let told = Told { sessions: Some(vec![session(1), session(2)]), ..Told::default() };
        let expected = "plan with o3: 1 round, last 2026-03-02\n\
                        plan with o3: 2 rounds, last 2026-03-02\n";
        assert_eq!(told.text(), expected);
    }
}
