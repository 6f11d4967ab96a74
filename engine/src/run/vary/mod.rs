//! What matters to a failure: each choice of its scenario is drawn again, and the result still fails or no longer.
//!
//! The expectations are planned with the changed scenario, so that a check
//! is never about a value that is no longer there.

mod alike;
mod difference;
mod documents;
mod origin;
mod seen;

use crdible_journal::Signature;
use crdible_scenario::{Property, Reads, Scenario};
use thiserror::Error;

pub use self::seen::Variations;
pub(crate) use self::{
    documents::Document,
    origin::{Origin, Varied},
};
use super::{counterexample::Counterexample, replay::Replayer, session::Session};
use crate::execute::ExecutionError;

/// Why a counterexample cannot be varied.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotVaried {
    /// There are no choices to vary.
    #[error(
        "it has no choices that this version could vary, and none of \
         {cases} random cases of {property} breaks the same requirement"
    )]
    NothingAlike {
        /// The property.
        property: String,
        /// Random cases that were run.
        cases: u64,
    },
    /// The target could not be used.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
}

impl Session {
    /// Runs a counterexample of this property with each of its choices drawn again, a few times each, and returns what
    /// that shows. If it is hand-made, a random case that breaks the same requirement is searched and varied instead.
    ///
    /// # Errors
    ///
    /// It has no choices and nothing random fails alike, or the target cannot be reached or forbids the requests.
    pub async fn vary(
        &self,
        property: &'static Property,
        counterexample: &Counterexample,
    ) -> Result<Variations, NotVaried> {
        let replayer = Replayer::of(self);
        let attempt = async |scenario: &Scenario, wanted: &Signature| replayer.attempt(scenario, wanted).await.outcome;
        if let Some(origin) = Origin::of(property.into(), counterexample) {
            return Ok(origin.vary(attempt, ExecutionError::is_of_the_target).await?);
        }
        let nothing = || NotVaried::NothingAlike { property: property.id.to_owned(), cases: alike::CASES };
        let other = alike::find(self, property, counterexample).await.ok_or_else(nothing)?;
        let origin = Origin::of(property.into(), &other).ok_or_else(nothing)?;
        Ok(Variations { of_another: true, ..origin.vary(attempt, ExecutionError::is_of_the_target).await? })
    }
}

impl Varied for Scenario {
    /// Whether reads that no check looks at are kept.
    type Part = Reads;

    fn check_names(&self) -> impl Iterator<Item = &str> {
        self.checks.iter().map(|check| check.name.as_str())
    }

    fn parts() -> impl Iterator<Item = Reads> {
        [Reads::Dropped, Reads::Kept].into_iter()
    }

    fn part(&self, check: usize, reads: Reads) -> Self {
        self.slice(check, reads)
    }

    fn documents(&self) -> Vec<Document> {
        documents::documents(self)
    }
}
