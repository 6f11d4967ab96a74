//! Generated schemas as hosts: pieces are planted at structural places of a schema that is valid without them.

use crdible_generators::rule;

use super::Piece;
use crate::shared::prelude::*;
use crate::shared::{
    place::{Container, Place, Places},
    schema::EMBEDDED,
};

/// A whole schema with a piece in it.
#[derive(Debug)]
pub(crate) struct Planted {
    /// The schema.
    pub(crate) schema: Value,
    /// The place of the piece.
    pub(crate) place: Place,
}

/// Names for the property that holds the piece, or for the containers around it. No generated schema declares them.
const NAMES: &[&str] = &["planted", "planted.x", "planted/y", "Planted", "plánted"];

/// Containers that may be put around a piece without changing its causes.
const COVERS: Places = Places {
    containers: &[
        Container::Object,
        Container::List,
        Container::Map,
        Container::Untyped,
        Container::PreservedList,
        Container::Embedded,
        Container::EmbeddedMetadata,
    ],
    most: 2,
    average: 1,
    ..Places::ANY
};

/// The same for pieces that must not be in the metadata of an embedded resource.
const COVERS_OF_DELICATE: Places = Places {
    containers: &[
        Container::Object,
        Container::List,
        Container::Map,
        Container::Untyped,
        Container::PreservedList,
        Container::Embedded,
    ],
    ..COVERS
};

/// The shape of schemas for definitions that need not serve objects.
pub(crate) fn shape(choices: &mut Choices) -> SchemaShape {
    let shape = SchemaShape::swarm(choices);
    SchemaShape {
        max_depth: 3,
        max_properties: 4,
        // One in four: odd names make failures hard to read.
        odd_names: choices.chance(1, 4),
        documentation: choices.chance(1, 4),
        any_root_keyword: choices.chance(1, 4),
        // A default must be valid for its node, and no string is generated for a pattern or a format.
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

/// Plants a piece at an object of a generated schema, in some cases with containers around it.
pub(crate) fn plant(choices: &mut Choices, piece: &Value) -> Planted {
    let (schema, mut places) = plant_each(choices, &[piece]);
    Planted { schema, place: places.pop().unwrap_or_default() }
}

/// Plants several pieces in one generated schema. Returns the schema with the place of each piece.
pub(crate) fn plant_all(choices: &mut Choices, pieces: &[&Piece]) -> (Value, Vec<Place>) {
    plant_each(choices, &pieces.iter().map(|piece| &piece.schema).collect::<Vec<_>>())
}

fn plant_each(choices: &mut Choices, pieces: &[&Value]) -> (Value, Vec<Place>) {
    let mut root = host(choices);
    // The root is always a spot, and the first. No piece is planted inside another.
    let spots = spots(&root);
    let mut places = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let is_delicate = is_delicate(piece);
        let covers = if is_delicate { &COVERS_OF_DELICATE } else { &COVERS };
        let covers = choices.span("covers", |choices| Place::draw_relative(choices, covers));
        let avoids_metadata = is_delicate || covers.is_embedded();
        let spots: Vec<&Spot> = spots.iter().filter(|spot| !(avoids_metadata && spot.is_in_metadata)).collect();
        let spot = *choices.pick(&spots);
        let mut name = (*choices.pick(NAMES)).to_owned();
        if number > 0 {
            name.push_str(&number.to_string());
        }
        if let Some(parent) = root.pointer_mut(&spot.pointer) {
            parent["properties"][&name] = covers.schema((*piece).clone());
        }
        places.push(spot.place.clone().property(name).join(covers));
    }
    (root, places)
}

/// The causes of all pieces at these places.
pub(crate) fn causes_of(pieces: &[&Piece], places: &[Place]) -> Vec<Cause> {
    pieces.iter().zip(places).flat_map(|(piece, place)| piece.causes_at(place)).collect()
}

/// A root with these keywords, and with the properties of a generated schema that it does not declare itself.
pub(crate) fn root_with(choices: &mut Choices, keywords: &Value) -> Value {
    rule::bare_root(&host(choices), keywords)
}

/// Whether a piece would cause further violations in the metadata of an embedded resource: an embedded resource there
/// violates STRUCT-017, and a default may violate CRDVAL-051.
fn is_delicate(piece: &Value) -> bool {
    match piece {
        Value::Object(fields) => {
            fields.iter().any(|(key, value)| key == EMBEDDED || key == "default" || is_delicate(value))
        }
        Value::Array(elements) => elements.iter().any(is_delicate),
        _ => false,
    }
}

/// An object node that can get one more property.
#[derive(Clone, Debug)]
struct Spot {
    place: Place,
    /// The position of the node in the schema document.
    pointer: String,
    is_in_metadata: bool,
}

fn spots(root: &Value) -> Vec<Spot> {
    let mut found = Vec::new();
    let mut next = vec![(root, Spot { place: Place::root(), pointer: String::new(), is_in_metadata: false })];
    while let Some((node, spot)) = next.pop() {
        let is_resource = spot.place.is_root() || node.get(EMBEDDED) == Some(&json!(true));
        for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let is_metadata = is_resource && name == "metadata";
            // The root's metadata can get no more properties (STRUCT-019).
            if !(is_metadata && spot.place.is_root()) {
                let place = spot.place.clone().property(name);
                let pointer = pointer::join(&format!("{}/properties", spot.pointer), name);
                next.push((property, Spot { place, pointer, is_in_metadata: spot.is_in_metadata || is_metadata }));
            }
        }
        for (keyword, container) in [("items", Container::List), ("additionalProperties", Container::Map)] {
            if let Some(child) = node.get(keyword).filter(|child| child.is_object()) {
                let place = spot.place.clone().child(container);
                let pointer = format!("{}/{keyword}", spot.pointer);
                next.push((child, Spot { place, pointer, is_in_metadata: spot.is_in_metadata }));
            }
        }
        let takes_properties = matches!(node.get("additionalProperties"), None | Some(Value::Bool(true)));
        if node.get("type") == Some(&json!("object")) && takes_properties {
            found.push(spot);
        }
    }
    found
}
