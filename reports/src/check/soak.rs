//! Checks the sum of a soak.

use crdible_spec::{Catalogue, Level};

use super::{Checked, Problem};
use crate::model::EvidenceKind;
use crate::soak::{Soak, SoakCounts};
use crate::text::plural;
use crate::verdict;

/// Totals and verdict must follow from the rest.
pub(super) fn of_soak(soak: &Soak, catalogue: &Catalogue, checked: &mut Checked) {
    checked.what = format!(
        "the sum of a soak on {}: {}, {} in {}",
        soak.target,
        soak.verdict.as_str(),
        plural(soak.counts.cases, "case"),
        plural(soak.counts.rounds, "round")
    );
    if soak.stop_reason.is_none() {
        checked.incomplete = Some("the soak was killed, or goes on".to_owned());
    }
    let stated = &soak.counts;
    let summed = SoakCounts {
        rounds: soak.seeds.len() as u64,
        properties: soak.properties.len() as u64,
        // The sums saturate: one that overflows is wrong anyway.
        cases: soak.properties.values().fold(0, |sum, cases| sum.saturating_add(*cases)),
        scenarios: stated.passed.saturating_add(stated.failed),
        errors: soak.errors.iter().fold(0, |sum, error| sum.saturating_add(error.scenarios)),
        failures: soak.failures.len() as u64,
        unconfirmed: soak.unconfirmed.len() as u64,
        known_failures: soak.known.len() as u64,
        ..stated.clone()
    };
    checked.totals(stated, &summed);
    if soak.asked.cases.is_some() == soak.asked.seconds.is_some() {
        let what = "it must name either cases or seconds".to_owned();
        checked.add(Problem { line: None, place: "/asked".to_owned(), what });
    }
    if soak.seeds.first().is_some_and(|first| *first != soak.run.seed) {
        checked.differs("/seeds/0", soak.seeds[0], soak.run.seed);
    }
    for (list, found, is_confirmed) in [("failures", &soak.failures, true), ("unconfirmed", &soak.unconfirmed, false)] {
        for (at, found) in found.iter().enumerate() {
            if (found.evidence == EvidenceKind::Confirmed) != is_confirmed {
                let what = "it contradicts the list in which it is".to_owned();
                checked.add(Problem { line: None, place: format!("/{list}/{at}/evidence"), what });
            }
        }
    }
    let broken = soak.failures.iter().filter(|found| found.level == Level::Must).count();
    let known = soak.known.iter().filter(|known| known.level == Level::Must).count();
    let follows = verdict::follows(broken, known, soak.stop_reason, !soak.reasons.is_empty());
    if soak.verdict != follows {
        checked.differs("/verdict", soak.verdict.as_str(), follows.as_str());
    }
    checked.note_catalogue(&soak.catalogue.digest, catalogue);
}
