//! PRUNE-014: an embedded object keeps its type and its whole metadata; its other keys are pruned like those of any
//! object.

use super::shared::{PLACES, object_meta, undeclared};
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-014"];

pub(super) const PROPERTY: Property = Property::new("prune-014-embedded-meta-fields", plan)
    .title("an embedded object keeps apiVersion, kind and every ObjectMeta field, declared or not")
    .asserts(&["PRUNE-014", "PRUNE-015"])
    .needs(&[Capability::Serving, Capability::Pruning])
    .edges(&[Edge { name: "beside-and-below", plan: beside_and_below }]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let mut node = json!({ "type": "object", EMBEDDED: true });
    node["properties"] = json!({ "a": { "type": "integer" } });
    match choices.draw(3) {
        0 => {}
        1 => node["properties"]["metadata"] = json!({ "type": "object" }),
        2 => {
            node["properties"]["metadata"] = json!({ "type": "object", "properties": { "name": { "type": "string" } } })
        }
        _ => node["properties"]["kind"] = json!({ "type": "string" }),
    }
    let preserves = choices.chance(1, 3);
    if preserves {
        node[PRESERVE] = json!(true);
    }
    let definition = plan.define_schema(place.schema(node));
    plan.cases(choices, "object", |plan, choices| {
        let mut kept = Map::from_iter([("apiVersion".to_owned(), json!("v1")), ("kind".to_owned(), json!("X"))]);
        kept.insert("metadata".to_owned(), Value::Object(object_meta::kept(choices)));
        kept.insert("a".to_owned(), json!(1));
        let more = undeclared(choices);
        let mut sent = kept.clone();
        sent.extend(more.clone());
        if preserves {
            kept.extend(more);
        }
        let created = plan.try_create(definition, place.content(Value::Object(sent)));
        plan.check("embedded", ASSERTS, created, Expectation::Content(place.content(Value::Object(kept))));
    });
}

/// The exemption applies to the three keys of the embedded object itself, and nowhere around it.
fn beside_and_below(plan: &mut Plan) {
    let resource = || json!({ "apiVersion": "v1", "kind": "X", "metadata": { "name": "x" } });
    let embedded = |properties: Value| json!({ "type": "object", EMBEDDED: true, "properties": properties });
    let holding = |inner: Value| extended(resource(), &json!({ "o": inner }));
    plan.in_one_schema([
        Row::new(embedded(json!({ "o": { "type": "object" } }))).with([Example::becomes(
            "below",
            &["PRUNE-014", "PRUNE-015"],
            holding(resource()),
            holding(json!({})),
        )]),
        Row::new(object_of(json!({ "o": embedded(json!({ "kind": { "type": "string" } })) }))).with([
            Example::becomes(
                "around",
                &["PRUNE-015"],
                json!({ "o": resource(), "apiVersion": "v1", "kind": "X", "metadata": {} }),
                json!({ "o": resource() }),
            ),
        ]),
    ])
}
