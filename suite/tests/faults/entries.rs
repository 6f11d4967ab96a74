//! What a report makes of a server with one fault: one entry, of the feature that is broken, with its request and what
//! was seen.

use crdible_reports::{Report, model::ReportedFinding};
use libtest_mimic::Failed;
use serde_json::json;

use crate::{
    clock,
    json::remove,
    ran::Ran,
    table::{Fault, obvious_fault},
};

/// A server, and how its report begins.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) fault: Fault,
    /// The area of the first entry: a section of the specification.
    area: &'static str,
    /// The requirement that it is about.
    requirement: &'static str,
    /// What its summary contains: the request, and what was seen.
    summary: &'static [&'static str],
    /// The status of each create of a definition that it shows.
    created: u16,
}

/// Each breaks a promise that many properties rely on.
pub(crate) const ROWS: &[Row] = &[
    Row {
        fault: obvious_fault("lists-untyped-items", "the objects of a list have no apiVersion")
            .breaks(&["REST-021"], &["rest-001-routes"])
            .answers(|_, answer| {
                for item in answer.items() {
                    remove(item, "/apiVersion");
                }
            }),
        area: "11.2 Create, get, list",
        requirement: "REST-021",
        summary: &["GET …/", "things", "apiVersion is missing"],
        created: 201,
    },
    Row {
        fault: obvious_fault("lists-without-a-kind", "a list has neither apiVersion nor kind")
            .breaks(&["REST-021"], &["rest-001-routes"])
            .answers(|_, answer| {
                if answer.body["kind"] == "ThingList" {
                    remove(&mut answer.body, "/apiVersion");
                    remove(&mut answer.body, "/kind");
                }
            }),
        area: "11.2 Create, get, list",
        requirement: "REST-021",
        summary: &["GET …/", "things", "/apiVersion is missing"],
        created: 201,
    },
    Row {
        fault: obvious_fault("knows-one-reason", "every error has the reason Invalid")
            .breaks(&["REST-073"], &["rest-029-refused-writes"])
            .all_answers(|_, answer| {
                if answer.body["kind"] == "Status" && !answer.is_success() {
                    answer.body["reason"] = json!("Invalid");
                }
            }),
        area: "11.8 every code has its reason",
        requirement: "REST-073",
        summary: &["Invalid"],
        created: 201,
    },
    Row {
        fault: obvious_fault("creates-definitions-with-200", "the create of a definition is answered with 200")
            .breaks(&["REST-013"], &["life-002-establishment"])
            .all_answers(|asked, answer| {
                if answer.head.status == 201 && asked.uri.path().ends_with("/customresourcedefinitions") {
                    answer.head.status = http::StatusCode::OK;
                }
            }),
        area: "11.2 Create, get, list",
        requirement: "REST-013",
        summary: &["POST …", "200", "expected 201"],
        created: 200,
    },
];

/// The server gets one entry, which begins as stated. No status is invented.
pub(crate) fn is_one_entry(row: &'static Row) -> Result<(), Failed> {
    let ran = clock::paused()?.block_on(Ran::of(&row.fault.start()))?;
    let wrong = complaints(row, &ran.report);
    if wrong.is_empty() { Ok(()) } else { Err(Failed::from(format!("{}\n{}", wrong.join("\n"), listed(&ran.report)))) }
}

fn complaints(row: &Row, report: &Report) -> Vec<String> {
    let settled: Vec<&ReportedFinding> = report.failures.iter().filter(|entry| entry.reproduced.times > 0).collect();
    let [entry, ..] = settled[..] else { return vec!["no entry".to_owned()] };
    let mut wrong = Vec::new();
    if settled.len() != 1 {
        wrong.push(format!("{} entries", settled.len()));
    }
    if !entry.symptom.starts_with(row.area) {
        wrong.push(format!("the area is not {}: {}", row.area, entry.symptom));
    }
    if !entry.symptom.ends_with(row.requirement) {
        wrong.push(format!("it is not about {}: {}", row.requirement, entry.symptom));
    }
    wrong.extend(
        row.summary.iter().filter(|part| !entry.failure.summary.contains(*part)).map(|part| format!("no `{part}`")),
    );
    let creates = |request: &&crdible_reports::journal::Request| {
        request.method == "POST" && request.path.ends_with("/customresourcedefinitions")
    };
    let statuses: Vec<Option<u16>> =
        entry.minimal.requests.iter().filter(creates).map(|request| request.status).collect();
    if statuses.is_empty() || statuses.iter().any(|status| *status != Some(row.created)) {
        wrong.push(format!("each definition was created with {}, not with {statuses:?}", row.created));
    }
    wrong
}

/// The entries of a report, each with those that it lists.
fn listed(report: &Report) -> String {
    let entry = |entry: &ReportedFinding| {
        let also =
            entry.also.iter().map(|also| format!("\n    {}: {} [{}]", also.signature, also.summary, also.symptom));
        let head = format!("{}: {} [{}]", entry.failure.signature, entry.failure.summary, entry.symptom);
        head + &also.collect::<String>()
    };
    report.failures.iter().map(entry).collect::<Vec<_>>().join("\n")
}
