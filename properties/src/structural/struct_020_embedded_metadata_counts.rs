//! STRUCT-020: declarations in embedded metadata are enforced and applied.

use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("struct-020-embedded-metadata-counts", plan)
    .title("value validation and defaults in the metadata of an embedded resource take effect")
    .asserts(&["STRUCT-020"])
    .needs(&[Capability::Serving, Capability::Validation, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let bound = choices.between(0, 4);
    // Not an empty map, because coercion drops it again (PRUNE-017).
    let default = choices.pick(&[json!({ "a": "b" }), json!({ "x/y": "", "z": "1" })]).clone();
    let metadata = json!({ "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string" },
        "labels": { "type": "object", "additionalProperties": { "type": "string", "maxLength": bound } },
        "annotations": { "type": "object", "default": default, "additionalProperties": { "type": "string" } },
    } });
    let resource = json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": metadata } });
    let definition = plan.define_schema(spec_of(json!({ "list": { "type": "array", "items": resource } })));
    plan.cases(choices, "object", |plan, choices| {
        let (mut sent, mut causes) = (Vec::new(), Vec::new());
        choices.many("resource", 1, 3, |choices, index| {
            let field = format!("spec.list[{index}].metadata");
            let mut metadata = json!({});
            if choices.chance(1, 4) {
                causes.push(Cause::new(format!("{field}.name"), "Required"));
            } else {
                metadata["name"] = json!("a");
            }
            choices.many("label", 0, 2, |choices, number| {
                let length = choices.between(0, 6);
                metadata["labels"][format!("l{number}")] = json!("v".repeat(usize::try_from(length).unwrap_or(0)));
                if length > bound {
                    causes.push(Cause::new(format!("{field}.labels.l{number}"), "TooLong"));
                }
            });
            if choices.chance(1, 3) {
                metadata["annotations"] = json!({ "own": "1" });
            }
            sent.push(json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata }));
        });
        let mut stored = sent.clone();
        for resource in &mut stored {
            if resource["metadata"].get("annotations").is_none() {
                resource["metadata"]["annotations"] = default.clone();
            }
        }
        let created = plan.try_create(definition, json!({ "spec": { "list": sent } }));
        let expect = content_or(json!({ "spec": { "list": Value::Array(stored) } }), causes);
        plan.check("counts", &["STRUCT-020"], created, expect);
    });
}
