//! `doctor --probe`: measures what a target supports and costs, by writing some definitions and removing them again.

mod definitions;
mod measure;
mod names;
mod objects;
mod probing;
mod rates;
mod removal;
mod report;
mod webhooks;

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use crdible_journal::ExitCode;

use names::Names;

use super::client::Client;
use super::preflight::{ServerFacts, preflight};
use crate::connection::{Target, TargetError, TransportError};
use crate::webhook::Host;

/// The time limit for all measurements, below the time for which the definition counts as alive. Only a server that is
/// slow to answer everything reaches it.
const PROBE_LIMIT: Duration = Duration::from_secs(60);

/// The time limit of a request. The first create under a new definition takes 2 s.
const REQUEST_LIMIT: Duration = Duration::from_secs(6);

/// After this time an abandoned request has arrived, or never will.
const SETTLING: Duration = Duration::from_millis(300);

/// How long to honour a server's `Retry-After`, per request.
const PATIENCE: Duration = Duration::from_secs(5);

/// What [`probe`] found. Times are as seen by this client.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The identifier of this probe, the value of its label.
    pub run: String,
    /// The target's address.
    pub address: String,
    /// The target's version and platform.
    pub facts: ServerFacts,
    /// How long its work takes.
    pub costs: Costs,
    /// The features that were tried, in this order.
    pub features: Vec<Feature>,
    /// The missing permissions, as `METHOD path`.
    pub missing_permissions: BTreeSet<String>,
    /// Why the measurements ended early.
    pub problem: Option<Problem>,
    /// What could not be removed again, if anything.
    pub cleaned: Result<(), Unremoved>,
}

/// Times and rates; `None` where the measurement was not reached.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs {
    /// Definition created until `Established`.
    pub established: Option<Duration>,
    /// Definition created until an object is accepted.
    pub served: Option<Duration>,
    /// Changed schema written until an answer shows it.
    pub schema_change: Option<Duration>,
    /// Creates per second, [`WORKERS`] at once.
    pub creates: Option<f64>,
    /// Gets per second, [`WORKERS`] at once.
    pub gets: Option<f64>,
    /// Definition deleted until it is gone.
    pub removed: Option<Duration>,
}

/// How many requests are in flight while rates are measured.
pub const WORKERS: usize = 16;

/// A feature that a server may or may not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Its name.
    pub what: &'static str,
    /// The requirements that demand it; if it is missing, those that are violated.
    pub requirements: Vec<&'static str>,
    /// Whether the server has it.
    pub support: Support,
    /// What was seen if the server does not have it or was not asked; else empty.
    pub detail: String,
}

/// Whether a server has a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It has it.
    Works,
    /// It does not have it, and so violates the requirements that demand it.
    Missing,
    /// A missing permission or an error of the server (401, 403, 5xx) hid
    /// whether it has it, or no answer could show it.
    NotTried,
}

impl Feature {
    /// Whether the server was seen to have it.
    pub fn works(&self) -> bool {
        self.support == Support::Works
    }
}

/// What a probe could not remove.
#[derive(Debug, Clone)]
pub enum Unremoved {
    /// Definitions.
    Definitions(TargetError),
    /// Objects that the server keeps without their definition. No clean-up finds them: nothing has a label any more.
    Objects {
        /// How many there are.
        count: usize,
        /// The path that lists them.
        collection: String,
    },
    /// It cannot be seen whether objects are left without their definition: why.
    Unseen(String),
}

/// Why a probe ended early.
#[derive(Debug, Clone)]
pub enum Problem {
    /// An error answer, or no answer.
    Target(TargetError),
    /// The measurements did not end within this time.
    TooSlow(Duration),
    /// No object of the definition is accepted.
    NotServed {
        /// How long it was tried.
        waited: Duration,
        /// The last answer.
        seen: String,
    },
    /// The user has interrupted it.
    Interrupted,
}

/// Measures `target` with a few definitions, and removes them in any case, even if `interrupted` completes first. One
/// of the definitions has a conversion webhook, which is served like `hooks`; one that is in process has its own.
///
/// # Errors
/// [`TargetError`] if the target is unusable; nothing has been written then. Later errors are part of the result.
pub async fn probe(
    target: &Target,
    hooks: Arc<Host>,
    interrupted: impl Future<Output = ()>,
) -> Result<Probe, TargetError> {
    let hooks = target.transport.webhooks().map_or(hooks, |registry| Arc::new(Host::in_process(registry)));
    let facts = preflight(target).await?;
    let mut probe = Probe {
        run: new_identifier(),
        address: target.description.shown().to_owned(),
        facts,
        costs: Costs::default(),
        features: Vec::new(),
        missing_permissions: BTreeSet::new(),
        problem: None,
        cleaned: Ok(()),
    };
    let api = Arc::new(Client::new(target, PATIENCE).within(REQUEST_LIMIT));
    let names = Names::new(&probe.run);
    let ending = {
        let measuring = measure::all(&api, &names, &hooks, &mut probe);
        tokio::select! {
            result = tokio::time::timeout(PROBE_LIMIT, measuring) => match result {
                Ok(Ok(())) => None,
                Ok(Err(problem)) => Some(problem),
                Err(_) => Some(Problem::TooSlow(PROBE_LIMIT)),
            },
            () = interrupted => Some(Problem::Interrupted),
        }
    };
    if ending.is_some() {
        // A create may still be in flight, and nothing can be removed before it arrives.
        tokio::time::sleep(SETTLING).await;
    }
    probe.note_refusal(ending);
    if let Err(left) = removal::all(&api, &names, &mut probe).await {
        if let Unremoved::Definitions(TargetError::Forbidden { request, .. }) = &left {
            probe.missing_permissions.insert(request.clone());
        }
        probe.cleaned = Err(left);
    }
    Ok(probe)
}

impl From<TransportError> for Problem {
    fn from(error: TransportError) -> Self {
        Self::Target(TargetError::Transport(error))
    }
}

impl From<TargetError> for Problem {
    fn from(error: TargetError) -> Self {
        Self::Target(error)
    }
}

impl Probe {
    /// 0 if everything was measured and removed; else the code of the error.
    pub fn exit_code(&self) -> u8 {
        match (&self.problem, &self.cleaned) {
            (_, Err(_)) => ExitCode::INCOMPLETE,
            (Some(Problem::Interrupted), _) => ExitCode::INTERRUPTED,
            (Some(_), _) => ExitCode::UNUSABLE,
            (None, Ok(())) => 0,
        }
    }

    /// Whether a feature with this name was seen to work.
    fn works(&self, what: &str) -> bool {
        self.features.iter().any(|known| known.what == what && known.works())
    }

    fn note_refusal(&mut self, problem: Option<Problem>) {
        if let Some(Problem::Target(TargetError::Forbidden { request, .. })) = &problem {
            self.missing_permissions.insert(request.clone());
        }
        self.problem = problem;
    }
}

/// A unique identifier: 64 random bits.
fn new_identifier() -> String {
    use std::hash::{BuildHasher, Hasher};

    // The keys of a new RandomState come from the system's randomness.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("probe-{random:016x}")
}
