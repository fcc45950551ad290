//! Values for an argument that somebody begins to type: names and ids of personas and presets.

use crate::call::Call;
use crate::options::ToolSet;
use crate::prompt;
use dossier_core::persona::Listing;
use dossier_engine::EngineError;
use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use std::collections::BTreeSet;

/// Where the values of an argument come from.
enum Source {
    PersonaIds,
    PersonaNames,
    PresetIds,
}

impl Source {
    /// Nothing for an argument that may be anything.
    fn of(reference: &Reference, argument: &str) -> Option<Self> {
        match (reference, argument) {
            (Reference::Resource(resource), "contextId")
                if resource.uri.ends_with("context/{contextId}") =>
            {
                Some(Self::PersonaIds)
            }
            (Reference::Resource(resource), "presetId")
                if resource.uri.ends_with("preset/{presetId}") =>
            {
                Some(Self::PresetIds)
            }
            (Reference::Prompt(named), "contextName") if named.name == prompt::SUMMARY => {
                Some(Self::PersonaNames)
            }
            _ => None,
        }
    }

    async fn values(&self, call: &Call) -> Result<Vec<String>, EngineError> {
        let everyone = Listing::default();
        let personas = || call.workspace.all_personas(&everyone, call.now);
        Ok(match self {
            Self::PersonaIds => {
                personas().await?.into_iter().map(|shown| shown.persona.id.to_string()).collect()
            }
            Self::PersonaNames => {
                personas().await?.into_iter().map(|shown| shown.persona.traits.name).collect()
            }
            Self::PresetIds => {
                let presets = call.workspace.every_preset(false).await?;
                presets.into_iter().map(|shown| shown.preset.id.to_string()).collect()
            }
        })
    }
}

/// What an argument may become, the best first.
pub async fn complete(
    call: &Call,
    sets: &BTreeSet<ToolSet>,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    let source = Source::of(&request.r#ref, &request.argument.name);
    let Some(source) = source.filter(|_| sets.contains(&ToolSet::Persona)) else {
        return Ok(CompletionInfo::default());
    };
    let internal = |error: String| ErrorData::internal_error(error, None);
    let values = source.values(call).await.map_err(|error| internal(error.to_string()))?;
    let mut fitting = fitting(values, &request.argument.value);
    let total = u32::try_from(fitting.len()).ok();
    let has_more = fitting.len() > CompletionInfo::MAX_VALUES;
    fitting.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(fitting, total, has_more).map_err(internal)
}

/// Those that begin with what was typed, then those that hold it, without regard to case.
fn fitting(values: Vec<String>, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let (begin, rest): (Vec<String>, Vec<String>) =
        values.into_iter().partition(|value| value.to_lowercase().starts_with(&typed));
    let inside = rest.into_iter().filter(|value| value.to_lowercase().contains(&typed));
    begin.into_iter().chain(inside).collect()
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn what_begins_so_comes_before_what_holds_it() {
        let values = ["preset-calm", "calm one", "other"].map(str::to_owned).to_vec();
        assert_eq!(fitting(values.clone(), "Calm"), ["calm one", "preset-calm"]);
        assert_eq!(fitting(values.clone(), ""), values);
    }
}
