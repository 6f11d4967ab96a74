//! DEFAULT-018: defaults fill in the meta fields of embedded resources, and a default that is an embedded resource must
//! be complete.

use super::shared::present;
use crate::prelude::*;
use crate::shared::accepted_or;

pub(super) const PROPERTY: Property = Property::new("default-018-embedded-defaults", plan)
    .title("declared defaults fill in apiVersion, kind and metadata of embedded resources")
    .asserts(&["DEFAULT-018"])
    .needs(&[Capability::Serving, Capability::Defaulting])
    .edges(&[Edge { name: "default-that-is-no-resource", plan: default_that_is_not_a_resource }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let mut drawn = |value: Value| choices.chance(2, 3).then_some(value);
    let (api_version, kind) = (drawn(json!("apps/v1")), drawn(json!("Deployment")));
    let (name, labels) = (drawn(json!("filled")), drawn(json!({ "l": "filled" })));
    let metadata_default = drawn(json!({ "annotations": { "a": "filled" } }));
    let text = json!({ "type": "string" });
    let map = json!({ "type": "object", "additionalProperties": text });
    let field = |node: &Value, default: &Option<Value>| {
        default.as_ref().map_or_else(|| node.clone(), |default| with_default(node, default))
    };
    let metadata =
        object_of(json!({ "name": field(&text, &name), "labels": field(&map, &labels), "annotations": map }));
    let mut node = object_of(json!({
        "apiVersion": field(&text, &api_version),
        "kind": field(&text, &kind),
        "metadata": field(&metadata, &metadata_default),
    }));
    node[EMBEDDED] = json!(true);
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "object", |plan, choices| {
        let mut given = |value: Value| choices.chance(1, 2).then_some(value);
        let (own_version, own_kind) = (given(json!("v1")), given(json!("Pod")));
        let (own_name, own_labels) = (given(json!("given")), given(json!({ "l": "given" })));
        let own_metadata = given(present([("name", own_name), ("labels", own_labels)]));
        let body = present([
            ("apiVersion", own_version.clone()),
            ("kind", own_kind.clone()),
            ("metadata", own_metadata.clone()),
        ]);
        // The source of the metadata keys: the given metadata or its default; with neither, nothing is created.
        let base = own_metadata.or_else(|| metadata_default.clone());
        let filled = base.map(|base| {
            let of = |key: &str, default: &Option<Value>| base.get(key).cloned().or_else(|| default.clone());
            present([
                ("name", of("name", &name)),
                ("labels", of("labels", &labels)),
                ("annotations", base.get("annotations").cloned()),
            ])
        });
        let (version, kind) = (own_version.or_else(|| api_version.clone()), own_kind.or_else(|| kind.clone()));
        let lacking =
            [("apiVersion", version.is_none()), ("kind", kind.is_none())].into_iter().filter(|(_, lacks)| *lacks);
        let causes = place.causes(lacking.map(|(key, _)| (format!(".{key}"), "Required")));
        let expected = present([("apiVersion", version), ("kind", kind), ("metadata", filled)]);
        let created = plan.try_create(definition, place.content(body));
        plan.check("embedded", &["DEFAULT-018"], created, content_or(place.content(expected), causes));
    });
}

fn default_that_is_not_a_resource(plan: &mut Plan) {
    let defaults: [(Value, &[(&str, &str)]); 5] = [
        (json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" } }), &[]),
        (json!({ "kind": "Pod" }), &[("apiVersion", "Required")]),
        (json!({ "apiVersion": "v1" }), &[("kind", "Required")]),
        (json!({}), &[("apiVersion", "Required"), ("kind", "Required")]),
        (
            json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "labels": { "a b": "x" } } }),
            &[("metadata.labels", "Invalid")],
        ),
    ];
    for (default, causes) in defaults {
        let node = json!({ "type": "object", EMBEDDED: true, PRESERVE: true });
        let place = Place::spec().property("tmpl");
        let defined = plan.try_define(place.schema(with_default(&node, &default)));
        let causes = causes.iter().map(|(name, reason)| (format!(".default.{name}"), *reason));
        plan.check("whole-resource", &["DEFAULT-018"], defined, accepted_or(place.schema_causes(causes)));
        plan.count_case();
    }
}
