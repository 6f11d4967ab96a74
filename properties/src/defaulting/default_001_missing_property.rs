//! DEFAULT-001: a missing property with a default is filled in, wherever it is.

use super::planted::{Gap, Planted};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-001-missing-property", plan)
    .title("missing keys are filled in with exactly their defaults, and nothing else changes")
    .asserts(&["DEFAULT-001", "DEFAULT-001/e1", "DEFAULT-004"])
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[
        Edge { name: "any-json", plan: any_json },
        Edge { name: "exact-numbers-and-nulls", plan: exact_numbers_and_nulls },
        Edge { name: "root-property", plan: root_property },
    ]);

const EXACT: &[&str] = &["DEFAULT-001", "DEFAULT-001/e1"];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let planted = Planted::draw(choices);
    let definition = plan.definition(&planted.schema);
    plan.cases(choices, "object", |plan, choices| {
        let object = planted.object(choices, Gap::Absent);
        let created = plan.try_create(definition, object.body);
        plan.check("filled-in", &["DEFAULT-001", "DEFAULT-004"], created, Expectation::Content(object.complete));
    });
}

fn any_json(plan: &mut Plan) {
    let spec = object_of(json!({
        "false": { "type": "boolean", "default": false },
        "zero": { "type": "integer", "default": 0 },
        "text": { "type": "string", "default": "" },
        "object": { "type": "object", "properties": { "a": { "type": "integer" } }, "default": {} },
        "list": { "type": "array", "items": { "type": "string" }, "default": [] },
        "null": { "type": "string", "default": null },
    }));
    let all = json!({ "spec": { "false": false, "zero": 0, "text": "", "object": {}, "list": [] } });
    let given =
        json!({ "spec": { "false": true, "zero": 1, "text": "x", "object": { "a": 1 }, "list": ["x"], "null": "x" } });
    plan.try_objects(
        root_of(spec),
        [
            Example::becomes("all-absent", EXACT, json!({ "spec": {} }), all.clone()),
            Example::kept("same-values-given", EXACT, all),
            Example::kept("other-values-given", EXACT, given),
        ],
    )
}

fn exact_numbers_and_nulls(plan: &mut Plan) {
    let nullable = object_of(json!({ "a": { "type": "string", "nullable": true } }));
    let any = json!({ "a": null, "b": [null, { "c": 9_007_199_254_740_993_i64 }], "d": { "e": {}, "f": [] } });
    let spec = object_of(json!({
        "large": { "type": "integer", "default": 9_007_199_254_740_993_i64 },
        "least": { "type": "integer", "default": i64::MIN },
        "any": { PRESERVE: true, "default": any },
        "nullable": with_default(&nullable, &json!({ "a": null })),
    }));
    let filled = json!({ "spec": { "large": 9_007_199_254_740_993_i64, "least": i64::MIN, "any": any, "nullable": { "a": null } } });
    plan.try_objects(root_of(spec), [Example::becomes("exact", EXACT, json!({ "spec": {} }), filled)])
}

fn root_property(plan: &mut Plan) {
    let default = json!({ "a": 7 });
    let spec = with_default(&object_of(json!({ "a": { "type": "integer" } })), &default);
    let definition = plan.define_schema(root_of(spec));
    let empty = plan.try_create(definition, json!({}));
    plan.check("created-without", EXACT, empty, at("/spec", default.clone()));
    let created = plan.create(definition, json!({ "spec": { "a": 1 } }));
    let put = plan.put_back(created, vec![Edit::Remove("/spec".to_owned())]);
    plan.check("put-without", EXACT, put, at("/spec", default.clone()));
    let read = plan.get(created);
    plan.check("read-back", EXACT, read, at("/spec", default));
}
