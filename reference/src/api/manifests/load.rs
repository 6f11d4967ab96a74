//! Creates manifests the way a client would.

use std::collections::HashSet;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, WARNING};
use http::{HeaderValue, Request, Response};
use serde_json::json;

use super::Manifests;
use super::manifest::{Manifest, ManifestPlace, Problem, Problems};
use crate::api::server::Server;
use crate::kinds::DEFINITION;
use crate::messages::error_message::message;

/// The namespace of namespaced objects that name none.
const DEFAULT_NAMESPACE: &str = "default";
const NAMESPACES: &str = "/api/v1/namespaces";

/// What was created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The number of definitions.
    pub definitions: usize,
    /// The number of objects, including namespaces that have a manifest.
    pub objects: usize,
    /// The number of namespaces without a manifest, created because an object is in them.
    pub namespaces: usize,
    /// The server's warnings, each with the place of its manifest.
    pub warnings: Vec<String>,
}

impl Server {
    /// Creates the objects of manifests: definitions first, then namespaces, then the rest, each in order. They are
    /// created like a client's, with `fieldValidation=Strict`, as kubectl requests. With a settle delay, definitions
    /// are settled before their objects are created. Missing namespaces of objects are created too.
    ///
    /// # Errors
    /// Lists everything that the server refused; the rest was created.
    pub fn load(&self, manifests: &Manifests) -> Result<Loaded, Problems> {
        let mut load =
            Load { server: self, loaded: Loaded::default(), problems: Vec::new(), namespaces: HashSet::new() };
        let own = DEFINITION.names();
        let (definitions, rest): (Vec<_>, Vec<_>) =
            manifests.manifests.iter().partition(|manifest| manifest.is(&own.api_version, &own.kind));
        let (namespaces, objects): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|manifest| manifest.is("v1", "Namespace"));
        for manifest in definitions {
            load.loaded.definitions += load.create(&format!("/apis/{}/{}", own.api_version, own.plural), manifest);
        }
        if let Some(registry) = self.registry() {
            registry.settle_all();
        }
        for manifest in namespaces {
            load.loaded.objects += load.create(NAMESPACES, manifest);
        }
        for manifest in objects {
            load.loaded.objects += load.object(manifest);
        }
        if load.problems.is_empty() { Ok(load.loaded) } else { Err(Problems(load.problems)) }
    }

    /// The plural of a kind in a group and version, and whether it is namespaced.
    fn resource_of(&self, group: &str, version: &str, kind: &str) -> Option<(String, bool)> {
        let live = self.registry()?.live();
        let found = live.group(group).find(|definition| {
            definition.established && definition.accepted.kind == kind && definition.served(version).is_some()
        })?;
        Some((found.plural.clone(), found.namespaced))
    }
}

impl Manifest {
    fn is(&self, api_version: &str, kind: &str) -> bool {
        (self.api_version.as_str(), self.kind.as_str()) == (api_version, kind)
    }
}

struct Load<'a> {
    server: &'a Server,
    loaded: Loaded,
    problems: Vec<Problem>,
    /// Namespaces that are known to exist.
    namespaces: HashSet<String>,
}

impl Load<'_> {
    /// Creates an object of a definition. Returns how many were created: 0 or 1.
    fn object(&mut self, manifest: &Manifest) -> usize {
        let Manifest { api_version, kind, place, .. } = manifest;
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let Some((plural, namespaced)) = self.server.resource_of(group, version, kind) else {
            let why = format!(
                "no matches for kind \"{kind}\" in version \"{api_version}\": load a CustomResourceDefinition that serves it \
                 (of the built-in kinds, only Namespace and CustomResourceDefinition can be loaded)"
            );
            self.problems.push(place.problem(why));
            return 0;
        };
        if !namespaced {
            return self.create(&format!("/apis/{api_version}/{plural}"), manifest);
        }
        let namespace = if manifest.namespace.is_empty() { DEFAULT_NAMESPACE } else { &manifest.namespace };
        if let Err(problem) = self.ensure_namespace(namespace, place) {
            self.problems.push(problem);
            return 0;
        }
        self.create(&format!("/apis/{api_version}/namespaces/{namespace}/{plural}"), manifest)
    }

    /// Creates a namespace, unless it exists.
    fn ensure_namespace(&mut self, name: &str, place: &ManifestPlace) -> Result<(), Problem> {
        if self.namespaces.contains(name) {
            return Ok(());
        }
        let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}).to_string();
        let answer = self.post(NAMESPACES, "application/json", body.into());
        match answer.status().as_u16() {
            201 => self.loaded.namespaces += 1,
            409 => {}
            _ => return Err(place.problem(format!("cannot create namespace {name:?}: {}", reason(&answer)))),
        }
        self.namespaces.insert(name.to_owned());
        Ok(())
    }

    /// Creates one object. Returns how many were created: 0 or 1.
    fn create(&mut self, path: &str, manifest: &Manifest) -> usize {
        let answer = self.post(&format!("{path}?fieldValidation=Strict"), manifest.media_type, manifest.body.clone());
        let warnings = answer.headers().get_all(WARNING).iter();
        self.loaded.warnings.extend(warnings.map(|value| format!("{}: {}", manifest.place, warning(value))));
        if answer.status().is_success() {
            return 1;
        }
        self.problems.push(manifest.place.problem(reason(&answer)));
        0
    }

    fn post(&self, path: &str, media_type: &'static str, body: Bytes) -> Response<Bytes> {
        let mut request = Request::new(body);
        *request.method_mut() = http::Method::POST;
        // Always valid: groups, versions, plurals and namespaces that the server knows need no escaping.
        *request.uri_mut() = path.parse().unwrap_or_default();
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        self.server.handle(request)
    }
}

/// The text of a warning, unescaped from its header.
fn warning(value: &HeaderValue) -> String {
    let text = String::from_utf8_lossy(value.as_bytes());
    let quoted = text.strip_prefix("299 - \"").and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
    quoted.replace("\\\"", "\"").replace("\\\\", "\\")
}

fn reason(answer: &Response<Bytes>) -> String {
    message(answer.body()).unwrap_or_else(|| format!("the server responded {}", answer.status()))
}
