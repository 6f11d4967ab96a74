//! A report as text for a terminal.

use std::fmt::Write as _;

use crdible_spec::Catalogue;

use super::Style;
use crate::model::{KnownState, Report};
use crate::text::{grouped, plural};
use crate::verdict::Verdict;

mod finding;
mod table;

/// At most this many properties show an example of their errors; more of them rarely have another cause.
const MOST_ERROR_EXAMPLES: usize = 5;

/// The report as text: verdict, counts by chapter, seed, then each finding that is not a known failure. `catalogue` provides
/// the text of the requirements.
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
        // The first line may have scrolled away.
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

/// Problems of the run itself.
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

/// Known failures, and stale entries of the file that lists them.
fn known(report: &Report, style: Style) -> String {
    let mut lines = Vec::new();
    for known in &report.known {
        let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
        lines.push(format!(
            "known failure {}: {}{issue}; {} in {}",
            known.entry,
            known.reason,
            known.finding.failure.signature,
            plural(known.finding.occurrences, "scenario"),
        ));
    }
    for entry in &report.known_entries {
        match entry.state {
            KnownState::UnexpectedPass => lines.push(format!(
                "unexpected pass: {} is listed as a known failure (line {}) but held; remove the entry",
                entry.entry, entry.line
            )),
            KnownState::Expired => lines.push(format!(
                "expired: the known failure {} (line {}) applied until {}; fix the server or renew the entry",
                entry.entry,
                entry.line,
                entry.expires.as_deref().unwrap_or("an unknown date"),
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
        plural(counts.cases, "case"),
        plural(counts.passed + counts.failed, "scenario"),
        if counts.properties == 1 { "1 property".to_owned() } else { format!("{} properties", counts.properties) },
        plural(counts.requests, "request"),
    );
    if counts.errors > 0 {
        let _ = write!(text, ", {}", plural(counts.errors, "error"));
    }
    if counts.discarded > 0 {
        let _ = write!(text, ", {} discarded", grouped(counts.discarded));
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

#[cfg(test)]
mod tests;
