//! Complete documents.

use std::collections::BTreeMap;

use bytes::Bytes;
use crdible_semantics::definition::{Spec, Status};
use crdible_semantics::{Release, Semantics};
use serde::Serialize;
use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::models::{self, Models};
use super::operations::Resource;
use super::published::Published;
use crate::built_in::BuiltIn;
use crate::{etag, json};

/// An encoded document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) body: Bytes,
    /// A hash of the content: equal documents have equal hashes (OAPI-001, OAPI-008).
    pub(super) hash: String,
}

impl Document {
    fn new(content: &impl Serialize) -> Self {
        let body = Bytes::from(json::write(content));
        Self { hash: etag::hash(&body), body }
    }
}

/// The contents of a document, in one of the dialects.
pub(super) struct Contents {
    dialect: Dialect,
    release: Release,
    models: BTreeMap<String, Value>,
    /// Names of built-in models that the rest refers to.
    built_in: Vec<&'static str>,
    paths: Map<String, Value>,
}

#[derive(Serialize)]
struct Info<'a> {
    title: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct Version2<'a> {
    swagger: &'static str,
    info: Info<'a>,
    paths: &'a Map<String, Value>,
    definitions: BTreeMap<&'a str, &'a Value>,
}

#[derive(Serialize)]
struct Version3<'a> {
    openapi: &'static str,
    info: Info<'a>,
    paths: &'a Map<String, Value>,
    components: Components<'a>,
}

#[derive(Serialize)]
struct Components<'a> {
    schemas: BTreeMap<&'a str, &'a Value>,
}

impl Contents {
    pub(super) fn new(dialect: Dialect, release: Release) -> Self {
        Self { dialect, release, models: BTreeMap::new(), built_in: Vec::new(), paths: Map::new() }
    }

    /// Adds the models and paths of a definition at a version.
    pub(super) fn add_definition(&mut self, definition: &Value, version: &str, semantics: &dyn Semantics) {
        let (spec, accepted) = (Spec::of(definition), Status::of(definition).accepted_names);
        let Some(version) = spec.versions.iter().find(|candidate| candidate.name == version) else { return };
        let published = Published::read(&spec, &accepted, version, semantics);
        self.models.insert(published.model_name(), published.model(self.dialect));
        self.models.insert(published.list_model_name(), published.list_model(self.dialect));
        self.built_in.extend(published.built_in_models());
        published.add_paths(self.dialect, self.release, &mut self.paths);
    }

    /// Adds a built-in resource.
    pub(super) fn add_built_in(&mut self, resource: &BuiltIn) {
        let [model, list_model] = resource.models;
        let routes = Resource {
            group: resource.group,
            version: resource.version,
            plural: resource.plural,
            kind: resource.kind,
            namespaced: resource.namespaced,
            subresources: resource.subresources,
            model,
            list_model,
            built_in: true,
            deletes_collections: resource.deletes_collections,
        };
        routes.add_paths(self.dialect, self.release, &mut self.paths);
        self.built_in.extend([model, list_model, models::STATUS, models::DELETE_OPTIONS, models::PATCH]);
    }

    /// Builds the document; `title` and `version` are those of the API, `built_in` the models of its release.
    pub(super) fn document(&self, title: &str, version: &str, built_in: &Models) -> Document {
        let mut schemas = built_in.with_all_below(&self.built_in, self.dialect);
        let own = self.models.iter().map(|(name, model)| (name.as_str(), model));
        let (info, paths) = (Info { title, version }, &self.paths);
        let mut all: BTreeMap<&str, &Value> = BTreeMap::new();
        all.append(&mut schemas);
        all.extend(own);
        match self.dialect {
            Dialect::V2 => Document::new(&Version2 { swagger: "2.0", info, paths, definitions: all }),
            Dialect::V3 => {
                Document::new(&Version3 { openapi: "3.0.0", info, paths, components: Components { schemas: all } })
            }
        }
    }
}
