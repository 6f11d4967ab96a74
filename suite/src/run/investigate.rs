//! From a failed check to a finding: confirmed, shrunk and recorded.

use std::sync::Arc;

use crdible_reports::Failure;

use super::{
    access::Access,
    attempt::Examiner,
    case::Case,
    confirm::{Confirmation, confirm, confirm_known, failed_with},
    finding::{Finding, Shrinking},
    known::Known,
    shrink::{self, ShrinkOptions},
    source::ScenarioSource,
};
use crate::judge::FailedCheck;

/// Confirms one failed check of a case, and shrinks it. A known failure is run once more and not shrunk. Most of it goes on
/// beside other work.
pub(super) async fn investigate<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    source: ScenarioSource,
    case: &Case,
    failed: FailedCheck,
    options: ShrinkOptions,
    known: &Known,
) -> Finding {
    let wanted = failed.failure.signature.clone();
    let mut finding = Finding {
        failed,
        lacks: None,
        index: case.index,
        scenario: case.scenario.clone(),
        tape: case.recording.as_ref().map(|recording| recording.tape.clone()),
        records: Vec::new(),
        attempts: 1,
        reproduced: 1,
        needs_history: false,
        shrinking: Shrinking::not_needed(),
    };
    let is_known = known.covers(&requirements(finding.failure(), source), &wanted);
    let again = if is_known { confirm_known(examiner, access, &case.scenario, &wanted).await } else { None };
    if let Some(again) = again {
        if let Some(failed) = failed_with(&again.outcome, &wanted) {
            finding.failed = failed.clone();
        }
        finding.records = again.records;
        finding.shrinking.stopped_by = "known";
    } else {
        let Confirmation { attempts, reproduced, needs_history } =
            confirm(examiner, access, &case.scenario, &finding.failed).await;
        finding = Finding { attempts, reproduced, needs_history, ..finding };
        let is_flaky = finding.is_flaky();
        if let Some(recording) = case.recording.clone().filter(|_| !is_flaky) {
            shrink::shrink(examiner, access, source, &mut finding, recording, options).await;
        }
        let _beside_others = access.beside_others().await;
        if is_flaky || !shrink::slice(&**examiner, &mut finding).await {
            shrink::record(&**examiner, &mut finding).await;
        }
    }
    finding.failed.failure.requirements = requirements(finding.failure(), source);
    finding
}

/// What the failed check asserts; everything that the property asserts if the check names nothing.
pub(super) fn requirements(failure: &Failure, source: ScenarioSource) -> Vec<String> {
    if failure.requirements.is_empty() {
        source.asserts().iter().map(ToString::to_string).collect()
    } else {
        failure.requirements.clone()
    }
}
