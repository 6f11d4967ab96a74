//! `doctor --probe`: what a target does, lacks and costs, found out by writing one definition and
//! removing it again.

mod measure;
mod report;

use std::collections::BTreeSet;
use std::future::Future;
use std::time::Duration;

use crdible_reports::ExitCode;

use super::clean::remove_own;
use super::client::Client;
use super::preflight::{ServerFacts, preflight};
use crate::connection::{Target, TargetError};

/// Time for all measurements, below the time for which the definition counts as alive.
const PROBE_LIMIT: Duration = Duration::from_secs(90);

/// Time for the definition to vanish.
const CLEAN_UP_LIMIT: Duration = Duration::from_secs(90);

/// After this time a request whose connection was given up has arrived, or never will.
const SETTLING: Duration = Duration::from_millis(300);

/// How long a server that asks to wait is waited for, per request.
const PATIENCE: Duration = Duration::from_secs(30);

/// What [`probe`] found. Times are those seen by this client.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The identifier of this probe, the value of its label.
    pub run: String,
    /// The target's address.
    pub address: String,
    /// What the target says about itself.
    pub facts: ServerFacts,
    /// What its work costs.
    pub costs: Costs,
    /// What it can do, in the order in which it was tried.
    pub features: Vec<Feature>,
    /// What the user may not do, as `verb resource`.
    pub missing_permissions: BTreeSet<String>,
    /// What ended the measurements early.
    pub problem: Option<Problem>,
    /// Whether everything has been removed again.
    pub cleaned: Result<(), TargetError>,
}

/// Times and rates; `None` where the measurement was not reached.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs {
    /// Definition written until `Established`.
    pub established: Option<Duration>,
    /// `Established` until an object is accepted.
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

/// Something that a server does or does not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// What, in a few words.
    pub what: &'static str,
    /// Whether it does.
    pub works: bool,
    /// What was seen if it does not; else empty.
    pub detail: String,
}

/// What ended a probe early.
#[derive(Debug, Clone)]
pub enum Problem {
    /// An answer, or none.
    Target(TargetError),
    /// Something did not happen in time; what, and in which time.
    TooSlow(&'static str, Duration),
    /// The user has interrupted it.
    Interrupted,
}

/// Measures `target` with one definition of its own, and removes it whatever happens, also when
/// `interrupted` completes first.
///
/// # Errors
/// [`TargetError`] if the target is unusable; nothing has been written then. All later errors are
/// part of the result.
pub async fn probe(target: &Target, interrupted: impl Future<Output = ()>) -> Result<Probe, TargetError> {
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
    let api = std::sync::Arc::new(Client::new(target, PATIENCE));
    let ending = {
        let measuring = measure::all(&api, &mut probe);
        tokio::select! {
            result = tokio::time::timeout(PROBE_LIMIT, measuring) => match result {
                Ok(Ok(())) => None,
                Ok(Err(problem)) => Some(problem),
                Err(_) => Some(Problem::TooSlow("all measurements", PROBE_LIMIT)),
            },
            () = interrupted => Some(Problem::Interrupted),
        }
    };
    if matches!(ending, Some(Problem::Interrupted)) && probe.costs.established.is_none() {
        // The definition may be on its way still; what is not there yet cannot be removed.
        tokio::time::sleep(SETTLING).await;
    }
    probe.note_refusal(ending);

    let begun = tokio::time::Instant::now();
    match remove_own(target, &probe.run, CLEAN_UP_LIMIT).await {
        Ok(cleaned) if !cleaned.removed.is_empty() => probe.costs.removed = Some(begun.elapsed()),
        Ok(_) => {}
        Err(error) => {
            if let TargetError::Forbidden { request, .. } = &error {
                probe.missing_permissions.insert(request.clone());
            }
            probe.cleaned = Err(error);
        }
    }
    Ok(probe)
}

impl Probe {
    /// 0 if all was measured and removed; else the code of what went wrong.
    pub fn exit_code(&self) -> u8 {
        match (&self.problem, &self.cleaned) {
            (_, Err(_)) => ExitCode::INCOMPLETE,
            (Some(Problem::Interrupted), _) => ExitCode::INTERRUPTED,
            (Some(_), _) => ExitCode::UNUSABLE,
            (None, Ok(())) => 0,
        }
    }

    fn note_refusal(&mut self, problem: Option<Problem>) {
        if let Some(Problem::Target(TargetError::Forbidden { request, .. })) = &problem {
            self.missing_permissions.insert(request.clone());
        }
        self.problem = problem;
    }
}

/// An identifier that no other run has: 64 random bits.
fn new_identifier() -> String {
    use std::hash::{BuildHasher, Hasher};

    // The keys of a new RandomState come from the system's randomness.
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("probe-{random:016x}")
}
