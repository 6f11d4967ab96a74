//! Faults in what of the schemas is no matter of structure: CRDVAL-026..040, CRDVAL-052, CRDVAL-057.

use crdible_semantics::{
    Reason, Schema, SchemaContext, Upstream, Violation,
    definition::Spec,
    structural::{DefaultNode, Node, Position},
};
use http::{HeaderValue, header};
use serde_json::Value;

use super::{Answering, fault, violation};
use crate::{servers::behind, structural::but, table::Fault};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "takes-versions-without-a-schema",
        "a version behind the first needs no schema",
        wrong!(DefinitionRules {
            fn check_schemas(&self, spec: &Spec, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_schemas(spec, found), |violation| violation.requirement == "CRDVAL-026" && !violation.field.contains("[0]"));
            }
        }),
        &["CRDVAL-026", "INV-095"],
        &["crdval-026-schema-required"],
        true,
    ),
    fault(
        "takes-null-as-a-type",
        "the type null is unknown, but not forbidden",
        wrong!(SchemaRules {
            fn rule_type_names(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.rule_type_names(node, found), |violation| violation.reason == Reason::Forbidden);
            }
        }),
        &["CRDVAL-029", "CRDVAL-024"],
        &["crdval-029-types"],
        true,
    ),
    fault(
        "takes-unique-items-in-branches",
        "uniqueItems may stand in quantifiers",
        wrong!(SchemaRules {
            fn rule_unique_items(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position != Position::Branch {
                    Upstream.rule_unique_items(node, found);
                }
            }
        }),
        &["CRDVAL-032"],
        &["crdval-030-forbidden-keywords"],
        true,
    ),
    fault(
        "takes-forbidden-keywords-in-branches",
        "forbidden keywords may stand in quantifiers",
        wrong!(SchemaRules {
            fn rule_unsupported_keywords(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.position != Position::Branch {
                    Upstream.rule_unsupported_keywords(node, found);
                }
            }
        }),
        &["CRDVAL-030"],
        &["crdval-030-forbidden-keywords"],
        true,
    ),
    fault(
        "takes-defaults-of-any-format",
        "a default that is a text is of any format",
        wrong!(SchemaRules {
            fn default_value_violations(&self, at: &DefaultNode<'_>, default: &Value, path: &crdible_semantics::FieldPath<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.default_value_violations(at, default, path, found), |violation| violation.reason == Reason::TypeInvalid && default.is_string());
            }
        }),
        &["CRDVAL-053"],
        &["crdval-051-defaults"],
        true,
    ),
    fault(
        "says-nothing-of-unknown-keywords",
        "an unknown field below spec.versions is dropped in silence",
        || behind(|server| Answering { server, alter: without_warnings_of_versions }),
        &["CRDVAL-031", "CRDVAL-058"],
        &["crdval-031-unmodelled-keywords", "crdval-058-field-validation"],
        true,
    ),
    fault(
        "takes-false-beside-properties",
        "additionalProperties: false may stand beside properties",
        wrong!(SchemaRules {
            fn rule_properties_or_additional(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.value_schema().is_some() {
                    Upstream.rule_properties_or_additional(node, found);
                }
            }
        }),
        &["CRDVAL-033"],
        &["crdval-033-properties-or-additional"],
        true,
    ),
    fault(
        "takes-any-pattern-for-numbers",
        "patterns are looked at where the type is string",
        wrong!(SchemaRules {
            fn rule_pattern(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.type_name == "string" {
                    Upstream.rule_pattern(node, found);
                }
            }
        }),
        &["CRDVAL-034"],
        &["crdval-034-patterns"],
        true,
    ),
    Fault {
        largest: 260,
        ..fault(
            "limits-the-number-of-properties",
            "a root has at most a hundred properties",
            wrong!(SchemaRules {
                fn schema_violations(&self, root: &Schema, context: &SchemaContext) -> Vec<Violation> {
                    let mut found = Upstream.schema_violations(root, context);
                    if root.properties.len() > 100 {
                        found.push(violation("openAPIV3Schema.properties".to_owned(), Reason::TooMany));
                    }
                    found
                }
            }),
            &["CRDVAL-039"],
            &["crdval-039-no-depth-limit"],
            true,
        )
    },
    fault(
        "takes-counts-of-keys-under-status",
        "maxProperties may stand at the root under the status subresource",
        wrong!(SchemaRules {
            fn rule_root_keywords_under_status(&self, node: &Node<'_>, found: &mut Vec<Violation>) {
                if node.schema.values.max_properties.is_none() {
                    Upstream.rule_root_keywords_under_status(node, found);
                }
            }
        }),
        &["CRDVAL-040"],
        &["crdval-040-root-keywords-under-status"],
        true,
    ),
    fault(
        "takes-unpruned-defaults",
        "a default may hold what pruning takes",
        wrong!(SchemaRules {
            fn default_value_violations(&self, at: &DefaultNode<'_>, default: &Value, path: &crdible_semantics::FieldPath<'_>, found: &mut Vec<Violation>) {
                but(found, |found| Upstream.default_value_violations(at, default, path, found), |violation| violation.requirement == "CRDVAL-052");
            }
        }),
        &["CRDVAL-052"],
        &["crdval-051-defaults"],
        false,
    ),
    fault(
        "knows-formats-of-any-type",
        "a format that some type knows is known",
        wrong!(DefinitionRules {
            fn is_known_format(&self, _: &str, format: &str) -> bool {
                ["string", "integer", "number"].iter().any(|type_name| Upstream.is_known_format(type_name, format))
            }
        }),
        &["CRDVAL-057"],
        &["crdval-057-unrecognized-formats"],
        true,
    ),
];

fn without_warnings_of_versions(head: &mut http::response::Parts, _: &mut Value) {
    let warnings: Vec<HeaderValue> = head.headers.get_all(header::WARNING).iter().cloned().collect();
    head.headers.remove(header::WARNING);
    for warning in warnings {
        if !String::from_utf8_lossy(warning.as_bytes()).contains("unknown field \\\"spec.versions") {
            head.headers.append(header::WARNING, warning);
        }
    }
}
