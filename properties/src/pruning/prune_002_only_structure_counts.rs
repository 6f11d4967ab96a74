//! PRUNE-002: a field is kept if it is declared, not if it is only mentioned.

use super::shared::PLACES;
use crate::prelude::*;

const ASSERTS: &[&str] = &["PRUNE-002"];

pub(super) const PROPERTY: Property = Property::new("prune-002-only-structure-counts", plan)
    .title("a key that only quantifiers, required, enum or example mention is pruned")
    .asserts(ASSERTS)
    .needs(&[Capability::Serving, Capability::Pruning]);

/// An edit of a node, and the field that is then missing, if any.
type Mention = (fn(&mut Value), Option<&'static str>);

/// How a node can mention the key `ghost` next to its declared `known`, and the field that the object then lacks.
const MENTIONS: [Mention; 7] = [
    (|node| node["example"] = json!({ "ghost": 1 }), None),
    (|node| node["not"] = json!({ "required": ["ghost"] }), None),
    (|node| node["anyOf"] = json!([{ "required": ["ghost"] }, { "required": ["known"] }]), None),
    (|node| node["oneOf"] = json!([{ "required": ["ghost"] }, { "required": ["known"] }]), None),
    (|node| node["allOf"] = json!([{ "not": { "required": ["ghost"] } }]), None),
    (|node| node["enum"] = json!([{ "known": "x", "ghost": 1 }, { "known": "x" }]), None),
    (|node| node["required"] = json!(["ghost"]), Some(".ghost")),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let mut node = json!({ "type": "object", "properties": { "known": { "type": "string" } } });
    let (mention, missing) = choices.pick(&MENTIONS);
    mention(&mut node);
    let definition = plan.define_schema(place.schema(node));
    for ghost in [json!(1), json!({ "known": "x" })] {
        let sent = place.content(json!({ "known": "x", "ghost": ghost }));
        let created = plan.try_create(definition, sent);
        let expect = match missing {
            None => Expectation::Content(place.content(json!({ "known": "x" }))),
            Some(field) => Expectation::Causes(place.causes([(*field, "Required")])),
        };
        plan.check("mentioned-only", ASSERTS, created, expect);
        plan.count_case();
    }
}
