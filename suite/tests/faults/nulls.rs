//! Faults around nulls: those that go, those that stay, those that a default replaces.

use crdible_semantics::{
    Coercion, DecodeError, Decoded, Defaulting, FieldPath, Pruning, Schema, Upstream, validate::Findings,
};
use serde_json::{Map, Value};

use crate::{
    coercion::was_stored,
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "keeps-every-null",
        wrong: "a null that means nothing is not removed",
        target: wrong!(Defaulting {
            fn drops_null(&self, _: &Schema) -> bool {
                false
            }
        }),
        requirements: &["DEFAULT-003", "INV-011"],
        properties: &["default-003-null-without-default", "inv-011-null-equals-absent"],
        largest: 45,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-nulls-in-maps",
        wrong: "nulls of properties go, those of map keys stay",
        target: wrong!(Defaulting {
            fn drop_nulls(&self, value: &mut Value, schema: &Schema) {
                let properties = Schema { properties: schema.properties.clone(), items: schema.items.clone(), ..Schema::default() };
                match value {
                    Value::Object(object) => {
                        object.retain(|key, value| {
                            !value.is_null() || !properties.properties.get(key).is_some_and(|property| self.drops_null(property))
                        });
                        for (key, value) in object {
                            if let Some(child) = schema.properties.get(key).or(schema.value_schema()) {
                                self.drop_nulls(value, child);
                            }
                        }
                    }
                    Value::Array(elements) => {
                        for element in elements {
                            if let Some(items) = properties.item_schema() {
                                self.drop_nulls(element, items);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }),
        requirements: &["DEFAULT-003", "DEFAULT-006"],
        properties: &["default-003-null-without-default", "default-006-map-values"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "drops-nulls-of-nullable-fields",
        wrong: "a null goes even where the field is nullable",
        target: wrong!(Defaulting {
            fn drops_null(&self, schema: &Schema) -> bool {
                schema.default.is_none()
            }
        }),
        requirements: &["DEFAULT-003", "INV-012", "DEFAULT-002", "STRUCT-022", "INV-011"],
        properties: &["inv-012-nullable-keeps-null"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-nulls-of-nullable-fields",
        wrong: "a null of a nullable field is replaced by the default",
        target: wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                schema.default.is_some() && present.is_none_or(Value::is_null)
            }
        }),
        requirements: &["DEFAULT-002", "DEFAULT-005", "DEFAULT-006", "INV-012", "STRUCT-022", "DEFAULT-021"],
        properties: &[
            "default-002-null-property",
            "inv-012-nullable-keeps-null",
            "default-005-arrays",
            "default-021-patch-null-semantics",
        ],
        largest: 110,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-no-null",
        wrong: "a null is not replaced by a default",
        target: wrong!(Defaulting {
            fn takes_default(&self, present: Option<&Value>, schema: &Schema) -> bool {
                schema.default.is_some() && present.is_none()
            }
        }),
        requirements: &["DEFAULT-002", "DEFAULT-005", "DEFAULT-006", "DEFAULT-009", "DEFAULT-021", "STRUCT-030"],
        properties: &["default-002-null-property", "default-021-patch-null-semantics", "struct-030-default-on-a-key"],
        largest: 110,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-no-null-in-lists",
        wrong: "a null element is not replaced by the default of items",
        target: wrong!(Defaulting {
            fn default_element(&self, value: &mut Value, schema: &Schema) {
                self.apply_defaults(value, schema);
            }
        }),
        requirements: &["DEFAULT-002", "DEFAULT-005"],
        properties: &["default-005-arrays"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "replaces-no-null-in-maps",
        wrong: "a null of a map key is not replaced by the default of the values",
        target: wrong!(Defaulting {
            fn default_map_value(&self, value: &mut Value, schema: &Schema) {
                self.apply_defaults(value, schema);
            }
        }),
        requirements: &["DEFAULT-002", "DEFAULT-006", "DEFAULT-003"],
        properties: &["default-006-map-values"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "drops-nulls-of-lists",
        wrong: "null elements are removed from lists",
        target: wrong!(Defaulting {
            fn drop_nulls(&self, value: &mut Value, schema: &Schema) {
                if let (Value::Array(elements), Some(items)) = (&mut *value, schema.item_schema()) {
                    elements.retain(|element| !element.is_null() || !self.drops_null(items));
                    elements.iter_mut().for_each(|element| self.drop_nulls(element, items));
                    return;
                }
                if let Value::Object(object) = value {
                    object.retain(|key, value| {
                        let Some(child) = self.child(schema, key).schema() else { return true };
                        if !value.is_null() {
                            self.drop_nulls(value, child);
                        }
                        !value.is_null() || !self.drops_null(child)
                    });
                }
            }
        }),
        requirements: &["DEFAULT-003", "DEFAULT-005"],
        properties: &["default-005-arrays"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "keeps-nulls-of-updates",
        wrong: "nulls are dropped when an object is created, not when it is updated",
        target: wrong!(RoundTrip {
            fn decode(&self, object: &mut Value, schema: &Schema) -> Result<Decoded, DecodeError> {
                let mut unknown_fields = self.coerce_metadata(object)?;
                unknown_fields.extend(self.prune(object, schema, true));
                if !was_stored(object) {
                    self.drop_nulls(object, schema);
                }
                unknown_fields.extend(self.coerce_embedded(object, schema)?);
                self.apply_defaults(object, schema);
                Ok(Decoded { unknown_fields })
            }
        }),
        requirements: &["INV-011", "DEFAULT-003", "DEFAULT-021"],
        properties: &["inv-011-null-equals-absent"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "null-counts-as-missing",
        wrong: "a required field that is nullable and null counts as missing",
        target: wrong!(Validation {
            fn check_required(&self, object: &Map<String, Value>, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let mut present = object.clone();
                present.retain(|_, value| !value.is_null());
                Upstream.check_required(&present, schema, path, findings);
            }
        }),
        requirements: &["DEFAULT-017"],
        properties: &["default-017-required-checks-presence"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
];
