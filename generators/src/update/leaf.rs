//! Leaves of a schema, which become stricter in its tight form.

use std::sync::LazyLock;

use crdible_semantics::{
    Cause,
    Reason::{self, Invalid, NotSupported, TooLong, TypeInvalid},
};
use serde_json::{Value, json};

use crate::choice::Choices;

/// A kind of leaf: its two forms, and values that violate or satisfy the tight one. All are valid under the loose form.
#[derive(Debug, PartialEq)]
pub(super) struct Leaf {
    pub(super) name: &'static str,
    pub(super) loose: Value,
    pub(super) tight: Value,
    invalid: [Value; VALUES],
    valid: [Value; VALUES],
    /// Why a value that violates the tight form is rejected at the leaf itself (VALUE-001..018, VALUE-027, VALUE-030).
    reason: Option<Reason>,
    /// Whether a quantifier adds a cause that names no field.
    has_summary: bool,
}

/// The leaf with integers beyond 2^53, two of which may be equal as floating-point numbers.
pub(super) const LARGE: &str = "large integer";

/// The number of valid values of a leaf, and of invalid ones.
const VALUES: usize = 4;

/// From simple to complex.
pub(super) static LEAVES: LazyLock<[Leaf; 14]> = LazyLock::new(|| {
    let (integer, text) = (json!({ "type": "integer" }), json!({ "type": "string" }));
    let either = json!({ "x-kubernetes-int-or-string": true });
    let (few, words, letters) = ([0, 1, 2, 3], ["w", "x", "y", "z"], ["a", "b", "c", "d"]);
    let large = [1_i64 << 53, (1_i64 << 53) + 1, i64::MAX - 1, i64::MAX];
    let long = ["xxx", "yyy", "zzzz", "äöü"];
    let dates = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"];
    let digits = [json!(5), json!("5"), json!(0), json!("0")];
    [
        leaf("maximum", &integer, json!({ "maximum": 9 }), [10, 11, 12, 13], few, Invalid),
        leaf("maxLength", &text, json!({ "maxLength": 2 }), long, letters, TooLong),
        leaf("enum", &text, json!({ "enum": letters }), words, letters, NotSupported),
        leaf("minimum", &integer, json!({ "minimum": 5 }), [0, -1, 1, 2], [5, 6, 7, 8], Invalid),
        // Also the empty string, and strings that differ in case.
        leaf("minLength", &text, json!({ "minLength": 2 }), ["", "a", "A", "ä"], ["aa", "bb", "cc", "dd"], Invalid),
        leaf("boolean", &json!({ "type": "boolean" }), json!({ "enum": [true] }), [false; 4], [true; 4], NotSupported),
        // Numbers and strings of the same digits.
        leaf("kind of value", &either, json!({ "enum": letters }), digits, letters, NotSupported),
        leaf(LARGE, &integer, json!({ "maximum": 9 }), large, few, Invalid),
        leaf("pattern", &text, json!({ "pattern": "^a" }), words, ["a", "ab", "ac", "ad"], Invalid),
        leaf("format", &text, json!({ "format": "date" }), words, dates, TypeInvalid),
        leaf("multipleOf", &integer, json!({ "multipleOf": 2 }), [1, 3, 5, 7], [0, 2, 4, 6], Invalid),
        // An integer or a string becomes an integer.
        Leaf { tight: integer.clone(), ..leaf("type", &either, json!({}), words, few, TypeInvalid) },
        // A quantifier at the leaf itself (RATCHET-003/e1).
        Leaf {
            reason: None,
            has_summary: true,
            ..leaf("not", &text, json!({ "not": { "enum": words } }), words, letters, Invalid)
        },
        Leaf {
            has_summary: true,
            ..leaf("allOf", &text, json!({ "allOf": [{ "maxLength": 2 }] }), long, letters, TooLong)
        },
    ]
});

/// A leaf whose tight form has these keywords, too, and rejects a value for this reason.
fn leaf(
    name: &'static str,
    loose: &Value,
    keywords: Value,
    invalid: [impl Into<Value>; VALUES],
    valid: [impl Into<Value>; VALUES],
    reason: Reason,
) -> Leaf {
    let mut tight = loose.clone();
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        tight[keyword] = value.clone();
    }
    Leaf {
        name,
        loose: loose.clone(),
        tight,
        invalid: invalid.map(Into::into),
        valid: valid.map(Into::into),
        reason: Some(reason),
        has_summary: false,
    }
}

impl Leaf {
    /// Whether all its values have the same type in both forms.
    pub(super) fn keeps_its_type(&self) -> bool {
        self.loose["type"] == self.tight["type"]
    }

    /// Draws a value that violates the tight form.
    pub(super) fn invalid(&self, c: &mut Choices) -> Value {
        self.invalid[c.index(VALUES)].clone()
    }

    /// Draws a value that satisfies the tight form.
    pub(super) fn valid(&self, c: &mut Choices) -> Value {
        self.valid[c.index(VALUES)].clone()
    }

    pub(super) fn is_invalid(&self, value: &Value) -> bool {
        self.invalid.contains(value)
    }

    /// The causes of a value that violates the tight form.
    pub(super) fn causes(&self, path: &str) -> impl Iterator<Item = Cause> {
        self.reason.map(|reason| Cause::new(path, reason)).into_iter().chain(self.has_summary.then(summary))
    }
}

/// The cause that names no field (chapter 5, head): of a quantifier.
pub(super) fn summary() -> Cause {
    Cause::new("<nil>", Invalid)
}
