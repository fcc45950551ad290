//! Ids and times: the only place where the engine asks the clock or takes a chance.

use crate::error::EngineError;
use dossier_core::access::SECRET_BYTES;
use dossier_core::id::Id;
use dossier_core::time::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};
use ulid::Ulid;

/// A new id, unlike any other.
pub(crate) fn id<T: Id>() -> T {
    T::with_suffix(Ulid::generate())
}

/// What nobody can guess.
pub(crate) fn secret() -> Result<[u8; SECRET_BYTES], EngineError> {
    let mut secret = [0; SECRET_BYTES];
    getrandom::fill(&mut secret).map_err(|error| {
        EngineError::Invalid(format!("the system gives no random numbers: {error}; try again"))
    })?;
    Ok(secret)
}

/// The present moment. Doors ask once for each request and hand it on.
pub fn now() -> Timestamp {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}
