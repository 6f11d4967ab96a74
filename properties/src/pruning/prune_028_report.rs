//! PRUNE-028: how unknown fields are reported.

use super::shared::{OUTSIDE_MAPS, embedded, object_meta};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("prune-028-report", plan)
    .title("each unknown field is reported once: root metadata first, embedded metadata last")
    .asserts(&["PRUNE-028", "PRUNE-028/e1", "PRUNE-028/e2"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "notation", plan: notation }, Edge { name: "root", plan: root }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &OUTSIDE_MAPS);
    let definition = plan.define_schema(place.schema(embedded(false)));
    plan.cases(choices, "object", |plan, choices| {
        let metadata = object_meta::unknown(choices);
        // How the report of embedded metadata writes an empty name is a quirk (PRUNE-017).
        let inner = if place.is_below_empty_name() { Map::new() } else { object_meta::unknown(choices) };
        let siblings = object_meta::unknown(choices);
        let group = |keys: &Map<String, Value>, prefix: &str| {
            keys.keys().map(|key| format!("{prefix}{key}")).collect::<Vec<_>>()
        };
        let mut paths = group(&metadata, "metadata.");
        // An embedded object declares `apiVersion`, `kind` and `metadata` implicitly; of these keys, only `apiVersion`
        // is one of them.
        let pruned = group(&siblings, ".").into_iter().filter(|path| path != ".apiVersion").collect::<Vec<_>>();
        paths.extend(place.all_fields(&pruned));
        paths.extend(place.all_fields(&group(&inner, ".metadata.")));
        let mut object = siblings;
        object.extend([("apiVersion".to_owned(), json!("v1")), ("kind".to_owned(), json!("X"))]);
        object.insert("metadata".to_owned(), Value::Object(inner));
        let mut fields = place.content(Value::Object(object));
        fields["metadata"] = Value::Object(metadata);
        let strict = plan.try_create_validating(definition, "Strict", fields.clone());
        plan.check("strict", &["PRUNE-028", "PRUNE-028/e1"], strict, Expectation::StrictRefusal(paths.clone()));
        let warned = plan.try_create_validating(definition, "Warn", fields);
        plan.check("warned", &["PRUNE-028"], warned, Expectation::UnknownFieldWarnings(paths));
    });
}

fn notation(plan: &mut Plan) {
    const PATHS: &[&str] = &["PRUNE-028"];
    const KEYS: &[&str] = &["PRUNE-028/e1"];
    let object = || object_of(json!({ "a": { "type": "integer" } }));
    let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let mut long = vec![json!({ "a": 1 }); 11];
    long[2] = json!({ "x": 1 });
    long[10] = json!({ "x": 1, "a": 2 });
    plan.in_one_schema([
        Row::new(object()).with([
            Example::unknown("topmost", PATHS, json!({ "b": { "c": { "d": 1 } }, "e": [{ "f": 1 }] }), &[".b", ".e"]),
            Example::unknown("odd-keys", KEYS, json!({ "a/b": 1, "[0]": 2, "é": 3 }), &[".[0]", ".a/b", ".é"]),
        ]),
        Row::new(json!({ "type": "array", "items": object() })).with([Example::unknown(
            "indices",
            PATHS,
            Value::Array(long),
            &["[10].x", "[2].x"],
        )]),
        Row::new(map(map(object()))).with([
            Example::unknown("map-keys", KEYS, json!({ "a": { "b": { "q": 1 } } }), &[".a.b.q"]),
            Example::unknown("odd-map-keys", KEYS, json!({ "a.b": { "": { "q r": 1 } } }), &[".a.b..q r"]),
        ]),
    ])
}

fn root(plan: &mut Plan) {
    let asserts = &["PRUNE-028/e2"];
    let definition = plan.define_schema(spec_of(json!({ "a": { "type": "array", "items": { "type": "object" } } })));
    let known =
        plan.try_create_validating(definition, "Strict", json!({ "metadata": { "labels": { "l": "x" } }, "spec": {} }));
    plan.check("meta-fields", asserts, known, Expectation::Accepted);
    let unknown =
        plan.try_create_validating(definition, "Strict", json!({ "foo": { "bar": 1 }, "Kind": "X", "spec": {} }));
    plan.check("root-keys", asserts, unknown, Expectation::StrictRefusal(vec!["Kind".to_owned(), "foo".to_owned()]));
    let list = json!({ "spec": { "a": { "x": [1], "y": { "z": 1 } } } });
    let emptied = plan.try_create_validating(definition, "Strict", list);
    plan.check(
        "emptied",
        asserts,
        emptied,
        Expectation::StrictRefusal(vec!["spec.a.x".to_owned(), "spec.a.y".to_owned()]),
    );
    let elements = plan.try_create_validating(definition, "Strict", json!({ "spec": [{ "x": 1, "y": 2 }] }));
    let paths = vec!["spec[0].x".to_owned(), "spec[0].y".to_owned()];
    plan.check("emptied-elements", asserts, elements, Expectation::StrictRefusal(paths));
}
