//! Sets of keywords that are allowed both at an untyped node and in a branch of a quantifier.

use crate::prelude::*;

/// Value validation for values of several kinds at once.
///
/// Bounds are integral (VALUE-044 has a defect for others). There are no formats (VALUE-046 is a quirk), and
/// enumerations list only longer strings (VALUE-018 has a defect for numbers and one-letter strings).
#[derive(Clone, Debug)]
pub(in super::super) struct Keywords(Map<String, Value>);

impl Keywords {
    /// One to four keywords.
    pub(in super::super) fn draw(choices: &mut Choices) -> Self {
        let mut keywords = Map::new();
        choices.many_average("keyword", 1, 4, 2, |choices, _| {
            let small = i64::try_from(choices.draw(4)).unwrap_or(0);
            let (name, value) = match choices.draw(11) {
                0 => ("minLength", json!(small)),
                1 => ("maxLength", json!(small)),
                2 => ("pattern", json!(*choices.pick(&["a", "^a", "[0-9]$", r"^\w*$"]))),
                3 => ("minimum", json!(small - 2)),
                4 => ("maximum", json!(small - 2)),
                5 => ("multipleOf", json!(small + 1)),
                6 => ("minItems", json!(small)),
                7 => ("maxItems", json!(small)),
                8 => ("minProperties", json!(small)),
                9 => ("maxProperties", json!(small)),
                10 => ("required", json!(*choices.pick(&[["a"], ["b"], ["metadata"]]))),
                _ => ("enum", json!(["red", "green"])),
            };
            if name == "minimum" && choices.chance(1, 4) {
                keywords.insert("exclusiveMinimum".to_owned(), json!(true));
            }
            keywords.insert(name.to_owned(), value);
        });
        Self(keywords)
    }

    /// As a branch.
    pub(in super::super) fn schema(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// A value, never null, of a kind and a size for which the keywords matter.
    pub(in super::super) fn value(choices: &mut Choices) -> Value {
        match choices.weighted(&[3, 3, 1, 1, 3]) {
            0 => {
                let text: String = choices
                    .many_average("letter", 0, 6, 2, |choices, _| *choices.pick(&['a', 'b', '0', 'é', '😀', '\n']))
                    .into_iter()
                    .collect();
                json!(text)
            }
            1 => json!(choices.between(0, 8) - 4),
            2 => json!(*choices.pick(&["red", "green", "blue"])),
            3 => json!(*choices.pick(&[0.5, -1.5, 3.25])),
            _ => match value::json(choices, 2) {
                Value::Null => json!(false),
                value => value,
            },
        }
    }
}
