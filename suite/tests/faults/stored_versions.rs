//! Faults in serving, storing and deprecation of versions.

use std::{cmp::Ordering, sync::Arc};

use bytes::Bytes;
use crdible::connection::{HttpRequest, InProcess, ResponseFuture, Target, TargetDescription, TargetKind, Transport};
use crdible_reference::{Controllers, Options, Server};
use crdible_semantics::{
    Coercion, Defaulting, Schema, Upstream, VersionOrder, Violation,
    definition::{Spec, Status, Version},
};
use http::{Method, header};
use serde_json::Value;

use crate::{
    servers::{behind, is_about_definitions},
    table::{Fault, Finder},
};

pub(crate) const DEPRECATION: &[&str] = &["VER-009", "VER-011", "VER-012", "VER-013", "INV-046"];
const STORED: &[&str] =
    &["VER-016", "VER-017", "INV-040", "INV-047", "INV-098", "CRDVAL-014", "CRDVAL-017", "CRDVAL-018"];

pub(crate) const FAULTS: &[Fault] = &[
    Fault {
        name: "warns-of-nothing",
        wrong: "answers at a deprecated version carry no warning",
        target: wrong!(DefinitionRules {
            fn deprecation_warning(&self, _: &Spec, _: &Version) -> Option<String> {
                None
            }
        }),
        requirements: DEPRECATION,
        properties: &["ver-011-deprecation", "ver-013-header-mechanics"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "warns-of-every-version",
        wrong: "answers at versions that are not deprecated say that they are",
        target: wrong!(DefinitionRules {
            fn deprecation_warning(&self, spec: &Spec, version: &Version) -> Option<String> {
                Upstream.deprecation_warning(spec, &Version { deprecated: true, ..version.clone() })
            }
        }),
        requirements: DEPRECATION,
        properties: &["ver-011-deprecation"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "advises-unserved-versions",
        wrong: "the warning advises a version that is not served",
        target: wrong!(DefinitionRules {
            fn deprecation_warning(&self, spec: &Spec, version: &Version) -> Option<String> {
                let mut spec = spec.clone();
                spec.versions.iter_mut().for_each(|version| version.served = true);
                Upstream.deprecation_warning(&spec, version)
            }
        }),
        requirements: DEPRECATION,
        properties: &["ver-011-deprecation"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "advises-deprecated-versions",
        wrong: "the warning advises a version that is deprecated itself",
        target: wrong!(DefinitionRules {
            fn deprecation_warning(&self, spec: &Spec, version: &Version) -> Option<String> {
                let mut spec = spec.clone();
                spec.versions.iter_mut().for_each(|version| version.deprecated = false);
                Upstream.deprecation_warning(&spec, version)
            }
        }),
        requirements: DEPRECATION,
        properties: &["ver-011-deprecation"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "advises-versions-of-equal-rank",
        wrong: "the warning for v2 advises v02",
        target: wrong!(DefinitionRules {
            fn deprecation_warning(&self, spec: &Spec, version: &Version) -> Option<String> {
                let told = Upstream.deprecation_warning(spec, version)?;
                let ties = |other: &&Version| {
                    other.name != version.name && other.served && !other.deprecated
                        && self.compare_versions(&other.name, &version.name) == Ordering::Equal
                };
                match spec.versions.iter().find(ties) {
                    Some(other) if version.deprecation_warning.is_none() && !told.contains("; use ") => {
                        Some(format!("{told}; use {}/{} {}", spec.group, other.name, spec.names.kind))
                    }
                    _ => Some(told),
                }
            }
        }),
        requirements: DEPRECATION,
        properties: &["ver-011-deprecation"],
        largest: 40,
        subtle: true,
        finder: Finder::Examples,
    },
    Fault {
        name: "warns-on-success-only",
        wrong: "answers of 4xx at a deprecated version carry no warning",
        target: || behind(SilentOnErrors),
        requirements: DEPRECATION,
        properties: &["ver-011-deprecation"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "puts-the-deprecation-last",
        wrong: "the warning of a deprecated version comes after those about fields",
        target: || behind(Backwards),
        requirements: &["VER-013"],
        properties: &["ver-013-header-mechanics"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "forgets-stored-versions",
        wrong: "storedVersions holds the present storage version alone",
        target: || controlled(Forgetting),
        requirements: STORED,
        properties: &["ver-015-rewriting", "ver-017-stored-versions", "crdval-017-stored-versions"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "sorts-stored-versions",
        wrong: "storedVersions is sorted instead of in order of first use",
        target: || controlled(Sorting),
        requirements: STORED,
        properties: &["ver-017-stored-versions"],
        largest: 40,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lists-a-stored-version-again",
        wrong: "a version that stores for the second time is listed twice",
        target: || controlled(Repeating),
        requirements: STORED,
        properties: &["ver-017-stored-versions"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "lets-stored-versions-go",
        wrong: "a version that has stored objects can be dropped from the definition",
        target: wrong!(DefinitionRules {
            fn check_stored_versions(&self, _: &Spec, _: &Status, _: &mut Vec<Violation>) {}
        }),
        requirements: STORED,
        properties: &["ver-017-stored-versions", "crdval-017-stored-versions"],
        largest: 40,
        subtle: false,
        finder: Finder::Choices,
    },
    Fault {
        name: "serves-the-storage-version-always",
        wrong: "the storage version is served although it is marked as not served",
        target: || behind(ServingStorage),
        requirements: &["VER-006", "VER-007", "VER-009", "VER-010", "INV-039"],
        properties: &["ver-009-unserved"],
        largest: 100,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "takes-bodies-of-any-version",
        wrong: "a body may name another version than the URL",
        target: || behind(|server| Lenient { server, methods: &[Method::PUT, Method::POST] }),
        requirements: &["VER-008"],
        properties: &["ver-008-served"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "writes-nothing-for-empty-patches",
        wrong: "an empty patch leaves an object in its old storage version",
        target: || behind(Lazy),
        requirements: &["VER-015"],
        properties: &["ver-015-rewriting"],
        largest: 60,
        subtle: true,
        finder: Finder::Choices,
    },
    Fault {
        name: "stores-at-the-version-of-the-request",
        wrong: "what the storage version lacks is stored all the same",
        target: wrong!(RoundTrip {
            fn encode(&self, _: &mut Value, _: &Schema) {}

            fn read(&self, stored: &mut Value, stored_schema: &Schema, requested_schema: &Schema, same_version: bool) {
                if same_version {
                    return Upstream.read(stored, stored_schema, requested_schema, same_version);
                }
                self.repair_metadata(stored);
                self.apply_defaults(stored, stored_schema);
                self.convert(stored, requested_schema);
            }
        }),
        requirements: &["VER-014", "VER-016", "CONV-001", "CONV-002", "CONV-003"],
        properties: &["ver-014-storage", "conv-001-strategy-none"],
        largest: 60,
        subtle: false,
        finder: Finder::Choices,
    },
];

/// A right server whose controllers are not.
fn controlled(controllers: impl Controllers + 'static) -> Target {
    let options = Options { controllers: Arc::new(controllers), ..Options::default() };
    let server = Server::with_options(Arc::new(Upstream), options);
    let transport = Arc::new(InProcess::over(server));
    Target::over(transport, TargetDescription { kind: TargetKind::Embedded, address: None, version: None })
}

struct Forgetting;

impl Controllers for Forgetting {
    fn stored_versions(&self, _: &[String], storage: &str) -> Vec<String> {
        vec![storage.to_owned()]
    }
}

struct Sorting;

impl Controllers for Sorting {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if !versions.iter().any(|version| version == storage) {
            versions.push(storage.to_owned());
        }
        versions.sort();
        versions
    }
}

struct Repeating;

impl Controllers for Repeating {
    fn stored_versions(&self, listed: &[String], storage: &str) -> Vec<String> {
        let mut versions = listed.to_vec();
        if versions.last().is_none_or(|version| version != storage) {
            versions.push(storage.to_owned());
        }
        versions
    }
}

/// Takes the warnings out of refusals.
#[derive(Debug)]
struct SilentOnErrors(InProcess);

impl Transport for SilentOnErrors {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            let mut answer = self.0.send(request).await?;
            if !answer.status().is_success() {
                answer.headers_mut().remove(header::WARNING);
            }
            Ok(answer)
        })
    }
}

/// Turns the warnings round.
#[derive(Debug)]
struct Backwards(InProcess);

impl Transport for Backwards {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        // The order of warnings about fields alone is another requirement.
        let is_plain = is_about_definitions(&request);
        Box::pin(async move {
            let mut answer = self.0.send(request).await?;
            let warnings: Vec<_> = answer.headers().get_all(header::WARNING).iter().cloned().collect();
            if !is_plain && warnings.len() > 1 {
                answer.headers_mut().remove(header::WARNING);
                for warning in warnings.iter().skip(1).chain(warnings.first()) {
                    answer.headers_mut().append(header::WARNING, warning.clone());
                }
            }
            Ok(answer)
        })
    }
}

/// Marks the storage version of each written definition as served.
#[derive(Debug)]
struct ServingStorage(InProcess);

impl Transport for ServingStorage {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let body = serde_json::from_slice::<Value>(request.body()).ok().filter(|_| is_about_definitions(&request));
        let Some(mut body) = body else { return self.0.send(request) };
        for version in body.pointer_mut("/spec/versions").and_then(Value::as_array_mut).into_iter().flatten() {
            if version["storage"] == true {
                version["served"] = Value::Bool(true);
            }
        }
        let (head, _) = request.into_parts();
        self.0.send(HttpRequest::from_parts(head, Bytes::from(body.to_string())))
    }
}

/// Gives each body of these methods the version of the URL.
#[derive(Debug)]
pub(crate) struct Lenient {
    pub(crate) server: InProcess,
    pub(crate) methods: &'static [Method],
}

impl Transport for Lenient {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        let is_write = self.methods.contains(request.method()) && !is_about_definitions(&request);
        let mut segments = request.uri().path().split('/').skip(2);
        let api_version = segments.next().zip(segments.next()).map(|(group, version)| format!("{group}/{version}"));
        let body = serde_json::from_slice::<Value>(request.body()).ok().filter(|body| is_write && body.is_object());
        let (Some(mut body), Some(api_version)) = (body, api_version) else { return self.server.send(request) };
        body["apiVersion"] = Value::String(api_version);
        let (head, _) = request.into_parts();
        self.server.send(HttpRequest::from_parts(head, Bytes::from(body.to_string())))
    }
}

/// Answers empty patches like reads.
#[derive(Debug)]
struct Lazy(InProcess);

impl Transport for Lazy {
    fn send(&self, mut request: HttpRequest) -> ResponseFuture<'_> {
        let is_empty = matches!(request.body().as_ref(), b"{}" | b"[]");
        if *request.method() == Method::PATCH && is_empty {
            *request.method_mut() = Method::GET;
            *request.body_mut() = Bytes::new();
        }
        self.0.send(request)
    }
}
