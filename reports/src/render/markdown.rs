//! A report as Markdown: for the summary of a CI job, a comment, or an issue.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crdible_spec::{Catalogue, Level};

use super::grid::{Form, escaped};
use super::human::{finding, sums, target};
use super::style::Look;
use super::{Style, blame, curl, diff, rules, visible, yaml};
use crate::model::{EvidenceKind, Report, ReportedFinding, Status};
use crate::text::plural;
use crate::verdict::Verdict;

/// The most failures with a line in the table; of the others only the number is shown.
const MOST_ROWS: usize = 20;

/// The most failures that are shown with their smallest example.
pub(super) const MOST_DETAILS: usize = 10;

/// The most lines of a part of a failure: a comment may have 65,536 characters.
const MOST_LINES: usize = 80;
const MOST_BYTES: usize = 2_000;

/// The most bytes of a sentence.
const MOST_PROSE: usize = 600;

/// The most reasons why a run is incomplete, and the most notes.
const MOST_SENTENCES: usize = 5;

/// The statuses in the order of the table's columns.
const STATUSES: [Status; 9] = [
    Status::Pass,
    Status::Fail,
    Status::Known,
    Status::UnexpectedPass,
    Status::Flaky,
    Status::Inconclusive,
    Status::NotRun,
    Status::Unsupported,
    Status::NotPromised,
];

/// The report as Markdown: verdict, requirements by level and status,
/// failures. What is not folded away is at most 60 lines.
pub fn markdown(report: &Report, catalogue: &Catalogue) -> String {
    let report = &visible::visible(report);
    let mut text = format!("## {} {}\n\n", Look::of(report.verdict).emoji, escaped(&one_line(&report.statement)));
    let _ = writeln!(
        text,
        "target {}\\",
        escaped(&one_line(&target(&report.target, &report.profile, report.profile_complete)))
    );
    let _ = writeln!(
        text,
        "{}; seed {}; crdible {}\n",
        sums(report),
        report.seed,
        escaped(&one_line(&report.tool.version))
    );
    if let Some(line) = blame::blame(report) {
        let _ = writeln!(text, "{}\n", escaped(&one_line(&line)));
    }
    sentences(&mut text, report);
    text.push_str(&Form::Markdown.table(&by_level(report)));
    let (shown, others): (Vec<&ReportedFinding>, Vec<_>) =
        report.failures.iter().partition(|found| found.has_details());
    if !shown.is_empty() {
        text.push_str(&failures(&shown, "failure", catalogue));
    }
    if !others.is_empty() {
        let failures = plural(others.len() as u64, "failure");
        let _ = writeln!(text, "{failures} seen, but not confirmed before the run ended\n");
    }
    known(&mut text, report);
    for (position, found) in shown.into_iter().take(MOST_DETAILS).enumerate() {
        details(&mut text, position, found, catalogue);
    }
    let _ = writeln!(text, "<details><summary>How to run it again</summary>\n");
    fenced(&mut text, "sh", &report.run.command);
    text.push_str("</details>\n");
    text
}

/// The text on one line, cut if it is long: a comment has little room.
pub(super) fn one_line(text: &str) -> String {
    let (shown, rest) = visible::cut(text, MOST_PROSE);
    let cut = if rest > 0 { visible::missing(rest) } else { String::new() };
    let words: Vec<&str> = shown.split_whitespace().collect();
    format!("{}{cut}", words.join(" "))
}

/// Why the run is incomplete, and what it has to say about the target.
fn sentences(text: &mut String, report: &Report) {
    // Only the statement of a nonconformant target names no reasons.
    let reasons = report.reasons.iter().map(|reason| format!("also: {reason}"));
    let reasons: Vec<String> = if report.verdict == Verdict::Nonconformant { reasons.collect() } else { Vec::new() };
    let sentences: Vec<String> = reasons.into_iter().chain(report.notes.iter().cloned()).collect();
    some_of(text, &sentences);
}

/// The first sentences as a list, and how many there are more.
pub(super) fn some_of(text: &mut String, sentences: &[String]) {
    let more = sentences.len().saturating_sub(MOST_SENTENCES);
    let more = (more > 0).then(|| format!("and {more} more"));
    for sentence in sentences.iter().take(MOST_SENTENCES).chain(&more) {
        text.push_str(&Form::Markdown.item(&one_line(sentence)));
    }
    if !sentences.is_empty() {
        text.push('\n');
    }
}

/// One row for each level; columns only for statuses that occur.
fn by_level(report: &Report) -> Vec<Vec<String>> {
    let mut counts: BTreeMap<Level, BTreeMap<&str, u64>> = BTreeMap::new();
    for requirement in &report.requirements {
        *counts.entry(requirement.level).or_default().entry(requirement.status.as_str()).or_default() += 1;
    }
    let occurs = |status: &&Status| counts.values().any(|row| row.contains_key(status.as_str()));
    let statuses: Vec<&str> = STATUSES.iter().filter(occurs).map(|status| status.as_str()).collect();
    let mut rows = vec![std::iter::once("requirements").chain(statuses.iter().copied()).map(str::to_owned).collect()];
    for (level, row) in &counts {
        let cells = statuses.iter().map(|status| row.get(status).map_or_else(String::new, u64::to_string));
        rows.push(std::iter::once(level.to_string()).chain(cells).collect::<Vec<_>>());
    }
    rows
}

/// A table of failures, or of what else the noun says.
pub(super) fn failures(found: &[&ReportedFinding], noun: &str, catalogue: &Catalogue) -> String {
    let mut rows = vec![["", noun, "requirement", "signature"].map(str::to_owned).to_vec()];
    for (position, found) in found.iter().take(MOST_ROWS).enumerate() {
        let doubt = if found.evidence == EvidenceKind::Confirmed { "" } else { " (not confirmed)" };
        let (summary, _) = visible::cut(&found.failure.summary, 200);
        let signature = found.failure.signature.to_string();
        let (signature, _) = visible::cut(&signature, 200);
        rows.push(vec![
            (position + 1).to_string(),
            format!("{}{doubt}", one_line(summary)),
            format!("{} {}", found.level, one_line(&finding::first_requirement(found, catalogue))),
            code(signature),
        ]);
    }
    let mut text = Form::Markdown.table(&rows);
    let more = found.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        let more = plural(more as u64, &format!("more {noun}"));
        let _ = writeln!(text, "and {more}, which the report in JSON or HTML shows\n");
    }
    text
}

/// As code, if nothing in it ends the code.
fn code(text: &str) -> String {
    if text.contains('`') { one_line(text) } else { format!("`{}`", one_line(text)) }
}

fn known(text: &mut String, report: &Report) {
    if report.known.is_empty() {
        return;
    }
    let count = plural(report.known.len() as u64, "known failure");
    let _ = writeln!(text, "<details><summary>{count}</summary>\n");
    for known in report.known.iter().take(MOST_ROWS) {
        let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
        let (reason, _) = visible::cut(&known.reason, 300);
        text.push_str(&Form::Markdown.item(&one_line(&format!("{}: {reason}{issue}", known.entry))));
    }
    if report.known.len() > MOST_ROWS {
        text.push_str(&Form::Markdown.item(&format!("and {} more", report.known.len() - MOST_ROWS)));
    }
    text.push_str("\n</details>\n\n");
}

pub(super) fn details(text: &mut String, position: usize, found: &ReportedFinding, catalogue: &Catalogue) {
    let title = format!("{}. {}", position + 1, one_line(&found.failure.summary));
    let _ = writeln!(text, "<details><summary>{}</summary>\n", html(&title));
    let evidence = one_line(&finding::evidence(found));
    if !found.promise.is_empty() {
        let _ = writeln!(text, "promised: {}\\", escaped(&one_line(&found.promise)));
    }
    let _ = writeln!(text, "{}\n", escaped(&evidence));
    if !found.shares.is_empty() {
        let _ = writeln!(text, "{}: {}\n", escaped(found.area()), escaped(&finding::shares(found)));
    }
    for line in finding::requirements(&found.references(), catalogue, Style::default()).iter().take(3) {
        text.push_str(&Form::Markdown.item(&one_line(line)));
    }
    text.push('\n');
    let documents =
        |documents: &[serde_json::Value]| documents.iter().map(yaml::yaml).collect::<Vec<_>>().join("---\n");
    for (title, language, part) in [
        ("smallest definition", "yaml", documents(&found.minimal.definitions)),
        ("smallest object", "yaml", documents(&found.minimal.objects)),
        ("requests", "sh", visible::escaped(&curl::script(&found.minimal.requests)).into_owned()),
        ("expected and actual", "diff", diff::of_failure(&found.failure, Style::default())),
        (rules::TITLE, "text", rules::text(&found.rules)),
    ] {
        if !part.is_empty() {
            let _ = writeln!(text, "{title}\n");
            fenced(text, language, &part);
        }
    }
    text.push_str("replay\n\n");
    fenced(text, "sh", &finding::replay(found));
    text.push_str("</details>\n\n");
}

/// A block of code that ends at no backquotes of its text.
fn fenced(text: &mut String, language: &str, code: &str) {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let code = visible::excerpt(code, MOST_LINES, MOST_BYTES);
    let _ = write!(text, "{fence}{language}\n{code}{fence}\n\n");
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::markdown;
    use crate::journal::Journal;
    use crate::sample::{KNOWN, catalogue, clean, eventful, fold, many_failures};

    #[test]
    fn an_eventful_run() {
        insta::assert_snapshot!("markdown", markdown(&fold(&eventful(), KNOWN), &catalogue()));
    }

    #[test]
    fn a_killed_run_is_incomplete() {
        let text = markdown(&fold(&Journal { footer: None, ..clean() }, ""), &catalogue());
        assert!(text.starts_with("## ⚠️ incomplete: the run was killed"), "{text}");
    }

    #[test]
    fn what_is_not_folded_away_is_short_and_all_of_it_fits_into_a_comment() {
        let mut journal = many_failures(300);
        journal.plan.profile_complete = false;
        let text = markdown(&fold(&journal, ""), &catalogue());
        let mut depth = 0;
        let mut outside = 0;
        for line in text.lines() {
            depth += line.matches("<details>").count();
            outside += usize::from(depth == 0);
            depth -= line.matches("</details>").count();
        }
        assert!(outside <= 60 && depth == 0, "{outside} lines, {depth}");
        assert!(text.chars().count() < 65_536, "{}", text.len());
        assert!(text.contains("and 280 more failures"), "{text}");
    }
}
