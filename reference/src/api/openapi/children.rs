//! What is directly below a schema.

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};

/// The direct children that define the structure.
pub(super) fn structural_children(schema: &mut Schema) -> impl Iterator<Item = &mut Schema> {
    let items = match &mut schema.items {
        Some(Items::Each(items)) => Some(&mut **items),
        _ => None,
    };
    let values = match &mut schema.additional_properties {
        Some(AdditionalProperties::Schema(values)) => Some(&mut **values),
        _ => None,
    };
    schema.properties.values_mut().chain(items).chain(values)
}
