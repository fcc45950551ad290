//! The data sets of `dossier eval context`: one case a line.

use crate::error::EngineError;
use dossier_core::exchange::ConversationMessage;
use serde::Deserialize;
use std::collections::HashSet;

/// A conversation or a folder of files, with questions about it.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    pub id: String,
    #[serde(default)]
    pub messages: Vec<ConversationMessage>,
    #[serde(default)]
    pub files: Vec<CaseFile>,
    pub questions: Vec<CaseQuestion>,
}

impl Case {
    /// Evidence that the material does not hold, or whose file no project would take.
    pub fn unknown_evidence(&self) -> Vec<&str> {
        let files = self.files().map(|file| file.path.as_str());
        let messages = self.messages.iter().filter_map(|message| message.id.as_deref());
        let known: HashSet<&str> = files.chain(messages).collect();
        let evidence = self.questions.iter().flat_map(|question| &question.evidence);
        evidence.map(String::as_str).filter(|evidence| !known.contains(evidence)).collect()
    }

    /// The files that a project takes: others look like credentials, or lead out of it.
    pub(super) fn files(&self) -> impl Iterator<Item = &CaseFile> {
        self.files.iter().filter(|file| dossier_files::virtual_path(&file.path).is_ok())
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct CaseFile {
    pub path: String,
    pub content: String,
}

/// A question, and the messages or paths that hold its answer.
#[derive(Debug, Clone, Deserialize)]
pub struct CaseQuestion {
    pub id: String,
    pub text: String,
    pub evidence: Vec<String>,
}

/// Reads a data set; a line that is no case is an error that names it.
pub fn read_cases(text: &str) -> Result<Vec<Case>, EngineError> {
    let cases: Result<Vec<Case>, EngineError> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                EngineError::Invalid(format!(
                    "line {} is no case: {error}; expected {{\"id\", \"messages\" or \"files\", \
                     \"questions\": [{{\"id\", \"text\", \"evidence\"}}]}}",
                    number + 1
                ))
            })
        })
        .collect();
    match cases? {
        none if none.is_empty() => Err(EngineError::Invalid("the data set is empty".to_owned())),
        cases => Ok(cases),
    }
}
