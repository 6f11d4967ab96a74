//! Two schemas, one of which declares more properties with defaults, and objects under both.

use crdible_generators::walk;

use super::{
    nodes,
    shared::{Sample, any_shape},
};
use crate::prelude::*;

/// A schema without defaults, the same with a further property with a default for each object, and these objects.
pub(super) struct Grown {
    /// The schema without the properties.
    pub(super) smaller: Schema,
    /// The same with the properties.
    pub(super) larger: Schema,
    /// Objects under both.
    pub(super) objects: Vec<Object>,
}

/// An object that contains at least one place of one of the properties.
pub(super) struct Object {
    /// Its content without the properties.
    pub(super) without: Value,
    /// The same with the defaults at every place of the properties.
    pub(super) with: Value,
}

/// A property, which no generator draws, at every object that this pattern leads to.
struct New {
    name: String,
    parent: String,
    node: Schema,
    default: Value,
}

impl Grown {
    /// Draws the schemas and at most this many objects.
    pub(super) fn draw(choices: &mut Choices, most: usize) -> Self {
        let shape = SchemaShape { defaults: false, ..any_shape(choices) };
        let smaller = choices.span("schema", |choices| schema::schema(choices, &shape));
        let (objects, properties): (Vec<Value>, Vec<New>) = choices
            .cases_up_to("object", most, |choices, number| {
                let without = value::valid(choices, &smaller);
                let parent = choices.pick(&parents(&smaller, &without)).clone();
                let sample = Sample::draw(choices, "new");
                let default = sample.value(choices, "default");
                (without, New { name: format!("newProperty{number}"), parent, node: sample.node, default })
            })
            .into_iter()
            .unzip();
        let mut larger = smaller.clone();
        for New { name, parent, node, default } in &properties {
            if let Some(parent) = nodes::node_mut(&mut larger, parent) {
                parent.properties.insert(name.clone(), Schema { default: Some(default.clone()), ..node.clone() });
            }
        }
        let object = |without| Object { with: with(&smaller, &without, &properties), without };
        let objects = objects.into_iter().map(object).collect();
        Self { smaller, larger, objects }
    }
}

/// The patterns of the objects in a value to which a property can be added.
fn parents(schema: &Schema, value: &Value) -> Vec<String> {
    let mut parents: Vec<String> = Vec::new();
    for place in walk::objects_in(schema, value).iter().filter(|place| place.schema.additional_properties.is_none()) {
        let pattern = nodes::pattern_of(schema, &place.pointer);
        if !nodes::is_meta(schema, &pattern) && !parents.contains(&pattern) {
            parents.push(pattern);
        }
    }
    parents
}

/// A value with the defaults of these properties.
fn with(schema: &Schema, without: &Value, properties: &[New]) -> Value {
    let mut with = without.clone();
    for place in walk::objects_in(schema, without) {
        let pattern = nodes::pattern_of(schema, &place.pointer);
        if let Some(Value::Object(fields)) = with.pointer_mut(&place.pointer) {
            let here = properties.iter().filter(|property| property.parent == pattern);
            fields.extend(here.map(|property| (property.name.clone(), property.default.clone())));
        }
    }
    with
}
