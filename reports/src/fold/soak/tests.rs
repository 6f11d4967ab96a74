#![allow(clippy::unwrap_used)]

use rstest::rstest;

use super::SoakTally;
use crate::journal::{Journal, Outcome, StopReason};
use crate::model::{EvidenceKind, Report};
use crate::sample::{KNOWN, case, catalogue, clean, eventful, failing, finding, fold, signature};
use crate::soak::{Asked, Soak};
use crate::verdict::Verdict;

/// A round with this seed.
fn round(seed: u64, mut journal: Journal, known: &str) -> Report {
    journal.header.run.seed = seed;
    fold(&journal, known)
}

fn tally(rounds: &[Report]) -> SoakTally {
    let mut tally = SoakTally::new(clean().header, Asked { cases: Some(100), seconds: None });
    rounds.iter().for_each(|round| tally.add(round, &catalogue()));
    tally
}

fn sum(rounds: &[Report]) -> Soak {
    tally(rounds).conclude(Some(StopReason::Finished), None, "2026-11-21T13:00:00Z".to_owned(), 3600.0)
}

/// A round in which one failure was seen, and confirmed in this many of three attempts; `None`: it was not tried.
fn failed(seed: u64, confirmed: Option<u32>) -> Report {
    let mut journal = clean();
    let signature = signature("prune-undeclared", "returned", "", "more");
    journal.cases.push(failing("prune-undeclared", 7, &[0], &signature));
    if let Some(times) = confirmed {
        let mut finding = finding("prune-undeclared", 7, &["PRUNE-001"], &signature);
        finding.reproduced.times = times;
        finding.replay.path = Some(format!("failures/{seed}.json"));
        journal.findings.push(finding);
    }
    round(seed, journal, "")
}

#[test]
fn rounds_add_up() {
    let one = fold(&clean(), "");
    let soak = sum(&[round(42, clean(), ""), round(5, clean(), ""), round(6, clean(), "")]);
    assert_eq!(soak.seeds, [42, 5, 6]);
    assert_eq!((soak.counts.rounds, soak.counts.cases), (3, 3 * one.counts.cases));
    assert_eq!(soak.counts.scenarios, 3 * (one.counts.passed + one.counts.failed));
    assert_eq!(soak.counts.requests, 3 * one.counts.requests);
    assert_eq!(soak.properties.values().sum::<u64>(), soak.counts.cases);
    assert_eq!(soak.verdict, Verdict::Conformant, "{soak:?}");
    assert_eq!(soak.statement, "conformant with profile core (release 1.36)");
}

/// What one round could not confirm and another did is a failure; it names the seed of that one.
#[rstest]
#[case::never_tried(&[None, None], EvidenceKind::Unconfirmed, 1)]
#[case::later(&[None, Some(3)], EvidenceKind::Confirmed, 2)]
#[case::at_first(&[Some(3), None, Some(3)], EvidenceKind::Confirmed, 1)]
#[case::flaky(&[Some(0), Some(1)], EvidenceKind::Flaky, 2)]
fn the_most_certain_round_is_named(#[case] rounds: &[Option<u32>], #[case] evidence: EvidenceKind, #[case] seed: u64) {
    let rounds: Vec<Report> = rounds.iter().zip(1..).map(|(confirmed, seed)| failed(seed, *confirmed)).collect();
    let soak = sum(&rounds);
    let is_confirmed = evidence == EvidenceKind::Confirmed;
    assert_eq!((soak.counts.failures, soak.counts.unconfirmed), (u64::from(is_confirmed), u64::from(!is_confirmed)));
    let found = soak.failures.iter().chain(&soak.unconfirmed).next().unwrap();
    assert_eq!((found.evidence, found.seed, found.rounds), (evidence, seed, rounds.len() as u64));
    assert_eq!(found.scenarios, rounds.len() as u64);
    let path = found.path.clone();
    assert_eq!(path, (evidence != EvidenceKind::Unconfirmed).then(|| format!("failures/{seed}.json")));
    let (verdict, code) = if is_confirmed { (Verdict::Nonconformant, 1) } else { (Verdict::Incomplete, 4) };
    assert_eq!((soak.verdict, soak.exit_code()), (verdict, code));
}

#[test]
fn known_failures_and_their_entries_are_those_of_all_rounds() {
    let soak = sum(&[round(1, eventful(), KNOWN), round(2, eventful(), KNOWN)]);
    let one = fold(&eventful(), KNOWN);
    assert!(!one.known.is_empty());
    assert_eq!(soak.counts.known_failures, one.known.len() as u64);
    assert!(soak.known.iter().all(|known| (known.seed, known.rounds) == (1, 2)), "{:?}", soak.known);

    let entry = "[[known]]\nrequirement = \"PRUNE-001\"\nreason = \"it keeps them\"\n";
    let mut wrong = clean();
    let signature = signature("prune-undeclared", "returned", "", "more");
    wrong.cases.push(failing("prune-undeclared", 7, &[0], &signature));
    wrong.findings.push(finding("prune-undeclared", 7, &["PRUNE-001"], &signature));
    let held = round(1, clean(), entry);
    assert!(tally(std::slice::from_ref(&held)).has_outdated_entries(), "{:?}", held.known_entries);
    assert!(!tally(&[held, round(2, wrong, entry)]).has_outdated_entries(), "it failed in one round");
}

#[test]
fn a_property_is_judged_by_all_rounds_together() {
    let few = |seed| {
        let mut journal = clean();
        journal.plan.properties[0].minimum = 30;
        let id = journal.plan.properties[0].id.clone();
        journal.cases.retain(|case| case.property != id);
        journal.cases.extend([1, 2].map(|index| case(&id, index, Outcome::Pass, &[0])));
        round(seed, journal, "")
    };
    let alone = sum(&[few(1)]);
    assert_eq!((alone.verdict, alone.reasons.len()), (Verdict::Incomplete, 1), "{:?}", alone.reasons);
    assert!(alone.reasons[0].ends_with("judged 20 of at least 30 cases"), "{:?}", alone.reasons);
    assert_eq!(sum(&[few(1), few(2)]).verdict, Verdict::Conformant);
}

#[test]
fn errors_leave_it_incomplete_and_name_their_seed() {
    let mut journal = clean();
    let mut error = case("prune-undeclared", 9, Outcome::Error, &[]);
    error.detail = Some("the connection was closed".to_owned());
    journal.cases.push(error);
    let soak = sum(&[round(1, clean(), ""), round(2, journal.clone(), ""), round(3, journal, "")]);
    assert_eq!((soak.verdict, soak.counts.errors, soak.errors.len()), (Verdict::Incomplete, 2, 1));
    let error = &soak.errors[0];
    assert_eq!((error.seed, error.scenarios), (2, 2));
    assert!(error.example.ends_with("the connection was closed"), "{error:?}");
}

#[rstest]
#[case::killed(None, None, Verdict::Incomplete, 4, "was killed")]
#[case::interrupted(Some(StopReason::Interrupted), None, Verdict::Incomplete, 130, "the run was interrupted")]
#[case::lost(Some(StopReason::TargetUnusable), None, Verdict::Unusable, 3, "the target stopped responding")]
#[case::enough_failures(Some(StopReason::FailureLimit), None, Verdict::Incomplete, 4, "limit of failures")]
#[case::slow(Some(StopReason::TimeBudget), Some("it became too slow"), Verdict::Incomplete, 4, "it became too slow")]
fn an_early_end(
    #[case] stop: Option<StopReason>,
    #[case] shortfall: Option<&str>,
    #[case] verdict: Verdict,
    #[case] code: u8,
    #[case] words: &str,
) {
    let tally = tally(&[round(1, clean(), "")]);
    let soak = tally.conclude(stop, shortfall.map(str::to_owned), String::new(), 1.0);
    assert_eq!((soak.verdict, soak.exit_code()), (verdict, code));
    assert!(soak.statement.contains(words), "{}", soak.statement);
}

#[test]
fn without_a_round_nothing_is_concluded() {
    let soak = tally(&[]).conclude(Some(StopReason::Interrupted), None, String::new(), 0.0);
    assert_eq!((soak.verdict, soak.exit_code(), soak.counts.rounds), (Verdict::Incomplete, 130, 0));
}
