//! Findings as a report shows them.

use crdible_journal::symptom::SEPARATOR;
use crdible_spec::{Level, RequirementId};
use serde::{Deserialize, Serialize};

use super::rules::RulesOfFinding;
use crate::fold::base;
use crate::journal::{Minimal, Replay, Reproduced, Shrink};
use crate::{Failure, Signature};

/// All failures with the same signature, and the findings that are reported together with them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReportedFinding {
    /// The failure. If nothing is recorded of it but that it was seen, as by a run that was killed, the requirements are
    /// those that may be violated, and expected and actual are null.
    #[serde(flatten)]
    pub failure: Failure,
    /// What was promised, in one sentence: the title of the property.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub promise: String,
    /// What a user sees of the failure, its area first; empty if the failure stands alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symptom: String,
    /// The other findings with the same symptom, or, if there are many findings, of the same area: these may have other
    /// causes. The clearest comes first; none of them is of a stronger level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<AlsoSeen>,
    /// What it and those in `also` are about, with the number of each: requirements, or keywords of schemas. The largest
    /// number comes first. Empty if all are about one thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// The strongest level of its requirements.
    pub level: Level,
    /// How certain it is.
    pub evidence: EvidenceKind,
    /// Scenarios that showed it, not counting those of the findings in `also`.
    pub occurrences: u64,
    /// The smallest experiment that shows it.
    pub minimal: Minimal,
    /// What the rules of its definitions say about its objects, if that matters. A journal does not have it: who makes a
    /// report from one adds it.
    #[serde(default, skip_serializing_if = "RulesOfFinding::is_empty")]
    pub rules: RulesOfFinding,
    /// How to run it again; none if the run ended before the failure was confirmed.
    pub replay: Option<Replay>,
    /// The command that looks for it again, if the run ended before the failure was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_again: Option<String>,
    /// How it was shrunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink: Option<Shrink>,
    /// Whether it was reproduced.
    pub reproduced: Reproduced,
    /// Milliseconds from the start of the run, or since it was resumed, until
    /// it was confirmed and shrunk, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
}

impl ReportedFinding {
    /// How many findings the entry explains: itself and those in `also`.
    pub(crate) fn explains(&self) -> u64 {
        1 + self.also.len() as u64
    }

    /// The signatures of these findings.
    pub(crate) fn signatures(&self) -> impl Iterator<Item = &Signature> {
        std::iter::once(&self.failure.signature).chain(self.also.iter().map(|also| &also.signature))
    }

    /// Whether it is known what was expected and what came. Of the others reports show only the number: a
    /// failure that no one can look at is of no use.
    pub(crate) fn has_details(&self) -> bool {
        self.evidence != EvidenceKind::Unconfirmed || self.replay.is_some()
    }

    /// The requirements that a reader is shown: those of the failure, and before them the one that its symptom is about.
    pub(crate) fn references(&self) -> Vec<String> {
        let own = self.failure.requirements.iter().cloned();
        let about = self.requirement().filter(|_| !self.names_its_requirement());
        about.map(str::to_owned).into_iter().chain(own).collect()
    }

    /// The area of its symptom; empty if it has none.
    pub(crate) fn area(&self) -> &str {
        self.symptom.split(SEPARATOR).next().unwrap_or_default()
    }

    /// What its symptom says after the area; empty if it says nothing.
    pub(crate) fn detail(&self) -> &str {
        self.symptom.split(SEPARATOR).nth(1).unwrap_or_default()
    }

    /// The requirement that its symptom is about, if it is about one.
    pub(crate) fn requirement(&self) -> Option<&str> {
        Some(self.detail()).filter(|detail| detail.parse::<RequirementId>().is_ok())
    }

    /// Whether it names the requirement that its symptom is about. One that breaks a promise about every answer may
    /// name another.
    pub(crate) fn names_its_requirement(&self) -> bool {
        let mut own = self.failure.requirements.iter();
        self.requirement().is_some_and(|about| own.any(|reference| base(reference) == about))
    }

    /// Whether all of them look the same to a user; else they are only of the same area.
    pub(crate) fn is_of_one_symptom(&self) -> bool {
        self.also.iter().all(|also| also.symptom == self.symptom)
    }

    /// Whether it counts against the server. One that was not reproduced each time does not, however the run ended.
    pub(crate) fn is_settled(&self) -> bool {
        self.evidence == EvidenceKind::Confirmed
    }
}

/// A finding with the same symptom as the entry that lists it, or of the same area.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AlsoSeen {
    /// What identifies it.
    pub signature: Signature,
    /// What a user sees of it. One that differs from that of the entry may have another cause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symptom: String,
    /// The requirements that are broken.
    pub requirements: Vec<String>,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// How certain it is.
    pub evidence: EvidenceKind,
    /// Scenarios that showed it.
    pub occurrences: u64,
    /// The command that replays it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

impl AlsoSeen {
    /// A finding in short.
    pub(crate) fn of(finding: &ReportedFinding) -> Self {
        let ReportedFinding { failure, symptom, evidence, occurrences, replay, look_again, .. } = finding;
        Self {
            signature: failure.signature.clone(),
            symptom: symptom.clone(),
            requirements: failure.requirements.clone(),
            summary: failure.summary.clone(),
            evidence: *evidence,
            occurrences: *occurrences,
            replay: replay.as_ref().map(|replay| replay.command.clone()).or_else(|| look_again.clone()),
        }
    }
}

/// How many failures of an entry are about one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Share {
    /// The requirement, or the keyword of a schema; else what the name of the property says.
    pub of: String,
    /// How many failures.
    pub failures: u64,
}

/// How certain a finding is, the most certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// It was reproduced in every attempt, a race often enough, or reproducing it was not attempted.
    Confirmed,
    /// It was reproduced, but not in every attempt.
    Flaky,
    /// It was never reproduced.
    Unreproduced,
    /// The run ended before it could be reproduced, so it is not a verdict.
    Unconfirmed,
}

/// A finding and the known-failure entries that cover it: one for its signature, or one or more for its requirements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KnownFinding {
    /// Requirement or signature of the entry; several are separated by commas.
    pub entry: String,
    /// What the server does instead; several are separated by semicolons.
    pub reason: String,
    /// Where it is tracked; several are separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// The finding.
    pub finding: ReportedFinding,
}
