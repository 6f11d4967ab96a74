//! The published models of a version of a definition: of its objects and of their lists (OAPI-002, OAPI-003, OAPI-005).

use crdible_semantics::definition::{Names, Spec, Version};
use crdible_semantics::release::Change;
use crdible_semantics::{Release, Schema, SchemaContext, Semantics};
use serde_json::{Map, Value, json};

use super::operations::Resource;
use super::schemas;
use crate::kinds::{
    API_VERSION, DELETE_OPTIONS, Dialect, KIND, LIST_META, OBJECT_META, PATCH, SCALE, STATUS, group_version_kind,
};

/// A version of a definition with everything that documents contain.
pub(super) struct Published {
    group: String,
    version: String,
    plural: String,
    kind: String,
    list_kind: String,
    namespaced: bool,
    subresources: Vec<&'static str>,
    /// `None` if the version has no schema that can be published (OAPI-007).
    schema: Option<Schema>,
    /// Whether version 2 omits the schema (OAPI-011).
    opaque: bool,
    /// Without their leading dot.
    selectable_fields: Vec<String>,
}

impl Published {
    /// Reads a version. `accepted` are the accepted names, under which objects are served and which are unique in the
    /// group.
    pub(super) fn read(spec: &Spec, accepted: &Names, version: &Version, semantics: &Semantics) -> Self {
        let schema = schema(spec, version, semantics);
        let subresources = version.subresources.as_ref();
        let scale = subresources.and_then(|subresources| subresources.scale.as_ref());
        let preserving = schema.as_ref().is_some_and(Schema::is_preserving);
        let fields = version.selectable_fields.iter().map(|field| field.json_path.as_str());
        Self {
            group: spec.group.clone(),
            version: version.name.clone(),
            plural: accepted.plural.clone(),
            kind: accepted.kind.clone(),
            list_kind: accepted.list_kind.clone(),
            namespaced: spec.scope == "Namespaced",
            subresources: [version.has_status().then_some("status"), scale.map(|_| "scale")]
                .into_iter()
                .flatten()
                .collect(),
            schema,
            opaque: preserving || spec.preserve_unknown_fields,
            selectable_fields: fields.map(|path| path.strip_prefix('.').unwrap_or(path).to_owned()).collect(),
        }
    }

    /// The name of the model (OAPI-002).
    pub(super) fn model_name(&self) -> String {
        self.name_of(&self.kind)
    }

    /// The name of the list model.
    pub(super) fn list_model_name(&self) -> String {
        self.name_of(&self.list_kind)
    }

    fn name_of(&self, kind: &str) -> String {
        let group: Vec<&str> = self.group.split('.').rev().collect();
        format!("{}.{}.{kind}", group.join("."), self.version)
    }

    /// The built-in models that the models and operations refer to.
    pub(super) fn built_in_models(&self) -> Vec<&'static str> {
        let mut names = vec![OBJECT_META.name, LIST_META.name, STATUS.name, DELETE_OPTIONS.name, PATCH.name];
        names.extend(self.subresources.contains(&"scale").then_some(SCALE.name));
        names
    }

    /// The model of an object.
    pub(super) fn model(&self, dialect: Dialect) -> Value {
        let schema = match &self.schema {
            Some(schema) if dialect == Dialect::V3 || !self.opaque => schemas::published(schema.clone(), dialect),
            _ => Schema { type_name: "object".into(), ..Schema::default() },
        };
        self.extended(schema.to_json(), &self.kind)
    }

    /// The model of a list.
    pub(super) fn list_model(&self, dialect: Dialect) -> Value {
        let text = |description: &str| json!({"type": "string", "description": description});
        let metadata = schemas::reference(LIST_META.name, "Metadata of the list.", dialect).to_json();
        let list = json!({
            "type": "object",
            "description": format!("A list of objects of kind {}.", self.kind),
            "required": ["items"],
            "properties": {
                "apiVersion": text(API_VERSION.description),
                "kind": text(KIND.description),
                "metadata": metadata,
                "items": {
                    "type": "array",
                    "description": format!("The list of {}.", self.plural),
                    "items": {"$ref": dialect.address(&self.model_name())},
                },
            },
        });
        self.extended(list, &self.list_kind)
    }

    /// Adds the extensions that both models have.
    fn extended(&self, mut model: Value, kind: &str) -> Value {
        model["x-kubernetes-group-version-kind"] = json!([group_version_kind(&self.group, &self.version, kind)]);
        if !self.selectable_fields.is_empty() {
            let fields = self.selectable_fields.iter().map(|path| json!({"fieldPath": path}));
            model["x-kubernetes-selectable-fields"] = fields.collect();
        }
        model
    }

    /// Adds the path items of the resource.
    pub(super) fn add_paths(&self, dialect: Dialect, release: Release, paths: &mut Map<String, Value>) {
        let (model, list_model) = (self.model_name(), self.list_model_name());
        let resource = Resource {
            group: &self.group,
            version: &self.version,
            plural: &self.plural,
            kind: &self.kind,
            namespaced: self.namespaced,
            subresources: &self.subresources,
            model: &model,
            list_model: &list_model,
            built_in: false,
            deletes_collections: true,
        };
        resource.add_paths(dialect, release, paths);
    }
}

/// The schema of a version, if it can be published. Only definitions from before v1 may have one that cannot
/// (OAPI-007).
fn schema(spec: &Spec, version: &Version, semantics: &Semantics) -> Option<Schema> {
    let (mut schema, _) = Schema::parse(version.schema_json()?).ok()?;
    let context = SchemaContext { status_subresource: version.has_status() };
    let structural = !spec.preserve_unknown_fields || semantics.schema_violations(&schema, &context).is_empty();
    if !semantics.release.has(Change::PublishedExamples) {
        schemas::remove_examples(&mut schema);
    }
    structural.then_some(schema)
}
