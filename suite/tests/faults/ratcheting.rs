//! Faults in ratcheting: what an update may leave invalid.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use crdible::connection::Target;
use crdible_semantics::{
    FieldPath, Reason, Schema, Validation, ValidationContext, Violation, ratchet, validate::Findings,
};
use serde_json::{Map, Value};

use crate::{
    server::Correct,
    table::{Fault, fault},
};

/// Most properties of the chapter find a wrong comparison, each with its own requirement.
pub(crate) const RATCHET: &[&str] = &[
    "RATCHET-001",
    "RATCHET-002",
    "RATCHET-003",
    "RATCHET-004",
    "RATCHET-005",
    "RATCHET-006",
    "RATCHET-007",
    "RATCHET-013",
    "RATCHET-020",
    "RATCHET-021",
    "RATCHET-022",
    "INV-080",
    "INV-081",
    "INV-083",
    "INV-084",
    "CONV-020",
];

pub(crate) const FAULTS: &[Fault] = &[
    fault("ratchets-nothing", "an update is validated like a new object")
        .breaks(RATCHET)
        .caught_by(&[
            "ratchet-001-unchanged-values",
            "conv-020-request-version",
            "ratchet-021-fixpoint",
            "ratchet-022-no-op",
            "ratchet-020-old-value",
        ])
        .within_lines(70)
        .obvious()
        .server(wrong!(Ratcheting {
            fn value_update_violations(&self, new: &Value, _: &Value, schema: &Schema) -> Vec<Violation> {
                self.value_violations(new, schema)
            }
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                false
            }
        })),
    fault("validates-no-updates", "the values of an update are not validated")
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"])
        .caught_by(&["capability-update-validation"])
        .obvious()
        .server(wrong!(Ratcheting {
            fn value_update_violations(&self, _: &Value, _: &Value, _: &Schema) -> Vec<Violation> {
                Vec::new()
            }
        })),
    fault("ratchets-by-position", "elements of map lists are compared with the old ones by position")
        .breaks(RATCHET)
        .caught_by(&["ratchet-005-map-lists", "ratchet-007-equality"])
        .within_lines(85)
        .server(wrong!(Ratcheting {
            fn correlate_map_list<'o>(&self, elements: &[Value], old: &'o [Value], _: &[String]) -> Vec<Option<&'o Value>> {
                (0..elements.len()).map(|at| old.get(at)).collect()
            }
        })),
    fault("ratchets-by-the-first-key", "elements of map lists with two keys are compared by the first key only")
        .breaks(RATCHET)
        .caught_by(&["ratchet-005-map-lists"])
        .within_lines(90)
        .server(wrong!(Ratcheting {
            fn correlate_map_list<'o>(&self, elements: &[Value], old: &'o [Value], keys: &[String]) -> Vec<Option<&'o Value>> {
                Correct.correlate_map_list(elements, old, &keys[..keys.len().min(1)])
            }
        })),
    fault("skips-objects-with-an-unchanged-field", "an object is not validated if any of its fields is unchanged")
        // The root always has one: its apiVersion.
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"])
        .caught_by(&["capability-update-validation"])
        .server(wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _: &FieldPath<'_>) -> bool {
                let (Value::Object(new), Value::Object(old)) = (new, old) else {
                    return self.is_unchanged(new, old, schema);
                };
                new.iter().any(|(key, value)| old.get(key) == Some(value))
            }
        })),
    fault("skips-changed-invalid-values", "an invalid value may change to another invalid value")
        .breaks(&["RATCHET-001", "RATCHET-003", "RATCHET-004", "RATCHET-021", "INV-081"])
        .caught_by(&["ratchet-001-unchanged-values", "ratchet-003-changed-parents", "ratchet-021-fixpoint"])
        .within_lines(50)
        .server(wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _: &FieldPath<'_>) -> bool {
                let was_invalid = !old.is_object() && !old.is_array() && !Correct.value_violations(old, schema).is_empty();
                was_invalid || self.is_unchanged(new, old, schema)
            }
        })),
    fault("compares-numbers-by-value", "3.0 counts as unchanged where 3 is stored")
        .breaks(&["RATCHET-007"])
        .caught_by(&["ratchet-007-kinds-of-numbers"])
        .server(wrong!(Ratcheting {
            fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
                match (new.as_f64(), old.as_f64()) {
                    (Some(new), Some(old)) => new.to_bits() == old.to_bits(),
                    _ => ratchet::equality::value(self, new, old, schema),
                }
            }
        })),
    fault("ratchets-scalars-only", "violations of an unchanged object or list itself are reported")
        .breaks(RATCHET)
        .caught_by(&["ratchet-002-whole-nodes", "ratchet-006-other-lists", "ratchet-022-no-op"])
        .within_lines(75)
        .obvious()
        .server(wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _: &FieldPath<'_>) -> bool {
                !new.is_object() && !new.is_array() && self.is_unchanged(new, old, schema)
            }
        })),
    fault("ratchets-no-quantifiers", "quantifiers of an unchanged node are enforced")
        .breaks(RATCHET)
        .caught_by(&["ratchet-002-whole-nodes", "ratchet-001-unchanged-values"])
        .within_lines(60)
        .server(wrong!(Ratcheting {
            fn check_value_update(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                ratchet::value(self, new, old, schema, path, findings);
                if new == old {
                    self.check_quantifiers(new, schema, path, findings);
                }
            }
        })),
    fault("ratchets-no-formats", "the format of an unchanged string is enforced")
        .breaks(RATCHET)
        .caught_by(&["ratchet-001-unchanged-values"])
        .within_lines(65)
        .server(wrong!(Ratcheting {
            fn check_value_update(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                ratchet::value(self, new, old, schema, path, findings);
                if let (true, Some(text), false) = (new == old, new.as_str(), schema.values.format.is_empty()) {
                    self.check_format(text, schema, path, findings);
                }
            }
        })),
    fault("ratchets-atomic-lists-by-index", "elements of atomic lists are ratcheted one by one")
        .breaks(RATCHET)
        .caught_by(&["ratchet-006-other-lists"])
        .within_lines(75)
        .server(wrong!(Ratcheting {
            fn correlate_elements<'o>(&self, elements: &[Value], old: &'o Value, schema: &Schema) -> Vec<Option<&'o Value>> {
                match old {
                    Value::Array(old) if schema.list_type.as_deref() != Some("map") => (0..elements.len()).map(|at| old.get(at)).collect(),
                    _ => ratchet::correlate::elements(self, elements, old, schema),
                }
            }
        })),
    fault("ratchets-reordered-sets", "a reordered set counts as unchanged")
        .breaks(&["RATCHET-006", "INV-084"])
        .caught_by(&["ratchet-006-other-lists"])
        .within_lines(60)
        .server(wrong!(Ratcheting {
            fn is_unchanged_list(&self, new: &[Value], old: &Value, schema: &Schema) -> bool {
                if schema.list_type.as_deref() != Some("set") {
                    return ratchet::equality::list(self, new, old, schema);
                }
                let old = old.as_array().map_or(&[][..], Vec::as_slice);
                old.len() == new.len() && new.iter().all(|element| old.contains(element))
            }
        })),
    fault("ratchets-no-reordered-map-lists", "a reordered map list counts as changed")
        .breaks(RATCHET)
        .caught_by(&["ratchet-007-equality"])
        .within_lines(85)
        .server(wrong!(Ratcheting {
            fn is_unchanged_list(&self, new: &[Value], old: &Value, _: &Schema) -> bool {
                old.as_array().is_some_and(|old| old == new)
            }
        })),
    fault("ratchets-objects-that-lost-keys", "an object that only lost keys counts as unchanged")
        .breaks(RATCHET)
        .caught_by(&["ratchet-007-equality", "ratchet-002-whole-nodes"])
        .within_lines(60)
        .server(wrong!(Ratcheting {
            fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
                let kept = old.as_object().map(|old| old.iter().filter(|(key, _)| new.contains_key(*key)));
                let kept: Map<String, Value> = kept.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
                ratchet::equality::object(self, new, &Value::Object(kept), schema)
            }
        })),
    fault("validates-no-added-keys", "a field that the old object did not have is not validated")
        .breaks(RATCHET)
        .caught_by(&["ratchet-001-unchanged-values"])
        .within_lines(60)
        .server(wrong!(Ratcheting {
            fn check_object_update(
                &self,
                object: &Map<String, Value>,
                old: &Value,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let known = object.iter().filter(|(key, _)| old.get(key.as_str()).is_some());
                let known: Map<String, Value> = known.map(|(key, value)| (key.clone(), value.clone())).collect();
                ratchet::object(self, &known, old, schema, path, findings);
            }
        })),
    fault("correlates-no-map-values", "all values of a map are validated once any of them changed")
        .breaks(RATCHET)
        .caught_by(&["ratchet-001-unchanged-values"])
        .within_lines(60)
        .server(wrong!(Ratcheting {
            fn check_object_update(
                &self,
                object: &Map<String, Value>,
                old: &Value,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                if schema.value_schema().is_some() {
                    return self.check_object(object, schema, path, findings);
                }
                ratchet::object(self, object, old, schema, path, findings);
            }
        })),
    fault("ratchets-the-root-kind", "restrictions of the root's apiVersion and kind are ratcheted")
        .breaks(&["RATCHET-010", "RATCHET-011"])
        .caught_by(&["ratchet-010-type-meta"])
        .within_lines(50)
        .obvious()
        .server(wrong!(Ratcheting {
            fn ratchets_key(&self, _: &str, _: &FieldPath<'_>) -> bool {
                true
            }
        })),
    fault("ratchets-no-kind-anywhere", "an unchanged field kind or apiVersion below the root is not ratcheted")
        .breaks(&["RATCHET-010", "RATCHET-011"])
        .caught_by(&["ratchet-010-type-meta"])
        .within_lines(50)
        .server(wrong!(Ratcheting {
            fn ratchets_key(&self, key: &str, _: &FieldPath<'_>) -> bool {
                !matches!(key, "apiVersion" | "kind")
            }
        })),
    fault("rejects-old-duplicates", "duplicates from before a list became a set make every update fail")
        .breaks(&["RATCHET-012"])
        .caught_by(&["ratchet-012-list-topology"])
        .obvious()
        .server(wrong!(Ratcheting {
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                false
            }
        })),
    fault("checks-no-duplicates-on-update", "an update may add duplicates to a set")
        .breaks(&["RATCHET-012"])
        .caught_by(&["ratchet-012-list-topology"])
        .within_lines(45)
        .server(wrong!(Ratcheting {
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                true
            }
        })),
    fault("ratchets-no-objects-with-defaults", "an object with a field at its default counts as changed")
        .breaks(&["RATCHET-020"])
        .caught_by(&["ratchet-020-old-value"])
        .within_lines(50)
        .server(wrong!(Ratcheting {
            fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
                let is_default = |(key, value): (&String, &Value)| {
                    schema.properties.get(key).is_some_and(|property| property.default.as_ref() == Some(value))
                };
                !new.iter().any(is_default) && ratchet::equality::object(self, new, old, schema)
            }
        })),
    fault("ratchets-former-values", "a value that was accepted as unchanged is accepted for ever")
        .breaks(RATCHET)
        .caught_by(&["ratchet-021-fixpoint"])
        .within_lines(65)
        .server(|| Target::embedded(Arc::new(RatchetsFormerValues::default()))),
    fault("ratchets-the-root", "violations of the root are ignored if spec is unchanged")
        .breaks(&["RATCHET-009", "RATCHET-010", "RATCHET-011"])
        .caught_by(&["ratchet-009-root"])
        .server(wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>) -> bool {
                (matches!(path, FieldPath::Root) && new.get("spec") == old.get("spec")) || self.is_unchanged(new, old, schema)
            }
        })),
    fault("compares-undeclared-content", "an unchanged object with undeclared fields counts as unchanged")
        .breaks(&["RATCHET-008", "RATCHET-009"])
        .caught_by(&["ratchet-008-undeclared-content"])
        .within_lines(45)
        .server(wrong!(Ratcheting {
            fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
                old.as_object() == Some(new) || ratchet::equality::object(self, new, old, schema)
            }
        })),
    fault("rejects-removals", "an update must not remove a field of spec")
        .breaks(RATCHET)
        .caught_by(&["inv-083-only-forgives", "ratchet-001-unchanged-values"])
        .within_lines(50)
        .server(wrong!(Validation {
            fn object_violations(&self, object: &Value, schema: &Schema, context: &mut ValidationContext<'_>) -> Vec<Violation> {
                let mut found = Correct.object_violations(object, schema, context);
                for key in context.old.and_then(|old| old["spec"].as_object()).into_iter().flatten().map(|(key, _)| key) {
                    if object["spec"].is_object() && object["spec"].get(key).is_none() {
                        found.push(Violation {
                            field: format!("spec.{key}"),
                            reason: Reason::Required,
                            requirement: "RATCHET-001",
                            detail: "must stay".to_owned(),
                        });
                    }
                }
                found
            }
        })),
];

/// Remembers the invalid values that it accepted, with their paths.
#[derive(Debug, Default)]
struct RatchetsFormerValues(Mutex<BTreeSet<String>>);

implement_at_release!(RatchetsFormerValues; Ratcheting {
    fn forgives(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>) -> bool {
        let mut forgiven = self.0.lock().unwrap();
        let place = format!("{path} {new}");
        if self.is_unchanged(new, old, schema) {
            forgiven.insert(place);
            return true;
        }
        forgiven.contains(&place)
    }
});
