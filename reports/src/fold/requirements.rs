//! The result for each requirement and each edge.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::Catalogue;
use jiff::civil::Date;

use super::tally::{PropertyTally, Tally};
use super::{base, level, order, resolve};
use crate::journal::PlannedProperty;
use crate::known::{KnownEntry, KnownFailures, Subject, TargetRelease};
use crate::model::{EdgeResult, EvidenceKind, KnownFinding, ReportedFinding, RequirementResult, Status};

/// The input of the results.
pub(super) struct Facts<'a> {
    pub(super) tally: &'a Tally,
    pub(super) catalogue: &'a Catalogue,
    pub(super) known: &'a KnownFailures,
    /// Those that are not known, not grouped.
    pub(super) failures: &'a [ReportedFinding],
    pub(super) known_findings: &'a [KnownFinding],
    pub(super) today: Date,
}

impl<'a> Facts<'a> {
    /// All findings, known or not.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'a ReportedFinding> + use<'a> {
        self.failures.iter().chain(self.known_findings.iter().map(|known| &known.finding))
    }

    /// The planned properties that can assert one of the references that `concerns` selects.
    fn planned(&self, concerns: &impl Fn(&str) -> bool) -> impl Iterator<Item = &'a PlannedProperty> {
        let concerned =
            move |property: &&PlannedProperty| property.requirements.iter().any(|reference| concerns(reference));
        self.tally.plan.properties.iter().filter(concerned)
    }

    /// Whether a case asserted what an entry names.
    pub(super) fn is_exercised(&self, entry: &KnownEntry) -> bool {
        let mut properties = self.tally.properties.iter();
        match &entry.subject {
            Subject::Requirement(_) => properties
                .flat_map(|(_, counted)| &counted.asserted)
                .any(|(reference, &cases)| cases > 0 && entry.names_reference(reference)),
            Subject::Signature(_) => {
                properties.any(|(property, counted)| counted.cases > 0 && entry.names_property(property))
            }
        }
    }
}

/// One result for each requirement that the plan or a finding names, in specification order.
pub(super) fn results(facts: &Facts<'_>) -> Vec<RequirementResult> {
    let plan = &facts.tally.plan;
    let mut edges: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let references = plan
        .properties
        .iter()
        .flat_map(|property| &property.requirements)
        .chain(plan.unsupported.iter().map(|entry| &entry.requirement))
        .chain(facts.findings().flat_map(|finding| &finding.failure.requirements));
    for reference in references {
        let edges = edges.entry(order(base(reference))).or_default();
        if reference.contains('/') {
            edges.insert(order(reference));
        }
    }
    edges.into_iter().map(|((.., id), edges)| result(facts, &id, edges.iter().map(|(.., edge)| edge))).collect()
}

fn result<'a>(facts: &Facts<'_>, id: &str, edges: impl Iterator<Item = &'a String>) -> RequirementResult {
    let known = id.parse().ok().and_then(|id| facts.catalogue.get(id));
    let own_level = level(facts.catalogue, id);
    let cases = facts.tally.cases_with_edges(id);
    // A weaker edge that fails does not make the requirement fail.
    let binding = |reference: &str| base(reference) == id && level(facts.catalogue, reference) <= own_level;
    let all = |reference: &str| base(reference) == id;
    let absent = absent(facts, id);
    RequirementResult {
        id: id.to_owned(),
        level: own_level,
        title: known.map(|requirement| requirement.title.clone()).unwrap_or_default(),
        chapter: known.map_or(0, |requirement| requirement.chapter),
        status: status(facts, cases, binding, absent.as_ref().map(|(status, _)| *status)),
        reason: absent.filter(|_| cases == 0).map(|(_, reason)| reason),
        cases,
        failures: count(facts.failures.iter(), all),
        known: count(facts.known_findings.iter().map(|known| &known.finding), all),
        properties: facts.planned(&all).map(|property| property.id.clone()).collect(),
        edges: edges.map(|reference| edge_result(facts, reference)).collect(),
    }
}

fn edge_result(facts: &Facts<'_>, reference: &str) -> EdgeResult {
    let cases = facts.tally.cases(reference);
    let same = |other: &str| other == reference;
    EdgeResult {
        reference: reference.to_owned(),
        level: level(facts.catalogue, reference),
        status: status(facts, cases, same, absent(facts, reference).map(|(status, _)| status)),
        cases,
        failures: count(facts.failures.iter(), same),
        known: count(facts.known_findings.iter().map(|known| &known.finding), same),
    }
}

/// The status of the references that `concerns` selects. What a known failure breaks is uncertain if the run could not
/// confirm it.
fn status(facts: &Facts<'_>, cases: u64, concerns: impl Fn(&str) -> bool, absent: Option<Status>) -> Status {
    let concerned =
        |finding: &&ReportedFinding| finding.failure.requirements.iter().any(|reference| concerns(reference));
    let failures: Vec<&ReportedFinding> = facts.failures.iter().filter(concerned).collect();
    if failures.iter().any(|finding| finding.is_settled()) {
        return Status::Fail;
    }
    if failures.iter().any(|finding| finding.evidence == EvidenceKind::Flaky) {
        return Status::Flaky;
    }
    if !failures.is_empty() {
        return Status::Inconclusive;
    }
    let known = facts.known_findings.iter().map(|known| &known.finding).filter(concerned);
    if let Some(evidence) = known.map(|finding| finding.evidence).min() {
        return if evidence == EvidenceKind::Unconfirmed { Status::Inconclusive } else { Status::Known };
    }
    if cases > 0 && facts.known.entries().iter().any(|entry| is_unexpected_pass(facts, entry, &concerns)) {
        return Status::UnexpectedPass;
    }
    let mut planned = facts.planned(&concerns);
    let tally = |property: &PlannedProperty| facts.tally.properties.get(&property.id);
    if cases == 0 {
        let ran = planned.any(|property| tally(property).is_some_and(PropertyTally::ran));
        return absent.unwrap_or(if ran { Status::Inconclusive } else { Status::NotRun });
    }
    let is_enough = planned.any(|property| tally(property).map_or(0, |counted| counted.cases) >= property.minimum);
    if is_enough { Status::Pass } else { Status::Inconclusive }
}

fn is_unexpected_pass(facts: &Facts<'_>, entry: &KnownEntry, concerns: &impl Fn(&str) -> bool) -> bool {
    let Subject::Requirement(reference) = &entry.subject else {
        return false;
    };
    concerns(&reference.to_string())
        && entry.holds_at(&TargetRelease::of(&facts.tally.header.target))
        && !entry.expired(facts.today)
        && facts.is_exercised(entry)
        && !facts.findings().any(|finding| entry.names(&finding.failure))
}

/// The status of a reference that cannot be asserted on this target, and the reason; `None` if it can.
fn absent(facts: &Facts<'_>, reference: &str) -> Option<(Status, String)> {
    let names = |requirement: &str| requirement == reference || requirement == base(reference);
    if let Some(entry) = facts.tally.plan.unsupported.iter().find(|entry| names(&entry.requirement)) {
        let status = if entry.lacks.is_some() { Status::Unsupported } else { Status::NotPromised };
        return Some((status, entry.reason.clone()));
    }
    let release = &facts.tally.header.target.release;
    let minor: u16 = release.strip_prefix("1.")?.parse().ok()?;
    let since = resolve(facts.catalogue, reference)?.since();
    let reason = || format!("requires release {since}, but the target is judged by {release}");
    (!since.holds_in(minor)).then(|| (Status::NotPromised, reason()))
}

fn count<'a>(findings: impl Iterator<Item = &'a ReportedFinding>, concerns: impl Fn(&str) -> bool) -> u64 {
    findings.filter(|finding| finding.failure.requirements.iter().any(|reference| concerns(reference))).count() as u64
}
