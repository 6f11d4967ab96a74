//! Defaults (chapter 1): pruning must not change them, and validation must accept them (CRDVAL-052..053, DEFAULT-018).

use std::cell::Cell;

use serde_json::{Map, Value};

use super::{Node, Position};
use crate::go_text::quoted;
use crate::rules::{Rules, evaluate, is_without_type};
use crate::{
    FieldPath,
    Reason::{Invalid, TypeInvalid},
    Schema, Semantics, Violation,
    coerce::WrongType,
    message,
    path::NO_FIELD,
    prune::{Child, META_FIELDS},
    validate::types,
};

/// A node that may have a default, and the resource that the default is part of.
#[derive(Clone, Copy, Debug)]
pub struct DefaultNode<'a> {
    /// The node.
    pub node: Node<'a>,
    /// Whether it is inside `apiVersion`, `kind` or `metadata` of a resource.
    pub inside_meta: bool,
    /// The path to it from the nearest enclosing resource, which may be the node itself.
    route: &'a Route<'a>,
    /// What the rules may cost that are evaluated on the other defaults of the schema; nothing if it ran out.
    budget: &'a Cell<Option<u64>>,
}

#[derive(Clone, Copy, Debug)]
enum Route<'a> {
    Here,
    Property(&'a Self, &'a str),
    Element(&'a Self),
}

pub(crate) fn violations(semantics: &Semantics, root: &Node<'_>, found: &mut Vec<Violation>) {
    let budget = Cell::new(Some(evaluate::BUDGET));
    walk(semantics, &DefaultNode { node: *root, inside_meta: false, route: &Route::Here, budget: &budget }, found);
}

fn walk(semantics: &Semantics, at: &DefaultNode<'_>, found: &mut Vec<Violation>) {
    let (node, schema) = (at.node, at.node.schema);
    let at =
        if schema.embedded_resource { DefaultNode { inside_meta: false, route: &Route::Here, ..*at } } else { *at };
    if let Some(default) = &schema.default {
        let path = node.path.name("default").to_string();
        semantics.default_value_violations(&at, default, &FieldPath::Text(&path), found);
    }
    // `additionalProperties` is not followed ([Q] of CRDVAL-054).
    if let Some(items) = schema.item_schema() {
        let path = node.path.name("items");
        let node = node.below(items, &path, Position::Item);
        walk(semantics, &DefaultNode { node, route: &Route::Element(at.route), ..at }, found);
    }
    let properties = node.path.name("properties");
    for (name, property) in &schema.properties {
        let inside_meta = at.inside_meta || node.is_resource() && META_FIELDS.contains(&name.as_str());
        let path = properties.key(name);
        let node = node.below(property, &path, Position::Field);
        let route = &Route::Property(at.route, name);
        walk(semantics, &DefaultNode { node, inside_meta, route, ..at }, found);
    }
}

pub(crate) fn value(
    semantics: &Semantics,
    at: &DefaultNode<'_>,
    default: &Value,
    path: &FieldPath<'_>,
    found: &mut Vec<Violation>,
) {
    let faults: Vec<Violation> = if at.inside_meta {
        let fault = metadata_fault(semantics, at, default);
        fault.map(|detail| Violation::new(path, Invalid, "CRDVAL-051", detail)).into_iter().collect()
    } else {
        let is_resource = at.node.is_resource();
        if !semantics.prune(&mut default.clone(), at.node.schema, is_resource).is_empty() {
            let detail = message::about(message::shown(default), "must not have unknown fields");
            found.push(Violation::new(path, Invalid, "CRDVAL-052", detail));
        }
        resource_faults(semantics, at.node.schema, is_resource, default, path)
    };
    if !faults.is_empty() {
        return found.extend(faults);
    }
    let before = found.len();
    for violation in semantics.value_violations(default, at.node.schema) {
        let field = if violation.field == NO_FIELD { path.to_string() } else { format!("{path}.{}", violation.field) };
        found.push(Violation { field, requirement: "CRDVAL-053", ..violation });
    }
    stated_types(semantics, default, at.node.schema, &FieldPath::Root, &mut |fault| {
        let field = if fault.field == NO_FIELD { path.to_string() } else { format!("{path}.{}", fault.field) };
        found.push(Violation { field, ..fault });
    });
    let topology = found.len();
    semantics.check_topology(default, at.node.schema, path, found);
    for violation in &mut found[topology..] {
        violation.requirement = "CRDVAL-053";
    }
    if found.len() == before {
        found.extend(broken_rules(semantics, at, default, path));
    }
}

/// Reports values of int-or-string nodes that a type or a format beside `x-kubernetes-int-or-string` excludes. Upstream
/// overlooks both in objects, but in defaults it overlooks int-or-string.
fn stated_types(
    semantics: &Semantics,
    value: &Value,
    schema: &Schema,
    path: &FieldPath<'_>,
    report: &mut dyn FnMut(Violation),
) {
    if schema.int_or_string
        && semantics.accepts_type(value, schema)
        && let Some(detail) = types::stated_fault(value, schema, path)
    {
        report(Violation::new(path.cause(), TypeInvalid, "CRDVAL-053", detail));
    }
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                if let Some(items) = schema.item_schema() {
                    stated_types(semantics, element, items, &path.index(index), report);
                }
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let (child, path) = match semantics.child(schema, key) {
                    Child::Declared(child) => (child, path.child(key)),
                    Child::MapValue(Some(values)) => (values, path.child(key)),
                    Child::MapValue(None) | Child::Unknown => continue,
                };
                stated_types(semantics, member, child, &path, report);
            }
        }
        _ => {}
    }
}

/// The rules that a default breaks: as a value that stays, and if none does, as one that is new.
fn broken_rules(semantics: &Semantics, at: &DefaultNode<'_>, default: &Value, path: &FieldPath<'_>) -> Vec<Violation> {
    let schema = at.node.schema;
    let Some(budget) = at.budget.get().filter(|_| schema.has_rules()) else { return Vec::new() };
    if is_without_type(schema, at.node.is_resource(), semantics) {
        let mut found = Vec::new();
        rules_without_type(schema, default, path, &mut found);
        return found;
    }
    let rules = Rules::within(schema, at.node.is_resource(), semantics);
    let broken = |old: Option<_>| {
        if !semantics.judges_default(old.is_none()) {
            return Vec::new();
        }
        let (found, left) = evaluate::value(semantics, &rules, (default, old, false), schema, path, budget, None);
        at.budget.set(at.budget.get().min(left));
        found.violations
    };
    let mut found = broken(Some(default));
    if found.is_empty() {
        found = broken(None);
    }
    for violation in &mut found {
        violation.requirement = "CRDVAL-053";
    }
    found
}

/// The rules that meet a value at a node without a type for them. Elements of such a list or map have none, either.
fn rules_without_type(schema: &Schema, value: &Value, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
    if !schema.rules.is_empty() && !value.is_null() {
        let why = "rule compiler initialization error: failed to convert to declType for CEL validation rules";
        let detail = message::about(quoted(&schema.type_name), why);
        found.push(Violation::new(path, Invalid, "CRDVAL-053", detail));
    }
    if let (Some(items), Some(elements)) = (schema.item_schema(), value.as_array()) {
        for (index, element) in elements.iter().enumerate() {
            rules_without_type(items, element, &path.index(index), found);
        }
    }
    if let (Some(values), Some(entries)) = (schema.value_schema(), value.as_object()) {
        for (key, value) in entries {
            rules_without_type(values, value, &path.key(key), found);
        }
    }
}

/// The violations in the embedded objects of a default: the first wrong type, otherwise everything that is missing.
fn resource_faults(
    semantics: &Semantics,
    schema: &Schema,
    is_resource: bool,
    default: &Value,
    path: &FieldPath<'_>,
) -> Vec<Violation> {
    let marked;
    let schema = if is_resource && !schema.embedded_resource {
        marked = Schema { embedded_resource: true, ..schema.clone() };
        &marked
    } else {
        schema
    };
    let mut coerced = default.clone();
    let mut found = Vec::new();
    match semantics.coerce_node(&mut coerced, schema, path, WrongType::Refused, &mut Vec::new()) {
        Err(error) => found.push(error.into_violation("DEFAULT-018")),
        Ok(()) => semantics.check_embedded(&coerced, schema, path, &mut found),
    }
    for violation in &mut found {
        violation.requirement = "DEFAULT-018";
    }
    found
}

/// The violation of a resource that contains only the default, at its position in the metadata.
fn metadata_fault(semantics: &Semantics, at: &DefaultNode<'_>, default: &Value) -> Option<String> {
    let object = resource_around(at.route, default.clone());
    let resource = Schema { embedded_resource: true, ..Schema::default() };
    let faults = resource_faults(semantics, &resource, true, &object, &FieldPath::Root);
    let says = message::list_of(&faults)?;
    Some(message::about(message::shown(default), format_args!("must result in valid metadata: {says}")))
}

fn resource_around(route: &Route<'_>, value: Value) -> Value {
    let (mut route, mut value) = (route, value);
    loop {
        match route {
            Route::Here => break,
            Route::Property(parent, name) => {
                value = Value::Object(Map::from_iter([((*name).to_owned(), value)]));
                route = parent;
            }
            Route::Element(parent) => {
                value = Value::Array(vec![value]);
                route = parent;
            }
        }
    }
    if let Value::Object(object) = &mut value {
        object.entry("apiVersion").or_insert_with(|| Value::from("validation/v1"));
        object.entry("kind").or_insert_with(|| Value::from("Validation"));
    }
    value
}
