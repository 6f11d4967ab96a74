//! Faults in serving and storing versions.

use bytes::Bytes;
use crdible::connection::HttpRequest;
use crdible_reference::Controllers;
use crdible_semantics::{RoundTrip, Semantics, with};
use http::Method;
use serde_json::Value;

use crate::{
    server::{controlled, correct, is_about_definitions, replace_body},
    table::{Fault, fault, obvious_fault},
};

const STORED: &[&str] =
    &["VER-016", "VER-017", "INV-040", "INV-047", "INV-098", "CRDVAL-014", "CRDVAL-017", "CRDVAL-018"];

pub(crate) const FAULTS: &[Fault] = &[
    obvious_fault("drops-former-stored-versions", "storedVersions lists only the current storage version")
        .breaks(STORED, &["ver-015-rewriting", "ver-017-stored-versions", "crdval-017-stored-versions"])
        .server(|| controlled(ListsCurrentOnly)),
    fault("sorts-stored-versions", "storedVersions is sorted instead of in order of first use")
        .breaks(STORED, &["ver-017-stored-versions"])
        .server(|| controlled(SortsVersions)),
    fault("repeats-stored-versions", "a version that becomes the storage version again is listed twice")
        .breaks(STORED, &["ver-017-stored-versions"])
        .within_lines(60)
        .server(|| controlled(RepeatsVersions)),
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
        .requests(serve_storage_version),
    fault("accepts-bodies-of-any-version", "a body may name another version than the URL")
        .breaks(&["VER-008"], &["ver-008-served"])
        .within_lines(60)
        .requests(|request| rename_version(request, &[Method::PUT, Method::POST])),
    fault("writes-nothing-for-empty-patches", "an empty patch leaves an object in its old storage version")
        .breaks(&["VER-015"], &["ver-015-rewriting"])
        .within_lines(60)
        .requests(read_on_empty_patch),
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

struct ListsCurrentOnly;

impl Controllers for ListsCurrentOnly {
    fn stored_versions(&self, _: &[String], storage: &str) -> Vec<String> {
        vec![storage.to_owned()]
    }
}

struct SortsVersions;

impl Controllers for SortsVersions {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if !versions.iter().any(|version| version == storage) {
            versions.push(storage.to_owned());
        }
        versions.sort();
        versions
    }
}

struct RepeatsVersions;

impl Controllers for RepeatsVersions {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if versions.last().is_none_or(|version| version != storage) {
            versions.push(storage.to_owned());
        }
        versions
    }
}

/// Marks the storage version of a definition as served.
fn serve_storage_version(request: &mut HttpRequest) {
    let body = serde_json::from_slice::<Value>(request.body()).ok().filter(|_| is_about_definitions(request));
    let Some(mut body) = body else { return };
    for version in body.pointer_mut("/spec/versions").and_then(Value::as_array_mut).into_iter().flatten() {
        if version["storage"] == true {
            version["served"] = Value::Bool(true);
        }
    }
    replace_body(request, &body);
}

/// Replaces the version of a body by that of the URL.
pub(crate) fn rename_version(request: &mut HttpRequest, methods: &[Method]) {
    let is_write = methods.contains(request.method()) && !is_about_definitions(request);
    let mut segments = request.uri().path().split('/').skip(2);
    let api_version = segments.next().zip(segments.next()).map(|(group, version)| format!("{group}/{version}"));
    let body = serde_json::from_slice::<Value>(request.body()).ok().filter(|body| is_write && body.is_object());
    if let (Some(mut body), Some(api_version)) = (body, api_version) {
        body["apiVersion"] = Value::String(api_version);
        replace_body(request, &body);
    }
}

/// Turns an empty patch into a read.
fn read_on_empty_patch(request: &mut HttpRequest) {
    let is_empty = matches!(request.body().as_ref(), b"{}" | b"[]");
    if *request.method() == Method::PATCH && is_empty {
        *request.method_mut() = Method::GET;
        *request.body_mut() = Bytes::new();
    }
}
