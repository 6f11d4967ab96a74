//! Faults in what counts as unchanged in an update, and which old value it is compared with.

use crdible_semantics::{Ratcheting, with};
use serde_json::Value;

use crate::{
    ratcheting::RATCHET,
    server::correct,
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("correlates-no-falsy-values", "an old value that is 0, false or empty correlates with nothing")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .semantics(with::correlate_key(|_, old, key, schema| {
            let is_false = |value: &Value| *value == 0 || *value == false || *value == "";
            correct().correlate_key(old, key, schema).filter(|value| !is_false(value))
        })),
    fault("compares-values-loosely", "the string \"5\" counts as unchanged where 5 is stored")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .semantics(with::is_unchanged(|semantics, new, old, schema| match (new, old) {
            (Value::Number(number), Value::String(text)) | (Value::String(text), Value::Number(number)) => {
                number.to_string() == *text
            }
            _ => (Ratcheting::CORRECT.is_unchanged)(semantics, new, old, schema),
        })),
    fault("compares-without-case", "strings that differ only in case count as unchanged")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .semantics(with::is_unchanged(|semantics, new, old, schema| match (new.as_str(), old.as_str()) {
            (Some(new), Some(old)) => new.eq_ignore_ascii_case(old),
            _ => (Ratcheting::CORRECT.is_unchanged)(semantics, new, old, schema),
        })),
    fault("compares-integers-as-floats", "integers that are equal as float64 count as unchanged")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .semantics(with::is_unchanged(|semantics, new, old, schema| {
            match (new.is_i64() && old.is_i64(), new.as_f64(), old.as_f64()) {
                (true, Some(new), Some(old)) => new.total_cmp(&old).is_eq(),
                _ => (Ratcheting::CORRECT.is_unchanged)(semantics, new, old, schema),
            }
        })),
    fault("correlates-nothing-in-atomic-maps", "unchanged values in an atomic map are validated like new ones")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .within_lines(75)
        .semantics(with::correlate_key(|_, old, key, schema| {
            if schema.map_type.as_deref() == Some("atomic") {
                return None;
            }
            correct().correlate_key(old, key, schema)
        })),
    fault("ratchets-no-any-of-and-one-of-of-objects", "anyOf and oneOf of an unchanged object are enforced")
        .breaks(RATCHET, &["ratchet-002-whole-nodes"])
        .blamed(&["RATCHET-002", "RATCHET-003"])
        .within_lines(75)
        .semantics(with::check_value_update(|semantics, new, old, schema, path, findings| {
            (Ratcheting::CORRECT.check_value_update)(semantics, new, old, schema, path, findings);
            if new == old && new.is_object() {
                semantics.check_any_of(new, schema, path, findings);
                semantics.check_one_of(new, schema, path, findings);
            }
        })),
    fault("ratchets-no-max-items", "maxItems and maxProperties of an unchanged node are enforced")
        .breaks(RATCHET, &["ratchet-002-whole-nodes"])
        .within_lines(75)
        .semantics(with::check_value_update(|semantics, new, old, schema, path, findings| {
            (Ratcheting::CORRECT.check_value_update)(semantics, new, old, schema, path, findings);
            match new {
                Value::Array(elements) if new == old && schema.values.max_items.is_some() => {
                    semantics.check_element_count(elements, schema, path, findings);
                }
                Value::Object(object) if new == old && schema.values.max_properties.is_some() => {
                    semantics.check_key_count(object, schema, path, findings);
                }
                _ => {}
            }
        })),
];
