//! Faults that a target shows before anything is generated: it lacks a capability.

use crdible::connection::HttpRequest;
use crdible_semantics::{DecodeError, Decoded, FieldPath, Schema, structural::Node, validate::Findings};
use http::Method;
use serde_json::Value;

use crate::{
    server::is_about_definitions,
    table::{Fault, fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("prunes-nothing", "every unknown field is kept")
        .breaks(&["PRUNE-001"])
        .caught_by(&["capability-pruning"])
        .obvious()
        .implies(&[
            ("capability-field-validation", "a field that counts as known is not reported"),
            ("crdval-051-defaults", "a default with an unknown field is found by pruning it"),
        ])
        .server(wrong!(Pruning {
            fn preserves_unknown_fields(&self, _: &Schema) -> bool {
                true
            }
        })),
    fault("defaults-only-at-the-root", "only properties of the root are defaulted")
        .breaks(&["DEFAULT-001"])
        .caught_by(&["capability-defaulting"])
        .obvious()
        .server(wrong!(Defaulting {
            fn default_property(&self, object: &mut serde_json::Map<String, Value>, name: &str, schema: &Schema) {
                if self.takes_default(object.get(name), schema) {
                    object.extend(schema.default.clone().map(|default| (name.to_owned(), default)));
                }
            }
        })),
    fault("accepts-any-type", "a value of the wrong type is accepted")
        .breaks(&["VALUE-001"])
        .caught_by(&["value-001-type-check"])
        .obvious()
        .server(wrong!(Validation {
            fn check_type(&self, _: &Value, _: &Schema, _: &FieldPath<'_>, _: &mut Findings) {}
        })),
    fault("accepts-schemas-without-types", "a schema without types is accepted")
        .breaks(&["STRUCT-002"])
        .caught_by(&["capability-structural-schemas"])
        .obvious()
        .server(wrong!(SchemaRules {
            fn rule_node_type(&self, _: &Node<'_>, _: &mut Vec<crdible_semantics::Violation>) {}
        })),
    fault("stores-bodies-as-sent", "bodies are neither pruned nor defaulted")
        .breaks(&["PRUNE-001", "DEFAULT-001"])
        .caught_by(&["capability-pruning", "capability-defaulting"])
        .obvious()
        .implies(&[
            ("capability-defaulting", "decoding prunes and defaults"),
            ("capability-field-validation", "decoding finds the unknown fields"),
            ("prune-019-metadata-at-rest", "decoding repairs embedded metadata"),
            ("value-041-metadata-limits", "decoding rejects metadata of the wrong type"),
            ("value-041-metadata-limits", "some of it is then rejected by validation: another answer"),
        ])
        .server(wrong!(RoundTrip {
            fn decode(&self, _: &mut Value, _: &Schema) -> Result<Decoded, DecodeError> {
                Ok(Decoded::default())
            }
            fn read(&self, _: &mut Value, _: &Schema, _: &Schema, _: bool) {}
        })),
    fault("creates-definitions-in-dry-runs", "a dry run of a definition creates it")
        .breaks(&["REST-058"])
        .caught_by(&["capability-definition-dry-run"])
        .obvious()
        .requests(drop_dry_run),
];

/// Drops the query of a create of a definition.
fn drop_dry_run(request: &mut HttpRequest) {
    if is_about_definitions(request) && *request.method() == Method::POST {
        *request.uri_mut() = request.uri().path().parse().unwrap_or_default();
    }
}
