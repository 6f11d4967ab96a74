//! Known failures of a target.

use crdible_journal::{KnownFailures, Signature, TargetRelease};
use jiff::civil::Date;

/// The known failures of a target at the release that it claims, today. A run runs each once more, and does not
/// shrink it: its smallest scenario is already known.
#[derive(Clone, Debug, Default)]
pub struct Known {
    failures: KnownFailures,
    release: TargetRelease,
    today: Date,
}

impl Known {
    /// The entries of a file that apply to a release.
    pub fn at(release: TargetRelease, failures: KnownFailures) -> Self {
        Self { failures, release, today: jiff::Zoned::now().date() }
    }

    /// The entries.
    pub fn failures(&self) -> &KnownFailures {
        &self.failures
    }

    /// Whether a failure with this signature, of a check that names these requirements, is known.
    pub fn covers(&self, requirements: &[String], signature: &Signature) -> bool {
        self.failures.matches(requirements, signature, &self.release, self.today).is_some()
    }
}
