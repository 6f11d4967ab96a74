//! Faults in the report of unknown fields.

use crdible_semantics::{Decoded, Schema, with};
use serde_json::{Map, Value};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

const REPORT: &[&str] = &["INV-019", "INV-021", "PRUNE-016", "PRUNE-017", "PRUNE-028", "PRUNE-029", "PRUNE-020"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("reports-no-unknown-fields", "unknown fields are pruned but not reported")
        .breaks(&["REST-051", "REST-052"], &["capability-field-validation"])
        .semantics(with::decode(|_, object, schema| correct().decode(object, schema).map(|_| Decoded::default()))),
    fault("reports-no-unknown-fields-in-lists", "unknown fields in elements of lists are pruned but not reported")
        .breaks(REPORT, &["inv-021-warnings-list-the-difference", "inv-019-strict-iff-warn-is-silent"])
        .blamed(&["INV-021", "PRUNE-028", "INV-019"])
        .within_lines(50)
        .semantics(with::decode(|_, object, schema| {
            let mut decoded = correct().decode(object, schema)?;
            decoded.unknown_fields.retain(|path| !path.contains("]."));
            Ok(decoded)
        })),
    fault("reports-unknown-fields-in-reverse", "pruned fields are reported in descending order")
        .breaks(REPORT, &["prune-028-report", "inv-021-warnings-list-the-difference"])
        .blamed(&["PRUNE-028", "INV-021"])
        .within_lines(50)
        .semantics(with::prune(|_, value, schema, root| {
            let mut removed = correct().prune(value, schema, root);
            removed.reverse();
            removed
        })),
    fault("reports-elements-of-preserving-lists", "fields of elements of a preserving list are reported as unknown")
        .breaks(&["PRUNE-029"], &["prune-009-preserved-lists"])
        .by_example_only()
        .semantics(with::prune_preserved(|_, value, schema, meta, path, removed| {
            let elements = value.as_array().into_iter().flatten();
            let keys = elements.filter_map(Value::as_object).flat_map(Map::keys);
            removed.extend(keys.map(|key| path.name(key).to_string()));
            correct().prune_preserved(value, schema, meta, path, removed);
        })),
    fault("reports-dropped-nulls", "a dropped null of a declared property is reported as an unknown field")
        .breaks(&["PRUNE-030"], &["prune-030-dropped-nulls"])
        .within_lines(30)
        .semantics(with::decode(|_, object, schema| {
            let mut nulls = Vec::new();
            nulls_in(object, schema, "", &mut nulls);
            let mut decoded = correct().decode(object, schema)?;
            decoded.unknown_fields.append(&mut nulls);
            Ok(decoded)
        })),
    fault("prunes-reads-only", "unknown fields are pruned on read, not on write")
        .breaks(&["REST-051", "REST-052"], &["capability-field-validation"])
        .implies(&[("*", "it prunes, but too late: unknown fields are validated, counted and converted (PRUNE-020)")])
        .semantics(with::decode(|semantics, object, schema| {
            let unknown_fields = semantics.coerce_metadata(object)?;
            semantics.drop_nulls(object, schema);
            semantics.coerce_embedded(object, schema)?;
            semantics.apply_defaults(object, schema);
            Ok(Decoded { unknown_fields })
        })),
];

/// The paths of the nulls at declared properties.
fn nulls_in(value: &Value, schema: &Schema, path: &str, found: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let Some(property) = schema.properties.get(key) else { continue };
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if value.is_null() && correct().drops_null(property) {
            found.push(path);
        } else {
            nulls_in(value, property, &path, found);
        }
    }
}
