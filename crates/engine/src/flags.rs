//! What a project can do without, each part under its own name in the project's settings.

use crate::error::EngineError;
use dossier_core::sameness::ENABLED as ANSWERS;
use dossier_store::Project;
use serde_json::{Map, Value};

/// Whether facts are taken from what is said, and shown.
pub(crate) const FACTS: &str = "enable_facts_ledger";
/// Whether a small model looks for facts as well.
pub(crate) const FACTS_BY_MODEL: &str = "extract_facts_with_model";
/// Whether the header names the tools.
pub(crate) const DIRECTORY: &str = "use_tool_directory";
/// Whether large results of tools become refs that models are given in short.
pub(crate) const REFS: &str = "enable_cas_refs";
/// Whether the schema of a tool goes along only once it is of use.
pub(crate) const LAZY_SCHEMAS: &str = "enable_lazy_schemas";

/// All flags, with what holds unless the project says otherwise. Kept answers need a project's word:
/// they are given where a model would have answered.
const FLAGS: [(&str, bool); 6] = [
    (DIRECTORY, true),
    (FACTS, true),
    (REFS, true),
    (LAZY_SCHEMAS, true),
    (ANSWERS, false),
    (FACTS_BY_MODEL, false),
];

/// The names of all flags.
pub(crate) const NAMES: [&str; FLAGS.len()] = {
    let mut names = [""; FLAGS.len()];
    let mut at = 0;
    while at < FLAGS.len() {
        names[at] = FLAGS[at].0;
        at += 1;
    }
    names
};

/// Whether a part is wanted.
pub(crate) fn flag(project: &Project, name: &str) -> bool {
    let usual = FLAGS.iter().any(|(own, is_on)| *own == name && *is_on);
    project.settings.get(name).and_then(Value::as_bool).unwrap_or(usual)
}

/// Refuses flags that there are not, and values that say neither yes nor no.
pub(crate) fn check(settings: &Map<String, Value>) -> Result<(), EngineError> {
    let is_flag = |key: &str| {
        NAMES.contains(&key)
            || ["enable_", "use_", "extract_"].iter().any(|with| key.starts_with(with))
    };
    for (key, value) in settings.iter().filter(|(key, _)| is_flag(key)) {
        if !NAMES.contains(&key.as_str()) {
            let known = NAMES.join(", ");
            return Err(EngineError::Invalid(format!(
                "there is no flag `{key}`; there are {known}"
            )));
        }
        if !value.is_boolean() {
            return Err(EngineError::Invalid(format!("{key} is true or false")));
        }
    }
    Ok(())
}
