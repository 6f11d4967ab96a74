//! Faults in the validation of objects and lists.

use crdible_semantics::{
    FieldPath, Reason, Schema, Upstream, Violation,
    validate::{self, Findings},
};
use serde_json::{Map, Value};

use crate::table::{Fault, Finder};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "requires-the-first-alone",
        wrong: "only the first missing key is told",
        target: wrong!(Validation {
            fn check_required(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let mut schema = schema.clone();
                let missing = schema.values.required.iter().find(|name| !object.contains_key(*name)).cloned();
                schema.values.required = missing.into_iter().collect();
                Upstream.check_required(object, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-021"],
        properties: &["value-021-required"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "requires-declared-keys-alone",
        wrong: "a required key that is not declared is ignored",
        target: wrong!(Validation {
            fn check_required(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let mut other = schema.clone();
                other.values.required.retain(|name| schema.properties.contains_key(name));
                Upstream.check_required(object, &other, path, findings);
            }
        }),
        requirements: &["VALUE-021"],
        properties: &["value-021-required"],
        largest: 40,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "tells-the-parent-of-missing-keys",
        wrong: "a missing key is told at the object",
        target: wrong!(Validation {
            fn check_required(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                if schema.values.required.iter().any(|name| !object.contains_key(name)) {
                    findings.violation(path, Reason::Required, "VALUE-021", || "missing".to_owned());
                }
            }
        }),
        requirements: &["VALUE-021", "INV-034"],
        properties: &["value-021-required", "inv-034-errors-are-located"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-nulls",
        wrong: "minProperties does not count nulls",
        target: wrong!(Validation {
            fn check_key_count(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let mut object = object.clone();
                if schema.values.min_properties.is_some() {
                    object.retain(|_, value| !value.is_null());
                }
                Upstream.check_key_count(&object, schema, path, findings);
            }
        }),
        requirements: &["VALUE-002", "VALUE-022"],
        properties: &["value-022-property-counts"],
        largest: 45,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-meta-fields",
        wrong: "counts at the root leave out apiVersion, kind and metadata",
        target: wrong!(Validation {
            fn check_key_count(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let mut object = object.clone();
                if matches!(path, FieldPath::Root) {
                    object.retain(|key, _| !["apiVersion", "kind", "metadata"].contains(&key.as_str()));
                }
                Upstream.check_key_count(&object, schema, path, findings);
            }
        }),
        requirements: &["VALUE-022"],
        properties: &["value-022-property-counts"],
        largest: 20,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "validates-no-value-of-a-map",
        wrong: "values of maps are not validated",
        target: wrong!(Validation {
            fn check_map_value(&self, _: &Value, _: &Schema, _: &FieldPath<'_>, _: &mut Findings) {}
        }),
        requirements: &["VALUE-001", "VALUE-023", "VALUE-025", "INV-030"],
        properties: &["value-023-containers", "inv-030-location-independence"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-the-first-elements-alone",
        wrong: "elements behind the second are not validated",
        target: wrong!(Validation {
            fn check_array(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                validate::arrays::check(self, &elements[..elements.len().min(2)], schema, path, &mut *findings);
                self.check_element_count(elements, schema, path, findings);
            }
        }),
        requirements: &["VALUE-001", "VALUE-019", "VALUE-024", "VALUE-025"],
        properties: &["value-023-containers"],
        largest: 20,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "counts-no-null-elements",
        wrong: "minItems and maxItems do not count nulls",
        target: wrong!(Validation {
            fn check_element_count(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let elements: Vec<Value> = elements.iter().filter(|element| !element.is_null()).cloned().collect();
                Upstream.check_element_count(&elements, schema, path, findings);
            }
        }),
        requirements: &["VALUE-024"],
        properties: &["value-024-item-counts"],
        largest: 18,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-one-element-too-many",
        wrong: "maxItems is one too large",
        target: wrong!(Validation {
            fn check_element_count(&self, elements: &[Value], schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut schema = schema.clone();
                schema.values.max_items = schema.values.max_items.map(|most| most + 1);
                Upstream.check_element_count(elements, &schema, path, findings);
            }
        }),
        requirements: &["VALUE-024"],
        properties: &["value-024-item-counts"],
        largest: 18,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-lists-for-sets",
        wrong: "lists without a list type refuse repeated elements",
        target: wrong!(Validation {
            fn check_topology(&self, value: &Value, schema: &Schema, path: &FieldPath<'_>, found: &mut Vec<Violation>) {
                let mut other = schema.clone();
                if other.type_name == "array" && other.list_type.is_none() {
                    other.list_type = Some("set".to_owned());
                }
                validate::topology::node(self, value, &other, path, found);
            }
        }),
        requirements: &["VALUE-026", "VALUE-036"],
        properties: &["value-026-equal-elements"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "closes-objects-once",
        wrong: "of several forbidden keys one is told",
        target: wrong!(Validation {
            fn check_closed(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let first: Map<String, Value> =
                    object.iter().take(1).map(|(key, value)| (key.clone(), value.clone())).collect();
                Upstream.check_closed(&first, schema, path, findings);
            }
        }),
        requirements: &["VALUE-032"],
        properties: &["value-032-closed-objects"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "closes-no-object-of-nulls",
        wrong: "additionalProperties false lets nulls pass",
        target: wrong!(Validation {
            fn check_closed(
                &self,
                object: &Map<String, Value>,
                schema: &Schema,
                path: &FieldPath<'_>,
                findings: &mut Findings,
            ) {
                let mut object = object.clone();
                object.retain(|_, value| !value.is_null());
                Upstream.check_closed(&object, schema, path, findings);
            }
        }),
        requirements: &["VALUE-032"],
        properties: &["value-032-closed-objects"],
        largest: 15,
        subtle: true,
        finder: Finder::Choices,
    },
];
