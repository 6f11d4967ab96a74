//! Turns events into journal lines.

use std::time::Instant;

use crdible_journal::{self as journal, Body, Failure, Line};
use crdible_scenario::{AnyScenario, Capability, ScenarioSource};
use serde_json::{Value, json};

use super::{
    attempt::Attempt,
    counterexample::Counterexample,
    event::{CaseOutcome, Event, Stop},
    finding::{ConfirmedFinding, Shrinking},
    options::RunOptions,
};
use crate::{
    execute::{Exchange, InstalledDefinition, Record},
    marks::DEFINITIONS,
};

/// How to run a finding again: the file that holds its scenario, if one was written, and the command.
#[derive(Clone, Debug, Default)]
pub struct ReplayHint {
    /// The file.
    pub path: Option<String>,
    /// The command.
    pub command: String,
}

/// Turns the events of a run into lines of its journal, and numbers the findings.
#[derive(Debug)]
pub struct JournalLines {
    prefix: char,
    findings: u32,
    /// When the run began, or went on.
    begun: Instant,
}

impl JournalLines {
    /// Lines whose findings are numbered `f1`, `f2` and so on.
    pub fn of_run() -> Self {
        Self::after(0)
    }

    /// Lines of a resumed run that already has this many findings: numbering continues after them.
    pub fn after(findings: usize) -> Self {
        Self { prefix: 'f', findings: u32::try_from(findings).unwrap_or(u32::MAX), begun: Instant::now() }
    }

    /// Lines whose findings are numbered `d1`, `d2` and so on: the differences of a comparison.
    pub fn of_comparison() -> Self {
        Self { prefix: 'd', findings: 0, begun: Instant::now() }
    }

    /// The line for an event, if it is recorded. `replay` says how to run a finding with this
    /// number again; it is called once for each finding.
    pub fn line(&mut self, event: &Event, replay: impl FnOnce(&ConfirmedFinding, &str) -> ReplayHint) -> Option<Line> {
        Some(match event {
            Event::Suspected(_) => return None,
            Event::Case(report) => Line::Case(journal::Case {
                index: report.index,
                cases: u64::from(report.cases),
                asserted: report.asserted.clone(),
                requests: report.requests,
                ms: report.microseconds / 1000,
                ..case(report.property, &report.outcome)
            }),
            Event::Found(found) | Event::MissingCapability { finding: found, .. } => self.finding_line(found, replay),
            Event::Note(note) => Line::Event(journal::Event::new(journal::Event::NOTE, note)),
            Event::Skipped { property, because } => {
                Line::Event(journal::Event::about(property, journal::Event::SKIPPED, because.to_string()))
            }
            Event::Stopped { property, reason } => {
                Line::Event(journal::Event::about(property, journal::Event::STOPPED, *reason))
            }
        })
    }

    /// The line of a finding that is shown before it is recorded: it has no number yet.
    pub fn shown(found: &ConfirmedFinding, replay: ReplayHint) -> Line {
        Line::Finding(Box::new(finding(found, String::new(), replay)))
    }

    /// The lines for a counterexample that was executed again, on one target or two.
    pub fn replayed<E: std::error::Error>(
        &mut self,
        counterexample: &Counterexample,
        attempt: Attempt<E>,
        hint: &ReplayHint,
    ) -> Vec<Line> {
        let Attempt { outcome, records, requests, .. } = attempt;
        let property = &counterexample.failure.signature.property;
        let mut lines = vec![Line::Case(journal::Case { requests, ..case(property, &CaseOutcome::of(&outcome)) })];
        for mut failed in outcome.into_failed() {
            // A comparison names no requirement if a definition was rejected, or at a step without a check.
            if failed.failure.requirements.is_empty() {
                failed.failure.requirements.clone_from(&counterexample.failure.requirements);
            }
            let found = ConfirmedFinding {
                failed,
                promise: "",
                missing_capability: None,
                index: 0,
                scenario: counterexample.scenario.clone(),
                tape: counterexample.tape.clone(),
                records: records.clone(),
                attempts: 1,
                reproduced: 1,
                races: 0,
                needs_history: false,
                shrinking: Shrinking::not_needed(0),
            };
            lines.push(self.finding_line(&found, |_, _| hint.clone()));
        }
        lines
    }

    fn finding_line(
        &mut self,
        found: &ConfirmedFinding,
        replay: impl FnOnce(&ConfirmedFinding, &str) -> ReplayHint,
    ) -> Line {
        self.findings += 1;
        let id = format!("{}{}", self.prefix, self.findings);
        let hint = replay(found, &id);
        let after = u64::try_from(self.begun.elapsed().as_millis()).ok();
        Line::Finding(Box::new(journal::RecordedFinding { after_ms: after, ..finding(found, id, hint) }))
    }

    /// What happened at the end of a run, if the target was lost or crdible itself failed.
    pub fn ending(stop: &Stop) -> Option<Line> {
        let (kind, detail) = match stop {
            Stop::TargetLost(error) => ("target-lost", error.as_str()),
            Stop::Broken(panic) => ("crdible-failed", panic.as_str()),
            Stop::Slow(slowdown) => {
                ("target-slow", &*format!("{slowdown}; the run ended early, and with --time it goes on"))
            }
            Stop::Quiet => ("quiet", "nothing new was reached for as long as --until-quiet says"),
            Stop::Finished | Stop::Time | Stop::Failures | Stop::Interrupted => return None,
        };
        Some(Line::Event(journal::Event::new(kind, detail)))
    }
}

/// The plan of one counterexample that is executed again.
pub fn plan_of_replay(counterexample: &Counterexample) -> journal::Plan {
    let property = journal::PlannedProperty {
        id: counterexample.failure.signature.property.clone(),
        requirements: counterexample.failure.requirements.clone(),
        cases: 0,
        minimum: 0,
    };
    journal::Plan { properties: vec![property], ..journal::Plan::default() }
}

/// The plan of a run. Sources for which `missing` names a capability are listed as unsupported, with what they assert.
/// A property with fewer judged cases than `minimum` is inconclusive; `selects_all` says whether everything in the
/// profile was selected.
pub fn plan(
    options: &RunOptions,
    minimum: u64,
    selects_all: bool,
    missing: impl Fn(ScenarioSource) -> Option<Capability>,
) -> journal::Plan {
    let cases = options.cases;
    let share = |number: u64| options.shard.map_or(number, |shard| shard.share(number));
    let mut plan = journal::Plan::default();
    for &source in &options.sources {
        let references = source.asserts().iter().map(ToString::to_string);
        match missing(source) {
            Some(capability) => plan.unsupported.extend(references.map(|requirement| journal::Unsupported {
                requirement,
                reason: format!("the target does not support {capability}"),
                lacks: Some(capability.to_string()),
            })),
            None => plan.properties.push(journal::PlannedProperty {
                id: source.id().to_owned(),
                requirements: references.collect(),
                cases: share(cases),
                minimum: share(cases.min(minimum)),
            }),
        }
    }
    plan.profile_complete = selects_all && cases >= minimum;
    plan
}

/// The reason in the footer.
pub fn stop_reason(stop: &Stop) -> journal::StopReason {
    match stop {
        Stop::Finished => journal::StopReason::Finished,
        // All of them mean that the run would have taken too long.
        Stop::Time | Stop::Slow(_) | Stop::Quiet => journal::StopReason::TimeBudget,
        Stop::Failures => journal::StopReason::FailureLimit,
        Stop::Interrupted => journal::StopReason::Interrupted,
        Stop::TargetLost(_) => journal::StopReason::TargetUnusable,
        Stop::Broken(_) => journal::StopReason::Broken,
    }
}

/// A case of which only this is known.
fn case(property: &str, outcome: &CaseOutcome) -> journal::Case {
    let (outcome, detail, failures) = match outcome {
        CaseOutcome::Pass => (journal::Outcome::Pass, None, Vec::new()),
        CaseOutcome::Fail(signatures) => (journal::Outcome::Fail, None, signatures.clone()),
        CaseOutcome::Discard(reason) => (journal::Outcome::Discard, Some(reason.clone()), Vec::new()),
        CaseOutcome::Error(reason) => (journal::Outcome::Error, Some(reason.clone()), Vec::new()),
    };
    let property = property.to_owned();
    journal::Case { property, index: 0, outcome, cases: 0, asserted: Vec::new(), requests: 0, ms: 0, detail, failures }
}

fn finding(finding: &ConfirmedFinding, id: String, hint: ReplayHint) -> journal::RecordedFinding {
    let history = if finding.needs_history { " (only on a definition with a history; the steps show it)" } else { "" };
    let failure = finding.failure();
    let clauses = clauses(&finding.scenario);
    let [first, second] =
        [0, 1].map(|target| finding.records.get(target).map(|record| minimal(record, &clauses)).unwrap_or_default());
    // Nothing was sent to a target that the finding is not about.
    let shown = if first.requests.is_empty() { second.clone() } else { first.clone() };
    let minimal = journal::Minimal { requests: first.requests, ..shown };
    journal::RecordedFinding {
        id,
        index: finding.index,
        failure: Failure { summary: format!("{}{history}", failure.summary), ..failure.clone() },
        promise: finding.promise.to_owned(),
        symptom: finding.symptom(),
        lacks: finding.missing_capability.map(|capability| capability.to_string()),
        minimal,
        second_requests: second.requests,
        replay: journal::Replay {
            path: hint.path,
            command: hint.command,
            scenario: json!(finding.scenario),
            tape: json!(finding.tape),
        },
        shrink: Some(journal::Shrink {
            executions: finding.shrinking.executions as u64,
            accepted: finding.shrinking.accepted as u64,
            initial_size: finding.shrinking.initial_size as u64,
            final_size: finding.shrinking.final_size as u64,
            stopped_by: finding.shrinking.stopped_by.to_owned(),
        }),
        reproduced: finding.reproduction(),
        unconfirmed: finding.is_unconfirmed(),
        after_ms: None,
    }
}

/// The clauses that the checks of a scenario name, by the steps that they are about.
fn clauses(scenario: &AnyScenario) -> Vec<Option<String>> {
    let Some(scenario) = scenario.server() else { return Vec::new() };
    let clause = |step: usize| scenario.checks.iter().find(|check| check.step == step)?.clause.clone();
    (0..scenario.steps.len()).map(clause).collect()
}

/// The smallest experiment: definitions, the objects in the bodies of creates, and all
/// requests, those that install the definitions first. `clauses` are those of the steps.
pub fn minimal(record: &Record, clauses: &[Option<String>]) -> journal::Minimal {
    let installed = record.definitions.iter().map(|InstalledDefinition { document, status }| journal::Request {
        method: "POST".to_owned(),
        path: DEFINITIONS.to_owned(),
        headers: vec![header("Content-Type", "application/json")],
        body: Some(Body::Text(document.to_string())),
        status: *status,
        response: None,
        about: None,
    });
    let mut definitions: Vec<Value> = record.definitions.iter().map(|installed| installed.document.clone()).collect();
    let mut objects = Vec::new();
    for exchange in &record.exchanges {
        let body = exchange.body.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(body) = body.filter(|_| exchange.method == "POST") {
            let is_definition = exchange.path.starts_with(DEFINITIONS);
            if is_definition { definitions.push(body) } else { objects.extend(objects_of(body)) }
        }
    }
    // A repeated step has several exchanges: then it is not known which is which.
    let is_one_each = record.exchanges.len() == clauses.len();
    let about = |at: usize| clauses.get(at).filter(|_| is_one_each).cloned().flatten();
    let sent = record.exchanges.iter().enumerate().map(|(at, exchange)| request(exchange, about(at)));
    journal::Minimal { definitions, objects, requests: installed.chain(sent).collect() }
}

/// The objects in a body. Those that a review asks to convert say more without the review, which is among the requests.
fn objects_of(body: Value) -> Vec<Value> {
    let is_review = body["kind"] == "ConversionReview";
    match body.pointer("/request/objects").and_then(Value::as_array) {
        Some(objects) if is_review && !objects.is_empty() => objects.clone(),
        _ => vec![body],
    }
}

fn request(exchange: &Exchange, about: Option<String>) -> journal::Request {
    let response = match &exchange.response {
        Value::Null => None,
        Value::String(text) => Some(Body::Text(text.clone())),
        value => Some(Body::Text(value.to_string())),
    };
    journal::Request {
        method: exchange.method.clone(),
        path: exchange.path.clone(),
        headers: exchange.headers.iter().map(|(name, value)| header(name, value)).collect(),
        body: exchange.body.clone().map(Body::Text),
        status: Some(exchange.status).filter(|status| *status != 0),
        response,
        about,
    }
}

fn header(name: &str, value: &str) -> journal::RequestHeader {
    journal::RequestHeader { name: name.to_owned(), value: value.to_owned() }
}
