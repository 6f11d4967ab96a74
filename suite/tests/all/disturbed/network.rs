//! A network that loses, cuts and delays, and gateways that answer in place of the server.

use crdible_reports::Verdict;
use crdible_semantics::{Semantics, with};
use futures_util::future::join_all;
use rstest::rstest;

use crate::disturbed::{
    first_seed,
    mishap::{Mishap, Mishaps},
    proxy::Proxy,
    ran::Run,
    server::Served,
};
use crate::support::Seen;

/// Runs a share of the properties on a right server, and disturbs them; from the start, or from the first case on.
async fn acquits(mishaps: Mishaps, share: (usize, usize), from_the_start: bool) {
    let served = Served::right().await;
    let proxy = Proxy::before(served.address).await;
    if from_the_start {
        proxy.misbehave(mishaps);
    }
    let ran = Run::of(mishaps.seed, share).at(proxy.address, || proxy.misbehave(mishaps)).await.unwrap();
    let met = proxy.met();
    assert!(met.len() * 2 >= mishaps.kinds.len(), "{met:?}");
    let report = ran.acquits();
    let verdict = if ran.errors.is_empty() { Verdict::Conformant } else { Verdict::Incomplete };
    assert_eq!(report.verdict, verdict, "{ran:#?}");
    // What went wrong was the network, and the report says so.
    let says_what = |error: &String| {
        ["was closed before the response was complete", "a gateway in front of", "the state of a definition is unknown"]
            .iter()
            .any(|text| error.contains(text))
    };
    assert!(ran.errors.iter().all(says_what), "{:#?}", ran.errors);
    assert_eq!(served.definitions(), Vec::<String>::new());
}

/// Requests or answers are lost.
const LOST: &[&[Mishap]] = &[&[Mishap::ClosedBefore], &[Mishap::ClosedAfter], &[Mishap::Overtaken]];

/// Answers are cut, or are late.
const CUT: &[&[Mishap]] = &[&[Mishap::Truncated], &[Mishap::Reset], &[Mishap::Delayed, Mishap::AnsweredLate]];

/// A gateway answers.
const ANSWERED: &[&[Mishap]] = &[
    &[Mishap::TooMany { wait: true }, Mishap::TooMany { wait: false }],
    &[Mishap::Unavailable { wait: true }, Mishap::Unavailable { wait: false }],
    &[Mishap::BadGateway, Mishap::BadGatewayAfter],
];

#[rstest]
#[case::lost(LOST)]
#[case::cut(CUT)]
#[case::answered(ANSWERED)]
#[tokio::test(flavor = "multi_thread")]
async fn of_one_kind(#[case] kinds: &[&'static [Mishap]]) {
    let runs = kinds.iter().zip(0..).map(|(kinds, number)| {
        let seed = first_seed() + number;
        let share = usize::try_from(seed).unwrap();
        acquits(Mishaps { seed, one_in: 30, kinds, concerns: |_| true }, (share, 8), false)
    });
    join_all(runs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_all_kinds_from_the_start() {
    let runs = (0..3_u32).map(|number| {
        let seed = first_seed() + u64::from(number);
        let share = usize::try_from(seed).unwrap();
        acquits(Mishaps { seed, one_in: 50, kinds: Mishap::ALL, concerns: |_| true }, (share, 6), true)
    });
    join_all(runs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_watches() {
    fn watches(request: &Seen) -> bool {
        request.path.contains("watch=")
    }
    let served = Served::right().await;
    let proxy = Proxy::before(served.address).await;
    let kinds = &[Mishap::Truncated, Mishap::Reset, Mishap::ClosedBefore, Mishap::AnsweredLate, Mishap::BadGateway];
    let run = Run {
        selects: |property| property.needs.contains(&crdible::properties::Capability::Watches),
        ..Run::of(first_seed(), (0, 1))
    };
    let mishaps = Mishaps { seed: first_seed(), one_in: 3, kinds, concerns: watches };
    let ran = run.at(proxy.address, || proxy.misbehave(mishaps)).await.unwrap();
    assert!(proxy.met().len() >= 2, "{:?}", proxy.met());
    ran.acquits();
    assert_eq!(served.definitions(), Vec::<String>::new());
}

/// A server with one fault.
const PRUNES_NO_ARRAYS: Semantics = with::prune_array(|_, _, _, _, _| {});

/// Its failures are found behind a bad network, too, and nothing else is.
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_is_found_all_the_same() {
    let seed = first_seed();
    let served = Served::with(PRUNES_NO_ARRAYS).await;
    let proxy = Proxy::before(served.address).await;
    let mishaps = Mishaps { seed, one_in: 60, kinds: Mishap::ALL, concerns: |_| true };
    let run = Run {
        cases: 10,
        selects: |property| property.id.starts_with("prune-") || property.id.contains("element-wise"),
        ..Run::of(seed, (0, 1))
    };
    let ran = run.at(proxy.address, || proxy.misbehave(mishaps)).await.unwrap();
    assert!(!proxy.met().is_empty(), "no request met a mishap");
    let report = ran.is_complete();
    assert_eq!(report.verdict, Verdict::Nonconformant, "{ran:#?}");
    let is_of_pruning =
        |requirement: &String| ["PRUNE-", "INV-002", "INV-003", "INV-007"].iter().any(|id| requirement.starts_with(id));
    assert!(!ran.blamed.is_empty() && ran.blamed.iter().all(is_of_pruning), "{:?}", ran.blamed);
    assert_eq!(served.definitions(), Vec::<String>::new());
}
