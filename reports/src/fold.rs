//! Folds a journal into a report.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crdible_spec::{Catalogue, Level, Reference, Resolved};
use jiff::civil::Date;

use crate::journal::{Case, Journal, Outcome};
use crate::known::{KnownEntry, KnownFailures, Subject};
use crate::model::{
    Counts, EventSummary, EvidenceKind, FORMAT, Finding, KnownEntryResult, KnownFinding, KnownState, PropertyResult,
    Report,
};
use crate::verdict::{Evidence, Verdict, decide};

mod findings;
mod requirements;

/// How many reasons a statement names; the report holds all.
const REASONS_IN_STATEMENT: usize = 3;

/// The report of a run.
///
/// The order of the scenarios in the journal means nothing. A scenario that stands there twice (a resumed run) counts
/// once: a verdict outweighs an error, a failure outweighs a pass. `today` decides which known failures have expired.
pub fn fold(journal: &Journal, known: &KnownFailures, catalogue: &Catalogue, today: Date) -> Report {
    let header = &journal.header;
    let release = header.target.release.as_str();
    let cases = distinct(&journal.cases);
    let found = findings::collect(journal, &cases, catalogue);
    let (failures, known_findings) = part(found, known, release, today);
    let complete_footer = journal.footer.as_ref().is_some_and(|footer| footer.complete);
    let facts = requirements::Facts {
        journal,
        asserted: requirements::Asserted::count(journal, &cases),
        catalogue,
        known,
        failures: &failures,
        known_findings: &known_findings,
        today,
        complete_footer,
    };
    let requirements = requirements::results(&facts);
    let properties = properties(journal, &cases);

    let must = failures.iter().filter(|finding| finding.level == Level::Must);
    let broken = must.clone().filter(|finding| is_settled(finding, complete_footer)).count();
    let (verdict, reasons) = decide(&Evidence {
        stop_reason: journal.footer.as_ref().map(|footer| footer.stop_reason),
        footer_complete: complete_footer,
        broken,
        unsettled: must.count() - broken,
        known: known_findings.iter().filter(|known| known.finding.level == Level::Must).count(),
        short: properties
            .iter()
            .filter(|property| property.cases < property.minimum)
            .map(|property| (property.id.clone(), property.cases, property.minimum))
            .collect(),
        unanswered: properties.iter().map(|property| property.errors).sum(),
        nothing_judged: !properties.iter().any(|property| property.passed + property.failed > 0),
    });

    let mut counts = Counts { properties: properties.len() as u64, ..Counts::default() };
    for property in &properties {
        counts.cases += property.cases;
        counts.requests += property.requests;
        counts.passed += property.passed;
        counts.failed += property.failed;
        counts.errors += property.errors;
        counts.discarded += property.discarded;
        counts.skipped += property.skipped;
    }
    counts.failures = failures.len() as u64;
    counts.known_failures = known_findings.len() as u64;
    for finding in &failures {
        counts.failures_by_level.add(finding.level);
    }
    for requirement in &requirements {
        counts.requirements.add(requirement.status);
    }

    let mut report = Report {
        format: FORMAT.to_owned(),
        verdict,
        statement: String::new(),
        complete: reasons.is_empty(),
        reasons,
        stop_reason: journal.footer.as_ref().map(|footer| footer.stop_reason),
        seed: header.run.seed,
        profile: header.profile.clone(),
        profile_complete: journal.plan.profile_complete,
        tool: header.tool.clone(),
        catalogue: header.catalogue.clone(),
        generator: header.generator.clone(),
        run: header.run.clone(),
        ended: journal.footer.as_ref().map(|footer| footer.ended.clone()),
        target: header.target.clone(),
        counts,
        known_entries: known_entries(&facts),
        requirements,
        properties,
        failures,
        known: known_findings,
        events: events(journal),
    };
    report.statement = statement(&report);
    report
}

/// One line for each scenario.
fn distinct(cases: &[Case]) -> BTreeMap<(&str, u64), &Case> {
    let mut distinct: BTreeMap<(&str, u64), &Case> = BTreeMap::new();
    for case in cases {
        let kept = distinct.entry((case.property.as_str(), case.index)).or_insert(case);
        *kept = (*kept).max(case);
    }
    distinct
}

/// Those that are not known, and those that are.
fn part(
    findings: Vec<Finding>,
    known: &KnownFailures,
    release: &str,
    today: Date,
) -> (Vec<Finding>, Vec<KnownFinding>) {
    let (mut unknown, mut named) = (Vec::new(), Vec::new());
    for finding in findings {
        match known.matches(&finding.requirements, &finding.signature, release, today) {
            None => unknown.push(finding),
            Some(entry) => named.push(KnownFinding {
                entry: subject(entry),
                reason: entry.reason.clone(),
                issue: entry.issue.clone(),
                finding,
            }),
        }
    }
    (unknown, named)
}

/// Whether a failure counts against the server. What was never tried again does, unless the run had no time to try.
fn is_settled(finding: &Finding, complete_footer: bool) -> bool {
    match finding.evidence {
        EvidenceKind::Confirmed => true,
        EvidenceKind::Unconfirmed => complete_footer,
        EvidenceKind::Flaky | EvidenceKind::Unreproduced => false,
    }
}

fn properties(journal: &Journal, cases: &BTreeMap<(&str, u64), &Case>) -> Vec<PropertyResult> {
    let mut results: Vec<PropertyResult> = journal
        .plan
        .properties
        .iter()
        .map(|planned| PropertyResult {
            id: planned.id.clone(),
            planned: planned.cases,
            minimum: planned.minimum,
            cases: 0,
            passed: 0,
            failed: 0,
            errors: 0,
            discarded: 0,
            skipped: 0,
            requests: 0,
            ms: 0,
            examples: Vec::new(),
        })
        .collect();
    let places: BTreeMap<&str, usize> =
        journal.plan.properties.iter().enumerate().map(|(place, planned)| (planned.id.as_str(), place)).collect();
    for case in cases.values() {
        let Some(result) = places.get(case.property.as_str()).and_then(|&place| results.get_mut(place)) else {
            continue;
        };
        result.requests += case.requests;
        result.ms += case.ms;
        let (count, word) = match case.outcome {
            Outcome::Pass => (&mut result.passed, None),
            Outcome::Fail => (&mut result.failed, None),
            Outcome::Error => (&mut result.errors, Some("error")),
            Outcome::Discard => (&mut result.discarded, Some("discarded")),
            Outcome::Skipped => (&mut result.skipped, Some("skipped")),
        };
        *count += 1;
        match word {
            None => result.cases += case.cases,
            Some(word) if *count == 1 => {
                let detail = case.detail.as_deref().unwrap_or("no reason given");
                result.examples.push(format!("{word}, scenario {}: {detail}", case.index));
            }
            Some(_) => {}
        }
    }
    results
}

fn known_entries(facts: &requirements::Facts<'_>) -> Vec<KnownEntryResult> {
    facts
        .known
        .entries()
        .iter()
        .map(|entry| KnownEntryResult {
            entry: subject(entry),
            line: entry.line,
            state: known_state(entry, facts),
            reason: entry.reason.clone(),
            issue: entry.issue.clone(),
            expires: entry.expires.map(|date| date.to_string()),
        })
        .collect()
}

fn known_state(entry: &KnownEntry, facts: &requirements::Facts<'_>) -> KnownState {
    if !entry.holds_at(&facts.journal.header.target.release) {
        KnownState::OtherRelease
    } else if entry.expired(facts.today) {
        KnownState::Expired
    } else if facts.findings().any(|finding| entry.names(&finding.requirements, &finding.signature)) {
        KnownState::Failed
    } else if facts.is_exercised(entry) {
        KnownState::UnexpectedPass
    } else {
        KnownState::NotExercised
    }
}

fn subject(entry: &KnownEntry) -> String {
    match &entry.subject {
        Subject::Requirement(reference) => reference.to_string(),
        Subject::Signature(pattern) => pattern.clone(),
    }
}

fn events(journal: &Journal) -> Vec<EventSummary> {
    let mut summaries: Vec<EventSummary> = Vec::new();
    for event in &journal.events {
        match summaries.iter_mut().find(|summary| summary.kind == event.kind) {
            Some(summary) => summary.count += 1,
            None => {
                summaries.push(EventSummary { kind: event.kind.clone(), count: 1, detail: event.detail.clone() });
            }
        }
    }
    if let Some(truncation) = &journal.truncated {
        summaries.push(EventSummary {
            kind: "journal-truncated".to_owned(),
            count: 1,
            detail: format!("line {} was cut off after {} bytes and is left out", truncation.line, truncation.bytes),
        });
    }
    summaries
}

fn statement(report: &Report) -> String {
    let release = &report.target.release;
    let passed = if report.profile_complete {
        format!("conformant with profile {} (release {release})", report.profile)
    } else {
        format!("everything selected passed (release {release})")
    };
    match report.verdict {
        Verdict::Conformant => passed,
        Verdict::ConformantWithKnownFailures => {
            format!("{passed}, but for {}", plural(report.known.len() as u64, "known failure"))
        }
        Verdict::Nonconformant => {
            let findings = plural(report.counts.failures_by_level.must, "finding");
            format!("nonconformant: {findings} against MUST requirements (release {release})")
        }
        Verdict::Incomplete | Verdict::Unusable => {
            let mut reasons = report.reasons.iter().take(REASONS_IN_STATEMENT).cloned().collect::<Vec<_>>().join("; ");
            if report.reasons.len() > REASONS_IN_STATEMENT {
                let more = report.reasons.len() - REASONS_IN_STATEMENT;
                let _ = write!(reasons, "; and {more} more");
            }
            format!("{}: {reasons}", report.verdict.as_str())
        }
    }
}

/// `1 finding`, `2 findings`.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// What a reference means, if it is one and the catalogue has it.
pub(crate) fn resolve<'a>(catalogue: &'a Catalogue, reference: &str) -> Option<Resolved<'a>> {
    let reference: Reference = reference.parse().ok()?;
    catalogue.resolve(&reference)
}

/// How strongly a reference binds. What the catalogue does not know is taken seriously: a report must not get milder
/// by being read with an older catalogue.
fn level(catalogue: &Catalogue, reference: &str) -> Level {
    resolve(catalogue, reference).map_or(Level::Must, Resolved::level)
}

#[cfg(test)]
mod tests;
