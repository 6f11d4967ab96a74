//! Faults in what operators take and in what rules cost that no table of a property has: drawn rules find them.

use std::borrow::Cow;

use crdible_semantics::with;
use serde_json::Value;

use super::{definitions::check_as, rewrite};
use crate::table::{Fault, fault};

const TYPES: &[&str] = &["CEL-001", "CEL-011"];
const NUMBERS: &[&str] = &["CEL-001", "CEL-020"];
const FOUND: &[&str] = &["cel-001-known-types"];
const COSTS: &[&str] = &["CEL-038", "CEL-039", "CEL-040"];
const FOUND_BY_COSTS: &[&str] = &["cel-038-known-costs"];

pub(crate) const FAULTS: &[Fault] = &[
    fault("subtracts-doubles-from-integers", "a double can be subtracted from an integer in rules")
        .breaks(NUMBERS, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_-_' applied to '(int, double)'"))),
    fault("has-remainders-of-doubles", "% takes doubles in rules")
        .breaks(NUMBERS, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_%_' applied to '(double, double)'"))),
    fault("looks-for-integers-among-texts", "an integer can be looked for in a list of strings in rules")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'@in' applied to '(int, list(string))'"))),
    fault("looks-up-integers-in-maps", "a map of rules has entries at integers as well")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_[_]' applied to '(map(string, int), int)'"))),
    fault("has-branches-of-two-types", "the branches of a rule may be an integer and a string")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_?_:_' applied to '(bool, int, string)'"))),
    fault("negates-durations", "a rule may have the negative of a duration")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'-_' applied to '(duration)'"))),
    fault("orders-booleans-and-integers", "a boolean is less than an integer, or not, in rules")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'_<_' applied to '(bool, int)'"))),
    fault("adds-strings-up", "the sum of a list of strings compiles")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'sum' applied to 'list(string).()'"))),
    fault("has-sizes-of-integers", "size(), written as a function, takes integers")
        .breaks(TYPES, FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("'size' applied to '(int)'"))),
    fault("compares-null-with-strings", "null == self.s compiles, though self.s is a string")
        .breaks(&["CEL-001", "CEL-016"], FOUND)
        .semantics(with::accepts_rule(|_, error| error.contains("applied to '(null, string)'"))),
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
