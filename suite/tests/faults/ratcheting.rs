//! Faults in what an update may leave as it was.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use crdible::connection::Target;
use crdible_semantics::{
    FieldPath, Reason, Schema, Upstream, Validation, ValidationContext, Violation, implement_semantics, ratchet,
    validate::Findings,
};
use serde_json::{Map, Value};

use crate::table::{Fault, Finder};

/// Whatever is wrong in comparing, most properties of the chapter see it, each in its own words.
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
    Fault {
        name: "ratchets-nothing",
        wrong: "an update is judged like a new object",
        target: wrong!(Ratcheting {
            fn value_update_violations(&self, new: &Value, _: &Value, schema: &Schema) -> Vec<Violation> {
                self.value_violations(new, schema)
            }
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                false
            }
        }),
        requirements: RATCHET,
        properties: &[
            "ratchet-001-unchanged-values",
            "conv-020-request-version",
            "ratchet-021-fixpoint",
            "ratchet-022-no-op",
            "ratchet-020-old-value",
        ],
        largest: 70,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-no-updates",
        wrong: "the values of an update are not validated",
        target: wrong!(Ratcheting {
            fn value_update_violations(&self, _: &Value, _: &Value, _: &Schema) -> Vec<Violation> {
                Vec::new()
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-001-unchanged-values", "ratchet-006-other-lists", "ratchet-021-fixpoint"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-by-position",
        wrong: "elements of map lists are compared with the old ones at their positions",
        target: wrong!(Ratcheting {
            fn correlate_map_list<'o>(&self, elements: &[Value], old: &'o [Value], _: &[String]) -> Vec<Option<&'o Value>> {
                (0..elements.len()).map(|at| old.get(at)).collect()
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-005-map-lists", "ratchet-007-equality"],
        largest: 85,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-by-the-first-key",
        wrong: "elements of map lists with two keys are compared by the first of them",
        target: wrong!(Ratcheting {
            fn correlate_map_list<'o>(&self, elements: &[Value], old: &'o [Value], keys: &[String]) -> Vec<Option<&'o Value>> {
                Upstream.correlate_map_list(elements, old, &keys[..keys.len().min(1)])
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-005-map-lists"],
        largest: 90,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgives-objects-with-something-unchanged",
        wrong: "an object is forgiven as a whole once any of its keys is unchanged",
        target: wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _: &FieldPath<'_>) -> bool {
                let (Value::Object(new), Value::Object(old)) = (new, old) else {
                    return self.is_unchanged(new, old, schema);
                };
                new.iter().any(|(key, value)| old.get(key) == Some(value))
            }
        }),
        requirements: &["RATCHET-001", "RATCHET-002", "RATCHET-003", "RATCHET-004"],
        properties: &["ratchet-003-changed-parents", "ratchet-002-whole-nodes"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgives-changed-values",
        wrong: "a value that was wrong before may become another wrong one",
        target: wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _: &FieldPath<'_>) -> bool {
                let were_wrong = !old.is_object() && !old.is_array() && !Upstream.value_violations(old, schema).is_empty();
                were_wrong || self.is_unchanged(new, old, schema)
            }
        }),
        requirements: &["RATCHET-001", "RATCHET-003", "RATCHET-004", "RATCHET-021", "INV-081"],
        properties: &["ratchet-001-unchanged-values", "ratchet-003-changed-parents", "ratchet-021-fixpoint"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-numbers-by-value",
        wrong: "3.0 counts as the 3 that is stored",
        target: wrong!(Ratcheting {
            fn is_unchanged(&self, new: &Value, old: &Value, schema: &Schema) -> bool {
                match (new.as_f64(), old.as_f64()) {
                    (Some(new), Some(old)) => new.to_bits() == old.to_bits(),
                    _ => ratchet::equality::value(self, new, old, schema),
                }
            }
        }),
        requirements: &["RATCHET-007"],
        properties: &["ratchet-007-kinds-of-numbers"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgives-single-values-only",
        wrong: "what is wrong at an object or a list itself is never forgiven",
        target: wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, _: &FieldPath<'_>) -> bool {
                !new.is_object() && !new.is_array() && self.is_unchanged(new, old, schema)
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-002-whole-nodes", "ratchet-006-other-lists", "ratchet-022-no-op"],
        largest: 75,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-no-quantifiers",
        wrong: "quantifiers of an unchanged node are enforced",
        target: wrong!(Ratcheting {
            fn check_value_update(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                ratchet::value(self, new, old, schema, path, findings);
                if new == old {
                    self.check_quantifiers(new, schema, path, findings);
                }
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-002-whole-nodes", "ratchet-001-unchanged-values"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-no-formats",
        wrong: "the format of an unchanged text is enforced",
        target: wrong!(Ratcheting {
            fn check_value_update(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                ratchet::value(self, new, old, schema, path, findings);
                if let (true, Some(text), false) = (new == old, new.as_str(), schema.values.format.is_empty()) {
                    self.check_format(text, schema, path, findings);
                }
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-001-unchanged-values"],
        largest: 65,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-atomic-lists-by-index",
        wrong: "elements of atomic lists are forgiven one by one",
        target: wrong!(Ratcheting {
            fn correlate_elements<'o>(&self, elements: &[Value], old: &'o Value, schema: &Schema) -> Vec<Option<&'o Value>> {
                match old {
                    Value::Array(old) if schema.list_type.as_deref() != Some("map") => {
                        (0..elements.len()).map(|at| old.get(at)).collect()
                    }
                    _ => ratchet::correlate::elements(self, elements, old, schema),
                }
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-006-other-lists"],
        largest: 75,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgives-reordered-sets",
        wrong: "a set whose elements come in another order counts as unchanged",
        target: wrong!(Ratcheting {
            fn is_unchanged_list(&self, new: &[Value], old: &Value, schema: &Schema) -> bool {
                if schema.list_type.as_deref() != Some("set") {
                    return ratchet::equality::list(self, new, old, schema);
                }
                let old = old.as_array().map_or(&[][..], Vec::as_slice);
                old.len() == new.len() && new.iter().all(|element| old.contains(element))
            }
        }),
        requirements: &["RATCHET-006", "INV-084"],
        properties: &["ratchet-006-other-lists"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-reordered-map-lists-for-changed",
        wrong: "a map list whose elements come in another order counts as changed",
        target: wrong!(Ratcheting {
            fn is_unchanged_list(&self, new: &[Value], old: &Value, _: &Schema) -> bool {
                old.as_array().is_some_and(|old| old == new)
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-007-equality"],
        largest: 85,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-fewer-keys-for-unchanged",
        wrong: "an object that only lost keys counts as unchanged",
        target: wrong!(Ratcheting {
            fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
                let kept = old.as_object().map(|old| old.iter().filter(|(key, _)| new.contains_key(*key)));
                let kept: Map<String, Value> =
                    kept.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
                ratchet::equality::object(self, new, &Value::Object(kept), schema)
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-007-equality", "ratchet-002-whole-nodes"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "overlooks-added-keys",
        wrong: "a key that the old object did not have is not validated",
        target: wrong!(Ratcheting {
            fn check_object_update(&self, object: &Map<String, Value>, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let known = object.iter().filter(|(key, _)| old.get(key.as_str()).is_some());
                let known: Map<String, Value> = known.map(|(key, value)| (key.clone(), value.clone())).collect();
                ratchet::object(self, &known, old, schema, path, findings);
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-001-unchanged-values"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "correlates-no-map-values",
        wrong: "the values of maps are validated in full once any of them changed",
        target: wrong!(Ratcheting {
            fn check_object_update(&self, object: &Map<String, Value>, old: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                if schema.value_schema().is_some() {
                    return self.check_object(object, schema, path, findings);
                }
                ratchet::object(self, object, old, schema, path, findings);
            }
        }),
        requirements: RATCHET,
        properties: &["ratchet-001-unchanged-values"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-the-root-kind",
        wrong: "restrictions of the root's apiVersion and kind are forgiven",
        target: wrong!(Ratcheting {
            fn ratchets_key(&self, _: &str, _: &FieldPath<'_>) -> bool {
                true
            }
        }),
        requirements: &["RATCHET-010", "RATCHET-011"],
        properties: &["ratchet-010-type-meta"],
        largest: 50,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-no-kind-anywhere",
        wrong: "a field kind or apiVersion further down is never forgiven",
        target: wrong!(Ratcheting {
            fn ratchets_key(&self, key: &str, _: &FieldPath<'_>) -> bool {
                !matches!(key, "apiVersion" | "kind")
            }
        }),
        requirements: &["RATCHET-010", "RATCHET-011"],
        properties: &["ratchet-010-type-meta"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "refuses-old-duplicates",
        wrong: "duplicates that were there before a list became a set hinder every update",
        target: wrong!(Ratcheting {
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                false
            }
        }),
        requirements: &["RATCHET-012"],
        properties: &["ratchet-012-list-topology"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-no-duplicates-on-update",
        wrong: "an update may bring duplicates into a set",
        target: wrong!(Ratcheting {
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                true
            }
        }),
        requirements: &["RATCHET-012"],
        properties: &["ratchet-012-list-topology"],
        largest: 45,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-defaults-for-changes",
        wrong: "an object in which something stands at its default counts as changed",
        target: wrong!(Ratcheting {
            fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
                let is_default = |(key, value): (&String, &Value)| {
                    schema.properties.get(key).is_some_and(|property| property.default.as_ref() == Some(value))
                };
                !new.iter().any(is_default) && ratchet::equality::object(self, new, old, schema)
            }
        }),
        requirements: &["RATCHET-020"],
        properties: &["ratchet-020-old-value"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgives-former-values",
        wrong: "a value that was forgiven once is forgiven for ever, also after it was mended",
        target: || Target::embedded(Arc::new(<Remembering as Default>::default())),
        requirements: RATCHET,
        properties: &["ratchet-021-fixpoint"],
        largest: 65,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "ratchets-the-root",
        wrong: "an object whose spec is unchanged is forgiven what the root demands",
        target: wrong!(Ratcheting {
            fn forgives(&self, new: &Value, old: &Value, schema: &Schema, path: &FieldPath<'_>) -> bool {
                (matches!(path, FieldPath::Root) && new.get("spec") == old.get("spec")) || self.is_unchanged(new, old, schema)
            }
        }),
        requirements: &["RATCHET-009", "RATCHET-010", "RATCHET-011"],
        properties: &["ratchet-009-root"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-undeclared-content",
        wrong: "an object with undeclared keys counts as unchanged if it is",
        target: wrong!(Ratcheting {
            fn is_unchanged_object(&self, new: &Map<String, Value>, old: &Value, schema: &Schema) -> bool {
                old.as_object() == Some(new) || ratchet::equality::object(self, new, old, schema)
            }
        }),
        requirements: &["RATCHET-008", "RATCHET-009"],
        properties: &["ratchet-008-undeclared-content"],
        largest: 45,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "refuses-removals",
        wrong: "an update must not leave out what spec had",
        target: wrong!(Validation {
            fn object_violations(&self, object: &Value, schema: &Schema, context: &mut ValidationContext<'_>) -> Vec<Violation> {
                let mut found = Upstream.object_violations(object, schema, context);
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
        }),
        requirements: RATCHET,
        properties: &["inv-083-only-forgives", "ratchet-001-unchanged-values"],
        largest: 50,
        subtle: true,
        finder: Finder::Choices,
    },
];

/// Remembers the values that it forgave, by their places.
#[derive(Debug, Default)]
struct Remembering(Mutex<BTreeSet<String>>);

implement_semantics!(Remembering; Ratcheting {
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
