//! A report as SARIF 2.1.0, which code scanning reads.

use std::collections::BTreeMap;

use crdible_spec::{Catalogue, Level};
use serde_json::{Value, json};

use super::human::finding;
use super::visible;
use crate::fold::{base, resolve};
use crate::model::{Report, ReportedFinding};

/// The report as a SARIF log: requirements that failed are rules, failures are results, and known failures are
/// suppressed results. The signature of a failure is its fingerprint.
pub fn sarif(report: &Report, catalogue: &Catalogue) -> String {
    let report = &visible::visible(report);
    let mut rules = Rules::default();
    // A failure that is reported together with another one is a separate result, too.
    let mut results: Vec<Value> = Vec::new();
    for found in report.failures.iter().filter(|found| found.has_details()) {
        results.push(result(found, &mut rules, catalogue));
        for also in &found.also {
            let rule = also.requirements.first().map_or("none", |first| base(first));
            let text = format!("{}\nreported together with {}", also.summary, found.failure.signature);
            let of_rule = rules.place(rule, found.level, catalogue);
            results.push(json!({
                "ruleId": rule, "ruleIndex": of_rule, "level": level(found.level),
                "message": {"text": text},
                "locations": locations(None, &also.signature.check),
                "partialFingerprints": {"crdibleSignature/v1": also.signature.to_string()},
            }));
        }
    }
    for known in &report.known {
        let mut suppressed = result(&known.finding, &mut rules, catalogue);
        suppressed["suppressions"] = json!([{"kind": "external", "status": "accepted", "justification": known.reason}]);
        results.push(suppressed);
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": report.tool.name, "version": report.tool.version, "rules": rules.rules}},
            "invocations": [invocation(report)],
            "columnKind": "unicodeCodePoints",
            "properties": {
                "verdict": report.verdict.as_str(),
                "seed": report.seed.to_string(),
                "profile": report.profile,
                "target": report.target.address,
                "release": report.target.release,
            },
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn invocation(report: &Report) -> Value {
    let notification = |reason: &String| json!({"level": "error", "message": {"text": reason}});
    let notifications: Vec<Value> = report.reasons.iter().map(notification).collect();
    let mut invocation = json!({
        "executionSuccessful": report.complete,
        "commandLine": report.run.command,
        "toolExecutionNotifications": notifications,
    });
    for (name, time) in [("startTimeUtc", Some(&report.run.started)), ("endTimeUtc", report.ended.as_ref())] {
        // The format requires valid times.
        if let Some(time) = time.filter(|time| time.parse::<jiff::Timestamp>().is_ok() && time.ends_with('Z')) {
            invocation[name] = json!(time);
        }
    }
    invocation
}

/// The requirements that failed, each once.
#[derive(Default)]
struct Rules {
    rules: Vec<Value>,
    places: BTreeMap<String, usize>,
}

impl Rules {
    /// The place of a requirement among the rules.
    fn place(&mut self, id: &str, level_of_failure: Level, catalogue: &Catalogue) -> usize {
        if let Some(&place) = self.places.get(id) {
            return place;
        }
        let found = resolve(catalogue, id).map(crdible_spec::Resolved::requirement);
        let of_rule = found.map_or(level_of_failure, |requirement| requirement.level);
        let title = found.map_or("not in this catalogue", |requirement| requirement.title.as_str());
        let text = found.map_or(title, |requirement| requirement.text.as_str());
        self.rules.push(json!({
            "id": id,
            "shortDescription": {"text": title},
            "fullDescription": {"text": text},
            "defaultConfiguration": {"level": level(of_rule)},
            "properties": {"level": of_rule.to_string(), "tags": ["conformance"]},
        }));
        self.places.insert(id.to_owned(), self.rules.len() - 1);
        self.rules.len() - 1
    }
}

fn result(found: &ReportedFinding, rules: &mut Rules, catalogue: &Catalogue) -> Value {
    let failure = &found.failure;
    let rule = finding::edges_first(&failure.requirements).first().map_or("none", |first| base(first)).to_owned();
    let place = rules.place(&rule, found.level, catalogue);
    let replay = finding::replay(found);
    let text = format!("{}\n{}\nreplay: {replay}", failure.summary, finding::evidence(found));
    let file = found.replay.as_ref().and_then(|replay| replay.path.as_deref());
    json!({
        "ruleId": rule,
        "ruleIndex": place,
        "level": level(found.level),
        "message": {"text": text},
        "locations": locations(file, &failure.signature.check),
        "partialFingerprints": {"crdibleSignature/v1": failure.signature.to_string()},
        "properties": {"requirements": failure.requirements, "occurrences": found.occurrences, "replay": replay},
    })
}

/// The counterexample, and the check that failed.
fn locations(file: Option<&str>, check: &str) -> Value {
    let mut location = json!({"logicalLocations": [{"name": if check.is_empty() { "check" } else { check }}]});
    if let Some(file) = file.map(uri) {
        location["physicalLocation"] = json!({"artifactLocation": {"uri": file}, "region": {"startLine": 1}});
    }
    json!([location])
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May | Level::Quirk => "note",
    }
}

#[cfg(test)]
pub(super) mod tests;
