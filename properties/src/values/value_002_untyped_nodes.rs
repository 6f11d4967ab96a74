//! VALUE-002: a node without a type accepts every kind, and keywords apply to their own kind.

use super::shared::{JUDGING, Keywords};
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-002"];

pub(super) const PROPERTY: Property = Property::new("value-002-untyped-nodes", plan)
    .title("a node without a type accepts any kind, and keywords validate only the kind they apply to")
    .asserts(ASSERTS)
    .needs(JUDGING);

/// Keywords with a bound, and the reason that is reported for a value beyond it.
const COUNTED: [(&str, &str); 8] = [
    ("minLength", "Invalid"),
    ("maxLength", "TooLong"),
    ("minimum", "Invalid"),
    ("maximum", "Invalid"),
    ("minItems", "Invalid"),
    ("maxItems", "TooMany"),
    ("minProperties", "Invalid"),
    ("maxProperties", "TooMany"),
];

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let bounds: Vec<Option<i64>> = choices
        .span("node", |choices| COUNTED.iter().map(|_| choices.chance(1, 2).then(|| choices.between(0, 3))).collect());
    let mut node = Map::from_iter([(PRESERVE.to_owned(), json!(true))]);
    for ((keyword, _), bound) in COUNTED.iter().zip(&bounds) {
        node.extend(bound.map(|bound| ((*keyword).to_owned(), json!(bound))));
    }
    plan.at_any_place(choices, &Value::Object(node), |choices| {
        let value = Keywords::value(choices);
        let measured = match &value {
            Value::String(text) => Some((0, length(text.chars().count()))),
            #[expect(clippy::cast_possible_truncation, reason = "beyond the bounds it saturates, and they are small")]
            Value::Number(number) => {
                Some((2, number.as_i64().unwrap_or(number.as_f64().unwrap_or(0.0).floor() as i64)))
            }
            Value::Array(elements) => Some((4, length(elements.len()))),
            Value::Object(object) => Some((6, length(object.len()))),
            _ => None,
        };
        // A fraction is above the integer below it.
        let above = i64::from(value.as_f64().is_some_and(|float| float.fract() != 0.0) && !value.is_i64());
        let mut causes = Vec::new();
        if let Some((first, size)) = measured {
            causes.extend(bounds[first].filter(|bound| size < *bound).map(|_| ("", COUNTED[first].1)));
            causes.extend(bounds[first + 1].filter(|bound| size + above > *bound).map(|_| ("", COUNTED[first + 1].1)));
        }
        // A string that is too long is not also reported as too short (VALUE-013).
        if value.is_string() && causes.len() > 1 {
            causes = vec![("", "TooLong")];
        }
        Example::judged("by-its-kind", ASSERTS, value, causes)
    })
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
