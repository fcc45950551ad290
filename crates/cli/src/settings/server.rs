//! The settings of `dossier serve`: where it listens, who must show a token, by which names it is
//! reached, and how and how much it writes to its log.

use super::file::SettingsFile;
use super::given::{Environment, first, of_database, or};
use super::origin::{Origin, Setting};
use super::values::{Held, HeldKey};
use anyhow::{anyhow, bail};
use serde::Deserialize;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};

pub const LISTEN: &str = "DOSSIER_LISTEN";
pub const TOKENS_REQUIRED: &str = "DOSSIER_SERVER_TOKENS_REQUIRED";
pub const HOSTS: &str = "DOSSIER_SERVER_HOSTS";
pub const LOG: &str = "DOSSIER_SERVER_LOG";
pub const LOG_LEVEL: &str = "DOSSIER_SERVER_LOG_LEVEL";

/// Where `dossier serve` listens unless told otherwise.
const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7717);

/// Every value of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    pub listen: Setting<SocketAddr>,
    pub tokens_required: Setting<bool>,
    pub hosts: Setting<Hosts>,
    pub log: Setting<LogFormat>,
    pub log_level: Setting<LogLevel>,
}

/// What the command line says of it.
#[derive(Debug)]
pub struct ServerFlags {
    /// The flag of `dossier serve`.
    pub listen: Option<SocketAddr>,
    pub log_level: Option<Setting<LogLevel>>,
}

/// What a settings file says under `[server]`.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSection {
    tokens_required: Option<bool>,
    hosts: Option<Vec<String>>,
    log: Option<String>,
    log_level: Option<String>,
}

/// Names by which the server is reached, separated by commas where they are one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts(pub Vec<String>);

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

impl LogFormat {
    pub fn as_str(self) -> &'static str {
        match self {
            LogFormat::Text => "text",
            LogFormat::Json => "json",
        }
    }
}

/// How much is told in the log: each tells what those before it do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    /// Every step, and what clients say.
    Trace,
}

impl LogLevel {
    const ALL: [Self; 5] = [Self::Error, Self::Warn, Self::Info, Self::Debug, Self::Trace];

    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let level = Self::ALL.into_iter().find(|level| level.as_str() == text);
        level.ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            anyhow!("there is no level `{text}` of the log; choose one of {known}")
        })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

impl ServerSettings {
    /// The strongest source holds.
    pub fn resolve(
        flags: ServerFlags,
        environment: &Environment,
        file: &SettingsFile,
        held: &Held,
    ) -> anyhow::Result<Self> {
        let in_file = || Origin::File(file.path.clone());
        let section = file.server.clone().unwrap_or_default();
        let listen = file.listen.as_deref().map(parse_listen).transpose()?;
        let listen = first([
            Setting::given(flags.listen, Origin::Flag("--listen")),
            environment.given(LISTEN, parse_listen)?,
            Setting::given(listen, in_file()),
            of_database(held, HeldKey::Listen, parse_listen)?,
        ]);
        let tokens_required = first([
            environment.given(TOKENS_REQUIRED, parse_switch)?,
            Setting::given(section.tokens_required, in_file()),
            of_database(held, HeldKey::TokensRequired, parse_switch)?,
        ]);
        let hosts = section.hosts.map(|hosts| parse_hosts(&hosts.join(","))).transpose()?;
        let hosts = first([
            environment.given(HOSTS, parse_hosts)?,
            Setting::given(hosts, in_file()),
            of_database(held, HeldKey::ServerHosts, parse_hosts)?,
        ]);
        let log = section.log.as_deref().map(parse_log).transpose()?;
        let log = first([
            environment.given(LOG, parse_log)?,
            Setting::given(log, in_file()),
            of_database(held, HeldKey::ServerLog, parse_log)?,
        ]);
        let log_level = section.log_level.as_deref().map(LogLevel::parse).transpose()?;
        let log_level = first([
            flags.log_level,
            environment.given(LOG_LEVEL, LogLevel::parse)?,
            Setting::given(log_level, in_file()),
            of_database(held, HeldKey::ServerLogLevel, LogLevel::parse)?,
        ]);
        Ok(Self {
            listen: or(listen, USUAL),
            tokens_required: or(tokens_required, false),
            hosts: or(hosts, Hosts::default()),
            log: or(log, LogFormat::Text),
            log_level: or(log_level, LogLevel::Info),
        })
    }

    /// Keys, values and origins, in the order in which they are listed.
    pub fn rows(&self) -> [(&'static str, String, &Origin); 5] {
        let Self { listen, tokens_required, hosts, log, log_level } = self;
        [
            (HeldKey::Listen.as_str(), listen.value.to_string(), &listen.origin),
            (
                HeldKey::TokensRequired.as_str(),
                tokens_required.value.to_string(),
                &tokens_required.origin,
            ),
            (HeldKey::ServerHosts.as_str(), hosts.value.to_string(), &hosts.origin),
            (HeldKey::ServerLog.as_str(), log.value.as_str().to_owned(), &log.origin),
            (
                HeldKey::ServerLogLevel.as_str(),
                log_level.value.as_str().to_owned(),
                &log_level.origin,
            ),
        ]
    }
}

/// An address with a port; `localhost` is this machine.
pub fn parse_listen(text: &str) -> anyhow::Result<SocketAddr> {
    let numbers = text.replacen("localhost:", "127.0.0.1:", 1);
    numbers.parse().map_err(|_| {
        anyhow!("`{text}` is no address to listen on; write one like 127.0.0.1:7717 or [::]:7717")
    })
}

pub fn parse_switch(text: &str) -> anyhow::Result<bool> {
    match text {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => bail!("`{text}` is neither true nor false"),
    }
}

pub fn parse_hosts(text: &str) -> anyhow::Result<Hosts> {
    let names: Vec<String> = text
        .split(',')
        .map(|name| name.trim().to_lowercase())
        .filter(|name| !name.is_empty())
        .collect();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    match names.iter().find(|name| !name.bytes().all(is_plain)) {
        None => Ok(Hosts(names)),
        Some(name) => {
            bail!(
                "`{name}` is no name of a host; write names such as notes.example, without a port"
            )
        }
    }
}

pub fn parse_log(text: &str) -> anyhow::Result<LogFormat> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => bail!("there is no log `{text}`; choose text or json"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_port_and_localhost_is_this_machine() {
        for (text, address) in [
            ("127.0.0.1:0", Some("127.0.0.1:0")),
            ("localhost:80", Some("127.0.0.1:80")),
            ("[::1]:80", Some("[::1]:80")),
            ("7717", None),
            ("example.org:80", None),
            ("127.0.0.1:99999", None),
        ] {
            let parsed = parse_listen(text).ok().map(|address| address.to_string());
            assert_eq!(parsed.as_deref(), address, "{text}");
        }
    }

    #[test]
    fn names_of_hosts_have_neither_ports_nor_schemes() {
        assert_eq!(
            parse_hosts("Notes.example, b.example").unwrap().to_string(),
            "notes.example,b.example"
        );
        for text in ["a:80", "http://a", "a b", "*"] {
            assert!(parse_hosts(text).is_err(), "{text}");
        }
    }
}
