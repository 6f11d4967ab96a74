//! Sums up a journal line by line, for a report without the scenarios.

use std::collections::{BTreeMap, BTreeSet};

use super::base;
use crate::Signature;
use crate::journal::{
    Case, Event, Footer, Header, Journal, Line, Outcome, Plan, Reached, RecordedFinding, Sent, Truncation,
};
use crate::model::EventSummary;

/// Sums up a journal while it is written, for the report at its end.
///
/// It holds findings and totals. A scenario that passed only adds to the totals, for one that failed the index is kept,
/// and of the others only the reason of the first of each property. So it does not grow with the length of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    pub(super) header: Header,
    pub(super) plan: Plan,
    pub(super) footer: Option<Footer>,
    pub(super) truncated: Option<Truncation>,
    pub(super) properties: BTreeMap<String, PropertyTally>,
    /// Failing scenarios by signature, then by property.
    pub(super) seen: BTreeMap<Signature, BTreeMap<String, Sightings>>,
    pub(super) findings: Vec<RecordedFinding>,
    pub(super) events: Vec<EventSummary>,
    pub(super) reached: Option<Reached>,
    pub(super) sent: Sent,
    /// The details of the notes, each once.
    pub(super) notes: Vec<String>,
    /// Skipped properties, by the capability that the target does not support.
    pub(super) skipped: BTreeMap<String, BTreeSet<String>>,
    /// Properties that were stopped early, with the reason.
    pub(super) stopped: BTreeMap<String, String>,
}

/// The totals of one property.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PropertyTally {
    /// Cases with a verdict.
    pub(super) cases: u64,
    pub(super) requests: u64,
    pub(super) ms: u64,
    pub(super) scenarios: BTreeMap<Outcome, u64>,
    /// For each outcome that has a reason: the scenario with the lowest index, and its reason.
    pub(super) examples: BTreeMap<Outcome, (u64, Option<String>)>,
    /// Cases by asserted reference.
    pub(super) asserted: BTreeMap<String, u64>,
    /// Cases by requirement. A scenario that asserts both a requirement and its edges counts once.
    pub(super) asserted_with_edges: BTreeMap<String, u64>,
}

/// Scenarios of one property that failed with one signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sightings {
    pub(super) indices: BTreeSet<u64>,
    /// What they asserted, which may be more than what failed.
    pub(super) asserted: BTreeSet<String>,
}

impl Tally {
    /// The tally of a journal that has only this header.
    pub fn new(header: Header) -> Self {
        Self { header, ..Self::default() }
    }

    /// Adds a line. A header replaces the header, a plan the plan, a footer the footer; the plan must
    /// come before the scenarios, as in every journal.
    ///
    /// A scenario that is added twice counts twice. The journal of a resumed run may hold some twice, so files are read
    /// as a [`Journal`] and given to [`crate::fold()`].
    pub fn push(&mut self, line: Line) {
        match line {
            Line::Header(header) => self.header = *header,
            Line::Plan(plan) => self.plan = plan,
            Line::Case(case) => self.count(&case),
            Line::Finding(finding) => self.findings.push(*finding),
            Line::Event(event) => self.happened(&event),
            Line::Reached(reached) => self.reached = Some(reached),
            Line::Sent(sent) => self.sent.add(sent),
            Line::Footer(footer) => self.footer = Some(footer),
            Line::Unknown => {}
        }
    }

    /// The tally of a journal, in which a scenario that occurs twice counts once.
    pub fn of(journal: &Journal) -> Self {
        let mut tally = Self::new(journal.header.clone());
        tally.plan.clone_from(&journal.plan);
        tally.footer.clone_from(&journal.footer);
        tally.truncated.clone_from(&journal.truncated);
        tally.reached.clone_from(&journal.reached);
        tally.sent.clone_from(&journal.sent);
        tally.findings.clone_from(&journal.findings);
        for case in distinct(&journal.cases).into_values() {
            tally.count(case);
        }
        for event in &journal.events {
            tally.happened(event);
        }
        tally
    }

    /// Cases in which exactly this reference was asserted.
    pub(super) fn cases(&self, reference: &str) -> u64 {
        self.properties.values().filter_map(|property| property.asserted.get(reference)).sum()
    }

    /// Cases in which this requirement or an edge of it was asserted.
    pub(super) fn cases_with_edges(&self, requirement: &str) -> u64 {
        self.properties.values().filter_map(|property| property.asserted_with_edges.get(requirement)).sum()
    }

    fn count(&mut self, case: &Case) {
        if !self.properties.contains_key(&case.property) {
            self.properties.insert(case.property.clone(), PropertyTally::default());
        }
        let Some(property) = self.properties.get_mut(&case.property) else { return };
        property.requests += case.requests;
        property.ms += case.ms;
        *property.scenarios.entry(case.outcome).or_default() += 1;
        if !matches!(case.outcome, Outcome::Pass | Outcome::Fail) {
            let first = property.examples.get(&case.outcome).is_none_or(|(index, _)| case.index < *index);
            if first {
                property.examples.insert(case.outcome, (case.index, case.detail.clone()));
            }
            return;
        }
        let planned = self.plan.properties.iter().find(|planned| planned.id == case.property);
        let references: BTreeSet<&str> =
            case.asserted.iter().filter_map(|&at| planned?.requirements.get(at)).map(String::as_str).collect();
        property.cases += case.cases;
        for reference in &references {
            add(&mut property.asserted, reference, case.cases);
        }
        for requirement in references.iter().map(|reference| base(reference)).collect::<BTreeSet<_>>() {
            add(&mut property.asserted_with_edges, requirement, case.cases);
        }
        if case.outcome == Outcome::Fail {
            let unnamed = [Signature::new(&case.property, "", "", "unnamed")];
            let signatures = if case.failures.is_empty() { &unnamed[..] } else { &case.failures };
            for signature in signatures {
                let properties = self.seen.entry(signature.clone()).or_default();
                let sightings = properties.entry(case.property.clone()).or_default();
                sightings.indices.insert(case.index);
                sightings.asserted.extend(references.iter().map(|&reference| reference.to_owned()));
            }
        }
    }

    fn happened(&mut self, event: &Event) {
        if event.kind == Event::NOTE {
            if !self.notes.contains(&event.detail) {
                self.notes.push(event.detail.clone());
            }
            return;
        }
        match self.events.iter_mut().find(|summary| summary.kind == event.kind) {
            Some(summary) => summary.count += 1,
            None => {
                let detail = match &event.property {
                    Some(property) => format!("{property}: {}", event.detail),
                    None => event.detail.clone(),
                };
                self.events.push(EventSummary { kind: event.kind.clone(), count: 1, detail });
            }
        }
        if let Some(property) = event.property.clone() {
            match event.kind.as_str() {
                Event::SKIPPED => {
                    self.skipped.entry(event.detail.clone()).or_default().insert(property);
                }
                Event::STOPPED => {
                    self.stopped.insert(property, event.detail.clone());
                }
                _ => {}
            }
        }
    }
}

impl PropertyTally {
    /// Scenarios with this outcome.
    pub(super) fn with(&self, outcome: Outcome) -> u64 {
        self.scenarios.get(&outcome).copied().unwrap_or_default()
    }

    /// Whether any scenario was run, whatever its outcome.
    pub(super) fn ran(&self) -> bool {
        !self.scenarios.is_empty()
    }
}

/// One case for each scenario.
fn distinct(cases: &[Case]) -> BTreeMap<(&str, u64), &Case> {
    let mut distinct: BTreeMap<(&str, u64), &Case> = BTreeMap::new();
    for case in cases {
        let kept = distinct.entry((case.property.as_str(), case.index)).or_insert(case);
        *kept = (*kept).max(case);
    }
    distinct
}

/// Copies the key only if it is new: this runs for each scenario of a run.
fn add(sums: &mut BTreeMap<String, u64>, key: &str, more: u64) {
    match sums.get_mut(key) {
        Some(sum) => *sum += more,
        None => {
            sums.insert(key.to_owned(), more);
        }
    }
}

mod read;

#[cfg(test)]
mod tests;
