//! DISC-009, DISC-013, INV-049: what discovery lists is served, and nothing else is.

use super::{
    documents::{Group, until},
    served::{PARTS, Served, universe, unmade},
};
use crate::prelude::*;
use crate::shared::{
    definitions::{make, patch},
    names::Names,
};

pub(super) const PROPERTY: Property = Property::new("disc-009-routing", plan)
    .title("discovery lists exactly the resources and subresources that are served")
    .asserts(&["DISC-009", "DISC-013", "INV-049"])
    .needs(&[Capability::Storing, Capability::DefinitionUpdates, Capability::Discovery]);

const ASSERTS: &[&str] = &["DISC-009", "INV-049"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let universe = universe(choices);
    let names = Names {
        short: vec!["th".to_owned(), "tg".to_owned()],
        categories: vec!["all".to_owned(), "others".to_owned()],
        ..Names::given(0)
    };
    // Each in a group of its own, with the same names.
    let mut all: Vec<(Served, Option<StepId>)> = choices.many_parts("definition", 1, 2, |choices, _| {
        let is_namespaced = choices.chance(1, 3);
        let number = unmade(plan, is_namespaced, None);
        let served = Served::draw(choices, number, is_namespaced, names.clone(), &universe);
        make(plan, number, served.versions(), served.edits());
        (served, None)
    });
    choices.many_parts("setting", 1, 3, |choices, number| {
        for (served, object) in &mut all {
            if number > 0 && choices.chance(2, 3) {
                served.change(choices, &universe);
                patch(plan, served.number, served.patch());
            }
            let lists = routes(plan, served, &universe);
            // The first create under a new definition may take seconds.
            if object.is_none() && choices.chance(1, 2) {
                *object = created(plan, served);
            }
            if let Some(object) = object {
                parts(plan, served, *object, &lists);
            }
            no_routes(choices, plan, served, &universe);
            plan.count_case();
        }
    });
}

/// What is listed at each version, and served; and the steps that read the lists.
fn routes(plan: &mut Plan, served: &Served, universe: &[&'static str]) -> Vec<(&'static str, StepId)> {
    let group = Group { of: served.number, universe, shown: vec![served] };
    let read = |version: &&'static str| {
        let list = group.read_version(plan, version);
        let code = if served.at(version).is_some() { 200 } else { 404 };
        let objects = Resource::objects(served.number, *version);
        let listed = until(plan, Request::get(objects), Expectation::Status(code));
        plan.check("list", ASSERTS, listed, served_if(&served.names.plural, list));
        if served.at(version).is_some() {
            let entry = NamedCheck::Resource { name: served.names.plural.clone(), entry: served.entry(false) };
            plan.check("shared-names", &["DISC-013"], list, entry);
        }
        (*version, list)
    };
    universe.iter().map(read).collect()
}

/// An object, written at a version that is served.
fn created(plan: &mut Plan, served: &Served) -> Option<StepId> {
    let version = served.settings.iter().find(|setting| setting.is_served)?.version;
    let fields = json!({ "spec": { "n": 1 } });
    let created = plan.create_at(served.number, version, fields);
    plan.assume(created, Expectation::Accepted);
    Some(created)
}

/// The subresources of an object at each version that is served.
fn parts(plan: &mut Plan, served: &Served, object: StepId, lists: &[(&'static str, StepId)]) {
    for setting in served.settings.iter().filter(|setting| setting.is_served) {
        let Some((_, list)) = lists.iter().find(|(version, _)| *version == setting.version) else { continue };
        for part in PARTS {
            let code = if setting.has(part) { 200 } else { 404 };
            let resource = plan.object_at(object, setting.version).subresource(part);
            let read = until(plan, Request::get(resource), Expectation::Status(code));
            plan.check(part, ASSERTS, read, served_if(&served.name_of(part), *list));
        }
    }
}

/// Names that are no routes.
fn no_routes(choices: &mut Choices, plan: &mut Plan, served: &Served, universe: &[&'static str]) {
    let version = *choices.pick(universe);
    let name = *choices.pick(&["thing", "Thing", "th", "tg", "all", "others", "ThingList"]);
    let namespace = if served.is_namespaced && choices.chance(2, 3) { "namespaces/$namespace/" } else { "" };
    let path = format!("/apis/$group/{version}/{namespace}{name}");
    let other = plan.read(Resource::Path { definition: served.number, path });
    plan.check("no-route", &["DISC-013"], other, Expectation::Status(404));
}

fn served_if(name: &str, list: StepId) -> Expectation {
    NamedCheck::ServedIfListed { resource: name.to_owned() }.against(list)
}
