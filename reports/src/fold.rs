//! Folds a journal into a report.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crdible_spec::{Catalogue, Level, Reference, Resolved};
use jiff::civil::Date;

use crate::comparison::Comparison;
use crate::journal::{Journal, Outcome, PlannedProperty};
use crate::known::{KnownEntry, KnownFailures, Subject, TargetRelease, reasons};
use crate::model::{
    Counts, EventSummary, FORMAT, KnownEntryResult, KnownFinding, KnownState, MissingCapability, PropertyResult,
    Report, ReportedFinding,
};
use crate::verdict::{Evidence, decide};
use crate::{Failure, Signature};

mod comparison;
mod entries;
pub(crate) mod findings;
mod requirements;
mod soak;
mod tally;

pub use soak::SoakTally;
pub use tally::Tally;

impl Tally {
    /// The report of what was added so far. `today` decides which known failures have expired.
    pub fn report(&self, known: &KnownFailures, catalogue: &Catalogue, today: Date) -> Report {
        report(self, known, catalogue, today)
    }

    /// The comparison of two targets that was added so far. `today` decides which known failures have expired.
    pub fn comparison(&self, known: &KnownFailures, today: Date) -> Comparison {
        comparison::comparison(self, known, today)
    }
}

/// The report of a run.
///
/// The order of the scenarios in the journal has no meaning. A scenario that occurs twice (in a
/// resumed run) counts once: a verdict outweighs an error, and a failure outweighs a pass.
/// `today` decides which known failures have expired.
pub fn fold(journal: &Journal, known: &KnownFailures, catalogue: &Catalogue, today: Date) -> Report {
    Tally::of(journal).report(known, catalogue, today)
}

/// The comparison of two targets that a journal records. `today` decides which known failures have expired.
pub fn compare(journal: &Journal, known: &KnownFailures, today: Date) -> Comparison {
    Tally::of(journal).comparison(known, today)
}

fn report(tally: &Tally, known: &KnownFailures, catalogue: &Catalogue, today: Date) -> Report {
    let header = &tally.header;
    let found = findings::collect(tally, catalogue);
    let (failures, known_findings) = partition(found, known, &TargetRelease::of(&header.target), today);
    let facts =
        requirements::Facts { tally, catalogue, known, failures: &failures, known_findings: &known_findings, today };
    let requirements = requirements::results(&facts);
    let known_entries = known_entries(&facts);
    let failures = entries::entries(failures, &|entry| skipped_for(tally, entry));
    let properties = properties(tally);

    let must = failures.iter().filter(|finding| finding.level == Level::Must);
    let broken = must.clone().filter(|finding| finding.is_settled()).count();
    let (verdict, reasons) = decide(&Evidence {
        stop_reason: tally.footer.as_ref().map(|footer| footer.stop_reason),
        slow: tally.events.iter().find(|event| event.kind == "target-slow").map(|event| event.detail.clone()),
        footer_complete: tally.footer.as_ref().is_some_and(|footer| footer.complete),
        broken,
        unsettled: must.count() - broken,
        known: known_findings.iter().filter(|known| known.finding.level == Level::Must).count(),
        skipped: tally
            .skipped
            .iter()
            .map(|(capability, properties)| (capability.clone(), properties.len() as u64))
            .collect(),
        short: properties
            .iter()
            .filter(|property| property.cases < property.minimum)
            .map(|property| (property.id.clone(), property.cases, property.minimum))
            .collect(),
        unanswered: properties.iter().map(|property| property.errors).sum(),
        nothing_judged: !properties.iter().any(|property| property.passed + property.failed > 0),
    });

    Report {
        format: FORMAT.to_owned(),
        verdict,
        statement: verdict.statement(&reasons, header, tally.plan.profile_complete, broken, known_findings.len()),
        complete: reasons.is_empty(),
        reasons,
        stop_reason: tally.footer.as_ref().map(|footer| footer.stop_reason),
        seed: header.run.seed,
        profile: header.profile.clone(),
        profile_complete: tally.plan.profile_complete,
        tool: header.tool.clone(),
        catalogue: header.catalogue.clone(),
        generator: header.generator.clone(),
        run: header.run.clone(),
        ended: tally.footer.as_ref().map(|footer| footer.ended.clone()),
        target: header.target.clone(),
        counts: Counts::of(&properties, &requirements, &failures, &known_findings),
        requirements,
        properties,
        lacks: missing_capabilities(tally, &failures),
        failures,
        known: known_findings,
        known_entries,
        notes: tally.notes.clone(),
        reached: tally.reached.clone(),
        sent: tally.sent.clone(),
        events: events(tally),
        implementation: None,
    }
}

/// The findings that are not known failures, and those that are.
fn partition(
    findings: Vec<ReportedFinding>,
    known: &KnownFailures,
    release: &TargetRelease,
    today: Date,
) -> (Vec<ReportedFinding>, Vec<KnownFinding>) {
    let (mut unknown, mut known_findings) = (Vec::new(), Vec::new());
    for finding in findings {
        let Failure { signature, requirements, .. } = &finding.failure;
        let entries = match finding.has_details() {
            // Only its signature is certain, not what it breaks.
            false => known.matches_signature(signature, release, today).map(|entry| vec![entry]),
            true => known.matches(requirements, signature, release, today),
        };
        match entries {
            None => unknown.push(finding),
            Some(entries) => known_findings.push(known_finding(&entries, finding)),
        }
    }
    (unknown, known_findings)
}

fn known_finding(entries: &[&KnownEntry], finding: ReportedFinding) -> KnownFinding {
    let subjects: Vec<String> = entries.iter().map(|entry| subject(entry)).collect();
    let issues: Vec<&str> = entries.iter().filter_map(|entry| entry.issue.as_deref()).collect();
    KnownFinding {
        entry: subjects.join(", "),
        reason: reasons(entries),
        issue: (!issues.is_empty()).then(|| issues.join(", ")),
        finding,
    }
}

/// How many properties were skipped because of the missing capabilities that this entry shows.
fn skipped_for(tally: &Tally, entry: &ReportedFinding) -> u64 {
    let signatures: BTreeSet<&Signature> = entry.signatures().collect();
    let shown = tally.findings.iter().filter(|found| signatures.contains(&found.failure.signature));
    let capabilities: BTreeSet<&String> = shown.filter_map(|found| found.lacks.as_ref()).collect();
    let properties = capabilities.into_iter().filter_map(|capability| tally.skipped.get(capability)).flatten();
    properties.collect::<BTreeSet<_>>().len() as u64
}

/// The missing capabilities that planned properties need, the one that most of them need first, then in the order of
/// the failures that show them.
fn missing_capabilities(tally: &Tally, failures: &[ReportedFinding]) -> Vec<MissingCapability> {
    let failure = |capability: &str| {
        let shows = |found: &&crate::journal::RecordedFinding| found.lacks.as_deref() == Some(capability);
        let signatures: Vec<_> = tally.findings.iter().filter(shows).map(|found| &found.failure.signature).collect();
        let place = failures.iter().position(|entry| entry.signatures().any(|one| signatures.contains(&one)))?;
        Some(place as u64 + 1)
    };
    let missing = |(capability, properties): (&String, &BTreeSet<String>)| MissingCapability {
        capability: capability.clone(),
        properties: properties.iter().cloned().collect(),
        failure: failure(capability),
    };
    let mut all: Vec<MissingCapability> = tally.skipped.iter().map(missing).collect();
    all.sort_by_key(|missing| (Reverse(missing.count()), missing.failure.unwrap_or(u64::MAX)));
    all
}

fn properties(tally: &Tally) -> Vec<PropertyResult> {
    let nothing = tally::PropertyTally::default();
    let result = |planned: &PlannedProperty| {
        let counted = tally.properties.get(&planned.id).unwrap_or(&nothing);
        PropertyResult {
            id: planned.id.clone(),
            planned: planned.cases,
            minimum: planned.minimum,
            cases: counted.cases,
            passed: counted.with(Outcome::Pass),
            failed: counted.with(Outcome::Fail),
            errors: counted.with(Outcome::Error),
            discarded: counted.with(Outcome::Discard),
            requests: counted.requests,
            ms: counted.ms,
            examples: examples(counted),
        }
    };
    tally.plan.properties.iter().map(result).collect()
}

fn examples(counted: &tally::PropertyTally) -> Vec<String> {
    let mut examples: Vec<(u64, String)> = Vec::new();
    for (outcome, (index, detail)) in &counted.examples {
        let word = match outcome {
            Outcome::Error => "error",
            Outcome::Discard => "discarded",
            Outcome::Pass | Outcome::Fail => continue,
        };
        let detail = detail.as_deref().unwrap_or("no reason given");
        examples.push((*index, format!("{word}, scenario {index}: {detail}")));
    }
    examples.sort();
    examples.into_iter().map(|(_, example)| example).collect()
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
    if !entry.holds_at(&TargetRelease::of(&facts.tally.header.target)) {
        KnownState::OtherRelease
    } else if entry.expired(facts.today) {
        KnownState::Expired
    } else if facts.findings().any(|finding| entry.names(&finding.failure)) {
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

fn events(tally: &Tally) -> Vec<EventSummary> {
    let mut summaries = tally.events.clone();
    if let Some(truncation) = &tally.truncated {
        summaries.push(EventSummary {
            kind: "journal-truncated".to_owned(),
            count: 1,
            detail: format!("line {} was cut off after {} bytes and is ignored", truncation.line, truncation.bytes),
        });
    }
    summaries
}

/// The requirement or edge that a reference names, if the catalogue has it.
pub(crate) fn resolve<'a>(catalogue: &'a Catalogue, reference: &str) -> Option<Resolved<'a>> {
    let reference: Reference = reference.parse().ok()?;
    catalogue.resolve(&reference)
}

/// The level of a reference. A reference that the catalogue does not have counts as MUST: a report must not get milder
/// when it is read with an older catalogue.
fn level(catalogue: &Catalogue, reference: &str) -> Level {
    resolve(catalogue, reference).map_or(Level::Must, Resolved::level)
}

/// The key that sorts requirements in the order of the specification, each before its edges. Texts that are not
/// references come last.
pub(crate) fn order(reference: &str) -> (bool, Option<Reference>, String) {
    let parsed = reference.parse::<Reference>().ok();
    (parsed.is_none(), parsed, reference.to_owned())
}

/// `PRUNE-004` of `PRUNE-004/e2`.
pub(crate) fn base(reference: &str) -> &str {
    reference.split('/').next().unwrap_or(reference)
}

#[cfg(test)]
mod tests;
