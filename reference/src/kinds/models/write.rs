//! The models of declared types.

use crdible_semantics::Release;
use crdible_semantics::release::Change;
use serde_json::{Map, Value, json};

use crate::kinds::{Content, Count, Dialect, Element, Field, Presence, Topology, Type};

/// The model of a type; `kinds` are its `x-kubernetes-group-version-kind`.
pub(crate) fn model(of: &Type, kinds: Vec<Value>, dialect: Dialect, release: Release) -> Value {
    let mut model = match of.content {
        Content::Struct | Content::Schema => typed("object", ""),
        Content::Time | Content::MicroTime => typed("string", "date-time"),
        Content::Json(kind) => typed(kind, ""),
        Content::Words | Content::Either => Map::new(),
    };
    model.insert("description".into(), of.description.into());
    let properties: Map<String, Value> =
        of.published_in(release).map(|own| (own.name.to_owned(), field(own, dialect, release))).collect();
    if !properties.is_empty() {
        model.insert("properties".into(), properties.into());
    }
    let required: Vec<&str> = of
        .published_in(release)
        .filter(|field| field.presence() == Presence::Required)
        .map(|field| field.name)
        .collect();
    if !required.is_empty() {
        model.insert("required".into(), required.into());
    }
    if of.is_atomic {
        model.insert("x-kubernetes-map-type".into(), "atomic".into());
    }
    if !kinds.is_empty() {
        model.insert("x-kubernetes-group-version-kind".into(), kinds.into());
    }
    model.into()
}

/// The value of an `x-kubernetes-group-version-kind` extension.
pub(crate) fn group_version_kind(group: &str, version: &str, kind: &str) -> Value {
    json!({"group": group, "version": version, "kind": kind})
}

fn field(field: &Field, dialect: Dialect, release: Release) -> Value {
    let is_described = !field.description.is_empty();
    // Version 2 does not publish defaults (OAPI-010).
    let [own_default, element_default] =
        [field.has_default_in(release), !release.has(Change::PlainElements)].map(|has| has && dialect == Dialect::V3);
    let mut written = match field.count {
        Count::One => one(field.element, own_default, is_described, dialect),
        count => {
            let [kind, keyword] =
                if count == Count::List { ["array", "items"] } else { ["object", "additionalProperties"] };
            let mut written = typed(kind, "");
            written.insert(keyword.into(), one(field.element, element_default, false, dialect).into());
            written
        }
    };
    if is_described {
        written.insert("description".into(), field.description.into());
    }
    if !field.values.is_empty() {
        written.insert("enum".into(), field.values.into());
    }
    extend(&mut written, field, release);
    written.into()
}

/// The schema of one value. Only structs, and scalars that are not encoded in texts, have defaults.
fn one(element: Element, has_default: bool, is_described: bool, dialect: Dialect) -> Map<String, Value> {
    let default = |zero: Value| has_default.then_some(zero);
    match element {
        Element::Text => scalar("string", "", default(json!(""))),
        Element::Bytes => scalar("string", "byte", None),
        Element::Flag => scalar("boolean", "", default(json!(false))),
        Element::Int32 => scalar("integer", "int32", default(json!(0))),
        Element::Int64 => scalar("integer", "int64", default(json!(0))),
        Element::Double => scalar("number", "double", None),
        Element::Of(of) => {
            let has_default = has_default && of.is_struct();
            reference(of.name, has_default, has_default || is_described, dialect)
        }
    }
}

/// Adds what clients need to change a list.
fn extend(written: &mut Map<String, Value>, field: &Field, release: Release) {
    let kind = match field.topology {
        Topology::Unspecified => None,
        Topology::AtomicBefore(change) => (!release.has(change)).then_some("atomic"),
        Topology::Atomic => Some("atomic"),
        Topology::Set => Some("set"),
        Topology::Map(keys) => {
            written.insert("x-kubernetes-list-map-keys".into(), keys.into());
            Some("map")
        }
    };
    if let Some(kind) = kind {
        written.insert("x-kubernetes-list-type".into(), kind.into());
    }
    if field.is_merged {
        written.insert("x-kubernetes-patch-strategy".into(), "merge".into());
        if let Topology::Map([key, ..]) = field.topology {
            written.insert("x-kubernetes-patch-merge-key".into(), (*key).into());
        }
    }
}

fn scalar(kind: &str, format: &str, default: Option<Value>) -> Map<String, Value> {
    let mut scalar = typed(kind, format);
    scalar.extend(default.map(|default| ("default".to_owned(), default)));
    scalar
}

/// A schema with a type and a format; what is empty is left out.
fn typed(kind: &str, format: &str) -> Map<String, Value> {
    let keywords = [("type", kind), ("format", format)].into_iter().filter(|(_, text)| !text.is_empty());
    keywords.map(|(keyword, text)| (keyword.to_owned(), text.into())).collect()
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
