#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rstest::rstest;

use super::{MergeError, merge};
use crate::journal::{Journal, Sent, StopReason};
use crate::sample::{KNOWN, clean, eventful, fold, shard};
use crate::verdict::Verdict;

/// A run, divided by the numbers of its scenarios.
fn divided(whole: &Journal, count: u32) -> Vec<Journal> {
    (0..count)
        .map(|index| {
            let mut part = whole.clone();
            part.header.run.id = format!("r{index}");
            part.header.run.shard = Some(shard(index, count));
            let mine = |number: u64| number % u64::from(count) == u64::from(index);
            part.cases.retain(|case| mine(case.index));
            part.findings.retain(|finding| mine(finding.index));
            if index > 0 {
                part.events.clear();
                part.sent = Sent::default();
            }
            for property in &mut part.plan.properties {
                let share =
                    |total: u64| total / u64::from(count) + u64::from(u64::from(index) < total % u64::from(count));
                (property.cases, property.minimum) = (share(property.cases), share(property.minimum));
            }
            part
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_divided_run_gives_the_report_of_the_whole(
        count in 2_u32..7,
        turn in 0_usize..7,
        reversed in any::<bool>(),
    ) {
        let whole = eventful();
        let mut parts = divided(&whole, count);
        // Neither the order of the shards nor that of the requirements in a shard's plan has a meaning.
        let places = parts.len();
        parts.rotate_left(turn % places);
        if reversed {
            let plan = &mut parts[0].plan.properties;
            plan.reverse();
            for property in plan.iter_mut() {
                property.requirements.reverse();
            }
            let sizes: std::collections::BTreeMap<String, usize> =
                plan.iter().map(|property| (property.id.clone(), property.requirements.len())).collect();
            for case in &mut parts[0].cases {
                case.asserted.iter_mut().for_each(|at| *at = sizes[&case.property] - 1 - *at);
            }
        }
        let mut merged = fold(&merge(parts).unwrap(), KNOWN);
        let mut expected = fold(&whole, KNOWN);
        merged.run.id = expected.run.id.clone();
        merged.properties.sort_by(|left, right| left.id.cmp(&right.id));
        expected.properties.sort_by(|left, right| left.id.cmp(&right.id));
        merged.requirements.iter_mut().chain(&mut expected.requirements).for_each(|found| found.properties.sort());
        prop_assert_eq!(merged, expected);
    }
}

#[test]
fn a_merged_journal_can_be_written_and_read() {
    let merged = merge(divided(&eventful(), 3)).unwrap();
    let read = Journal::read(crate::sample::written(merged.clone()).as_slice()).unwrap();
    assert_eq!(fold(&read, KNOWN), fold(&merged, KNOWN));
}

#[test]
fn a_missing_shard_makes_the_run_incomplete() {
    for stop_reason in [StopReason::Finished, StopReason::TimeBudget] {
        let mut parts = divided(&clean(), 3);
        for part in &mut parts {
            part.footer.as_mut().unwrap().stop_reason = stop_reason;
        }
        assert_eq!(fold(&merge(parts.clone()).unwrap(), "").verdict, Verdict::Conformant);
        parts.remove(1);
        assert_eq!(fold(&merge(parts).unwrap(), "").verdict, Verdict::Incomplete);
    }
}

#[test]
fn a_time_budget_excuses_only_its_own_shard() {
    let mut parts = divided(&clean(), 2);
    for (part, stop_reason) in parts.iter_mut().zip([StopReason::TimeBudget, StopReason::Finished]) {
        let footer = part.footer.as_mut().unwrap();
        (footer.stop_reason, footer.complete) = (stop_reason, stop_reason == StopReason::Finished);
    }
    assert_eq!(fold(&merge(parts.clone()).unwrap(), "").verdict, Verdict::Conformant);
    parts[1].footer.as_mut().unwrap().complete = false;
    assert_eq!(fold(&merge(parts).unwrap(), "").reasons, ["the run did not finish its plan"]);
}

#[test]
fn a_killed_shard_makes_the_run_incomplete() {
    let mut parts = divided(&clean(), 2);
    parts[1].footer = None;
    assert_eq!(fold(&merge(parts).unwrap(), "").verdict, Verdict::Incomplete);
}

#[test]
fn the_worst_end_counts_and_the_latest_time() {
    let mut parts = divided(&clean(), 2);
    let footer = parts[0].footer.as_mut().unwrap();
    footer.stop_reason = StopReason::Interrupted;
    // Earlier, although it sorts later as text.
    footer.ended = "2026-11-21T13:00:00+02:00".to_owned();
    let report = fold(&merge(parts).unwrap(), "");
    assert_eq!((report.exit_code(), report.ended.as_deref()), (130, Some("2026-11-21T12:00:09Z")));
}

#[test]
fn one_journal_is_returned_as_it_is() {
    assert_eq!(merge(vec![clean()]).unwrap(), clean());
    assert_eq!(merge(Vec::new()).unwrap_err(), MergeError::Nothing);
}

#[rstest]
#[case::catalogue(|journal: &mut Journal| journal.header.catalogue.digest = "x".to_owned(), "catalogue digest")]
#[case::generator(|journal: &mut Journal| journal.header.generator.digest = "x".to_owned(), "generator digest")]
#[case::seed(|journal: &mut Journal| journal.header.run.seed = 1, "run r0 has the seed 42, run r1 has 1")]
#[case::target(
    |journal: &mut Journal| journal.header.target.kind = crate::journal::TargetKind::Launched, "target kind"
)]
#[case::release(|journal: &mut Journal| journal.header.target.release = "1.35".to_owned(), "release")]
#[case::profile(|journal: &mut Journal| journal.header.profile = "quirks".to_owned(), "profile")]
#[case::no_shard(|journal: &mut Journal| journal.header.run.shard = None, "a whole run")]
#[case::beyond(|journal: &mut Journal| journal.header.run.shard = Some(shard(2, 2)), "part 3 of 2")]
#[case::same(|journal: &mut Journal| journal.header.run.shard = Some(shard(0, 2)), "both part 1")]
#[case::counts(|journal: &mut Journal| journal.header.run.shard = Some(shard(1, 3)), "2 shards and some 3")]
fn journals_of_different_runs_are_refused(#[case] change: fn(&mut Journal), #[case] message: &str) {
    let mut parts = divided(&clean(), 2);
    change(&mut parts[1]);
    let error = merge(parts).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}
