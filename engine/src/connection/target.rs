//! A target: a transport, and its description.

use std::{sync::Arc, time::Duration};

use crdible_semantics::Semantics;

use super::{
    BackoffOptions, BackoffTransport, InProcess, Launched, Secrets, TargetOptions, Transport, relaunch::Relaunching,
};

/// The kind of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// The embedded server, called in process.
    Embedded,
    /// A server that was already running.
    Server,
    /// A server that was started for the run.
    Launched,
}

impl TargetKind {
    /// The kind as one lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Server => "server",
            Self::Launched => "launched",
        }
    }
}

/// The description of a target in reports. It contains no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetDescription {
    /// The kind of the target.
    pub kind: TargetKind,
    /// The base URL without user information; `None` if embedded.
    pub address: Option<String>,
    /// The `gitVersion` of `/version`, after [`preflight`](crate::doctor::preflight()).
    pub version: Option<String>,
}

impl TargetDescription {
    /// The address, or "the embedded server".
    pub fn shown(&self) -> &str {
        self.address.as_deref().unwrap_or("the embedded server")
    }
}

/// A server to send requests to.
///
/// Dropping it stops a launched server; [`Target::shutdown`] does so without blocking a thread of the runtime.
#[derive(Debug)]
pub struct Target {
    /// Sends requests. It does not retry after 429: see [`Target::with_backoff`].
    pub transport: Arc<dyn Transport>,
    /// The description of the target in reports.
    pub description: TargetDescription,
    pub(super) launched: Option<Launched>,
    pub(super) relaunching: Option<Arc<Relaunching>>,
    pub(super) secrets: Secrets,
    /// The time limit of a request that was stated.
    pub(super) request_timeout: Option<Duration>,
}

impl Target {
    /// A new embedded server with these semantics, called in process.
    pub fn embedded(semantics: Semantics) -> Self {
        Self::over(
            Arc::new(InProcess::new(semantics)),
            TargetDescription { kind: TargetKind::Embedded, address: None, version: None },
        )
    }

    /// A target with another transport.
    pub fn over(transport: Arc<dyn Transport>, description: TargetDescription) -> Self {
        Self {
            transport,
            description,
            launched: None,
            relaunching: None,
            secrets: Secrets::default(),
            request_timeout: None,
        }
    }

    /// Whether it is the embedded server, called in process.
    pub fn is_embedded(&self) -> bool {
        self.description.kind == TargetKind::Embedded
    }

    /// Whether it is in process, or at an address of this machine. A launched server is.
    pub fn is_on_this_machine(&self) -> bool {
        let host = self.description.address.as_deref().and_then(|address| address.parse::<http::Uri>().ok());
        let host =
            host.as_ref().and_then(http::Uri::host).map(|host| host.trim_start_matches('[').trim_end_matches(']'));
        self.description.kind != TargetKind::Server
            || host.is_some_and(|host| {
                host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
            })
    }

    /// The transport with retries after 429 and a rate limit.
    pub fn with_backoff(&self, options: BackoffOptions) -> BackoffTransport {
        let options = BackoffOptions { request_timeout: options.request_timeout.or(self.request_timeout), ..options };
        BackoffTransport::new(Arc::clone(&self.transport), self.description.shown(), options)
    }

    /// Every secret that was used to connect to the target, to be redacted from output.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The launched server, if there is one.
    pub fn launched(&mut self) -> Option<&mut Launched> {
        self.launched.as_mut()
    }

    /// The same target. If it was launched with these options, it is launched again whenever it has ended, and a
    /// request that found no server is sent to the new one. [`Target::launched`] is `None` from now on.
    #[must_use]
    pub fn relaunching(mut self, options: &TargetOptions) -> Self {
        if let Some(launched) = self.launched.take() {
            let relaunching = Arc::new(Relaunching::new(Arc::clone(&self.transport), launched, options.clone()));
            self.transport = Arc::clone(&relaunching) as Arc<dyn Transport>;
            self.relaunching = Some(relaunching);
        }
        self
    }

    /// How often it was launched again.
    pub fn restarts(&self) -> u32 {
        self.relaunching.as_ref().map_or(0, |relaunching| relaunching.restarts())
    }

    /// Stops the server if it was launched for this target. No process of it is left running.
    pub async fn shutdown(self) {
        if let Some(launched) = self.launched {
            launched.end().await;
        }
        if let Some(relaunching) = self.relaunching {
            relaunching.end().await;
        }
    }
}
