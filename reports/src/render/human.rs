//! A finished run for a person at a terminal.

use std::fmt::Write as _;

use crdible_spec::Catalogue;

use super::Style;
use crate::fold::plural;
use crate::model::{KnownState, Report};
use crate::verdict::Verdict;

mod finding;
mod table;

/// Most properties whose errors are shown by an example; more of them rarely have another cause.
const MOST_ERROR_EXAMPLES: usize = 5;

/// The report as text: verdict, counts by requirement, seed, then each finding that is not known. `catalogue` gives the
/// sentences of the requirements.
pub fn human(report: &Report, catalogue: &Catalogue, style: Style) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", verdict(report, style));
    text.push_str(&table::by_chapter(report, catalogue, style));
    text.push_str(&notes(report, style));
    text.push_str(&known(report, style));
    let _ = writeln!(text, "{}", sums(report));
    let _ = writeln!(text, "target {}", target(report));
    let _ = writeln!(text, "seed {}", report.seed);
    for (position, finding) in report.failures.iter().enumerate() {
        let title = format!("── failure {} of {} ──", position + 1, report.failures.len());
        let _ = writeln!(text, "\n{}\n", style.strong(&title));
        text.push_str(&finding::finding(finding, report.seed, catalogue, style));
    }
    if !report.failures.is_empty() {
        // What scrolled away is told again where the reader looks last.
        let _ = writeln!(text, "\n{}", verdict(report, style));
    }
    text
}

fn verdict(report: &Report, style: Style) -> String {
    let line = format!("verdict: {}", report.statement);
    match report.verdict {
        Verdict::Conformant | Verdict::ConformantWithKnownFailures => style.good(&line),
        Verdict::Nonconformant => style.bad(&line),
        Verdict::Incomplete | Verdict::Unusable => style.warning(&line),
    }
}

/// What is odd about the run itself.
fn notes(report: &Report, style: Style) -> String {
    let mut lines = Vec::new();
    if report.verdict == Verdict::Nonconformant {
        lines.extend(report.reasons.iter().map(|reason| format!("also: {reason}")));
    }
    let with_errors: Vec<_> = report.properties.iter().filter(|property| property.errors > 0).collect();
    for property in with_errors.iter().take(MOST_ERROR_EXAMPLES) {
        let example = property.examples.iter().find(|example| example.starts_with("error")).map_or("", String::as_str);
        lines.push(format!("{}: {}; {example}", property.id, plural(property.errors, "error")));
    }
    if with_errors.len() > MOST_ERROR_EXAMPLES {
        lines.push(format!("and errors in {} more properties", with_errors.len() - MOST_ERROR_EXAMPLES));
    }
    lines.extend(report.events.iter().map(|event| format!("{} × {}: {}", event.count, event.kind, event.detail)));
    paragraph(&lines, |line| style.warning(line))
}

/// Known failures, each by name, and entries that have served their time.
fn known(report: &Report, style: Style) -> String {
    let mut lines = Vec::new();
    for known in &report.known {
        let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
        lines.push(format!(
            "known failure {}: {}{issue}; {} in {}",
            known.entry,
            known.reason,
            known.finding.signature,
            plural(known.finding.occurrences, "scenario"),
        ));
    }
    for entry in &report.known_entries {
        match entry.state {
            KnownState::UnexpectedPass => lines.push(format!(
                "unexpected pass: {} is listed as a known failure (line {}) and held; take the entry out",
                entry.entry, entry.line
            )),
            KnownState::Expired => lines.push(format!(
                "expired: the known failure {} (line {}) held until {}; mend the server or renew the entry",
                entry.entry,
                entry.line,
                entry.expires.as_deref().unwrap_or("an unknown day"),
            )),
            KnownState::Failed | KnownState::OtherRelease | KnownState::NotExercised => {}
        }
    }
    paragraph(&lines, |line| style.warning(line))
}

fn sums(report: &Report) -> String {
    let counts = &report.counts;
    let mut text = format!(
        "{} in {} of {}, {}",
        plural_grouped(counts.cases, "case"),
        plural_grouped(counts.passed + counts.failed, "scenario"),
        if counts.properties == 1 { "1 property".to_owned() } else { format!("{} properties", counts.properties) },
        plural_grouped(counts.requests, "request"),
    );
    if counts.errors > 0 {
        let _ = write!(text, ", {}", plural_grouped(counts.errors, "error"));
    }
    for (count, word) in [(counts.discarded, "discarded"), (counts.skipped, "skipped")] {
        if count > 0 {
            let _ = write!(text, ", {} {word}", grouped(count));
        }
    }
    text
}

fn target(report: &Report) -> String {
    let target = &report.target;
    let version = target.version.as_ref().map(|version| format!(" ({})", version.git_version)).unwrap_or_default();
    let profile = if report.profile_complete { "profile" } else { "a selection of profile" };
    format!("{}{version}, release {}, {profile} {}", target.address, target.release, report.profile)
}

fn paragraph(lines: &[String], paint: impl Fn(&str) -> String) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text: String = lines.iter().map(|line| paint(line) + "\n").collect();
    text.push('\n');
    text
}

fn plural_grouped(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// `12,345`.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
