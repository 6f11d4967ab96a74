//! From events to lines of a journal.

use crdible_reports::journal::{self, Line};
use serde_json::{Value, json};

use super::{
    examine::Finding,
    state::{CaseOutcome, CaseReport, Event},
};
use crate::{
    execute::{Exchange, Record},
    target::DEFINITIONS,
};

/// Turns the events of a run into lines, and numbers the findings.
#[derive(Debug, Default)]
pub struct Chronicle {
    findings: u32,
}

impl Chronicle {
    /// The line for an event. `replay` gives the command that replays a finding, and the file that it reads if one was
    /// written; it is called once for each finding, with its number within the run.
    pub fn line(&mut self, event: &Event, replay: impl FnOnce(&Finding, &str) -> (String, Option<String>)) -> Line {
        match event {
            Event::Case(report) => Line::Case(case(report)),
            Event::Found(finding) | Event::Lacks { finding, .. } => self.failure(finding, replay),
            Event::LeftOut { property, because } => {
                Line::Event(journal::Event::left_out(property.id, &because.to_string()))
            }
            Event::GivenUp { property, reason } => note("given-up", format!("{}: {reason}", property.id)),
        }
    }

    fn failure(&mut self, finding: &Finding, replay: impl FnOnce(&Finding, &str) -> (String, Option<String>)) -> Line {
        self.findings += 1;
        let id = format!("f{}", self.findings);
        let (command, path) = replay(finding, &id);
        let shrinking = &finding.shrinking;
        Line::Failure(Box::new(journal::Failure {
            property: finding.property.to_owned(),
            index: finding.index,
            requirements: finding.failure.requirements.clone(),
            check: finding.failure.name.clone(),
            signature: finding.signature.clone(),
            summary: summary(finding),
            severity: None,
            expected: finding.failure.expected.clone(),
            actual: finding.failure.actual.clone(),
            minimal: minimal(&finding.record),
            replay: journal::Replay { path, command, scenario: json!(finding.scenario), tape: json!(finding.tape) },
            shrink: Some(journal::Shrink {
                executions: shrinking.executions as u64,
                accepted: shrinking.accepted as u64,
                initial_size: shrinking.initial_size as u64,
                final_size: shrinking.final_size as u64,
                stopped_by: shrinking.stopped_by.to_owned(),
            }),
            reproduced: journal::Reproduced { attempts: finding.attempts, times: finding.reproduced },
            id,
        }))
    }
}

fn note(kind: &str, detail: String) -> Line {
    Line::Event(journal::Event { kind: kind.to_owned(), detail })
}

fn case(report: &CaseReport) -> journal::Case {
    let (outcome, detail, failures) = match &report.outcome {
        CaseOutcome::Pass => (journal::Outcome::Pass, None, Vec::new()),
        CaseOutcome::Fail(signatures) => (journal::Outcome::Fail, None, signatures.clone()),
        CaseOutcome::Discard(reason) => (journal::Outcome::Discard, Some(reason.clone()), Vec::new()),
        CaseOutcome::Error(reason) => (journal::Outcome::Error, Some(reason.clone()), Vec::new()),
    };
    journal::Case {
        property: report.property.id.to_owned(),
        index: report.index,
        outcome,
        cases: u64::from(report.cases),
        asserted: report.asserted.clone(),
        requests: report.requests,
        ms: report.microseconds / 1000,
        detail,
        failures,
    }
}

fn summary(finding: &Finding) -> String {
    let history = if finding.needs_history { " (only on a definition with a history; the steps show it)" } else { "" };
    format!("{}{history}", finding.failure.summary)
}

/// The smallest experiment: definitions, the objects in the bodies of creates, and all requests, those that install the
/// definitions first.
pub(crate) fn minimal(record: &Record) -> journal::Minimal {
    let installed = record.definitions.iter().map(|document| journal::Request {
        method: "POST".to_owned(),
        path: DEFINITIONS.to_owned(),
        headers: vec![header("Content-Type", "application/json")],
        body: Some(journal::Body::Text(document.to_string())),
        status: Some(201),
        response: None,
    });
    let mut definitions = record.definitions.clone();
    let mut objects = Vec::new();
    for exchange in &record.exchanges {
        let body = exchange.body.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(body) = body.filter(|_| exchange.method == "POST") {
            let is_definition = exchange.path.starts_with(DEFINITIONS);
            if is_definition { definitions.push(body) } else { objects.push(body) }
        }
    }
    journal::Minimal { definitions, objects, requests: installed.chain(record.exchanges.iter().map(request)).collect() }
}

fn request(exchange: &Exchange) -> journal::Request {
    let response = match &exchange.response {
        Value::Null => None,
        Value::String(text) => Some(journal::Body::Text(text.clone())),
        value => Some(journal::Body::Text(value.to_string())),
    };
    journal::Request {
        method: exchange.method.clone(),
        path: exchange.path.clone(),
        headers: exchange.headers.iter().map(|(name, value)| header(name, value)).collect(),
        body: exchange.body.clone().map(journal::Body::Text),
        status: Some(exchange.status),
        response,
    }
}

fn header(name: &str, value: &str) -> journal::RequestHeader {
    journal::RequestHeader { name: name.to_owned(), value: value.to_owned() }
}
