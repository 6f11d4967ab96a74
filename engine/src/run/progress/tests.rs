//! Which case comes next.

use std::{collections::BTreeSet, time::Duration};

use crdible_journal::{Failure, Signature};
use crdible_scenario::{AnyScenario, Property, is_promised};
use crdible_semantics::Release;
use serde_json::Value;

use super::{Case, FIRST_KEPT, Next, Progress, is_heavy};
use crate::run::{Counterexample, FORMAT, RunOptions};

/// The first of them has a heavy case.
fn properties() -> [&'static Property; 2] {
    let properties = ["rest-010-malformed-bodies", "prune-001-unknown-keys"];
    properties.map(|id| crdible_properties::find(id).expect("a property"))
}

/// More cases than any time allows: the heavy ones are run nevertheless, in the second half of the time.
#[tokio::test(start_paused = true)]
async fn heavy_cases_are_not_put_off_for_ever() {
    let time = Duration::from_secs(60);
    let options = RunOptions { time: Some(time), ..RunOptions::new(properties(), u64::MAX / 4) };
    let progress = Progress::new(options);
    let are_heavy = || -> Vec<bool> {
        let cases = std::iter::from_fn(|| progress.next_case()).filter_map(|next| next.case.ok()).take(100);
        cases.map(|case| is_heavy(&case.scenario)).collect()
    };
    assert!(!are_heavy().contains(&true), "the others come first");
    tokio::time::advance(time / 2).await;
    let second = are_heavy();
    assert!(second.contains(&true) && second.contains(&false), "{second:?}");
    assert!(!are_heavy().contains(&true), "each is run once");
}

#[test]
fn kept_cases_come_first_and_on_top() {
    let kept = [("prune-001-unknown-keys", 5), ("ver-004-spec-order", 5), ("prune-001-unknown-keys", 6)];
    let kept = kept.map(|(property, seed)| {
        let Case { scenario, recording, .. } = Case::plan(properties()[1], seed, 100).expect("a case");
        let failure = Failure {
            signature: Signature::new(property, "check", "", "reason"),
            requirements: Vec::new(),
            summary: String::new(),
            expected: Value::Null,
            actual: Value::Null,
            between: None,
        };
        let (tape, release) = (recording.map(|recording| recording.tape), Release::BASELINE);
        Counterexample { format: FORMAT.to_owned(), failure, release, scenario, tape }
    });
    let kept = kept.to_vec();
    let cases = |kept| -> Vec<(usize, Case)> {
        let progress = Progress::new(RunOptions { kept, ..RunOptions::new(properties(), 40) });
        let cases = std::iter::from_fn(|| progress.next_case());
        cases.filter_map(|Next { source, case }| Some((source, case.ok()?))).collect()
    };
    let (with, without) = (cases(kept), cases(Vec::new()));
    let indices = |cases: &[(usize, Case)]| -> Vec<(usize, u64)> {
        cases.iter().map(|(source, case)| (*source, case.index)).collect()
    };
    assert_eq!(indices(&with[..2]), [(1, FIRST_KEPT), (1, FIRST_KEPT + 2)], "the other property is not run");
    assert_eq!(indices(&with[2..]), indices(&without), "the cases of the seed are the same");
    let again = Case::plan(properties()[1], 6, 100).expect("a case");
    assert_eq!(with[1].1.scenario, again.scenario);
}

#[test]
fn heavy_cases_come_last() {
    let properties = properties();
    let progress = Progress::new(RunOptions::new(properties, 40));
    let cases = std::iter::from_fn(|| progress.next_case());
    let cases: Vec<_> = cases.filter_map(|Next { source, case }| Some((source, case.ok()?))).collect();
    let heavy: Vec<bool> = cases.iter().map(|(_, case)| is_heavy(&case.scenario)).collect();
    assert!(heavy.iter().any(|is_heavy| *is_heavy) && heavy.is_sorted(), "{heavy:?}");
    for (at, property) in properties.iter().enumerate() {
        let mut indices: Vec<u64> =
            cases.iter().filter(|(source, _)| *source == at).map(|(_, case)| case.index).collect();
        indices.sort_unstable();
        assert!(indices.windows(2).all(|two| two[0] < two[1]), "{} {indices:?}", property.id);
        assert_eq!(indices[0], 0, "it is not lost");
    }
}

/// What the planned scenarios of a property show, and how many cases they hold.
fn shown(property: &'static Property, seed: u64, cases: u64) -> (BTreeSet<String>, u64) {
    let progress = Progress::new(RunOptions { seed, ..RunOptions::new([property], cases) });
    let planned = std::iter::from_fn(|| progress.next_case()).filter_map(|next| next.case.ok());
    let scenarios: Vec<AnyScenario> = planned.map(|case| case.scenario).collect();
    let cases = scenarios.iter().map(|scenario| u64::from(scenario.cases())).sum();
    (scenarios.iter().flat_map(AnyScenario::asserts).flatten().cloned().collect(), cases)
}

/// What is drawn rarely is searched for.
#[test]
fn a_run_shows_all_that_its_properties_assert() {
    for (property, seed) in crdible_properties::all().flat_map(|property| [(property, 11), (property, 12)]) {
        let (shown, _) = shown(property, seed, 50);
        let promised = property.asserts.iter().filter(|reference| is_promised(reference, Release::BASELINE));
        let left: Vec<_> = promised.filter(|reference| !shown.contains(**reference)).collect();
        assert!(left.is_empty(), "{} with the seed {seed} never shows {left:?}", property.id);
    }
}

/// At most one scenario for ten cases.
#[test]
fn a_search_costs_little() {
    let property = crdible_properties::find("rest-013-creates").expect("a property");
    let counts = (0..20).map(|seed| [0, 9, 50].map(|cases| shown(property, seed, cases)));
    for [none, few, many] in counts {
        assert_eq!(none.1, 0, "no case, and no search");
        assert!(few.0.len() < property.asserts.len(), "nine cases cannot show all, and nothing is searched for them");
        assert_eq!(many.0.len(), property.asserts.len());
        assert!(many.1 < 100, "{} cases", many.1);
    }
}
