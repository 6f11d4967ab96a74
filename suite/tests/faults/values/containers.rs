//! Faults in the validation of objects, lists and quantifiers.

use crdible_semantics::{
    FieldPath, Reason, Schema, Upstream, Violation,
    validate::{self, Findings},
};
use serde_json::{Map, Value};

use crate::table::{Fault, Finder};

fn repeated(path: &FieldPath<'_>, at: usize) -> Violation {
    let field = path.index(at).to_string();
    Violation { field, reason: Reason::Duplicate, requirement: "VALUE-033", detail: "equal".to_owned() }
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "requires-the-first-alone",
        wrong: "only the first missing key is told",
        target: wrong! {
        fn check_required(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut schema = schema.clone(); let missing = schema.values.required.iter().find(|name| !object.contains_key(*name)).cloned(); schema.values.required = missing.into_iter().collect(); Upstream.check_required(object, &schema, path, findings); }
        },
        requirements: &["VALUE-021"],
        properties: &["value-021-required"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "requires-declared-keys-alone",
        wrong: "a required key that is not declared is ignored",
        target: wrong! {
        fn check_required(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut other = schema.clone(); other.values.required.retain(|name| schema.properties.contains_key(name)); Upstream.check_required(object, &other, path, findings); }
        },
        requirements: &["VALUE-021"],
        properties: &["value-021-required"],
        largest: 40,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "tells-the-parent-of-missing-keys",
        wrong: "a missing key is told at the object",
        target: wrong! {
        fn check_required(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { if schema.values.required.iter().any(|name| !object.contains_key(name)) { findings.violation(path, Reason::Required, "VALUE-021", || "missing".to_owned()); } }
        },
        requirements: &["VALUE-021", "INV-034"],
        properties: &["value-021-required", "inv-034-errors-are-located"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-nulls",
        wrong: "minProperties does not count nulls",
        target: wrong! {
        fn check_key_count(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut object = object.clone(); if schema.values.min_properties.is_some() { object.retain(|_, value| !value.is_null()); } Upstream.check_key_count(&object, schema, path, findings); }
        },
        requirements: &["VALUE-002", "VALUE-022"],
        properties: &["value-022-property-counts"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-meta-fields",
        wrong: "counts at the root leave out apiVersion, kind and metadata",
        target: wrong! {
        fn check_key_count(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut object = object.clone(); if matches!(path, FieldPath::Root) { object.retain(|key, _| !["apiVersion", "kind", "metadata"].contains(&key.as_str())); } Upstream.check_key_count(&object, schema, path, findings); }
        },
        requirements: &["VALUE-022"],
        properties: &["value-022-property-counts"],
        largest: 20,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "validates-no-value-of-a-map",
        wrong: "values of maps are not validated",
        target: wrong! {
        fn check_map_value(&self, _: &Value, _: &Schema, _: &FieldPath<'_>, _: &mut Findings) {}
        },
        requirements: &["VALUE-001", "VALUE-023", "INV-030"],
        properties: &["value-023-containers", "inv-030-location-independence"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-the-first-elements-alone",
        wrong: "elements behind the second are not validated",
        target: wrong! {
        fn check_array(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { validate::arrays::check(self, &elements[..elements.len().min(2)], schema, path, &mut *findings); self.check_element_count(elements, schema, path, findings); }
        },
        requirements: &["VALUE-001", "VALUE-019", "VALUE-024", "VALUE-025"],
        properties: &["value-023-containers"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-null-elements",
        wrong: "minItems and maxItems do not count nulls",
        target: wrong! {
        fn check_element_count(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let elements: Vec<Value> = elements.iter().filter(|element| !element.is_null()).cloned().collect(); Upstream.check_element_count(&elements, schema, path, findings); }
        },
        requirements: &["VALUE-024"],
        properties: &["value-024-item-counts"],
        largest: 18,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-one-element-too-many",
        wrong: "maxItems is one too large",
        target: wrong! {
        fn check_element_count(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut schema = schema.clone(); schema.values.max_items = schema.values.max_items.map(|most| most + 1); Upstream.check_element_count(elements, &schema, path, findings); }
        },
        requirements: &["VALUE-024"],
        properties: &["value-024-item-counts"],
        largest: 18,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-lists-for-sets",
        wrong: "lists without a list type refuse repeated elements",
        target: wrong! {
        fn check_topology(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) { let mut other = schema.clone(); if other.type_name == "array" && other.list_type.is_none() { other.list_type = Some("set".to_owned()); } validate::topology::node(self, value, &other, path, found); }
        },
        requirements: &["VALUE-026", "VALUE-036"],
        properties: &["value-026-equal-elements"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-no-summary-of-all-of",
        wrong: "a failed allOf has no cause of its own",
        target: wrong! {
        fn check_all_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut inner = Findings::new(); Upstream.check_all_of(value, schema, path, &mut inner); for violation in inner.into_violations() { if violation.field != "<nil>" { findings.violation(path, violation.reason, "VALUE-027", || violation.detail.clone()); } } }
        },
        requirements: &["VALUE-027"],
        properties: &["value-027-all-of"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "ends-at-the-first-branch",
        wrong: "allOf ends at the first branch that fails",
        target: wrong! {
        fn check_all_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut other = schema.clone(); let failed = schema.all_of.iter().position(|branch| { let mut found = Findings::new(); Upstream.check_value(value, branch, path, &mut found); !found.is_valid() }); if let Some(failed) = failed { other.all_of.truncate(failed + 1); } Upstream.check_all_of(value, &other, path, findings); }
        },
        requirements: &["VALUE-027"],
        properties: &["value-027-all-of"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-of-for-one-of",
        wrong: "anyOf refuses what satisfies several branches",
        target: wrong! {
        fn check_any_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut other = schema.clone(); other.one_of = other.any_of.clone(); Upstream.check_one_of(value, &other, path, findings); }
        },
        requirements: &["VALUE-028"],
        properties: &["value-028-any-of"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-one-of-for-any-of",
        wrong: "oneOf accepts what satisfies several branches",
        target: wrong! {
        fn check_one_of(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut other = schema.clone(); other.any_of = other.one_of.clone(); Upstream.check_any_of(value, &other, path, findings); }
        },
        requirements: &["VALUE-029"],
        properties: &["value-029-one-of"],
        largest: 20,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "negates-once",
        wrong: "`not` within the branch of `not` is ignored",
        target: wrong! {
        fn check_not(&self, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { if branch.not.is_none() { Upstream.check_not(value, branch, path, findings); } }
        },
        requirements: &["VALUE-030", "INV-024"],
        properties: &["value-030-not", "inv-023-singleton-quantifiers"],
        largest: 35,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "shows-what-not-has-found",
        wrong: "a failed `not` is told at the node",
        target: wrong! {
        fn check_not(&self, value: &Value, branch: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut found = Findings::verdict_only(); Upstream.check_value(value, branch, path, &mut found); if found.is_valid() { findings.violation(path, Reason::Invalid, "VALUE-030", || "must not hold".to_owned()); } }
        },
        requirements: &["VALUE-030"],
        properties: &["value-030-not"],
        largest: 15,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "quantifies-before-defaulting",
        wrong: "quantifiers do not see defaults",
        target: wrong! {
        fn check_quantifiers(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut value = value.clone(); if let Some(object) = value.as_object_mut() { object.retain(|key, value| schema.properties.get(key).and_then(|property| property.default.as_ref()) != Some(&*value)); } validate::quantifiers::check(self, &value, schema, path, findings); }
        },
        requirements: &["VALUE-031"],
        properties: &["value-031-final-value"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "closes-objects-once",
        wrong: "of several forbidden keys one is told",
        target: wrong! {
        fn check_closed(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let first: Map<String, Value> = object.iter().take(1).map(|(key, value)| (key.clone(), value.clone())).collect(); Upstream.check_closed(&first, schema, path, findings); }
        },
        requirements: &["VALUE-032"],
        properties: &["value-032-closed-objects"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "closes-no-object-of-nulls",
        wrong: "additionalProperties false lets nulls pass",
        target: wrong! {
        fn check_closed(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) { let mut object = object.clone(); object.retain(|_, value| !value.is_null()); Upstream.check_closed(&object, schema, path, findings); }
        },
        requirements: &["VALUE-032"],
        properties: &["value-032-closed-objects"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-scalars-alone",
        wrong: "a set may hold equal objects and lists",
        target: wrong! {
        fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) { if elements.iter().all(|element| !element.is_object() && !element.is_array()) { Upstream.check_set(elements, path, found); } }
        },
        requirements: &["VALUE-033", "VALUE-047", "INV-032"],
        properties: &["value-033-set-lists"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-every-repetition",
        wrong: "each further equal element of a set is told",
        target: wrong! {
        fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) { for at in 1..elements.len() { let mut before = Vec::new(); Upstream.check_set(&[elements[..at].iter().find(|other| **other == elements[at]).cloned().unwrap_or(Value::Null), elements[at].clone()], &FieldPath::Root, &mut before); if !before.is_empty() && elements[..at].contains(&elements[at]) { found.push(repeated(path, at)); } } }
        },
        requirements: &["VALUE-033", "INV-032"],
        properties: &["value-033-set-lists"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-the-first-of-equals",
        wrong: "a repeated element of a set is told where it stands first",
        target: wrong! {
        fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) { for at in 0..elements.len() { if !elements[..at].contains(&elements[at]) && elements[at + 1..].contains(&elements[at]) { found.push(repeated(path, at)); } } }
        },
        requirements: &["VALUE-033", "VALUE-035", "VALUE-043", "INV-032"],
        properties: &["value-033-set-lists", "value-035-anywhere"],
        largest: 35,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-neighbours-alone",
        wrong: "equal elements of a set are found only side by side",
        target: wrong! {
        fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) { for at in 1..elements.len() { if elements[at] == elements[at - 1] && (at < 2 || elements[at] != elements[at - 2]) { found.push(repeated(path, at)); } } }
        },
        requirements: &["VALUE-033", "INV-032"],
        properties: &["value-033-set-lists"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-the-first-key-alone",
        wrong: "elements of a map list are equal if their first keys are",
        target: wrong! {
        fn check_map_list(&self, elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) { Upstream.check_map_list(elements, &keys[..keys.len().min(1)], path, found); }
        },
        requirements: &["VALUE-034", "VALUE-047", "INV-033"],
        properties: &["value-034-map-lists"],
        largest: 35,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-the-whole-element",
        wrong: "elements of a map list are equal only as a whole",
        target: wrong! {
        fn check_map_list(&self, elements: &[Value], _: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) { Upstream.check_set(elements, path, found); }
        },
        requirements: &["VALUE-034", "INV-033"],
        properties: &["value-034-map-lists"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-no-list-in-maps",
        wrong: "list types below maps are ignored",
        target: wrong! {
        fn check_topology(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) { if !path.to_string().contains('[') || !path.to_string().contains("[k]") { validate::topology::node(self, value, schema, path, found); } }
        },
        requirements: &["VALUE-033", "VALUE-034", "VALUE-035", "VALUE-043", "VALUE-047", "INV-032", "INV-033"],
        properties: &["value-035-anywhere"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "checks-no-list-on-updates",
        wrong: "list types are checked when objects are created alone",
        target: wrong! {
        fn forgives_topology(&self, _: &Value, _: &Schema) -> bool { true }
        },
        requirements: &["VALUE-037"],
        properties: &["value-037-topology-on-update"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-one-cause-alone",
        wrong: "of several causes the first is told",
        target: wrong! {
        fn object_violations(&self, object: &Value, schema: &Schema) -> Vec<Violation> { let mut found = Upstream.object_violations(object, schema); found.truncate(1); found }
        },
        requirements: &["VALUE-001", "VALUE-038", "VALUE-043"],
        properties: &["value-038-phases", "value-001-several-causes"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "tells-no-repetition-beside-others",
        wrong: "repeated elements are told only if all values are right",
        target: wrong! {
        fn object_violations(&self, object: &Value, schema: &Schema) -> Vec<Violation> { let mut found = Upstream.object_violations(object, schema); if found.iter().any(|violation| violation.reason != Reason::Duplicate) { found.retain(|violation| violation.reason != Reason::Duplicate); } found }
        },
        requirements: &["VALUE-034", "VALUE-038", "VALUE-043"],
        properties: &["value-038-phases"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "compares-numbers-as-written",
        wrong: "`1` and `1.0` within elements of sets and keys of map lists differ",
        target: wrong! {
        fn check_set(&self, elements: &[Value], path: &FieldPath<'_>, found: &mut Vec<Violation>) { let texts: Vec<Value> = elements.iter().map(|element| Value::String(element.to_string())).collect(); Upstream.check_set(&texts, path, found); } fn check_map_list(&self, elements: &[Value], keys: &[String], path: &FieldPath<'_>, found: &mut Vec<Violation>) { let mut texts = elements.to_vec(); for element in &mut texts { for value in element.as_object_mut().into_iter().flat_map(|object| object.values_mut()) { *value = Value::String(value.to_string()); } } Upstream.check_map_list(&texts, keys, path, found); }
        },
        requirements: &["VALUE-033", "VALUE-034", "VALUE-047"],
        properties: &["value-047-equal-numbers", "value-047-defect-numbers"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
];
