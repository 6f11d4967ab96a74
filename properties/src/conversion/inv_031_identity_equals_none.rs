//! INV-031, CONV-027: a webhook that only rewrites `apiVersion` is indistinguishable from strategy None.

use crdible_generators::schema::schema;
use crdible_scenario::Webhook;
use crdible_webhooks::{Chain, Converter};

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-031-identity-equals-none", plan)
    .title("a webhook that only rewrites apiVersion acts exactly like strategy None")
    .asserts(&["INV-031", "CONV-027"])
    .needs(&[Capability::Storing, Capability::Webhooks]);

const VERSIONS: [&str; 2] = ["v1", "v2"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape { embedded: false, max_depth: 3, ..SchemaShape::default() };
    let schemas = VERSIONS.map(|name| choices.keyed(name, |choices| schema(choices, &shape)));
    let versions: Vec<Version> = VERSIONS
        .iter()
        .zip(&schemas)
        .map(|(name, schema)| Version::named(*name, schema.to_json()).stored_if(*name == "v1"))
        .collect();
    let none = plan.define(Definition::with_versions(versions.clone()));
    let webhook = Webhook::of(Converter::right(Chain::identity(VERSIONS)));
    let hooked = plan.define(Definition::with_versions(versions).converted_by(webhook));
    let same = |plan: &mut Plan, name: &str, one: StepId, other: StepId| {
        plan.check(name, &["INV-031", "CONV-027"], other, Expectation::same_outcome(one));
    };
    plan.case_parts(choices, "object", |plan, choices| {
        let at = choices.up_to(1);
        let content = value::valid(choices, &schemas[at]);
        let created = [none, hooked].map(|definition| plan.create_at(definition, VERSIONS[at], content.clone()));
        same(plan, "create", created[0], created[1]);
        choices.many_parts("request", 1, 4, |choices, _| {
            let at = choices.up_to(1);
            let version = VERSIONS[at];
            let read = created.map(|created| plan.get_at(created, version));
            same(plan, "read", read[0], read[1]);
            match choices.draw(2) {
                0 => {}
                1 => {
                    let spec = value::valid(choices, &schemas[at]).get("spec").cloned().unwrap_or(json!({}));
                    let put = read.map(|read| plan.put_back(read, vec![Edit::Set("/spec".into(), spec.clone())]));
                    same(plan, "update", put[0], put[1]);
                }
                _ => {
                    let patch: Value = json!({ "metadata": { "labels": { "a": "b" } } });
                    let patched = read.map(|read| plan.patch(read, Method::MergePatch, patch.clone()));
                    same(plan, "patch", patched[0], patched[1]);
                }
            }
        });
    });
}
