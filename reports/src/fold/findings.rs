//! Merges failures with the same signature into one finding.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::{Catalogue, Level};
use serde_json::Value;

use super::level;
use super::tally::{Sightings, Tally};
use crate::journal::{self, Minimal, Reproduced, Run};
use crate::model::{EvidenceKind, ReportedFinding, RulesOfFinding};
use crate::shell::quoted;
use crate::{Failure, Signature};

/// The findings of a run, one for each signature, in no particular order.
pub(super) fn collect(tally: &Tally, catalogue: &Catalogue) -> Vec<ReportedFinding> {
    let mut by_signature: BTreeMap<&Signature, Vec<&journal::RecordedFinding>> = BTreeMap::new();
    for finding in &tally.findings {
        by_signature.entry(&finding.failure.signature).or_default().push(finding);
    }
    let nowhere = BTreeMap::new();
    let mut findings: Vec<ReportedFinding> = by_signature
        .iter()
        .filter_map(|(signature, findings)| {
            confirmed(findings, tally.seen.get(*signature).unwrap_or(&nowhere), catalogue)
        })
        .collect();
    let not_confirmed = tally.seen.iter().filter(|(signature, _)| !by_signature.contains_key(signature));
    findings.extend(not_confirmed.map(|(signature, seen)| unconfirmed(signature, seen, &tally.header.run, catalogue)));
    findings
}

/// One finding for all findings of a signature; the smallest of them is shown.
fn confirmed(
    findings: &[&journal::RecordedFinding],
    seen: &BTreeMap<String, Sightings>,
    catalogue: &Catalogue,
) -> Option<ReportedFinding> {
    let shown = findings.iter().min_by_key(|finding| {
        let size = finding.shrink.as_ref().map_or(u64::MAX, |shrink| shrink.final_size);
        (evidence_of(finding), size, finding.index)
    })?;
    let requirements: BTreeSet<&String> = findings.iter().flat_map(|finding| &finding.failure.requirements).collect();
    let property = shown.failure.signature.property.as_str();
    let occurrences: BTreeSet<(&str, u64)> =
        findings
            .iter()
            .map(|finding| (property, finding.index))
            .chain(seen.iter().flat_map(|(property, sightings)| {
                sightings.indices.iter().map(move |&index| (property.as_str(), index))
            }))
            .collect();
    Some(ReportedFinding {
        level: strongest(requirements.iter().copied(), catalogue),
        failure: Failure { requirements: requirements.into_iter().cloned().collect(), ..shown.failure.clone() },
        promise: shown.promise.clone(),
        symptom: shown.symptom.clone(),
        also: Vec::new(),
        shares: Vec::new(),
        evidence: evidence_of(shown),
        occurrences: occurrences.len() as u64,
        minimal: shown.minimal.clone(),
        rules: RulesOfFinding::default(),
        replay: Some(shown.replay.clone()),
        look_again: None,
        shrink: shown.shrink.clone(),
        reproduced: shown.reproduced,
        after_ms: shown.after_ms,
    })
}

/// A finding alone, as a report would show it if it were the only one.
pub(crate) fn alone(finding: &journal::RecordedFinding, catalogue: &Catalogue) -> Option<ReportedFinding> {
    confirmed(&[finding], &BTreeMap::new(), catalogue)
}

/// A failure that was seen, but not confirmed: of a run that was killed only this is recorded. The broken requirements
/// are among those that the scenarios asserted, so the level is the strongest possible one.
fn unconfirmed(
    signature: &Signature,
    seen: &BTreeMap<String, Sightings>,
    run: &Run,
    catalogue: &Catalogue,
) -> ReportedFinding {
    let requirements: BTreeSet<&String> = seen.values().flat_map(|sightings| &sightings.asserted).collect();
    ReportedFinding {
        level: strongest(requirements.iter().copied(), catalogue),
        failure: Failure {
            signature: signature.clone(),
            requirements: requirements.into_iter().cloned().collect(),
            summary: "it failed, but the run ended before the failure was confirmed and shrunk".to_owned(),
            expected: Value::Null,
            actual: Value::Null,
            between: None,
        },
        promise: String::new(),
        symptom: String::new(),
        also: Vec::new(),
        shares: Vec::new(),
        evidence: EvidenceKind::Unconfirmed,
        occurrences: seen.values().map(|sightings| sightings.indices.len() as u64).sum(),
        minimal: Minimal::default(),
        rules: RulesOfFinding::default(),
        replay: None,
        look_again: Some(look_again(signature, run)),
        shrink: None,
        reproduced: Reproduced::default(),
        after_ms: None,
    }
}

/// The command of the run, of the property alone.
fn look_again(signature: &Signature, run: &Run) -> String {
    let program = run.command.split(' ').next().unwrap_or_default();
    let is_ours = program.rsplit('/').next() == Some("crdible");
    let mut command = if is_ours { run.command.clone() } else { "crdible run".to_owned() };
    // Merged journals do not say which shard it was.
    if let Some((before, rest)) = command.split_once(" --shard ") {
        let after = rest.split_once(' ').map_or("", |(_, after)| after);
        command = [before, after].join(" ");
        command.truncate(command.trim_end().len());
    }
    // No pattern selects a capability test: each run begins with all of them.
    if !signature.is_of_capability() && !command.contains(" --property ") {
        command.push_str(&format!(" --property {}", quoted(&signature.property)));
    }
    if !command.contains(" --seed") {
        command.push_str(&format!(" --seed {}", run.seed));
    }
    command
}

/// How certain a finding is.
fn evidence_of(finding: &journal::RecordedFinding) -> EvidenceKind {
    if finding.unconfirmed { EvidenceKind::Unconfirmed } else { evidence(finding.reproduced) }
}

/// How certain a finding with this record is.
pub(crate) fn evidence(reproduced: Reproduced) -> EvidenceKind {
    match reproduced {
        reproduced if reproduced.is_certain() => EvidenceKind::Confirmed,
        Reproduced { times: 0, .. } => EvidenceKind::Unreproduced,
        Reproduced { .. } => EvidenceKind::Flaky,
    }
}

pub(super) fn strongest<'a>(references: impl IntoIterator<Item = &'a String>, catalogue: &Catalogue) -> Level {
    // A failure that names no requirement counts as a broken MUST.
    references.into_iter().map(|reference| level(catalogue, reference)).min().unwrap_or(Level::Must)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::sample;

    #[rstest]
    #[case("crdible run --launch ./server", "crdible run --launch ./server --property p --seed 42")]
    #[case("crdible run --seed 42 --shard 2/3 --kubeconfig k", "crdible run --seed 42 --kubeconfig k --property p")]
    #[case("crdible run --property 'p*' --shard 2/3", "crdible run --property 'p*' --seed 42")]
    #[case(
        "crdible check-webhook http://localhost/convert --crd c.yaml",
        "crdible check-webhook http://localhost/convert --crd c.yaml --property p --seed 42"
    )]
    #[case("target/release/crdible run", "target/release/crdible run --property p --seed 42")]
    #[case("cargo test", "crdible run --property p --seed 42")]
    fn what_was_not_confirmed_is_looked_for_on_the_same_target(#[case] command: &str, #[case] expected: &str) {
        let run = Run { command: command.to_owned(), ..sample::clean().header.run };
        assert_eq!(look_again(&sample::signature("p", "c", "", "r"), &run), expected);
    }
}
