//! Faults that a target shows before anything is generated: it lacks a capability.

use crdible::connection::HttpRequest;
use crdible_semantics::{Decoded, RoundTrip, Semantics, with};
use http::Method;

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
        .semantics(with::preserves_unknown_fields(|_, _| true)),
    fault("defaults-only-at-the-root", "only properties of the root are defaulted")
        .breaks(&["DEFAULT-001"])
        .caught_by(&["capability-defaulting"])
        .obvious()
        .semantics(with::default_property(|semantics, object, name, schema| {
            if semantics.takes_default(object.get(name), schema) {
                object.extend(schema.default.clone().map(|default| (name.to_owned(), default)));
            }
        })),
    fault("accepts-any-type", "a value of the wrong type is accepted")
        .breaks(&["VALUE-001"])
        .caught_by(&["value-001-type-check"])
        .obvious()
        .semantics(with::check_type(|_, _, _, _, _| {})),
    fault("accepts-schemas-without-types", "a schema without types is accepted")
        .breaks(&["STRUCT-002"])
        .caught_by(&["capability-structural-schemas"])
        .obvious()
        .semantics(with::rule_node_type(|_, _, _| {})),
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
        .semantics(Semantics {
            round_trip: RoundTrip {
                decode: |_, _, _| Ok(Decoded::default()),
                read: |_, _, _, _, _| {},
                ..RoundTrip::CORRECT
            },
            ..Semantics::UPSTREAM
        }),
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
