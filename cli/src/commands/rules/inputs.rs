//! The definition and the objects, from files.

use std::path::Path;

use crdible_reference::Manifests;
use crdible_semantics::{Schema, definition::Spec};
use serde_json::{Value, json};

use crate::{error::CliError, output};

/// What a file has, and where.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) place: String,
    pub(super) json: Value,
}

impl Document {
    fn text(&self, pointer: &str) -> &str {
        self.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    fn is_definition(&self) -> bool {
        self.text("/kind") == "CustomResourceDefinition" && self.group() == "apiextensions.k8s.io"
    }

    fn group(&self) -> &str {
        self.text("/apiVersion").split_once('/').map_or("", |(group, _)| group)
    }

    /// The version of an object.
    pub(super) fn version(&self) -> &str {
        self.text("/apiVersion").rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    /// Whether it is an object of a definition, of any version.
    fn is_of(&self, definition: &Self) -> bool {
        self.text("/kind") == definition.text("/spec/names/kind") && self.group() == definition.text("/spec/group")
    }
}

/// What was read.
#[derive(Debug)]
pub(super) struct Inputs {
    pub(super) definition: Document,
    pub(super) spec: Spec,
    pub(super) objects: Vec<Document>,
    pub(super) old: Option<Document>,
}

impl Inputs {
    /// The schema of a version.
    pub(super) fn schema(&self, version: &str) -> Result<Schema, CliError> {
        let place = &self.definition.place;
        let found = self.spec.versions.iter().find(|known| known.name == version);
        let json = found.and_then(|version| version.schema_json());
        let json = json.ok_or_else(|| CliError::usage(format!("{place}: version {version} has no schema")))?;
        let parsed = Schema::parse(json).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            CliError::usage(format!("{place}: the schema of {version} cannot be read: {}", errors.join("; ")))
        });
        Ok(parsed?.0)
    }

    /// The version in which objects are stored, or the first.
    pub(super) fn storage_version(&self) -> &str {
        let version = self.spec.storage_version().or(self.spec.versions.first());
        version.map_or("", |version| &version.name)
    }
}

/// Reads the definition and the objects.
pub(super) fn read(
    definition: &Path,
    object: Option<&Path>,
    old: Option<&Path>,
    name: Option<&str>,
) -> Result<Inputs, CliError> {
    let objects = object.map(documents).transpose()?.unwrap_or_default();
    let definition = choose(definition, name, objects.first())?;
    let spec = Spec::of(&definition.json);
    if let Some(path) = object.filter(|_| objects.is_empty()) {
        return Err(CliError::usage(format!("{}: it is empty; name a file with an object", path.display())));
    }
    let old = match old.map(|path| Ok::<_, CliError>((path, documents(path)?))).transpose()? {
        None => None,
        Some((path, found)) => Some(only_one(path, "--old", found)?),
    };
    if let (Some(_), Some(object), true) = (&old, object, objects.len() > 1) {
        return Err(CliError::usage(format!(
            "{}: with --old there must be one object, and here are {}",
            object.display(),
            objects.len()
        )));
    }
    if spec.versions.is_empty() && object.is_some() {
        return Err(CliError::usage(format!(
            "{}: a value in it has a wrong type; without an object, `crdible rules` says which",
            definition.place
        )));
    }
    for object in objects.iter().chain(&old) {
        check_kind(object, &definition, &spec)?;
    }
    if let (Some(old), Some(object)) = (&old, objects.first())
        && old.version() != object.version()
    {
        return Err(CliError::usage(format!(
            "--old {}: its version is {}, and that of {} is {}; a server compares them in the version of the request, so \
             convert the old object to {} first",
            old.place,
            old.version(),
            object.place,
            object.version(),
            object.version()
        )));
    }
    Ok(Inputs { definition, spec, objects, old })
}

/// All documents of a file.
fn documents(path: &Path) -> Result<Vec<Document>, CliError> {
    let documents = Manifests::read([path])?.documents()?;
    Ok(documents.into_iter().map(|(place, json)| Document { place, json }).collect())
}

fn only_one(path: &Path, flag: &str, mut found: Vec<Document>) -> Result<Document, CliError> {
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => {
            Err(CliError::usage(format!("{flag} {}: it is empty; name a file with an object", path.display())))
        }
        (Some(_), others) => {
            Err(CliError::usage(format!("{flag} {}: it must have one object, and has {}", path.display(), others + 1)))
        }
    }
}

/// The definition that is meant.
fn choose(path: &Path, name: Option<&str>, object: Option<&Document>) -> Result<Document, CliError> {
    let all = documents(path)?;
    let is_empty = all.is_empty();
    let mut definitions: Vec<Document> = all.into_iter().filter(Document::is_definition).collect();
    if definitions.is_empty() {
        let what = if is_empty { "it is empty" } else { "no CustomResourceDefinition is there" };
        return Err(CliError::usage(format!(
            "{}: {what}; `kubectl get crd NAME -o yaml` and controller-gen write files that are read",
            path.display()
        )));
    }
    let names: Vec<String> = definitions.iter().map(|definition| definition.name().to_owned()).collect();
    let chosen = match (name, object) {
        (Some(name), _) => definitions.iter().position(|definition| definition.name() == name).ok_or_else(|| {
            let path = path.display();
            CliError::usage(format!("--name {name}: {path} has no such definition, but {}", names.join(", ")))
        })?,
        (None, Some(object)) => definitions.iter().position(|definition| object.is_of(definition)).unwrap_or(0),
        (None, None) => 0,
    };
    let definition = definitions.swap_remove(chosen);
    if !definitions.is_empty() && name.is_none() && object.is_none() {
        output::remark(&format!("{}: this is {}; --name chooses another one", path.display(), definition.name()));
    }
    if definition.version() != "v1" {
        return Err(CliError::usage(format!(
            "{}: a definition of {}, which no release since Kubernetes 1.22 serves; write it as apiextensions.k8s.io/v1",
            definition.place,
            definition.text("/apiVersion")
        )));
    }
    if definition.json.pointer("/spec/versions").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        return Err(CliError::usage(format!("{}: spec.versions is missing or empty", definition.place)));
    }
    Ok(Document { json: as_new(&definition.json), ..definition })
}

/// A definition without what a server has added to it.
fn as_new(definition: &Value) -> Value {
    let kept = ["name", "labels", "annotations"];
    let metadata =
        kept.iter().filter_map(|name| Some(((*name).to_owned(), definition["metadata"].get(*name)?.clone())));
    json!({
        "apiVersion": definition["apiVersion"],
        "kind": definition["kind"],
        "metadata": Value::Object(metadata.collect()),
        "spec": definition["spec"],
    })
}

fn check_kind(object: &Document, definition: &Document, spec: &Spec) -> Result<(), CliError> {
    let known: Vec<&str> = spec.versions.iter().map(|version| version.name.as_str()).collect();
    let (group, kind) = (definition.text("/spec/group"), definition.text("/spec/names/kind"));
    let usage = |what: String| Err(CliError::usage(format!("{}: {what}", object.place)));
    if !object.is_of(definition) {
        return usage(format!(
            "it is a {} of {}, and {} is about {kind} of {group}; name an object of it, or another definition with --name",
            object.text("/kind"),
            object.text("/apiVersion"),
            definition.name()
        ));
    }
    if !known.contains(&object.version()) {
        return usage(format!(
            "its apiVersion is {}, and the versions of {} are {}",
            object.text("/apiVersion"),
            definition.name(),
            known.join(", ")
        ));
    }
    Ok(())
}
