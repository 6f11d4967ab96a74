//! DISC-010, VER-006/e1: names that change, and names of which two definitions request the same.

use super::{
    documents::{Group, Since, until},
    served::{Served, unmade},
};
use crate::prelude::*;
use crate::shared::{
    definitions::{make, merge, read},
    names::{Decision, Names, TakenBy, decide},
    names_decided,
};

pub(super) const PROPERTY: Property = Property::new("disc-010-names", plan)
    .title("discovery shows exactly the names that were accepted")
    .asserts(&[
        "DISC-001",
        "DISC-002",
        "DISC-003",
        "DISC-004",
        "DISC-004/e2",
        "DISC-005",
        "DISC-006",
        "DISC-007",
        "DISC-010",
        "DISC-011",
        "DISC-012",
        "INV-050",
        "VER-006",
        "VER-006/e1",
        "VER-007",
    ])
    .needs(&[
        Capability::Serving,
        Capability::Conditions,
        Capability::DefinitionUpdates,
        Capability::NameConflicts,
        Capability::Discovery,
        Capability::AggregatedDiscovery,
    ]);

/// The only version. Otherwise a version that only a waiting definition serves would be listed (defect of VER-006).
const UNIVERSE: [&str; 1] = ["v1"];

/// A definition, as requested and as accepted.
struct Known {
    requested: Names,
    is_established: bool,
    is_decided_on: bool,
    /// With the names that are accepted.
    served: Served,
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let scopes = [choices.chance(1, 3), choices.chance(1, 3)];
    let first = unmade(plan, scopes[0], None);
    let numbers = [first, unmade(plan, scopes[1], Some(first))];
    let mut known: [Option<Known>; 2] = [None, None];
    choices.many_average("act", 1, 6, 3, |choices, number| {
        let at = if number == 0 { 0 } else { choices.up_to(1) };
        // Another category each time: kube-apiserver does not look at a definition again whose names are as
        // requested (LIFE-010).
        let mut categories = vec![format!("c{number}")];
        categories.extend(choices.chance(1, 3).then(|| "all".to_owned()));
        match &mut known[at] {
            Some(renamed) => {
                let names = renamed.requested.rename(choices, at, categories);
                merge(plan, numbers[at], json!({ "spec": { "names": names } }));
            }
            None => {
                let (requested, edits, _) = Names::draw(choices, at, categories);
                known[at] = Some(made(choices, plan, (numbers[at], scopes[at]), requested, edits));
            }
        }
        settle(&mut known, at);
        for known in known.iter().flatten() {
            let settled = read(plan, known.served.number);
            plan.repeat_until(settled, known.decided());
            plan.assume(settled, known.decided());
        }
        check(plan, &known, first);
        plan.count_case();
    });
}

fn made(
    choices: &mut Choices,
    plan: &mut Plan,
    (number, is_namespaced): (usize, bool),
    requested: Names,
    edits: Vec<Edit>,
) -> Known {
    let served = Served::draw(choices, number, is_namespaced, Names::default(), &UNIVERSE).serving();
    make(plan, number, served.versions(), edits);
    Known { requested, is_established: false, is_decided_on: true, served }
}

/// Decides on the names of a definition, and then of the other, which may wait for what this one has released, until
/// nothing changes.
fn settle(known: &mut [Option<Known>; 2], mut at: usize) {
    loop {
        let other = known[1 - at].as_ref().map(|other| other.served.names.clone());
        let none = Names::default();
        let taken = TakenBy { names: other.as_ref().unwrap_or(&none), exists: other.is_some() };
        let Some(one) = &mut known[at] else { return };
        let Decision { accepted, conflict } = decide(&one.requested, &one.served.names, &taken);
        let has_changed = one.served.names != accepted;
        one.is_decided_on = conflict.is_none();
        one.is_established |= conflict.is_none();
        one.served.names = accepted;
        if !has_changed {
            return;
        }
        at = 1 - at;
    }
}

impl Known {
    /// What the definition will say of its names.
    fn decided(&self) -> NamedCheck {
        names_decided(self.served.names.document(), self.is_decided_on, self.is_established)
    }
}

fn check(plan: &mut Plan, known: &[Option<Known>; 2], first: usize) {
    let established = || known.iter().flatten().filter(|known| known.is_established);
    let group = Group { of: first, universe: &UNIVERSE, shown: established().map(|known| &known.served).collect() };
    let waits = known.iter().flatten().any(|known| !known.is_established);
    group.check(plan, &Since { renamed: true, waits, before: vec!["v1"] });
    for Known { served, .. } in established() {
        let list = Resource::objects(served.number, "v1");
        let kind = at("/kind", served.names.list_kind.as_str());
        let listed = until(plan, Request::get(list), kind.clone());
        plan.check("list-kind", &["DISC-010"], listed, kind);
    }
}
