//! Removes secrets from each kind of line.
//!
//! Each structure is destructured without `..`, so that a new field which is forgotten here does not compile. A generic
//! walk over the JSON would also rewrite the words of the format itself.

use super::finding::{Body, Minimal, RecordedFinding, Replay, Request, RequestHeader, Shrink};
use super::model::{Case, Event, Footer, Header, Line, Plan, PlannedProperty, Run, ServerVersion, Target, Unsupported};
use crate::failure::{Failure, Signature};
use crate::redact::Redactor;

impl Line {
    /// The line without secrets.
    #[must_use]
    pub fn redacted(self, redactor: &Redactor) -> Self {
        match self {
            Self::Header(header) => Self::Header(Box::new(header.redacted(redactor))),
            Self::Plan(plan) => Self::Plan(plan.redacted(redactor)),
            Self::Case(case) => Self::Case(case.redacted(redactor)),
            Self::Finding(finding) => Self::Finding(Box::new(finding.redacted(redactor))),
            Self::Event(Event { kind, property, detail }) => Self::Event(Event {
                kind: redactor.prose(&kind),
                property: property.map(|property| redactor.prose(&property)),
                detail: redactor.prose(&detail),
            }),
            Self::Reached(reached) => Self::Reached(reached),
            // All words in it are of the program.
            Self::Sent(sent) => Self::Sent(sent),
            Self::Footer(footer) => Self::Footer(footer.redacted(redactor)),
            Self::Unknown => Self::Unknown,
        }
    }
}

impl Header {
    fn redacted(self, redactor: &Redactor) -> Self {
        // `format`, `tool` and the digests are words of the program, not input.
        let Self { format, tool, catalogue, generator, run, target, second_target, profile } = self;
        let Run { id, started, command, seed, cases, time_seconds, workers, qps, shard, fuzz } = run;
        Self {
            format,
            tool,
            catalogue,
            generator,
            run: Run {
                id: redactor.prose(&id),
                started: redactor.prose(&started),
                command: redactor.prose(&command),
                seed,
                cases,
                time_seconds,
                workers,
                qps,
                shard,
                fuzz,
            },
            target: target.redacted(redactor),
            second_target: second_target.map(|target| target.redacted(redactor)),
            profile: redactor.prose(&profile),
        }
    }
}

impl Target {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { kind, address, version, release } = self;
        Self {
            kind,
            address: redactor.prose(&address),
            version: version.map(|version| version.redacted(redactor)),
            release: redactor.prose(&release),
        }
    }
}

impl ServerVersion {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { git_version, git_commit, build_date, platform } = self;
        let optional = |text: Option<String>| text.map(|text| redactor.prose(&text));
        Self {
            git_version: redactor.prose(&git_version),
            git_commit: optional(git_commit),
            build_date: optional(build_date),
            platform: optional(platform),
        }
    }
}

impl Plan {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { properties, profile_complete, unsupported } = self;
        Self {
            properties: properties
                .into_iter()
                .map(|PlannedProperty { id, requirements, cases, minimum }| PlannedProperty {
                    id: redactor.prose(&id),
                    requirements: requirements.iter().map(|reference| redactor.prose(reference)).collect(),
                    cases,
                    minimum,
                })
                .collect(),
            profile_complete,
            unsupported: unsupported
                .into_iter()
                .map(|Unsupported { requirement, reason, lacks }| Unsupported {
                    requirement: redactor.prose(&requirement),
                    reason: redactor.prose(&reason),
                    lacks: lacks.map(|capability| redactor.prose(&capability)),
                })
                .collect(),
        }
    }
}

impl Case {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { property, index, outcome, cases, asserted, requests, ms, detail, failures } = self;
        Self {
            property: redactor.prose(&property),
            index,
            outcome,
            cases,
            asserted,
            requests,
            ms,
            detail: detail.map(|detail| redactor.prose(&detail)),
            failures: failures.into_iter().map(|signature| signature.redacted(redactor)).collect(),
        }
    }
}

impl RecordedFinding {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { id, index, failure, symptom, lacks, minimal, second_requests, replay, shrink, reproduced, after_ms } =
            self;
        let Replay { path, command, scenario, tape } = replay;
        Self {
            id: redactor.prose(&id),
            index,
            failure: failure.redacted(redactor),
            symptom: redactor.prose(&symptom),
            lacks: lacks.map(|capability| redactor.prose(&capability)),
            minimal: minimal.redacted(redactor),
            second_requests: second_requests.into_iter().map(|request| request.redacted(redactor)).collect(),
            replay: Replay {
                path: path.map(|path| redactor.prose(&path)),
                command: redactor.prose(&command),
                scenario: redactor.value(&scenario),
                tape: redactor.value(&tape),
            },
            shrink: shrink.map(|shrink| {
                let Shrink { executions, accepted, initial_size, final_size, stopped_by } = shrink;
                Shrink { executions, accepted, initial_size, final_size, stopped_by: redactor.prose(&stopped_by) }
            }),
            reproduced,
            after_ms,
        }
    }
}

impl Failure {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { signature, requirements, summary, expected, actual, between } = self;
        Self {
            signature: signature.redacted(redactor),
            requirements: requirements.iter().map(|reference| redactor.prose(reference)).collect(),
            summary: redactor.prose(&summary),
            expected: redactor.value(&expected),
            actual: redactor.value(&actual),
            between: between.map(|names| Box::new(names.map(|name| redactor.prose(&name)))),
        }
    }
}

impl Signature {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { property, check, place, reason } = self;
        Self {
            property: redactor.prose(&property),
            check: redactor.prose(&check),
            place: redactor.prose(&place),
            reason: redactor.prose(&reason),
        }
    }
}

impl Minimal {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { definitions, objects, requests } = self;
        Self {
            definitions: definitions.iter().map(|definition| redactor.value(definition)).collect(),
            objects: objects.iter().map(|object| redactor.value(object)).collect(),
            requests: requests.into_iter().map(|request| request.redacted(redactor)).collect(),
        }
    }
}

impl Request {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { method, path, headers, body, status, response } = self;
        Self {
            method: redactor.text(&method),
            path: redactor.prose(&path),
            headers: headers
                .into_iter()
                .map(|RequestHeader { name, value }| RequestHeader {
                    value: redactor.header(&name, &value),
                    name: redactor.text(&name),
                })
                .collect(),
            body: body.map(|body| body.redacted(redactor)),
            status,
            response: response.map(|response| response.redacted(redactor)),
        }
    }
}

impl Body {
    fn redacted(self, redactor: &Redactor) -> Self {
        match self {
            Self::Text(text) => Self::Text(redactor.text(&text)),
            Self::Base64(encoded) => Self::Base64(redactor.base64(&encoded)),
        }
    }
}

impl Footer {
    fn redacted(self, redactor: &Redactor) -> Self {
        let Self { complete, stop_reason, verdict, cases, failures, errors, requests, ended } = self;
        Self {
            complete,
            stop_reason,
            verdict: redactor.prose(&verdict),
            cases,
            failures,
            errors,
            requests,
            ended: redactor.prose(&ended),
        }
    }
}
