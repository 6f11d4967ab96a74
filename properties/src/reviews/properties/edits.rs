//! Small changes of an object whose content is not known before it was converted: only its schema is.

use crdible_generators::{choice::Choices, value};
use crdible_scenario::PointEdit;
use crdible_semantics::{
    Schema,
    pointer::push,
    schema::{AdditionalProperties, Items},
};

use crate::reviews::objects::tame;

/// Draws a change of one field of an object with this schema, at any depth. What does not exist in an object
/// stays alone.
pub(super) fn point_edit(c: &mut Choices, schema: &Schema) -> PointEdit {
    let mut pointer = String::new();
    let names: Vec<&String> =
        schema.properties.keys().filter(|name| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata")).collect();
    if names.is_empty() {
        return PointEdit::Remove("/spec".to_owned());
    }
    let name = *c.keyed("@field", |c| c.pick(&names));
    push(&mut pointer, name);
    below(c, &schema.properties[name], &mut pointer)
}

fn below(c: &mut Choices, node: &Schema, pointer: &mut String) -> PointEdit {
    let names: Vec<&String> = node.properties.keys().collect();
    if !names.is_empty() && c.chance(7, 8) {
        let name = *c.keyed("@field", |c| c.pick(&names));
        push(pointer, name);
        return c.keyed(name, |c| below(c, &node.properties[name], pointer));
    }
    if let Some(Items::Each(items)) = &node.items {
        return match c.weighted(&[2, 2, 1, 4]) {
            0 => PointEdit::Remove(format!("{pointer}/0")),
            1 => PointEdit::Reverse(pointer.clone()),
            2 => whole(c, node, pointer),
            _ => {
                push(pointer, "0");
                below(c, items, pointer)
            }
        };
    }
    if let Some(AdditionalProperties::Schema(values)) = &node.additional_properties
        && c.chance(1, 2)
    {
        push(pointer, "a");
        return below(c, values, pointer);
    }
    if c.chance(1, 4) { PointEdit::Remove(pointer.clone()) } else { whole(c, node, pointer) }
}

fn whole(c: &mut Choices, node: &Schema, pointer: &str) -> PointEdit {
    let mut value = c.keyed("@value", |c| value::valid_node(c, node));
    tame(&mut value, node);
    PointEdit::Set(pointer.to_owned(), value)
}
