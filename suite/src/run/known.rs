//! What is known of a target before it is run.

use crdible_reports::KnownFailures;
use jiff::civil::Date;

/// The failures that are known of a target at the release that it claims, today. A run confirms them like all others, and
/// does not shrink them: whoever listed them has seen the smallest scenario.
#[derive(Clone, Debug, Default)]
pub struct Known {
    failures: KnownFailures,
    release: String,
    today: Date,
}

impl Known {
    /// The entries of a file that hold at a release, such as `1.36`.
    pub fn at(release: &str, failures: KnownFailures) -> Self {
        Self { failures, release: release.to_owned(), today: jiff::Zoned::now().date() }
    }

    /// Whether a failure of a check that names these requirements, with this signature (the property's ID in front), is known.
    pub fn covers(&self, requirements: &[String], signature: &str) -> bool {
        self.failures.matches(requirements, signature, &self.release, self.today).is_some()
    }
}
