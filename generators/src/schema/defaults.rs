//! Defaults that are valid and pruned for their node (CRDVAL-052, CRDVAL-053).

use crdible_semantics::Schema;

use crate::{choice::Choices, value};

/// Gives a node a default: a value that is valid for the node as written, because defaults below it do not apply to a
/// default (CRDVAL-053).
pub(super) fn add(c: &mut Choices, schema: &mut Schema) {
    let default = value::complete(c, schema);
    // `default: null` is the same as no default (DEFAULT-001).
    if !default.is_null() {
        c.reached("default");
        schema.default = Some(default);
    }
}
