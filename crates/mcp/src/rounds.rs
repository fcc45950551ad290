//! What a client has said in earlier rounds of the same call. It travels with the client, sealed:
//! whatever comes back changed, late, from another owner or with another call is refused.

use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
use dossier_core::json::Json;
use rmcp::ErrorData;
use rmcp::model::{InputResponses, RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use ulid::Ulid;

/// How long a client may take for a round.
const LATEST: Duration = Duration::from_secs(3_600);

/// A call in rounds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Rounds {
    /// What the call is called, in all its rounds.
    pub name: String,
    /// Answers by what was asked.
    answers: BTreeMap<String, Value>,
}

impl Rounds {
    pub fn first() -> Self {
        Self { name: format!("mcp-{}", Ulid::generate()), answers: BTreeMap::new() }
    }

    pub fn known(&self, question: &str) -> Option<&Value> {
        self.answers.get(question)
    }
}

/// What seals them.
#[derive(Clone)]
pub struct Seal(Arc<RequestStateCodec>);

impl fmt::Debug for Seal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Seal")
    }
}

/// What a sealed text belongs to: one owner's call of one tool with the same arguments.
pub struct Purpose(Vec<u8>);

impl Purpose {
    pub fn new(owner: &OwnerId, tool: &str, arguments: &Value) -> Self {
        let call = serde_json::json!([owner.as_str(), tool, arguments]).to_string();
        // A client may write the members of an object in another order each time.
        let call = Json::parse(&call).map_or(call, |call| call.canonical());
        Self(ContentHash::of(call.as_bytes()).to_string().into_bytes())
    }
}

impl Seal {
    /// With a secret that only this process knows: what another has sealed is asked for anew.
    pub fn of_this_process() -> Self {
        let secret = [Ulid::generate().to_bytes(), Ulid::generate().to_bytes()].concat();
        Self(Arc::new(RequestStateCodec::new_unchecked(secret)))
    }

    pub fn close(&self, rounds: &Rounds, purpose: &Purpose) -> String {
        let text = serde_json::to_vec(rounds).unwrap_or_default();
        let options = SealOptions::new().associated_data(&purpose.0).ttl(LATEST);
        self.0.seal_with(&text, &options)
    }

    /// The rounds so far, with what the client brings to this one.
    pub fn open(
        &self,
        sealed: &str,
        brought: Option<InputResponses>,
        purpose: &Purpose,
    ) -> Result<Rounds, ErrorData> {
        let refused = || {
            ErrorData::invalid_params(
                "requestState is not what was given with this call, or is too old; call anew \
                 without it",
                None,
            )
        };
        let text = self.0.open_with(sealed, &purpose.0).map_err(|_| refused())?;
        let mut rounds: Rounds = serde_json::from_slice(&text).map_err(|_| refused())?;
        rounds.answers.extend(brought.unwrap_or_default());
        Ok(rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rounds_come_back_with_what_was_brought_in_any_order_and_to_nobody_else() {
        let seal = Seal::of_this_process();
        let own = Purpose::new(&OwnerId::local(), "context-chat", &json!({"message": "Hello"}));
        let first = Rounds::first();
        let sealed = seal.close(&first, &own);
        let brought = BTreeMap::from([("q".to_owned(), json!("yes"))]);
        let rounds = seal.open(&sealed, Some(brought.clone()), &own).unwrap();
        assert_eq!(rounds, Rounds { answers: brought, ..first.clone() });

        let arguments = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let purpose = |text: &str| Purpose::new(&OwnerId::local(), "recall", &arguments(text));
        let turned = seal.close(&first, &purpose(r#"{"a": {"c": 1, "d": 2}, "b": 3}"#));
        let same = purpose(r#"{"b": 3, "a": {"d": 2, "c": 1}}"#);
        assert_eq!(seal.open(&turned, None, &same).unwrap(), first);

        let other = OwnerId::from("other");
        let others = Purpose::new(&other, "context-chat", &json!({"message": "Hello"}));
        let changed = Purpose::new(&OwnerId::local(), "context-chat", &json!({"message": "Bye"}));
        for wrong in [others, changed] {
            assert!(seal.open(&sealed, None, &wrong).is_err());
        }
        assert!(seal.open(&sealed.replace('.', ".A"), None, &own).is_err());
        assert!(Seal::of_this_process().open(&sealed, None, &own).is_err());
    }
}
