//! `remember`, `recall` and `get_top_facts`.

use crate::call::Call;
use crate::options::ToolSet;
use crate::tool::{Answer, Effect, Face, Refusal, Tool};
use dossier_core::facts::FactKind;
use dossier_core::id::SessionId;
use dossier_engine::{FactQuery, FactShown, Hit, NewFact, Recalled};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Remember {
    /// One to three lines that stand alone.
    text: String,
    project: Option<String>,
    /// decision, entity, task, metric, link or fact.
    kind: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    pinned: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Recall {
    query: String,
    project: Option<String>,
    /// Passages of conversations; 5 when not given.
    limit: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Top {
    query: String,
    project: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    /// 8 to 20; 12 when not given.
    k: Option<usize>,
    session_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Fact {
    id: String,
    kind: String,
    text: String,
    tags: Vec<String>,
    valid_from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_until: Option<String>,
    pinned: bool,
    state: String,
    /// The message that it was taken from.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<String>,
    /// How like the query it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f32>,
}

impl Fact {
    fn of(shown: FactShown, similarity: Option<f32>) -> Self {
        let FactShown { fact, state, .. } = shown;
        Self {
            id: fact.id.to_string(),
            kind: fact.kind.as_str().to_owned(),
            text: fact.text,
            tags: fact.tags,
            valid_from: fact.valid_from.to_string(),
            valid_until: fact.valid_until.map(|until| until.to_string()),
            pinned: fact.pinned,
            state: state.as_str().to_owned(),
            message_id: fact.source.message.map(|message| message.to_string()),
            similarity,
        }
    }

    fn recalled(recalled: Recalled) -> Self {
        Self::of(recalled.shown, Some(recalled.similarity))
    }

    fn line(&self) -> String {
        format!("- {} [{}, {}]\n", self.text, self.kind, self.id)
    }
}

#[derive(Serialize, JsonSchema)]
struct Remembered {
    fact: Fact,
}

impl Answer for Remembered {
    fn text(&self) -> String {
        format!("remembered as {}: {}", self.fact.id, self.fact.text)
    }
}

#[derive(Serialize, JsonSchema)]
struct Facts {
    facts: Vec<Fact>,
}

impl Answer for Facts {
    fn text(&self) -> String {
        match self.facts.is_empty() {
            true => "nothing is remembered about it".to_owned(),
            false => self.facts.iter().map(Fact::line).collect(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Said {
    message_id: String,
    speaker: String,
    text: String,
}

impl From<Hit> for Said {
    fn from(hit: Hit) -> Self {
        Self {
            message_id: hit.source.id,
            speaker: hit.source.speaker.unwrap_or_default(),
            text: hit.text,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Recollection {
    facts: Vec<Fact>,
    /// What was said about it, best first.
    said: Vec<Said>,
}

impl Answer for Recollection {
    fn text(&self) -> String {
        if self.facts.is_empty() && self.said.is_empty() {
            return "nothing is remembered about it".to_owned();
        }
        let mut text: String = self.facts.iter().map(Fact::line).collect();
        for Said { message_id, speaker, text: said } in &self.said {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{speaker} ({message_id}): {said}");
        }
        text
    }
}

fn face(name: &'static str, title: &'static str, what: &'static str, effect: Effect) -> Face {
    Face {
        set: ToolSet::Memory,
        name: name.into(),
        title: title.into(),
        description: what.into(),
        effect,
    }
}

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            face(
                "remember",
                "Remember a fact",
                "Keeps a fact; a newer one about the same closes the older.",
                Effect::Keeps,
            ),
            remember,
        ),
        Tool::new(
            face(
                "recall",
                "Recall what is known",
                "Gives the facts and the passages of conversations that bear on a question.",
                Effect::Reads,
            ),
            recall,
        ),
        Tool::new(
            face(
                "get_top_facts",
                "Get the top facts",
                "Gives the facts that bear most on a question, by likeness, tags and age.",
                Effect::Reads,
            ),
            top,
        ),
    ]
}

async fn remember(call: Call, wanted: Remember) -> Result<Remembered, Refusal> {
    let Remember { text, project, kind, tags, pinned } = wanted;
    let kind = kind.map(|kind| {
        FactKind::parse(&kind).ok_or_else(|| {
            let kinds: Vec<&str> = FactKind::ALL.iter().map(|kind| kind.as_str()).collect();
            Refusal(format!("kind: `{kind}` is none of {}", kinds.join(", ")))
        })
    });
    let new = NewFact { text, kind: kind.transpose()?, tags, pinned };
    let project = call.project_or_new(project.as_deref()).await?;
    let shown = call.workspace.remember(&project.id, &new, call.now).await?;
    Ok(Remembered { fact: Fact::of(shown, None) })
}

async fn recall(call: Call, wanted: Recall) -> Result<Recollection, Refusal> {
    let project = call.project(wanted.project.as_deref()).await?;
    let (facts, said) =
        call.workspace.recall(&project.id, &wanted.query, wanted.limit, call.now).await?;
    Ok(Recollection {
        facts: facts.into_iter().map(Fact::recalled).collect(),
        said: said.into_iter().map(Said::from).collect(),
    })
}

async fn top(call: Call, wanted: Top) -> Result<Facts, Refusal> {
    let Top { query, project, tags, k, session_id } = wanted;
    let project = call.project(project.as_deref()).await?;
    let session = session_id.map(SessionId::from);
    let sought = FactQuery {
        project: Some(&project.id),
        session: session.as_ref(),
        query: &query,
        tags: &tags,
        count: k,
    };
    let found = call.workspace.top_facts(&sought, call.now).await?;
    Ok(Facts { facts: found.into_iter().map(Fact::recalled).collect() })
}
