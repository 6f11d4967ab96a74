//! Faults in serving and storing versions.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use crdible_semantics::{RoundTrip, Semantics, with};
use http::Method;
use serde_json::Value;

use crate::{
    json::elements,
    sent::{is_about_definitions, with_body},
    server::{correct, listing},
    table::{Fault, fault, obvious_fault},
};

const STORED: &[&str] =
    &["VER-016", "VER-017", "INV-040", "INV-047", "INV-098", "CRDVAL-014", "CRDVAL-017", "CRDVAL-018"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("drops-former-stored-versions", "storedVersions lists only the current storage version")
        .breaks(STORED, &["ver-015-rewriting", "ver-017-stored-versions", "crdval-017-stored-versions"])
        .server(|| listing(|_, storage| vec![storage.to_owned()])),
    fault("sorts-stored-versions", "storedVersions is sorted instead of in order of first use")
        .breaks(STORED, &["ver-017-stored-versions"])
        .blamed(&["VER-017", "INV-047", "INV-098"])
        .server(|| {
            listing(|listed, storage| {
                let mut versions = listed.to_vec();
                if !versions.iter().any(|version| version == storage) {
                    versions.push(storage.to_owned());
                }
                versions.sort();
                versions
            })
        }),
    fault("repeats-stored-versions", "a version that becomes the storage version again is listed twice")
        .breaks(STORED, &["ver-017-stored-versions"])
        .within_lines(60)
        .server(|| {
            listing(|listed, storage| {
                let mut versions = listed.to_vec();
                if versions.last().is_none_or(|version| version != storage) {
                    versions.push(storage.to_owned());
                }
                versions
            })
        }),
    obvious_fault(
        "accepts-dropped-stored-versions",
        "a version with stored objects can be removed from the definition",
    )
    .breaks(STORED, &["ver-017-stored-versions", "crdval-017-stored-versions"])
    .semantics(with::check_stored_versions(|_, _, _, _| {})),
    fault("serves-the-storage-version-always", "the storage version is served even if it is marked as not served")
        .breaks(&["VER-006", "VER-007", "VER-009", "VER-010", "INV-039"], &["ver-009-unserved"])
        // Two lists of three versions.
        .within_lines(120)
        .requests(|request| {
            if is_about_definitions(request) {
                with_body(request, |body| {
                    for version in elements(body, "/spec/versions").filter(|version| version["storage"] == true) {
                        version["served"] = Value::Bool(true);
                    }
                });
            }
        }),
    fault("accepts-bodies-of-any-version", "a body may name another version than the URL")
        .breaks(&["VER-008"], &["ver-008-served"])
        .within_lines(60)
        .requests(|request| rename_version(request, &[Method::PUT, Method::POST])),
    fault("writes-nothing-for-empty-patches", "an empty patch leaves an object in its old storage version")
        .breaks(&["VER-015"], &["ver-015-rewriting"])
        .within_lines(60)
        .requests(|request| {
            let is_empty = matches!(request.body().as_ref(), b"{}" | b"[]");
            if *request.method() == Method::PATCH && is_empty {
                *request.method_mut() = Method::GET;
                *request.body_mut() = Bytes::new();
            }
        }),
    obvious_fault(
        "stores-at-the-version-of-the-request",
        "fields that the storage version does not declare are stored",
    )
    .breaks(&["VER-014", "VER-016", "CONV-001", "CONV-002", "CONV-003"], &["ver-014-storage", "conv-001-strategy-none"])
    .within_lines(60)
    .semantics(Semantics {
        round_trip: RoundTrip {
            encode: |_, _, _| {},
            read: |semantics, stored, stored_schema, requested_schema, same_version| {
                if same_version {
                    return correct().read(stored, stored_schema, requested_schema, same_version);
                }
                semantics.repair_metadata(stored);
                semantics.apply_defaults(stored, stored_schema);
                semantics.convert(stored, requested_schema);
            },
            ..RoundTrip::CORRECT
        },
        ..Semantics::UPSTREAM
    }),
];

/// Replaces the version of a body by that of the URL.
pub(crate) fn rename_version(request: &mut HttpRequest, methods: &[Method]) {
    let is_write = methods.contains(request.method()) && !is_about_definitions(request);
    let mut segments = request.uri().path().split('/').skip(2);
    let api_version = segments.next().zip(segments.next()).map(|(group, version)| format!("{group}/{version}"));
    if let (true, Some(api_version)) = (is_write, api_version) {
        with_body(request, |body| {
            if body.is_object() {
                body["apiVersion"] = Value::String(api_version);
            }
        });
    }
}
