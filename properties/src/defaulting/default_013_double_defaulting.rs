//! DEFAULT-013: a write at a version other than the storage version stores that version's defaults, and returns those
//! of the storage version.

use super::shared::{Field, Fields};
use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("default-013-double-defaulting", plan)
    .title("a write at another version stores the defaults of that version, not of the storage version")
    .asserts(&["DEFAULT-013", "DEFAULT-013/e1"])
    .needs(&[Capability::Storing, Capability::Pruning, Capability::Defaulting, Capability::DefinitionUpdates]);

// The values of a field.
const REQUESTED: usize = 0;
const STORED: usize = 1;
const HIDDEN: usize = 2;
const LATER: usize = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let fields = Fields::draw(choices, ["requested", "stored", "hidden", "later"]);
    let definition = plan.define_versions(versions(&place, &fields, Some(REQUESTED), STORED));
    let created = plan.create_at(definition, "v2", place.content(json!({})));
    let both = place.content(fields.entries(|field| [("r", field.value(REQUESTED)), ("s", field.value(STORED))]));
    plan.check("response", &["DEFAULT-013"], created, Expectation::Content(both.clone()));
    let read = plan.get(created);
    plan.check("read-as-requested", &["DEFAULT-013"], read, Expectation::Content(both));
    let read = plan.get_at(created, "v1");
    let all = |stored| {
        let values = [("r", REQUESTED), ("s", stored), ("h", HIDDEN)];
        place.content(fields.entries(|field| values.map(|(key, value)| (key, field.value(value)))))
    };
    plan.check("read-as-stored", &["DEFAULT-013"], read, Expectation::Content(all(STORED)));
    plan.install_versions(definition, versions(&place, &fields, None, LATER));
    let read = plan.get_at(created, "v1");
    plan.check("after-a-change", &["DEFAULT-013", "DEFAULT-013/e1"], read, Expectation::Content(all(LATER)));
    fields.count(plan);
}

/// `r` has a default at v2 only, `s` at v1 only, and only v1 declares `h`.
fn versions(place: &Place, fields: &Fields<4>, requested: Option<usize>, stored: usize) -> Vec<Version> {
    let at_v1 =
        fields.entries(|field| [("r", field.node()), ("s", field.defaulting(stored)), ("h", field.defaulting(HIDDEN))]);
    let r = |field: &Field<4>| requested.map_or_else(|| field.node(), |value| field.defaulting(value));
    let at_v2 = fields.entries(|field| [("r", r(field)), ("s", field.node())]);
    two_versions(place.schema(object_of(at_v1)), place.schema(object_of(at_v2)))
}
