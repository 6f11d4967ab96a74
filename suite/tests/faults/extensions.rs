//! Faults in the rules of embedded objects, metadata and nullable.

use crdible_semantics::{
    FieldPath, Reason, Schema, Violation,
    structural::{Node, Position},
    validate::Findings,
};
use serde_json::{Map, Value};

use crate::{
    server::Correct,
    table::{Fault, fault},
    violations::report_except,
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("accepts-embedded-nodes-of-any-shape", "an embedded object needs neither the type object nor properties")
        .breaks(&["STRUCT-016"])
        .caught_by(&["struct-016-embedded-shape"])
        .within_lines(25)
        .obvious()
        .server(wrong!(SchemaRules {
            fn rule_embedded_shape(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        })),
    fault("accepts-embedded-nodes-without-properties", "an embedded object needs no properties")
        .breaks(&["STRUCT-016"])
        .caught_by(&["struct-016-embedded-shape"])
        .within_lines(25)
        .server(wrong!(SchemaRules {
            fn rule_embedded_shape(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                report_except(found, |found| Correct.rule_embedded_shape(node, found), |violation| violation.field.ends_with(".properties"));
            }
        })),
    fault("accepts-embedded-objects-in-metadata", "metadata may contain embedded objects")
        .breaks(&["STRUCT-017"])
        .caught_by(&["struct-017-no-resource-in-metadata"])
        .within_lines(30)
        .obvious()
        .server(wrong!(SchemaRules {
            fn rule_embedded_inside_meta(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        })),
    fault("accepts-embedded-objects-deep-in-metadata", "metadata may contain embedded objects below its own properties")
        .breaks(&["STRUCT-017"])
        .caught_by(&["struct-017-no-resource-in-metadata"])
        .within_lines(30)
        .server(wrong!(SchemaRules {
            fn rule_embedded_inside_meta(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if ["[metadata]", "[kind]", "[apiVersion]"].iter().any(|end| node.path.to_string().ends_with(end)) {
                    Correct.rule_embedded_inside_meta(node, found);
                }
            }
        })),
    fault("accepts-meta-fields-of-any-type", "apiVersion, kind and metadata may be declared with any type")
        .breaks(&["STRUCT-018"])
        .caught_by(&["struct-018-meta-property-types"])
        .within_lines(25)
        .obvious()
        .server(wrong!(SchemaRules {
            fn rule_meta_property_types(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        })),
    fault("accepts-embedded-meta-fields-of-any-type", "meta fields of embedded objects may have any type")
        .breaks(&["STRUCT-018"])
        .caught_by(&["struct-018-meta-property-types"])
        .within_lines(25)
        .server(wrong!(SchemaRules {
            fn rule_meta_property_types(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position == Position::Root {
                    Correct.rule_meta_property_types(node, found);
                }
            }
        })),
    fault("accepts-any-root-metadata", "root metadata may declare anything")
        .breaks(&["STRUCT-019", "CRDVAL-051"])
        .caught_by(&["struct-019-root-metadata"])
        .within_lines(25)
        .obvious()
        .server(wrong!(SchemaRules {
            fn rule_root_metadata(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        })),
    fault("accepts-labels-in-root-metadata", "root metadata may declare labels")
        .breaks(&["STRUCT-019"])
        .caught_by(&["struct-019-root-metadata"])
        .within_lines(25)
        .server(wrong!(SchemaRules {
            fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let mut schema = node.schema.clone();
                if let Some(metadata) = schema.properties.get_mut("metadata") {
                    metadata.properties.remove("labels");
                }
                Correct.rule_root_metadata(&Node { schema: &schema, ..*node }, found);
            }
        })),
    fault("validates-no-names", "restrictions of metadata.name are not enforced")
        .breaks(&["STRUCT-019"])
        .caught_by(&["struct-019-restricted-names"])
        .within_lines(30)
        .obvious()
        .server(wrong!(Validation {
            fn value_violations(&self, value: &Value, schema: &Schema) -> Vec<Violation> {
                let mut schema = schema.clone();
                schema.properties.remove("metadata");
                Correct.value_violations(value, &schema)
            }
        })),
    fault("restricts-embedded-metadata", "metadata of embedded objects may declare only name and generateName")
        .breaks(&["STRUCT-020"])
        .caught_by(&["struct-020-embedded-metadata"])
        .within_lines(25)
        .server(wrong!(SchemaRules {
            fn rule_root_metadata(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                let position = if node.schema.embedded_resource { Position::Root } else { node.position };
                Correct.rule_root_metadata(&Node { position, ..*node }, found);
            }
        })),
    fault("prunes-user-metadata", "a property metadata below the root loses its declared fields")
        .breaks(&["PRUNE-015", "STRUCT-021"])
        .caught_by(&["struct-021-user-metadata"])
        .server(wrong!(Pruning {
            fn prune_object(
                &self,
                object: &mut Map<String, Value>,
                schema: &Schema,
                meta: bool,
                path: &FieldPath<'_>,
                removed: &mut Vec<String>,
            ) {
                let mut value = Value::Object(std::mem::take(object));
                let mut emptied = schema.clone();
                if let Some(metadata) = emptied.properties.get_mut("metadata").filter(|_| !meta && !matches!(path, FieldPath::Root)) {
                    metadata.properties.clear();
                }
                Correct.prune_node(&mut value, Some(&emptied), meta, path, removed);
                object.extend(value.as_object().cloned().unwrap_or_default());
                for (key, value) in object.iter_mut() {
                    if let (Some(child), Value::Object(below)) = (schema.properties.get(key), value) {
                        self.prune_object(below, child, child.embedded_resource, &path.name(key), &mut Vec::new());
                    }
                }
            }
        })),
    fault("accepts-nullable-roots", "a nullable root is accepted")
        .breaks(&["STRUCT-022", "CRDVAL-027"])
        .caught_by(&["struct-022-nullable"])
        .within_lines(10)
        .obvious()
        .server(wrong!(SchemaRules {
            fn rule_root_nullable(&self, _: &Node<'_>, _: &mut Vec<Violation>) {}
        })),
    fault("rejects-nullable-map-values", "nullable map values are rejected")
        // A definition that the scenario needs may be rejected first.
        .breaks(&["STRUCT-022", "CRDVAL-027", "STRUCT-034", "INV-094", "LIFE-002"])
        .caught_by(&["struct-022-nullable", "struct-034-closure"])
        .within_lines(70)
        .server(wrong!(SchemaRules {
            fn rule_node_type(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                Correct.rule_node_type(node, found);
                if node.schema.nullable && node.path.to_string().ends_with(".additionalProperties") {
                    node.report_keyword(found, "nullable", Reason::Forbidden, "STRUCT-022", "this server is wrong");
                }
            }
        })),
    fault("validates-no-generated-names", "bounds of metadata.name are not enforced on generated names")
        .breaks(&["STRUCT-019"])
        .caught_by(&["struct-019-restricted-names"])
        .within_lines(30)
        .server(wrong!(Validation {
            fn check_string(&self, text: &str, schema: &Schema, path: &FieldPath<'_>, findings: &mut Findings) {
                let is_generated =
                    path.to_string() == "metadata.name" && text.len() > 5 && text.as_bytes()[..text.len() - 5].ends_with(b"-");
                if !is_generated {
                    Correct.check_string(text, schema, path, findings);
                }
            }
        })),
    fault("validates-no-api-version-and-kind", "restrictions of the root's apiVersion and kind are not enforced")
        .breaks(&["STRUCT-018"])
        .caught_by(&["struct-018-restricted-meta-fields"])
        .within_lines(25)
        .server(wrong!(Validation {
            fn value_violations(&self, value: &Value, schema: &Schema) -> Vec<Violation> {
                let mut schema = schema.clone();
                schema.properties.retain(|name, _| name != "apiVersion" && name != "kind");
                Correct.value_violations(value, &schema)
            }
        })),
];
