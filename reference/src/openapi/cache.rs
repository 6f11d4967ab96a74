//! A cache of documents. A document is built when it is first requested, and kept until its definitions change.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crdible_semantics::Release;

use super::dialect::Dialect;
use super::document::{Contents, Document};
use super::models::Models;
use super::operations::root;
use crate::built_in;
use crate::definitions::{Definition, Live, Registry};

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
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    /// By path, such as `apis/example.com/v1`.
    group_versions: HashMap<String, Built>,
    everything: Option<Built>,
}

/// A document and the definitions that it was built from.
struct Built {
    from: Vec<Arc<Definition>>,
    document: Document,
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
            let documents = built_in::group_versions().into_iter().map(|[group, version]| {
                let mut contents = self.contents(Dialect::V3);
                let resources = built_in::of_group(group).filter(|resource| resource.version == version);
                resources.for_each(|resource| contents.add_built_in(resource));
                (path(group, version), contents.document(TITLE, &self.release.to_string(), self.models()))
            });
            documents.collect()
        })
    }

    fn models(&self) -> &Models {
        self.models.get_or_init(|| Models::of(self.release))
    }

    /// An empty document.
    fn contents(&self, dialect: Dialect) -> Contents {
        Contents::new(dialect, self.release)
    }

    /// The documents of all group versions, by path.
    pub(super) fn all(&self, registry: &Registry) -> BTreeMap<String, Document> {
        let served = served(&registry.live());
        let mut cache = self.cache();
        cache.group_versions.retain(|path, _| served.contains_key(path));
        let mut documents: BTreeMap<String, Document> = served
            .into_iter()
            .map(|(path, (version, definitions))| {
                let document = self.group_version(&mut cache, &path, &version, definitions, registry);
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
        let mut cache = self.cache();
        if definitions.is_empty() {
            cache.group_versions.remove(path);
            return None;
        }
        if !cache.group_versions.contains_key(path) {
            // Drop the documents of group versions that are not served any more.
            let served = served(&live);
            cache.group_versions.retain(|path, _| served.contains_key(path));
        }
        drop(live);
        Some(self.group_version(&mut cache, path, version, definitions, registry))
    }

    /// The document of all resources, in version 2 (OAPI-009).
    pub(super) fn everything(&self, registry: &Registry) -> Document {
        let served = served(&registry.live());
        let from = served.values().flat_map(|(_, definitions)| definitions).cloned().collect();
        let mut cache = self.cache();
        let built = reuse_or_build(cache.everything.take(), from, |_| {
            let mut contents = self.contents(Dialect::V2);
            built_in::all().for_each(|resource| contents.add_built_in(resource));
            for (version, definitions) in served.values() {
                add(&mut contents, definitions, version, registry);
            }
            contents.document(TITLE, &self.release.to_string(), self.models())
        });
        cache.everything.insert(built).document.clone()
    }

    fn group_version(
        &self,
        cache: &mut Cache,
        path: &str,
        version: &str,
        definitions: Vec<Arc<Definition>>,
        registry: &Registry,
    ) -> Document {
        let build = |definitions: &[Arc<Definition>]| {
            let mut contents = self.contents(Dialect::V3);
            add(&mut contents, definitions, version, registry);
            contents.document(DEFINED_TITLE, DEFINED_VERSION, self.models())
        };
        let built = reuse_or_build(cache.group_versions.remove(path), definitions, build);
        let document = built.document.clone();
        cache.group_versions.insert(path.to_owned(), built);
        document
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cached document if it was built from the same definitions; otherwise a new one.
fn reuse_or_build(
    cached: Option<Built>,
    from: Vec<Arc<Definition>>,
    build: impl FnOnce(&[Arc<Definition>]) -> Document,
) -> Built {
    match cached {
        Some(built) if built.is_from(&from) => built,
        _ => Built { document: build(&from), from },
    }
}

impl Built {
    /// Whether the document was built from these definitions. A changed definition is a new `Arc`.
    fn is_from(&self, definitions: &[Arc<Definition>]) -> bool {
        self.from.len() == definitions.len()
            && self.from.iter().zip(definitions).all(|(one, other)| Arc::ptr_eq(one, other))
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

/// Adds definitions. Documents contain more of them than serving requires, so the source is used.
fn add(contents: &mut Contents, definitions: &[Arc<Definition>], version: &str, registry: &Registry) {
    for definition in definitions {
        contents.add_definition(&definition.source.object.value(), version, &*registry.semantics);
    }
}
