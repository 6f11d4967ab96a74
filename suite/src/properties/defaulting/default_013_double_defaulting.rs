//! DEFAULT-013: a write at a version other than the storage version stores that version's defaults, and returns those
//! of the storage version.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::Sample;
use crate::{
    properties::{
        Capability, Property,
        shared::{Place, Places, definitions::two_versions, object_of, with_default},
    },
    scenario::{Expectation, Plan, Scenario, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-013-double-defaulting",
    title: "a write at another version stores that version's defaults, while those of the storage version are only filled in on read",
    asserts: &["DEFAULT-013", "DEFAULT-013/e1"],
    needs: &[Capability::Storing, Capability::Pruning, Capability::Defaulting, Capability::DefinitionUpdates],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let place = Place::draw(choices, &Places::COPIED);
    let sample = Sample::draw(choices, "value");
    let mut value = |key| sample.value(choices, key);
    let (requested, stored, hidden, later) = (value("requested"), value("stored"), value("hidden"), value("later"));
    // `r` has a default at v2 only, `s` at v1 only, and only v1 declares `h`.
    let versions = |requested: Option<&Value>, stored: &Value| versions(&place, &sample, requested, stored, &hidden);
    let mut plan = Plan::new();
    let definition = plan.define_versions(versions(Some(&requested), &stored));
    let created = plan.create_at(definition, "v2", place.content(json!({})));
    let both = place.content(json!({ "r": requested, "s": stored }));
    plan.check("response", &["DEFAULT-013"], created, Expectation::Content(both.clone()));
    let read = plan.get(created);
    plan.check("read-as-requested", &["DEFAULT-013"], read, Expectation::Content(both));
    let read = plan.get_at(created, "v1");
    let all = place.content(json!({ "r": requested, "s": stored, "h": hidden }));
    plan.check("read-as-stored", &["DEFAULT-013"], read, Expectation::Content(all));
    plan.install_versions(definition, versions(None, &later));
    let read = plan.get_at(created, "v1");
    let followed = place.content(json!({ "r": requested, "s": later, "h": hidden }));
    plan.check("after-a-change", &["DEFAULT-013", "DEFAULT-013/e1"], read, Expectation::Content(followed));
    plan.count_case();
    plan.finish()
}

fn versions(place: &Place, sample: &Sample, requested: Option<&Value>, stored: &Value, hidden: &Value) -> Vec<Version> {
    let bare = sample.json();
    let r = requested.map_or_else(|| bare.clone(), |default| with_default(&bare, default));
    let at_v1 = object_of(json!({ "r": bare, "s": with_default(&bare, stored), "h": with_default(&bare, hidden) }));
    let at_v2 = object_of(json!({ "r": r, "s": bare }));
    two_versions(place.schema(at_v1), place.schema(at_v2))
}
