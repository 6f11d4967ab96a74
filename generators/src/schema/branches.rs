//! Branches of quantifiers, whether or not values satisfy them.

use crdible_semantics::Schema;
use crdible_semantics::schema::Items;
use serde_json::json;

use super::keywords;
use crate::{choice::Choices, format, number, pattern, text};

/// One branch in six has a keyword for values of another type than the node's, which must be ignored.
const OTHER_KIND: u64 = 6;

/// Draws any branch that chapter 2 allows: usually keywords for values of the node's type, at the node or at most
/// `depth` levels below it.
pub(super) fn any(c: &mut Choices, schema: &Schema, depth: usize) -> Schema {
    let mut branch = Schema::default();
    let kind = if c.chance(1, OTHER_KIND) { Kind::any(c) } else { Kind::of(c, schema) };
    keyword(c, kind, schema, &mut branch);
    let mentioned = mentionable(schema);
    if depth > 0 && !mentioned.is_empty() && c.chance(1, 2) {
        let name = (*c.pick(&mentioned)).to_owned();
        let below = any(c, &schema.properties[&name], depth - 1);
        branch.properties.insert(name, below);
    }
    if let Some(Items::Each(items)) = &schema.items
        && depth > 0
        && c.chance(1, 2)
    {
        branch.items = Some(Items::Each(Box::new(any(c, items, depth - 1))));
    }
    if c.chance(1, 8) {
        // Documentation only (STRUCT-009).
        branch.documentation.example = Some(json!(["x"]));
    }
    if c.chance(1, 8) {
        branch.documentation.external_docs = Some(json!({"url": "https://example.com"}));
    }
    // One more level, which at most negates the branch.
    let inner = |branch| vec![branch];
    match c.weighted(&[12, 1, 1, 1, 1]) {
        0 => branch,
        1 => Schema { all_of: inner(branch), ..Schema::default() },
        2 => Schema { any_of: inner(branch), ..Schema::default() },
        3 => Schema { one_of: inner(branch), ..Schema::default() },
        _ => Schema { not: Some(Box::new(branch)), ..Schema::default() },
    }
}

/// The declared properties that a branch may mention (STRUCT-010).
pub(super) fn mentionable(schema: &Schema) -> Vec<&String> {
    schema.properties.keys().filter(|name| *name != "metadata").collect()
}

/// The type of values that keywords apply to.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Number,
    Boolean,
    List,
    Object,
}

impl Kind {
    fn any(c: &mut Choices) -> Self {
        *c.pick(&[Self::Text, Self::Number, Self::List, Self::Object, Self::Boolean])
    }

    fn of(c: &mut Choices, schema: &Schema) -> Self {
        match schema.type_name.as_str() {
            "string" => Self::Text,
            "integer" | "number" => Self::Number,
            "boolean" => Self::Boolean,
            "array" => Self::List,
            "object" => Self::Object,
            _ if schema.int_or_string => *c.pick(&[Self::Text, Self::Number]),
            _ => Self::any(c),
        }
    }
}

fn keyword(c: &mut Choices, kind: Kind, schema: &Schema, branch: &mut Schema) {
    match kind {
        Kind::Text => text_keyword(c, schema, branch),
        Kind::Number => number_keyword(c, branch),
        Kind::Boolean => {
            let listed = c.draw(1) == 0;
            branch.values.enumeration = vec![json!(listed)];
        }
        Kind::List => match c.weighted(&[2, 2, 1]) {
            0 => branch.values.min_items = Some(c.between(0, 3)),
            1 => branch.values.max_items = Some(c.between(0, 3)),
            _ => branch.values.enumeration = vec![json!([]), json!(["a"])],
        },
        Kind::Object => match c.weighted(&[2, 2, 3, 1]) {
            0 => branch.values.min_properties = Some(c.between(0, 3)),
            1 => branch.values.max_properties = Some(c.between(0, 3)),
            // Required names need not be declared (STRUCT-007).
            2 => {
                let names: Vec<String> =
                    ["a", "b"].map(str::to_owned).into_iter().chain(schema.properties.keys().cloned()).collect();
                let required = c.many_average("required name", 1, 3, 1, |c, _| c.pick(&names).clone());
                branch.values.required = required;
            }
            _ => branch.values.enumeration = vec![json!({}), json!({"a": 1})],
        },
    }
}

fn text_keyword(c: &mut Choices, schema: &Schema, branch: &mut Schema) {
    let values = &mut branch.values;
    // Without a type, a format also applies to values of other types by accident (VALUE-046); a string node has no such
    // values.
    let is_text = u32::from(schema.type_name == "string");
    match c.weighted(&[3, 3, 1, 2, 4 * is_text, 1]) {
        0 => values.min_length = Some(c.between(0, 5)),
        1 => values.max_length = Some(c.between(0, 5)),
        2 => values.enumeration = vec![json!(text::word(c))],
        3 => values.pattern = c.keyed("@pattern", pattern::pattern).into(),
        4 => values.format = format::name(c),
        _ => values.format = keywords::ignored_format(c),
    }
}

fn number_keyword(c: &mut Choices, branch: &mut Schema) {
    let values = &mut branch.values;
    #[expect(clippy::cast_precision_loss, reason = "within ±2^53")]
    let bound = |c: &mut Choices| number::bound(c, number::EXACT - 3) as f64;
    match c.weighted(&[4, 4, 2, 1, 1, 1]) {
        0 => {
            values.minimum = Some(bound(c));
            values.exclusive_minimum = c.chance(1, 2);
        }
        1 => {
            values.maximum = Some(bound(c));
            values.exclusive_maximum = c.chance(1, 2);
        }
        2 => values.multiple_of = Some([2.0, 3.0, 10.0, 1.0][c.up_to(3)]),
        3 => values.enumeration = vec![json!(c.between(0, 3))],
        // Without a bound it has no effect (VALUE-007).
        4 => values.exclusive_minimum = true,
        _ => values.exclusive_maximum = true,
    }
}
