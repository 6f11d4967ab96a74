//! What the suite generates and judges, counted in the cells of [`crdible::cells`].

use std::{collections::BTreeSet, thread};

use crdible::{
    cells::{self, Counter},
    properties::{self, Capability, Property},
    run::Case,
};

const SEED: u64 = 4;
/// Generated objects, updates and version lists, over all properties of schemas and values.
const CASES: u64 = 50_000;

/// Properties of what requests do, and of what is shown. Their schemas are few and always the same, as are those of
/// rules.
const OF_REQUESTS: [&str; 7] = ["rest-", "disc-", "oapi-", "table-", "fsel-", "life-", "sub-"];

/// The minimum percentage of cells; the message lists the missing ones.
const LEAST: usize = 95;

/// Plans generated cases of one property, none of the hand-made ones, until it has its share; returns the number of
/// cases.
fn planned(property: &'static Property, share: u64, counter: &mut Counter) -> u64 {
    let mut cases = 0;
    let first = property.edges.len() as u64;
    for case in (first..first + 4 * share).filter_map(|index| Case::plan(property, SEED, index).ok()) {
        let more = u64::from(case.scenario.cases());
        if cases + more > share {
            break;
        }
        cases += more;
        cells::each_judged(case.scenario.server().expect("of a server"), |schema, content| {
            counter.count(schema, content)
        });
    }
    cases
}

/// Plans the cases of all properties of schemas and values, each an equal share as in a run, on two threads.
fn hit() -> (Counter, u64) {
    let is_of_others = |property: &&Property| {
        let is_of_requests = OF_REQUESTS.iter().any(|begin| property.id.starts_with(begin));
        is_of_requests || property.needs.contains(&Capability::Rules)
    };
    let properties: Vec<&Property> = properties::all().filter(|property| !is_of_others(property)).collect();
    let share = CASES / properties.len() as u64;
    let work = |first: usize| {
        let mut counter = Counter::default();
        let cases =
            properties.iter().skip(first).step_by(2).map(|property| planned(property, share, &mut counter)).sum();
        (counter, cases)
    };
    thread::scope(|scope| {
        let other: thread::ScopedJoinHandle<'_, (Counter, u64)> = scope.spawn(|| work(1));
        let (mut counter, cases) = work(0);
        let (others, more) = other.join().expect("planning does not panic");
        counter.merge(others);
        (counter, cases + more)
    })
}

#[test]
#[expect(clippy::print_stdout, reason = "what is missed is of interest before it is too much")]
fn the_suite_hits_the_cells_of_schemas_and_values() {
    let (counter, cases) = hit();
    let cells: BTreeSet<_> = cells::cells().collect();
    let missed: Vec<String> = cells.difference(counter.hit()).map(ToString::to_string).collect();
    let hit = cells.len() - missed.len();
    println!("{hit} of {} cells in {cases} cases; missed:\n{}", cells.len(), missed.join("\n"));
    assert!(cases <= CASES);
    assert!(hit * 100 >= cells.len() * LEAST, "fewer than {LEAST} percent");
}
