//! DEFAULT-013: a write at a version that is not stored keeps that version's defaults, and shows those of the stored one.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, Sample, define, object_of, two_versions, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-013-double-defaulting",
    title: "of a write at another version, that version's defaults are stored and the stored version's are only read",
    asserts: &["DEFAULT-013", "DEFAULT-013/e1"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let mut value = |key| sample.value(choices, key);
    let (requested, stored, hidden, later) = (value("requested"), value("stored"), value("hidden"), value("later"));
    // `r` has a default at v2 only, `s` at v1 only, and `h` is known to v1 only.
    let versions = |requested: Option<&Value>, stored: &Value| versions(&frame, &sample, requested, stored, &hidden);
    let mut plan = Plan::new();
    let definition = define(&mut plan, versions(Some(&requested), &stored));
    let created = plan.create_at(definition, "v2", frame.content(json!({})));
    let both = frame.content(json!({ "r": requested, "s": stored }));
    plan.check("response", &["DEFAULT-013"], created, Expectation::Content(both.clone()));
    let read = plan.get(created);
    plan.check("read-as-requested", &["DEFAULT-013"], read, Expectation::Content(both));
    let read = plan.get_at(created, "v1");
    let all = frame.content(json!({ "r": requested, "s": stored, "h": hidden }));
    plan.check("read-as-stored", &["DEFAULT-013"], read, Expectation::Content(all));
    plan.install_versions(definition, versions(None, &later));
    let read = plan.get_at(created, "v1");
    let followed = frame.content(json!({ "r": requested, "s": later, "h": hidden }));
    plan.check("after-a-change", &["DEFAULT-013", "DEFAULT-013/e1"], read, Expectation::Content(followed));
    plan.count_case();
    plan.finish()
}

fn versions(frame: &Frame, sample: &Sample, requested: Option<&Value>, stored: &Value, hidden: &Value) -> Vec<Version> {
    let bare = sample.json();
    let r = requested.map_or_else(|| bare.clone(), |default| with_default(&bare, default));
    let at_v1 = object_of(&json!({ "r": bare, "s": with_default(&bare, stored), "h": with_default(&bare, hidden) }));
    let at_v2 = object_of(&json!({ "r": r, "s": bare }));
    two_versions(frame.schema(at_v1), frame.schema(at_v2))
}
