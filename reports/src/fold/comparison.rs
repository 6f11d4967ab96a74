//! Folds the journal of a comparison.

use jiff::civil::Date;

use super::tally::{PropertyTally, Tally};
use crate::Signature;
use crate::comparison::{Comparison, ComparisonVerdict, Counts, Difference, FORMAT, Side};
use crate::journal::{Outcome, RecordedFinding};
use crate::known::{KnownFailures, TargetRelease, reasons};

/// The comparison that a journal records. `today` decides which known failures have expired.
pub(super) fn comparison(tally: &Tally, known: &KnownFailures, today: Date) -> Comparison {
    let header = &tally.header;
    let stop_reason = tally.footer.as_ref().map(|footer| footer.stop_reason);
    let release = TargetRelease::of(&header.target);
    let difference = |finding: &RecordedFinding| difference(finding, known, &release, today);
    let skipped = tally.skipped.iter().flat_map(|(capability, properties)| {
        properties.iter().map(move |property| (property.clone(), capability.clone()))
    });
    let errors = tally.properties.iter().filter_map(|(property, counted)| {
        let (_, reason) = counted.examples.get(&Outcome::Error)?;
        Some(format!("{property}: {}", reason.as_deref().unwrap_or("no reason given")))
    });
    // A target that was lost or became too slow, or a bug in crdible, is an event.
    let ending = tally
        .events
        .iter()
        .filter(|event| matches!(event.kind.as_str(), "target-lost" | "target-slow" | "crdible-failed"));
    let mut comparison = Comparison {
        format: FORMAT.to_owned(),
        verdict: ComparisonVerdict::Incomplete,
        stop_reason,
        seed: header.run.seed,
        cases: header.run.cases,
        targets: [Side::from(&header.target), header.second_target.as_ref().map(Side::from).unwrap_or_default()],
        properties: tally.properties.iter().map(|(property, counted)| (property.clone(), counts(counted))).collect(),
        skipped: skipped.collect(),
        stopped: tally.stopped.clone(),
        differences: tally.findings.iter().map(difference).collect(),
        errors: errors.chain(ending.map(|event| event.detail.clone())).collect(),
        requests: tally.footer.as_ref().map_or(0, |footer| footer.requests),
    };
    comparison.verdict = verdict(&comparison, tally);
    comparison
}

fn counts(counted: &PropertyTally) -> Counts {
    Counts {
        cases: counted.cases,
        scenarios: counted.with(Outcome::Pass) + counted.with(Outcome::Fail),
        differing: counted.with(Outcome::Fail),
        errors: counted.with(Outcome::Error),
        discarded: counted.with(Outcome::Discard),
    }
}

fn difference(finding: &RecordedFinding, known: &KnownFailures, release: &TargetRelease, today: Date) -> Difference {
    let RecordedFinding { id, index, failure, minimal, second_requests, replay, shrink, reproduced, .. } =
        finding.clone();
    // A difference that was not reproduced is not covered by an entry.
    let entries = (reproduced.times > 0)
        .then(|| known.matches(&failure.requirements, &failure.signature, release, today))
        .flatten();
    let known = entries.map(|entries| reasons(&entries));
    Difference { id, index, failure, minimal, second_requests, known, reproduced, shrink, replay }
}

fn verdict(comparison: &Comparison, tally: &Tally) -> ComparisonVerdict {
    if comparison.is_different() {
        return ComparisonVerdict::Different;
    }
    // An unconfirmed difference neither counts as a difference nor allows the verdict "no differences".
    let is_covered = |signature: &Signature| {
        let mut differences = comparison.differences.iter();
        differences.any(|difference| difference.known.is_some() && difference.failure.signature == *signature)
    };
    let is_complete = comparison.is_whole() && tally.seen.keys().all(is_covered);
    if is_complete { ComparisonVerdict::NoDifferences } else { ComparisonVerdict::Incomplete }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rstest::rstest;

    use crate::comparison::{Comparison, ComparisonVerdict};
    use crate::journal::{Event, Journal, Outcome, Reproduced, StopReason};
    use crate::sample::{KNOWN, case, clean, failing, finding, known, second_target, signature, today};

    fn compared(journal: &Journal, known_failures: &str) -> Comparison {
        crate::compare(journal, &known(known_failures), today())
    }

    fn without_differences() -> Journal {
        let mut journal = clean();
        journal.header.second_target = Some(second_target());
        journal
    }

    /// With one difference of a step about DEFAULT-001, reproduced this often.
    fn with_difference(times: u32) -> Journal {
        let mut journal = without_differences();
        let signature = signature("default-missing", "get", "status", "200-404");
        journal.cases.push(failing("default-missing", 3, &[0], &signature));
        let mut finding = finding("default-missing", 3, &["DEFAULT-001"], &signature);
        finding.reproduced = Reproduced { attempts: 3, times, races: 0 };
        journal.findings.push(finding);
        journal
    }

    #[test]
    fn equal_targets_have_no_differences() {
        let comparison = compared(&without_differences(), "");
        assert_eq!((comparison.verdict, comparison.exit_code()), (ComparisonVerdict::NoDifferences, 0));
        assert_eq!(comparison.targets[0].version.as_deref(), Some("v1.36.3"));
        assert_eq!(comparison.targets[1].name, "embedded");
        assert_eq!(comparison.properties["prune-undeclared"].scenarios, 3);
    }

    #[rstest]
    #[case::always(3, "", ComparisonVerdict::Different, 1)]
    #[case::sometimes(1, "", ComparisonVerdict::Different, 1)]
    #[case::never(0, "", ComparisonVerdict::Incomplete, 4)]
    #[case::known(3, KNOWN, ComparisonVerdict::NoDifferences, 0)]
    #[case::known_and_never(0, KNOWN, ComparisonVerdict::Incomplete, 4)]
    fn a_difference_counts_once_it_is_reproduced(
        #[case] times: u32,
        #[case] known: &str,
        #[case] verdict: ComparisonVerdict,
        #[case] exit_code: u8,
    ) {
        let comparison = compared(&with_difference(times), known);
        assert_eq!((comparison.verdict, comparison.exit_code()), (verdict, exit_code));
        assert_eq!(comparison.differences.len(), 1);
    }

    #[rstest]
    #[case::skipped(
        |journal: &mut Journal| journal.events.push(Event::about("default-null", Event::SKIPPED, "defaulting")), 4
    )]
    #[case::error(|journal: &mut Journal| journal.cases.push(case("default-missing", 4, Outcome::Error, &[])), 4)]
    #[case::not_confirmed(|journal: &mut Journal| { journal.findings.clear(); }, 4)]
    #[case::nothing_compared(|journal: &mut Journal| { journal.cases.clear(); }, 4)]
    #[case::killed(|journal: &mut Journal| journal.footer = None, 4)]
    #[case::interrupted(
        |journal: &mut Journal| journal.footer.as_mut().unwrap().stop_reason = StopReason::Interrupted, 130
    )]
    #[case::lost(|journal: &mut Journal| journal.footer.as_mut().unwrap().stop_reason = StopReason::TargetUnusable, 3)]
    fn what_was_not_compared_is_not_equal(#[case] change: fn(&mut Journal), #[case] exit_code: u8) {
        let mut journal = with_difference(3);
        change(&mut journal);
        let comparison = compared(&journal, KNOWN);
        assert_eq!((comparison.verdict, comparison.exit_code()), (ComparisonVerdict::Incomplete, exit_code));
    }

    #[test]
    fn a_difference_outweighs_everything_else() {
        let mut journal = with_difference(3);
        journal.footer = None;
        journal.events.push(Event::about("default-null", Event::SKIPPED, "defaulting"));
        assert_eq!(compared(&journal, "").verdict, ComparisonVerdict::Different);
    }
}
