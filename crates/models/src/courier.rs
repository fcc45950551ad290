//! Sending bytes to an address with the connection of the providers: for whoever reports to a
//! service, and needs the same certificates and proxies.

use crate::client::Client;
use crate::error::ModelsError;
use std::time::Duration;

/// A service that takes longer is not waited for.
const LONGEST: Duration = Duration::from_secs(10);

/// Cheap to clone.
#[derive(Debug, Clone)]
pub struct Courier(Client);

/// Why something was not delivered.
#[derive(Debug, thiserror::Error)]
#[error("it was not delivered: {0}")]
pub struct NotDelivered(String);

impl Courier {
    pub fn new() -> Result<Self, ModelsError> {
        Ok(Self(Client::new()?))
    }

    /// The status that the service answered with.
    pub async fn post(
        &self,
        url: &str,
        headers: Vec<(String, Vec<u8>)>,
        body: Vec<u8>,
    ) -> Result<u16, NotDelivered> {
        let url = reqwest::Url::parse(url).map_err(|error| NotDelivered(error.to_string()))?;
        let mut request = self.0.to(&url).post(url.clone()).timeout(LONGEST).body(body);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let answer = request.send().await.map_err(|error| NotDelivered(error.to_string()))?;
        Ok(answer.status().as_u16())
    }
}
