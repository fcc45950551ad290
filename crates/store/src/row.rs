//! Reading columns: domain types out of the text, numbers and bytes that both databases carry.

use crate::error::StoreError;
use crate::sql::{self, Column, Value};
use dossier_core::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use std::sync::Arc;

/// A row of a result, with typed access to its columns by name.
pub(crate) enum Row {
    Local { names: Arc<[Box<str>]>, values: Vec<Value> },
    Remote(AnyRow),
}

impl Row {
    pub(crate) fn get_as<'r, T: Column<'r>>(&'r self, column: &str) -> Result<T, StoreError> {
        match self {
            Self::Local { names, values } => {
                let place = names.iter().position(|name| **name == *column);
                let value = place.and_then(|place| values.get(place));
                let value = value.ok_or_else(|| StoreError::unreadable(column, "not there"))?;
                T::of(value).ok_or_else(|| StoreError::unreadable(column, "of another type"))
            }
            Self::Remote(row) => Ok(row.try_get(column).map_err(sql::Error::from)?),
        }
    }

    pub(crate) fn text<T: From<String>>(&self, column: &str) -> Result<T, StoreError> {
        self.get_as::<String>(column).map(T::from)
    }

    pub(crate) fn optional_text<T: From<String>>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.get_as::<Option<String>>(column)?.map(T::from))
    }

    pub(crate) fn number(&self, column: &str) -> Result<i64, StoreError> {
        self.get_as(column)
    }

    pub(crate) fn time(&self, column: &str) -> Result<Timestamp, StoreError> {
        self.number(column).map(Timestamp::from_millis)
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        serde_json::from_str(self.get_as(column)?)
            .map_err(|error| StoreError::unreadable(column, error))
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
