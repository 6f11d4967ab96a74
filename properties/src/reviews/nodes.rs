//! The nodes below a node of a schema.

use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};

/// The schema of the values of a map.
pub(super) fn values_of(schema: &Schema) -> Option<&Schema> {
    match &schema.additional_properties {
        Some(AdditionalProperties::Schema(values)) => Some(values),
        _ => None,
    }
}

/// The schema of the elements of a list.
pub(super) fn items_of(schema: &Schema) -> Option<&Schema> {
    match &schema.items {
        Some(Items::Each(items)) => Some(items),
        _ => None,
    }
}
