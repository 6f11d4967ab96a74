//! What a model is made of.

use crdible_semantics::Release;
use serde_json::{Map, Value, json};

use super::field::Field;
use crate::openapi::dialect::Dialect;

/// The model of a type.
pub(super) struct Model {
    pub(super) name: &'static str,
    description: &'static str,
    content: Content,
    /// The group, version and kind of the objects of this type.
    kinds: &'static [[&'static str; 3]],
    /// Whether server-side apply treats it as a single value.
    atomic: bool,
}

/// The content of a model.
pub(super) enum Content {
    Struct(&'static [Field]),
    /// A time as a string.
    Time,
    /// An object with unspecified fields.
    Object,
    /// Any JSON.
    Any,
}

impl Model {
    pub(super) const fn new(name: &'static str, description: &'static str, content: Content) -> Self {
        Self { name, description, content, kinds: &[], atomic: false }
    }

    pub(super) const fn of_kinds(self, kinds: &'static [[&'static str; 3]]) -> Self {
        Self { kinds, ..self }
    }

    pub(super) const fn atomic(self) -> Self {
        Self { atomic: true, ..self }
    }

    fn fields(&self) -> &'static [Field] {
        match self.content {
            Content::Struct(fields) => fields,
            Content::Time | Content::Object | Content::Any => &[],
        }
    }

    /// The fields that a release has.
    pub(super) fn fields_in(&self, release: Release) -> impl Iterator<Item = &'static Field> {
        self.fields().iter().filter(move |field| field.is_in(release))
    }

    pub(super) fn to_json(&self, dialect: Dialect, release: Release) -> Value {
        let mut model = Map::new();
        if !self.description.is_empty() {
            model.insert("description".into(), self.description.into());
        }
        match self.content {
            Content::Any => {}
            Content::Time => {
                model.insert("type".into(), "string".into());
                model.insert("format".into(), "date-time".into());
            }
            Content::Object | Content::Struct(_) => {
                model.insert("type".into(), "object".into());
            }
        }
        let fields = self.fields_in(release);
        let properties: Map<String, Value> =
            fields.map(|field| (field.name.to_owned(), field.to_json(dialect, release))).collect();
        if !properties.is_empty() {
            model.insert("properties".into(), properties.into());
        }
        let required: Vec<&str> =
            self.fields_in(release).filter(|field| field.required).map(|field| field.name).collect();
        if !required.is_empty() {
            model.insert("required".into(), required.into());
        }
        if self.atomic {
            model.insert("x-kubernetes-map-type".into(), "atomic".into());
        }
        if !self.kinds.is_empty() {
            let kinds = self.kinds.iter().map(|[group, version, kind]| group_version_kind(group, version, kind));
            model.insert("x-kubernetes-group-version-kind".into(), kinds.collect());
        }
        model.into()
    }
}

/// The value of an `x-kubernetes-group-version-kind` extension.
pub(crate) fn group_version_kind(group: &str, version: &str, kind: &str) -> Value {
    json!({"group": group, "version": version, "kind": kind})
}
