//! Faults with nulls: dropped, kept, or replaced by a default.

use crdible_semantics::{Decoded, Schema, Semantics, with};
use serde_json::Value;

use crate::{
    metadata::was_stored,
    server::correct,
    table::{Fault, fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("keeps-every-null", "a null without effect is not dropped")
        .breaks(&["DEFAULT-003", "INV-011"], &["default-003-null-without-default", "inv-011-null-equals-absent"])
        .within_lines(40)
        .semantics(with::drops_null(|_, _| false)),
    fault("keeps-nulls-in-maps", "nulls of map keys are kept, though nulls of properties are dropped")
        .breaks(&["DEFAULT-003", "DEFAULT-006"], &["default-003-null-without-default", "default-006-map-values"])
        .within_lines(40)
        .semantics(with::drop_nulls(|semantics, value, schema| {
            let properties =
                Schema { properties: schema.properties.clone(), items: schema.items.clone(), ..Schema::default() };
            match value {
                Value::Object(object) => {
                    object.retain(|key, value| {
                        !value.is_null()
                            || !properties.properties.get(key).is_some_and(|property| semantics.drops_null(property))
                    });
                    for (key, value) in object {
                        if let Some(child) = schema.properties.get(key).or(schema.value_schema()) {
                            semantics.drop_nulls(value, child);
                        }
                    }
                }
                Value::Array(elements) => {
                    for element in elements {
                        if let Some(items) = properties.item_schema() {
                            semantics.drop_nulls(element, items);
                        }
                    }
                }
                _ => {}
            }
        })),
    obvious_fault("drops-nulls-of-nullable-fields", "a null is dropped even where the field is nullable")
        .breaks(&["DEFAULT-003", "INV-012", "DEFAULT-002", "STRUCT-022", "INV-011"], &["inv-012-nullable-keeps-null"])
        .semantics(with::drops_null(|_, schema| schema.default.is_none())),
    fault("replaces-nulls-of-nullable-fields", "a null of a nullable field is replaced by the default")
        .breaks(
            &["DEFAULT-002", "DEFAULT-005", "DEFAULT-006", "INV-012", "STRUCT-022", "DEFAULT-021"],
            &[
                "default-002-null-property",
                "inv-012-nullable-keeps-null",
                "default-005-arrays",
                "default-021-patch-null-semantics",
            ],
        )
        .within_lines(110)
        .semantics(with::takes_default(|_, present, schema| {
            schema.default.is_some() && present.is_none_or(Value::is_null)
        })),
    obvious_fault("replaces-no-null", "a null is not replaced by the default")
        .breaks(
            &["DEFAULT-002", "DEFAULT-005", "DEFAULT-006", "DEFAULT-009", "DEFAULT-021", "STRUCT-030"],
            &["default-002-null-property", "default-021-patch-null-semantics", "struct-030-default-on-a-key"],
        )
        .within_lines(110)
        .semantics(with::takes_default(|_, present, schema| schema.default.is_some() && present.is_none())),
    fault("replaces-no-null-in-lists", "a null element is not replaced by the default of items")
        .breaks(&["DEFAULT-002", "DEFAULT-005"], &["default-005-arrays"])
        .semantics(with::default_element(Semantics::apply_defaults)),
    fault("replaces-no-null-in-maps", "a null of a map key is not replaced by the default of the values")
        .breaks(&["DEFAULT-002", "DEFAULT-006", "DEFAULT-003"], &["default-006-map-values"])
        .semantics(with::default_map_value(Semantics::apply_defaults)),
    fault("drops-nulls-in-lists", "null elements are dropped from lists")
        .breaks(&["DEFAULT-003", "DEFAULT-005"], &["default-005-arrays"])
        .semantics(with::drop_nulls(|semantics, value, schema| {
            if let (Value::Array(elements), Some(items)) = (&mut *value, schema.item_schema()) {
                elements.retain(|element| !element.is_null() || !semantics.drops_null(items));
                elements.iter_mut().for_each(|element| semantics.drop_nulls(element, items));
                return;
            }
            if let Value::Object(object) = value {
                object.retain(|key, value| {
                    let Some(child) = semantics.child(schema, key).schema() else { return true };
                    if !value.is_null() {
                        semantics.drop_nulls(value, child);
                    }
                    !value.is_null() || !semantics.drops_null(child)
                });
            }
        })),
    fault("keeps-nulls-on-update", "nulls are dropped on create, not on update")
        .breaks(&["INV-011", "DEFAULT-003", "DEFAULT-021"], &["inv-011-null-equals-absent"])
        .within_lines(40)
        .semantics(with::decode(|semantics, object, schema| {
            let mut unknown_fields = semantics.coerce_metadata(object)?;
            unknown_fields.extend(semantics.prune(object, schema, true));
            if !was_stored(object) {
                semantics.drop_nulls(object, schema);
            }
            unknown_fields.extend(semantics.coerce_embedded(object, schema)?);
            semantics.apply_defaults(object, schema);
            Ok(Decoded { unknown_fields })
        })),
    fault("reports-null-as-missing", "a required nullable field that is null is reported as missing")
        .breaks(&["DEFAULT-017"], &["default-017-required-checks-presence"])
        .semantics(with::check_required(|_, object, schema, path, findings| {
            let mut present = object.clone();
            present.retain(|_, value| !value.is_null());
            correct().check_required(&present, schema, path, findings);
        })),
];
