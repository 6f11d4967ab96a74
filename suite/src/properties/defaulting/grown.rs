//! Two schemas of which one knows a property more, and an object with and without it.

use crdible_generators::{
    choice::Choices,
    edit,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::Schema;
use serde_json::Value;

use super::{nodes, shared::Sample};

/// A schema without defaults, one property more, and what that makes of an object.
pub(super) struct Grown {
    /// The schema without the property.
    pub(super) smaller: Schema,
    /// The same with the property.
    pub(super) larger: Schema,
    /// The content of an object without the property.
    pub(super) without: Value,
    /// The same with a value wherever the property can stand.
    pub(super) with: Value,
}

/// The name of the property: none that a generator gives.
const NAME: &str = "newProperty";

impl Grown {
    /// Draws the schemas and the object. With a default, the property has it and its values are the default; else the values
    /// differ from place to place.
    pub(super) fn draw(choices: &mut Choices, has_default: bool) -> Self {
        let shape = SchemaShape { defaults: false, ..SchemaShape::default() };
        let mut smaller = choices.span("schema", |choices| schema::schema(choices, &shape));
        // So that there is always a parent that keeps no unknown keys: the root, if no other.
        smaller.preserve_unknown_fields = None;
        let without = value::valid(choices, &smaller);
        let places = edit::objects_in(&smaller, &without);
        let mut parents: Vec<String> = Vec::new();
        for place in places.iter().filter(|place| !place.is_preserved && place.schema.additional_properties.is_none()) {
            let pattern = nodes::pattern_of(&smaller, &place.pointer);
            if !nodes::is_meta(&smaller, &pattern) && !parents.contains(&pattern) {
                parents.push(pattern);
            }
        }
        let parent = choices.pick(&parents).clone();
        let sample = Sample::draw(choices, "new");
        let default = has_default.then(|| sample.value(choices, "default"));
        let mut with = without.clone();
        for (number, place) in places.iter().enumerate() {
            if nodes::pattern_of(&smaller, &place.pointer) == parent
                && let Some(Value::Object(fields)) = with.pointer_mut(&place.pointer)
            {
                let value = default.clone().unwrap_or_else(|| sample.value(choices, &format!("value {number}")));
                fields.insert(NAME.to_owned(), value);
            }
        }
        let mut larger = smaller.clone();
        if let Some(node) = nodes::node_mut(&mut larger, &parent) {
            node.properties.insert(NAME.to_owned(), Schema { default, ..sample.node });
        }
        Self { smaller, larger, without, with }
    }
}
