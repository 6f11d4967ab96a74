//! A report as text for a terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crdible_spec::Catalogue;

use super::{Style, blame, visible};
use crate::fold::findings;
use crate::journal::{RecordedFinding, Target, TargetKind};
use crate::model::{KnownState, Report, ReportedFinding, RulesOfFinding};
use crate::text::{grouped, plural, properties};

mod brief;
pub(in crate::render) mod finding;
mod problems;
mod table;

pub(in crate::render) use problems::event;

/// The most failures that are shown in full. The others, which are weaker or explain less, have one line each.
const MOST_IN_FULL: usize = 10;

/// The report as text: verdict, counts by chapter, what to fix first, seed, then the failures that are not known: the
/// first in full, one line for each of the others. `catalogue` provides the text of the requirements.
pub fn human(report: &Report, catalogue: &Catalogue, style: Style) -> String {
    let report = &visible::visible(report);
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", style.verdict(report.verdict, &report.statement));
    text.push_str(&table::by_chapter(report, catalogue, style));
    text.push_str(&problems::missing_capabilities(report, style));
    text.push_str(&problems::of_the_run(report, style));
    text.push_str(&notes(report, style));
    text.push_str(&known(report, style));
    let _ = writeln!(text, "{}", sums(report));
    let _ = writeln!(text, "target {}", target(&report.target, &report.profile, report.profile_complete));
    let _ = writeln!(text, "seed {}", report.seed);
    let (shown, others): (Vec<&ReportedFinding>, Vec<_>) =
        report.failures.iter().partition(|found| found.has_details());
    for (position, finding) in shown.iter().take(MOST_IN_FULL).enumerate() {
        let title = format!("── failure {} of {} ──", position + 1, shown.len());
        let _ = writeln!(text, "\n{}\n", style.strong(&title));
        text.push_str(&finding::finding(finding, catalogue, style));
    }
    if let Some(rest) = shown.get(MOST_IN_FULL..).filter(|rest| !rest.is_empty()) {
        text.push_str(&brief::lines(rest, MOST_IN_FULL, catalogue, style));
    }
    text.push_str(&unconfirmed(&others, style));
    if !report.failures.is_empty() {
        // The first line may have scrolled away.
        let _ = writeln!(text, "\n{}", style.verdict(report.verdict, &report.statement));
    }
    if let Some(line) = blame::blame(report) {
        let _ = writeln!(text, "{}", style.bad(&line));
    }
    text
}

/// How many failures were seen of which nothing else is recorded, and the commands that look for them again.
fn unconfirmed(others: &[&ReportedFinding], style: Style) -> String {
    if others.is_empty() {
        return String::new();
    }
    let failures = plural(others.len() as u64, "failure");
    let title = style.strong(&format!("── {failures} seen, but not confirmed before the run ended ──"));
    let commands: BTreeSet<String> = others.iter().map(|found| finding::replay(found)).collect();
    let mut text = format!("\n{title}\n\n");
    for command in commands.iter().take(MOST_IN_FULL) {
        let _ = writeln!(text, "{command}");
    }
    if commands.len() > MOST_IN_FULL {
        let more = plural((commands.len() - MOST_IN_FULL) as u64, "more command");
        let _ = writeln!(text, "and {more}, which `--output json` lists");
    }
    text
}

/// A finding in full while the run goes on, as [`human`] shows it in the report, with what its rules say.
pub fn one(found: &RecordedFinding, rules: RulesOfFinding, catalogue: &Catalogue, style: Style) -> String {
    alone(found, rules, catalogue).map_or_else(String::new, |alone| finding::finding(&alone, catalogue, style))
}

/// A saved counterexample, which was not run again on the server that failed. `judged` says by what it was judged.
pub fn counterexample(
    found: &RecordedFinding,
    rules: RulesOfFinding,
    judged: &str,
    catalogue: &Catalogue,
    style: Style,
) -> String {
    let Some(alone) = alone(found, rules, catalogue) else { return String::new() };
    finding::with_evidence(&alone, &format!("{}; {judged}", finding::origin(&alone)), catalogue, style)
}

fn alone(found: &RecordedFinding, rules: RulesOfFinding, catalogue: &Catalogue) -> Option<ReportedFinding> {
    let alone = findings::alone(found, catalogue)?;
    Some(visible::visible(&ReportedFinding { rules, ..alone }))
}

/// The notes of the run about the target.
fn notes(report: &Report, style: Style) -> String {
    if report.notes.is_empty() {
        return String::new();
    }
    format!("{}\n{}", style.strong("notes"), paragraph(&report.notes, str::to_owned))
}

/// Known failures, and stale entries of the file that lists them.
fn known(report: &Report, style: Style) -> String {
    let mut lines = Vec::new();
    for known in &report.known {
        let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
        let signature = known.finding.failure.signature.to_string();
        let seen = if signature == known.entry { "seen".to_owned() } else { format!("seen as {signature}") };
        let scenarios = plural(known.finding.occurrences, "scenario");
        lines.push(format!("known failure {}: {}{issue}; {seen} in {scenarios}", known.entry, known.reason));
    }
    lines.extend(known_entries(report));
    paragraph(&lines, |line| style.warning(line))
}

/// Entries of the file of known failures that should be removed or renewed.
pub(in crate::render) fn known_entries(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in &report.known_entries {
        match entry.state {
            KnownState::UnexpectedPass => lines.push(format!(
                "unexpected pass: {} is listed as a known failure (line {}) but held; remove the entry if it holds with other seeds, too",
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
    lines
}

/// What was judged, and with how many requests.
pub(in crate::render) fn sums(report: &Report) -> String {
    let counts = &report.counts;
    let mut text = judged(counts.cases, counts.passed + counts.failed, counts.properties, counts.requests);
    if counts.errors > 0 {
        let _ = write!(text, ", {}", plural(counts.errors, "error"));
    }
    if counts.discarded > 0 {
        let _ = write!(text, ", {} discarded", grouped(counts.discarded));
    }
    text
}

/// `1,234 cases in 56 scenarios of 7 properties, 890 requests`.
pub(in crate::render) fn judged(cases: u64, scenarios: u64, of: u64, requests: u64) -> String {
    let (cases, scenarios) = (plural(cases, "case"), plural(scenarios, "scenario"));
    format!("{cases} in {scenarios} of {}, {}", properties(of), plural(requests, "request"))
}

/// The target, its release and the profile.
pub(in crate::render) fn target(target: &Target, profile: &str, is_complete: bool) -> String {
    if target.kind == TargetKind::Converter {
        return format!("converter {}", target.address);
    }
    let selection = if is_complete { "profile" } else { "a selection of profile" };
    format!("{target}, release {}, {selection} {profile}", target.release)
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
