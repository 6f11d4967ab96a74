//! From a failed check to a finding: confirmed, shrunk and recorded.

use std::sync::Arc;

use crdible_reports::Failure;
use tokio::sync::RwLock;

use super::{
    attempt::Examiner,
    case::Case,
    confirm::{Confirmation, confirm},
    finding::{Finding, Shrinking},
    known::Known,
    shrink::{self, ShrinkOptions},
    source::ScenarioSource,
};
use crate::judge::FailedCheck;

/// Confirms one failed check of a case, and shrinks it unless it is a known failure. It is confirmed while no other scenario runs that
/// takes `quiet` first, so that a server under load is not blamed for being late.
pub async fn investigate<E: Examiner>(
    examiner: &Arc<E>,
    quiet: &RwLock<()>,
    source: ScenarioSource,
    case: &Case,
    failed: FailedCheck,
    options: ShrinkOptions,
    known: &Known,
) -> Finding {
    let Confirmation { attempts, reproduced, needs_history } = {
        let _alone = quiet.write().await;
        confirm(examiner, &case.scenario, &failed.failure.signature).await
    };
    let mut finding = Finding {
        failed,
        index: case.index,
        scenario: case.scenario.clone(),
        tape: case.recording.as_ref().map(|recording| recording.tape.clone()),
        records: Vec::new(),
        attempts,
        reproduced,
        needs_history,
        shrinking: Shrinking::not_needed(),
    };
    if known.covers(&requirements(finding.failure(), source), finding.signature()) {
        finding.shrinking.stopped_by = "known";
    } else if let Some(recording) = case.recording.clone().filter(|_| !finding.is_flaky()) {
        shrink::shrink(examiner, quiet, source, &mut finding, recording, options).await;
    }
    {
        let _beside_others = quiet.read().await;
        if !finding.is_flaky() {
            shrink::slice(&**examiner, &mut finding).await;
        }
        shrink::record(&**examiner, &mut finding).await;
    }
    finding.failed.failure.requirements = requirements(finding.failure(), source);
    finding
}

/// What the failed check asserts; everything that the property asserts if the check names nothing.
fn requirements(failure: &Failure, source: ScenarioSource) -> Vec<String> {
    if failure.requirements.is_empty() {
        source.asserts().iter().map(ToString::to_string).collect()
    } else {
        failure.requirements.clone()
    }
}
