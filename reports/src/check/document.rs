//! Checks a report, a comparison or the sum of a soak, which is one JSON document.

use std::collections::BTreeSet;

use crdible_spec::{Catalogue, Level, Reference, Resolved};
use serde::Deserialize as _;
use serde_json::Value;

use super::soak::of_soak;
use super::{Checked, Form, Problem, published};
use crate::comparison::{Comparison, ComparisonVerdict, Difference};
use crate::journal::digest;
use crate::journal::{StopReason, TargetKind};
use crate::model::{Counts, Report, ReportedFinding};
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
    match form {
        Form::Report => match Report::deserialize(document) {
            Ok(report) => of_report(&report, catalogue, &mut checked),
            Err(error) => checked.wrong(None, error.to_string()),
        },
        Form::Soak => match Soak::deserialize(document) {
            Ok(soak) => of_soak(&soak, catalogue, &mut checked),
            Err(error) => checked.wrong(None, error.to_string()),
        },
        Form::Comparison | Form::Journal => match Comparison::deserialize(document) {
            Ok(comparison) => of_comparison(&comparison, &mut checked),
            Err(error) => checked.wrong(None, error.to_string()),
        },
    }
    checked
}

fn of_report(report: &Report, catalogue: &Catalogue, checked: &mut Checked) {
    let kind = match report.target.kind {
        TargetKind::Converter => "a check of a conversion webhook",
        _ => "a run",
    };
    let version =
        report.target.version.as_ref().map(|version| format!(" ({})", version.git_version)).unwrap_or_default();
    checked.what = format!(
        "the report of {kind} on {}{version}: {}, {}",
        report.target.address,
        report.verdict.as_str(),
        plural(report.counts.cases, "case")
    );
    if report.stop_reason.is_none() {
        checked.incomplete = Some("the run was killed".to_owned());
    }
    sums(report, checked);
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

/// The totals must be those of the lists.
fn sums(report: &Report, checked: &mut Checked) {
    let stated = &report.counts;
    let mut summed = Counts {
        properties: report.properties.len() as u64,
        failures: report.failures.len() as u64,
        findings: report.failures.iter().map(ReportedFinding::explains).sum(),
        known_failures: report.known.len() as u64,
        ..Counts::default()
    };
    for property in &report.properties {
        // The sums saturate: one that overflows is wrong anyway.
        for (sum, more) in [
            (&mut summed.cases, property.cases),
            (&mut summed.requests, property.requests),
            (&mut summed.passed, property.passed),
            (&mut summed.failed, property.failed),
            (&mut summed.errors, property.errors),
            (&mut summed.discarded, property.discarded),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
    report.failures.iter().for_each(|found| summed.failures_by_level.add(found.level));
    report.requirements.iter().for_each(|requirement| summed.requirements.add(requirement.status));
    if *stated == summed {
        return;
    }
    // Each total by its name, as it is in the document.
    let value = |counts: &Counts| serde_json::to_value(counts).unwrap_or_default();
    let (stated, summed) = (value(stated), value(&summed));
    for name in summed.as_object().into_iter().flat_map(|fields| fields.keys()) {
        if stated[name] != summed[name] {
            checked.differs(&format!("/counts/{name}"), &stated[name], &summed[name]);
        }
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
        let parsed = reference.parse::<Reference>().ok();
        let own = match parsed.and_then(|parsed| catalogue.resolve(&parsed)) {
            None => {
                checked.wrong(None, format!("the catalogue has no requirement {reference}"));
                continue;
            }
            Some(Resolved::Requirement(requirement)) => requirement.level,
            Some(Resolved::Edge(_, edge)) => edge.level,
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
    let [first, second] = comparison.targets.each_ref().map(|side| match &side.version {
        Some(version) => format!("{} ({version})", side.name),
        None => side.name.clone(),
    });
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
    let is_different = comparison.new_differences().any(Difference::is_reproduced);
    let may_be_equal = matches!(comparison.stop_reason, Some(StopReason::Finished | StopReason::TimeBudget))
        && comparison.errors.is_empty()
        && comparison.skipped.is_empty()
        && scenarios > 0;
    // A difference that was not confirmed makes a comparison incomplete, but is only in the journal.
    let fits = match comparison.verdict {
        ComparisonVerdict::Different => is_different,
        ComparisonVerdict::NoDifferences => !is_different && may_be_equal,
        ComparisonVerdict::Incomplete => !is_different,
    };
    if !fits {
        let what = format!("the verdict {} contradicts the rest of the document", comparison.verdict.as_str());
        checked.add(Problem { line: None, place: "/verdict".to_owned(), what });
    }
}
