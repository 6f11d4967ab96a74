//! Values at the boundaries that the keywords of a node set: bounds and lengths and their neighbours, listed values,
//! strings that match or just miss a pattern or format. Keywords in quantifiers count as well.
//!
//! The values may be valid or not.

use crdible_semantics::schema::ValueKeywords;
use crdible_semantics::{Format, Release, Schema, validate::strings::enforced_format};
use serde_json::{Value, json};

use super::bounds::{length, whole};
use crate::{choice::Choices, format, pattern, text};

/// The longest string that is built to reach a length.
const LONGEST: usize = 64;

/// A boundary that one keyword sets.
enum Boundary<'a> {
    Number(i64),
    Multiple(i64),
    Length(usize),
    Pattern(&'a crdible_semantics::Pattern),
    Format(Format),
    Listed(&'a Value),
}

/// Draws an integer near a boundary of the node; `None` if it has none for integers.
pub(super) fn integer(c: &mut Choices, schema: &Schema) -> Option<i64> {
    let mut boundaries = boundaries(c.release(), schema);
    boundaries.retain(|boundary| {
        matches!(boundary, Boundary::Number(_) | Boundary::Multiple(_) | Boundary::Listed(Value::Number(_)))
    });
    if boundaries.is_empty() {
        return None;
    }
    let near = |c: &mut Choices| *c.pick(&[0, 1, -1, 2, -2]);
    Some(match c.pick(&boundaries) {
        Boundary::Number(number) => number.saturating_add(near(c)),
        Boundary::Multiple(step) => (*c.pick(&[1, -1, 2, 0])) * step + *c.pick(&[0, 1, -1]),
        Boundary::Listed(listed) => listed.as_i64()?,
        _ => return None,
    })
}

/// Draws a string at a boundary of the node; `None` if it has none for strings, or if no string was found.
pub(super) fn text(c: &mut Choices, schema: &Schema) -> Option<String> {
    let mut boundaries = boundaries(c.release(), schema);
    boundaries.retain(|boundary| !matches!(boundary, Boundary::Number(_) | Boundary::Multiple(_)));
    boundaries.retain(|boundary| !matches!(boundary, Boundary::Listed(listed) if !listed.is_string()));
    if boundaries.is_empty() {
        return None;
    }
    match c.pick(&boundaries) {
        Boundary::Length(length) => {
            let length = (*c.pick(&[*length, length + 1, length.saturating_sub(1)])).min(LONGEST);
            Some(text::of_code_points(c, length))
        }
        Boundary::Pattern(pattern) if c.chance(1, 2) => pattern::near_miss(c, pattern),
        Boundary::Pattern(pattern) => pattern::matching(c, pattern),
        Boundary::Format(format) if c.chance(1, 2) => format::broken(c, *format),
        Boundary::Format(format) => Some(format::valid(c, *format)),
        Boundary::Listed(listed) => listed.as_str().map(str::to_owned),
        _ => None,
    }
}

/// Draws a scalar of the node's type at a boundary; `None` if the node has none, or if no value was found.
pub(super) fn scalar(c: &mut Choices, schema: &Schema) -> Option<Value> {
    match schema.type_name.as_str() {
        "string" => text(c, schema).map(|text| json!(text)),
        "integer" | "number" => integer(c, schema).map(|integer| json!(integer)),
        _ if schema.int_or_string && c.chance(1, 2) => text(c, schema).map(|text| json!(text)),
        _ if schema.int_or_string => integer(c, schema).map(|integer| json!(integer)),
        _ => None,
    }
}

fn boundaries(release: Release, schema: &Schema) -> Vec<Boundary<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(schema, schema.type_name.as_str())];
    while let Some((node, type_name)) = open.pop() {
        add_boundaries(&node.values, type_name, &mut found);
        // A branch has no type itself: it has that of its node.
        let format =
            Format::named(&node.values.format).filter(|format| type_name == "string" && release.enforces(*format));
        found.extend(enforced_format(release, node).or(format).map(Boundary::Format));
        let branches = node.all_of.iter().chain(&node.any_of).chain(&node.one_of).chain(node.not.as_deref());
        open.extend(branches.map(|branch| (branch, type_name)));
    }
    found
}

fn add_boundaries<'a>(values: &'a ValueKeywords, type_name: &str, found: &mut Vec<Boundary<'a>>) {
    found.extend([values.minimum, values.maximum].into_iter().flatten().map(|bound| Boundary::Number(whole(bound))));
    found.extend(values.multiple_of.map(|step| Boundary::Multiple(whole(step))));
    let lengths = [values.min_length, values.max_length].into_iter().flatten();
    found.extend(lengths.map(|bound| Boundary::Length(length(Some(bound), 0))));
    found.extend(values.pattern.compiled().ok().flatten().map(Boundary::Pattern));
    found.extend(values.enumeration.iter().map(Boundary::Listed));
    let ends = match (type_name, values.format.as_str()) {
        ("integer", "int32") => [i64::from(i32::MAX), i64::from(i32::MIN)],
        ("integer", "int64") => [i64::MAX, i64::MIN],
        _ => return,
    };
    found.extend(ends.map(Boundary::Number));
}
