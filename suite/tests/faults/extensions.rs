//! Faults in the rules about embedded objects, metadata and nullable.

use crdible_semantics::{
    FieldPath, Reason, Schema, Upstream, Violation,
    structural::{Node, Position},
    validate::Findings,
};
use serde_json::{Map, Value};

use crate::{
    structural::but,
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "takes-embedded-nodes-of-any-shape",
        wrong: "an embedded object needs neither the type object nor properties",
        target: wrong!(SchemaRules {
            fn rule_embedded_shape(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-016"],
        properties: &["struct-016-embedded-shape"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-embedded-nodes-without-properties",
        wrong: "an embedded object that preserves nothing needs no properties",
        target: wrong!(SchemaRules {
            fn rule_embedded_shape(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_embedded_shape(node, found), |violation| violation.field.ends_with(".properties"));
            }
        }),
        requirements: &["STRUCT-016"],
        properties: &["struct-016-embedded-shape"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-resources-in-metadata",
        wrong: "metadata may hold embedded objects",
        target: wrong!(SchemaRules {
            fn rule_embedded_inside_meta(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-017"],
        properties: &["struct-017-no-resource-in-metadata"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-resources-deep-in-metadata",
        wrong: "metadata may hold embedded objects below its own properties",
        target: wrong!(SchemaRules {
            fn rule_embedded_inside_meta(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if ["[metadata]", "[kind]", "[apiVersion]"].iter().any(|end| node.path.to_string().ends_with(end)) {
                    Upstream.rule_embedded_inside_meta(node, found);
                }
            }
        }),
        requirements: &["STRUCT-017"],
        properties: &["struct-017-no-resource-in-metadata"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-meta-properties-of-any-type",
        wrong: "apiVersion, kind and metadata may be declared with any type",
        target: wrong!(SchemaRules {
            fn rule_meta_property_types(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-018"],
        properties: &["struct-018-meta-property-types"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-embedded-meta-properties-of-any-type",
        wrong: "in embedded objects, apiVersion, kind and metadata may be declared with any type",
        target: wrong!(SchemaRules {
            fn rule_meta_property_types(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position == Position::Root {
                    Upstream.rule_meta_property_types(node, found);
                }
            }
        }),
        requirements: &["STRUCT-018"],
        properties: &["struct-018-meta-property-types"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-any-root-metadata",
        wrong: "root metadata may declare anything",
        target: wrong!(SchemaRules {
            fn rule_root_metadata(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-019", "CRDVAL-051"],
        properties: &["struct-019-root-metadata"],
        largest: 25,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-labels-in-root-metadata",
        wrong: "root metadata may declare labels",
        target: wrong!(SchemaRules {
            fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let mut schema = node.schema.clone();
                if let Some(metadata) = schema.properties.get_mut("metadata") {
                    metadata.properties.remove("labels");
                }
                Upstream.rule_root_metadata(&Node { schema: &schema, ..*node }, found);
            }
        }),
        requirements: &["STRUCT-019"],
        properties: &["struct-019-root-metadata"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-no-names",
        wrong: "what the schema says of metadata.name is not looked at",
        target: wrong!(Validation {
            fn value_violations(&self, value: &Value, schema: &Schema) -> Vec<Violation> {
                let mut schema = schema.clone();
                schema.properties.remove("metadata");
                Upstream.value_violations(value, &schema)
            }
        }),
        requirements: &["STRUCT-019"],
        properties: &["struct-019-restricted-names"],
        largest: 30,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "restricts-embedded-metadata-like-root-metadata",
        wrong: "the metadata of embedded objects may declare name and generateName only",
        target: wrong!(SchemaRules {
            fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let position = if node.schema.embedded_resource { Position::Root } else { node.position };
                Upstream.rule_root_metadata(&Node { position, ..*node }, found);
            }
        }),
        requirements: &["STRUCT-020"],
        properties: &["struct-020-embedded-metadata"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "prunes-metadata-of-users",
        wrong: "a property metadata below the root is emptied whatever the schema declares of it",
        target: wrong!(Pruning {
            fn prune_object(&self, object: &mut Map<String, Value>, schema: &Schema, meta: bool, path: &FieldPath<'_>, removed: &mut Vec<String>) {
                let mut value = Value::Object(std::mem::take(object));
                let mut emptied = schema.clone();
                if let Some(metadata) = emptied.properties.get_mut("metadata").filter(|_| !meta && !matches!(path, FieldPath::Root)) {
                    metadata.properties.clear();
                }
                Upstream.prune_node(&mut value, Some(&emptied), meta, path, removed);
                object.extend(value.as_object().cloned().unwrap_or_default());
                for (key, value) in object.iter_mut() {
                    if let (Some(child), Value::Object(below)) = (schema.properties.get(key), value) {
                        self.prune_object(below, child, child.embedded_resource, &path.name(key), &mut Vec::new());
                    }
                }
            }
        }),
        requirements: &["PRUNE-015", "STRUCT-021"],
        properties: &["struct-021-user-metadata"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-nullable-roots",
        wrong: "the root may be nullable",
        target: wrong!(SchemaRules {
            fn rule_root_nullable(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        }),
        requirements: &["STRUCT-022", "CRDVAL-027"],
        properties: &["struct-022-nullable"],
        largest: 10,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "forbids-nullable-map-values",
        wrong: "values of maps may not be nullable",
        target: wrong!(SchemaRules {
            fn rule_node_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Upstream.rule_node_type(node, found);
                if node.schema.nullable && node.path.to_string().ends_with(".additionalProperties") {
                    node.report_keyword(found, "nullable", Reason::Forbidden, "STRUCT-022", "this server is wrong");
                }
            }
        }),
        // A definition that a scenario stands on may be the first to be refused.
        requirements: &["STRUCT-022", "CRDVAL-027", "STRUCT-034", "INV-094", "LIFE-002"],
        properties: &["struct-022-nullable", "struct-034-closure"],
        largest: 70,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-no-generated-names",
        wrong: "bounds of names are checked on given names, not on generated ones",
        target: wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let is_generated = path.to_string() == "metadata.name" && text.len() > 5 && text.as_bytes()[..text.len() - 5].ends_with(b"-");
                if !is_generated {
                    Upstream.check_string(text, schema, path, findings);
                }
            }
        }),
        requirements: &["STRUCT-019"],
        properties: &["struct-019-restricted-names"],
        largest: 30,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "validates-no-types-of-objects",
        wrong: "what the schema says of root apiVersion and kind is not looked at",
        target: wrong!(Validation {
            fn value_violations(&self, value: &Value, schema: &Schema) -> Vec<Violation> {
                let mut schema = schema.clone();
                schema.properties.retain(|name, _| name != "apiVersion" && name != "kind");
                Upstream.value_violations(value, &schema)
            }
        }),
        requirements: &["STRUCT-018"],
        properties: &["struct-018-restricted-meta-fields"],
        largest: 25,
        subtle: true,
        finder: Finder::Choices,
    },
];
