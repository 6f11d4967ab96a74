//! INV-007: a list does to each of its elements what a property would do.

use crdible_generators::choice::Choices;
use crdible_semantics::{Schema, schema::Items};
use serde_json::Value;

use super::shared::copies::{Container, plan_copies};
use crate::{
    properties::{Capability, Property},
    scenario::Scenario,
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-007-arrays-are-element-wise",
    title: "each element of a list is stored, or refused, like the same value of a property",
    asserts: LIST.asserts,
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[],
    plan,
};

const LIST: Container = Container {
    name: "list",
    asserts: &["INV-007", "PRUNE-003"],
    schema: |of| Schema { type_name: "array".to_owned(), items: Some(Items::Each(Box::new(of))), ..Schema::default() },
    keys: &["0", "1", "2", "3"],
    value: |values| Value::Array(values.into_iter().map(|(_, value)| value).collect()),
};

fn plan(choices: &mut Choices) -> Scenario {
    plan_copies(choices, &LIST)
}
