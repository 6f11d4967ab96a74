//! Faults in the language of rules.

use std::borrow::Cow;

use crdible_semantics::{Schema, with};
use serde_json::{Value, json};

use super::rewrite;
use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

const TRUTH: &[&str] = &["CEL-017"];
const FOUND: &[&str] = &["cel-017-known-truth"];

/// The object with zeros where integers are missing.
fn filled(value: &Value, schema: &Schema) -> Value {
    let mut value = value.clone();
    if let Value::Object(entries) = &mut value {
        for (name, child) in &schema.properties {
            if child.type_name == "integer" {
                entries.entry(name.clone()).or_insert(json!(0));
            }
        }
    }
    value
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("or-fails-on-the-left", "an error of the left operand of || is one of both, whatever the right one is")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::operators(text, "||", |left, right| format!("({left}) ? true : ({right})")))
        })),
    fault("or-fails-on-the-right", "an error of the right operand of || is one of both, whatever the left one is")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::operators(text, "||", |left, right| format!("({right}) ? true : ({left})")))
        })),
    fault("and-fails-on-the-left", "an error of the left operand of && is one of both, whatever the right one is")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::operators(text, "&&", |left, right| format!("({left}) ? ({right}) : false")))
        })),
    fault("and-fails-on-the-right", "an error of the right operand of && is one of both, whatever the left one is")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::operators(text, "&&", |left, right| format!("({right}) ? ({left}) : false")))
        })),
    fault("all-fails-at-errors", "all is an error if one element is, although another is false")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, ".all", |all| format!(".map({}).all(one, one)", all.join(", "))))
        })),
    fault("exists-fails-at-errors", "exists is an error if one element is, although another is true")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, ".exists", |all| format!(".map({}).exists(one, one)", all.join(", "))))
        })),
    obvious_fault("one-exists-if-some-do", "exists_one is true for several elements, too")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".exists_one(", ".exists(")))),
    obvious_fault("all-of-none-is-false", "all of an empty list is false")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".all(", ".exists(")))),
    fault("at-most-is-less", "<= is false for equal operands")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("<=", "<")))),
    fault("begins-anywhere", "startsWith is true wherever the text is")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".startsWith(", ".contains(")))),
    fault("remainders-are-quotients", "a % b is a / b").breaks(TRUTH, FOUND).semantics(with::text_of_rule(
        |_, text| Cow::Owned(rewrite::operators(text, "%", |left, right| format!("{left} / {right}"))),
    )),
    obvious_fault("has-whatever-is-declared", "has() is true for what the schema declares")
        .breaks(TRUTH, FOUND)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, "has", |of| format!("(true || has({}))", of.join(", "))))
        })),
    fault("absent-integers-are-zero", "a rule sees 0 where an integer is missing").breaks(TRUTH, FOUND).semantics(
        with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&filled(value, schema), schema, is_resource)
        }),
    ),
    obvious_fault("errors-pass", "a rule that cannot be evaluated holds")
        .breaks(&["CEL-017", "CEL-034"], FOUND)
        .semantics(with::outcome_of_rule(|_, outcome| Ok(outcome.unwrap_or(true)))),
];
