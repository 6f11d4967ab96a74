//! From a failed check to a finding: confirmed, shrunk and recorded.

use std::sync::Arc;

use crdible_journal::{ENDED, Failure};
use crdible_scenario::{Case, ScenarioSource, judge::FailedCheck, reviews::CLOSED};
use tokio::sync::mpsc::UnboundedSender;

use super::{
    access::Access,
    attempt::Examiner,
    confirm::{Confirmation, confirm, confirm_known, failed_with},
    event::Event,
    finding::{ConfirmedFinding, Shrinking},
    investigations::Turn,
    shrink::{self, ShrinkOptions},
};

/// A failure to investigate.
pub(super) struct Suspicion<'a> {
    pub(super) source: ScenarioSource,
    /// The case in which it was found.
    pub(super) case: &'a Case,
    pub(super) failed: FailedCheck,
    /// It is a known failure: it is run once more and not shrunk.
    pub(super) is_known: bool,
    /// In how many scenarios its signature was seen so far.
    pub(super) seen_in: &'a (dyn Fn() -> u32 + Sync),
    /// How to shrink it; `None` if it is only confirmed, since other failures show the same.
    pub(super) shrink: Option<ShrinkOptions>,
}

/// Confirms a failed check, and shrinks it. Most of this happens beside other work; while it
/// waits to run alone, other investigations go on. Once the failure is confirmed, the draft holds
/// it, in case the run ends while it is being shrunk.
pub(super) async fn investigate<E: Examiner>(
    examiner: &Arc<E>,
    access: &Access,
    turn: &mut Option<Turn<'_>>,
    suspicion: Suspicion<'_>,
    draft: &mut Draft,
) -> ConfirmedFinding {
    let Suspicion { source, case, failed, is_known, seen_in, shrink } = suspicion;
    let wanted = failed.failure.signature.clone();
    let suspected = suspected(source, case, failed);
    let mut finding = ConfirmedFinding { attempts: 1, reproduced: 1, ..suspected };
    let again = if is_known { confirm_known(examiner, access, &case.scenario, &wanted).await } else { None };
    if let Some(again) = again {
        if let Some(failed) = failed_with(&again.outcome, &wanted) {
            finding.failed = failed.clone();
        }
        finding.records = again.records;
        finding.shrinking.stopped_by = "known";
    } else {
        let confirmation = confirm(examiner, access, turn, &case.scenario, &finding.failed, shrink.is_none()).await;
        let Confirmation { attempts, reproduced, needs_history, in_crowd, again, records, slowest } = confirmation;
        let is_shown_by_others = reproduced > 0 || case.scenario.server().is_some() || wanted.reason != CLOSED;
        let races = if in_crowd && is_shown_by_others { seen_in() } else { 0 };
        let slowest = examiner.waits_at_most().map_or(slowest, |limit| slowest.min(limit));
        finding = ConfirmedFinding { records, attempts, reproduced, races, needs_history, ..finding };
        // If it never failed again, it stays as it was seen.
        if let Some(failed) = again {
            finding.failed = failed;
        }
        if !finding.is_flaky() {
            let mut unshrunk = finding.clone();
            unshrunk.failed.failure.requirements = requirements(finding.failure(), source);
            unshrunk.shrinking.stopped_by = ENDED;
            draft.hold(unshrunk);
            if let (Some(recording), Some(options)) = (case.recording.clone(), shrink) {
                if options.is_too_slow(slowest) {
                    finding.shrinking.stopped_by = "time";
                } else {
                    shrink::shrink(examiner, access, source, &mut finding, recording, options).await;
                }
            }
            let _beside_others = access.beside_others().await;
            let is_recorded = finding.shrinking.accepted == 0 || finding.races > 0;
            if !shrink::slice(&**examiner, &mut finding).await && !is_recorded {
                shrink::record(&**examiner, &mut finding).await;
            }
        }
    }
    finding.failed.failure.requirements = requirements(finding.failure(), source);
    finding
}

/// A failure before it is run again.
pub(super) fn suspected(source: ScenarioSource, case: &Case, failed: FailedCheck) -> ConfirmedFinding {
    ConfirmedFinding {
        failed,
        promise: source.title(),
        missing_capability: None,
        index: case.index,
        scenario: case.scenario.clone(),
        tape: case.recording.as_ref().map(|recording| recording.tape.clone()),
        records: Vec::new(),
        attempts: 0,
        reproduced: 0,
        races: 0,
        needs_history: false,
        shrinking: Shrinking::not_needed(case.recording.as_ref().map_or(0, |recording| recording.tape.size())),
    }
}

/// The finding of a failure that was seen, and of which no more is known.
pub(super) fn unconfirmed(source: ScenarioSource, case: &Case, failed: &FailedCheck) -> ConfirmedFinding {
    let mut finding = suspected(source, case, failed.clone());
    finding.failed.failure.requirements = requirements(&failed.failure, source);
    finding.shrinking.stopped_by = ENDED;
    finding
}

/// What is known of a finding until its investigation ends: at first that it was seen, later that it was confirmed. It
/// is sent as it is if the investigation is aborted.
#[derive(Debug)]
pub(super) struct Draft {
    events: UnboundedSender<Event>,
    finding: Option<Box<ConfirmedFinding>>,
}

impl Draft {
    /// The draft of an investigation that has not begun: what was expected and what came is known.
    pub(super) fn of(
        events: UnboundedSender<Event>,
        source: ScenarioSource,
        case: &Case,
        failed: &FailedCheck,
    ) -> Self {
        Self { events, finding: Some(Box::new(unconfirmed(source, case, failed))) }
    }

    fn hold(&mut self, finding: ConfirmedFinding) {
        self.finding = Some(Box::new(finding));
    }

    /// Sends the finding of the whole investigation instead.
    pub(super) fn replace(mut self, finding: ConfirmedFinding) {
        self.hold(finding);
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(finding) = self.finding.take() {
            let _ = self.events.send(Event::Found(finding));
        }
    }
}

/// What the failed check asserts; everything that the property asserts if the check names nothing.
pub(super) fn requirements(failure: &Failure, source: ScenarioSource) -> Vec<String> {
    if failure.requirements.is_empty() {
        source.asserts().iter().map(ToString::to_string).collect()
    } else {
        failure.requirements.clone()
    }
}
