//! Faults in the evaluation of rules on objects.

use crdible_semantics::{Reason, RuleFindings, with};
use serde_json::Value;

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// The object with at most one element in each list.
fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().take(1).map(shortened).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), shortened(value))).collect(),
        other => other.clone(),
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("first-failure-only", "of all rules that fail, the first one is reported")
        .breaks(&["CEL-027", "CEL-017", "CEL-036"], &["cel-027-every-value", "cel-017-known-truth"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            let mut found = correct().rule_findings(rules, object, schema, old);
            found.violations.truncate(1);
            found
        })),
    fault("first-element-only", "rules of elements are evaluated for the first element")
        .breaks(&["CEL-027"], &["cel-027-every-value"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            correct().rule_findings(rules, &shortened(object), schema, old)
        })),
    obvious_fault("runs-on-creates-only", "rules are evaluated when an object is created, and never again")
        .breaks(&["CEL-027"], &["cel-027-every-value"])
        .semantics(with::rule_findings(|_, rules, object, schema, old| {
            if old.is_some() { RuleFindings::default() } else { correct().rule_findings(rules, object, schema, old) }
        })),
    obvious_fault("always-invalid", "the cause of a rule is Invalid, whatever its reason says")
        .breaks(&["CEL-036"], &["cel-036-reasons"])
        .semantics(with::reason_of_rule(|_, _| Reason::Invalid)),
];
