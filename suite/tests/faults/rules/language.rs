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
const FUNCTIONS: &[&str] = &["CEL-023"];
const FOUND_BY_FUNCTIONS: &[&str] = &["cel-023-functions"];
const LIBRARIES: &[&str] = &["CEL-024"];
const FOUND_BY_LIBRARIES: &[&str] = &["cel-024-libraries"];
/// A rule of the tables of functions has a property for each argument and for the result. Not always all but one are
/// removed.
const TABLES: usize = 80;

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

/// The arguments of `matches`, of which the last one, if it is a literal, is written between these texts.
fn matching(arguments: &[String], before: &str, behind: &str) -> String {
    let mut arguments = arguments.to_vec();
    if let Some(last) = arguments.last_mut()
        && let Some(pattern) = last.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
    {
        *last = format!("\"{before}{pattern}{behind}\"");
    }
    format!("matches({})", arguments.join(", "))
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
        .breaks(&["CEL-017", "INV-087"], &["cel-017-known-truth", "inv-087-keywords"])
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
        .breaks(&["CEL-017", "CEL-034", "CRDVAL-053"], &["cel-017-known-truth", "cel-034-errors", "crdval-053-rules"])
        .semantics(with::outcome_of_rule(|_, outcome| Ok(outcome.unwrap_or(true)))),
    fault("matches-wholes", "matches is true only if all of the text matches")
        .breaks(&["CEL-026"], &["cel-026-regexes"])
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, "matches", |all| matching(all, "^(?:", ")$")))
        })),
    fault("matches-in-any-case", "matches does not tell capitals from small letters")
        .breaks(&["CEL-026"], &["cel-026-regexes"])
        .by_example_only()
        .within_lines(120)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, "matches", |all| matching(all, "(?i)", "")))
        })),
    obvious_fault("the-least-is-the-largest", "min is the largest element")
        .breaks(FUNCTIONS, FOUND_BY_FUNCTIONS)
        .within_lines(TABLES)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".min()", ".max()")))),
    fault("finds-the-first-only", "lastIndexOf finds the first place")
        .breaks(FUNCTIONS, FOUND_BY_FUNCTIONS)
        .within_lines(TABLES)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".lastIndexOf(", ".indexOf(")))),
    fault("trims-nothing", "trim leaves blanks at both ends")
        .breaks(FUNCTIONS, FOUND_BY_FUNCTIONS)
        .within_lines(TABLES)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".trim()", "")))),
    fault("contained-sets-are-equivalent", "two lists are equivalent as sets if one contains the other")
        .breaks(LIBRARIES, FOUND_BY_LIBRARIES)
        .within_lines(TABLES)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("sets.equivalent(", "sets.contains(")))),
    obvious_fault("less-is-greater", "isLessThan is true of what is greater")
        .breaks(LIBRARIES, FOUND_BY_LIBRARIES)
        .within_lines(TABLES)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".isLessThan(", ".isGreaterThan(")))),
    fault("named-formats-take-any-text", "a text is valid in each named format")
        .breaks(LIBRARIES, FOUND_BY_LIBRARIES)
        .within_lines(TABLES)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("!format.", "true || !format.")))),
    obvious_fault("and-is-or", "&& is true if one of its operands is")
        .breaks(&["CEL-017", "INV-088"], &["inv-088-laws"])
        .within_lines(80)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("&&", "||")))),
    obvious_fault("filters-nothing", "filter keeps each element")
        .breaks(&["CEL-023", "INV-088"], &["inv-088-laws"])
        .within_lines(80)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, ".filter", |all| format!(".map({0}, {0})", all[0])))
        })),
    fault("at-least-is-more", ">= is false for equal operands")
        .breaks(&["CEL-017", "INV-087"], &["inv-087-keywords"])
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(">=", ">")))),
    fault("quotients-are-remainders", "a / b is a % b")
        .breaks(&["CEL-020"], &["cel-020-numbers"])
        .within_lines(100)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("self.a / self.b", "self.a % self.b")))),
    fault("sums-begin-with-the-other", "a + b of lists begins with the elements of b")
        .breaks(&["CEL-019"], &["cel-019-sums"])
        .within_lines(50)
        .semantics(with::text_of_rule(|_, text| {
            let of_lists = "(self.x['a'] + self.x['b']).map(";
            Cow::Owned(text.replace(of_lists, "(self.x['b'] + self.x['a']).map("))
        })),
    fault("sums-change-an-operand", "a + b of lists leaves the sum in a")
        .breaks(&["CEL-019"], &["cel-019-sums"])
        .within_lines(60)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(text.replace("&& self.x['a'] == ", "&& self.x['a'] + self.x['b'] == "))
        })),
    fault("constants-without-a-value-hold", "a rule that divides a constant by zero holds")
        .breaks(&["CEL-001"], &["cel-001-texts"])
        .by_example_only()
        .within_lines(60)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("1 / 0 == 1", "true")))),
    fault("optional-elements-must-exist", "list[?i] is an error if the list has no such element")
        .breaks(TRUTH, FOUND)
        .by_example_only()
        .within_lines(110)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace("self[?1].orValue(5)", "self[1]")))),
    fault("presence-costs", "a test for presence costs as much as what it tests")
        .breaks(&["CEL-044"], &["cel-044-presence-is-free"])
        .within_lines(220)
        .semantics(with::text_of_rule(|_, text| {
            Cow::Owned(rewrite::calls(text, "has", |of| format!("(has({0}) && has({0}))", of.join(", "))))
        })),
];
