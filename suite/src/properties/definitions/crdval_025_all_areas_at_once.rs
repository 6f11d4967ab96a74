//! CRDVAL-025: what is wrong in different parts of a definition is told together; within a schema, structural causes come first.

use crdible_generators::{
    breakage,
    choice::Choices,
    definition::{Part, twice_broken},
};
use serde_json::json;

use super::super::structural::shared::{Example, alone, refused, shape};
use super::shared::{DEFINITIONS, JUDGING, check_causes, try_document};
use crate::{
    properties::{Edge, Property},
    scenario::{Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "crdval-025-all-areas-at-once",
    title: "two broken rules of a definition are told together, but defaults only if the schema is structural",
    asserts: &["CRDVAL-025"],
    needs: JUDGING,
    edges: &[Edge { name: "gating", plan: || alone(&gated()) }],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let mut broken = twice_broken(choices);
        // A third one is a broken schema, where nothing else is about schemas.
        if choices.chance(1, 3) && broken.variations.iter().all(|variation| variation.part != Part::Schema) {
            let schema = choices.span("broken schema", |choices| {
                let mut shape = shape(choices);
                shape.any_root_keyword = false;
                breakage::broken_schema(choices, &shape)
            });
            let version = &mut broken.document["spec"]["versions"][0];
            version["schema"] = json!({ "openAPIV3Schema": schema.json });
            if let Some(version) = version.as_object_mut() {
                version.remove("selectableFields");
            }
            // The status subresource has rules of its own for the root (CRDVAL-040).
            for version in broken.document["spec"]["versions"].as_array_mut().into_iter().flatten() {
                if let Some(subresources) = version.get_mut("subresources").and_then(serde_json::Value::as_object_mut) {
                    subresources.remove("status");
                }
            }
            broken.causes.extend(schema.violations);
        }
        let defined = try_document(&mut plan, broken.document);
        check_causes(&mut plan, "together", &["CRDVAL-025"], defined, &broken.causes);
        plan.count_case();
    });
    plan.finish()
}

fn gated() -> Vec<Example> {
    const RULE: &[&str] = &["CRDVAL-025"];
    let both = |broken: serde_json::Value| json!({ "type": "object", "properties": { "a": broken, "b": { "type": "string", "default": 1 } } });
    vec![
        refused("structural-before-defaults", RULE, both(json!({})), &[(".properties[a].type", "Required")]),
        refused(
            "pattern-before-defaults",
            RULE,
            both(json!({ "type": "string", "pattern": "(" })),
            &[(".properties[a].pattern", "Invalid")],
        ),
        refused(
            "defaults-beside-unique-items",
            RULE,
            both(json!({ "type": "string", "uniqueItems": true })),
            &[(".properties[a].uniqueItems", "Forbidden"), (".properties[b].default", "TypeInvalid")],
        ),
        refused("unbuildable-alone", RULE, json!({ "type": "object", "$schema": "x" }), &[("", "Invalid")]).whole(),
        refused(
            "unbuildable-beside-another",
            RULE,
            json!({ "type": "object", "$schema": "x", "uniqueItems": true }),
            &[(".uniqueItems", "Forbidden")],
        )
        .whole(),
    ]
}
