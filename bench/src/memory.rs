//! How much memory another process has.

use anyhow::{Context, Result};
use std::fmt;
use std::process::Child;

/// In megabytes.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    pub resident: f64,
    /// What remains of that without the pages of files, which the system takes back when it wants.
    pub own: f64,
}

impl Memory {
    pub fn of(process: &Child) -> Result<Self> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", process.id()))?;
        let megabytes = |name: &'static str| -> Result<f64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).context(name)?;
            Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1_024.0)
        };
        Ok(Self { resident: megabytes("VmRSS:")?, own: megabytes("RssAnon:")? })
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} MB ({:.0} with files)", self.own, self.resident)
    }
}
