//! Faults in what operators take and in what rules cost that no table of a property has: drawn rules find them.

use std::borrow::Cow;

use crdible_semantics::with;
use serde_json::Value;

use super::{definitions::check_as, rewrite};
use crate::table::{Fault, fault};

const TYPES: &[&str] = &["CEL-001", "CEL-011"];
const OPERANDS: &[&str] = &["CEL-001", "CEL-011", "CEL-020"];
const FOUND: &[&str] = &["cel-001-known-types"];
const COSTS: &[&str] = &["CEL-038", "CEL-039", "CEL-040"];
const FOUND_BY_COSTS: &[&str] = &["cel-038-known-costs"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("subtracts-anything-from-integers", "an operand of any type can be subtracted from an integer in rules")
        .breaks(OPERANDS, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_-_' applied to '(int, "))),
    fault("divides-integers-by-anything", "an integer has a remainder for operands of any type in rules")
        .breaks(OPERANDS, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_%_' applied to '(int, "))),
    fault("looks-for-anything-among-texts", "a value of any type can be looked for in a list of strings in rules")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| {
            error.contains("'@in' applied to '(") && error.contains(", list(string))'")
        })),
    fault("looks-up-anything-in-maps", "a map of rules has entries at keys of any type")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_[_]' applied to '(map(string, int), "))),
    fault("negates-anything", "a rule may have the negative of a value of any type")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'-_' applied to '("))),
    fault("orders-booleans-and-anything", "a boolean is less than a value of any type, or not, in rules")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("_' applied to '(bool, ") && error.contains("'_<"))),
    fault("has-sizes-of-anything", "size(), written as a function, takes anything")
        .breaks(&["CEL-001", "CEL-011", "CEL-023"], FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'size' applied to '("))),
    fault("compares-null-with-anything", "null compares with values of all types, if it is on the left")
        .breaks(&["CEL-001", "CEL-016"], FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("=_' applied to '(null, "))),
    fault("counts-no-lengths-in-maps", "maxLength of the values of a map makes no rule cheaper")
        .breaks(COSTS, FOUND_BY_COSTS)
        .semantics(with::check_rules(|_, spec, before, found| {
            check_as(spec, before, found, |node| {
                let values = node.get_mut("additionalProperties").and_then(Value::as_object_mut);
                values.into_iter().for_each(|values| drop(values.remove("maxLength")));
            });
        })),
    fault("has-small-letters-for-nothing", "lowerAscii costs nothing")
        .breaks(COSTS, FOUND_BY_COSTS)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".lowerAscii()", "")))),
    fault("splits-for-nothing", "split costs nothing")
        .breaks(COSTS, FOUND_BY_COSTS)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(text.replace(".split('a')", "")))),
    fault("filters-for-nothing", "filter costs nothing, whatever it asks of each element")
        .breaks(COSTS, FOUND_BY_COSTS)
        .semantics(with::text_of_rule(|_, text| Cow::Owned(rewrite::calls(text, ".filter", |_| String::new())))),
];
