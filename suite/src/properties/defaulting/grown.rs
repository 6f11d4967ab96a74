//! Two schemas, one of which declares one more property with a default, and an object under both.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value, walk,
};
use crdible_semantics::Schema;
use serde_json::Value;

use super::{
    nodes,
    shared::{Sample, any_shape},
};

/// A schema without defaults, the same with one more property that has a default, and an object under both.
pub(super) struct Grown {
    /// The schema without the property.
    pub(super) smaller: Schema,
    /// The same with the property.
    pub(super) larger: Schema,
    /// The content of an object without the property.
    pub(super) without: Value,
    /// The same with the default at every place of the property.
    pub(super) with: Value,
}

/// The name of the property. No generator draws it.
const NAME: &str = "newProperty";

impl Grown {
    /// Draws the schemas and the object.
    pub(super) fn draw(choices: &mut Choices) -> Self {
        let shape = SchemaShape { defaults: false, ..any_shape(choices) };
        let smaller = choices.span("schema", |choices| schema::schema(choices, &shape));
        let without = value::valid(choices, &smaller);
        let places = walk::objects_in(&smaller, &without);
        let mut parents: Vec<String> = Vec::new();
        for place in places.iter().filter(|place| place.schema.additional_properties.is_none()) {
            let pattern = nodes::pattern_of(&smaller, &place.pointer);
            if !nodes::is_meta(&smaller, &pattern) && !parents.contains(&pattern) {
                parents.push(pattern);
            }
        }
        let parent = choices.pick(&parents).clone();
        let sample = Sample::draw(choices, "new");
        let default = sample.value(choices, "default");
        let mut with = without.clone();
        for place in &places {
            if nodes::pattern_of(&smaller, &place.pointer) == parent
                && let Some(Value::Object(fields)) = with.pointer_mut(&place.pointer)
            {
                fields.insert(NAME.to_owned(), default.clone());
            }
        }
        let mut larger = smaller.clone();
        if let Some(node) = nodes::node_mut(&mut larger, &parent) {
            node.properties.insert(NAME.to_owned(), Schema { default: Some(default), ..sample.node });
        }
        Self { smaller, larger, without, with }
    }
}
