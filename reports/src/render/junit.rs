//! A report as `JUnit` XML, which CI servers read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crdible_spec::{Catalogue, Level};

pub(super) use self::document::{Document, Suite, Test, TestOutcome};
use super::human::{finding, sums};
use super::{Style, visible};
use crate::fold::base;
use crate::model::{EvidenceKind, KnownFinding, Report, ReportedFinding, RequirementResult, Status};
use crate::text::{grouped, plural};

/// The report as `JUnit` XML: one suite for each chapter, one test for each requirement, so that names stay the same
/// from run to run, and a first suite about the run itself.
///
/// A test fails or has an error only if the [verdict](crate::Verdict) is neither `Conformant` nor
/// `ConformantWithKnownFailures`: known failures and violated recommendations are skipped tests, with the reason.
pub fn junit(report: &Report, catalogue: &Catalogue) -> String {
    let report = &visible::visible(report);
    let mut suites = vec![of_the_run(report, catalogue)];
    let mut chapters: BTreeMap<u8, Vec<&RequirementResult>> = BTreeMap::new();
    for requirement in &report.requirements {
        chapters.entry(requirement.chapter.wrapping_sub(1)).or_default().push(requirement);
    }
    for requirements in chapters.into_values() {
        let Some(chapter) = requirements.first().map(|first| first.chapter) else { continue };
        let title = catalogue.chapter(chapter).map_or("not in this catalogue", |found| found.title.as_str());
        let name = if chapter == 0 { title.to_owned() } else { format!("{chapter} {title}") };
        let tests = requirements.into_iter().map(|requirement| Test {
            name: requirement.id.clone(),
            // CI servers read a dot as the end of a package's name.
            class: format!("crdible.{}", title.replace('.', "")),
            outcome: outcome(report, requirement, catalogue),
            output: Some(statistics(report, requirement)),
        });
        suites.push(Suite { name, properties: Vec::new(), tests: tests.collect() });
    }
    Document { name: "crdible", took: Some(duration(report)), suites }.to_xml()
}

/// How long the run took; zero if it was killed.
fn duration(report: &Report) -> Duration {
    let times = (report.run.started.parse::<jiff::Timestamp>(), report.ended.as_deref().map(str::parse));
    let (Ok(started), Some(Ok(ended))) = times else { return Duration::ZERO };
    Duration::try_from(jiff::Timestamp::duration_since(ended, started)).unwrap_or_default()
}

/// The suite about the run: whether it is complete, and failures that name no requirement.
fn of_the_run(report: &Report, catalogue: &Catalogue) -> Suite {
    let version = report.target.version.as_ref().map_or("unknown", |version| version.git_version.as_str());
    let properties = vec![
        ("verdict", report.verdict.as_str().to_owned()),
        ("seed", report.seed.to_string()),
        ("profile", report.profile.clone()),
        ("target", report.target.address.clone()),
        ("target version", version.to_owned()),
        ("release", report.target.release.clone()),
        ("catalogue", report.catalogue.digest.clone()),
        ("crdible", report.tool.version.clone()),
        ("started", report.run.started.clone()),
        ("command", report.run.command.clone()),
    ];
    let complete = if report.verdict.is_inconclusive() {
        TestOutcome::unhappy(false, report.verdict.as_str(), &report.statement, &report.reasons.join("\n"))
    } else {
        TestOutcome::Passed
    };
    let test =
        |name: &str, outcome, output| Test { name: name.to_owned(), class: "crdible.run".to_owned(), outcome, output };
    let mut tests = vec![test("complete", complete, Some(format!("{}\n{}", report.statement, sums(report))))];
    for finding in report.failures.iter().filter(|finding| finding.failure.requirements.is_empty()) {
        tests.push(test(&finding.failure.signature.to_string(), failure(finding, catalogue), None));
    }
    Suite { name: "run".to_owned(), properties, tests }
}

/// Why a requirement has no result, if its property was not run.
const NOT_RUN: &str = "no property that asserts it was run";

fn outcome(report: &Report, requirement: &RequirementResult, catalogue: &Catalogue) -> TestOutcome {
    let concerns = |finding: &ReportedFinding| {
        let mut references = finding.failure.requirements.iter();
        references.any(|reference| base(reference) == requirement.id)
    };
    let found = report.failures.iter().find(|finding| concerns(finding));
    let not_judged = |reason| TestOutcome::skipped(requirement.reason.as_deref().unwrap_or(reason));
    match requirement.status {
        Status::Pass | Status::UnexpectedPass => TestOutcome::Passed,
        Status::Fail | Status::Flaky => match found {
            Some(finding) => failure(finding, catalogue),
            // It is listed in the entry of another failure.
            None => also_seen(report, requirement),
        },
        Status::Known => TestOutcome::skipped(&known(report.known.iter().find(|known| concerns(&known.finding)))),
        Status::Unsupported => not_judged("the target does not support what it needs"),
        Status::NotPromised => not_judged("the release does not promise it"),
        Status::NotRun if report.verdict.is_inconclusive() => TestOutcome::unhappy(false, "not-run", NOT_RUN, ""),
        Status::NotRun => not_judged(NOT_RUN),
        Status::Inconclusive if requirement.level == Level::Must && report.verdict.is_inconclusive() => {
            TestOutcome::unhappy(
                false,
                "inconclusive",
                "too few cases or only errors",
                &statistics(report, requirement),
            )
        }
        Status::Inconclusive => TestOutcome::skipped("inconclusive: too few cases or only errors"),
    }
}

/// A failed test; one that violates only a recommendation is skipped, and one that is uncertain has an error.
fn failure(found: &ReportedFinding, catalogue: &Catalogue) -> TestOutcome {
    let message = format!("{}: {}", finding::first_requirement(found, catalogue), found.failure.summary);
    if found.level != Level::Must {
        return does_not_count(found.level, &message);
    }
    let text = finding::finding(found, catalogue, Style::default());
    let is_confirmed = found.evidence == EvidenceKind::Confirmed;
    TestOutcome::unhappy(is_confirmed, &found.failure.signature.to_string(), &message, &text)
}

fn does_not_count(level: Level, message: &str) -> TestOutcome {
    TestOutcome::skipped(&format!("does not count, because it is a {level}: {message}"))
}

/// The outcome of a requirement whose failure is reported together with another one.
fn also_seen(report: &Report, requirement: &RequirementResult) -> TestOutcome {
    let entries = report.failures.iter().flat_map(|entry| entry.also.iter().map(move |also| (entry, also)));
    let mut concerned =
        entries.filter(|(_, also)| also.requirements.iter().any(|reference| base(reference) == requirement.id));
    let Some((entry, also)) = concerned.next() else {
        return TestOutcome::skipped("it failed, but no failure of this report names it");
    };
    let message = format!("{} — {}: {}", requirement.id, requirement.title, also.summary);
    if requirement.level != Level::Must {
        return does_not_count(requirement.level, &message);
    }
    let mut text = format!("reported together with {}\nsignature {}\n", entry.failure.signature, also.signature);
    if let Some(replay) = &also.replay {
        let _ = writeln!(text, "replay\n{replay}");
    }
    TestOutcome::unhappy(also.evidence == EvidenceKind::Confirmed, &also.signature.to_string(), &message, &text)
}

fn known(known: Option<&KnownFinding>) -> String {
    let Some(known) = known else { return "known failure".to_owned() };
    let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
    format!("known failure {}: {}{issue}", known.entry, known.reason)
}

/// What the verdict on a requirement rests on.
fn statistics(report: &Report, requirement: &RequirementResult) -> String {
    let mut text = format!("{} ({}): {}\n", requirement.id, requirement.level, requirement.title);
    let _ = writeln!(text, "{}, {}", requirement.status.as_str(), plural(requirement.cases, "case"));
    for property in report.properties.iter().filter(|property| requirement.properties.contains(&property.id)) {
        let _ = writeln!(
            text,
            "{}: {}, {} discarded, {}, {}, {} ms",
            property.id,
            plural(property.cases, "case"),
            grouped(property.discarded),
            plural(property.errors, "error"),
            plural(property.requests, "request"),
            grouped(property.ms),
        );
    }
    text
}

mod document;
#[cfg(test)]
pub(super) mod tests;
