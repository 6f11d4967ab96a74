//! What a run says about each requirement and each edge.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::{Catalogue, RequirementId};
use jiff::civil::Date;

use super::{is_settled, level, resolve};
use crate::journal::{Case, Journal, LeftOut, Outcome};
use crate::known::{KnownEntry, KnownFailures, Subject};
use crate::model::{EdgeResult, EvidenceKind, Finding, KnownFinding, RequirementResult, Status};

/// What the results are made from.
pub(super) struct Facts<'a> {
    pub(super) journal: &'a Journal,
    pub(super) asserted: Asserted<'a>,
    pub(super) catalogue: &'a Catalogue,
    pub(super) known: &'a KnownFailures,
    pub(super) failures: &'a [Finding],
    pub(super) known_findings: &'a [KnownFinding],
    pub(super) today: Date,
    pub(super) complete_footer: bool,
}

impl<'a> Facts<'a> {
    /// All findings, known or not.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'a Finding> + use<'a> {
        self.failures.iter().chain(self.known_findings.iter().map(|known| &known.finding))
    }

    /// Whether what an entry names was asserted in a case.
    pub(super) fn is_exercised(&self, entry: &KnownEntry) -> bool {
        let asserted = &self.asserted;
        match &entry.subject {
            Subject::Requirement(_) => {
                asserted.cases.iter().any(|(reference, &cases)| cases > 0 && entry.names_reference(reference))
            }
            Subject::Signature(_) => {
                asserted.judged.iter().any(|(property, &cases)| cases > 0 && entry.names_property(property))
            }
        }
    }
}

/// What the scenarios asserted, summed up once: a journal has many more scenarios than requirements.
#[derive(Default)]
pub(super) struct Asserted<'a> {
    /// Cases by reference.
    cases: BTreeMap<&'a str, u64>,
    /// Cases by requirement. A scenario that asserts a requirement and its edges counts once.
    cases_with_edges: BTreeMap<&'a str, u64>,
    /// Cases with a verdict by property.
    judged: BTreeMap<&'a str, u64>,
    /// Properties of which a scenario was run, whatever came of it.
    ran: BTreeSet<&'a str>,
}

impl<'a> Asserted<'a> {
    pub(super) fn count(journal: &'a Journal, cases: &BTreeMap<(&'a str, u64), &'a Case>) -> Self {
        let planned: BTreeMap<&str, &'a [String]> = journal
            .plan
            .properties
            .iter()
            .map(|property| (property.id.as_str(), property.requirements.as_slice()))
            .collect();
        let mut counts = Self::default();
        for &case in cases.values().filter(|case| case.outcome != Outcome::Skipped) {
            let property = case.property.as_str();
            counts.ran.insert(property);
            if !matches!(case.outcome, Outcome::Pass | Outcome::Fail) {
                continue;
            }
            *counts.judged.entry(property).or_default() += case.cases;
            let requirements = planned.get(property).copied().unwrap_or_default();
            let references: BTreeSet<&'a str> =
                case.asserted.iter().filter_map(|&at| requirements.get(at)).map(String::as_str).collect();
            let distinct: BTreeSet<&'a str> = references.iter().map(|reference| base(reference)).collect();
            for reference in references {
                *counts.cases.entry(reference).or_default() += case.cases;
            }
            for requirement in distinct {
                *counts.cases_with_edges.entry(requirement).or_default() += case.cases;
            }
        }
        counts
    }
}

/// One result for each requirement that plan, filters or findings name, in the order of the specification.
pub(super) fn results(facts: &Facts<'_>) -> Vec<RequirementResult> {
    let plan = &facts.journal.plan;
    let mut edges: BTreeMap<Place, BTreeSet<(u16, String)>> = BTreeMap::new();
    let references = plan
        .properties
        .iter()
        .flat_map(|property| &property.requirements)
        .chain(plan.excluded.iter().chain(&plan.unsupported).map(|left_out| &left_out.requirement))
        .chain(facts.findings().flat_map(|finding| &finding.requirements));
    for reference in references {
        let edges = edges.entry(Place::of(base(reference))).or_default();
        if let Some((_, edge)) = reference.split_once('/') {
            let number = edge.trim_start_matches('e').parse().unwrap_or(u16::MAX);
            edges.insert((number, reference.clone()));
        }
    }
    edges.into_iter().map(|(place, edges)| result(facts, &place.name, &edges)).collect()
}

/// Sorts as the specification does; what is no ID comes last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    unknown: bool,
    id: Option<RequirementId>,
    name: String,
}

impl Place {
    fn of(name: &str) -> Self {
        let id = name.parse().ok();
        Self { unknown: id.is_none(), id, name: name.to_owned() }
    }
}

fn result(facts: &Facts<'_>, id: &str, edges: &BTreeSet<(u16, String)>) -> RequirementResult {
    let known = id.parse().ok().and_then(|id| facts.catalogue.get(id));
    let own_level = level(facts.catalogue, id);
    let cases = facts.asserted.cases_with_edges.get(id).copied().unwrap_or_default();
    // A weaker edge that fails does not make the requirement fail.
    let binding = |reference: &str| base(reference) == id && level(facts.catalogue, reference) <= own_level;
    let all = |reference: &str| base(reference) == id;
    let left_out = left_out(facts, id);
    RequirementResult {
        id: id.to_owned(),
        level: own_level,
        title: known.map(|requirement| requirement.title.clone()).unwrap_or_default(),
        chapter: known.map_or(0, |requirement| requirement.chapter),
        status: status(facts, cases, binding, left_out.as_ref().map(|(status, _)| *status)),
        reason: left_out.filter(|_| cases == 0).map(|(_, reason)| reason),
        cases,
        failures: count(facts.failures.iter(), all),
        known: count(facts.known_findings.iter().map(|known| &known.finding), all),
        properties: facts
            .journal
            .plan
            .properties
            .iter()
            .filter(|property| property.requirements.iter().any(|reference| all(reference)))
            .map(|property| property.id.clone())
            .collect(),
        edges: edges.iter().map(|(_, reference)| edge_result(facts, reference)).collect(),
    }
}

fn edge_result(facts: &Facts<'_>, reference: &str) -> EdgeResult {
    let cases = facts.asserted.cases.get(reference).copied().unwrap_or_default();
    let same = |other: &str| other == reference;
    EdgeResult {
        reference: reference.to_owned(),
        level: level(facts.catalogue, reference),
        status: status(facts, cases, same, left_out(facts, reference).map(|(status, _)| status)),
        cases,
        failures: count(facts.failures.iter(), same),
        known: count(facts.known_findings.iter().map(|known| &known.finding), same),
    }
}

/// The status of what `concerns` selects among references.
fn status(facts: &Facts<'_>, cases: u64, concerns: impl Fn(&str) -> bool, left_out: Option<Status>) -> Status {
    let concerned = |finding: &&Finding| finding.requirements.iter().any(|reference| concerns(reference));
    let failures: Vec<&Finding> = facts.failures.iter().filter(concerned).collect();
    if failures.iter().any(|finding| is_settled(finding, facts.complete_footer)) {
        return Status::Fail;
    }
    if failures.iter().any(|finding| finding.evidence == EvidenceKind::Flaky) {
        return Status::Flaky;
    }
    if !failures.is_empty() {
        return Status::Inconclusive;
    }
    if facts.known_findings.iter().map(|known| &known.finding).any(|finding| concerned(&finding)) {
        return Status::Known;
    }
    if cases > 0 && facts.known.entries().iter().any(|entry| is_unexpected_pass(facts, entry, &concerns)) {
        return Status::UnexpectedPass;
    }
    let planning: Vec<&str> = facts
        .journal
        .plan
        .properties
        .iter()
        .filter(|property| property.requirements.iter().any(|reference| concerns(reference)))
        .map(|property| property.id.as_str())
        .collect();
    if cases == 0 {
        let ran = planning.iter().any(|property| facts.asserted.ran.contains(property));
        return left_out.unwrap_or(if ran { Status::Inconclusive } else { Status::NotRun });
    }
    if planning.iter().any(|property| reached_minimum(facts, property)) { Status::Pass } else { Status::Inconclusive }
}

fn is_unexpected_pass(facts: &Facts<'_>, entry: &KnownEntry, concerns: &impl Fn(&str) -> bool) -> bool {
    let Subject::Requirement(reference) = &entry.subject else {
        return false;
    };
    concerns(&reference.to_string())
        && entry.holds_at(&facts.journal.header.target.release)
        && !entry.expired(facts.today)
        && facts.is_exercised(entry)
        && !facts.findings().any(|finding| entry.names(&finding.requirements, &finding.signature))
}

fn reached_minimum(facts: &Facts<'_>, property: &str) -> bool {
    let judged = facts.asserted.judged.get(property).copied().unwrap_or_default();
    facts.journal.plan.properties.iter().any(|planned| planned.id == property && judged >= planned.minimum)
}

/// Whether a reference was left out before the run, and why.
fn left_out(facts: &Facts<'_>, reference: &str) -> Option<(Status, String)> {
    let named = |list: &[LeftOut]| {
        let entry =
            list.iter().find(|left_out| left_out.requirement == reference || left_out.requirement == base(reference));
        entry.map(|left_out| left_out.reason.clone())
    };
    let plan = &facts.journal.plan;
    if let Some(reason) = named(&plan.unsupported) {
        return Some((Status::Unsupported, reason));
    }
    if let Some(reason) = named(&plan.excluded) {
        return Some((Status::Excluded, reason));
    }
    let release = &facts.journal.header.target.release;
    let minor: u16 = release.strip_prefix("1.")?.parse().ok()?;
    let since = &resolve(facts.catalogue, reference)?.requirement().since;
    (!since.holds_in(minor)).then(|| (Status::Unsupported, format!("holds since {since}, the target claims {release}")))
}

fn count<'a>(findings: impl Iterator<Item = &'a Finding>, concerns: impl Fn(&str) -> bool) -> u64 {
    findings.filter(|finding| finding.requirements.iter().any(|reference| concerns(reference))).count() as u64
}

/// `PRUNE-004` of `PRUNE-004/e2`.
fn base(reference: &str) -> &str {
    reference.split('/').next().unwrap_or(reference)
}
