//! What came of a comparison, as data: what `crdible compare --output json` writes.

use std::collections::{BTreeMap, BTreeSet};

use crdible_reports::{
    KnownFailures,
    journal::{Minimal, Reproduced, Request, Shrink},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    run::{CaseOutcome, Event, Finding, Stop, Summary, minimal},
    scenario::Scenario,
};

/// The format that this version writes. Minor versions add fields and change none.
pub const FORMAT: &str = "crdible-comparison/1";

/// So many different errors are kept.
const ERRORS: usize = 20;

/// A finished comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// [`FORMAT`].
    pub format: String,
    /// What it says.
    pub verdict: Verdict,
    /// Why it ended: `finished`, `time-budget`, `interrupted`, `target-unusable`, `broken`.
    pub stop: String,
    /// The seed of all choices.
    pub seed: u64,
    /// Cases asked for, for each property.
    pub cases: u64,
    /// The two targets, in the order of the command line.
    pub targets: [Side; 2],
    /// How far each property came; those that were left out are not among them.
    pub properties: BTreeMap<String, Counts>,
    /// Properties that were left out, each with what a target lacks for it.
    pub left_out: BTreeMap<String, String>,
    /// Properties that were given up early, each with the reason.
    pub given_up: BTreeMap<String, String>,
    /// The differences, in the order in which they were found.
    pub differences: Vec<FoundDifference>,
    /// What went wrong, without repetitions.
    pub errors: Vec<String>,
    /// Requests sent to both, probes and clean-up included.
    pub requests: u64,
    /// The signatures of all answers that differed, confirmed or not.
    #[serde(skip)]
    seen: BTreeSet<String>,
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No difference was found but known ones, and nothing stood in the way.
    Alike,
    /// At least one difference that is not known came again.
    Different,
    /// No such difference came again, but scenarios ended in errors, or too early, or there were none.
    Incomplete,
}

/// One of the two targets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// As the command line names it, without secrets.
    pub name: String,
    /// What `/version` claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// How far a property came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Generated objects, updates or version lists that both were asked about.
    pub cases: u64,
    /// Scenarios that ran on both.
    pub scenarios: u64,
    /// Those whose answers differ.
    pub differing: u64,
    /// Those that ended in an error.
    pub errors: u64,
    /// Those that the generator gave up.
    pub discarded: u64,
}

/// A difference: confirmed, shrunk, and recorded on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundDifference {
    /// Its number within the comparison: `d1`.
    pub id: String,
    /// The property whose scenario shows it.
    pub property: String,
    /// The index of the case.
    pub index: u64,
    /// Property, kind of step, kind of place and kind of difference, without generated names.
    pub signature: String,
    /// The requirements that it touches: those of the checks on the step, else all of the property.
    pub requirements: Vec<String>,
    /// What differs, in one sentence.
    pub summary: String,
    /// The normalised answer of the first target.
    pub first: Value,
    /// That of the second.
    pub second: Value,
    /// The definitions of the smallest scenario.
    pub definitions: Vec<Value>,
    /// The objects that it sends.
    pub objects: Vec<Value>,
    /// What each target was sent, and what it answered.
    pub requests: [Vec<Request>; 2],
    /// The reason of the known failure that explains it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// How often it came again.
    pub reproduced: Reproduced,
    /// What shrinking did.
    pub shrink: Shrink,
    /// The file with the smallest scenario, if it could be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The command that compares it again.
    pub replay: String,
    /// The smallest scenario.
    pub scenario: Scenario,
}

impl FoundDifference {
    /// The difference of a finding; where it was written and what compares it again are still empty.
    pub fn of(finding: &Finding, id: String) -> Self {
        let sent = |minimal: Minimal| -> Vec<Request> {
            let mut requests = minimal.requests;
            if finding.failure.step.is_none() {
                // Whether the definition was accepted is the difference.
                requests.iter_mut().for_each(|request| request.status = None);
            }
            requests
        };
        let first = minimal(&finding.record);
        let second = finding.beside.as_deref().map(minimal).unwrap_or_default();
        let shown = if first.requests.is_empty() { &second } else { &first };
        let shrinking = &finding.shrinking;
        let history = if finding.needs_history { " (only on a definition with a history)" } else { "" };
        Self {
            id,
            property: finding.property.to_owned(),
            index: finding.index,
            signature: finding.signature.clone(),
            requirements: finding.failure.requirements.clone(),
            summary: format!("{}{history}", finding.failure.summary),
            first: finding.failure.expected.clone(),
            second: finding.failure.actual.clone(),
            definitions: shown.definitions.clone(),
            objects: shown.objects.clone(),
            requests: [sent(first), sent(second)],
            known: None,
            reproduced: Reproduced { attempts: finding.attempts, times: finding.reproduced },
            shrink: Shrink {
                executions: shrinking.executions as u64,
                accepted: shrinking.accepted as u64,
                initial_size: shrinking.initial_size as u64,
                final_size: shrinking.final_size as u64,
                stopped_by: shrinking.stopped_by.to_owned(),
            },
            path: None,
            replay: String::new(),
            scenario: finding.scenario.clone(),
        }
    }

    /// Whether it came again at least once.
    pub fn came_again(&self) -> bool {
        self.reproduced.times > 0
    }

    /// Takes note of the known failures that explain it: of one of the targets at this release, today. One that did not come
    /// again is explained by none.
    pub fn explain(&mut self, known: &KnownFailures, release: &str, today: Date) {
        if self.came_again()
            && let Some(entries) = known.matches(&self.requirements, &self.signature, release, today)
        {
            let reasons: Vec<&str> = entries.iter().map(|entry| entry.reason.as_str()).collect();
            self.known = Some(reasons.join("; "));
        }
    }
}

impl Comparison {
    /// A comparison that has not begun.
    pub fn new(seed: u64, cases: u64, targets: [Side; 2]) -> Self {
        Self {
            format: FORMAT.to_owned(),
            verdict: Verdict::Incomplete,
            stop: String::new(),
            seed,
            cases,
            targets,
            properties: BTreeMap::new(),
            left_out: BTreeMap::new(),
            given_up: BTreeMap::new(),
            differences: Vec::new(),
            errors: Vec::new(),
            requests: 0,
            seen: BTreeSet::new(),
        }
    }

    /// Takes note of an event. A difference is returned, for its file to be written; [`Comparison::add`] takes it back.
    pub fn note(&mut self, event: &Event) -> Option<FoundDifference> {
        match event {
            Event::Case(report) => {
                let counts = self.properties.entry(report.property.id.to_owned()).or_default();
                counts.cases += u64::from(report.cases);
                counts.scenarios += u64::from(matches!(report.outcome, CaseOutcome::Pass | CaseOutcome::Fail(_)));
                match &report.outcome {
                    CaseOutcome::Pass => {}
                    CaseOutcome::Fail(signatures) => {
                        counts.differing += 1;
                        self.seen.extend(signatures.iter().cloned());
                    }
                    CaseOutcome::Discard(_) => counts.discarded += 1,
                    CaseOutcome::Error(error) => {
                        counts.errors += 1;
                        self.error(format!("{}: {error}", report.property.id));
                    }
                }
            }
            Event::Found(finding) | Event::Lacks { finding, .. } => {
                return Some(FoundDifference::of(finding, format!("d{}", self.differences.len() + 1)));
            }
            Event::LeftOut { property, because } => {
                self.left_out.insert(property.id.to_owned(), because.to_string());
            }
            Event::GivenUp { property, reason } => {
                self.given_up.insert(property.id.to_owned(), (*reason).to_owned());
            }
        }
        None
    }

    /// Adds a difference.
    pub fn add(&mut self, difference: FoundDifference) {
        self.differences.push(difference);
    }

    /// Ends it, and says what it says.
    pub fn end(&mut self, summary: &Summary) {
        self.requests = summary.requests;
        let (word, error) = match &summary.stop {
            Stop::Finished => ("finished", None),
            Stop::Time => ("time-budget", None),
            Stop::Interrupted => ("interrupted", None),
            Stop::TargetLost(error) => ("target-unusable", Some(format!("a target stopped answering: {error}"))),
            Stop::Broken(panic) => ("broken", Some(format!("crdible itself failed: {panic}"))),
        };
        word.clone_into(&mut self.stop);
        if let Some(error) = error {
            self.error(error);
        }
        let compared: u64 = self.properties.values().map(|counts| counts.scenarios).sum();
        // What was never confirmed, or never even tried again, is neither a difference nor none.
        let is_explained = |signature: &String| {
            self.differences.iter().any(|found| found.known.is_some() && found.signature == *signature)
        };
        let is_whole = matches!(summary.stop, Stop::Finished | Stop::Time)
            && self.errors.is_empty()
            && self.left_out.is_empty()
            && compared > 0
            && self.seen.iter().all(is_explained);
        self.verdict = if self.new_differences().any(FoundDifference::came_again) {
            Verdict::Different
        } else if is_whole {
            Verdict::Alike
        } else {
            Verdict::Incomplete
        };
    }

    /// The differences that no known failure explains.
    pub fn new_differences(&self) -> impl Iterator<Item = &FoundDifference> {
        self.differences.iter().filter(|found| found.known.is_none())
    }

    fn error(&mut self, error: String) {
        if self.errors.len() < ERRORS && !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }
}
