//! What the rules of a definition say about the objects of a failure, and which operands decided.
//!
//! That is an explanation for people. The embedded server's own functions evaluate the rules here, after the verdict:
//! what a target must answer follows from the scenario alone, which knows nothing of this.

mod evaluations;
mod writes;

use std::thread;

use crdible_reports::{
    Report,
    journal::Request,
    model::{ReportedFinding, RulesOfFinding},
};
use crdible_semantics::{Release, Semantics, release::Version};

pub(crate) use evaluations::Answers;

/// Deeply nested values need more than the usual stack.
const STACK: usize = 64 * 1024 * 1024;

/// What all evaluations for one report may cost: a few seconds.
const BUDGET: u64 = 40_000_000;

/// Adds to each finding of a report what the rules say, where that matters and the report does not have it yet.
pub(crate) fn explained(mut report: Report) -> Report {
    let Ok(version) = report.target.release.parse::<Version>() else { return report };
    let known = report.known.iter_mut().map(|known| &mut known.finding);
    let findings = report.failures.iter_mut().chain(known);
    let findings: Vec<&mut ReportedFinding> = findings.filter(|finding| finding.rules.is_empty()).collect();
    let requests: Vec<&[Request]> = findings.iter().map(|finding| finding.minimal.requests.as_slice()).collect();
    let rules = of(&requests, version.nearest(), Answers::OfTheTarget);
    for (finding, rules) in findings.into_iter().zip(rules) {
        finding.rules = rules;
    }
    report
}

/// What the rules say about the objects of the requests of one finding.
pub(crate) fn of_requests(requests: &[Request], release: Release, answers: Answers) -> RulesOfFinding {
    of(&[requests], release, answers).pop().unwrap_or_default()
}

/// The same of several findings, in their order.
fn of(findings: &[&[Request]], release: Release, answers: Answers) -> Vec<RulesOfFinding> {
    if !findings.iter().any(|requests| writes::have_rules(requests)) {
        return vec![RulesOfFinding::default(); findings.len()];
    }
    let (semantics, mut budget) = (Semantics::at(release), BUDGET);
    let mut explain = || {
        let each = findings.iter().map(|requests| match writes::have_rules(requests) {
            true => evaluations::of(&writes::of(requests), &semantics, answers, &mut budget),
            false => RulesOfFinding::default(),
        });
        each.collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &mut explain);
        // A report without explanations is better than none.
        worker.ok().and_then(|worker| worker.join().ok())
    })
    .unwrap_or_default()
}

#[cfg(test)]
mod tests;
