//! Faults that a target shows before anything is generated: it lacks a capability.

use crdible_semantics::{Decoded, RoundTrip, Semantics, with};
use http::Method;

use crate::{
    sent::is_about_definitions,
    table::{Fault, obvious_fault},
};

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("prunes-nothing", "every unknown field is kept")
        .breaks(&["PRUNE-001"], &["capability-pruning"])
        .implies(&[
            ("capability-field-validation", "a field that counts as known is not reported"),
            ("crdval-051-defaults", "a default with an unknown field is found by pruning it"),
        ])
        .semantics(with::preserves_unknown_fields(|_, _| true)),
    obvious_fault("defaults-only-at-the-root", "only properties of the root are defaulted")
        .breaks(&["DEFAULT-001"], &["capability-defaulting"])
        .semantics(with::default_property(|semantics, object, name, schema| {
            if semantics.takes_default(object.get(name), schema) {
                object.extend(schema.default.clone().map(|default| (name.to_owned(), default)));
            }
        })),
    obvious_fault("accepts-any-type", "a value of the wrong type is accepted")
        .breaks(&["VALUE-001"], &["value-001-type-check"])
        .semantics(with::check_type(|_, _, _, _, _| {})),
    obvious_fault("accepts-schemas-without-types", "a schema without types is accepted")
        .breaks(&["STRUCT-002"], &["capability-structural-schemas"])
        .semantics(with::rule_node_type(|_, _, _| {})),
    obvious_fault("stores-bodies-as-sent", "bodies are neither pruned nor defaulted")
        .breaks(&["PRUNE-001", "DEFAULT-001"], &["capability-pruning", "capability-defaulting"])
        .implies(&[
            ("capability-defaulting", "decoding prunes and defaults"),
            ("capability-field-validation", "decoding finds the unknown fields"),
            ("prune-019-metadata-at-rest", "decoding repairs embedded metadata"),
            ("rest-023-label-selectors", "decoding leaves out metadata that says nothing"),
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
    obvious_fault("creates-definitions-in-dry-runs", "a dry run of a definition creates it")
        .breaks(&["REST-058"], &["capability-definition-dry-run"])
        .requests(|request| {
            if is_about_definitions(request) && *request.method() == Method::POST {
                *request.uri_mut() = request.uri().path().parse().unwrap_or_default();
            }
        }),
];
