//! Findings with the same symptom become one entry of the report.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crdible_spec::Level;
use serde_json::Value;

use crate::failure::Signature;
use crate::model::{AlsoSeen, EvidenceKind, Finding};

/// The entries of these findings, none of which is a known failure, in the order of the report.
pub(super) fn entries(findings: Vec<Finding>) -> Vec<Finding> {
    let (mut entries, told_together): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| finding.symptom.is_empty());
    let mut groups: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in told_together {
        groups.entry(finding.symptom.clone()).or_default().push(finding);
    }
    entries.extend(groups.into_values().flat_map(merged));
    entries.sort_by_cached_key(|entry| {
        let is_uncertain = entry.evidence == EvidenceKind::Unconfirmed;
        (is_uncertain, entry.level, Reverse(entry.explains()), entry.failure.signature.clone())
    });
    entries
}

/// The plainest finding of a group, which lists the others.
///
/// A finding that counts against the server is plainer than any that does not. If one that does not is of a stronger
/// level than all that do, it is an entry of its own: in the list of a weaker one it would be missing from the verdict.
fn merged(mut group: Vec<Finding>) -> Vec<Finding> {
    group.sort_by_cached_key(plainness);
    let mut entries: Vec<Finding> = Vec::new();
    for finding in group {
        match entries.iter_mut().find(|entry| entry.level <= finding.level) {
            Some(entry) => entry.also.push(also(finding)),
            None => entries.push(finding),
        }
    }
    entries
}

/// Sorts the findings of a group, the plainest first.
fn plainness(finding: &Finding) -> (bool, Level, bool, EvidenceKind, usize, usize, Signature) {
    let signature = &finding.failure.signature;
    let size = |documents: &[Value]| documents.iter().map(|document| document.to_string().len()).sum::<usize>();
    (
        !finding.is_settled(),
        finding.level,
        !signature.is_of_capability(),
        finding.evidence,
        finding.minimal.requests.len(),
        size(&finding.minimal.definitions) + size(&finding.minimal.objects),
        signature.clone(),
    )
}

fn also(finding: Finding) -> AlsoSeen {
    AlsoSeen {
        signature: finding.failure.signature,
        requirements: finding.failure.requirements,
        summary: finding.failure.summary,
        evidence: finding.evidence,
        occurrences: finding.occurrences,
        replay: finding.replay.map(|replay| replay.command),
    }
}
