//! PRUNE-016: the root's metadata is decoded as `ObjectMeta`, whatever the schema declares.

use super::shared::object_meta;
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-016"];

pub(super) const PROPERTY: Property = Property::new("prune-016-root-metadata", plan)
    .title("unknown keys of root metadata are dropped and reported")
    .asserts(&["PRUNE-016", "PRUNE-016/e1", "PRUNE-016/e2"])
    .needs(&[Capability::Storing, Capability::Pruning])
    .edges(&[Edge { name: "exact-metadata", plan: exact_metadata }, Edge { name: "no-metadata", plan: no_metadata }]);

const OBJECTS: usize = 3;

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut properties = json!({ "spec": { "type": "object" } });
    match choices.draw(2) {
        0 => {}
        1 => properties["metadata"] = json!({ "type": "object" }),
        _ => properties["metadata"] = json!({ "type": "object", "properties": { "name": { "type": "string" } } }),
    }
    let definition = plan.define_schema(object_of(properties));
    choices.many("object", 1, OBJECTS, |choices, _| {
        unknown_keys(plan, definition, choices);
        wrong_types(plan, definition, choices);
    });
}

fn unknown_keys(plan: &mut Plan, definition: usize, choices: &mut Choices) {
    let unknown = object_meta::unknown(choices);
    let paths: Vec<String> = unknown.keys().map(|key| format!("metadata.{key}")).collect();
    let kept = object_meta::kept(choices);
    let mut metadata = unknown.clone();
    metadata.extend(kept.clone());
    let fields = json!({ "metadata": metadata });
    let warned = plan.try_create_validating(definition, "Warn", fields.clone());
    plan.check("reported", ASSERTS, warned, Expectation::UnknownFieldWarnings(paths.clone()));
    for key in unknown.keys() {
        plan.check("dropped", ASSERTS, warned, absent(format!("/metadata/{key}")));
    }
    for (key, value) in kept {
        plan.check("kept", ASSERTS, warned, at(format!("/metadata/{key}"), value));
    }
    let strict = plan.try_create_validating(definition, "Strict", fields);
    plan.check("refused", ASSERTS, strict, Expectation::StrictRefusal(paths));
    plan.count_case();
}

fn wrong_types(plan: &mut Plan, definition: usize, choices: &mut Choices) {
    let (key, wrong) = choices.pick(object_meta::WRONG);
    let posted = plan.try_create(definition, json!({ "metadata": { *key: wrong() } }));
    plan.check("post", ASSERTS, posted, Expectation::BadRequest);
    let created = plan.create(definition, json!({}));
    let put = plan.put_back(created, vec![Edit::Set(format!("/metadata/{key}"), wrong())]);
    plan.check("put", ASSERTS, put, Expectation::BadRequest);
    let patch = json!([{ "op": "add", "path": format!("/metadata/{key}"), "value": wrong() }]);
    let merge = json!({ "metadata": { *key: wrong() } });
    for (method, patch) in [(Method::JsonPatch, patch), (Method::MergePatch, merge)] {
        let patched = plan.patch(created, method, patch);
        plan.check_causes("patch", ASSERTS, patched, vec![Cause::new("patch", "Invalid")]);
    }
    plan.count_case();
}

fn exact_metadata(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({})));
    let asserts = &["PRUNE-016", "PRUNE-016/e1"];
    for (key, sent, left) in object_meta::REWRITTEN {
        let created = plan.try_create_validating(definition, "Strict", json!({ "metadata": { *key: sent() } }));
        plan.check("silent", asserts, created, Expectation::At { pointer: format!("/metadata/{key}"), value: left() });
        plan.count_case();
    }
    let owners = json!([{ "apiVersion": "v1", "kind": "X", "name": "x", "uid": "1", "zz": 1 }]);
    let unknown = json!({ "Labels": { "a": "b" }, "ownerReferences": owners, "labels": { "a": "b" } });
    let strict = plan.try_create_validating(definition, "Strict", json!({ "metadata": unknown }));
    let paths = ["metadata.Labels", "metadata.ownerReferences[0].zz"].map(str::to_owned).to_vec();
    plan.check("deep-and-case", asserts, strict, Expectation::StrictRefusal(paths));
    for fine in [json!({ "creationTimestamp": null }), json!({ "generation": 7.0 }), json!({ "generation": 0 })] {
        let created = plan.try_create_validating(definition, "Strict", json!({ "metadata": fine }));
        plan.check("fine", &["PRUNE-016/e1", "PRUNE-016/e2"], created, Expectation::Accepted);
    }
}

fn no_metadata(plan: &mut Plan) {
    let definition = plan.define_schema(spec_of(json!({})));
    let asserts = &["PRUNE-016/e2"];
    for wrong in [json!("x"), json!([]), json!(5), json!({ "labels": { "a": 1 } })] {
        let posted = plan.try_create(definition, json!({ "metadata": wrong }));
        plan.check("wrong", asserts, posted, Expectation::BadRequest);
    }
    for empty in [Value::Null, json!({ "name": null }), json!({ "name": "" })] {
        let posted = plan.try_create(definition, json!({ "metadata": empty }));
        plan.check_causes("nameless", asserts, posted, vec![Cause::new("metadata.name", "Required")]);
    }
    let created = plan.try_create(definition, json!({}));
    let without = Body::Answer { step: created, edits: vec![Edit::Remove("/metadata".into())] };
    let collection = Resource::objects(definition, "v1");
    let posted = plan.send(Request::post(collection, without).as_dry_run());
    plan.check_causes("absent", asserts, posted, vec![Cause::new("metadata.name", "Required")]);
}
