//! DISC-001 to DISC-007, DISC-011, DISC-012, DISC-014, INV-050: all documents of discovery about a group whose
//! definitions come, change and go.

use super::{
    documents::{Group, Since},
    served::{Served, universe, unmade},
};
use crate::prelude::*;
use crate::shared::{
    definitions::{await_gone, delete, make, patch},
    names::Names,
};

pub(super) const PROPERTY: Property = Property::new("disc-001-documents", plan)
    .title("discovery lists exactly what the definitions of a group serve, even after changes")
    .asserts(&[
        "DISC-001",
        "DISC-001/e1",
        "DISC-002",
        "DISC-003",
        "DISC-003/e1",
        "DISC-004",
        "DISC-004/e2",
        "DISC-005",
        "DISC-006",
        "DISC-007",
        "DISC-011",
        "DISC-012",
        "DISC-014",
        "INV-050",
        "VER-006",
        "VER-007",
    ])
    .needs(&[Capability::DefinitionUpdates, Capability::Discovery, Capability::AggregatedDiscovery]);

/// Names that the definitions of a group may have besides their own, none of them both.
const SHORT_NAMES: [[&str; 2]; 2] = [["tz", "ta"], ["u", "s"]];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let universe = universe(choices);
    let scopes = [choices.chance(1, 3), choices.chance(1, 3)];
    let first = unmade(plan, scopes[0], None);
    let numbers = [first, unmade(plan, scopes[1], Some(first))];
    let mut known: [Option<Served>; 2] = [None, None];
    let (mut deleted, mut since) = ([false; 2], Since::default());
    choices.many_average("act", 1, 6, 3, |choices, number| {
        let at = if number == 0 { 0 } else { choices.up_to(1) };
        match &mut known[at] {
            // A deleted definition stays deleted: to make it again is a matter of another chapter (LIFE-019).
            None if deleted[at] => return,
            Some(served) if choices.chance(1, 6) => {
                delete(plan, served.number, None);
                await_gone(plan, served.number);
                (known[at], deleted[at]) = (None, true);
            }
            Some(served) => {
                served.change(choices, &universe);
                patch(plan, served.number, served.patch());
            }
            None => {
                let names = names(choices, at);
                let served = Served::draw(choices, numbers[at], scopes[at], names, &universe);
                make(plan, served.number, served.versions(), served.edits());
                known[at] = Some(served);
            }
        }
        let group = Group { of: first, universe: &universe, shown: known.iter().flatten().collect() };
        group.check(plan, &since);
        since.before = group.versions();
        plan.count_case();
    });
}

/// The names of a definition, some of them in lists that are in no order of their own.
fn names(choices: &mut Choices, at: usize) -> Names {
    let mut some = |names: [&str; 2]| -> Vec<String> {
        names.into_iter().filter(|_| choices.chance(1, 2)).map(str::to_owned).collect()
    };
    let (short, categories) = (some(SHORT_NAMES[at]), some(["others", "all"]));
    let mut names = Names { short, categories, ..Names::given(at) };
    if choices.chance(1, 3) {
        names.singular = format!("one{at}");
    }
    names
}
