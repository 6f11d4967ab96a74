//! Faults in the validation of set and map lists, and in what is told of several faults.

use crdible_semantics::{FieldPath, Reason, Schema, Upstream, ValidationContext, Violation, validate};
use serde_json::Value;

use crate::table::{Fault, Finder};

fn repeated(path: &FieldPath<'_>, at: usize) -> Violation {
    let field = path.index(at).to_string();
    Violation { field, reason: Reason::Duplicate, requirement: "VALUE-033", detail: "equal".to_owned() }
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "compares-scalars-alone",
        wrong: "a set may hold equal objects and lists",
        target: wrong!(Validation {
            fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                if elements.iter().all(|element| !element.is_object() && !element.is_array()) {
                    Upstream.check_set(elements, path, found);
                }
            }
        }),
        requirements: &["VALUE-033", "VALUE-047", "INV-032"],
        properties: &["value-033-set-lists"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-every-repetition",
        wrong: "each further equal element of a set is told",
        target: wrong!(Validation {
            fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                for at in 1..elements.len() {
                    if elements[..at].contains(&elements[at]) {
                        found.push(repeated(path, at));
                    }
                }
            }
        }),
        requirements: &["VALUE-033", "INV-032"],
        properties: &["value-033-set-lists"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-the-first-of-equals",
        wrong: "a repeated element of a set is told where it stands first",
        target: wrong!(Validation {
            fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                for at in 0..elements.len() {
                    if !elements[..at].contains(&elements[at]) && elements[at + 1..].contains(&elements[at]) {
                        found.push(repeated(path, at));
                    }
                }
            }
        }),
        requirements: &["VALUE-033", "VALUE-035", "VALUE-043", "INV-032"],
        properties: &["value-033-set-lists", "value-035-anywhere"],
        largest: 35,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-neighbours-alone",
        wrong: "equal elements of a set are found only side by side",
        target: wrong!(Validation {
            fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                for at in 1..elements.len() {
                    if elements[at] == elements[at - 1] && (at < 2 || elements[at] != elements[at - 2]) {
                        found.push(repeated(path, at));
                    }
                }
            }
        }),
        requirements: &["VALUE-033", "INV-032"],
        properties: &["value-033-set-lists"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-the-first-key-alone",
        wrong: "elements of a map list are equal if their first keys are",
        target: wrong!(Validation {
            fn check_map_list(&self, elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                Upstream.check_map_list(elements, &keys[..keys.len().min(1)], path, found);
            }
        }),
        requirements: &["VALUE-034", "VALUE-047", "INV-033"],
        properties: &["value-034-map-lists"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-the-whole-element",
        wrong: "elements of a map list are equal only as a whole",
        target: wrong!(Validation {
            fn check_map_list(&self, elements: &[Value], _: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                Upstream.check_set(elements, path, found);
            }
        }),
        requirements: &["VALUE-034", "INV-033"],
        properties: &["value-034-map-lists"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-no-list-in-maps",
        wrong: "list types below maps are ignored",
        target: wrong!(Validation {
            fn check_topology(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                if !path.to_string().contains('[') || !path.to_string().contains("[k]") {
                    validate::topology::node(self, value, schema, path, found);
                }
            }
        }),
        requirements: &["VALUE-033", "VALUE-034", "VALUE-035", "VALUE-043", "VALUE-047", "INV-032", "INV-033"],
        properties: &["value-035-anywhere"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-no-list-on-updates",
        wrong: "list types are checked when objects are created alone",
        target: wrong!(Ratcheting {
            fn forgives_topology(&self, _: &Value, _: &Schema) -> bool {
                true
            }
        }),
        requirements: &["VALUE-037"],
        properties: &["value-037-topology-on-update"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-one-cause-alone",
        wrong: "of several causes the first is told",
        target: wrong!(Validation {
            fn object_violations(&self, object: &Value, schema: &Schema, context: &mut ValidationContext<'_>) -> Vec<Violation> {
                let mut found = Upstream.object_violations(object, schema, context);
                found.truncate(1);
                found
            }
        }),
        requirements: &["VALUE-001", "VALUE-038", "VALUE-043"],
        properties: &["value-038-phases", "value-001-several-causes"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-no-repetition-beside-others",
        wrong: "repeated elements are told only if all values are right",
        target: wrong!(Validation {
            fn object_violations(&self, object: &Value, schema: &Schema, context: &mut ValidationContext<'_>) -> Vec<Violation> {
                let mut found = Upstream.object_violations(object, schema, context);
                if found.iter().any(|violation| violation.reason != Reason::Duplicate) {
                    found.retain(|violation| violation.reason != Reason::Duplicate);
                }
                found
            }
        }),
        requirements: &["VALUE-034", "VALUE-038", "VALUE-043"],
        properties: &["value-038-phases"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-numbers-as-written",
        wrong: "`1` and `1.0` within elements of sets and keys of map lists differ",
        target: wrong!(Validation {
            fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                let texts: Vec<Value> = elements.iter().map(|element| Value::String(element.to_string())).collect();
                Upstream.check_set(&texts, path, found);
            }
            fn check_map_list(&self, elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                let mut texts = elements.to_vec();
                for element in &mut texts {
                    for value in element.as_object_mut().into_iter().flat_map(|object| object.values_mut()) {
                        *value = Value::String(value.to_string());
                    }
                }
                Upstream.check_map_list(&texts, keys, path, found);
            }
        }),
        requirements: &["VALUE-033", "VALUE-034", "VALUE-047"],
        properties: &["value-047-equal-numbers", "value-047-defect-numbers"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
];
