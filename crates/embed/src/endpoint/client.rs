//! Requests to a service, with patience: a busy or stumbling one is asked again, a number of times
//! and for a time that depend on whether someone waits.
//!
//! Invariant: the key goes to the host of the address and nowhere else, so redirects are not
//! followed; no error holds it.

use std::thread;
use std::time::{Duration, Instant, SystemTime};

use dossier_core::time::Timestamp;
use ureq::Agent;
use ureq::http::{Response, StatusCode};
use ureq::tls::{RootCerts, TlsConfig};

use super::address::Address;
use super::key::Key;
use super::wire;
use crate::Trouble;

/// The longest answer that is read, in MiB: 2,048 vectors of 3,072 numbers are about 80.
const LONGEST_ANSWER: u64 = 128;
/// Of what a service says when it refuses, so many characters are told.
const LONGEST_SAID: usize = 200;
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// How long a service is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Nobody waits, and giving up means to begin again.
    Work,
    /// Someone waits, and words can answer too.
    Question,
}

impl Patience {
    fn attempts(self, trouble: &Trouble) -> u32 {
        match (self, trouble) {
            // It has had its time already.
            (_, Trouble::Silent(_)) => 1,
            (Patience::Work, _) => 5,
            (Patience::Question, _) => 2,
        }
    }

    fn longest_pause(self) -> Duration {
        match self {
            Patience::Work => Duration::from_secs(60),
            Patience::Question => Duration::from_secs(1),
        }
    }

    fn timeout(self, set: Duration) -> Duration {
        match self {
            Patience::Work => set,
            Patience::Question => set.min(Duration::from_secs(10)),
        }
    }
}

pub(super) struct Client {
    agent: Agent,
    url: String,
    key: Option<Key>,
    timeout: Duration,
}

/// A failed attempt, and when the service wants to be asked again, if it does.
struct Failure {
    trouble: Trouble,
    again: Again,
}

enum Again {
    Never,
    Soon,
    After(Duration),
}

impl Client {
    pub(super) fn new(address: &Address, key: Option<Key>) -> Client {
        let certificates = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let mut config = Agent::config_builder()
            .tls_config(certificates)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("dossier/", env!("CARGO_PKG_VERSION")));
        if address.is_loopback() {
            // A proxy elsewhere cannot reach this machine's own services.
            config = config.proxy(None);
        }
        if address.is_plain() {
            // A small server gives each connection a thread for as long as it is open, and some
            // have but three: connections that are kept would shut out the next.
            config = config.max_idle_connections(0).max_idle_connections_per_host(0);
        }
        Client {
            agent: config.build().new_agent(),
            url: address.embeddings(),
            key,
            timeout: Duration::from_secs(u64::from(address.timeout)),
        }
    }

    /// The body of the answer to a request.
    pub(super) fn post(&self, body: &[u8], patience: Patience) -> Result<Vec<u8>, Trouble> {
        let timeout = patience.timeout(self.timeout);
        let mut pause = FIRST_PAUSE;
        let mut attempt = 1;
        loop {
            let Failure { trouble, again } = match self.attempt(body, timeout) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let wanted = match again {
                Again::Never => return Err(trouble),
                Again::Soon => pause,
                Again::After(wanted) => wanted,
            };
            if attempt >= patience.attempts(&trouble) || wanted > patience.longest_pause() {
                return Err(trouble);
            }
            thread::sleep(wanted);
            pause *= 2;
            attempt += 1;
        }
    }

    fn attempt(&self, body: &[u8], timeout: Duration) -> Result<Vec<u8>, Failure> {
        let began = Instant::now();
        let failed = |error| self.failed(error, timeout);
        let mut request = self
            .agent
            .post(&self.url)
            .config()
            .timeout_global(Some(timeout))
            .build()
            .content_type("application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", key.authorization());
        }
        let mut response = request.send(body).map_err(failed)?;
        let answer = response.body_mut().with_config().limit(LONGEST_ANSWER << 20).read_to_vec();
        // A service that trickles its answer is as good as silent.
        if began.elapsed() > timeout {
            return Err(failed(ureq::Error::Timeout(ureq::Timeout::Global)));
        }
        let answer = answer.map_err(failed)?;
        match response.status() {
            StatusCode::OK => Ok(answer),
            _ => Err(self.refused(&response, &answer)),
        }
    }

    fn failed(&self, error: ureq::Error, timeout: Duration) -> Failure {
        let (trouble, again) = match error {
            ureq::Error::Timeout(_) => (Trouble::Silent(timeout.as_secs()), Again::Soon),
            ureq::Error::BodyExceedsLimit(_) => (Trouble::TooLong(LONGEST_ANSWER), Again::Never),
            // The error may quote the header it does not like.
            ureq::Error::Http(_) => {
                let key = "the key holds characters that no header can carry".to_owned();
                (Trouble::Unreachable(key), Again::Never)
            }
            error @ (ureq::Error::HostNotFound
            | ureq::Error::Rustls(_)
            | ureq::Error::BadUri(_)) => {
                (Trouble::Unreachable(self.presentable(&error.to_string())), Again::Never)
            }
            error => (Trouble::Unreachable(self.presentable(&error.to_string())), Again::Soon),
        };
        Failure { trouble, again }
    }

    fn refused<T>(&self, response: &Response<T>, answer: &[u8]) -> Failure {
        let status = response.status();
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let said = match header("location").filter(|_| status.is_redirection()) {
            Some(elsewhere) => Some(format!("it has moved to {elsewhere}")),
            None => wire::said(answer),
        };
        let said = said.map_or_else(String::new, |said| format!(" ({})", self.presentable(&said)));
        let mend = match status.as_u16() {
            300..=399 => "write the new URL, which is not followed by itself lest the key go there",
            401 | 403 => "check the key in DOSSIER_EMBEDDER_KEY, or in the variable of `key_env`",
            404 => "check the URL, which goes up to and with /v1, and the model",
            429 => "wait, or lower `batch` in its URL",
            500..=599 => "look into its log",
            _ => "check the URL and the model",
        };
        let again = match (status.as_u16(), pause_asked_for(header)) {
            (408 | 425 | 429 | 500..=599, Some(pause)) => Again::After(pause),
            (408 | 425 | 429, None) => Again::Soon,
            (500..=599, None) if !is_about_size(&said) => Again::Soon,
            _ => Again::Never,
        };
        Failure { trouble: Trouble::Refused { status: status.as_u16(), said, mend }, again }
    }

    /// One short line without the key.
    pub(super) fn presentable(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.masked(text));
        let line: String =
            text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_SAID).collect();
        line.trim().to_owned()
    }
}

fn pause_asked_for<'a>(header: impl Fn(&'static str) -> Option<&'a str>) -> Option<Duration> {
    let number = |name, unit: f64| Some(header(name)?.trim().parse::<f64>().ok()? * unit);
    if let Some(seconds) = number("retry-after-ms", 0.001).or_else(|| number("retry-after", 1.0)) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = date(header("retry-after")?)?;
    // A moment that has passed is now.
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

/// A moment as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<SystemTime> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = parts.as_slice() else { return None };
    let month = MONTHS.iter().position(|name| name == month)? + 1;
    let moment = Timestamp::parse(&format!("{year}-{month:02}-{day:0>2}T{time}Z")).ok()?;
    let millis = u64::try_from(moment.as_millis()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis))
}

/// Whether a service says that a text or a batch is too large for it. There is no code for that:
/// statuses from 400 to 500 are in use.
pub(super) fn is_about_size(said: &str) -> bool {
    let said = said.to_lowercase();
    ["too large", "too long", "too many", "exceed", "maximum", "context length", "batch size"]
        .iter()
        .any(|words| said.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_may_be_a_number_or_a_date() {
        let pause =
            |value: &'static str| pause_asked_for(|name| (name == "retry-after").then_some(value));
        assert_eq!(pause("7"), Some(Duration::from_secs(7)));
        assert_eq!(pause("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO), "it is over");
        let tomorrow = pause("Fri, 01 Jan 2100 00:00:00 GMT");
        assert!(tomorrow.is_some_and(|pause| pause > Duration::from_secs(86_400)), "{tomorrow:?}");
        assert_eq!(pause("soon"), None);
        assert_eq!(pause("Sun, 99 Nov 1994 08:49:37 GMT"), None);
        let known = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(known));
    }
}
