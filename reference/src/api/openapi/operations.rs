//! The operations of a resource (OAPI-006).

use crdible_semantics::Release;
use serde_json::{Map, Value};

use super::operation::{Body, Operation, path_item};
use super::parameters::{self, Parameter};
use crate::kinds::{DELETE_OPTIONS, Dialect, PATCH, SCALE, STATUS};

/// A resource at one version.
pub(super) struct Resource<'a> {
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) plural: &'a str,
    pub(super) kind: &'a str,
    pub(super) namespaced: bool,
    pub(super) subresources: &'a [&'static str],
    pub(super) model: &'a str,
    pub(super) list_model: &'a str,
    /// Whether the resource is built in: such resources have a few more media types, parameters and codes.
    pub(super) built_in: bool,
    pub(super) deletes_collections: bool,
}

/// The root path of a group version.
pub(super) fn root(group: &str, version: &str) -> String {
    if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") }
}

impl Resource<'_> {
    /// Adds the path items of all operations.
    pub(super) fn add_paths(&self, dialect: Dialect, release: Release, paths: &mut Map<String, Value>) {
        let root = root(self.group, self.version);
        let mut put = |path: String, in_path: &[Parameter], operations: Vec<(&'static str, Operation<'_>)>| {
            let parameters: Vec<Parameter> = in_path.iter().copied().chain([parameters::PRETTY]).collect();
            paths.insert(path, path_item(&parameters, operations, dialect, release));
        };
        let collection = if self.namespaced {
            let all = Operation { suffix: format!("{}ForAllNamespaces", self.kind), ..self.list() };
            put(format!("{root}/{}", self.plural), &[], vec![("get", all)]);
            format!("{root}/namespaces/{{namespace}}/{}", self.plural)
        } else {
            format!("{root}/{}", self.plural)
        };
        let in_namespace: &[Parameter] = if self.namespaced { &[parameters::NAMESPACE] } else { &[] };
        let in_object = [&[parameters::NAME], in_namespace].concat();
        let mut on_collection = vec![("get", self.list()), ("post", self.create())];
        on_collection.extend(self.deletes_collections.then(|| ("delete", self.delete_collection())));
        put(collection.clone(), in_namespace, on_collection);
        let object = format!("{collection}/{{name}}");
        let on_object = vec![
            ("get", self.read("")),
            ("put", self.replace("")),
            ("patch", self.patch("")),
            ("delete", self.delete()),
        ];
        put(object.clone(), &in_object, on_object);
        for part in self.subresources {
            let on_part = match *part {
                "finalize" => vec![("put", self.replace(part))],
                part => vec![("get", self.read(part)), ("put", self.replace(part)), ("patch", self.patch(part))],
            };
            put(format!("{object}/{part}"), &in_object, on_part);
        }
    }

    fn list(&self) -> Operation<'_> {
        let description = format!("List objects of kind {}, or watch them.", self.kind);
        let list = self.operation("list", "list", "", description).with(parameters::LIST);
        Operation { streams: self.built_in, ..list.answers(&[200], self.list_model) }
    }

    fn create(&self) -> Operation<'_> {
        let description = format!("Create an object of kind {}.", self.kind);
        let create = self.operation("create", "post", "", description).with(parameters::WRITE);
        create.takes(self.model).answers(&[200, 201, 202], self.model)
    }

    fn delete_collection(&self) -> Operation<'_> {
        let description = format!("Delete objects of kind {}.", self.kind);
        let delete = self.operation("delete", "deletecollection", "", description).answers(&[200], STATUS.name);
        let delete = Operation { suffix: format!("Collection{}", delete.suffix), ..delete };
        if self.built_in {
            delete.with(parameters::DELETE_COLLECTION).may_take(DELETE_OPTIONS.name)
        } else {
            delete.with(parameters::LIST)
        }
    }

    fn read(&self, part: &'static str) -> Operation<'_> {
        let read = self.operation("read", "get", part, self.about("Read", part)).answers(&[200], self.model_of(part));
        if self.built_in { read } else { read.with(parameters::READ) }
    }

    fn replace(&self, part: &'static str) -> Operation<'_> {
        let replace = self.operation("replace", "put", part, self.about("Replace", part)).with(parameters::WRITE);
        replace.takes(self.model_of(part)).answers(&[200, 201], self.model_of(part))
    }

    fn patch(&self, part: &'static str) -> Operation<'_> {
        let patch = self.operation("patch", "patch", part, self.about("Change", part)).with(parameters::PATCH);
        let codes: &[u16] = if self.built_in { &[200, 201] } else { &[200] };
        patch.takes(PATCH.name).answers(codes, self.model_of(part))
    }

    fn delete(&self) -> Operation<'_> {
        let delete = self.operation("delete", "delete", "", self.about("Delete", "")).with(parameters::DELETE);
        delete.may_take(DELETE_OPTIONS.name).answers(&[200, 202], STATUS.name)
    }

    fn operation(&self, verb: &'static str, action: &'static str, part: &str, description: String) -> Operation<'_> {
        let namespaced = if self.namespaced { "Namespaced" } else { "" };
        Operation {
            verb,
            action,
            suffix: format!("{namespaced}{}{}", self.kind, capitalised(part)),
            description,
            group: self.group,
            version: self.version,
            kind: self.kind,
            built_in: self.built_in,
            streams: false,
            parameters: &[],
            body: Body::None,
            codes: &[],
            answer: self.model,
        }
    }

    /// The model of a subresource: scale has its own, but the kind of its object.
    fn model_of(&self, part: &str) -> &str {
        if part == "scale" { SCALE.name } else { self.model }
    }

    fn about(&self, what: &str, part: &str) -> String {
        match part {
            "" => format!("{what} an object of kind {}.", self.kind),
            part => format!("{what} the {part} of an object of kind {}.", self.kind),
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
