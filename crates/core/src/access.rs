//! Access tokens: `tok_<ulid>.<secret>`. The part before the dot names the token and is no secret;
//! of the rest only its SHA-256 is kept. The secret is 256 bits of chance, so a plain hash is
//! enough: there is nothing to guess.

use crate::hash::ContentHash;
use crate::id::{Id as _, OwnerId, TokenId};
use crate::time::Timestamp;
use subtle::ConstantTimeEq as _;

/// Bytes of chance in a token.
pub const SECRET_BYTES: usize = 32;

/// What is kept of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessToken {
    pub id: TokenId,
    /// Whose rows it opens.
    pub owner: OwnerId,
    /// What it is for; unique among the owner's tokens.
    pub name: String,
    /// Of the secret.
    pub hash: ContentHash,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
}

impl AccessToken {
    /// Whether this secret is the token's, and its time is not over. How long it takes tells
    /// nothing about the secret.
    pub fn admits(&self, secret: &str, now: Timestamp) -> bool {
        let presented = ContentHash::of(secret);
        let is_same: bool =
            presented.as_str().as_bytes().ct_eq(self.hash.as_str().as_bytes()).into();
        is_same && !self.is_expired(now)
    }

    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// The whole token, as it is handed out once.
pub fn token(id: &TokenId, secret: &[u8; SECRET_BYTES]) -> String {
    let digits: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{id}.{digits}")
}

/// The name of a token and its secret, if the text has the shape of one.
pub fn parts(token: &str) -> Option<(TokenId, &str)> {
    let (id, secret) = token.split_once('.')?;
    let suffix = id.strip_prefix(TokenId::PREFIX)?.strip_prefix('_')?;
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_token = suffix.len() == 26 && secret.len() == 2 * SECRET_BYTES;
    (is_token && is_plain(suffix) && is_plain(secret)).then(|| (TokenId::from(id), secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn a_token_admits_its_own_secret_until_it_expires() {
        let id = TokenId::with_suffix("01HQVJX9KF3T0Q2Z8W1MXNBR4C");
        let text = token(&id, &[7; SECRET_BYTES]);
        let (named, secret) = parts(&text).unwrap();
        assert_eq!(named, id);
        let token = AccessToken {
            id,
            owner: OwnerId::local(),
            name: "laptop".to_owned(),
            hash: ContentHash::of(secret),
            created_at: at(0),
            expires_at: Some(at(10)),
        };
        assert!(token.admits(secret, at(9)));
        assert!(!token.admits(secret, at(10)));
        assert!(!token.admits(&secret.replace('7', "8"), at(9)));
    }

    #[test]
    fn what_has_not_the_shape_of_a_token_is_none() {
        let good = token(&TokenId::with_suffix("01HQVJX9KF3T0Q2Z8W1MXNBR4C"), &[7; SECRET_BYTES]);
        for text in ["", ".", "tok_.", "tok_01.aa", &good[1..], &good[..good.len() - 1]] {
            assert_eq!(parts(text), None, "{text}");
        }
        assert_eq!(parts(&good.replace('.', "\0")), None);
    }
}
