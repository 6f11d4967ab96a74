//! The sum of a soak, as data: runs with ever new seeds, one after the other, on one target.
//!
//! It says what was judged and what was found, without the experiments: a failure names the seed of its round and the
//! file that replays it. So it stays small however long the soak was.

use std::collections::BTreeMap;

use crdible_spec::Level;
use serde::{Deserialize, Serialize};

use crate::ExitCode;
use crate::Signature;
use crate::journal::{CatalogueStamp, GeneratorStamp, Run, StopReason, Target, Tool};
use crate::model::EvidenceKind;
use crate::verdict::Verdict;

/// The name and the major version of the format: [`Soak::format`].
pub const FORMAT: &str = "crdible-soak/1";

/// The sum of a soak, built by [`SoakTally`](crate::SoakTally).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Soak {
    /// Format and version: [`FORMAT`].
    pub format: String,
    /// The verdict on the target, from all rounds together.
    pub verdict: Verdict,
    /// The verdict as a sentence without a full stop.
    pub statement: String,
    /// Why it is incomplete; listed with other verdicts, too.
    pub reasons: Vec<String>,
    /// Why it ended; `finished` if everything requested was done. None as long as it goes on, and if it was killed.
    pub stop_reason: Option<StopReason>,
    /// What was asked for.
    pub asked: Asked,
    /// The profile that the target claims.
    pub profile: String,
    /// Whether some round ran all of the profile.
    pub profile_complete: bool,
    /// The program that ran.
    pub tool: Tool,
    /// The catalogue of requirements that it used.
    pub catalogue: CatalogueStamp,
    /// The generators that it used.
    pub generator: GeneratorStamp,
    /// The options of the first round.
    pub run: Run,
    /// When it ended, RFC 3339, or when its last round did.
    pub ended: String,
    /// How long it took until then, in seconds.
    pub seconds: f64,
    /// The target.
    pub target: Target,
    /// The seed of each round, in order.
    pub seeds: Vec<u64>,
    /// Totals.
    pub counts: SoakCounts,
    /// How many cases each property judged.
    pub properties: BTreeMap<String, u64>,
    /// Confirmed failures that are not known, one for each signature, strongest level first.
    pub failures: Vec<SoakFinding>,
    /// Failures that could not be confirmed in any round.
    pub unconfirmed: Vec<SoakFinding>,
    /// Known failures that were seen.
    pub known: Vec<SoakKnown>,
    /// Errors, by property.
    pub errors: Vec<SoakError>,
    /// The missing capabilities of the target, and how many properties were not judged because of each.
    pub lacks: BTreeMap<String, u64>,
    /// Notes of the rounds about the target that no property asserts, in sentences.
    pub notes: Vec<String>,
}

/// How much was requested: one of the two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Judged cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Totals of all rounds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SoakCounts {
    /// Rounds.
    pub rounds: u64,
    /// Properties that judged something.
    pub properties: u64,
    /// Cases judged.
    pub cases: u64,
    /// Scenarios that were judged.
    pub scenarios: u64,
    /// Those of them that passed.
    pub passed: u64,
    /// Those of them that failed, also with known failures.
    pub failed: u64,
    /// Scenarios that ended in an error.
    pub errors: u64,
    /// Scenarios that were discarded.
    pub discarded: u64,
    /// Requests that scenarios sent.
    pub requests: u64,
    /// Confirmed failures that are not known, as in [`Soak::failures`].
    pub failures: u64,
    /// Failures that could not be confirmed, as in [`Soak::unconfirmed`].
    pub unconfirmed: u64,
    /// Known failures that were seen, as in [`Soak::known`].
    pub known_failures: u64,
}

/// All failures with the same signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SoakFinding {
    /// What identifies it.
    pub signature: Signature,
    /// The requirements that it breaks, or may break if it is not confirmed.
    pub requirements: Vec<String>,
    /// The strongest level of these.
    pub level: Level,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// How certain it is.
    pub evidence: EvidenceKind,
    /// The seed of the round that showed it first, or that confirmed it first.
    pub seed: u64,
    /// How many rounds showed it.
    pub rounds: u64,
    /// How many scenarios showed it.
    pub scenarios: u64,
    /// The counterexample of that round, if a file was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The command that replays it, or looks for it again if it was not confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// A known failure that was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SoakKnown {
    /// What identifies it.
    pub signature: Signature,
    /// The strongest level of its requirements.
    pub level: Level,
    /// The entry of the file of known failures that covers it.
    pub entry: String,
    /// The seed of the round that showed it first.
    pub seed: u64,
    /// How many rounds showed it.
    pub rounds: u64,
    /// How many scenarios showed it.
    pub scenarios: u64,
}

/// The errors of one property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SoakError {
    /// Its ID.
    pub property: String,
    /// How many scenarios ended in an error.
    pub scenarios: u64,
    /// The seed of the first round in which one did.
    pub seed: u64,
    /// The first of them and its error.
    pub example: String,
}

impl Soak {
    /// The exit code of the soak.
    pub fn exit_code(&self) -> u8 {
        // By shell convention Ctrl-C is reported, whatever was found before.
        if self.stop_reason == Some(StopReason::Interrupted) { ExitCode::INTERRUPTED } else { self.verdict.exit_code() }
    }
}
