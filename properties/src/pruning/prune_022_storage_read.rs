//! PRUNE-022: a read is pruned by the schema of the stored version, and then by that of the requested one.

use super::shared::{Declared, check_only_item, plain_shape, with_odd_names};
use crate::prelude::*;
use crate::shared::definitions::two_versions;

pub(super) const PROPERTY: Property = Property::new("prune-022-storage-read", plan)
    .title("a read drops what the stored version or the request version does not declare")
    .asserts(&["PRUNE-022", "PRUNE-022/e1"])
    .needs(&[Capability::Storing, Capability::Pruning])
    .edges(&[
        Edge { name: "defaults-of-the-stored-version", plan: defaults_of_the_stored_version },
        Edge { name: "after-a-change-of-the-storage-version", plan: after_a_change },
    ]);

const OBJECTS: usize = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = plain_shape(choices);
    let shape = with_odd_names(choices, shape);
    let (large, declared) = Declared::draw(choices, &shape);
    let small = declared.remove_from_schema(&large);
    let versions = |v1: &Schema, v2: &Schema| two_versions(v1.to_json(), v2.to_json());
    let definition = plan.define_versions(versions(&large, &large));
    // One in four: a list right after a schema change may have to wait a second (429). A list shows a single object,
    // because the order of its items is not specified (REST-021).
    let is_listed = choices.chance(1, 4);
    let objects = choices.many("object", 1, if is_listed { 1 } else { OBJECTS }, |choices, _| {
        let content = value::valid(choices, &large);
        (plan.create(definition, content.clone()), content)
    });
    for (v1, v2) in [(&large, &small), (&small, &large), (&large, &large)] {
        plan.install_versions(definition, versions(v1, v2));
        for (created, content) in &objects {
            let less = declared.remove_from_content(content);
            for (version, lacks) in [("v1", *v1 == small), ("v2", *v1 == small || *v2 == small)] {
                let read = plan.get_at(*created, version);
                let left = if lacks { &less } else { content };
                let expect = Expectation::Content(left.clone());
                let asserts: &[&str] = if *v1 == small && version == "v2" { &["PRUNE-022/e1"] } else { &["PRUNE-022"] };
                plan.check("read", asserts, read, expect);
                plan.check("revision", &["PRUNE-022"], read, Expectation::same_revision(*created));
                if is_listed {
                    let list = plan.list(definition, version);
                    check_only_item(plan, asserts, list, content, left);
                }
            }
            plan.count_case();
        }
    }
}

/// A read fills in the defaults of the stored version, not those of the requested one.
fn defaults_of_the_stored_version(plan: &mut Plan) {
    let schema = |a: bool, b: bool| {
        let property = |has_default: bool| {
            if has_default { json!({ "type": "integer", "default": 1 }) } else { json!({ "type": "integer" }) }
        };
        spec_of(json!({ "a": property(a), "b": property(b) }))
    };
    let definition = plan.define_versions(two_versions(schema(false, false), schema(false, false)));
    let created = plan.create(definition, json!({ "spec": {} }));
    plan.install_versions(definition, two_versions(schema(true, false), schema(false, true)));
    let read = plan.get_at(created, "v2");
    plan.check("defaulted", &["PRUNE-022"], read, Expectation::Content(json!({ "spec": { "a": 1 } })));
}

/// After the storage version changed, old objects still go through the version in which they were stored.
fn after_a_change(plan: &mut Plan) {
    let whole = spec_of(json!({ "a": { "type": "integer" }, "b": { "type": "integer" } }));
    let other = spec_of(json!({ "b": { "type": "integer", "default": 1 } }));
    // A definition of the pool keeps its storage version.
    let definition = plan.define(Definition::with_versions(two_versions(whole.clone(), whole.clone())).owned());
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let mut changed = two_versions(other, whole);
    for version in &mut changed {
        version.storage = !version.storage;
    }
    plan.install_versions(definition, changed);
    let read = plan.get_at(created, "v2");
    plan.check("stored-version", &["PRUNE-022/e1"], read, Expectation::Content(json!({ "spec": { "b": 1 } })));
    plan.check("revision", &["PRUNE-022/e1"], read, Expectation::same_revision(created));
}
