//! STRUCT-034: what can be removed from a valid schema, or added to it, without making it invalid.

use crate::prelude::*;
use crate::shared::{
    definitions::{replacing_versions, try_patch},
    host,
};

pub(super) const PROPERTY: Property = Property::new("struct-034-closure", plan)
    .title("an accepted schema stays accepted without a quantifier, value keyword, description or default")
    .asserts(&["STRUCT-034", "INV-094"])
    .needs(&[Capability::Serving]);

const BOTH: &[&str] = &["STRUCT-034", "INV-094"];

/// Keywords that can be removed from any node, apart from `required` and `default`.
const REMOVABLE: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "enum",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "uniqueItems",
    "description",
    "title",
    "example",
    "externalDocs",
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let mut schema = host::host(choices);
    let moved = choices.span("moved", |choices| mention(choices, &mut schema));
    let edits = edits(&schema);
    let definition = plan.define_schema(schema.clone());
    let least = usize::from(moved.is_none());
    let demand = |step: StepId, plan: &mut Plan, name: &str| {
        plan.check(name, BOTH, step, Expectation::Accepted);
        plan.count_case();
    };
    if let Some(moved) = moved {
        let step = try_update(plan, definition, moved);
        demand(step, plan, "moved");
    }
    choices.many("edit", least, 6, |choices, _| {
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
        let step = try_update(plan, definition, edited);
        demand(step, plan, name);
    });
}

/// An update to another schema, as a dry run.
fn try_update(plan: &mut Plan, definition: usize, schema: Value) -> StepId {
    try_patch(plan, definition, replacing_versions(&[Version::only(schema)]))
}

/// Declares a property and mentions it in a quantifier of the root. Returns the schema with the quantifier's keywords
/// for it moved to the structural part.
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
    for (schema, branch) in
        [(schema, json!({ "properties": { "moved": keywords } })), (&mut moved, json!({ "properties": {} }))]
    {
        match schema.get_mut(quantifier).and_then(Value::as_array_mut) {
            Some(branches) => branches.push(branch),
            None => schema[quantifier] = json!([branch]),
        }
    }
    Some(moved)
}

/// A node of the structural part, and the edits that it allows.
struct Node<'a> {
    json: &'a Value,
    pointer: String,
    /// For elements of a map list: the list-map keys.
    keys: Vec<&'a str>,
    may_be_nullable: bool,
    may_lose_default: bool,
    may_lose_required: bool,
}

/// All edits that the requirement lists: the pointer of a node, and a keyword to remove, or `nullable`, to set.
fn edits(root: &Value) -> Vec<(String, &'static str)> {
    let mut edits = Vec::new();
    let first = Node {
        json: root,
        pointer: String::new(),
        keys: vec![],
        may_be_nullable: false,
        may_lose_default: true,
        may_lose_required: true,
    };
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
    // Never empty: `properties.spec` may be nullable.
    edits
}

fn children<'a>(node: &Node<'a>) -> Vec<Node<'a>> {
    let text = |keyword: &str| node.json.get(keyword).and_then(Value::as_str).unwrap_or_default();
    let is_keyed = matches!(text(LIST_TYPE), "set" | "map");
    let child = |json: &'a Value, step: &str| Node {
        json,
        pointer: format!("{}/{step}", node.pointer),
        keys: vec![],
        may_be_nullable: true,
        may_lose_default: true,
        may_lose_required: true,
    };
    let mut children = Vec::new();
    for (name, property) in node.json.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let step = format!("properties/{}", pointer::escape(name));
        // Root metadata may have no other keywords (STRUCT-019).
        let is_root_metadata = node.pointer.is_empty() && name == "metadata";
        // A list-map key is never nullable, and is required or has a default (STRUCT-029, STRUCT-032).
        let is_key = node.keys.contains(&name.as_str());
        let may_lose_default = !is_key || strings(node.json, "required").contains(&name.as_str());
        children.push(Node {
            may_be_nullable: !is_root_metadata && !is_key,
            may_lose_default,
            ..child(property, &step)
        });
    }
    if let Some(items) = node.json.get("items") {
        let keys = strings(node.json, LIST_MAP_KEYS);
        children.push(Node {
            may_be_nullable: !is_keyed,
            may_lose_required: keys.is_empty(),
            keys,
            ..child(items, "items")
        });
    }
    if let Some(values) = node.json.get("additionalProperties").filter(|values| values.is_object()) {
        children.push(child(values, "additionalProperties"));
    }
    children
}

/// The strings of a keyword whose value is a list of strings.
fn strings<'a>(node: &'a Value, keyword: &str) -> Vec<&'a str> {
    node.get(keyword).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
