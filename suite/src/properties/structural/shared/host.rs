//! Generated schemas as hosts: a piece of schema is put at some structural place of a schema that is valid without it.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
};
use serde_json::{Value, json};

use super::{EMBEDDED, Example, PRESERVE, ROOT};

/// A whole schema with the piece in it.
#[derive(Debug)]
pub(crate) struct Place {
    /// The schema.
    pub(crate) schema: Value,
    /// Where the piece stands, from `openAPIV3Schema` on.
    pub(crate) path: String,
}

/// Names for the property that holds the piece. No generated schema declares them.
const NAMES: &[&str] = &["planted", "planted.x", "planted/y", "Planted", "plánted"];

/// How many nodes are put around a piece at the most.
const COVERS: usize = 2;

/// What a schema may be made of whose definition need not serve objects.
pub(crate) fn shape(choices: &mut Choices) -> SchemaShape {
    let shape = SchemaShape::swarm(choices);
    SchemaShape {
        max_depth: 3,
        max_properties: 4,
        // Every fourth: odd names make failures hard to read.
        odd_names: choices.chance(1, 4),
        documentation: choices.chance(1, 4),
        any_root_keyword: choices.chance(1, 4),
        // A default must fit its node, and no text is made for a pattern or a format.
        serving: shape.defaults,
        ..shape
    }
}

/// A valid schema of a definition that need not serve objects.
pub(crate) fn host(choices: &mut Choices) -> Value {
    choices.span("host", |choices| {
        let shape = shape(choices);
        schema::schema(choices, &shape).to_json()
    })
}

/// Puts a piece below an object of a generated schema, perhaps with nodes around it.
pub(crate) fn place(choices: &mut Choices, piece: &Value) -> Place {
    let (schema, mut paths) = plant(choices, &[piece]);
    Place { schema, path: paths.pop().unwrap_or_default() }
}

/// Puts several examples into one generated schema. Returns it, and where each stands.
pub(crate) fn place_all(choices: &mut Choices, examples: &[&Example]) -> (Value, Vec<String>) {
    plant(choices, &examples.iter().map(|example| &example.schema).collect::<Vec<_>>())
}

fn plant(choices: &mut Choices, pieces: &[&Value]) -> (Value, Vec<String>) {
    let mut root = host(choices);
    // The root is always one, and the first. Pieces are no places for further pieces.
    let spots = spots(&root);
    let mut paths = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let (covered, below) = choices.span("covers", |choices| cover(choices, (*piece).clone()));
        let delicate = is_delicate(&covered);
        let spots: Vec<&Spot> = spots.iter().filter(|spot| !(delicate && spot.is_in_metadata)).collect();
        let spot = *choices.pick(&spots);
        let mut name = (*choices.pick(NAMES)).to_owned();
        if number > 0 {
            name.push_str(&number.to_string());
        }
        paths.push(format!("{}.properties[{name}]{below}", spot.path));
        if let Some(parent) = root.pointer_mut(&spot.pointer) {
            parent["properties"][name] = covered;
        }
    }
    (root, paths)
}

/// A root with these keywords, and with the properties of a generated schema that it does not declare itself.
pub(crate) fn root_with(choices: &mut Choices, keywords: &Value) -> Value {
    let host = host(choices);
    let mut root = json!({ "type": "object" });
    for (name, property) in host["properties"].as_object().into_iter().flatten() {
        if !["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
            root["properties"][name] = property.clone();
        }
    }
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        match value.as_object() {
            Some(properties) if keyword == "properties" => {
                for (name, property) in properties {
                    root["properties"][name] = property.clone();
                }
            }
            _ => root[keyword] = value.clone(),
        }
    }
    root
}

/// Puts nodes around a piece, each of which must change nothing of what is said about it. Returns them and the path from the
/// outermost to the piece.
fn cover(choices: &mut Choices, piece: Value) -> (Value, String) {
    let (mut covered, mut path) = (piece, String::new());
    choices.many_average("cover", 0, COVERS, 1, |choices, _| {
        // What may not stand in embedded metadata comes last, so that it can be left out.
        let kinds = if is_delicate(&covered) { 6 } else { 7 };
        let inner = std::mem::take(&mut covered);
        let (outer, step) = match choices.draw(kinds) {
            0 => (json!({ "type": "object", "properties": { "a": inner } }), ".properties[a]"),
            1 => (json!({ "type": "array", "items": inner }), ".items"),
            2 => (json!({ "type": "object", "additionalProperties": inner }), ".additionalProperties"),
            3 => (json!({ PRESERVE: true, "properties": { "a": inner } }), ".properties[a]"),
            4 => (json!({ "type": "array", PRESERVE: true, "items": inner }), ".items"),
            // A user's own `metadata` (STRUCT-021).
            5 => (json!({ "type": "object", "properties": { "metadata": inner } }), ".properties[metadata]"),
            6 => (json!({ "type": "object", EMBEDDED: true, "properties": { "a": inner } }), ".properties[a]"),
            _ => {
                let metadata = json!({ "type": "object", "properties": { "a": inner } });
                (
                    json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": metadata } }),
                    ".properties[metadata].properties[a]",
                )
            }
        };
        covered = outer;
        path.insert_str(0, step);
    });
    (covered, path)
}

/// Whether a piece would bring causes of its own in the metadata of an embedded resource: an embedded resource there breaks
/// STRUCT-017, a default perhaps CRDVAL-051.
fn is_delicate(piece: &Value) -> bool {
    match piece {
        Value::Object(fields) => {
            fields.iter().any(|(key, value)| key == EMBEDDED || key == "default" || is_delicate(value))
        }
        Value::Array(elements) => elements.iter().any(is_delicate),
        _ => false,
    }
}

/// An object node that can take one more property.
#[derive(Clone, Debug)]
struct Spot {
    pointer: String,
    path: String,
    is_in_metadata: bool,
}

fn spots(root: &Value) -> Vec<Spot> {
    let mut found = Vec::new();
    let mut next = vec![(root, Spot { pointer: String::new(), path: ROOT.to_owned(), is_in_metadata: false })];
    while let Some((node, spot)) = next.pop() {
        let is_resource = spot.pointer.is_empty() || node.get(EMBEDDED) == Some(&json!(true));
        for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let is_metadata = is_resource && name == "metadata";
            // The root's metadata takes nothing more (STRUCT-019).
            if !(is_metadata && spot.pointer.is_empty()) {
                let pointer = format!("{}/properties/{}", spot.pointer, name.replace('~', "~0").replace('/', "~1"));
                let path = format!("{}.properties[{name}]", spot.path);
                next.push((property, Spot { pointer, path, is_in_metadata: spot.is_in_metadata || is_metadata }));
            }
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(child) = node.get(keyword).filter(|child| child.is_object()) {
                let (pointer, path) = (format!("{}/{keyword}", spot.pointer), format!("{}.{keyword}", spot.path));
                next.push((child, Spot { pointer, path, is_in_metadata: spot.is_in_metadata }));
            }
        }
        let takes_properties = matches!(node.get("additionalProperties"), None | Some(Value::Bool(true)));
        if node.get("type") == Some(&json!("object")) && takes_properties {
            found.push(spot);
        }
    }
    found
}
