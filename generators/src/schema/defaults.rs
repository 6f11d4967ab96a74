//! Defaults that are valid and pruned for their node (CRDVAL-052, CRDVAL-053).

use crdible_semantics::Schema;

use crate::{choice::Choices, value};

/// Gives a node a default: a valid value of the node itself, complete as written, since a default is not completed by the
/// defaults below it (CRDVAL-053).
pub(super) fn add(c: &mut Choices, schema: &mut Schema) {
    let default = value::complete(c, schema);
    // `default: null` is no default (DEFAULT-001).
    if !default.is_null() {
        c.reached("default");
        schema.default = Some(default);
    }
}
