//! Faults in the validation of objects and lists.

use crdible_semantics::{FieldPath, Reason, Validation, with};
use serde_json::{Map, Value};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("reports-the-first-missing-field-only", "only the first missing field is reported")
        .breaks(&["VALUE-021"], &["value-021-required"])
        .within_lines(25)
        .semantics(with::check_required(|_, object, schema, path, findings| {
            let mut schema = schema.clone();
            let missing = schema.values.required.iter().find(|name| !object.contains_key(*name)).cloned();
            schema.values.required = missing.into_iter().collect();
            correct().check_required(object, &schema, path, findings);
        })),
    fault("ignores-undeclared-required-fields", "a required field that is not declared is ignored")
        .breaks(&["VALUE-021"], &["value-021-required"])
        .by_example_only()
        .semantics(with::check_required(|_, object, schema, path, findings| {
            let mut other = schema.clone();
            other.values.required.retain(|name| schema.properties.contains_key(name));
            correct().check_required(object, &other, path, findings);
        })),
    obvious_fault("reports-missing-fields-at-the-parent", "a missing field is reported at the object")
        .breaks(&["VALUE-021", "INV-034"], &["value-021-required", "inv-034-errors-are-located"])
        .semantics(with::check_required(|_, object, schema, path, findings| {
            if schema.values.required.iter().any(|name| !object.contains_key(name)) {
                findings.violation(path, Reason::Required, "VALUE-021", || "missing".to_owned());
            }
        })),
    fault("counts-no-nulls", "minProperties does not count nulls")
        .breaks(&["VALUE-002", "VALUE-022"], &["value-022-property-counts"])
        .within_lines(45)
        .semantics(with::check_key_count(|_, object, schema, path, findings| {
            let mut object = object.clone();
            if schema.values.min_properties.is_some() {
                object.retain(|_, value| !value.is_null());
            }
            correct().check_key_count(&object, schema, path, findings);
        })),
    fault("counts-no-meta-fields", "counts at the root leave out apiVersion, kind and metadata")
        .breaks(&["VALUE-022"], &["value-022-property-counts"])
        .within_lines(20)
        .by_example_only()
        .semantics(with::check_key_count(|_, object, schema, path, findings| {
            let mut object = object.clone();
            if matches!(path, FieldPath::Root) {
                object.retain(|key, _| !["apiVersion", "kind", "metadata"].contains(&key.as_str()));
            }
            correct().check_key_count(&object, schema, path, findings);
        })),
    obvious_fault("validates-no-map-values", "values of maps are not validated")
        .breaks(
            &["VALUE-001", "VALUE-023", "VALUE-025", "INV-030"],
            &["value-023-containers", "inv-030-location-independence"],
        )
        .within_lines(60)
        .semantics(with::check_map_value(|_, _, _, _, _| {})),
    fault("validates-two-elements-only", "elements after the second are not validated")
        .breaks(&["VALUE-001", "VALUE-019", "VALUE-024", "VALUE-025"], &["value-023-containers"])
        .within_lines(20)
        .semantics(with::check_array(|semantics, elements, schema, path, findings| {
            (Validation::CORRECT.check_array)(
                semantics,
                &elements[..elements.len().min(2)],
                schema,
                path,
                &mut *findings,
            );
            semantics.check_element_count(elements, schema, path, findings);
        })),
    fault("counts-no-null-elements", "minItems and maxItems do not count nulls")
        .breaks(&["VALUE-024"], &["value-024-item-counts"])
        .within_lines(18)
        .semantics(with::check_element_count(|_, elements, schema, path, findings| {
            let elements: Vec<Value> = elements.iter().filter(|element| !element.is_null()).cloned().collect();
            correct().check_element_count(&elements, schema, path, findings);
        })),
    obvious_fault("accepts-one-element-too-many", "maxItems is one too large")
        .breaks(&["VALUE-024"], &["value-024-item-counts"])
        .within_lines(18)
        .semantics(with::check_element_count(|_, elements, schema, path, findings| {
            let mut schema = schema.clone();
            schema.values.max_items = schema.values.max_items.map(|most| most + 1);
            correct().check_element_count(elements, &schema, path, findings);
        })),
    obvious_fault("treats-lists-as-sets", "lists without a list type reject duplicate elements")
        .breaks(&["VALUE-026", "VALUE-036"], &["value-026-equal-elements"])
        .within_lines(25)
        .semantics(with::check_topology(|semantics, value, schema, path, found| {
            let mut other = schema.clone();
            if other.type_name == "array" && other.list_type.is_none() {
                other.list_type = Some("set".to_owned());
            }
            (Validation::CORRECT.check_topology)(semantics, value, &other, path, found);
        })),
    fault("treats-lists-of-atomic-maps-as-sets", "lists of atomic maps reject duplicate elements")
        .breaks(&["VALUE-036"], &["value-026-equal-elements"])
        .within_lines(25)
        .semantics(with::check_topology(|semantics, value, schema, path, found| {
            let mut other = schema.clone();
            let items = schema.item_schema();
            if other.list_type.is_none() && items.is_some_and(|items| items.map_type.as_deref() == Some("atomic")) {
                other.list_type = Some("set".to_owned());
            }
            (Validation::CORRECT.check_topology)(semantics, value, &other, path, found);
        })),
    fault("reports-the-first-forbidden-key-only", "of several forbidden keys only the first is reported")
        .breaks(&["VALUE-032"], &["value-032-closed-objects"])
        .within_lines(15)
        .semantics(with::check_closed(|_, object, schema, path, findings| {
            let first: Map<String, Value> =
                object.iter().take(1).map(|(key, value)| (key.clone(), value.clone())).collect();
            correct().check_closed(&first, schema, path, findings);
        })),
    fault("accepts-forbidden-nulls", "additionalProperties: false accepts nulls")
        .breaks(&["VALUE-032"], &["value-032-closed-objects"])
        .within_lines(15)
        .semantics(with::check_closed(|_, object, schema, path, findings| {
            let mut object = object.clone();
            object.retain(|_, value| !value.is_null());
            correct().check_closed(&object, schema, path, findings);
        })),
];
