//! STRUCT-034: what may be taken from a schema, or added to it, without making it worse.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{EMBEDDED, Example, JUDGING, LIST_MAP_KEYS, LIST_TYPE, accepted, alone, host, of_json, refused, try_update};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario, StepId},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-034-closure",
    title: "an accepted schema stays accepted without a quantifier, value keyword, description or default, with nullable, or with a property moved out of a quantifier",
    asserts: &["STRUCT-034", "INV-094"],
    needs: &[Capability::Serving],
    edges: &[],
    plan,
};

pub(super) const EXCEPTIONS: Property = Property {
    id: "struct-034-exceptions",
    title: "taking away what makes a list-map key present, and moving a property where it cannot stand, is refused",
    asserts: &["STRUCT-034/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&exceptions()) }],
    plan: |choices| super::shared::anywhere(choices, "STRUCT-034", &exceptions()),
};

const BOTH: &[&str] = &["STRUCT-034", "INV-094"];

/// What can be taken from any node, apart from `required` and `default`.
const REMOVABLE: &[&str] = &[
    "allOf", "anyOf", "oneOf", "not", "enum", "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "description",
    "title", "example", "externalDocs",
];

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let mut schema = host(choices);
    let moved = choices.span("moved", |choices| mention(choices, &mut schema));
    let edits = edits(&schema);
    let definition = of_json(&mut plan, schema.clone());
    let demand = |step: StepId, plan: &mut Plan, name: &str| {
        plan.check(name, BOTH, step, Expectation::Accepted);
        plan.count_case();
    };
    if let Some(moved) = moved {
        let step = try_update(&mut plan, definition, moved);
        demand(step, &mut plan, "moved");
    }
    choices.many("edit", 0, 6, |choices, _| {
        let (pointer, keyword) = choices.pick(&edits);
        let mut edited = schema.clone();
        let node = edited.pointer_mut(pointer).and_then(Value::as_object_mut);
        let name = match (node, *keyword) {
            (Some(node), "nullable") => {
                node.insert("nullable".to_owned(), json!(true));
                "nullable"
            }
            (Some(node), keyword) => {
                node.remove(keyword);
                keyword
            }
            (None, keyword) => keyword,
        };
        let step = try_update(&mut plan, definition, edited);
        demand(step, &mut plan, name);
    });
    plan.finish()
}

/// Declares a property and mentions it in a quantifier of the root; returns the schema with what the quantifier says of it
/// moved to the structural part.
fn mention(choices: &mut Choices, schema: &mut Value) -> Option<Value> {
    let quantifier = choices.chance(1, 2).then(|| *choices.pick(&["allOf", "anyOf", "oneOf"]))?;
    let kinds = [
        ("string", json!({ "maxLength": 3 })),
        ("integer", json!({ "minimum": 1, "exclusiveMinimum": true })),
        ("object", json!({ "required": ["x"], "minProperties": 1 })),
        ("string", json!({ "enum": ["a"], "not": { "minLength": 9 } })),
    ];
    let (type_name, keywords) = choices.pick(&kinds).clone();
    let mut moved = schema.clone();
    schema["properties"]["moved"] = json!({ "type": type_name });
    moved["properties"]["moved"] = keywords.clone();
    moved["properties"]["moved"]["type"] = json!(type_name);
    for (schema, branch) in [(schema, json!({ "properties": { "moved": keywords } })), (&mut moved, json!({ "properties": {} }))] {
        match schema.get_mut(quantifier).and_then(Value::as_array_mut) {
            Some(branches) => branches.push(branch),
            None => schema[quantifier] = json!([branch]),
        }
    }
    Some(moved)
}

/// A node of the structural part, and what stands in the way of some edits.
struct Node<'a> {
    json: &'a Value,
    pointer: String,
    may_be_nullable: bool,
    may_lose_default: bool,
    may_lose_required: bool,
}

/// All edits that the requirement names: the pointer of a node and a keyword, which is removed, or `nullable`, which is set.
fn edits(root: &Value) -> Vec<(String, &'static str)> {
    let mut edits = Vec::new();
    let first = Node { json: root, pointer: String::new(), may_be_nullable: false, may_lose_default: true, may_lose_required: true };
    let mut next = vec![first];
    while let Some(node) = next.pop() {
        let mut add = |is_possible: bool, keyword: &'static str| {
            if is_possible {
                edits.push((node.pointer.clone(), keyword));
            }
        };
        add(node.may_be_nullable, "nullable");
        add(node.may_lose_default && node.json.get("default").is_some(), "default");
        add(node.may_lose_required && node.json.get("required").is_some(), "required");
        for keyword in REMOVABLE {
            add(node.json.get(keyword).is_some(), keyword);
        }
        next.extend(children(&node));
    }
    // There is always one: `properties.spec` may be nullable.
    edits
}

fn children<'a>(node: &Node<'a>) -> Vec<Node<'a>> {
    let text = |keyword: &str| node.json.get(keyword).and_then(Value::as_str).unwrap_or_default();
    let is_keyed = matches!(text(LIST_TYPE), "set" | "map");
    let child = |json: &'a Value, step: &str| Node {
        json,
        pointer: format!("{}/{step}", node.pointer),
        may_be_nullable: true,
        may_lose_default: true,
        may_lose_required: true,
    };
    let mut children = Vec::new();
    for (name, property) in node.json.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let step = format!("properties/{}", name.replace('~', "~0").replace('/', "~1"));
        // Root metadata takes no keywords at all (STRUCT-019).
        let is_root_metadata = node.pointer.is_empty() && name == "metadata";
        children.push(Node { may_be_nullable: !is_root_metadata, ..child(property, &step) });
    }
    if let Some(items) = node.json.get("items") {
        children.push(Node { may_be_nullable: !is_keyed, may_lose_required: text(LIST_TYPE) != "map", ..child(items, "items") });
    }
    if let Some(values) = node.json.get("additionalProperties").filter(|values| values.is_object()) {
        children.push(child(values, "additionalProperties"));
    }
    children
}

fn exceptions() -> Vec<Example> {
    const EDGE: &[&str] = &["STRUCT-034/e1"];
    const MISSING: &[(&str, &str)] = &[(".items.properties[k].default", "Required")];
    let list = |items: Value| json!({ "type": "array", LIST_TYPE: "map", LIST_MAP_KEYS: ["k"], "items": items });
    let key = |key: Value| json!({ "k": key });
    let plain = || key(json!({ "type": "string" }));
    let with_default = || key(json!({ "type": "string", "default": "x" }));
    vec![
        accepted("key-with-both", EDGE, list(json!({ "type": "object", "required": ["k"], "properties": with_default() }))),
        accepted("key-without-required", EDGE, list(json!({ "type": "object", "properties": with_default() }))),
        accepted("key-without-default", EDGE, list(json!({ "type": "object", "required": ["k"], "properties": plain() }))),
        refused("key-without-either", EDGE, list(json!({ "type": "object", "properties": plain() })), MISSING),
        refused(
            "moved-beside-a-map",
            EDGE,
            json!({ "type": "object", "additionalProperties": { "type": "string" }, "properties": { "a": { "type": "string" } } }),
            &[(".additionalProperties", "Forbidden")],
        ),
        refused(
            "moved-key-of-a-wrong-type",
            EDGE,
            list(json!({ "type": "object", "required": ["k"], "properties": key(json!({ "type": "object", "minProperties": 1 })) })),
            &[(".items.properties[k].type", "Invalid")],
        ),
        refused(
            "moved-kind-of-a-wrong-type",
            EDGE,
            json!({ "type": "object", EMBEDDED: true, "properties": { "kind": { "type": "integer", "minimum": 1 } } }),
            &[(".properties[kind].type", "Invalid")],
        ),
    ]
}
