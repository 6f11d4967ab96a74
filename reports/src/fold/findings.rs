//! Gathers failures of one signature into one finding.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::{Catalogue, Level};
use serde_json::Value;

use super::level;
use crate::journal::{Case, Failure, Journal, Minimal, Outcome, Reproduced};
use crate::model::{EvidenceKind, Finding};

/// The findings of a run, those of the strongest level first, then by signature.
pub(super) fn collect(journal: &Journal, cases: &BTreeMap<(&str, u64), &Case>, catalogue: &Catalogue) -> Vec<Finding> {
    let mut told: BTreeMap<&str, Vec<&Failure>> = BTreeMap::new();
    for failure in &journal.failures {
        told.entry(&failure.signature).or_default().push(failure);
    }
    let mut seen: BTreeMap<String, Vec<&Case>> = BTreeMap::new();
    for case in cases.values().filter(|case| case.outcome == Outcome::Fail) {
        if case.failures.is_empty() {
            seen.entry(format!("{}/unnamed", case.property)).or_default().push(case);
        }
        for signature in &case.failures {
            seen.entry(signature.clone()).or_default().push(case);
        }
    }

    let mut findings: Vec<Finding> = told
        .iter()
        .filter_map(|(signature, failures)| {
            let cases = seen.remove(*signature).unwrap_or_default();
            confirmed(failures, &cases, catalogue)
        })
        .collect();
    findings.extend(seen.iter().map(|(signature, cases)| unconfirmed(signature, cases, journal, catalogue)));
    findings.sort_by(|left, right| left.level.cmp(&right.level).then_with(|| left.signature.cmp(&right.signature)));
    findings
}

/// One finding for all failures of a signature, shown by the smallest of them.
fn confirmed(failures: &[&Failure], cases: &[&Case], catalogue: &Catalogue) -> Option<Finding> {
    let shown = failures.iter().min_by_key(|failure| {
        let size = failure.shrink.as_ref().map_or(u64::MAX, |shrink| shrink.final_size);
        (evidence(failure.reproduced), size, failure.property.as_str(), failure.index)
    })?;
    let requirements: BTreeSet<&String> = failures.iter().flat_map(|failure| &failure.requirements).collect();
    let occurrences: BTreeSet<(&str, u64)> = failures
        .iter()
        .map(|failure| (failure.property.as_str(), failure.index))
        .chain(cases.iter().map(|case| (case.property.as_str(), case.index)))
        .collect();
    Some(Finding {
        property: shown.property.clone(),
        level: strongest(requirements.iter().copied(), catalogue),
        requirements: requirements.into_iter().cloned().collect(),
        check: shown.check.clone(),
        signature: shown.signature.clone(),
        summary: shown.summary.clone(),
        severity: shown.severity.clone(),
        evidence: evidence(shown.reproduced),
        occurrences: occurrences.len() as u64,
        expected: shown.expected.clone(),
        actual: shown.actual.clone(),
        minimal: shown.minimal.clone(),
        replay: Some(shown.replay.clone()),
        shrink: shown.shrink.clone(),
        reproduced: shown.reproduced,
    })
}

/// A failure that the run did not come to confirm and shrink: what is broken is among what the scenarios asserted.
fn unconfirmed(signature: &str, cases: &[&Case], journal: &Journal, catalogue: &Catalogue) -> Finding {
    let mut requirements = BTreeSet::new();
    for case in cases {
        let planned = journal.plan.properties.iter().find(|planned| planned.id == case.property);
        requirements.extend(planned.into_iter().flat_map(|planned| {
            case.asserted.iter().filter_map(|&asserted| planned.requirements.get(asserted).cloned())
        }));
    }
    Finding {
        property: cases.first().map(|case| case.property.clone()).unwrap_or_default(),
        level: strongest(&requirements, catalogue),
        requirements: requirements.into_iter().collect(),
        check: String::new(),
        signature: signature.to_owned(),
        summary: "seen, but neither confirmed nor shrunk before the run ended".to_owned(),
        severity: None,
        evidence: EvidenceKind::Unconfirmed,
        occurrences: cases.len() as u64,
        expected: Value::Null,
        actual: Value::Null,
        minimal: Minimal::default(),
        replay: None,
        shrink: None,
        reproduced: Reproduced::default(),
    }
}

fn evidence(reproduced: Reproduced) -> EvidenceKind {
    match reproduced {
        Reproduced { attempts, times } if times >= attempts => EvidenceKind::Confirmed,
        Reproduced { times: 0, .. } => EvidenceKind::Unreproduced,
        Reproduced { .. } => EvidenceKind::Flaky,
    }
}

fn strongest<'a>(references: impl IntoIterator<Item = &'a String>, catalogue: &Catalogue) -> Level {
    // A failure that names no requirement breaks something all the same.
    references.into_iter().map(|reference| level(catalogue, reference)).min().unwrap_or(Level::Must)
}
