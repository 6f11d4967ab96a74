//! INV-007: each element of a list is treated like the value of a property.

use super::shared::copies::{Copies, plan_copies};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-007-arrays-are-element-wise", plan)
    .title("each element of a list is stored or rejected exactly like the same value at a property")
    .asserts(LIST.asserts)
    .needs(&[Capability::Serving, Capability::Pruning]);

const LIST: Copies = Copies {
    name: "list",
    asserts: &["INV-007", "PRUNE-003"],
    schema: |of| json!({ "type": "array", "items": of }),
    keys: &["0", "1", "2", "3"],
    value: |values| Value::Array(values.into_iter().map(|(_, value)| value).collect()),
};

fn plan(plan: &mut Plan, choices: &mut Choices) {
    plan_copies(plan, choices, &LIST)
}
