//! Reading columns: domain types out of the text, numbers and bytes that both databases carry.

use crate::error::StoreError;
use dossier_core::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::any::AnyRow;
use sqlx::{Any, Decode, Row, Type};

/// Typed access to a row's columns by name.
pub(crate) trait Columns {
    fn get_as<'r, T: Decode<'r, Any> + Type<Any>>(&'r self, column: &str) -> Result<T, StoreError>;

    fn text<T: From<String>>(&self, column: &str) -> Result<T, StoreError> {
        self.get_as::<String>(column).map(T::from)
    }

    fn optional_text<T: From<String>>(&self, column: &str) -> Result<Option<T>, StoreError> {
        Ok(self.get_as::<Option<String>>(column)?.map(T::from))
    }

    fn number(&self, column: &str) -> Result<i64, StoreError> {
        self.get_as(column)
    }

    fn time(&self, column: &str) -> Result<Timestamp, StoreError> {
        self.number(column).map(Timestamp::from_millis)
    }

    fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        serde_json::from_str(self.get_as(column)?)
            .map_err(|error| StoreError::unreadable(column, error))
    }
}

impl Columns for AnyRow {
    fn get_as<'r, T: Decode<'r, Any> + Type<Any>>(&'r self, column: &str) -> Result<T, StoreError> {
        Ok(self.try_get(column)?)
    }
}

/// A value as it is stored in a JSON column.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Other(Box::new(error)))
}

/// A list for `DatabaseKind::text_among`.
pub(crate) fn text_list<'a>(
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<String, StoreError> {
    to_json(&texts.into_iter().collect::<Vec<_>>())
}
