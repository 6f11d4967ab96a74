//! Leaves of a schema, which become stricter in its tight form.

use crdible_semantics::Reason;
use serde_json::{Value, json};

/// What the tight form requires of a leaf. Each kind has values that violate it and values that satisfy it; both are
/// valid under the loose form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Maximum,
    /// 0 is one of the values that violate it.
    Minimum,
    /// Values beyond 2^53, two of which may be equal as floating-point numbers.
    Large,
    MaxLength,
    /// The empty string violates it, and so do two strings that differ in case.
    MinLength,
    /// `false` violates it.
    Truth,
    Enumeration,
    /// Numbers and strings of the same digits violate it.
    Kind,
    Pattern,
    Format,
    MultipleOf,
    /// An integer or a string becomes an integer.
    Type,
    /// A quantifier at the leaf itself (RATCHET-003/e1).
    Not,
    AllOf,
}

/// From simple to complex.
pub(super) const LEAVES: [Leaf; 14] = [
    Leaf::Maximum,
    Leaf::MaxLength,
    Leaf::Enumeration,
    Leaf::Minimum,
    Leaf::MinLength,
    Leaf::Truth,
    Leaf::Kind,
    Leaf::Large,
    Leaf::Pattern,
    Leaf::Format,
    Leaf::MultipleOf,
    Leaf::Type,
    Leaf::Not,
    Leaf::AllOf,
];

/// The number of valid values of a leaf, and of invalid ones.
pub(super) const VALUES: u64 = 4;

impl Leaf {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::Large => "large integer",
            Self::MaxLength => "maxLength",
            Self::MinLength => "minLength",
            Self::Truth => "boolean",
            Self::Kind => "kind of value",
            Self::Enumeration => "enum",
            Self::Pattern => "pattern",
            Self::Format => "format",
            Self::MultipleOf => "multipleOf",
            Self::Type => "type",
            Self::Not => "not",
            Self::AllOf => "allOf",
        }
    }

    pub(super) fn loose(self) -> Value {
        match self {
            Self::Maximum | Self::Minimum | Self::Large | Self::MultipleOf => json!({ "type": "integer" }),
            Self::Truth => json!({ "type": "boolean" }),
            Self::Type | Self::Kind => json!({ "x-kubernetes-int-or-string": true }),
            _ => json!({ "type": "string" }),
        }
    }

    pub(super) fn tight(self) -> Value {
        match self {
            Self::Maximum | Self::Large => json!({ "type": "integer", "maximum": 9 }),
            Self::Minimum => json!({ "type": "integer", "minimum": 5 }),
            Self::MinLength => json!({ "type": "string", "minLength": 2 }),
            Self::Truth => json!({ "type": "boolean", "enum": [true] }),
            Self::Kind => json!({ "x-kubernetes-int-or-string": true, "enum": ["a", "b", "c", "d"] }),
            Self::MaxLength => json!({ "type": "string", "maxLength": 2 }),
            Self::Enumeration => json!({ "type": "string", "enum": ["a", "b", "c", "d"] }),
            Self::Pattern => json!({ "type": "string", "pattern": "^a" }),
            Self::Format => json!({ "type": "string", "format": "date" }),
            Self::MultipleOf => json!({ "type": "integer", "multipleOf": 2 }),
            Self::Type => json!({ "type": "integer" }),
            Self::Not => json!({ "type": "string", "not": { "enum": ["w", "x", "y", "z"] } }),
            Self::AllOf => json!({ "type": "string", "allOf": [{ "maxLength": 2 }] }),
        }
    }

    /// A value that violates the tight form.
    pub(super) fn invalid(self, number: u64) -> Value {
        match self {
            Self::Maximum => json!(10 + number),
            Self::Minimum => json!([0, -1, 1, 2][index(number)]),
            Self::Large => json!([1_i64 << 53, (1_i64 << 53) + 1, i64::MAX - 1, i64::MAX][index(number)]),
            Self::MinLength => json!(["", "a", "A", "ä"][index(number)]),
            Self::Truth => json!(false),
            Self::Kind => [json!(5), json!("5"), json!(0), json!("0")][index(number)].clone(),
            Self::MaxLength | Self::AllOf => json!(["xxx", "yyy", "zzzz", "äöü"][index(number)]),
            Self::Enumeration | Self::Pattern | Self::Format | Self::Type | Self::Not => {
                json!(["w", "x", "y", "z"][index(number)])
            }
            Self::MultipleOf => json!(1 + 2 * number),
        }
    }

    /// A value that satisfies the tight form.
    pub(super) fn valid(self, number: u64) -> Value {
        match self {
            Self::Maximum | Self::Large | Self::Type => json!(number),
            Self::Minimum => json!(5 + number),
            Self::MinLength => json!(["aa", "bb", "cc", "dd"][index(number)]),
            Self::Truth => json!(true),
            Self::MaxLength | Self::Enumeration | Self::Kind | Self::Not | Self::AllOf => {
                json!(["a", "b", "c", "d"][index(number)])
            }
            Self::Pattern => json!(["a", "ab", "ac", "ad"][index(number)]),
            Self::Format => json!(["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"][index(number)]),
            Self::MultipleOf => json!(2 * number),
        }
    }

    pub(super) fn is_invalid(self, value: &Value) -> bool {
        (0..VALUES).any(|number| self.invalid(number) == *value)
    }

    /// The causes of a value that violates the tight form (VALUE-001..018, VALUE-027, VALUE-030).
    pub(super) fn causes(self, path: &str) -> Vec<(String, Reason)> {
        let here = |reason| (path.to_owned(), reason);
        let summary = ("<nil>".to_owned(), Reason::Invalid);
        match self {
            Self::Maximum | Self::Minimum | Self::Large | Self::MinLength | Self::Pattern | Self::MultipleOf => {
                vec![here(Reason::Invalid)]
            }
            Self::MaxLength => vec![here(Reason::TooLong)],
            Self::Enumeration | Self::Truth | Self::Kind => vec![here(Reason::NotSupported)],
            Self::Format | Self::Type => vec![here(Reason::TypeInvalid)],
            Self::Not => vec![summary],
            Self::AllOf => vec![here(Reason::TooLong), summary],
        }
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number % VALUES).unwrap_or(0)
}
