//! Faults in the list of versions: CRDVAL-012..017.

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Transport};
use crdible_reference::Controllers;
use crdible_semantics::{Upstream, Violation, definition::Version};
use serde_json::json;

use super::{controlled, fault};
use crate::{servers::behind, structural::but, table::Fault};

pub(crate) const FAULTS: &[Fault] = &[
    fault(
        "takes-versions-of-64-characters",
        "a name of a version may be one character longer than a label",
        wrong!(DefinitionRules {
            fn check_version_names(&self, versions: &[Version], found: &mut Vec<Violation>) {
                let shorter: Vec<Version> = versions
                    .iter()
                    .map(|version| match version.name.len() {
                        64 => Version { name: version.name[1..].to_owned(), ..version.clone() },
                        _ => version.clone(),
                    })
                    .collect();
                Upstream.check_version_names(&shorter, found);
            }
        }),
        &["CRDVAL-012"],
        &["crdval-012-version-names"],
        true,
    ),
    fault(
        "takes-versions-twice",
        "two versions may have one name",
        wrong!(DefinitionRules {
            fn check_version_names(&self, versions: &[Version], found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_version_names(versions, found), |violation| violation.requirement == "CRDVAL-013");
            }
        }),
        &["CRDVAL-013", "INV-095"],
        &["crdval-012-version-names"],
        false,
    ),
    fault(
        "takes-two-storage-versions",
        "two versions may be marked as stored",
        wrong!(DefinitionRules {
            fn check_one_storage_version(&self, versions: &[Version], found: &mut Vec<Violation>) {
                but(found, |found| Upstream.check_one_storage_version(versions, found), |_| versions.iter().any(|version| version.storage));
            }
        }),
        &["CRDVAL-014", "CRDVAL-017"],
        &["crdval-014-one-storage-version", "crdval-017-stored-versions"],
        false,
    ),
    fault(
        "lists-groups-that-serve-nothing",
        "a group without a served version is there, and empty",
        || behind(EmptyGroups),
        &["CRDVAL-015"],
        &["crdval-015-nothing-served"],
        false,
    ),
    fault(
        "counts-letters-of-warnings",
        "the length of a deprecation warning is counted in characters",
        wrong!(DefinitionRules {
            fn check_deprecation(&self, version: &Version, field: &str, found: &mut Vec<Violation>) {
                let letters = version.deprecation_warning.as_ref().map(|text| text.chars().map(|letter| if letter.is_ascii() { letter } else { 'x' }).collect());
                let is_long = version.deprecation_warning.as_ref().is_some_and(|text| text.len() > 256);
                if is_long {
                    Upstream.check_deprecation(&Version { deprecation_warning: letters, ..version.clone() }, field, found);
                } else {
                    Upstream.check_deprecation(version, field, found);
                }
            }
        }),
        &["CRDVAL-016"],
        &["crdval-016-deprecation"],
        true,
    ),
    fault(
        "takes-warnings-of-versions-in-use",
        "a version that is not deprecated may have an empty warning",
        wrong!(DefinitionRules {
            fn check_deprecation(&self, version: &Version, field: &str, found: &mut Vec<Violation>) {
                if version.deprecated || version.deprecation_warning.as_deref() != Some("") {
                    Upstream.check_deprecation(version, field, found);
                }
            }
        }),
        &["CRDVAL-016"],
        &["crdval-016-deprecation"],
        true,
    ),
    fault(
        "lists-new-stored-versions-first",
        "a new storage version is put in front of storedVersions",
        || controlled(InFront),
        &["CRDVAL-017", "CRDVAL-018", "CRDVAL-014", "INV-047"],
        &["crdval-017-stored-versions"],
        true,
    ),
];

/// Lists a new storage version before the others.
struct InFront;

impl Controllers for InFront {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if !versions.iter().any(|version| version == storage) {
            versions.insert(0, storage.to_owned());
        }
        versions
    }
}

/// Answers with an empty group where there is none.
#[derive(Debug)]
struct EmptyGroups(InProcess);

impl Transport for EmptyGroups {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let group = request.uri().path().strip_prefix("/apis/").filter(|group| !group.contains('/')).map(str::to_owned);
        Box::pin(async move {
            let answer = self.0.send(request).await?;
            match group {
                Some(group) if answer.status() == 404 => {
                    let body = json!({ "kind": "APIGroup", "apiVersion": "v1", "name": group, "versions": [] });
                    Ok(http::Response::new(Bytes::from(body.to_string())))
                }
                _ => Ok(answer),
            }
        })
    }
}
