//! Faults in the list of versions: CRDVAL-012..017.

use crdible_semantics::{Reason, definition::Version, with};
use http::StatusCode;
use serde_json::json;

use crate::{
    server::{correct, listing},
    table::{Fault, fault, obvious_fault},
    violations::{add_except, reported, violation},
};

pub(crate) const FAULTS: &[Fault] = &[
    fault("accepts-version-names-of-64-characters", "a version name may be one character longer than a label")
        .breaks(&["CRDVAL-012"], &["crdval-012-version-names"])
        .semantics(with::check_version_names(|_, versions, found| {
            let shorter: Vec<Version> = versions
                .iter()
                .map(|version| match version.name.len() {
                    64 => Version { name: version.name[1..].to_owned(), ..version.clone() },
                    _ => version.clone(),
                })
                .collect();
            correct().check_version_names(&shorter, found);
        })),
    obvious_fault("accepts-repeated-version-names", "two versions may have the same name")
        .breaks(&["CRDVAL-013", "INV-095"], &["crdval-012-version-names"])
        .semantics(with::check_version_names(|_, versions, found| {
            let all = reported(|all| correct().check_version_names(versions, all));
            add_except(found, all, |violation| violation.requirement == "CRDVAL-013");
        })),
    obvious_fault("accepts-two-storage-versions", "two storage versions are accepted")
        .breaks(&["CRDVAL-014", "CRDVAL-017"], &["crdval-014-one-storage-version", "crdval-017-stored-versions"])
        .semantics(with::check_one_storage_version(|_, spec, found| {
            let all = reported(|all| correct().check_one_storage_version(spec, all));
            add_except(found, all, |_| spec.versions.iter().any(|version| version.storage));
        })),
    obvious_fault("needs-a-served-version", "a definition must serve a version")
        .breaks(&["CRDVAL-014", "CRDVAL-015"], &["crdval-014-one-storage-version"])
        .semantics(with::definition_violations(|_, definition| {
            let mut found = correct().definition_violations(definition);
            let versions = definition["spec"]["versions"].as_array().map_or(&[][..], Vec::as_slice);
            if found.is_empty() && !versions.iter().any(|version| version["served"] == true) {
                found.push(violation("spec.versions".to_owned(), Reason::Invalid));
            }
            found
        })),
    obvious_fault("lists-groups-that-serve-nothing", "a group without served versions has an empty discovery document")
        .breaks(&["CRDVAL-015"], &["crdval-015-nothing-served"])
        .answers(|asked, answer| {
            let group = asked.uri.path().strip_prefix("/apis/").filter(|group| !group.contains('/'));
            if let Some(group) = group.filter(|_| answer.head.status == StatusCode::NOT_FOUND) {
                answer.succeed(json!({ "kind": "APIGroup", "apiVersion": "v1", "name": group, "versions": [] }));
            }
        }),
    fault("counts-characters-of-warnings", "the length of a deprecation warning is counted in characters")
        .breaks(&["CRDVAL-016"], &["crdval-016-deprecation"])
        .semantics(with::check_deprecation(|_, version, field, found| {
            let letters = version
                .deprecation_warning
                .as_ref()
                .map(|text| text.chars().map(|letter| if letter.is_ascii() { letter } else { 'x' }).collect());
            let is_long = version.deprecation_warning.as_ref().is_some_and(|text| text.len() > 256);
            if is_long {
                correct().check_deprecation(&Version { deprecation_warning: letters, ..version.clone() }, field, found);
            } else {
                correct().check_deprecation(version, field, found);
            }
        })),
    fault("accepts-empty-warnings", "a version that is not deprecated may have an empty deprecation warning")
        .breaks(&["CRDVAL-016"], &["crdval-016-deprecation"])
        .semantics(with::check_deprecation(|_, version, field, found| {
            if version.deprecated || version.deprecation_warning.as_deref() != Some("") {
                correct().check_deprecation(version, field, found);
            }
        })),
    fault("lists-new-stored-versions-first", "a new storage version is put first in storedVersions")
        .breaks(&["CRDVAL-017", "CRDVAL-018", "CRDVAL-014", "INV-047"], &["crdval-017-stored-versions"])
        .server(|| {
            listing(|listed, storage| {
                let is_listed = listed.iter().any(|version| version == storage);
                let new = (!is_listed).then(|| storage.to_owned());
                new.into_iter().chain(listed.iter().cloned()).collect()
            })
        }),
];
