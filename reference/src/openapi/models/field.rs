//! Fields of models.

use crdible_semantics::Release;
use crdible_semantics::release::Change;
use serde_json::{Map, Value, json};

use crate::openapi::dialect::Dialect;

/// One field of a struct.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) required: bool,
    /// Empty where upstream has none: only a reference without a description is a bare `$ref`.
    description: &'static str,
    shape: Shape,
    topology: Topology,
    merge: Merge,
    /// The allowed values; empty if any value is allowed.
    values: &'static [&'static str],
    /// The change with which the field came; `None` if every release has it.
    since: Option<Change>,
}

/// The type of a field's value.
pub(super) enum Shape {
    Text,
    /// A string with a default, although it is not required.
    TextOrEmpty,
    Base64,
    Flag,
    Int32,
    /// A 32-bit integer with a default, although it is not required ([`Change::ScaleDefault`]).
    Int32OrZero,
    Int64,
    Double,
    /// A struct that is always present.
    Struct(&'static str),
    /// A struct that may be absent.
    Pointer(&'static str),
    Texts,
    /// A list of structs.
    Structs(&'static str),
    /// A list of values that are not structs.
    Values(&'static str),
    TextMap,
    StructMap(&'static str),
    ValueMap(&'static str),
}

/// The `x-kubernetes-list-type` of a list.
pub(super) enum Topology {
    Unspecified,
    Atomic,
    /// Atomic in the releases without a change.
    AtomicBefore(Change),
    Set,
    Map(&'static [&'static str]),
}

/// How strategic merge patches change a list.
enum Merge {
    /// The list is replaced.
    No,
    /// Elements are added.
    Values,
    /// Elements with the same key are merged.
    ByKey(&'static str),
}

impl Field {
    pub(super) const fn new(name: &'static str, shape: Shape, description: &'static str) -> Self {
        Self {
            name,
            required: false,
            description,
            shape,
            topology: Topology::Unspecified,
            merge: Merge::No,
            values: &[],
            since: None,
        }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    pub(super) const fn atomic(self) -> Self {
        Self { topology: Topology::Atomic, ..self }
    }

    pub(super) const fn topology(self, topology: Topology) -> Self {
        Self { topology, ..self }
    }

    pub(super) const fn since(self, change: Change) -> Self {
        Self { since: Some(change), ..self }
    }

    pub(super) const fn merged(self) -> Self {
        Self { merge: Merge::Values, ..self }
    }

    pub(super) const fn merged_by(self, key: &'static str) -> Self {
        Self { merge: Merge::ByKey(key), ..self }
    }

    pub(super) const fn one_of(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }

    /// The model that the field refers to.
    pub(super) fn target(&self) -> Option<&'static str> {
        match self.shape {
            Shape::Struct(name)
            | Shape::Pointer(name)
            | Shape::Structs(name)
            | Shape::Values(name)
            | Shape::StructMap(name)
            | Shape::ValueMap(name) => Some(name),
            _ => None,
        }
    }

    /// Whether a release has the field.
    pub(super) fn is_in(&self, release: Release) -> bool {
        self.since.is_none_or(|change| release.has(change))
    }

    pub(super) fn to_json(&self, dialect: Dialect, release: Release) -> Value {
        let has_element_defaults = !release.has(Change::PlainElements);
        let text_element = || scalar("string", None, has_element_defaults.then(|| json!("")));
        let struct_element = |name| reference(name, has_element_defaults, has_element_defaults, dialect);
        let described = !self.description.is_empty();
        let mut field = match self.shape {
            Shape::Text => scalar("string", None, self.required.then(|| json!(""))),
            Shape::TextOrEmpty => scalar("string", None, Some(json!(""))),
            Shape::Base64 => scalar("string", Some("byte"), None),
            Shape::Flag => scalar("boolean", None, self.required.then_some(Value::Bool(false))),
            Shape::Int32 => scalar("integer", Some("int32"), self.required.then(|| json!(0))),
            Shape::Int32OrZero => scalar("integer", Some("int32"), release.has(Change::ScaleDefault).then(|| json!(0))),
            Shape::Int64 => scalar("integer", Some("int64"), self.required.then(|| json!(0))),
            Shape::Double => scalar("number", Some("double"), None),
            Shape::Struct(name) => reference(name, true, true, dialect),
            Shape::Pointer(name) => reference(name, false, described, dialect),
            Shape::Texts => list(text_element()),
            Shape::Structs(name) => list(struct_element(name)),
            Shape::Values(name) => list(reference(name, false, false, dialect)),
            Shape::TextMap => map(text_element()),
            Shape::StructMap(name) => map(struct_element(name)),
            Shape::ValueMap(name) => map(reference(name, false, false, dialect)),
        };
        if described {
            field.insert("description".into(), self.description.into());
        }
        if !self.values.is_empty() {
            field.insert("enum".into(), self.values.into());
        }
        self.extend(&mut field, release);
        let mut field = Value::Object(field);
        if dialect == Dialect::V2 {
            without_defaults(&mut field);
        }
        field
    }

    fn extend(&self, field: &mut Map<String, Value>, release: Release) {
        let kind = match self.topology {
            Topology::Unspecified => None,
            Topology::AtomicBefore(change) => (!release.has(change)).then_some("atomic"),
            Topology::Atomic => Some("atomic"),
            Topology::Set => Some("set"),
            Topology::Map(keys) => {
                field.insert("x-kubernetes-list-map-keys".into(), keys.into());
                Some("map")
            }
        };
        if let Some(kind) = kind {
            field.insert("x-kubernetes-list-type".into(), kind.into());
        }
        if !matches!(self.merge, Merge::No) {
            field.insert("x-kubernetes-patch-strategy".into(), "merge".into());
        }
        if let Merge::ByKey(key) = self.merge {
            field.insert("x-kubernetes-patch-merge-key".into(), key.into());
        }
    }
}

fn scalar(kind: &str, format: Option<&str>, default: Option<Value>) -> Map<String, Value> {
    let mut scalar = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    if let Some(format) = format {
        scalar.insert("format".into(), format.into());
    }
    if let Some(default) = default {
        scalar.insert("default".into(), default);
    }
    scalar
}

/// A reference. In version 3 a `$ref` cannot have siblings, so a reference with siblings is wrapped in an `allOf`.
fn reference(model: &str, default: bool, has_siblings: bool, dialect: Dialect) -> Map<String, Value> {
    let reference = json!({"$ref": dialect.address(model)});
    let mut field = match reference {
        Value::Object(fields) if dialect == Dialect::V2 || !has_siblings => fields,
        reference => Map::from_iter([("allOf".to_owned(), json!([reference]))]),
    };
    if default {
        field.insert("default".into(), json!({}));
    }
    field
}

fn list(items: Map<String, Value>) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), Value::from("array")), ("items".to_owned(), items.into())])
}

fn map(values: Map<String, Value>) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), Value::from("object")), ("additionalProperties".to_owned(), values.into())])
}

/// Removes defaults, which version 2 does not publish (OAPI-010).
fn without_defaults(field: &mut Value) {
    let Value::Object(keywords) = field else { return };
    keywords.remove("default");
    for below in ["items", "additionalProperties"] {
        keywords.get_mut(below).into_iter().for_each(without_defaults);
    }
}
