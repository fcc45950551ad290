//! Instants: UTC milliseconds inside, ISO 8601 at every door.

use jiff::{civil, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// Milliseconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Text that is no ISO 8601 time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an ISO 8601 time; write it like 2026-03-01T12:30:00Z or 2026-03-01")]
pub struct BadTimestamp(String);

impl Timestamp {
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The next moment that can be told from this one.
    pub const fn successor(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Reads an ISO 8601 time; a date alone means its midnight, a missing zone means UTC.
    pub fn parse(text: &str) -> Result<Self, BadTimestamp> {
        let text = text.trim();
        if let Ok(instant) = text.parse::<jiff::Timestamp>() {
            return Ok(Self(instant.as_millisecond()));
        }
        text.parse::<civil::DateTime>()
            .or_else(|_| text.parse::<civil::Date>().map(|date| date.at(0, 0, 0, 0)))
            .and_then(|local| local.to_zoned(TimeZone::UTC))
            .map(|zoned| Self(zoned.timestamp().as_millisecond()))
            .map_err(|_| BadTimestamp(text.to_owned()))
    }

    /// The calendar day in UTC; the first of 1970 for instants beyond the calendar.
    pub fn date(self) -> civil::Date {
        jiff::Timestamp::from_millisecond(self.0)
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .to_zoned(TimeZone::UTC)
            .date()
    }
}

/// The instant as ISO 8601, in UTC.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(instant) => write!(f, "{instant}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_dates_are_read_and_written_as_iso_8601() {
        for (text, expected) in [
            ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00Z"),
            ("2023-05-08T15:56:00+02:00", "2023-05-08T13:56:00Z"),
            ("2023-05-08T13:56:00", "2023-05-08T13:56:00Z"),
            ("2023-05-08", "2023-05-08T00:00:00Z"),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused_with_an_example() {
        let error = Timestamp::parse("last May").unwrap_err().to_string();
        assert!(error.contains("2026-03-01T12:30:00Z"), "{error}");
    }
}
