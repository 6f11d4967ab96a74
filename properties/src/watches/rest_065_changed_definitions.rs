//! REST-065 to REST-067: watches from before a change of the definition.

use crate::prelude::*;
use crate::shared::watch::{Events, Happened};

pub(super) const PROPERTY: Property = Property::new("rest-065-changed-definitions", plan)
    .title("a watch from before a change of the definition misses nothing, or reports 410 Expired")
    .asserts(&["REST-065", "REST-067"])
    .needs(&[Capability::Storing, Capability::Watches, Capability::DefinitionUpdates]);

fn versions(field: Option<usize>) -> Vec<Version> {
    let mut fields = json!({ "a": { "type": "integer" } });
    if let Some(number) = field {
        fields[format!("b{number}")] = json!({ "type": "string" });
    }
    vec![Version::only(spec_of(fields))]
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let definition = plan.define_versions(versions(None));
    let created = plan.create(definition, json!({ "spec": { "a": 0 } }));
    let before = plan.list(definition, "v1");
    let mut events = Events::at("v1");
    let mut last = 0;
    choices.cases_up_to("write", 5, |choices, number| {
        plan.count_case();
        if choices.chance(1, 2) {
            plan.install_versions(definition, versions(Some(number)));
        } else {
            last += 1;
            plan.patch(created, Method::MergePatch, json!({ "spec": { "a": last } }));
            events.push(Happened::Modified, plan, created, &json!({}), json!({ "spec": { "a": last } }));
        }
    });
    let seen = events.watch_since(plan, before, &[]);
    plan.check("watched", PROPERTY.asserts, seen, events.or_gone());
    // From now on nothing is gone.
    let between = plan.list(definition, "v1");
    let mut later = Events::at("v1");
    last += 1;
    let patched = plan.patch(created, Method::MergePatch, json!({ "spec": { "a": last } }));
    later.push(Happened::Modified, plan, patched, &json!({}), json!({ "spec": { "a": last } }));
    let seen = later.watch_since(plan, between, &[]);
    plan.check("watched-later", &["REST-065"], seen, later.or_gone());
}
