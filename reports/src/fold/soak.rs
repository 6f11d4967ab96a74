//! Sums up the rounds of a soak.

use std::collections::{BTreeMap, BTreeSet};

use crdible_spec::{Catalogue, Level};

use super::findings::strongest;
use crate::Signature;
use crate::journal::{Header, StopReason};
use crate::model::{AlsoSeen, EvidenceKind, KnownState, PropertyResult, Report, ReportedFinding};
use crate::soak::{Asked, FORMAT, Soak, SoakCounts, SoakError, SoakFinding, SoakKnown};
use crate::verdict::{Evidence, decide, follows};

/// The rounds of a soak, summed up one by one: it holds no experiment and no scenario, and so grows only with what was
/// found.
#[derive(Debug, Clone, Default)]
pub struct SoakTally {
    header: Header,
    asked: Asked,
    profile_complete: bool,
    seeds: Vec<u64>,
    counts: SoakCounts,
    /// Cases of each property, and how many a round should have judged at least.
    properties: BTreeMap<String, (u64, u64)>,
    findings: BTreeMap<Signature, SoakFinding>,
    known: BTreeMap<Signature, SoakKnown>,
    errors: BTreeMap<String, SoakError>,
    lacks: BTreeMap<String, BTreeSet<String>>,
    notes: Vec<String>,
    /// The entries of the file of known failures, and whether one failed in
    /// some round; `false` if it was only seen to hold.
    entries: BTreeMap<String, bool>,
}

impl SoakTally {
    /// A soak without a round. The header is that of its first one.
    pub fn new(header: Header, asked: Asked) -> Self {
        Self { header, asked, ..Self::default() }
    }

    /// Cases judged so far.
    pub fn cases(&self) -> u64 {
        self.counts.cases
    }

    /// Rounds so far.
    pub fn rounds(&self) -> u64 {
        self.counts.rounds
    }

    /// Whether an entry of the file of known failures held whenever it was exercised.
    pub fn has_outdated_entries(&self) -> bool {
        self.entries.values().any(|has_failed| !has_failed)
    }

    /// Adds a round.
    pub fn add(&mut self, round: &Report, catalogue: &Catalogue) {
        self.seeds.push(round.seed);
        self.profile_complete |= round.profile_complete;
        let (sum, counts) = (&mut self.counts, &round.counts);
        sum.rounds += 1;
        sum.cases += counts.cases;
        sum.scenarios += counts.passed + counts.failed;
        sum.passed += counts.passed;
        sum.failed += counts.failed;
        sum.errors += counts.errors;
        sum.discarded += counts.discarded;
        sum.requests += counts.requests;
        for property in &round.properties {
            self.add_property(round.seed, property);
        }
        for entry in &round.failures {
            self.add_failure(round.seed, entry, catalogue);
        }
        for known in &round.known {
            let ReportedFinding { failure, level, occurrences, .. } = &known.finding;
            let seen = self.known.entry(failure.signature.clone()).or_insert_with(|| SoakKnown {
                signature: failure.signature.clone(),
                level: *level,
                entry: known.entry.clone(),
                seed: round.seed,
                rounds: 0,
                scenarios: 0,
            });
            seen.rounds += 1;
            seen.scenarios += occurrences;
        }
        for entry in &round.known_entries {
            match entry.state {
                KnownState::Failed => {
                    self.entries.insert(entry.entry.clone(), true);
                }
                KnownState::UnexpectedPass => {
                    self.entries.entry(entry.entry.clone()).or_insert(false);
                }
                KnownState::Expired | KnownState::OtherRelease | KnownState::NotExercised => {}
            }
        }
        for missing in &round.lacks {
            self.lacks.entry(missing.capability.clone()).or_default().extend(missing.properties.iter().cloned());
        }
        for note in &round.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
    }

    fn add_property(&mut self, seed: u64, property: &PropertyResult) {
        let (cases, minimum) = self.properties.entry(property.id.clone()).or_default();
        *cases += property.cases;
        *minimum = property.minimum.max(*minimum);
        if property.errors > 0 {
            let error = self.errors.entry(property.id.clone()).or_insert_with(|| SoakError {
                property: property.id.clone(),
                scenarios: 0,
                seed,
                example: property
                    .examples
                    .iter()
                    .find_map(|example| example.strip_prefix("error, "))
                    .unwrap_or_default()
                    .to_owned(),
            });
            error.scenarios += property.errors;
        }
    }

    /// Adds an entry of a report, and each finding that it lists.
    fn add_failure(&mut self, seed: u64, entry: &ReportedFinding, catalogue: &Catalogue) {
        let path = entry.replay.as_ref().and_then(|replay| replay.path.clone());
        let others = entry.also.iter().map(|also| (also.clone(), None));
        for (found, path) in std::iter::once((AlsoSeen::of(entry), path)).chain(others) {
            self.merge(SoakFinding {
                level: strongest(&found.requirements, catalogue),
                signature: found.signature,
                requirements: found.requirements,
                summary: found.summary,
                evidence: found.evidence,
                seed,
                rounds: 1,
                scenarios: found.occurrences,
                path,
                replay: found.replay,
            });
        }
    }

    /// A more certain finding replaces an earlier one.
    fn merge(&mut self, new: SoakFinding) {
        match self.findings.get_mut(&new.signature) {
            None => {
                self.findings.insert(new.signature.clone(), new);
            }
            Some(before) => {
                let (rounds, scenarios) = (before.rounds + 1, before.scenarios + new.scenarios);
                if new.evidence < before.evidence {
                    *before = new;
                }
                (before.rounds, before.scenarios) = (rounds, scenarios);
            }
        }
    }

    /// The sum. `shortfall` is a sentence that says why less was judged than requested, if that is due to the target.
    pub fn conclude(
        &self,
        stop_reason: Option<StopReason>,
        shortfall: Option<String>,
        ended: String,
        seconds: f64,
    ) -> Soak {
        let is_confirmed = |found: &&SoakFinding| found.evidence == EvidenceKind::Confirmed;
        let mut failures: Vec<SoakFinding> = self.findings.values().filter(is_confirmed).cloned().collect();
        failures.sort_by_key(|found| (found.level, found.signature.clone()));
        let unconfirmed: Vec<SoakFinding> =
            self.findings.values().filter(|found| !is_confirmed(found)).cloned().collect();
        let must = |found: &[SoakFinding]| found.iter().filter(|found| found.level == Level::Must).count();
        let (broken, unsettled) = (must(&failures), must(&unconfirmed));
        let known = self.known.values().filter(|known| known.level == Level::Must).count();
        let lacks: BTreeMap<String, u64> =
            self.lacks.iter().map(|(capability, properties)| (capability.clone(), properties.len() as u64)).collect();
        let short = self.properties.iter().filter(|(_, (cases, minimum))| cases < minimum);
        let (_, mut reasons) = decide(&Evidence {
            stop_reason,
            footer_complete: stop_reason == Some(StopReason::Finished),
            broken,
            unsettled,
            known,
            skipped: lacks.clone().into_iter().collect(),
            short: short.map(|(id, (cases, minimum))| (id.clone(), *cases, *minimum)).collect(),
            slow: None,
            unanswered: self.counts.errors,
            nothing_judged: self.counts.scenarios == 0,
        });
        reasons.extend(shortfall);
        let verdict = follows(broken, known, stop_reason, !reasons.is_empty());
        let judged = self.properties.iter().filter(|(_, (cases, _))| *cases > 0);
        let properties: BTreeMap<String, u64> = judged.map(|(id, (cases, _))| (id.clone(), *cases)).collect();
        let counts = SoakCounts {
            properties: properties.len() as u64,
            failures: failures.len() as u64,
            unconfirmed: unconfirmed.len() as u64,
            known_failures: self.known.len() as u64,
            ..self.counts.clone()
        };
        let Header { tool, catalogue, generator, run, target, profile, .. } = self.header.clone();
        Soak {
            format: FORMAT.to_owned(),
            verdict,
            statement: verdict.statement(&reasons, &self.header, self.profile_complete, broken, self.known.len()),
            reasons,
            stop_reason,
            asked: self.asked,
            profile,
            profile_complete: self.profile_complete,
            tool,
            catalogue,
            generator,
            run,
            ended,
            seconds,
            target,
            seeds: self.seeds.clone(),
            counts,
            properties,
            failures,
            unconfirmed,
            known: self.known.values().cloned().collect(),
            errors: self.errors.values().cloned().collect(),
            lacks,
            notes: self.notes.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
