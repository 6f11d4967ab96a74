//! The form that one field has in a version.

use crdible_webhooks::{Place, Reshape, Step};
use serde_json::{Value, json};

use crate::choice::Choices;
use crate::{number, text};

/// What separates the two parts of a pair.
const SEPARATOR: &str = ":";
/// The names of the two parts of a pair that is an object.
const PARTS: [&str; 2] = ["one", "two"];
/// The key of the elements of a list that can become a map.
const KEY: &str = "key";
/// How much smaller the later unit of a quantity is.
const FACTOR: i64 = 1000;
/// The largest quantity, in the larger unit: in the smaller one it is still below 2^53, so that readers of doubles
/// keep it.
const LARGEST: i64 = 1_000_000_000;

/// The form of a field's value in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Any text.
    Text,
    /// Any integer.
    Integer,
    /// True or false.
    Flag,
    /// True or false as a word.
    Word,
    /// A quantity in a larger unit.
    Large,
    /// The same in the smaller unit.
    Small,
    /// An integer as a text.
    Digits,
    /// Two texts in one.
    Pair,
    /// The same as an object.
    Parts,
    /// A list of objects with unique keys.
    List,
    /// The same as a map.
    Map,
    /// A list of exactly one value.
    One(Box<Self>),
}

/// The forms that a field can have in the first version, simple first. There is no [`Form::List`]: a list that comes
/// back from a map is sorted, so lists are always made from maps.
pub(super) const FIRST: [Form; 8] =
    [Form::Text, Form::Integer, Form::Flag, Form::Pair, Form::Large, Form::Parts, Form::Map, Form::Digits];

impl Form {
    /// The schema of its values.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Integer => json!({ "type": "integer" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Word => json!({ "type": "string", "enum": ["Off", "On"] }),
            Self::Large => json!({ "type": "integer", "minimum": -LARGEST, "maximum": LARGEST }),
            Self::Small => json!({ "type": "integer", "multipleOf": FACTOR }),
            Self::Digits => json!({ "type": "string", "pattern": "^(0|-?[1-9][0-9]*)$" }),
            Self::Pair => json!({ "type": "string", "pattern": "^[^:]*:[^:]*$" }),
            Self::Parts => {
                let part = json!({ "type": "string", "pattern": "^[^:]*$" });
                let [one, two] = PARTS;
                json!({ "type": "object", "properties": { one: part, two: part }, "required": PARTS })
            }
            Self::List => json!({
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { KEY: { "type": "string" }, "value": { "type": "integer" } },
                    "required": [KEY],
                },
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": [KEY],
            }),
            Self::Map => json!({
                "type": "object",
                "additionalProperties": { "type": "object", "properties": { "value": { "type": "integer" } } },
            }),
            Self::One(form) => json!({ "type": "array", "items": form.schema(), "minItems": 1, "maxItems": 1 }),
        }
    }

    /// A value of a form of the first version.
    pub(super) fn value(&self, c: &mut Choices) -> Value {
        match self {
            Self::Integer => json!(number::integer(c, i64::MIN, i64::MAX)),
            Self::Digits => json!(number::integer(c, i64::MIN, i64::MAX).to_string()),
            Self::Large | Self::Small => json!(number::integer(c, -LARGEST, LARGEST)),
            Self::Flag | Self::Word => json!(c.draw(1) == 1),
            Self::Pair => json!(format!("{}{SEPARATOR}{}", part(c), part(c))),
            Self::Parts => {
                let [one, two] = PARTS;
                json!({ one: part(c), two: part(c) })
            }
            Self::Map | Self::List => {
                let mut map = serde_json::Map::new();
                c.many("entry", 0, 3, |c, _| {
                    let value = if c.chance(3, 4) { json!({ "value": c.between(0, 9) }) } else { json!({}) };
                    map.insert(text::text(c, 0, 12), value);
                });
                Value::Object(map)
            }
            Self::Text | Self::One(_) => json!(text::text(c, 0, 16)),
        }
    }

    /// The ways in which it can look different in the next version, and the form that it has there.
    pub(super) fn changes(&self, at: &Place, name: &str) -> Vec<(Step, Self)> {
        let (at, property) = (at.clone(), name.to_owned());
        let split = || Reshape::Split {
            at: at.clone(),
            property: property.clone(),
            separator: SEPARATOR.to_owned(),
            into: PARTS.map(str::to_owned),
        };
        let key = || Reshape::Key { at: at.clone(), property: property.clone(), key: KEY.to_owned() };
        let wrap = || Step::of(Reshape::Wrap { at: at.clone(), property: property.clone() });
        let print = || Reshape::Print { at: at.clone(), property: property.clone() };
        let recode = || {
            let values = vec![(json!(false), json!("Off")), (json!(true), json!("On"))];
            Reshape::Recode { at: at.clone(), property: property.clone(), values }
        };
        let scale = || Reshape::Scale { at: at.clone(), property: property.clone(), factor: FACTOR };
        match self {
            Self::Text => vec![(wrap(), Self::One(Box::new(Self::Text)))],
            Self::Integer => vec![(Step::of(print()), Self::Digits), (wrap(), Self::One(Box::new(Self::Integer)))],
            Self::Digits => vec![(Step::reversed(print()), Self::Integer)],
            Self::Flag => vec![(Step::of(recode()), Self::Word), (wrap(), Self::One(Box::new(Self::Flag)))],
            Self::Word => vec![(Step::reversed(recode()), Self::Flag)],
            Self::Large => vec![(Step::of(scale()), Self::Small)],
            Self::Small => vec![(Step::reversed(scale()), Self::Large)],
            Self::Pair => vec![(Step::of(split()), Self::Parts)],
            Self::Parts => vec![(Step::reversed(split()), Self::Pair)],
            Self::List => vec![(Step::of(key()), Self::Map)],
            Self::Map => vec![(Step::reversed(key()), Self::List)],
            Self::One(form) => {
                let unwrap = Step::reversed(Reshape::Wrap { at: at.clone(), property: property.clone() });
                vec![(unwrap, (**form).clone())]
            }
        }
    }
}

/// A text without the separator of pairs.
fn part(c: &mut Choices) -> String {
    text::text(c, 0, 8).replace(SEPARATOR, "-")
}
