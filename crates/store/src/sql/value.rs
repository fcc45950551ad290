//! What stands in a parameter or a column.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Decode, Type};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// PostgreSQL wants to know what is not there.
    Null(Kind),
    Truth(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Truth,
    Integer,
    Real,
    Text,
    Bytes,
}

type Asked = Query<'static, Any, AnyArguments>;

impl Value {
    pub(super) fn read(value: ValueRef<'_>) -> Result<Self, std::str::Utf8Error> {
        Ok(match value {
            ValueRef::Null => Self::Null(Kind::Text),
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(std::str::from_utf8(text)?.to_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        })
    }

    pub(super) fn bound(self, query: Asked) -> Asked {
        match self {
            Self::Null(Kind::Truth) => query.bind(None::<bool>),
            Self::Null(Kind::Integer) => query.bind(None::<i64>),
            Self::Null(Kind::Real) => query.bind(None::<f64>),
            Self::Null(Kind::Text) => query.bind(None::<String>),
            Self::Null(Kind::Bytes) => query.bind(None::<Vec<u8>>),
            Self::Truth(truth) => query.bind(truth),
            Self::Integer(number) => query.bind(number),
            Self::Real(number) => query.bind(number),
            Self::Text(text) => query.bind(text),
            Self::Bytes(bytes) => query.bind(bytes),
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null(_) => ValueRef::Null,
            Self::Truth(truth) => ValueRef::Integer(i64::from(*truth)),
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// What a parameter can be.
pub(crate) trait Parameter {
    const KIND: Kind;

    fn value(self) -> Value;
}

/// What a column can be read as.
pub(crate) trait Column<'r>: Sized + Decode<'r, Any> + Type<Any> {
    fn of(value: &'r Value) -> Option<Self>;
}

macro_rules! parameters {
    ($($kind:ident: $($type:ty),+;)+) => {$($(
        impl Parameter for $type {
            const KIND: Kind = Kind::$kind;

            fn value(self) -> Value {
                Value::$kind(self.into())
            }
        }
    )+)+};
}

parameters! {
    Truth: bool;
    Integer: i64, i32;
    Real: f64, f32;
    Text: &str, String, &String;
    Bytes: &[u8], Vec<u8>;
}

impl<T: Parameter> Parameter for Option<T> {
    const KIND: Kind = T::KIND;

    fn value(self) -> Value {
        self.map_or(Value::Null(T::KIND), T::value)
    }
}

impl Column<'_> for i64 {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl Column<'_> for bool {
    fn of(value: &Value) -> Option<Self> {
        i64::of(value).map(|number| number != 0)
    }
}

impl Column<'_> for f64 {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Real(number) => Some(*number),
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }
}

impl<'r> Column<'r> for &'r str {
    fn of(value: &'r Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Column<'_> for String {
    fn of(value: &Value) -> Option<Self> {
        <&str>::of(value).map(str::to_owned)
    }
}

impl<'r> Column<'r> for &'r [u8] {
    fn of(value: &'r Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes),
            Value::Text(text) => Some(text.as_bytes()),
            _ => None,
        }
    }
}

impl Column<'_> for Vec<u8> {
    fn of(value: &Value) -> Option<Self> {
        <&[u8]>::of(value).map(<[u8]>::to_vec)
    }
}

impl<'r, T: Column<'r>> Column<'r> for Option<T> {
    fn of(value: &'r Value) -> Option<Self> {
        match value {
            Value::Null(_) => Some(None),
            value => T::of(value).map(Some),
        }
    }
}
