//! Faults in the validation of set and map lists, and in the report of several violations.

use crdible_semantics::{FieldPath, Reason, Semantics, Validation, Violation, with};
use serde_json::Value;

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

fn duplicate(path: &FieldPath<'_>, at: usize) -> Violation {
    let field = path.index(at).to_string();
    Violation { field, reason: Reason::Duplicate, requirement: "VALUE-033", detail: "equal".to_owned() }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("compares-scalars-only", "a set may have duplicate objects and lists")
        .breaks(&["VALUE-033", "VALUE-047", "INV-032"], &["value-033-set-lists"])
        .semantics(with::check_set(|_, elements, path, found| {
            if elements.iter().all(|element| !element.is_object() && !element.is_array()) {
                correct().check_set(elements, path, found);
            }
        })),
    fault("reports-every-duplicate", "each duplicate of a set element is reported, not only the first")
        .breaks(&["VALUE-033", "INV-032"], &["value-033-set-lists"])
        .within_lines(25)
        .semantics(with::check_set(|_, elements, path, found| {
            for at in 1..elements.len() {
                if elements[..at].contains(&elements[at]) {
                    found.push(duplicate(path, at));
                }
            }
        })),
    obvious_fault("reports-the-first-of-duplicates", "a duplicate of a set is reported at its first occurrence")
        .breaks(&["VALUE-033", "VALUE-035", "VALUE-043", "INV-032"], &["value-033-set-lists", "value-035-anywhere"])
        .within_lines(35)
        .semantics(with::check_set(|_, elements, path, found| {
            for at in 0..elements.len() {
                if !elements[..at].contains(&elements[at]) && elements[at + 1..].contains(&elements[at]) {
                    found.push(duplicate(path, at));
                }
            }
        })),
    fault("compares-neighbours-only", "duplicates in a set are found only side by side")
        .breaks(&["VALUE-033", "INV-032"], &["value-033-set-lists"])
        .within_lines(25)
        .semantics(with::check_set(|_, elements, path, found| {
            for at in 1..elements.len() {
                if elements[at] == elements[at - 1] && (at < 2 || elements[at] != elements[at - 2]) {
                    found.push(duplicate(path, at));
                }
            }
        })),
    obvious_fault("compares-the-first-key-only", "elements of a map list are duplicates if their first keys are equal")
        .breaks(&["VALUE-034", "VALUE-047", "INV-033"], &["value-034-map-lists"])
        .within_lines(40)
        .semantics(with::check_map_list(|_, elements, keys, path, found| {
            correct().check_map_list(elements, &keys[..keys.len().min(1)], path, found)
        })),
    fault("compares-the-whole-element", "elements of a map list are duplicates only if they are equal as a whole")
        .breaks(&["VALUE-034", "INV-033"], &["value-034-map-lists"])
        .within_lines(35)
        .semantics(with::check_map_list(|_, elements, _, path, found| correct().check_set(elements, path, found))),
    fault("checks-no-lists-in-maps", "list types below maps are ignored")
        .breaks(
            &["VALUE-033", "VALUE-034", "VALUE-035", "VALUE-043", "VALUE-047", "INV-032", "INV-033"],
            &["value-035-anywhere"],
        )
        .semantics(with::check_topology(|semantics, value, schema, path, found| {
            if !path.to_string().contains('[') || !path.to_string().contains("[k]") {
                (Validation::CORRECT.check_topology)(semantics, value, schema, path, found);
            }
        })),
    fault("checks-no-lists-on-update", "list types are checked on create, not on update")
        .breaks(&["VALUE-037"], &["value-037-topology-on-update"])
        .semantics(with::forgives_topology(|_, _, _| true)),
    obvious_fault("reports-the-first-cause-only", "of several causes only the first is reported")
        .breaks(&["VALUE-001", "VALUE-038", "VALUE-043"], &["value-038-phases", "value-001-several-causes"])
        .within_lines(60)
        .semantics(with::object_violations(|_, object, schema, old| {
            let mut found = correct().object_violations(object, schema, old);
            found.truncate(1);
            found
        })),
    fault("reports-duplicates-alone", "duplicates are reported only if there is no other violation")
        .breaks(&["VALUE-034", "VALUE-038", "VALUE-043"], &["value-038-phases"])
        .within_lines(60)
        .semantics(with::object_violations(|_, object, schema, old| {
            let mut found = correct().object_violations(object, schema, old);
            if found.iter().any(|violation| violation.reason != Reason::Duplicate) {
                found.retain(|violation| violation.reason != Reason::Duplicate);
            }
            found
        })),
    fault("compares-numbers-as-written", "`1` and `1.0` differ in elements of sets and keys of map lists")
        .breaks(&["VALUE-033", "VALUE-034", "VALUE-047"], &["value-047-equal-numbers", "value-047-defect-numbers"])
        .within_lines(25)
        .semantics(Semantics {
            validation: Validation {
                check_set: |_, elements, path, found| {
                    let texts: Vec<Value> = elements.iter().map(|element| Value::String(element.to_string())).collect();
                    correct().check_set(&texts, path, found);
                },
                check_map_list: |_, elements, keys, path, found| {
                    let mut texts = elements.to_vec();
                    for element in &mut texts {
                        for value in element.as_object_mut().into_iter().flat_map(|object| object.values_mut()) {
                            *value = Value::String(value.to_string());
                        }
                    }
                    correct().check_map_list(&texts, keys, path, found);
                },
                ..Validation::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
];
