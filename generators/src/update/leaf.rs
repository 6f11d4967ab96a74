//! Leaves of a schema, which become stricter in its tight form.

use std::sync::LazyLock;

use crdible_semantics::Reason::{self, Invalid, NotSupported, TooLong, TypeInvalid};
use serde_json::{Value, json};

use crate::choice::Choices;

/// A kind of leaf: its two forms, and values that violate or satisfy the tight one. All are valid under the loose form.
#[derive(Debug, PartialEq)]
pub(super) struct Leaf {
    pub(super) name: &'static str,
    pub(super) loose: Value,
    pub(super) tight: Value,
    invalid: Value,
    valid: Value,
    /// The reasons why a value that violates the tight form is rejected (VALUE-001..018, VALUE-027, VALUE-030): that at
    /// the leaf itself, and whether there is a summary of a quantifier.
    reasons: (Option<Reason>, bool),
}

/// The leaf with integers beyond 2^53, two of which may be equal as floating-point numbers.
pub(super) const LARGE: &str = "large integer";

/// The number of valid values of a leaf, and of invalid ones.
const VALUES: usize = 4;

/// From simple to complex.
pub(super) static LEAVES: LazyLock<[Leaf; 14]> = LazyLock::new(|| {
    let (integer, text) = (json!({ "type": "integer" }), json!({ "type": "string" }));
    let either = json!({ "x-kubernetes-int-or-string": true });
    let (few, words, letters) = (json!([0, 1, 2, 3]), json!(["w", "x", "y", "z"]), json!(["a", "b", "c", "d"]));
    let large = json!([1_i64 << 53, (1_i64 << 53) + 1, i64::MAX - 1, i64::MAX]);
    let long = json!(["xxx", "yyy", "zzzz", "äöü"]);
    let dates = json!(["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"]);
    [
        leaf("maximum", &integer, json!({ "maximum": 9 }), json!([10, 11, 12, 13]), &few, Invalid),
        leaf("maxLength", &text, json!({ "maxLength": 2 }), long.clone(), &letters, TooLong),
        leaf("enum", &text, json!({ "enum": letters }), words.clone(), &letters, NotSupported),
        leaf("minimum", &integer, json!({ "minimum": 5 }), json!([0, -1, 1, 2]), &json!([5, 6, 7, 8]), Invalid),
        // Also the empty string, and strings that differ in case.
        leaf(
            "minLength",
            &text,
            json!({ "minLength": 2 }),
            json!(["", "a", "A", "ä"]),
            &json!(["aa", "bb", "cc", "dd"]),
            Invalid,
        ),
        leaf(
            "boolean",
            &json!({ "type": "boolean" }),
            json!({ "enum": [true] }),
            json!([false, false, false, false]),
            &json!([true, true, true, true]),
            NotSupported,
        ),
        // Numbers and strings of the same digits.
        leaf("kind of value", &either, json!({ "enum": letters }), json!([5, "5", 0, "0"]), &letters, NotSupported),
        leaf(LARGE, &integer, json!({ "maximum": 9 }), large, &few, Invalid),
        leaf("pattern", &text, json!({ "pattern": "^a" }), words.clone(), &json!(["a", "ab", "ac", "ad"]), Invalid),
        leaf("format", &text, json!({ "format": "date" }), words.clone(), &dates, TypeInvalid),
        leaf("multipleOf", &integer, json!({ "multipleOf": 2 }), json!([1, 3, 5, 7]), &json!([0, 2, 4, 6]), Invalid),
        // An integer or a string becomes an integer.
        Leaf { tight: integer.clone(), ..leaf("type", &either, json!({}), words.clone(), &few, TypeInvalid) },
        // A quantifier at the leaf itself (RATCHET-003/e1).
        Leaf {
            reasons: (None, true),
            ..leaf("not", &text, json!({ "not": { "enum": words } }), words, &letters, Invalid)
        },
        Leaf {
            reasons: (Some(TooLong), true),
            ..leaf("allOf", &text, json!({ "allOf": [{ "maxLength": 2 }] }), long, &letters, TooLong)
        },
    ]
});

/// A leaf whose tight form has these keywords, too, and rejects a value for this reason.
fn leaf(name: &'static str, loose: &Value, keywords: Value, invalid: Value, valid: &Value, reason: Reason) -> Leaf {
    let mut tight = loose.clone();
    for (keyword, value) in keywords.as_object().into_iter().flatten() {
        tight[keyword] = value.clone();
    }
    Leaf { name, loose: loose.clone(), tight, invalid, valid: valid.clone(), reasons: (Some(reason), false) }
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
        self.invalid.as_array().is_some_and(|invalid| invalid.contains(value))
    }

    /// The causes of a value that violates the tight form.
    pub(super) fn causes(&self, path: &str) -> impl Iterator<Item = (String, Reason)> {
        let (here, has_summary) = self.reasons;
        let summary = has_summary.then(|| ("<nil>".to_owned(), Invalid));
        here.map(|reason| (path.to_owned(), reason)).into_iter().chain(summary)
    }
}
