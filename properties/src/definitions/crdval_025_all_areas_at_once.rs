//! CRDVAL-025: errors in different parts of a definition are reported together; within a schema, structural causes come
//! first.

use crdible_generators::{
    definition::{Part, twice_broken},
    rule,
};

use super::shared::{DEFINITIONS, JUDGING, try_document};
use crate::prelude::*;
use crate::shared::{alone, definitions::check_causes, host, refused};

pub(super) const PROPERTY: Property = Property::new("crdval-025-all-areas-at-once", plan)
    .title("causes in different parts of a definition are reported together")
    .asserts(&["CRDVAL-025", "CRDVAL-025/e1"])
    .needs(JUDGING)
    .edges(&[Edge { name: "gating", plan: |plan| alone(plan, &gated()) }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    choices.many("definition", 1, DEFINITIONS, |choices, _| {
        let mut broken = twice_broken(choices);
        // If neither violation is in a schema, a third may be a broken schema.
        if choices.chance(1, 3) && broken.variations.iter().all(|variation| variation.part != Part::Schema) {
            let schema = choices.span("broken schema", |choices| {
                let mut shape = host::shape(choices);
                shape.any_root_keyword = false;
                rule::broken_schema(choices, &shape)
            });
            let version = &mut broken.document["spec"]["versions"][0];
            version["schema"] = json!({ "openAPIV3Schema": schema.json });
            if let Some(version) = version.as_object_mut() {
                version.remove("selectableFields");
            }
            // The status subresource has its own rules for the root (CRDVAL-040).
            for version in broken.document["spec"]["versions"].as_array_mut().into_iter().flatten() {
                if let Some(subresources) = version.get_mut("subresources").and_then(Value::as_object_mut) {
                    subresources.remove("status");
                }
            }
            let of_version =
                |cause: Cause| Cause { field: format!("spec.versions[0].schema.{}", cause.field), ..cause };
            broken.causes.extend(schema.causes.into_iter().map(of_version));
        }
        let defined = try_document(plan, broken.document);
        check_causes(plan, "together", &["CRDVAL-025"], defined, &broken.causes);
        plan.count_case();
    });
}

fn gated() -> Vec<Piece> {
    const RULE: &[&str] = &["CRDVAL-025"];
    const EDGE: &[&str] = &["CRDVAL-025", "CRDVAL-025/e1"];
    let both = |broken: Value| json!({ "type": "object", "properties": { "a": broken, "b": { "type": "string", "default": 1 } } });
    vec![
        refused("structural-before-defaults", RULE, both(json!({})), &[(".properties[a].type", "Required")]),
        refused(
            "pattern-before-defaults",
            EDGE,
            both(json!({ "type": "string", "pattern": "(" })),
            &[(".properties[a].pattern", "Invalid")],
        ),
        refused(
            "defaults-beside-unique-items",
            EDGE,
            both(json!({ "type": "string", "uniqueItems": true })),
            &[(".properties[a].uniqueItems", "Forbidden"), (".properties[b].default", "TypeInvalid")],
        ),
        refused(
            "defaults-beside-an-unknown-type",
            EDGE,
            both(json!({ "type": "text" })),
            &[(".properties[a].type", "NotSupported"), (".properties[b].default", "TypeInvalid")],
        ),
        refused(
            "forbidden-keyword-before-all-others",
            EDGE,
            json!({ "type": "object", "properties": {
                "a": { "type": "string", "id": "x" }, "b": { "type": "string", "default": 1 }, "c": {},
            } }),
            &[(".properties[a].id", "Forbidden")],
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
