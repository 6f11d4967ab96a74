//! A target: a transport, and what a report says about it.

use std::sync::Arc;

use crdible_semantics::Semantics;

use super::{BackoffOptions, BackoffTransport, InProcess, Launched, Secrets, Transport};

/// How a target is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// The embedded server, called in process.
    Embedded,
    /// A server that was running before the run.
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

/// What a report says about the target. It holds no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetDescription {
    /// How the target is reached.
    pub kind: TargetKind,
    /// The base URL without user information; `None` if embedded.
    pub address: Option<String>,
    /// The `gitVersion` of `/version`, once [`preflight`](crate::doctor::preflight()) has read it.
    pub version: Option<String>,
}

impl TargetDescription {
    /// The address, or "the embedded server".
    pub fn shown(&self) -> &str {
        self.address.as_deref().unwrap_or("the embedded server")
    }
}

/// A server that a run can send requests to.
///
/// Dropping it ends a launched server; [`Target::shutdown`] does so without blocking a thread of the runtime.
#[derive(Debug)]
pub struct Target {
    /// Sends requests. It does not wait on 429: see [`Target::with_backoff`].
    pub transport: Arc<dyn Transport>,
    /// What a report says about the target.
    pub description: TargetDescription,
    pub(super) launched: Option<Launched>,
    pub(super) secrets: Secrets,
}

impl Target {
    /// A new embedded server with these semantics, called in process.
    pub fn embedded(semantics: Arc<dyn Semantics>) -> Self {
        Self::over(
            Arc::new(InProcess::new(semantics)),
            TargetDescription { kind: TargetKind::Embedded, address: None, version: None },
        )
    }

    /// A target over the caller's own transport.
    pub fn over(transport: Arc<dyn Transport>, description: TargetDescription) -> Self {
        Self { transport, description, launched: None, secrets: Secrets::default() }
    }

    /// Whether it is the embedded server, called in process.
    pub fn is_embedded(&self) -> bool {
        self.description.kind == TargetKind::Embedded
    }

    /// The transport wrapped in the layer that waits on 429 and keeps to a rate limit. Callers send through this.
    pub fn with_backoff(&self, options: BackoffOptions) -> BackoffTransport {
        BackoffTransport::new(Arc::clone(&self.transport), self.description.shown(), options)
    }

    /// Every secret that has been used to reach the target. Whoever writes text down redacts these.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The launched server, if there is one.
    pub fn launched(&mut self) -> Option<&mut Launched> {
        self.launched.as_mut()
    }

    /// Ends the server if it was launched for this target; no process of it is left afterwards.
    pub async fn shutdown(self) {
        if let Some(launched) = self.launched {
            launched.end().await;
        }
    }
}
