//! Checks a report, a comparison or the sum of a soak, which is one JSON document.

use std::collections::BTreeSet;

use crdible_spec::{Catalogue, Level, Resolved};
use serde::Deserialize as _;
use serde_json::Value;

use super::soak::of_soak;
use super::{Checked, Form, Problem, published};
use crate::comparison::{Comparison, ComparisonVerdict};
use crate::fold::resolve;
use crate::journal::{TargetKind, digest};
use crate::model::{Counts, Report};
use crate::soak::Soak;
use crate::text::plural;
use crate::verdict;

/// Checks a document of this form.
pub(super) fn check(form: Form, document: &Value, catalogue: &Catalogue) -> Checked {
    let mut checked = Checked::new(match form {
        Form::Report => "a report",
        Form::Soak => "the sum of a soak",
        Form::Comparison | Form::Journal => "a comparison",
    });
    published::violations(form, document).into_iter().for_each(|problem| checked.add(problem));
    if !checked.is_valid() {
        return checked;
    }
    if let Some(stated) = document[digest::FIELD].as_str() {
        checked.is_sealed = stated == digest::of_document(document);
        if !checked.is_sealed {
            let place = format!("/{}", digest::FIELD);
            let what =
                "it does not fit the rest of the document, which was changed after it had been written".to_owned();
            checked.add(Problem { line: None, place, what });
        }
    }
    // The reader is stricter than the schema about some values.
    let read = match form {
        Form::Report => Report::deserialize(document).map(|report| of_report(&report, catalogue, &mut checked)),
        Form::Soak => Soak::deserialize(document).map(|soak| of_soak(&soak, catalogue, &mut checked)),
        Form::Comparison | Form::Journal => {
            Comparison::deserialize(document).map(|comparison| of_comparison(&comparison, &mut checked))
        }
    };
    if let Err(error) = read {
        checked.wrong(None, error.to_string());
    }
    checked
}

fn of_report(report: &Report, catalogue: &Catalogue, checked: &mut Checked) {
    let kind = match report.target.kind {
        TargetKind::Converter => "a check of a conversion webhook",
        _ => "a run",
    };
    checked.what = format!(
        "the report of {kind} on {}: {}, {}",
        report.target,
        report.verdict.as_str(),
        plural(report.counts.cases, "case")
    );
    if report.stop_reason.is_none() {
        checked.incomplete = Some("the run was killed".to_owned());
    }
    let summed = Counts::of(&report.properties, &report.requirements, &report.failures, &report.known);
    checked.totals(&report.counts, &summed);
    if report.seed != report.run.seed {
        checked.differs("/seed", report.seed, report.run.seed);
    }
    if report.ended.is_some() != report.stop_reason.is_some() {
        checked.wrong(None, "only one of `ended` and `stop_reason` is there");
    }
    if report.complete != report.reasons.is_empty() {
        checked.wrong(None, "`complete` contradicts `reasons`");
    }
    let broken = report.failures.iter().filter(|found| found.level == Level::Must && found.is_settled()).count();
    let known = report.known.iter().filter(|known| known.finding.level == Level::Must).count();
    let follows = verdict::follows(broken, known, report.stop_reason, !report.complete);
    if report.verdict != follows {
        checked.differs("/verdict", report.verdict.as_str(), follows.as_str());
    }
    checked.note_catalogue(&report.catalogue.digest, catalogue);
    if checked.is_of_this_catalogue {
        look_up(report, catalogue, checked);
    }
}

/// What the report says about requirements must agree with the catalogue.
fn look_up(report: &Report, catalogue: &Catalogue, checked: &mut Checked) {
    if report.catalogue.requirements != catalogue.iter().count() {
        checked.differs("/catalogue/requirements", report.catalogue.requirements, catalogue.iter().count());
    }
    let mut seen = BTreeSet::new();
    let requirements = report.requirements.iter().map(|result| (&result.id, result.level));
    let edges = report.requirements.iter().flat_map(|result| &result.edges).map(|edge| (&edge.reference, edge.level));
    for (reference, level) in requirements.chain(edges) {
        if !seen.insert(reference) {
            checked.wrong(None, format!("the requirement {reference} is there twice"));
        }
        let Some(own) = resolve(catalogue, reference).map(Resolved::level) else {
            checked.wrong(None, format!("the catalogue has no requirement {reference}"));
            continue;
        };
        if own != level {
            checked.wrong(
                None,
                format!("the requirement {reference} has the level {level} here, and {own} in the catalogue"),
            );
        }
    }
}

fn of_comparison(comparison: &Comparison, checked: &mut Checked) {
    let [first, second] = &comparison.targets;
    let scenarios = comparison.properties.values().map(|counts| counts.scenarios).fold(0, u64::saturating_add);
    checked.what = format!(
        "the comparison of {first} and {second}: {}, {}",
        comparison.verdict.as_str(),
        plural(scenarios, "scenario")
    );
    if comparison.stop_reason.is_none() {
        checked.incomplete = Some("the comparison was killed".to_owned());
    }
    let mut ids = BTreeSet::new();
    for difference in &comparison.differences {
        if !ids.insert(&difference.id) {
            checked.wrong(None, format!("the difference {} is there twice", difference.id));
        }
    }
    for (property, counts) in &comparison.properties {
        if counts.differing > counts.scenarios {
            checked.wrong(None, format!("more scenarios of {property} differ than there are"));
        }
    }
    let is_different = comparison.is_different();
    // A difference that was not confirmed makes a comparison incomplete, but is only in the journal.
    let fits = match comparison.verdict {
        ComparisonVerdict::Different => is_different,
        ComparisonVerdict::NoDifferences => !is_different && comparison.is_whole(),
        ComparisonVerdict::Incomplete => !is_different,
    };
    if !fits {
        let what = format!("the verdict {} contradicts the rest of the document", comparison.verdict.as_str());
        checked.add(Problem { line: None, place: "/verdict".to_owned(), what });
    }
}
