//! Webhooks over HTTPS.
//!
//! Calls block, since the server's core is synchronous: the calling thread itself sends and receives, and a runtime
//! with one thread, which starts with the first call, wakes it when there is something to read. The pool of
//! hyper-util's client runs each connection in a task of a runtime instead: calls would change threads twice, and one
//! after the other take 79 µs instead of 53 µs (measured on loopback; more on a busy machine).

mod address;
mod connection;
mod pool;
mod problem;
mod trust;
mod unannounced;
mod verifier;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::Response;
use thiserror::Error;
use tokio::runtime::{Builder, Handle, Runtime};

use super::{WebhookCall, WebhookError, Webhooks};
use crate::base::park::block_on;
use address::{Address, Override};
use connection::Connection;
use pool::Pool;
use trust::Trusts;

pub use unannounced::UnannouncedEnd;
pub use verifier::AnchorVerifier;

/// Calls webhooks over HTTPS, as kube-apiserver does: HTTP/1.1, with connections that are kept. The default of
/// [`Options::webhooks`](crate::Options::webhooks).
///
/// There is no cluster, so a definition that names its webhook by a service needs [`HttpsWebhooks::service_at`].
#[derive(Default)]
pub struct HttpsWebhooks {
    /// Where services are, by host name.
    overrides: HashMap<String, Override>,
    client: OnceLock<Option<Client>>,
}

/// The URL of a service is not usable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{url}` is not the URL of a webhook: {problem}; it must be like https://localhost:9443")]
pub struct InvalidWebhookUrl {
    url: String,
    problem: &'static str,
}

struct Client {
    runtime: Option<Runtime>,
    pool: Arc<Pool>,
    trusts: Trusts,
}

impl HttpsWebhooks {
    /// A client that finds no services.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls of a service go to this URL, `https://` or `http://`, followed by the path that the definition states. The
    /// certificate must be valid for the host of the URL or for `<name>.<namespace>.svc`.
    pub fn service_at(mut self, namespace: &str, name: &str, url: &str) -> Result<Self, InvalidWebhookUrl> {
        let place = Override::parse(url).map_err(|problem| InvalidWebhookUrl { url: url.to_owned(), problem })?;
        self.overrides.insert(format!("{name}.{namespace}.svc"), place);
        Ok(self)
    }

    fn client(&self) -> Option<&Client> {
        self.client.get_or_init(Client::start).as_ref()
    }
}

impl Client {
    fn start() -> Option<Self> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("crdible-webhooks").enable_all().build().ok()?;
        Some(Self { runtime: Some(runtime), pool: Arc::default(), trusts: Trusts::default() })
    }

    fn handle(&self) -> Option<&Handle> {
        self.runtime.as_ref().map(Runtime::handle)
    }

    /// Sends a request over a connection that is open, or else over a new one.
    async fn exchange(&self, call: &WebhookCall<'_>, address: &Address) -> Result<Response<Bytes>, WebhookError> {
        while let Some(mut connection) = self.pool.take(address, call.ca_bundle) {
            match connection.exchange(call, address).await {
                // The webhook closed it while it was idle.
                Err(problem) if problem.is_unused => {}
                Err(problem) => return Err(problem.error),
                Ok(response) => {
                    self.pool.keep(address, call.ca_bundle, connection);
                    return Ok(response);
                }
            }
        }
        let trust = self.trusts.of(call.ca_bundle, address).map_err(WebhookError::NoAnswer)?;
        let mut connection = Connection::open(address, trust).await?;
        let response = connection.exchange(call, address).await.map_err(|problem| problem.error)?;
        self.pool.keep(address, call.ca_bundle, connection);
        Ok(response)
    }
}

impl Drop for Client {
    /// A server may be dropped where a runtime may not block.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Webhooks for HttpsWebhooks {
    fn call(&self, call: &WebhookCall<'_>) -> Result<Response<Bytes>, WebhookError> {
        let no_client = || WebhookError::NoAnswer("no thread can be started for webhooks".to_owned());
        let client = self.client().ok_or_else(no_client)?;
        let address = Address::of(call.url, &self.overrides).map_err(WebhookError::NoAnswer)?;
        let _entered = client.handle().ok_or_else(no_client)?.enter();
        let answered = block_on(tokio::time::timeout(call.time_limit, client.exchange(call, &address)));
        answered.unwrap_or(Err(WebhookError::TimedOut))
    }
}

impl fmt::Debug for HttpsWebhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpsWebhooks").field("services", &self.overrides.keys()).finish_non_exhaustive()
    }
}
