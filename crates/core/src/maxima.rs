//! How much one owner may keep. Counting is done where things are stored; what is too much, and
//! what to do about it, is said here.

use std::fmt;

/// The most that an owner may keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Maxima {
    pub threads: u64,
    /// And so many presets.
    pub personas: u64,
    /// Of one thread.
    pub messages: u64,
    /// Of all contents and messages together.
    pub bytes: u64,
}

impl Default for Maxima {
    fn default() -> Self {
        Self { threads: 100_000, personas: 1_000, messages: 100_000, bytes: 100 << 30 }
    }
}

/// What may be too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maximum {
    Threads,
    Personas,
    Messages,
    Bytes,
}

impl Maximum {
    /// The setting that says how much may be.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Threads => "limits.threads",
            Self::Personas => "limits.personas",
            Self::Messages => "limits.messages",
            Self::Bytes => "limits.bytes",
        }
    }
}

/// A change that was not made, since there would be too much of something after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct Exceeded {
    pub maximum: Maximum,
    pub allowed: u64,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { maximum, allowed } = self;
        let (what, free) = match maximum {
            Maximum::Threads => {
                ("threads in all, hidden ones too", "delete some: dossier forget thread T --now")
            }
            Maximum::Personas => (
                "personas or presets in all, hidden ones too",
                "delete some: dossier persona delete P --now",
            ),
            Maximum::Messages => ("messages in one thread", "begin another thread"),
            Maximum::Bytes => (
                "bytes of files and messages, hidden ones too",
                "delete some: dossier forget file PATH --now (or thread T, or project P)",
            ),
        };
        let setting = maximum.setting();
        write!(
            f,
            "that would be more than {allowed} {what}, and was not done; {free}; or allow more: \
             dossier config set {setting} N"
        )
    }
}

impl Maxima {
    /// Whether so much of something may be.
    pub fn allow(&self, maximum: Maximum, count: u64) -> Result<(), Exceeded> {
        let allowed = match maximum {
            Maximum::Threads => self.threads,
            Maximum::Personas => self.personas,
            Maximum::Messages => self.messages,
            Maximum::Bytes => self.bytes,
        };
        match count > allowed {
            true => Err(Exceeded { maximum, allowed }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_is_allowed_is_allowed() {
        let maxima = Maxima { threads: 2, personas: 5, messages: 3, bytes: 4 };
        for (maximum, allowed) in [
            (Maximum::Threads, 2),
            (Maximum::Personas, 5),
            (Maximum::Messages, 3),
            (Maximum::Bytes, 4),
        ] {
            assert_eq!(maxima.allow(maximum, allowed), Ok(()));
            assert_eq!(maxima.allow(maximum, allowed + 1), Err(Exceeded { maximum, allowed }));
        }
    }

    #[test]
    fn a_refusal_names_the_setting_and_how_to_free_space() {
        let refused = Exceeded { maximum: Maximum::Threads, allowed: 2 };
        assert_eq!(
            refused.to_string(),
            "that would be more than 2 threads in all, hidden ones too, and was not done; delete \
             some: dossier forget thread T --now; or allow more: dossier config set limits.threads \
             N"
        );
    }
}
