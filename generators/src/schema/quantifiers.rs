//! `allOf`, `anyOf`, `oneOf`, `not`.
//!
//! Branches mention declared properties only (STRUCT-005, STRUCT-006) and never `metadata` (STRUCT-010). Under a schema that serves objects every
//! quantifier holds for every valid value: `allOf` repeats a keyword of the node, `anyOf` has an empty branch, `oneOf` has one
//! empty branch alone, `not` names what no valid value is. So a failed `anyOf` or `oneOf`, of which upstream shows a branch by a rule of its own (VALUE-028, a quirk), never
//! happens.

use crdible_semantics::Schema;
use crdible_semantics::schema::{Items, ValueKeywords};
use serde_json::json;

use crate::choice::Choices;

pub(super) fn add(c: &mut Choices, schema: &mut Schema) {
    // The forms of int-or-string own `anyOf` and `allOf` of their node.
    if schema.int_or_string {
        return;
    }
    match c.weighted(&[2, 2, 1, 1]) {
        0 => {
            c.reached("allOf");
            schema.all_of.push(holding_branch(c, schema));
        }
        1 => {
            c.reached("anyOf");
            let branch = any_branch(c, schema, 2);
            schema.any_of = vec![Schema::default(), branch];
        }
        2 => {
            c.reached("oneOf");
            schema.one_of = vec![Schema::default()];
        }
        _ => {
            c.reached("not");
            schema.not = Some(Box::new(impossible_branch(schema)));
        }
    }
}

/// A branch that holds wherever the node itself does: keywords of the node, or of a property below it, again.
fn holding_branch(c: &mut Choices, schema: &Schema) -> Schema {
    let mut branch = Schema { values: repeated(&schema.values), ..Schema::default() };
    let mentioned = mentionable(schema);
    if !mentioned.is_empty() && c.chance(1, 2) {
        let name = (*c.pick(&mentioned)).to_owned();
        let property = Schema { values: repeated(&schema.properties[&name].values), ..Schema::default() };
        branch.properties.insert(name, property);
    }
    if let Some(Items::Each(items)) = &schema.items
        && c.chance(1, 2)
    {
        branch.items = Some(Items::Each(Box::new(Schema { values: repeated(&items.values), ..Schema::default() })));
    }
    if c.chance(1, 4) {
        // One level more, which changes nothing.
        c.reached("nested quantifier");
        branch = Schema { all_of: vec![branch], ..Schema::default() };
    }
    branch
}

/// Any branch that chapter 2 allows, whether values satisfy it or not.
fn any_branch(c: &mut Choices, schema: &Schema, depth: usize) -> Schema {
    let mut branch = Schema::default();
    match c.weighted(&[1, 1, 1, 1]) {
        0 => branch.values.min_length = Some(c.between(0, 5)),
        1 => branch.values.maximum = Some(f64::from(i32::try_from(c.draw(100)).unwrap_or(0))),
        // Whether it is declared or not makes no difference (STRUCT-007).
        2 => branch.values.required = vec!["a".to_owned()],
        _ => branch.values.enumeration = vec![json!("teal")],
    }
    let mentioned = mentionable(schema);
    if depth > 0 && !mentioned.is_empty() && c.chance(1, 2) {
        let name = (*c.pick(&mentioned)).to_owned();
        let below = any_branch(c, &schema.properties[&name], depth - 1);
        branch.properties.insert(name, below);
    }
    branch
}

/// A branch that no valid value of the node's kind satisfies.
fn impossible_branch(schema: &Schema) -> Schema {
    let mut branch = Schema::default();
    match schema.type_name.as_str() {
        "string" => branch.values.min_length = Some(100_000),
        "array" => branch.values.min_items = Some(100_000),
        "object" => branch.values.min_properties = Some(100_000),
        _ => branch.values.enumeration = vec![json!("no value of this kind")],
    }
    branch
}

/// The keywords without those that make no sense twice: an enumeration or a list of required names in a branch would name a cause twice.
fn repeated(values: &ValueKeywords) -> ValueKeywords {
    ValueKeywords { format: String::new(), required: Vec::new(), enumeration: Vec::new(), ..values.clone() }
}

fn mentionable(schema: &Schema) -> Vec<&String> {
    schema.properties.keys().filter(|name| *name != "metadata").collect()
}
