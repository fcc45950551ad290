//! Who may come in: tokens are made, shown once, listed and revoked, and a text that someone shows
//! is turned into the owner whose rows it opens.

use crate::error::EngineError;
use crate::mint;
use crate::workspace::Engine;
use dossier_core::access::{self, AccessToken};
use dossier_core::hash::ContentHash;
use dossier_core::id::OwnerId;
use dossier_core::time::Timestamp;
use dossier_store::StoreError;
use std::collections::BTreeSet;

/// The longest name of a token or an owner, in characters.
const LONGEST_NAME: usize = 100;

/// A token that was just made.
#[derive(Debug)]
pub struct NewToken {
    pub token: AccessToken,
    /// The whole of it, which nobody can show again.
    pub text: String,
}

impl Engine {
    /// Makes a token for an owner, who need not have anything yet.
    pub async fn create_token(
        &self,
        owner: &OwnerId,
        name: &str,
        expires_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<NewToken, EngineError> {
        let name = checked("token's name", name)?;
        let owner = OwnerId::from(checked("owner's name", owner.as_str())?);
        if expires_at.is_some_and(|end| end <= now) {
            return Err(EngineError::Invalid(
                "the token would be expired at once; choose a later time".to_owned(),
            ));
        }
        let id = mint::id();
        let text = access::token(&id, &mint::secret()?);
        let hash = ContentHash::of(text.rsplit('.').next().unwrap_or_default());
        let name = name.to_owned();
        let token = AccessToken { id, owner, name, hash, created_at: now, expires_at };
        match self.store.owner(&token.owner).create_token(&token).await {
            Ok(()) => Ok(NewToken { token, text }),
            Err(StoreError::Conflict { .. }) => Err(EngineError::Conflict(format!(
                "{} has a token `{}` already; choose another name, or revoke it first",
                token.owner, token.name
            ))),
            Err(error) => Err(error.into()),
        }
    }

    /// The tokens of all owners, by owner and name.
    pub async fn tokens(&self) -> Result<Vec<AccessToken>, EngineError> {
        Ok(self.store.access_tokens().await?)
    }

    /// Everyone for whom there may be something to take care of: those who have anything here, and
    /// the owner of this machine.
    pub async fn owners(&self) -> Result<BTreeSet<OwnerId>, EngineError> {
        Ok(self.store.owners().await?.into_iter().chain([OwnerId::local()]).collect())
    }

    /// Revokes the token with this id or this name; from then on it opens nothing.
    pub async fn revoke_token(&self, which: &str) -> Result<AccessToken, EngineError> {
        let mut tokens = self.tokens().await?;
        tokens.retain(|token| token.id.as_str() == which || token.name == which);
        match tokens.as_slice() {
            [] => Err(EngineError::not_found("token", which, "list them: dossier token list")),
            [token] => {
                self.store.owner(&token.owner).revoke_token(&token.id).await?;
                Ok(token.clone())
            }
            several => {
                let ids: Vec<&str> = several.iter().map(|token| token.id.as_str()).collect();
                Err(EngineError::Invalid(format!(
                    "{} owners have a token `{which}`; name one by its id: {}",
                    ids.len(),
                    ids.join(", ")
                )))
            }
        }
    }

    /// The owner whose rows a token opens; none for what is no token, is revoked or expired.
    pub async fn admit(&self, text: &str, now: Timestamp) -> Result<Option<OwnerId>, EngineError> {
        let Some((id, secret)) = access::parts(text) else { return Ok(None) };
        let token = self.store.access_token(&id).await?;
        Ok(token.filter(|token| token.admits(secret, now)).map(|token| token.owner))
    }
}

fn checked<'a>(what: &str, name: &'a str) -> Result<&'a str, EngineError> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(EngineError::Invalid(format!(
            "a {what} has 1 to {LONGEST_NAME} characters and no control characters"
        )));
    }
    Ok(name)
}
