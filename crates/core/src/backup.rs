//! Backups by name: when one was made and why, when the next is due, and which may go. A name is
//! all there is to decide by, so it says everything.

use crate::time::Timestamp;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Why a backup was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A day had passed.
    Daily,
    /// Someone asked for it.
    Asked,
    /// The format of the database was about to change.
    Format,
    /// It is what a restored backup took the place of.
    Replaced,
}

impl Cause {
    const ALL: [Self; 4] = [Self::Daily, Self::Asked, Self::Format, Self::Replaced];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Asked => "asked",
            Self::Format => "format",
            Self::Replaced => "replaced",
        }
    }
}

/// A backup's name, such as `2026-11-15T07-30-00.000Z-daily`. Names sort by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BackupName {
    pub at: Timestamp,
    pub cause: Cause,
}

impl BackupName {
    pub fn parse(name: &str) -> Option<Self> {
        let (time, cause) = name.rsplit_once('-')?;
        let cause = Cause::ALL.into_iter().find(|known| known.as_str() == cause)?;
        let (date, clock) = time.split_once('T')?;
        let at = Timestamp::parse(&format!("{date}T{}", clock.replace('-', ":"))).ok()?;
        let parsed = Self { at, cause };
        // Nothing but what `Display` writes is one of ours.
        (parsed.to_string() == name).then_some(parsed)
    }
}

/// Colons are left out, since some file systems refuse them.
impl fmt::Display for BackupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = Timestamp::from_millis(self.at.as_millis().div_euclid(1_000) * 1_000);
        let time = second.to_string().replace(':', "-");
        let millis = self.at.as_millis().rem_euclid(1_000);
        write!(f, "{}.{millis:03}Z-{}", time.trim_end_matches('Z'), self.cause.as_str())
    }
}

/// How many backups are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Days of which the last backup is kept. None are made by themselves when it is 0.
    pub days: usize,
    /// Weeks of which the last backup is kept.
    pub weeks: usize,
    /// Backups that were asked for, as many made before the format changed, and as many that were
    /// replaced.
    pub special: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self { days: 7, weeks: 4, special: 3 }
    }
}

/// Whether it is time for the daily backup. A backup from the future, made by a clock that went
/// wrong, does not count.
pub fn is_due(backups: &[BackupName], retention: &Retention, now: Timestamp) -> bool {
    let recent = |backup: &BackupName| {
        let age = now.as_millis() - backup.at.as_millis();
        backup.cause != Cause::Replaced && (0..DAY).contains(&age)
    };
    retention.days > 0 && !backups.iter().any(recent)
}

/// The backups that may go, oldest first. The newest that is whole by itself always stays.
pub fn surplus(backups: &[BackupName], retention: &Retention) -> Vec<BackupName> {
    let mut newest_first = backups.to_vec();
    newest_first.sort_by(|left, right| right.cmp(left));
    let (mut days, mut weeks) = (BTreeSet::new(), BTreeSet::new());
    let mut special: BTreeMap<Cause, usize> = BTreeMap::new();
    let mut whole = 0;
    let mut surplus: Vec<BackupName> = newest_first
        .into_iter()
        .filter(|backup| {
            let kept = match backup.cause {
                Cause::Daily => {
                    let day = backup.at.as_millis().div_euclid(DAY);
                    let of_day = days.insert(day) && days.len() <= retention.days;
                    // Weeks begin on Monday; the first of 1970 was a Thursday.
                    let of_week =
                        weeks.insert((day + 3).div_euclid(7)) && weeks.len() <= retention.weeks;
                    of_day || of_week
                }
                cause => {
                    let count = special.entry(cause).or_default();
                    *count += 1;
                    *count <= retention.special
                }
            };
            whole += usize::from(backup.cause != Cause::Replaced);
            let newest_whole = whole == 1 && backup.cause != Cause::Replaced;
            !kept && !newest_whole
        })
        .collect();
    surplus.reverse();
    surplus
}

/// How old something is, in words.
pub fn age(at: Timestamp, now: Timestamp) -> String {
    let passed = (now.as_millis() - at.as_millis()).max(0);
    let (count, unit) = match passed {
        ..HOUR => (passed / 60_000, "minute"),
        HOUR..DAY => (passed / HOUR, "hour"),
        _ => (passed / DAY, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(time: &str, cause: Cause) -> BackupName {
        BackupName { at: Timestamp::parse(time).unwrap(), cause }
    }

    #[test]
    fn a_name_is_read_as_it_was_written() {
        let at = Timestamp::from_millis(1_763_191_800_042);
        let name = BackupName { at, cause: Cause::Daily };
        assert_eq!(name.to_string(), "2025-11-15T07-30-00.042Z-daily");
        assert_eq!(BackupName::parse(&name.to_string()), Some(name));
        for foreign in ["daily", "2025-11-15-daily", "new-1", "2025-11-15T07-30-00.042Z-weekly"] {
            assert_eq!(BackupName::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_backup_is_due_when_none_is_younger_than_a_day() {
        let retention = Retention::default();
        let now = Timestamp::parse("2026-03-10T12:00:00Z").unwrap();
        let due = |backups: &[BackupName]| is_due(backups, &retention, now);
        assert!(due(&[]));
        assert!(!due(&[name("2026-03-09T12:00:01Z", Cause::Daily)]));
        assert!(due(&[name("2026-03-09T12:00:00Z", Cause::Daily)]));
        assert!(due(&[name("2027-01-01", Cause::Daily)]), "the clock was wrong then");
        assert!(due(&[name("2026-03-10T11:00:00Z", Cause::Replaced)]));
        assert!(!is_due(&[], &Retention { days: 0, ..retention }, now));
    }

    #[test]
    fn days_weeks_and_special_backups_are_kept_apart() {
        let mut backups: Vec<BackupName> = (1..=28)
            .map(|day| name(&format!("2026-02-{day:02}T03:00:00Z"), Cause::Daily))
            .collect();
        for hour in 0..5 {
            backups.push(name(&format!("2026-01-03T0{hour}:00:00Z"), Cause::Asked));
            backups.push(name(&format!("2026-01-01T0{hour}:00:00Z"), Cause::Format));
            backups.push(name(&format!("2026-01-02T0{hour}:00:00Z"), Cause::Replaced));
        }
        let gone = surplus(&backups, &Retention::default());
        let mut kept: Vec<String> = backups
            .iter()
            .filter(|backup| !gone.contains(backup))
            .map(|backup| backup.to_string().replace(":00.000Z", "").replace("-00.000Z", ""))
            .collect();
        kept.sort();
        assert_eq!(
            kept,
            [
                "2026-01-01T02-00-format",
                "2026-01-01T03-00-format",
                "2026-01-01T04-00-format",
                "2026-01-02T02-00-replaced",
                "2026-01-02T03-00-replaced",
                "2026-01-02T04-00-replaced",
                "2026-01-03T02-00-asked",
                "2026-01-03T03-00-asked",
                "2026-01-03T04-00-asked",
                "2026-02-08T03-00-daily",
                "2026-02-15T03-00-daily",
                "2026-02-22T03-00-daily",
                "2026-02-23T03-00-daily",
                "2026-02-24T03-00-daily",
                "2026-02-25T03-00-daily",
                "2026-02-26T03-00-daily",
                "2026-02-27T03-00-daily",
                "2026-02-28T03-00-daily",
            ]
        );
    }

    #[test]
    fn the_newest_whole_backup_stays_whatever_is_asked_for() {
        let none = Retention { days: 0, weeks: 0, special: 0 };
        let backups = [
            name("2026-01-01", Cause::Daily),
            name("2026-01-02", Cause::Format),
            name("2026-01-03", Cause::Replaced),
        ];
        assert_eq!(
            surplus(&backups, &none),
            [name("2026-01-01", Cause::Daily), name("2026-01-03", Cause::Replaced)]
        );
    }
}
