//! REST-060: watches of one namespace and of all.

use super::namespaces::{NAMESPACES, Namespaces};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("rest-060-namespaces", plan)
    .title("a watch of one namespace reports only that namespace, and a watch of all reports all")
    .asserts(&["REST-022", "REST-060", "INV-054", "INV-055"])
    .needs(&[Capability::Storing, Capability::Namespaces, Capability::Watches]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut namespaces = Namespaces::new(plan);
    choices.many_parts("earlier", 0, 3, |choices, _| namespaces.write(choices));
    let watched = [Some(NAMESPACES[0]), Some(NAMESPACES[1]), None].map(|namespace| (namespace, choices.chance(1, 2)));
    let lists = watched.map(|(namespace, is_watched)| is_watched.then(|| (namespace, namespaces.list(namespace))));
    namespaces.forget();
    choices.many_parts("write", 1, 8, |choices, _| namespaces.write(choices));
    for (namespace, list) in lists.into_iter().flatten() {
        let (seen, [expected, within]) = namespaces.watch(namespace, list);
        let name = if namespace.is_some() { "own-events" } else { "all-events" };
        namespaces.plan.check(name, &["REST-060", "INV-055"], seen, expected);
        namespaces.plan.check("namespaces", &["REST-060"], seen, within);
        namespaces.plan.count_case();
    }
}
