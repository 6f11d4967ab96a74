//! VALUE-015, where kube-apiserver violates it: strings for `date-time` and `hostname`.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["VALUE-015"];

pub(super) const PROPERTY: Property = Property::new("value-015-defect-texts", plan)
    .title("a date-time with an impossible offset and a hostname of symbols are rejected")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let is_host = choices.chance(1, 2);
    let node = json!({ "type": "string", "format": if is_host { "hostname" } else { "date-time" } });
    plan.at_any_place(choices, &node, |choices| {
        let (text, is_right) = if is_host {
            *choices.pick(&[("a-", false), ("+", false), ("$", false), ("☃", false), ("ab-c", true), ("a-b-c", true)])
        } else {
            *choices.pick(&[
                ("2020-01-01T00:00:00+99:99", false),
                ("2020-01-01T00:00:00-24:00", false),
                ("2020-01-01T00:00:00ZTxyz", false),
            ])
        };
        if is_right {
            return Example::kept("taken", ASSERTS, json!(text));
        }
        Example::refused("refused", ASSERTS, json!(text), [("", "TypeInvalid")])
    })
}
