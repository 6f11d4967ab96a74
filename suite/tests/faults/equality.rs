//! Faults in what counts as unchanged in an update, and in what correlates.

use crdible_semantics::{FieldPath, Schema, Upstream, Validation, ratchet, validate::Findings};
use serde_json::Value;

use crate::{
    ratcheting::RATCHET,
    table::{Fault, Finder},
};

const fn fault(
    name: &'static str,
    wrong: &'static str,
    target: fn() -> crdible::connection::Target,
    properties: &'static [&'static str],
    largest: usize,
) -> Fault {
    Fault { name, wrong, target, requirements: RATCHET, properties, largest, subtle: true, finder: Finder::Choices }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "takes-false-values-for-absent",
        "an old value that is 0, false or empty correlates with nothing",
        wrong!(Ratcheting {
            fn correlate_key<'o>(&self, old: &'o Value, key: &str, schema: &Schema) -> Option<&'o Value> {
                let is_false = |value: &Value| *value == 0 || *value == false || *value == "";
                Upstream.correlate_key(old, key, schema).filter(|value| !is_false(value))
            }
        }),
        &["ratchet-001-unchanged-values"],
        60,
    ),
    fault(
        "compares-values-loosely",
        "the string \"5\" counts as the 5 that is stored",
        wrong!(Ratcheting {
            fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
                match (new, old) {
                    (Value::Number(number), Value::String(text)) | (Value::String(text), Value::Number(number)) => {
                        number.to_string() == *text
                    }
                    _ => ratchet::equality::value(self, new, old, schema),
                }
            }
        }),
        &["ratchet-001-unchanged-values"],
        60,
    ),
    fault(
        "compares-without-case",
        "strings that differ in case count as the same",
        wrong!(Ratcheting {
            fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
                match (new.as_str(), old.as_str()) {
                    (Some(new), Some(old)) => new.eq_ignore_ascii_case(old),
                    _ => ratchet::equality::value(self, new, old, schema),
                }
            }
        }),
        &["ratchet-001-unchanged-values"],
        60,
    ),
    fault(
        "compares-integers-as-floats",
        "integers count as the same if they are one as floating-point numbers",
        wrong!(Ratcheting {
            #[allow(clippy::float_cmp)]
            fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
                match (new.is_i64() && old.is_i64(), new.as_f64(), old.as_f64()) {
                    (true, Some(new), Some(old)) => new == old,
                    _ => ratchet::equality::value(self, new, old, schema),
                }
            }
        }),
        &["ratchet-001-unchanged-values"],
        60,
    ),
    fault(
        "correlates-nothing-in-atomic-maps",
        "values in an object or map of type atomic are judged as new",
        wrong!(Ratcheting {
            fn correlate_key<'o>(&self, old: &'o Value, key: &str, schema: &Schema) -> Option<&'o Value> {
                if schema.map_type.as_deref() == Some("atomic") {
                    return None;
                }
                Upstream.correlate_key(old, key, schema)
            }
        }),
        &["ratchet-001-unchanged-values"],
        75,
    ),
    fault(
        "enforces-branches-of-unchanged-objects",
        "anyOf and oneOf of an unchanged object are enforced beside a changed sibling",
        wrong!(Ratcheting {
            fn check_value_update(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                ratchet::value(self, new, old, schema, path, findings);
                if new == old && new.is_object() {
                    self.check_any_of(new, schema, path, findings);
                    self.check_one_of(new, schema, path, findings);
                }
            }
        }),
        &["ratchet-002-whole-nodes"],
        75,
    ),
    fault(
        "enforces-the-most-of-unchanged-lists",
        "maxItems and maxProperties are enforced though nothing changed",
        wrong!(Ratcheting {
            fn check_value_update(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                ratchet::value(self, new, old, schema, path, findings);
                match new {
                    Value::Array(elements) if new == old && schema.values.max_items.is_some() => {
                        self.check_element_count(elements, schema, path, findings);
                    }
                    Value::Object(object) if new == old && schema.values.max_properties.is_some() => {
                        self.check_key_count(object, schema, path, findings);
                    }
                    _ => {}
                }
            }
        }),
        &["ratchet-002-whole-nodes"],
        75,
    ),
];
