//! Removes secrets from each kind of line.

use serde_json::Value;

use super::finding::{Body, Minimal, RecordedFinding, Replay, Request, RequestHeader, Shrink};
use super::model::{Case, Event, Footer, Header, Line, Plan, PlannedProperty, Run, ServerVersion, Target, Unsupported};
use crate::failure::{Failure, Signature};
use crate::redact::Redactor;

impl Line {
    /// The line without secrets.
    #[must_use]
    pub fn redacted(mut self, redactor: &Redactor) -> Self {
        match &mut self {
            Self::Header(header) => header.redact(redactor),
            Self::Plan(plan) => plan.redact(redactor),
            Self::Case(case) => case.redact(redactor),
            Self::Finding(finding) => finding.redact(redactor),
            Self::Event(event) => event.redact(redactor),
            Self::Footer(footer) => footer.redact(redactor),
            // All words in them are of the program.
            Self::Reached(_) | Self::Sent(_) | Self::Unknown => {}
        }
        self
    }
}

/// Data that may hold secrets.
trait Redact {
    /// Removes the secrets.
    fn redact(&mut self, redactor: &Redactor);
}

/// The fields of structures: those that may hold secrets, and behind the semicolon those that cannot.
///
/// Each structure is destructured without `..`, so that a new field which is forgotten here does not compile. A generic
/// walk over the JSON would also rewrite the words of the format itself.
macro_rules! fields {
    ($($structure:ident { $($secret:ident),*; $($harmless:ident),* })*) => {$(
        impl Redact for $structure {
            fn redact(&mut self, redactor: &Redactor) {
                let Self { $($secret,)* $($harmless: _,)* } = self;
                $($secret.redact(redactor);)*
            }
        }
    )*};
}

fields! {
    // `format`, `tool` and the digests are words of the program, not input.
    Header { run, target, second_target, profile; format, tool, catalogue, generator }
    Run { id, started, command; seed, cases, time_seconds, workers, qps, shard, fuzz }
    Target { address, version, release; kind }
    ServerVersion { git_version, git_commit, build_date, platform; }
    Plan { properties, unsupported; profile_complete }
    PlannedProperty { id, requirements; cases, minimum }
    Unsupported { requirement, reason, lacks; }
    Case { property, detail, failures; index, outcome, cases, asserted, requests, ms }
    RecordedFinding {
        id, failure, promise, symptom, lacks, minimal, second_requests, replay, shrink;
        index, reproduced, unconfirmed, after_ms
    }
    Failure { signature, requirements, summary, expected, actual, between; }
    Signature { property, check, place, reason; }
    Minimal { definitions, objects, requests; }
    Replay { path, command, scenario, tape; }
    Shrink { stopped_by; executions, accepted, initial_size, final_size }
    Event { kind, property, detail; }
    Footer { verdict, ended; complete, stop_reason, cases, failures, errors, requests }
}

impl Redact for Request {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { method, path, headers, body, status: _, response, about } = self;
        *method = redactor.text(method);
        path.redact(redactor);
        for RequestHeader { name, value } in headers {
            *value = redactor.header(name, value);
            *name = redactor.text(name);
        }
        body.redact(redactor);
        response.redact(redactor);
        about.redact(redactor);
    }
}

impl Redact for Body {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::Text(text) => *text = redactor.text(text),
            Self::Base64(encoded) => *encoded = redactor.base64(encoded),
        }
    }
}

/// A text is prose, unless the structure that holds it says otherwise.
impl Redact for String {
    fn redact(&mut self, redactor: &Redactor) {
        *self = redactor.prose(self);
    }
}

impl Redact for Value {
    fn redact(&mut self, redactor: &Redactor) {
        *self = redactor.value(self);
    }
}

impl<T: Redact> Redact for Option<T> {
    fn redact(&mut self, redactor: &Redactor) {
        self.iter_mut().for_each(|inner| inner.redact(redactor));
    }
}

impl<T: Redact> Redact for Vec<T> {
    fn redact(&mut self, redactor: &Redactor) {
        self.iter_mut().for_each(|item| item.redact(redactor));
    }
}

/// The names of two answers.
impl Redact for Box<[String; 2]> {
    fn redact(&mut self, redactor: &Redactor) {
        self.iter_mut().for_each(|name| name.redact(redactor));
    }
}
