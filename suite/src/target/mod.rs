//! What a run is sent to: the embedded server in process, or any server over HTTP.
//!
//! [`connect`] turns a user's options into a [`Target`], [`preflight()`] tells in one sentence why a
//! target cannot be used, and everything above talks to its [`Transport`] alone, through
//! [`Obedient`], which waits when the server says so and keeps to `--qps`.

mod address;
mod api;
mod clean;
mod connect;
mod credentials;
mod doctor;
mod error;
mod exec;
mod failure;
mod group;
mod in_process;
mod kubeconfig;
mod launch;
mod network;
mod obey;
mod options;
mod preflight;
mod probe;
mod rate;
mod ring;
mod runs;
mod secret;
mod transport;

use std::sync::{Arc, Once};

use crdible_semantics::Semantics;

pub use address::{Address, redact};
pub(crate) use api::DEFINITIONS;
pub use clean::{Cleaned, Which, clean, remove_own};
pub use connect::{connect, connect_in};
pub use doctor::{Claim, Diagnosis, examine};
pub use error::{TargetError, exit};
pub use in_process::InProcess;
pub use kubeconfig::{Environment, KubeconfigError};
pub use launch::{Announced, LaunchError, LaunchTimes, Launched};
pub use network::{Http, LONGEST_BODY};
pub use obey::{EventCounts, Events, Obedience, Obedient};
pub use options::{DEFAULT_REQUEST_TIMEOUT, TargetOptions};
pub use preflight::{PREFLIGHT_LIMIT, ServerFacts, preflight, preflight_within};
pub use probe::{Capability, Costs, Probe, Problem, WORKERS, probe};
pub use rate::Rate;
pub use runs::{ALIVE_FOR, ALIVE_UNTIL, REFRESH_EVERY, RUN_LABEL, Remains, alive_until, check_run_id};
pub use secret::{Secret, Secrets};
pub(crate) use transport::USER_AGENT;
pub use transport::{Exchange, Place, Sending, Transport, TransportError};

/// How a target came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The embedded server, called in process.
    Embedded,
    /// A server that was there before the run.
    Server,
    /// A server that was started for the run.
    Launched,
}

impl Kind {
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
    /// How the target came to be.
    pub kind: Kind,
    /// The base URL without user information; `None` if embedded.
    pub address: Option<String>,
    /// What `/version` claims (`gitVersion`), once [`preflight()`] has asked.
    pub version: Option<String>,
}

impl TargetDescription {
    /// The address, or a word for the embedded server.
    pub fn shown(&self) -> &str {
        self.address.as_deref().unwrap_or("the embedded server")
    }
}

/// A server that a run can be sent to.
///
/// Dropping it ends a launched server; [`Target::shutdown`] does so without blocking a runtime's
/// thread.
#[derive(Debug)]
pub struct Target {
    /// How requests reach it. Not yet obedient to 429: see [`Obedient`].
    pub transport: Arc<dyn Transport>,
    /// What a report says about it.
    pub description: TargetDescription,
    launched: Option<Launched>,
    secrets: Secrets,
}

impl Target {
    /// A fresh embedded server with the given semantics, called in process.
    pub fn embedded(semantics: Arc<dyn Semantics>) -> Self {
        Self::over(
            Arc::new(InProcess::new(semantics)),
            TargetDescription { kind: Kind::Embedded, address: None, version: None },
        )
    }

    /// A target over a transport of the caller's.
    pub fn over(transport: Arc<dyn Transport>, description: TargetDescription) -> Self {
        Self { transport, description, launched: None, secrets: Secrets::default() }
    }

    /// The transport with the layer that obeys 429 and keeps to a rate: what callers send through.
    pub fn obedient(&self, obedience: Obedience) -> Obedient {
        Obedient::new(Arc::clone(&self.transport), self.description.shown(), obedience)
    }

    /// Every secret that has been used to reach it. Whoever writes anything down redacts these.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The launched server, if there is one.
    pub fn launched(&mut self) -> Option<&mut Launched> {
        self.launched.as_mut()
    }

    /// Ends what was started for this target; nothing of it is left afterwards.
    pub async fn shutdown(self) {
        if let Some(launched) = self.launched {
            launched.end().await;
        }
    }
}

/// Chooses the cryptography of this process. Any number of calls do what one does.
pub fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means that the process has chosen already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
