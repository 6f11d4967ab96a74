//! Violations that depend on the schema around them: STRUCT-005, STRUCT-033.

use crdible_semantics::{Cause, Reason::Required, Schema};
use serde_json::{Value, json};

use super::{
    keys, lists,
    nodes::{PRESERVE, embedded, object, with},
};
use crate::{
    choice::Choices,
    rule::{
        plant::{ROOT, anywhere},
        row::{Asserts, Broken, Row, Site},
    },
};

pub(super) fn rows() -> Vec<Row> {
    const TOPOLOGY_EVERYWHERE: Asserts = Asserts(&["STRUCT-033"]);
    vec![
        Asserts(&["STRUCT-005"]).made("declared-up-to-a-gap", gap),
        TOPOLOGY_EVERYWHERE.made("below-preserving", |c, valid| {
            let preserving = |list| with(object(json!({ "x": list })), &json!({ PRESERVE: true }));
            below(c, valid, ".properties[x]", preserving)
        }),
        TOPOLOGY_EVERYWHERE.made("below-embedded", |c, valid| {
            below(c, valid, ".properties[x]", |list| embedded(json!({ "x": list })))
        }),
        TOPOLOGY_EVERYWHERE.made("below-embedded-metadata", |c, valid| {
            let in_metadata = |list| embedded(json!({ "metadata": object(json!({ "x": list })) }));
            below(c, valid, ".properties[metadata].properties[x]", in_metadata)
        }),
    ]
}

/// Breaks a rule about lists and maps at this path below a node.
fn below(c: &mut Choices, valid: &Schema, path: &str, around: fn(Value) -> Value) -> Option<Broken> {
    let mut rows: Vec<Row> = lists::rows().into_iter().chain(keys::rows()).collect();
    rows.retain(|row| row.can_break() && matches!(row.site, Site::Node));
    let row = c.pick(&rows);
    anywhere(c, valid, around(row.schema.clone()), row.causes_at(path))
}

/// A quantifier of the root that follows declared nodes and then mentions an undeclared one.
fn gap(c: &mut Choices, valid: &Schema) -> Option<Broken> {
    let mut path = ROOT.to_owned();
    let mut steps: Vec<Option<String>> = Vec::new();
    let mut node = valid;
    while c.chance(2, 3) {
        let names: Vec<&String> = node.properties.keys().filter(|name| *name != "metadata").collect();
        if let Some(items) = node.item_schema() {
            path.push_str(".items");
            steps.push(None);
            node = items;
        } else if names.is_empty() {
            break;
        } else {
            let name = *c.pick(&names);
            path = format!("{path}.properties[{name}]");
            steps.push(Some(name.clone()));
            node = &node.properties[name];
        }
    }
    let (mut branch, missing) = if node.items.is_none() && c.chance(1, 3) {
        (json!({"items": {"minimum": 1}}), ".items")
    } else {
        (json!({"properties": {"undeclared": {"minimum": 1}}}), ".properties[undeclared]")
    };
    for step in steps.into_iter().rev() {
        branch = match step {
            Some(name) => json!({"properties": {name: branch}}),
            None => json!({"items": branch}),
        };
    }
    let quantifier = *c.pick(&["allOf", "anyOf", "oneOf", "not"]);
    let branches = if quantifier == "not" { branch } else { json!([branch]) };
    let mut json = valid.to_json();
    json.as_object_mut()?.insert(quantifier.to_owned(), branches);
    Some((json, vec![Cause::new(format!("{path}{missing}"), Required)]))
}
