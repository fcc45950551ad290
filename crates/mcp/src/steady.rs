//! A door that stays open: what panics ends its own request alone, and whoever asked is told. Where
//! it happened is written to standard error, as everything that is no message.

use futures_util::FutureExt as _;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, ProtocolVersion, ServerConfig};
use rmcp::service::{NotificationContext, RequestContext, Service, ServiceRole};
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

/// What a client may send.
type Request = <RoleServer as ServiceRole>::PeerReq;
type Notification = <RoleServer as ServiceRole>::PeerNot;

#[derive(Debug, Clone)]
pub struct Steady<S>(pub S);

impl<S: Service<RoleServer>> Service<RoleServer> for Steady<S> {
    async fn handle_request(
        &self,
        request: Request,
        context: RequestContext<RoleServer>,
    ) -> Result<<RoleServer as ServiceRole>::Resp, ErrorData> {
        let (method, began) = (request.method().to_owned(), Instant::now());
        let answered = caught(self.0.handle_request(request, context)).await;
        let ms = began.elapsed().as_millis() as u64;
        match &answered {
            Ok(_) => tracing::debug!(method, ms, "answered"),
            Err(error) => tracing::debug!(method, ms, code = error.code.0, "refused"),
        }
        answered
    }

    async fn handle_notification(
        &self,
        notification: Notification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        caught(self.0.handle_notification(notification, context)).await
    }

    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.0.supported_protocol_versions()
    }
}

/// What comes of this work; an error where it panics.
pub async fn caught<T>(work: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    let failed = |_| {
        let what = "the request has failed inside; where is told on the server's standard error";
        Err(ErrorData::internal_error(what, None))
    };
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_is_an_error_and_what_does_not_is_as_it_was() {
        let done = |work: fn() -> i64| caught(async move { Ok(work()) }).now_or_never().unwrap();
        assert_eq!(done(|| 7), Ok(7));
        let failed = done(|| panic!("broken")).unwrap_err();
        assert!(failed.message.starts_with("the request has failed inside"), "{failed:?}");
    }
}
