//! Faults in ratcheting: what an update may leave invalid.

use std::{cell::RefCell, collections::BTreeSet};

use crdible_semantics::{FieldPath, Ratcheting, Reason, Schema, Semantics, Violation, with};
use http::Method;
use serde_json::{Map, Value};

use crate::{
    json::items,
    sent::body_of,
    server::{correct, embedded, success},
    table::{Fault, fault, obvious_fault},
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
    obvious_fault("ratchets-nothing", "an update is validated like a new object")
        .breaks(
            RATCHET,
            &[
                "ratchet-001-unchanged-values",
                "conv-020-request-version",
                "ratchet-021-fixpoint",
                "ratchet-022-no-op",
                "ratchet-020-old-value",
            ],
        )
        .within_lines(70)
        .semantics(Semantics {
            ratcheting: Ratcheting {
                value_update_violations: |semantics, new, _, schema| semantics.value_violations(new, schema),
                forgives_topology: |_, _, _| false,
                ..Ratcheting::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
    obvious_fault("validates-no-updates", "the values of an update are not validated")
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"], &["capability-update-validation"])
        .semantics(with::value_update_violations(|_, _, _, _| Vec::new())),
    fault("validates-writes-of-metadata", "an update that changes metadata alone is validated like a new object")
        .breaks(&["RATCHET-002", "RATCHET-022", "INV-080"], &["ratchet-022-no-op"])
        .within_lines(60)
        .semantics(with::value_update_violations(|semantics, new, old, schema| {
            if new["spec"] == old["spec"] {
                return semantics.value_violations(new, schema);
            }
            (Ratcheting::CORRECT.value_update_violations)(semantics, new, old, schema)
        })),
    fault("ratchets-copies", "a new object may be invalid like one that exists")
        .breaks(&["RATCHET-001", "INV-082"], &["ratchet-001-unchanged-values"])
        .within_lines(60)
        .around(act!(|server, request| {
            let body = body_of(&request);
            let (is_create, path) = (*request.method() == Method::POST, request.uri().path().to_owned());
            let answered = server.pass(request).await?;
            if is_create && answered.status() == 422 {
                let is_like = |item: &Value| item["spec"] == body["spec"];
                if items(&server.get(&path).await?).any(is_like) {
                    return Ok(success(&body));
                }
            }
            Ok(answered)
        })),
    fault("ratchets-by-position", "elements of map lists are compared with the old ones by position")
        .breaks(RATCHET, &["ratchet-005-map-lists", "ratchet-007-equality"])
        .within_lines(85)
        .semantics(with::correlate_map_list(|_, elements, old, _| (0..elements.len()).map(|at| old.get(at)).collect())),
    fault("ratchets-by-the-first-key", "elements of map lists with two keys are compared by the first key only")
        .breaks(RATCHET, &["ratchet-005-map-lists"])
        .blamed(&["RATCHET-005", "INV-084"])
        .within_lines(90)
        .semantics(with::correlate_map_list(|_, elements, old, keys| {
            correct().correlate_map_list(elements, old, &keys[..keys.len().min(1)])
        })),
    fault("skips-objects-with-an-unchanged-field", "an object is not validated if any of its fields is unchanged")
        // The root always has one: its apiVersion.
        .breaks(&["VALUE-001", "VALUE-018", "VALUE-021"], &["capability-update-validation"])
        .semantics(with::forgives(|semantics, new, old, schema, _| {
            let (Value::Object(new), Value::Object(old)) = (new, old) else {
                return semantics.is_unchanged(new, old, schema);
            };
            new.iter().any(|(key, value)| old.get(key) == Some(value))
        })),
    fault("skips-changed-invalid-values", "an invalid value may change to another invalid value")
        .breaks(
            &["RATCHET-001", "RATCHET-003", "RATCHET-004", "RATCHET-021", "INV-081"],
            &["ratchet-001-unchanged-values", "ratchet-003-changed-parents", "ratchet-021-fixpoint"],
        )
        .within_lines(50)
        .semantics(with::forgives(|semantics, new, old, schema, _| {
            let was_invalid =
                !old.is_object() && !old.is_array() && !correct().value_violations(old, schema).is_empty();
            was_invalid || semantics.is_unchanged(new, old, schema)
        })),
    fault("compares-numbers-by-value", "3.0 counts as unchanged where 3 is stored")
        .breaks(&["RATCHET-007"], &["ratchet-007-kinds-of-numbers"])
        .semantics(with::is_unchanged(|semantics, new, old, schema| match (new.as_f64(), old.as_f64()) {
            (Some(new), Some(old)) => new.to_bits() == old.to_bits(),
            _ => (Ratcheting::CORRECT.is_unchanged)(semantics, new, old, schema),
        })),
    obvious_fault("ratchets-scalars-only", "violations of an unchanged object or list itself are reported")
        .breaks(RATCHET, &["ratchet-002-whole-nodes", "ratchet-006-other-lists", "ratchet-022-no-op"])
        .within_lines(75)
        .semantics(with::forgives(|semantics, new, old, schema, _| {
            !new.is_object() && !new.is_array() && semantics.is_unchanged(new, old, schema)
        })),
    fault("ratchets-no-quantifiers", "quantifiers of an unchanged node are enforced")
        .breaks(RATCHET, &["ratchet-002-whole-nodes", "ratchet-001-unchanged-values"])
        .within_lines(60)
        .semantics(with::check_value_update(|semantics, new, old, schema, path, findings| {
            (Ratcheting::CORRECT.check_value_update)(semantics, new, old, schema, path, findings);
            if new == old {
                semantics.check_quantifiers(new, schema, path, findings);
            }
        })),
    fault("ratchets-no-formats", "the format of an unchanged string is enforced")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .within_lines(65)
        .semantics(with::check_value_update(|semantics, new, old, schema, path, findings| {
            (Ratcheting::CORRECT.check_value_update)(semantics, new, old, schema, path, findings);
            if let (true, Some(text), false) = (new == old, new.as_str(), schema.values.format.is_empty()) {
                semantics.check_format(text, schema, path, findings);
            }
        })),
    fault("ratchets-atomic-lists-by-index", "elements of atomic lists are ratcheted one by one")
        .breaks(RATCHET, &["ratchet-006-other-lists"])
        .within_lines(75)
        .semantics(with::correlate_elements(|semantics, elements, old, schema| match old {
            Value::Array(old) if schema.list_type.as_deref() != Some("map") => {
                (0..elements.len()).map(|at| old.get(at)).collect()
            }
            _ => (Ratcheting::CORRECT.correlate_elements)(semantics, elements, old, schema),
        })),
    fault("ratchets-reordered-sets", "a reordered set counts as unchanged")
        .breaks(&["RATCHET-006", "INV-084"], &["ratchet-006-other-lists"])
        .within_lines(60)
        .semantics(with::is_unchanged_list(|semantics, new, old, schema| {
            if schema.list_type.as_deref() != Some("set") {
                return (Ratcheting::CORRECT.is_unchanged_list)(semantics, new, old, schema);
            }
            let old = old.as_array().map_or(&[][..], Vec::as_slice);
            old.len() == new.len() && new.iter().all(|element| old.contains(element))
        })),
    fault("ratchets-no-reordered-map-lists", "a reordered map list counts as changed")
        .breaks(RATCHET, &["ratchet-007-equality"])
        .blamed(&["RATCHET-007", "INV-084"])
        .within_lines(85)
        .semantics(with::is_unchanged_list(|_, new, old, _| old.as_array().is_some_and(|old| old == new))),
    fault("ratchets-objects-that-lost-keys", "an object that only lost keys counts as unchanged")
        .breaks(RATCHET, &["ratchet-007-equality", "ratchet-002-whole-nodes"])
        .within_lines(60)
        .semantics(with::is_unchanged_object(|semantics, new, old, schema| {
            let kept = old.as_object().map(|old| old.iter().filter(|(key, _)| new.contains_key(*key)));
            let kept: Map<String, Value> =
                kept.into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
            (Ratcheting::CORRECT.is_unchanged_object)(semantics, new, &Value::Object(kept), schema)
        })),
    fault("validates-no-added-keys", "a field that the old object did not have is not validated")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .within_lines(60)
        .semantics(with::check_object_update(|semantics, object, old, schema, path, findings| {
            let known = object.iter().filter(|(key, _)| old.get(key.as_str()).is_some());
            let known: Map<String, Value> = known.map(|(key, value)| (key.clone(), value.clone())).collect();
            (Ratcheting::CORRECT.check_object_update)(semantics, &known, old, schema, path, findings);
        })),
    fault("correlates-no-map-values", "all values of a map are validated once any of them changed")
        .breaks(RATCHET, &["ratchet-001-unchanged-values"])
        .within_lines(60)
        .semantics(with::check_object_update(|semantics, object, old, schema, path, findings| {
            if schema.value_schema().is_some() {
                return semantics.check_object(object, schema, path, findings);
            }
            (Ratcheting::CORRECT.check_object_update)(semantics, object, old, schema, path, findings);
        })),
    obvious_fault("ratchets-the-root-kind", "restrictions of the root's apiVersion and kind are ratcheted")
        .breaks(&["RATCHET-010", "RATCHET-011"], &["ratchet-010-type-meta"])
        .within_lines(50)
        .semantics(with::ratchets_key(|_, _, _| true)),
    fault("ratchets-no-kind-anywhere", "an unchanged field kind or apiVersion below the root is not ratcheted")
        .breaks(&["RATCHET-010", "RATCHET-011"], &["ratchet-010-type-meta"])
        .within_lines(50)
        .semantics(with::ratchets_key(|_, key, _| !matches!(key, "apiVersion" | "kind"))),
    fault("ratchets-missing-embedded-kinds", "an embedded object without apiVersion or kind may stay so")
        .breaks(&["RATCHET-010", "RATCHET-011"], &["ratchet-010-type-meta"])
        .within_lines(50)
        .semantics(with::object_violations(|_, object, schema, old| {
            let mut found = correct().object_violations(object, schema, old);
            if old.is_some_and(|old| old["spec"]["e"] == object["spec"]["e"]) {
                found.retain(|violation| !violation.field.starts_with("spec.e."));
            }
            found
        })),
    obvious_fault("rejects-old-duplicates", "duplicates from before a list became a set make every update fail")
        .breaks(&["RATCHET-012"], &["ratchet-012-list-topology"])
        .semantics(with::forgives_topology(|_, _, _| false)),
    fault("checks-no-duplicates-on-update", "an update may add duplicates to a set")
        .breaks(&["RATCHET-012"], &["ratchet-012-list-topology"])
        .within_lines(45)
        .semantics(with::forgives_topology(|_, _, _| true)),
    fault("ratchets-no-objects-with-defaults", "an object with a field at its default counts as changed")
        .breaks(&["RATCHET-020"], &["ratchet-020-old-value"])
        .within_lines(50)
        .semantics(with::is_unchanged_object(|semantics, new, old, schema| {
            let is_default = |(key, value): (&String, &Value)| {
                schema.properties.get(key).is_some_and(|property| property.default.as_ref() == Some(value))
            };
            !new.iter().any(is_default) && (Ratcheting::CORRECT.is_unchanged_object)(semantics, new, old, schema)
        })),
    fault("ratchets-former-values", "a value that was accepted as unchanged is accepted for ever")
        .breaks(RATCHET, &["ratchet-021-fixpoint"])
        .within_lines(65)
        .server(|| {
            FORGIVEN.take();
            embedded(with::forgives(forgives_former_values))
        }),
    fault("ratchets-the-root", "violations of the root are ignored if spec is unchanged")
        .breaks(&["RATCHET-009", "RATCHET-010", "RATCHET-011"], &["ratchet-009-root"])
        .semantics(with::forgives(|semantics, new, old, schema, path| {
            (matches!(path, FieldPath::Root) && new.get("spec") == old.get("spec"))
                || semantics.is_unchanged(new, old, schema)
        })),
    fault("compares-undeclared-content", "an unchanged object with undeclared fields counts as unchanged")
        .breaks(&["RATCHET-008", "RATCHET-009"], &["ratchet-008-undeclared-content"])
        .within_lines(45)
        .semantics(with::is_unchanged_object(|semantics, new, old, schema| {
            old.as_object() == Some(new) || (Ratcheting::CORRECT.is_unchanged_object)(semantics, new, old, schema)
        })),
    fault("rejects-removals", "an update must not remove a field of spec")
        .breaks(
            &["INV-083", "RATCHET-001", "RATCHET-004", "RATCHET-013", "INV-080"],
            &["inv-083-only-forgives", "ratchet-001-unchanged-values"],
        )
        .within_lines(50)
        .semantics(with::object_violations(|_, object, schema, old| {
            let mut found = correct().object_violations(object, schema, old);
            for key in old.and_then(|old| old["spec"].as_object()).into_iter().flatten().map(|(key, _)| key) {
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
        })),
];

thread_local! {
    /// The invalid values that the server of this thread accepted, with their paths.
    static FORGIVEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn forgives_former_values(
    semantics: &Semantics,
    new: &Value,
    old: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
) -> bool {
    let place = format!("{path} {new}");
    if semantics.is_unchanged(new, old, schema) {
        FORGIVEN.with_borrow_mut(|forgiven| forgiven.insert(place));
        return true;
    }
    FORGIVEN.with_borrow(|forgiven| forgiven.contains(&place))
}
