//! Complete documents.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use crdible_semantics::definition::{Spec, Status};
use crdible_semantics::{Release, Semantics};
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::operations::Resource;
use super::protobuf;
use super::published::Published;
use crate::api::etag;
use crate::kinds::{BuiltIn, DELETE_OPTIONS, Dialect, Models, PATCH, STATUS};
use crate::wire::json;

/// An encoded document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) body: Bytes,
    /// A hash of the content: equal documents have equal hashes (OAPI-001, OAPI-008).
    pub(super) hash: String,
    /// The same as protobuf, once it was requested.
    protobuf: Arc<OnceLock<Bytes>>,
}

impl Document {
    fn new(content: &impl Serialize) -> Self {
        let body = Bytes::from(json::write(content));
        Self { hash: etag::hash(&body), body, protobuf: Arc::default() }
    }

    /// The document, which must be one of version 2, as protobuf.
    pub(super) fn protobuf(&self) -> Bytes {
        self.protobuf.get_or_init(|| protobuf::encode(&json::read_own(&self.body)).into()).clone()
    }
}

/// What a resource adds to a document, encoded: most of it is the same in the next document.
pub(super) struct Part {
    models: Vec<(String, Box<RawValue>)>,
    /// Names of built-in models that the rest refers to.
    built_in: Vec<&'static str>,
    paths: Vec<(String, Box<RawValue>)>,
}

/// A model: one of the release, or one of a part.
#[derive(Serialize)]
#[serde(untagged)]
enum Model<'a> {
    BuiltIn(&'a Value),
    Defined(&'a RawValue),
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
    paths: BTreeMap<&'a str, &'a RawValue>,
    definitions: BTreeMap<&'a str, Model<'a>>,
}

#[derive(Serialize)]
struct Version3<'a> {
    openapi: &'static str,
    info: Info<'a>,
    paths: BTreeMap<&'a str, &'a RawValue>,
    components: Components<'a>,
}

#[derive(Serialize)]
struct Components<'a> {
    schemas: BTreeMap<&'a str, Model<'a>>,
}

impl Part {
    /// The models and paths of a definition at a version.
    pub(super) fn of_definition(
        definition: &Value,
        version: &str,
        semantics: &Semantics,
        (dialect, release): (Dialect, Release),
    ) -> Self {
        let (spec, accepted) = (Spec::of(definition), Status::of(definition).accepted_names);
        let Some(version) = spec.versions.iter().find(|candidate| candidate.name == version) else {
            return Self { models: Vec::new(), built_in: Vec::new(), paths: Vec::new() };
        };
        let published = Published::read(&spec, &accepted, version, semantics);
        let mut paths = Map::new();
        published.add_paths(dialect, release, &mut paths);
        let models = [
            (published.model_name(), encoded(&published.model(dialect))),
            (published.list_model_name(), encoded(&published.list_model(dialect))),
        ];
        Self { models: models.into(), built_in: published.built_in_models(), paths: all_encoded(&paths) }
    }

    /// The paths of a built-in resource, and the names of its models.
    pub(super) fn of_built_in(resource: &BuiltIn, dialect: Dialect, release: Release) -> Self {
        let [model, list_model] = [resource.object.name, resource.list.name];
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
        let mut paths = Map::new();
        routes.add_paths(dialect, release, &mut paths);
        let built_in = vec![model, list_model, STATUS.name, DELETE_OPTIONS.name, PATCH.name];
        Self { models: Vec::new(), built_in, paths: all_encoded(&paths) }
    }
}

fn encoded(value: &Value) -> Box<RawValue> {
    let text = String::from_utf8(json::write(value)).ok();
    // What was written is JSON, so the other value is never used.
    text.and_then(|text| RawValue::from_string(text).ok()).unwrap_or_else(|| RawValue::NULL.to_owned())
}

fn all_encoded(paths: &Map<String, Value>) -> Vec<(String, Box<RawValue>)> {
    paths.iter().map(|(path, item)| (path.clone(), encoded(item))).collect()
}

/// Builds a document of parts; `title` and `version` are those of the API, `built_in` the models of its release. Of two
/// models with the same name the last one counts.
pub(super) fn document<'a>(
    dialect: Dialect,
    [title, version]: [&str; 2],
    parts: impl Iterator<Item = &'a Part> + Clone,
    built_in: &Models,
) -> Document {
    let names: Vec<&'static str> = parts.clone().flat_map(|part| part.built_in.iter().copied()).collect();
    let below = built_in.with_all_below(&names, dialect).into_iter();
    let mut all: BTreeMap<&str, Model<'_>> = below.map(|(name, model)| (name, Model::BuiltIn(model))).collect();
    let own = parts.clone().flat_map(|part| &part.models);
    all.extend(own.map(|(name, model)| (name.as_str(), Model::Defined(model))));
    let paths = parts.flat_map(|part| &part.paths).map(|(path, item)| (path.as_str(), &**item)).collect();
    let info = Info { title, version };
    match dialect {
        Dialect::V2 => Document::new(&Version2 { swagger: "2.0", info, paths, definitions: all }),
        Dialect::V3 => {
            Document::new(&Version3 { openapi: "3.0.0", info, paths, components: Components { schemas: all } })
        }
    }
}
