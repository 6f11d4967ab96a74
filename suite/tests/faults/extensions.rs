//! Faults in the rules of embedded objects, metadata and nullable.

use crdible_semantics::{
    FieldPath, Reason,
    structural::{Node, Position},
    with,
};
use serde_json::Value;

use crate::{
    server::correct,
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault(
        "accepts-embedded-nodes-of-any-shape",
        "an embedded object needs neither the type object nor properties",
    )
    .breaks(&["STRUCT-016"], &["struct-016-embedded-shape"])
    .semantics(with::rule_embedded_shape(|_, _, _| {})),
    fault("accepts-embedded-nodes-without-properties", "an embedded object needs no properties")
        .breaks(&["STRUCT-016"], &["struct-016-embedded-shape"])
        .semantics(with::rule_embedded_shape(|_, node, found| {
            let all = reported(|all| correct().rule_embedded_shape(node, all));
            add_except(found, all, |violation| violation.field.ends_with(".properties"));
        })),
    obvious_fault("accepts-embedded-objects-in-metadata", "metadata may contain embedded objects")
        .breaks(&["STRUCT-017"], &["struct-017-no-resource-in-metadata"])
        .within_lines(30)
        .semantics(with::rule_embedded_inside_meta(|_, _, _| {})),
    fault(
        "accepts-embedded-objects-deep-in-metadata",
        "metadata may contain embedded objects below its own properties",
    )
    .breaks(&["STRUCT-017"], &["struct-017-no-resource-in-metadata"])
    .within_lines(30)
    .semantics(with::rule_embedded_inside_meta(|_, node, found| {
        if ["[metadata]", "[kind]", "[apiVersion]"].iter().any(|end| node.path.to_string().ends_with(end)) {
            correct().rule_embedded_inside_meta(node, found);
        }
    })),
    obvious_fault("accepts-meta-fields-of-any-type", "apiVersion, kind and metadata may be declared with any type")
        .breaks(&["STRUCT-018"], &["struct-018-meta-property-types"])
        .semantics(with::rule_meta_property_types(|_, _, _| {})),
    fault("accepts-embedded-meta-fields-of-any-type", "meta fields of embedded objects may have any type")
        .breaks(&["STRUCT-018"], &["struct-018-meta-property-types"])
        .semantics(with::rule_meta_property_types(|_, node, found| {
            if node.position == Position::Root {
                correct().rule_meta_property_types(node, found);
            }
        })),
    obvious_fault("accepts-any-root-metadata", "root metadata may declare anything")
        .breaks(&["STRUCT-019", "CRDVAL-051"], &["struct-019-root-metadata"])
        .semantics(with::rule_root_metadata(|_, _, _| {})),
    fault("accepts-labels-in-root-metadata", "root metadata may declare labels")
        .breaks(&["STRUCT-019"], &["struct-019-root-metadata"])
        .semantics(with::rule_root_metadata(|_, node, found| {
            let mut schema = node.schema.clone();
            if let Some(metadata) = schema.properties.get_mut("metadata") {
                metadata.properties.remove("labels");
            }
            correct().rule_root_metadata(&Node { schema: &schema, ..*node }, found);
        })),
    obvious_fault("validates-no-names", "restrictions of metadata.name are not enforced")
        .breaks(&["STRUCT-019"], &["struct-019-restricted-names"])
        .within_lines(30)
        .semantics(with::value_violations(|_, value, schema| {
            let mut schema = schema.clone();
            schema.properties.remove("metadata");
            correct().value_violations(value, &schema)
        })),
    fault("restricts-embedded-metadata", "metadata of embedded objects may declare only name and generateName")
        .breaks(&["STRUCT-020"], &["struct-020-embedded-metadata"])
        .semantics(with::rule_root_metadata(|_, node, found| {
            let position = if node.schema.embedded_resource { Position::Root } else { node.position };
            correct().rule_root_metadata(&Node { position, ..*node }, found);
        })),
    fault("prunes-user-metadata", "a property metadata below the root loses its declared fields")
        .breaks(&["PRUNE-015", "STRUCT-021"], &["struct-021-user-metadata"])
        .within_lines(40)
        .semantics(with::prune_object(|semantics, object, schema, meta, path, removed| {
            let mut value = Value::Object(std::mem::take(object));
            let mut emptied = schema.clone();
            if let Some(metadata) =
                emptied.properties.get_mut("metadata").filter(|_| !meta && !matches!(path, FieldPath::Root))
            {
                metadata.properties.clear();
            }
            correct().prune_node(&mut value, Some(&emptied), meta, path, removed);
            object.extend(value.as_object().cloned().unwrap_or_default());
            for (key, value) in object.iter_mut() {
                if let (Some(child), Value::Object(below)) = (schema.properties.get(key), value) {
                    semantics.prune_object(below, child, child.embedded_resource, &path.name(key), &mut Vec::new());
                }
            }
        })),
    obvious_fault("accepts-nullable-roots", "a nullable root is accepted")
        .breaks(&["STRUCT-022", "CRDVAL-027"], &["struct-022-nullable"])
        .within_lines(10)
        .semantics(with::rule_root_nullable(|_, _, _| {})),
    fault("rejects-nullable-map-values", "nullable map values are rejected")
        // A definition that the scenario needs may be rejected first.
        .breaks(
            &["STRUCT-022", "CRDVAL-027", "STRUCT-034", "INV-094", "LIFE-002"],
            &["struct-022-nullable", "struct-034-closure"],
        )
        .within_lines(70)
        .semantics(with::rule_node_type(|_, node, found| {
            correct().rule_node_type(node, found);
            if node.schema.nullable && node.path.to_string().ends_with(".additionalProperties") {
                node.report_keyword(found, "nullable", Reason::Forbidden, "STRUCT-022", "this server is wrong");
            }
        })),
    fault("validates-no-generated-names", "bounds of metadata.name are not enforced on generated names")
        .breaks(&["STRUCT-019"], &["struct-019-restricted-names"])
        .within_lines(30)
        .semantics(with::check_string(|_, text, schema, path, findings| {
            let is_generated = path.to_string() == "metadata.name"
                && text.len() > 5
                && text.as_bytes()[..text.len() - 5].ends_with(b"-");
            if !is_generated {
                correct().check_string(text, schema, path, findings);
            }
        })),
    fault("validates-no-api-version-and-kind", "restrictions of the root's apiVersion and kind are not enforced")
        .breaks(&["STRUCT-018"], &["struct-018-restricted-meta-fields"])
        .semantics(with::value_violations(|_, value, schema| {
            let mut schema = schema.clone();
            schema.properties.retain(|name, _| name != "apiVersion" && name != "kind");
            correct().value_violations(value, &schema)
        })),
];
