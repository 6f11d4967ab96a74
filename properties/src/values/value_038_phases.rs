//! VALUE-038: all errors of an object are reported together.

use crate::prelude::*;

const TOGETHER: &[&str] = &["VALUE-038", "VALUE-043"];
const KINDS: &[&str] = &["VALUE-038", "VALUE-038/e1"];

pub(super) const PROPERTY: Property = Property::new("value-038-phases", plan)
    .title("causes of metadata, values, embedded objects and duplicates are reported in one answer")
    .asserts(&["VALUE-038", "VALUE-038/e1", "VALUE-043"])
    .needs(&[Capability::Storing, Capability::Validation])
    .edges(&[Edge { name: "kinds", plan: kinds }]);

/// A part that may be invalid: the node of a property of `spec`, a valid value, an invalid one, and its cause relative
/// to the property.
struct Part {
    node: Value,
    right: Value,
    wrong: Value,
    cause: RowCause,
}

fn parts() -> Vec<(&'static str, Part)> {
    let part = |node: Value, right: Value, wrong: Value, cause| Part { node, right, wrong, cause };
    vec![
        ("a", part(json!({ "type": "string" }), json!("x"), json!(1), Cause::of("", Reason::TypeInvalid))),
        (
            "b",
            part(json!({ "type": "string", "maxLength": 1 }), json!("x"), json!("xx"), Cause::of("", Reason::TooLong)),
        ),
        ("c", part(json!({ "type": "integer", "minimum": 1 }), json!(1), json!(0), Cause::of("", Reason::Invalid))),
        (
            "d",
            part(
                json!({ "type": "string", "enum": ["x"] }),
                json!("x"),
                json!("y"),
                Cause::of("", Reason::NotSupported),
            ),
        ),
        (
            "e",
            part(
                json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] }),
                json!({ "a": "x" }),
                json!({}),
                Cause::of(".a", Reason::Required),
            ),
        ),
        ("f", part(json!({ INT_OR_STRING: true }), json!(1), json!(true), Cause::of("", Reason::TypeInvalid))),
        (
            "g",
            part(
                json!({ "type": "array", LIST_TYPE: "set", "items": { "type": "string" } }),
                json!(["x"]),
                json!(["x", "x"]),
                Cause::of("[1]", Reason::Duplicate),
            ),
        ),
        (
            "h",
            part(
                json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": {
                    "type": "object", "required": ["k"], "properties": { "k": { "type": "string" } },
                } }),
                json!([{ "k": "x" }]),
                json!([{ "k": "x" }, { "k": "x" }]),
                Cause::of("[1]", Reason::Duplicate),
            ),
        ),
        (
            "i",
            part(
                json!({ "type": "object", EMBEDDED: true, PRESERVE: true }),
                json!({ "apiVersion": "v1", "kind": "X" }),
                json!({ "apiVersion": "v1" }),
                Cause::of(".kind", Reason::Required),
            ),
        ),
        ("j", part(json!({ "type": "string", "not": { "minLength": 2 } }), json!("x"), json!("xx"), NIL)),
    ]
}

fn schema_of(parts: &[(&'static str, Part)]) -> Value {
    spec_of(parts.iter().map(|(name, part)| ((*name).to_owned(), part.node.clone())).collect())
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let parts = parts();
    let definition = plan.define_schema(schema_of(&parts));
    plan.cases(choices, "object", |plan, choices| {
        let (mut spec, mut causes) = (Map::new(), Vec::new());
        for (name, part) in &parts {
            match choices.weighted(&[2, 1, 1]) {
                0 => {}
                1 => drop(spec.insert((*name).to_owned(), part.right.clone())),
                _ => {
                    spec.insert((*name).to_owned(), part.wrong.clone());
                    causes.extend(Place::spec().property(*name).causes([part.cause]));
                }
            }
        }
        let mut fields = Map::from_iter([("spec".to_owned(), Value::Object(spec.clone()))]);
        match choices.weighted(&[3, 1, 1]) {
            0 => {}
            1 => {
                fields.insert("metadata".to_owned(), json!({ "labels": { "a b": "x" } }));
                causes.push(Cause::new("metadata.labels", "Invalid"));
            }
            _ => {
                fields.insert("metadata".to_owned(), json!({ "finalizers": ["no domain"] }));
                causes.push(Cause::new("metadata.finalizers", "Invalid"));
            }
        }
        let created = plan.try_create(definition, Value::Object(fields));
        plan.check("together", TOGETHER, created, content_or(json!({ "spec": spec }), causes));
    });
}

/// A wrong `kind` hides the errors of the values; a wrong `apiVersion` is a bad request.
fn kinds(plan: &mut Plan) {
    let parts = parts();
    let definition = plan.define_schema(schema_of(&parts));
    let kind = plan.try_create(definition, json!({ "kind": "Otherkind", "spec": {} }));
    plan.check_causes("other-kind", KINDS, kind, vec![Cause::new("kind", "Invalid")]);
    let hidden = plan.try_create(definition, json!({ "kind": "Otherkind", "spec": { "a": 1, "c": 0, "e": {} } }));
    plan.check_causes("other-kind-hides", KINDS, hidden, vec![Cause::new("kind", "Invalid")]);
    for (name, fields) in [
        ("other-version", json!({ "apiVersion": "example.com/v7", "spec": {} })),
        ("no-version", json!({ "apiVersion": "", "spec": {} })),
        ("no-kind", json!({ "kind": "", "spec": {} })),
    ] {
        let created = plan.try_create(definition, fields);
        plan.check(name, KINDS, created, Expectation::BadRequest);
    }
    let stored = plan.create(definition, json!({ "spec": {} }));
    plan.check("stored", KINDS, stored, Expectation::Accepted);
    for (name, patch, field) in [
        ("patched-kind", json!({ "kind": "Otherkind" }), "kind"),
        ("patched-version", json!({ "apiVersion": "example.com/v7" }), "apiVersion"),
        ("patched-away", json!({ "kind": null }), "patch"),
    ] {
        let patched = plan.patch(stored, Method::MergePatch, patch);
        plan.check_causes(name, KINDS, patched, vec![Cause::new(field, "Invalid")]);
    }
    plan.count_case();
}
