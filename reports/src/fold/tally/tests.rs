#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rstest::rstest;

use super::Tally;
use crate::journal::{Case, Event, Line, Outcome};
use crate::sample::{KNOWN, case, catalogue, clean, eventful, failing, header, known, signature, today};

/// Everything that is kept, as text: its length measures its size.
fn size(tally: &Tally) -> usize {
    format!("{tally:?}").len()
}

/// A tally of the plan of the clean run, and this many scenarios.
fn after(count: u64, scenario: impl Fn(u64) -> Case) -> Tally {
    let mut tally = Tally::new(header());
    tally.push(Line::Plan(clean().plan));
    for index in 0..count {
        tally.push(Line::Case(scenario(index)));
    }
    tally
}

#[rstest]
#[case::pass(Outcome::Pass)]
#[case::error(Outcome::Error)]
#[case::discard(Outcome::Discard)]
fn scenarios_without_a_finding_are_not_kept(#[case] outcome: Outcome) {
    let scenario = |index| Case {
        detail: Some(format!("because of number {index}")),
        ..case("prune-undeclared", index, outcome, &[0, 1, 2, 3])
    };
    let (few, many) = (after(100, scenario), after(100_000, scenario));
    // Ten sums, each of which is three digits longer.
    assert!(size(&many) <= size(&few) + 30, "{} after few, {} after many", size(&few), size(&many));
    assert_eq!(many.properties["prune-undeclared"].with(outcome), 100_000);
}

#[test]
fn scenarios_with_the_same_failure_leave_only_their_indices() {
    let scenario = |index| Case {
        ..failing(
            "prune-undeclared",
            index,
            &[0, 1, 2, 3],
            &signature("prune-undeclared", "body-equal", "content", "missing"),
        )
    };
    let growth = size(&after(1000, scenario)) - size(&after(100, scenario));
    // Three digits, a comma and a space for each, and the sums.
    assert!(growth <= 900 * 5 + 10, "{growth}");
}

#[test]
fn events_are_summed_up_by_kind() {
    let event = |detail: usize| Line::Event(Event::new("http-429", detail.to_string()));
    let mut tally = Tally::new(header());
    tally.push(event(0));
    let before = size(&tally);
    (1..1000).for_each(|detail| tally.push(event(detail)));
    assert!(size(&tally) <= before + 3, "the digits of the sum");
}

proptest! {
    #[test]
    fn a_running_tally_gives_the_report_of_the_journal(
        order in Just((2..20_usize).collect::<Vec<_>>()).prop_shuffle(),
        is_skipped in any::<bool>(),
    ) {
        let mut journal = eventful();
        if is_skipped {
            journal.events.push(Event::about("default-null", Event::SKIPPED, "defaulting"));
        }
        let mut tally = Tally::new(journal.header.clone());
        let lines: Vec<Line> = journal.clone().into_lines().collect();
        // The header and the plan come first, the others in any order.
        let mut places = vec![0, 1];
        places.extend(order);
        prop_assert!(lines.len() <= places.len());
        let events = |line: &&Line| matches!(line, Line::Event(_));
        let in_order: Vec<&Line> = places.iter().filter_map(|&at| lines.get(at)).collect();
        in_order.iter().copied().filter(|line| !events(line)).for_each(|line| tally.push(line.clone()));
        lines.iter().filter(events).for_each(|line| tally.push(line.clone()));
        let expected = crate::fold(&journal, &known(KNOWN), &catalogue(), today());
        prop_assert_eq!(tally.report(&known(KNOWN), &catalogue(), today()), expected);
    }
}
