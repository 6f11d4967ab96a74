//! Gathers failures of one signature into one finding.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::{Catalogue, Level};
use serde_json::Value;

use super::level;
use super::tally::{Sightings, Tally};
use crate::journal::{Failure, Minimal, Reproduced};
use crate::model::{EvidenceKind, Finding};

/// The findings of a run, those of the strongest level first, then by signature.
pub(super) fn collect(tally: &Tally, catalogue: &Catalogue) -> Vec<Finding> {
    let mut told: BTreeMap<&str, Vec<&Failure>> = BTreeMap::new();
    for failure in &tally.failures {
        told.entry(&failure.signature).or_default().push(failure);
    }
    let nowhere = BTreeMap::new();
    let mut findings: Vec<Finding> = told
        .iter()
        .filter_map(|(signature, failures)| {
            confirmed(failures, tally.seen.get(*signature).unwrap_or(&nowhere), catalogue)
        })
        .collect();
    let untold = tally.seen.iter().filter(|(signature, _)| !told.contains_key(signature.as_str()));
    findings.extend(untold.map(|(signature, seen)| unconfirmed(signature, seen, catalogue)));
    findings.sort_by(|left, right| left.level.cmp(&right.level).then_with(|| left.signature.cmp(&right.signature)));
    findings
}

/// One finding for all failures of a signature, shown by the smallest of them.
fn confirmed(failures: &[&Failure], seen: &BTreeMap<String, Sightings>, catalogue: &Catalogue) -> Option<Finding> {
    let shown = failures.iter().min_by_key(|failure| {
        let size = failure.shrink.as_ref().map_or(u64::MAX, |shrink| shrink.final_size);
        (evidence(failure.reproduced), size, failure.property.as_str(), failure.index)
    })?;
    let requirements: BTreeSet<&String> = failures.iter().flat_map(|failure| &failure.requirements).collect();
    let occurrences: BTreeSet<(&str, u64)> =
        failures
            .iter()
            .map(|failure| (failure.property.as_str(), failure.index))
            .chain(seen.iter().flat_map(|(property, sightings)| {
                sightings.indices.iter().map(move |&index| (property.as_str(), index))
            }))
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

/// A failure that the run did not come to confirm and shrink. What is broken is among what the scenarios asserted, so the
/// level is the strongest that it may have.
fn unconfirmed(signature: &str, seen: &BTreeMap<String, Sightings>, catalogue: &Catalogue) -> Finding {
    let requirements: BTreeSet<&String> = seen.values().flat_map(|sightings| &sightings.asserted).collect();
    Finding {
        property: seen.keys().next().cloned().unwrap_or_default(),
        level: strongest(requirements.iter().copied(), catalogue),
        requirements: requirements.into_iter().cloned().collect(),
        check: String::new(),
        signature: signature.to_owned(),
        summary: "seen, but neither confirmed nor shrunk before the run ended".to_owned(),
        severity: None,
        evidence: EvidenceKind::Unconfirmed,
        occurrences: seen.values().map(|sightings| sightings.indices.len() as u64).sum(),
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
