//! A report as `JUnit` XML, which CI servers read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crdible_spec::{Catalogue, Level};
use quick_junit::{NonSuccessKind, Property, Report as Document, TestCase, TestCaseStatus, TestSuite};

use super::human::{finding, sums};
use super::{Style, visible};
use crate::fold::base;
use crate::model::{EvidenceKind, Finding, KnownFinding, Report, RequirementResult, Status};
use crate::text::{grouped, plural};
use crate::verdict::Verdict;

/// The report as `JUnit` XML: one suite for each chapter, one test for each requirement, so that names stay the same from run to
/// run, and a first suite about the run itself.
///
/// A test fails or has an error only if the verdict is neither [`Verdict::Conformant`] nor
/// [`Verdict::ConformantWithKnownFailures`]: known failures and violated recommendations are skipped tests, with the reason.
pub fn junit(report: &Report, catalogue: &Catalogue) -> String {
    let report = &visible::visible(report);
    let mut document = Document::new("crdible");
    document.set_time(duration(report));
    document.add_test_suite(of_the_run(report, catalogue));
    let mut chapters: BTreeMap<u8, Vec<&RequirementResult>> = BTreeMap::new();
    for requirement in &report.requirements {
        chapters.entry(requirement.chapter.wrapping_sub(1)).or_default().push(requirement);
    }
    for requirements in chapters.into_values() {
        let Some(chapter) = requirements.first().map(|first| first.chapter) else { continue };
        let title = catalogue.chapter(chapter).map_or("not in this catalogue", |found| found.title.as_str());
        let name = if chapter == 0 { title.to_owned() } else { format!("{chapter} {title}") };
        let mut suite = TestSuite::new(name);
        for requirement in requirements {
            // A dot would be taken for the end of a package's name.
            let mut test = TestCase::new(requirement.id.as_str(), status(report, requirement, catalogue));
            test.set_classname(format!("crdible.{}", title.replace('.', "")));
            test.set_system_out(statistics(report, requirement));
            suite.add_test_case(test);
        }
        document.add_test_suite(suite);
    }
    // Writing into memory does not fail.
    without_skipped(&document.to_string().unwrap_or_default())
}

/// The schema that CI servers publish has the number of skipped tests in each suite, but not in the root.
pub(super) fn without_skipped(document: &str) -> String {
    let root = document.find("<testsuites ").and_then(|from| Some(from..from + document[from..].find('>')?));
    let Some(root) = root else { return document.to_owned() };
    let attributes = document[root.clone()].split(' ').filter(|attribute| !attribute.starts_with("skipped="));
    let attributes = attributes.collect::<Vec<_>>().join(" ");
    format!("{}{attributes}{}", &document[..root.start], &document[root.end..])
}

/// How long the run took; zero if it was killed.
fn duration(report: &Report) -> Duration {
    let times = (report.run.started.parse::<jiff::Timestamp>(), report.ended.as_deref().map(str::parse));
    let (Ok(started), Some(Ok(ended))) = times else { return Duration::ZERO };
    Duration::try_from(jiff::Timestamp::duration_since(ended, started)).unwrap_or_default()
}

/// The suite about the run: whether it is complete, and what no requirement is blamed for.
fn of_the_run(report: &Report, catalogue: &Catalogue) -> TestSuite {
    let mut suite = TestSuite::new("run");
    let version = report.target.version.as_ref().map_or("unknown", |version| version.git_version.as_str());
    let properties = [
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
    suite.add_properties(properties.map(|(name, value)| Property::new(name, value)));
    let complete = if matches!(report.verdict, Verdict::Incomplete | Verdict::Unusable) {
        unhappy(NonSuccessKind::Error, report.verdict.as_str(), &report.statement, &report.reasons.join("\n"))
    } else {
        TestCaseStatus::success()
    };
    let mut test = TestCase::new("complete", complete);
    test.set_classname("crdible.run");
    test.set_system_out(format!("{}\n{}", report.statement, sums(report)));
    suite.add_test_case(test);
    for finding in report.failures.iter().filter(|finding| finding.failure.requirements.is_empty()) {
        let signature = finding.failure.signature.to_string();
        let mut test = TestCase::new(signature.as_str(), failure(finding, catalogue));
        test.set_classname("crdible.run");
        suite.add_test_case(test);
    }
    suite
}

pub(super) fn unhappy(kind: NonSuccessKind, type_: &str, message: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(type_).set_message(one_line(message)).set_description(text);
    status
}

pub(super) fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(one_line(reason));
    status
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(report: &Report, requirement: &RequirementResult, catalogue: &Catalogue) -> TestCaseStatus {
    let concerns = |finding: &Finding| {
        let mut references = finding.failure.requirements.iter();
        references.any(|reference| base(reference) == requirement.id)
    };
    let found = report.failures.iter().find(|finding| concerns(finding));
    match requirement.status {
        Status::Pass | Status::UnexpectedPass => TestCaseStatus::success(),
        Status::Fail | Status::Flaky => match found {
            Some(finding) => failure(finding, catalogue),
            // It is listed in the entry of another failure.
            None => also_seen(report, requirement),
        },
        Status::Known => skipped(&known(report.known.iter().find(|known| concerns(&known.finding)))),
        Status::Unsupported => skipped(requirement.reason.as_deref().unwrap_or("the target lacks what it needs")),
        Status::NotPromised => skipped(requirement.reason.as_deref().unwrap_or("the release does not promise it")),
        Status::NotRun if is_inconclusive(report.verdict) => {
            unhappy(NonSuccessKind::Error, "not-run", "no property that asserts it was run", "")
        }
        Status::NotRun => skipped(requirement.reason.as_deref().unwrap_or("no property that asserts it was run")),
        Status::Inconclusive if requirement.level == Level::Must && is_inconclusive(report.verdict) => unhappy(
            NonSuccessKind::Error,
            "inconclusive",
            "too few cases or only errors",
            &statistics(report, requirement),
        ),
        Status::Inconclusive => skipped("inconclusive: too few cases or only errors"),
    }
}

fn is_inconclusive(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Incomplete | Verdict::Unusable)
}

/// A failed test; one that violates only a recommendation is skipped, and one that is uncertain has an error.
fn failure(found: &Finding, catalogue: &Catalogue) -> TestCaseStatus {
    let message = format!("{}: {}", finding::first_requirement(&found.failure, catalogue), found.failure.summary);
    if found.level != Level::Must {
        return skipped(&format!("does not count, because it is a {}: {message}", found.level));
    }
    let kind = match found.evidence {
        EvidenceKind::Confirmed => NonSuccessKind::Failure,
        EvidenceKind::Flaky | EvidenceKind::Unreproduced | EvidenceKind::Unconfirmed => NonSuccessKind::Error,
    };
    let text = finding::finding(found, catalogue, Style::default());
    unhappy(kind, &found.failure.signature.to_string(), &message, &text)
}

/// The requirement fails, and the failure is told together with another one.
fn also_seen(report: &Report, requirement: &RequirementResult) -> TestCaseStatus {
    let entries = report.failures.iter().flat_map(|entry| entry.also.iter().map(move |also| (entry, also)));
    let mut concerned =
        entries.filter(|(_, also)| also.requirements.iter().any(|reference| base(reference) == requirement.id));
    let Some((entry, also)) = concerned.next() else {
        return skipped("it failed, but no failure of this report names it");
    };
    let message = format!("{} — {}: {}", requirement.id, requirement.title, also.summary);
    if requirement.level != Level::Must {
        return skipped(&format!("does not count, because it is a {}: {message}", requirement.level));
    }
    let mut text = format!("told together with {}\nsignature {}\n", entry.failure.signature, also.signature);
    if let Some(replay) = &also.replay {
        let _ = writeln!(text, "replay\n{replay}");
    }
    let kind = if also.evidence == EvidenceKind::Confirmed { NonSuccessKind::Failure } else { NonSuccessKind::Error };
    unhappy(kind, &also.signature.to_string(), &message, &text)
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

#[cfg(test)]
pub(super) mod tests;
