//! Faults that a target shows before anything is generated: it lacks a capability.

use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use crdible_semantics::{DecodeError, Decoded, FieldPath, Schema, structural::Node, validate::Findings};
use http::Method;
use serde_json::Value;

use crate::{
    servers::{behind, is_about_definitions},
    table::{Fault, Finder},
};

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "prunes-nothing",
        wrong: "every key is kept",
        target: wrong!(Pruning {
            fn preserves_unknown_fields(&self, _: &Schema) -> bool {
                true
            }
        }),
        requirements: &["PRUNE-001"],
        properties: &["capability-pruning"],
        largest: 0,
        subtle: false,
        finder: Finder::Examples,
    },
    Fault {
        name: "defaults-only-at-the-root",
        wrong: "only properties of the root are filled in",
        target: wrong!(Defaulting {
            fn default_property(&self, object: &mut serde_json::Map<String, Value>, name: &str, schema: &Schema) {
                if self.takes_default(object.get(name), schema) {
                    object.extend(schema.default.clone().map(|default| (name.to_owned(), default)));
                }
            }
        }),
        requirements: &["DEFAULT-001"],
        properties: &["capability-defaulting"],
        largest: 0,
        subtle: false,
        finder: Finder::Examples,
    },
    Fault {
        name: "takes-any-type",
        wrong: "a value of the wrong type is accepted",
        target: wrong!(Validation {
            fn check_type(&self, _: &Value, _: &Schema, _: &FieldPath<'_>, _: &mut Findings) {}
        }),
        requirements: &["VALUE-001"],
        properties: &["capability-validation"],
        largest: 0,
        subtle: false,
        finder: Finder::Examples,
    },
    Fault {
        name: "takes-nodes-without-a-type",
        wrong: "a schema need not say types",
        target: wrong!(SchemaRules {
            fn rule_node_type(&self, _: &Node<'_>, _: &mut Vec<crdible_semantics::Violation>) {}
        }),
        requirements: &["STRUCT-002"],
        properties: &["capability-structural-schemas"],
        largest: 0,
        subtle: false,
        finder: Finder::Examples,
    },
    Fault {
        name: "decodes-nothing",
        wrong: "bodies are stored as they come",
        target: wrong!(RoundTrip {
            fn decode(&self, _: &mut Value, _: &Schema) -> Result<Decoded, DecodeError> {
                Ok(Decoded::default())
            }
            fn read(&self, _: &mut Value, _: &Schema, _: &Schema, _: bool) {}
        }),
        requirements: &["PRUNE-001", "DEFAULT-001"],
        properties: &["capability-pruning", "capability-defaulting"],
        largest: 0,
        subtle: false,
        finder: Finder::Examples,
    },
    Fault {
        name: "creates-definitions-in-dry-runs",
        wrong: "a definition that is sent as a dry run is created",
        target: || behind(InEarnest),
        requirements: &["REST-058"],
        properties: &["capability-definition-dry-run"],
        largest: 0,
        subtle: false,
        finder: Finder::Examples,
    },
];

/// Forgets that definitions are sent as dry runs.
#[derive(Debug)]
struct InEarnest(InProcess);

impl Transport for InEarnest {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        if is_about_definitions(&request) && *request.method() == Method::POST {
            let path = request.uri().path().parse().unwrap_or_default();
            *request.uri_mut() = path;
        }
        self.0.send(request)
    }
}
