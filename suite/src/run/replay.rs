//! A counterexample as a file: what is needed to run it again anywhere, also when the generators have changed since.

use crdible_generators::choice::Tape;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::examine::{Attempt, Finding, Outcome, attempt};
use crate::{
    execute::{Executor, Freshness, Record},
    judge::Failure,
    scenario::Scenario,
};

/// The format that this version writes; it reads every file with the same name and major version.
pub const FORMAT: &str = "crdible-replay/1";

/// A counterexample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counterexample {
    /// [`FORMAT`].
    pub format: String,
    /// The property that found it.
    pub property: String,
    /// What stays the same of the failure while everything generated changes.
    pub signature: String,
    /// The requirements that the failing check asserts.
    pub requirements: Vec<String>,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// What would have to come back.
    pub expected: Value,
    /// What came back.
    pub actual: Value,
    /// The whole experiment: this is what a replay runs.
    pub scenario: Scenario,
    /// The choices that made it, for the generators of the version that wrote the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tape: Option<Tape>,
}

/// Why a text is no counterexample.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CounterexampleError {
    /// It is not JSON of this shape.
    #[error("it is no counterexample: {0}; `crdible run` writes such files into the folder that it names")]
    Malformed(#[from] serde_json::Error),
    /// Another format.
    #[error("its format is `{0}`, and this version reads `{FORMAT}`; replay it with the version that wrote it")]
    Format(String),
    /// It refers to steps or definitions that it does not hold.
    #[error("it is broken: {0}")]
    Broken(String),
}

impl Counterexample {
    /// The counterexample of a finding.
    pub fn of(finding: &Finding) -> Self {
        Self {
            format: FORMAT.to_owned(),
            property: finding.property.to_owned(),
            signature: finding.signature.clone(),
            requirements: finding.failure.requirements.clone(),
            summary: finding.failure.summary.clone(),
            expected: finding.failure.expected.clone(),
            actual: finding.failure.actual.clone(),
            scenario: finding.scenario.clone(),
            tape: finding.tape.clone(),
        }
    }

    /// Reads one from its text.
    pub fn parse(text: &str) -> Result<Self, CounterexampleError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.format != FORMAT && !head.format.starts_with(&format!("{FORMAT}.")) {
            return Err(CounterexampleError::Format(head.format));
        }
        let parsed: Self = serde_json::from_str(text)?;
        parsed.scenario.verify().map_err(CounterexampleError::Broken)?;
        Ok(parsed)
    }

    /// Its text: pretty-printed JSON with a final newline.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// What came of running a counterexample again.
#[derive(Debug)]
pub enum Replayed {
    /// It fails as it did.
    Reproduced(Failure),
    /// It fails, but otherwise.
    Differently(Vec<Failure>),
    /// It passes.
    Passed,
    /// It says nothing here, and why.
    Inconclusive(String),
}

/// Runs a counterexample on fresh definitions.
pub async fn replay(executor: &Executor, counterexample: &Counterexample) -> (Replayed, Record) {
    let Attempt { outcome, record, .. } = attempt(executor, &counterexample.scenario, Freshness::Fresh, true).await;
    let replayed = match outcome {
        Outcome::Pass => Replayed::Passed,
        Outcome::Discard(reason) => Replayed::Inconclusive(reason),
        Outcome::Error(error) => Replayed::Inconclusive(error.to_string()),
        Outcome::Fail(failures) => {
            let same = failures.iter().find(|failure| counterexample.signature.ends_with(&failure.signature));
            match same {
                Some(failure) => Replayed::Reproduced(failure.clone()),
                None => Replayed::Differently(failures),
            }
        }
    };
    (replayed, record)
}
