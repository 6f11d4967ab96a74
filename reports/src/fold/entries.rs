//! Findings with the same symptom become one entry of the report; if there are many, so do those of the same area.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crdible_spec::Level;
use serde_json::Value;

use crate::Signature;
use crate::model::{AlsoSeen, EvidenceKind, ReportedFinding};

/// The most groups for each number of parts of the symptoms. If there are more groups, one part less counts: a few
/// details can be read one by one, many only by their area.
const MOST: [(usize, usize); 2] = [(3, 4), (2, 12)];

/// The separator of the parts of a symptom, the most general first: `objects: defaults / items / write, missing`.
const PARTS: &str = " / ";

/// The entries of these findings, none of which is a known failure, in the order of the report. `skipped` is the number
/// of properties that were not judged because of what an entry shows.
///
/// Findings with the same symptom are one entry. If there are many, those whose symptoms begin alike are one entry, so
/// that a server on which everything fails gets a list of areas and not one of details. A finding without a symptom,
/// such as a failure that was not confirmed, stands alone and does not count as a detail.
pub(super) fn entries(
    findings: Vec<ReportedFinding>,
    skipped: &dyn Fn(&ReportedFinding) -> u64,
) -> Vec<ReportedFinding> {
    let (mut entries, with_symptom): (Vec<ReportedFinding>, Vec<ReportedFinding>) =
        findings.into_iter().partition(|finding| finding.symptom.is_empty());
    let mut parts = with_symptom.iter().map(|finding| finding.symptom.split(PARTS).count()).max().unwrap_or(0).min(3);
    let groups = loop {
        let groups = grouped(&with_symptom, parts);
        let most = MOST.iter().find(|(of, _)| *of == parts).map_or(usize::MAX, |(_, most)| *most);
        if parts <= 1 || groups.len() <= most {
            break groups;
        }
        parts -= 1;
    };
    entries.extend(groups.into_values().flat_map(merged));
    entries.sort_by_cached_key(|entry| {
        let is_uncertain = entry.evidence == EvidenceKind::Unconfirmed;
        let explained = entry.explains() + skipped(entry);
        (is_uncertain, entry.level, Reverse(explained), entry.failure.signature.clone())
    });
    entries
}

/// The findings by this many parts of their symptoms.
fn grouped(findings: &[ReportedFinding], parts: usize) -> BTreeMap<String, Vec<ReportedFinding>> {
    let mut groups: BTreeMap<String, Vec<ReportedFinding>> = BTreeMap::new();
    for finding in findings {
        let beginning = finding.symptom.split(PARTS).take(parts).collect::<Vec<_>>().join(PARTS);
        groups.entry(beginning).or_default().push(finding.clone());
    }
    groups
}

/// The clearest finding of a group, which lists the others.
///
/// A finding that counts against the server is clearer than any that does not. If one that does not is of a stronger
/// level than all that do, it is an entry of its own: in the list of a weaker one it would be missing from the verdict.
fn merged(mut group: Vec<ReportedFinding>) -> Vec<ReportedFinding> {
    group.sort_by_cached_key(clarity);
    let mut entries: Vec<ReportedFinding> = Vec::new();
    for finding in group {
        match entries.iter_mut().find(|entry| entry.level <= finding.level) {
            Some(entry) => entry.also.push(AlsoSeen::of(&finding)),
            None => entries.push(finding),
        }
    }
    entries
}

/// The key that sorts the findings of a group, the clearest first.
fn clarity(finding: &ReportedFinding) -> (bool, Level, bool, EvidenceKind, bool, usize, usize, Signature) {
    let signature = &finding.failure.signature;
    let size = |documents: &[Value]| documents.iter().map(|document| document.to_string().len()).sum::<usize>();
    (
        !finding.is_settled(),
        finding.level,
        !signature.is_of_capability(),
        finding.evidence,
        // A property for a defect of one server is the least useful to the maintainer of another.
        signature.property.contains("-defect-"),
        finding.minimal.requests.len(),
        size(&finding.minimal.definitions) + size(&finding.minimal.objects),
        signature.clone(),
    )
}
