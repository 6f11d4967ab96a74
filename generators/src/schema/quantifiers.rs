//! `allOf`, `anyOf`, `oneOf`, `not`.
//!
//! Branches mention declared properties only (STRUCT-005, STRUCT-006), and never `metadata` (STRUCT-010). If objects
//! are created with the schema, every quantifier holds for every valid value: `allOf` repeats a keyword of the node,
//! `anyOf` has an empty branch, `oneOf` has only an empty branch, and `not` has a branch that no valid value satisfies.
//! In addition, any branch may be paired with its own negation. So `anyOf` and `oneOf` never fail, because it is a
//! quirk which branch upstream then reports (VALUE-028).

use crdible_semantics::Schema;
use crdible_semantics::schema::{Items, ValueKeywords};
use serde_json::json;

use super::branches;
use crate::choice::Choices;

pub(super) fn add(c: &mut Choices, schema: &mut Schema) {
    // The forms of int-or-string reserve `anyOf` and `allOf` of their node.
    if schema.int_or_string {
        return;
    }
    c.many_average("quantifier", 1, 3, 1, |c, _| one(c, schema));
}

fn one(c: &mut Choices, schema: &mut Schema) {
    let mut added = Schema::default();
    match c.weighted(&[2, 2, 1, 1, 3, 3, 5]) {
        0 => {
            c.reached("allOf");
            schema.all_of.push(holding_branch(c, schema));
        }
        1 => {
            c.reached("anyOf");
            let branch = branches::any(c, schema, 2);
            added.any_of = vec![Schema::default(), branch];
        }
        2 => {
            c.reached("oneOf");
            added.one_of = vec![Schema::default()];
        }
        3 => {
            c.reached("not");
            added.not = Some(Box::new(impossible_branch(schema)));
        }
        4 => {
            c.reached("anyOf with a negation");
            added.any_of = with_negation(branches::any(c, schema, 1));
        }
        5 => {
            c.reached("oneOf with a negation");
            added.one_of = with_negation(branches::any(c, schema, 1));
        }
        _ => {
            c.reached("not with a negation");
            let branch = branches::any(c, schema, 1);
            added.not = Some(Box::new(Schema { all_of: with_negation(branch), ..Schema::default() }));
        }
    }
    join(schema, added);
}

/// Adds a quantifier to a node; as a branch of `allOf` if the node already has one of that kind.
fn join(schema: &mut Schema, added: Schema) {
    let is_free = (schema.any_of.is_empty() || added.any_of.is_empty())
        && (schema.one_of.is_empty() || added.one_of.is_empty())
        && (schema.not.is_none() || added.not.is_none());
    if !is_free {
        schema.all_of.push(added);
        return;
    }
    schema.any_of.extend(added.any_of);
    schema.one_of.extend(added.one_of);
    schema.not = schema.not.take().or(added.not);
}

/// A branch and its negation: exactly one of them matches any value.
fn with_negation(branch: Schema) -> Vec<Schema> {
    let negation = Schema { not: Some(Box::new(branch.clone())), ..Schema::default() };
    vec![branch, negation]
}

/// Draws a branch that matches all valid values: it repeats keywords of the node, or of a property or item of it.
fn holding_branch(c: &mut Choices, schema: &Schema) -> Schema {
    let mut branch = Schema { values: repeated(&schema.values), ..Schema::default() };
    let mentioned = branches::mentionable(schema);
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
        // One more level, which changes nothing.
        c.reached("nested quantifier");
        branch = Schema { all_of: vec![branch], ..Schema::default() };
    }
    branch
}

/// A branch that no valid value of the node satisfies.
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

/// The keywords that may be repeated. An enumeration or a required name in a branch would report a cause twice.
fn repeated(values: &ValueKeywords) -> ValueKeywords {
    ValueKeywords { format: String::new(), required: Vec::new(), enumeration: Vec::new(), ..values.clone() }
}
