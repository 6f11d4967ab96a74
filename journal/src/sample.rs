//! A small catalogue and a small run, for the tests of this crate and of `reports`, which each leave some of it unused.
#![allow(clippy::unwrap_used, dead_code)]

use crdible_spec::Catalogue;
use jiff::civil::Date;
use serde_json::json;

use crate::journal::{
    Body, Case, CatalogueStamp, Classes, Event, FORMAT, Footer, GeneratorStamp, Header, Journal, Line, Minimal,
    Outcome, Plan, PlannedProperty, RecordedFinding, Replay, Reproduced, Request, RequestHeader, Run, Sent,
    ServerVersion, Shard, Shrink, StopReason, Target, TargetKind, Tool, Unsupported,
};
use crate::{Failure, KnownFailures, Signature};

const PRUNING: &str = "\
# 3. Pruning (PRUNE)

Run on kube-apiserver 1.36.3: nothing, this chapter is fictional.

**PRUNE-001 — undeclared fields.** The server MUST drop fields that no schema declares. It does so at every depth.
- Edge: also below `additionalProperties`.
- Edge [Q]: without a warning.

**PRUNE-002 — arrays.** Elements of arrays MUST be pruned by `items`.

**PRUNE-003 — warnings [SHOULD].** The server warns of each dropped field.

**PRUNE-004 — of the future.** What no release of today promises.
- Since: 1.99
";

const DEFAULTING: &str = "\
# 4. Defaulting (DEFAULT)

Run on kube-apiserver 1.36.3: nothing, this chapter is fictional.

**DEFAULT-001 — missing property.** A missing property MUST get its default.

**DEFAULT-002 — null.** A null of a nullable property MUST stay.
";

pub(crate) fn catalogue() -> Catalogue {
    Catalogue::parse([("03-pruning.md", PRUNING), ("04-defaulting.md", DEFAULTING)]).unwrap()
}

pub(crate) fn today() -> Date {
    "2026-11-21".parse().unwrap()
}

pub(crate) fn known(text: &str) -> KnownFailures {
    KnownFailures::parse(text, "known.toml", &catalogue()).unwrap()
}

pub(crate) fn header() -> Header {
    Header {
        format: FORMAT.to_owned(),
        tool: Tool { name: "crdible".to_owned(), version: "0.1.0".to_owned() },
        catalogue: CatalogueStamp { digest: "00c0ffee".to_owned(), requirements: 6 },
        generator: GeneratorStamp { digest: "00facade".to_owned() },
        run: Run {
            id: "r1".to_owned(),
            started: "2026-11-21T12:00:00Z".to_owned(),
            command: "crdible run --seed 42".to_owned(),
            seed: 42,
            cases: 20,
            time_seconds: Some(8.5),
            workers: 2,
            qps: None,
            shard: None,
            fuzz: false,
        },
        target: Target {
            kind: TargetKind::Server,
            address: "https://127.0.0.1:6443".to_owned(),
            version: Some(ServerVersion { git_version: "v1.36.3".to_owned(), ..ServerVersion::default() }),
            release: "1.36".to_owned(),
        },
        second_target: None,
        profile: "core".to_owned(),
    }
}

/// The second target of a comparison.
pub(crate) fn second_target() -> Target {
    Target { kind: TargetKind::Embedded, address: "embedded".to_owned(), version: None, release: "1.36".to_owned() }
}

pub(crate) fn shard(index: u32, count: u32) -> Shard {
    Shard { index, count }
}

pub(crate) fn planned(id: &str, requirements: &[&str], minimum: u64) -> PlannedProperty {
    PlannedProperty {
        id: id.to_owned(),
        requirements: requirements.iter().map(|&reference| reference.to_owned()).collect(),
        cases: 20,
        minimum,
    }
}

pub(crate) fn unsupported(requirement: &str, capability: &str) -> Unsupported {
    Unsupported {
        requirement: requirement.to_owned(),
        reason: format!("the target does not support {capability}"),
        lacks: Some(capability.to_owned()),
    }
}

pub(crate) fn signature(property: &str, check: &str, place: &str, reason: &str) -> Signature {
    Signature::new(property, check, place, reason)
}

/// A scenario of 10 cases.
pub(crate) fn case(property: &str, index: u64, outcome: Outcome, asserted: &[usize]) -> Case {
    Case {
        property: property.to_owned(),
        index,
        outcome,
        cases: 10,
        asserted: asserted.to_vec(),
        requests: 12,
        ms: 30,
        detail: None,
        failures: Vec::new(),
    }
}

pub(crate) fn failing(property: &str, index: u64, asserted: &[usize], signature: &Signature) -> Case {
    Case { failures: vec![signature.clone()], ..case(property, index, Outcome::Fail, asserted) }
}

pub(crate) fn finding(property: &str, index: u64, requirements: &[&str], signature: &Signature) -> RecordedFinding {
    assert_eq!(signature.property, property);
    RecordedFinding {
        id: format!("f{index}"),
        index,
        failure: Failure {
            signature: signature.clone(),
            requirements: requirements.iter().map(|&reference| reference.to_owned()).collect(),
            summary: "the field /spec/a/x was returned although no schema declares it".to_owned(),
            expected: json!({"spec": {"a": {}, "b": 1}}),
            actual: json!({"spec": {"a": {"x": "yes"}, "b": 1}}),
            between: None,
        },
        promise: String::new(),
        symptom: String::new(),
        lacks: None,
        minimal: Minimal {
            definitions: vec![json!({
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "spec": {"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "properties": {"spec": {"type": "object"}}}}}]},
            })],
            objects: vec![json!({"kind": "Thing", "spec": {"a": {"x": "yes"}, "b": 1}})],
            requests: vec![
                Request {
                    method: "POST".to_owned(),
                    path: "/apis/g.example/v1/namespaces/n/things".to_owned(),
                    headers: vec![
                        RequestHeader { name: "Authorization".to_owned(), value: "[redacted]".to_owned() },
                        RequestHeader { name: "Content-Type".to_owned(), value: "application/json".to_owned() },
                    ],
                    body: Some(Body::Text("{\"note\":\"it's\"}".to_owned())),
                    status: Some(201),
                    response: Some(Body::Text("{}".to_owned())),
                    about: None,
                },
                Request {
                    method: "GET".to_owned(),
                    path: "/apis/g.example/v1/namespaces/n/things/t?watch=false&x=[1]".to_owned(),
                    headers: Vec::new(),
                    body: None,
                    status: None,
                    response: None,
                    about: None,
                },
            ],
        },
        second_requests: Vec::new(),
        replay: Replay {
            path: Some("crdible-failures/f3.json".to_owned()),
            command: "crdible replay crdible-failures/f3.json".to_owned(),
            scenario: json!({"steps": []}),
            tape: json!([1, 0, 7]),
        },
        shrink: Some(Shrink {
            executions: 61,
            accepted: 9,
            initial_size: 212,
            final_size: 9,
            stopped_by: "complete".to_owned(),
        }),
        reproduced: Reproduced { attempts: 3, times: 3, races: 0 },
        unconfirmed: false,
        after_ms: Some(2_340),
    }
}

pub(crate) fn footer() -> Footer {
    Footer {
        complete: true,
        stop_reason: StopReason::Finished,
        verdict: "nonconformant".to_owned(),
        cases: 70,
        failures: 2,
        errors: 1,
        requests: 100,
        ended: "2026-11-21T12:00:09Z".to_owned(),
    }
}

/// A run without failures: two properties, each with its minimum of cases.
pub(crate) fn clean() -> Journal {
    let mut journal = Journal::new(header());
    journal.plan = Plan {
        properties: vec![
            planned("prune-undeclared", &["PRUNE-001", "PRUNE-001/e1", "PRUNE-001/e2", "PRUNE-002"], 20),
            planned("default-missing", &["DEFAULT-001"], 10),
        ],
        profile_complete: true,
        unsupported: vec![unsupported("DEFAULT-002", "nulls")],
    };
    for index in 0..3 {
        journal.cases.push(case("prune-undeclared", index, Outcome::Pass, &[0, 1, 2, 3]));
        journal.cases.push(case("default-missing", index, Outcome::Pass, &[0]));
    }
    journal.footer = Some(footer());
    journal
}

/// The clean run with one new finding, one known failure, and one scenario of every other outcome.
pub(crate) fn eventful() -> Journal {
    let mut journal = clean();
    let extra = signature("prune-undeclared", "body-equal", "content", "unexpected");
    journal.cases.push(failing("prune-undeclared", 3, &[0, 1], &extra));
    journal.cases.push(failing("prune-undeclared", 4, &[0, 1], &extra));
    journal.findings.push(finding("prune-undeclared", 3, &["PRUNE-001", "PRUNE-001/e1"], &extra));
    let missing = signature("default-missing", "body-equal", "content", "missing");
    journal.cases.push(failing("default-missing", 3, &[0], &missing));
    journal.findings.push(finding("default-missing", 3, &["DEFAULT-001"], &missing));
    let not_judged = |outcome, index, detail: &str| Case {
        detail: Some(detail.to_owned()),
        cases: 0,
        ..case("default-missing", index, outcome, &[])
    };
    journal.cases.push(not_judged(Outcome::Error, 4, "connection reset"));
    journal.cases.push(not_judged(Outcome::Discard, 5, "an assumption does not hold"));
    for _ in 0..2 {
        journal.events.push(Event::new("http-429", "waited 1 s"));
    }
    journal.sent = sent();
    journal
}

/// What the eventful run sent: two kinds of requests, and two keywords that met.
fn sent() -> Sent {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut sent = Sent::default();
    for microseconds in [900, 1_100, 20_000] {
        sent.requests.entry("POST of objects".to_owned()).or_default().note(microseconds);
    }
    sent.requests.entry("GET of object".to_owned()).or_default().note(700);
    sent.schemas.insert("prune-undeclared".to_owned(), 4);
    let maximum = [
        ("top".to_owned(), Classes { hit: names(&["on bound", "outside"]), missed: names(&["huge"]) }),
        ("items".to_owned(), Classes { hit: names(&[]), missed: names(&["on bound"]) }),
    ];
    sent.cells.insert("maximum".to_owned(), maximum.into());
    let nullable = [("top".to_owned(), Classes { hit: names(&["null"]), missed: names(&[]) })];
    sent.cells.insert("nullable".to_owned(), nullable.into());
    sent.together.insert("maximum".to_owned(), [("maximum".to_owned(), 3), ("nullable".to_owned(), 1)].into());
    sent.together.insert("nullable".to_owned(), [("nullable".to_owned(), 2)].into());
    sent.together.insert("title".to_owned(), [("title".to_owned(), 1)].into());
    sent
}

/// The clean run with this number of failures, each of a property of its own.
pub(crate) fn many_failures(count: u64) -> Journal {
    let mut journal = clean();
    for number in 0..count {
        let property = format!("prune-{number:03}");
        let signature = signature(&property, "get", "content", "unexpected");
        journal.findings.push(finding(&property, number, &["PRUNE-001"], &signature));
    }
    journal
}

/// Known failures of the eventful run: one entry that fails, one that does not, one that has expired.
pub(crate) const KNOWN: &str = r#"
[[known]]
requirement = "DEFAULT-001"
releases = ["1.35", "1.36"]
reason = "defaults of the root are missing"
issue = "https://issues.example/7"

[[known]]
requirement = "PRUNE-002"
releases = ["1.36"]
reason = "elements are not pruned"

[[known]]
signature = "prune-undeclared:*"
releases = ["1.36"]
reason = "should be fixed in spring"
expires = "2026-06-30"
"#;

/// The bytes of a journal.
pub(crate) fn written(journal: Journal) -> Vec<u8> {
    let mut writer = crate::journal::JournalWriter::new(Vec::new(), crate::redact::Redactor::default());
    for line in journal.into_lines() {
        let expected = line.clone();
        assert_eq!(writer.write(line).unwrap(), expected, "samples hold no secrets");
    }
    writer.into_inner()
}

/// Every kind of line.
pub(crate) fn lines() -> Vec<Line> {
    eventful().into_lines().collect()
}
