//! What a project can do without, each part under its own name in the project's settings.

use dossier_store::Project;
use serde_json::Value;

/// Whether facts are taken from what is said, and shown.
pub(crate) const FACTS: &str = "enable_facts_ledger";

/// All flags; each is on unless the project says otherwise.
pub(crate) const FLAGS: [&str; 1] = [FACTS];

/// Whether a part is wanted.
pub(crate) fn flag(project: &Project, name: &str) -> bool {
    project.settings.get(name).and_then(Value::as_bool).unwrap_or(true)
}
