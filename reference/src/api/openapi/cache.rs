//! A cache of documents. A document is built when it is first requested, and kept until its definitions change.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use crdible_semantics::Release;

use super::document::{Document, Part, document};
use super::operations::root;
use crate::base::locks::lock;
use crate::kinds;
use crate::kinds::{Dialect, Models};
use crate::resources::definitions::{Definition, Live, Registry};

/// The title of documents of built-in resources.
const TITLE: &str = "Kubernetes";
/// The title of documents of definitions.
const DEFINED_TITLE: &str = "Kubernetes CRD Swagger";
/// The version in documents of definitions.
const DEFINED_VERSION: &str = "v0.1.0";

/// The `OpenAPI` documents of a server.
#[derive(Default)]
pub(crate) struct Documents {
    /// What is published, and the version in documents of built-in resources.
    release: Release,
    /// The models of the release.
    models: OnceLock<Models>,
    /// The documents of built-in resources, by path.
    built_in: OnceLock<Vec<(String, Document)>>,
    /// What built-in resources add to the document of all resources.
    built_in_parts: OnceLock<Vec<Part>>,
    /// By path, such as `apis/example.com/v1`. What is taken out to build it anew, and is lost by a panic, is only built
    /// again.
    group_versions: Mutex<GroupVersions>,
    /// The document of all resources, likewise.
    everything: Mutex<Option<Built>>,
}

type GroupVersions = HashMap<String, Built>;

/// A document and what it was built from.
struct Built {
    from: Vec<Source>,
    document: Document,
}

/// A definition at a version, and what it adds to a document.
struct Source {
    definition: Arc<Definition>,
    version: String,
    part: Part,
}

/// Group versions by path, with the definitions that serve them.
type Served = BTreeMap<String, (String, Vec<Arc<Definition>>)>;

impl Documents {
    /// Those of a server that emulates a release.
    pub(crate) fn at(release: Release) -> Self {
        Self { release, ..Self::default() }
    }

    fn built_in(&self) -> &[(String, Document)] {
        self.built_in.get_or_init(|| {
            let documents = kinds::group_versions().into_iter().map(|[group, version]| {
                let resources = kinds::of_group(group).filter(|resource| resource.version == version);
                let part = |resource| Part::of_built_in(resource, Dialect::V3, self.release);
                let parts: Vec<Part> = resources.map(part).collect();
                let api = [TITLE, &self.release.to_string()];
                (path(group, version), document(Dialect::V3, api, parts.iter(), self.models()))
            });
            documents.collect()
        })
    }

    fn built_in_parts(&self) -> &[Part] {
        let part = |resource| Part::of_built_in(resource, Dialect::V2, self.release);
        self.built_in_parts.get_or_init(|| kinds::all().map(part).collect())
    }

    fn models(&self) -> &Models {
        self.models.get_or_init(|| Models::of(self.release))
    }

    /// The documents of all group versions, by path.
    pub(super) fn all(&self, registry: &Registry) -> BTreeMap<String, Document> {
        let served = served(&registry.live());
        let mut built = lock(&self.group_versions);
        built.retain(|path, _| served.contains_key(path));
        let mut documents: BTreeMap<String, Document> = served
            .into_iter()
            .map(|(path, (version, definitions))| {
                let document = self.group_version(&mut built, &path, &version, &definitions, registry);
                (path, document)
            })
            .collect();
        documents.extend(self.built_in().iter().cloned());
        documents
    }

    /// The document at a path; `None` if nothing is served there.
    pub(super) fn one(&self, path: &str, registry: &Registry) -> Option<Document> {
        if let Some((_, document)) = self.built_in().iter().find(|(built_in, _)| built_in == path) {
            return Some(document.clone());
        }
        let mut parts = path.split('/');
        let (Some("apis"), Some(group), Some(version), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return None;
        };
        let live = registry.live();
        let definitions: Vec<Arc<Definition>> = serving(&live, group, version).cloned().collect();
        let mut built = lock(&self.group_versions);
        if definitions.is_empty() {
            built.remove(path);
            return None;
        }
        if !built.contains_key(path) {
            // Drop the documents of group versions that are not served any more.
            let served = served(&live);
            built.retain(|path, _| served.contains_key(path));
        }
        drop(live);
        Some(self.group_version(&mut built, path, version, &definitions, registry))
    }

    /// The document of all resources, in version 2 (OAPI-009).
    pub(super) fn everything(&self, registry: &Registry) -> Document {
        let served = served(&registry.live());
        let all = served.values().flat_map(|(version, definitions)| {
            definitions.iter().map(move |definition| (definition, version.as_str()))
        });
        let mut built = lock(&self.everything);
        let new = self.reuse_or_build(built.take(), all.collect(), Dialect::V2, registry, |sources| {
            let parts = self.built_in_parts().iter().chain(sources.iter().map(|source| &source.part));
            document(Dialect::V2, [TITLE, &self.release.to_string()], parts, self.models())
        });
        built.insert(new).document.clone()
    }

    fn group_version(
        &self,
        built: &mut GroupVersions,
        path: &str,
        version: &str,
        definitions: &[Arc<Definition>],
        registry: &Registry,
    ) -> Document {
        let all = definitions.iter().map(|definition| (definition, version)).collect();
        let new = self.reuse_or_build(built.remove(path), all, Dialect::V3, registry, |sources| {
            let parts = sources.iter().map(|source| &source.part);
            document(Dialect::V3, [DEFINED_TITLE, DEFINED_VERSION], parts, self.models())
        });
        let document = new.document.clone();
        built.insert(path.to_owned(), new);
        document
    }

    /// The cached document if it was built from the same definitions; otherwise a new one, of which only changed
    /// definitions are encoded.
    fn reuse_or_build(
        &self,
        cached: Option<Built>,
        all: Vec<(&Arc<Definition>, &str)>,
        dialect: Dialect,
        registry: &Registry,
        build: impl FnOnce(&[Source]) -> Document,
    ) -> Built {
        let mut known = HashMap::new();
        if let Some(built) = cached {
            if built.is_from(&all) {
                return built;
            }
            known.extend(built.from.into_iter().map(|source| {
                // A changed definition is a new `Arc`, and the source keeps its own alive, so no two have the
                // same address.
                ((Arc::as_ptr(&source.definition), source.version.clone()), source)
            }));
        }
        let source = |(definition, version): (&Arc<Definition>, &str)| {
            known.remove(&(Arc::as_ptr(definition), version.to_owned())).unwrap_or_else(|| {
                // Documents contain more of a definition than serving requires, so what its author wrote is used.
                let object = definition.source.object.value();
                let part = Part::of_definition(&object, version, &registry.engine.semantics, (dialect, self.release));
                Source { definition: Arc::clone(definition), version: version.to_owned(), part }
            })
        };
        let from: Vec<Source> = all.into_iter().map(source).collect();
        Built { document: build(&from), from }
    }
}

impl Built {
    /// Whether the document was built from these definitions.
    fn is_from(&self, all: &[(&Arc<Definition>, &str)]) -> bool {
        self.from.len() == all.len()
            && self.from.iter().zip(all).all(|(source, (definition, version))| {
                Arc::ptr_eq(&source.definition, definition) && source.version == *version
            })
    }
}

/// The path of a group version in the index: its root without the leading slash.
fn path(group: &str, version: &str) -> String {
    root(group, version).split_off(1)
}

/// All group versions of established definitions.
fn served(live: &Live) -> Served {
    let mut served = Served::new();
    for definition in
        live.group_names().into_iter().flat_map(|group| live.group(group)).filter(|found| found.established)
    {
        for version in definition.versions.iter().filter(|version| version.served) {
            let (_, definitions) = served
                .entry(path(&definition.group, &version.name))
                .or_insert_with(|| (version.name.clone(), Vec::new()));
            definitions.push(Arc::clone(definition));
        }
    }
    served
}

/// The established definitions that serve a group version.
fn serving<'a>(live: &'a Live, group: &str, version: &str) -> impl Iterator<Item = &'a Arc<Definition>> {
    live.group(group).filter(move |definition| definition.established && definition.served(version).is_some())
}
