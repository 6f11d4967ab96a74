//! Faults in what rules see of a value.

use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
    with,
};
use serde_json::{Value, json};

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
};

/// The schema with each node changed.
fn changed(schema: &Schema, change: fn(&mut Schema)) -> Schema {
    let mut schema = schema.clone();
    visit(&mut schema, change);
    schema
}

fn visit(schema: &mut Schema, change: fn(&mut Schema)) {
    change(schema);
    for child in schema.properties.values_mut() {
        visit(child, change);
    }
    if let Some(Items::Each(items)) = &mut schema.items {
        visit(items, change);
    }
    if let Some(AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        visit(values, change);
    }
}

/// The value with each part changed that its schema declares, from above.
fn rewritten(value: &Value, schema: &Schema, change: fn(&mut Value, &Schema)) -> Value {
    let mut value = value.clone();
    change(&mut value, schema);
    match &mut value {
        Value::Array(elements) => {
            if let Some(items) = schema.item_schema() {
                elements.iter_mut().for_each(|element| *element = rewritten(element, items, change));
            }
        }
        Value::Object(entries) => {
            for (name, entry) in entries {
                if let Some(child) = schema.properties.get(name).or_else(|| schema.value_schema()) {
                    *entry = rewritten(entry, child, change);
                }
            }
        }
        _ => {}
    }
    value
}

/// A value of each type.
fn empty(schema: &Schema) -> Value {
    match schema.type_name.as_str() {
        "integer" | "number" => json!(0),
        "boolean" => json!(false),
        "object" => json!({}),
        "array" => json!([]),
        _ if schema.values.format == "duration" => json!("0s"),
        _ => json!(""),
    }
}

fn fill_nulls(value: &mut Value, schema: &Schema) {
    for (name, entry) in value.as_object_mut().into_iter().flatten() {
        if let Some(child) = schema.properties.get(name).filter(|_| entry.is_null()) {
            *entry = empty(child);
        }
    }
}

fn drop_nulls_of_maps(value: &mut Value, schema: &Schema) {
    if let Some(entries) = value.as_object_mut().filter(|_| schema.properties.is_empty()) {
        entries.retain(|_, entry| !entry.is_null());
    }
}

/// Elements of map lists with nothing but their keys.
fn keep_keys(value: &mut Value, schema: &Schema) {
    if schema.list_type.as_deref() != Some("map") {
        return;
    }
    for entries in value.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        entries.retain(|name, _| schema.list_map_keys.contains(name));
    }
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "this is what is wrong")]
fn round(value: &mut Value, schema: &Schema) {
    if let Some(integer) = value.as_i64().filter(|_| schema.type_name == "integer") {
        *value = json!((integer as f64) as i64);
    }
}

fn drop_offset(value: &mut Value, schema: &Schema) {
    if schema.values.format == "date-time"
        && let Some(text) = value.as_str()
        && let Some(end) = text.char_indices().skip(19).find(|(_, one)| "Z+-".contains(*one))
    {
        *value = json!(format!("{}Z", &text[..end.0]));
    }
}

fn drop_undeclared(value: &mut Value, schema: &Schema) {
    if let Some(entries) = value.as_object_mut().filter(|_| schema.preserve_unknown_fields == Some(true)) {
        entries.retain(|name, _| schema.properties.contains_key(name));
    }
}

fn forget_list_type(schema: &mut Schema, kind: &str) {
    if schema.list_type.as_deref() == Some(kind) {
        schema.list_type = None;
    }
}

pub(crate) const FAULTS: &[Fault] = &[
    fault("nulls-look-empty", "a property that is null is there for rules, with an empty value")
        .breaks(&["CEL-016", "INV-090"], &["cel-016-nulls"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&rewritten(value, schema, fill_nulls), schema, is_resource)
        })),
    fault("null-keys-are-absent", "a key of a map whose value is null is absent for rules")
        .breaks(&["CEL-016"], &["cel-016-nulls"])
        .by_example_only()
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&rewritten(value, schema, drop_nulls_of_maps), schema, is_resource)
        })),
    fault("sets-are-plain-lists", "rules see sets as lists with an order, whose sums repeat elements")
        .breaks(&["CEL-018", "INV-089", "CEL-019"], &["cel-018-order", "cel-019-sums"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let schema = changed(schema, |schema| forget_list_type(schema, "set"));
            correct().value_for_rules(value, &schema, is_resource)
        })),
    fault("map-lists-are-plain-lists", "rules see map lists as lists with an order, whose sums repeat keys")
        .breaks(&["CEL-018", "INV-089", "CEL-019"], &["cel-018-order", "cel-019-sums"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let schema = changed(schema, |schema| forget_list_type(schema, "map"));
            correct().value_for_rules(value, &schema, is_resource)
        })),
    fault("all-lists-are-sets", "rules see lists without a type as sets")
        .breaks(&["CEL-018", "INV-089", "CEL-019"], &["cel-018-order", "cel-019-sums"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let schema = changed(schema, |schema| {
                if matches!(schema.list_type.as_deref(), None | Some("atomic")) {
                    schema.list_type = Some("set".to_owned());
                }
            });
            correct().value_for_rules(value, &schema, is_resource)
        })),
    fault("elements-are-their-keys", "rules find elements of map lists equal if their keys are")
        .breaks(&["CEL-018", "INV-089"], &["cel-018-order"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&rewritten(value, schema, keep_keys), schema, is_resource)
        })),
    fault("integers-are-doubles", "rules compute with doubles where the schema has integers")
        .breaks(&["CEL-020"], &["cel-020-numbers"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let schema = changed(schema, |schema| {
                if schema.type_name == "integer" {
                    "number".clone_into(&mut schema.type_name);
                }
            });
            correct().value_for_rules(value, &schema, is_resource)
        })),
    fault("large-integers-are-rounded", "rules see integers as exactly as a double can state them")
        .breaks(&["CEL-020"], &["cel-020-numbers"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&rewritten(value, schema, round), schema, is_resource)
        })),
    obvious_fault("formats-are-texts", "rules see dates, times, durations and bytes as texts")
        .breaks(&["CEL-021"], &["cel-021-instants"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let schema = changed(schema, |schema| schema.values.format.clear());
            correct().value_for_rules(value, &schema, is_resource)
        })),
    fault("offsets-are-ignored", "rules see an instant as that of the same time of day in UTC")
        .breaks(&["CEL-021", "CEL-026"], &["cel-021-instants"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&rewritten(value, schema, drop_offset), schema, is_resource)
        })),
    fault("compares-no-labels", "rules compare resources without all metadata but names")
        .breaks(&["CEL-028"], &["cel-028-final-object"])
        .by_example_only()
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            let mut value = value.clone();
            if let Some(Value::Object(metadata)) = value.get_mut("metadata").filter(|_| is_resource) {
                metadata.retain(|name, _| ["name", "generateName"].contains(&name.as_str()));
            }
            correct().value_for_rules(&value, schema, is_resource)
        })),
    fault("hides-preserved-fields", "rules compare objects without the fields that these preserve")
        .breaks(&["CEL-028"], &["cel-028-final-object"])
        .semantics(with::value_for_rules(|_, value, schema, is_resource| {
            correct().value_for_rules(&rewritten(value, schema, drop_undeclared), schema, is_resource)
        })),
];
