//! Values beside what the keywords of a node speak of: bounds and lengths on either side, listed values, texts that match and texts that
//! just miss. Keywords in quantifiers count as well.
//!
//! Whether such a value is valid is not asked here.

use crdible_semantics::schema::ValueKeywords;
use crdible_semantics::{Format, Schema, validate::strings::enforced_format};
use serde_json::{Value, json};

use super::scalars::{length, whole};
use crate::{choice::Choices, format, pattern, text};

/// No text is made longer for a length.
const LONGEST: usize = 64;

/// What one keyword speaks of.
enum Mark<'a> {
    Number(i64),
    Multiple(i64),
    Length(usize),
    Pattern(&'a crdible_semantics::Pattern),
    Format(Format),
    Listed(&'a Value),
}

/// An integer beside a number that the node speaks of; `None` if it speaks of none.
pub(super) fn integer(c: &mut Choices, schema: &Schema) -> Option<i64> {
    let mut marks = marks(schema);
    marks.retain(|mark| matches!(mark, Mark::Number(_) | Mark::Multiple(_) | Mark::Listed(Value::Number(_))));
    if marks.is_empty() {
        return None;
    }
    let beside = |c: &mut Choices| *c.pick(&[0, 1, -1, 2, -2]);
    Some(match c.pick(&marks) {
        Mark::Number(number) => number.saturating_add(beside(c)),
        Mark::Multiple(step) => (*c.pick(&[1, -1, 2, 0])) * step + *c.pick(&[0, 1, -1]),
        Mark::Listed(listed) => listed.as_i64()?,
        _ => return None,
    })
}

/// A text beside what the node speaks of; `None` if it speaks of none, or if none was found.
pub(super) fn text(c: &mut Choices, schema: &Schema) -> Option<String> {
    let mut marks = marks(schema);
    marks.retain(|mark| !matches!(mark, Mark::Number(_) | Mark::Multiple(_)));
    marks.retain(|mark| !matches!(mark, Mark::Listed(listed) if !listed.is_string()));
    if marks.is_empty() {
        return None;
    }
    match c.pick(&marks) {
        Mark::Length(length) => {
            let length = (*c.pick(&[*length, length + 1, length.saturating_sub(1)])).min(LONGEST);
            Some(text::of_code_points(c, length))
        }
        Mark::Pattern(pattern) if c.chance(1, 2) => pattern::near_miss(c, pattern),
        Mark::Pattern(pattern) => pattern::matching(c, pattern),
        Mark::Format(format) if c.chance(1, 2) => format::broken(c, *format),
        Mark::Format(format) => Some(format::valid(c, *format)),
        Mark::Listed(listed) => listed.as_str().map(str::to_owned),
        _ => None,
    }
}

/// A scalar beside what the node speaks of, of the node's type; `None` if it has none or if none was found.
pub(super) fn scalar(c: &mut Choices, schema: &Schema) -> Option<Value> {
    match schema.type_name.as_str() {
        "string" => text(c, schema).map(|text| json!(text)),
        "integer" | "number" => integer(c, schema).map(|integer| json!(integer)),
        _ if schema.int_or_string && c.chance(1, 2) => text(c, schema).map(|text| json!(text)),
        _ if schema.int_or_string => integer(c, schema).map(|integer| json!(integer)),
        _ => None,
    }
}

fn marks(schema: &Schema) -> Vec<Mark<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(schema, schema.type_name.as_str())];
    while let Some((node, type_name)) = open.pop() {
        of_keywords(&node.values, type_name, &mut found);
        // A branch has no type: it speaks of texts as its node does.
        let format = Format::named(&node.values.format).filter(|_| type_name == "string");
        found.extend(enforced_format(node).or(format).map(Mark::Format));
        let branches = node.all_of.iter().chain(&node.any_of).chain(&node.one_of).chain(node.not.as_deref());
        open.extend(branches.map(|branch| (branch, type_name)));
    }
    found
}

fn of_keywords<'a>(values: &'a ValueKeywords, type_name: &str, found: &mut Vec<Mark<'a>>) {
    found.extend([values.minimum, values.maximum].into_iter().flatten().map(|bound| Mark::Number(whole(bound))));
    found.extend(values.multiple_of.map(|step| Mark::Multiple(whole(step))));
    let lengths = [values.min_length, values.max_length].into_iter().flatten();
    found.extend(lengths.map(|bound| Mark::Length(length(Some(bound), 0))));
    found.extend(values.pattern.compiled().ok().flatten().map(Mark::Pattern));
    found.extend(values.enumeration.iter().map(Mark::Listed));
    let ends = match (type_name, values.format.as_str()) {
        ("integer", "int32") => [i64::from(i32::MAX), i64::from(i32::MIN)],
        ("integer", "int64") => [i64::MAX, i64::MIN],
        _ => return,
    };
    found.extend(ends.map(Mark::Number));
}
