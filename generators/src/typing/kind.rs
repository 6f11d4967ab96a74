//! The types of rules (CEL-011), and the simplest terms of each.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// The longest list, map or text: rules over them must not cost too much (CEL-038).
const MOST: usize = 3;

/// A type of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`, which no schema has
    Uint,
    /// `double`
    Double,
    /// `string`
    Text,
    /// `bytes`
    Bytes,
    /// `timestamp`
    Time,
    /// `duration`
    Span,
    /// `list(int)`
    Ints,
    /// `list(string)`
    Texts,
    /// `map(string, int)`
    Counts,
    /// An object with a field `x` of type int.
    Object,
    /// An object of another node, which declares the same.
    Other,
    /// `optional(int)`
    Maybe,
    /// `null`
    Null,
    /// `dyn`
    Dyn,
}

impl Kind {
    /// All.
    pub const ALL: [Self; 16] = [
        Self::Bool,
        Self::Int,
        Self::Uint,
        Self::Double,
        Self::Text,
        Self::Bytes,
        Self::Time,
        Self::Span,
        Self::Ints,
        Self::Texts,
        Self::Counts,
        Self::Object,
        Self::Other,
        Self::Maybe,
        Self::Null,
        Self::Dyn,
    ];

    /// Its literals.
    pub(super) fn literals(self) -> &'static [&'static str] {
        match self {
            Self::Bool => &["true", "false"],
            Self::Int => &["1", "0", "2"],
            Self::Uint => &["1u", "0u"],
            Self::Double => &["1.5", "0.0"],
            Self::Text => &["'a'", "''", "\"b\""],
            Self::Bytes => &["b'a'"],
            Self::Time => &["timestamp('2000-01-01T00:00:00Z')"],
            Self::Span => &["duration('1h')"],
            Self::Ints => &["[1, 2]"],
            Self::Texts => &["['a', 'b']"],
            Self::Counts => &["{'a': 1}"],
            Self::Object | Self::Other => &[],
            Self::Maybe => &["optional.of(1)"],
            Self::Null => &["null"],
            Self::Dyn => &["dyn(1)", "dyn('a')"],
        }
    }

    /// The fields of the subject that have it.
    pub(super) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Bool => &["b"],
            Self::Int => &["i", "j"],
            Self::Double => &["n"],
            Self::Text => &["s", "u"],
            Self::Bytes => &["y"],
            Self::Time => &["t", "a"],
            Self::Span => &["d"],
            Self::Ints => &["l"],
            Self::Texts => &["k", "q"],
            Self::Counts => &["m"],
            Self::Object => &["o"],
            Self::Other => &["e"],
            Self::Maybe => &["?i"],
            Self::Dyn => &["p"],
            Self::Uint | Self::Null => &[],
        }
    }

    /// What macros over such values bind to their variable.
    pub(super) fn element(self) -> Self {
        match self {
            Self::Ints => Self::Int,
            Self::Texts | Self::Counts => Self::Text,
            _ => Self::Dyn,
        }
    }

    /// Whether one is easily taken for the other.
    pub(super) fn is_near(self, other: Self) -> bool {
        let families: [&[Self]; 5] = [
            &[Self::Int, Self::Uint, Self::Double, Self::Maybe],
            &[Self::Text, Self::Bytes],
            &[Self::Time, Self::Span, Self::Null],
            &[Self::Ints, Self::Texts, Self::Counts],
            &[Self::Object, Self::Other, Self::Null],
        ];
        families.iter().any(|family| family.contains(&self) && family.contains(&other))
    }
}

/// The node with these fields.
pub fn schema(fields: &BTreeSet<&'static str>) -> Value {
    let (integer, text) = (json!({ "type": "integer" }), json!({ "type": "string", "maxLength": MOST }));
    let format = |format: &str| json!({ "type": "string", "format": format, "maxLength": 40 });
    let list = |items: &Value| json!({ "type": "array", "maxItems": MOST, "items": items });
    let node = |name: &str| match name {
        "b" => json!({ "type": "boolean" }),
        "i" | "j" => integer.clone(),
        "n" => json!({ "type": "number" }),
        "s" | "u" => text.clone(),
        "y" => format("byte"),
        "t" => format("date-time"),
        "a" => format("date"),
        "d" => format("duration"),
        "l" => list(&integer),
        "k" => list(&text),
        "q" => {
            let mut set = list(&text);
            set["x-kubernetes-list-type"] = json!("set");
            set
        }
        "m" => json!({ "type": "object", "maxProperties": MOST, "additionalProperties": integer }),
        "o" | "e" => json!({ "type": "object", "properties": { "x": integer } }),
        _ => json!({ "x-kubernetes-int-or-string": true, "maxLength": MOST }),
    };
    let properties: Map<String, Value> = fields.iter().map(|name| ((*name).to_owned(), node(name))).collect();
    json!({ "type": "object", "properties": properties })
}
