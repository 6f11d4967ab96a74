//! Compiles schemas to types for field management. The type of `metadata` is the same for every object, whatever its
//! schema.

use std::sync::{Arc, LazyLock};

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};

use super::types::{List, Map, Scalar, Topology, Type, TypeRef};
use crate::api::openapi::{OBJECT_META, resolved};

/// The type of the objects of a definition in one version.
pub(crate) fn of_instances(schema: &Schema) -> Type {
    let mut root = compile(schema, false);
    if let Some(map) = &mut root.map {
        add_object_fields(map);
    }
    root
}

/// The type of a built-in resource, from the `OpenAPI` model with this name that the server publishes.
pub(crate) fn of_model(name: &str) -> Type {
    let schema = Schema::parse(&resolved(name)).map(|(schema, _)| schema).unwrap_or_default();
    compile(&schema, false)
}

/// The type of values of a schema. `preserves`: whether an enclosing schema preserves unknown fields, which it does
/// down to the leaves.
fn compile(schema: &Schema, preserves: bool) -> Type {
    let preserves = preserves || schema.is_preserving();
    let scalar = |scalar| Type { scalar: Some(scalar), ..Type::default() };
    match schema.type_name.as_str() {
        "object" => Type { map: Some(map(schema, preserves)), ..Type::default() },
        "array" => Type { list: Some(list(schema, preserves)), ..Type::default() },
        "integer" | "number" => scalar(Scalar::Number),
        "boolean" => scalar(Scalar::Flag),
        "string" if matches!(schema.values.format.as_str(), "" | "byte") => scalar(Scalar::Text),
        // A string with another format may be any scalar.
        "string" => scalar(Scalar::Any),
        _ => Type { scalar: Some(Scalar::Any), list: Some(list(schema, preserves)), map: Some(map(schema, preserves)) },
    }
}

fn type_ref(schema: &Schema, preserves: bool) -> TypeRef {
    TypeRef::Known(Arc::new(compile(schema, preserves)))
}

fn map(schema: &Schema, preserves: bool) -> Map {
    let fields = schema.properties.iter().map(|(name, field)| (name.clone(), type_ref(field, preserves)));
    let others = match &schema.additional_properties {
        None if preserves || schema.properties.is_empty() => Some(TypeRef::Anything),
        Some(AdditionalProperties::Schema(schema)) => Some(type_ref(schema, preserves)),
        Some(AdditionalProperties::Allowed(true)) => Some(TypeRef::Anything),
        None | Some(AdditionalProperties::Allowed(false)) => None,
    };
    let is_atomic = schema.map_type.as_deref() == Some("atomic");
    let mut map = Map { fields: fields.collect(), others, is_atomic };
    if schema.embedded_resource {
        add_object_fields(&mut map);
    }
    map
}

fn list(schema: &Schema, preserves: bool) -> List {
    let items = match &schema.items {
        Some(Items::Each(items)) => type_ref(items, preserves),
        _ => TypeRef::AnythingAtomic,
    };
    let topology = match schema.list_type.as_deref() {
        Some("set") => Topology::Set,
        Some("map") => {
            let default = |key: &String| {
                schema.item_schema().and_then(|items| items.properties.get(key)).and_then(|field| field.default.clone())
            };
            let mut keys: Vec<_> = schema.list_map_keys.iter().map(|key| (key.clone(), default(key))).collect();
            keys.sort_by(|(a, _), (b, _)| a.cmp(b));
            Topology::Map(keys)
        }
        _ => Topology::Atomic,
    };
    List { items, topology }
}

/// Adds `apiVersion`, `kind` and `metadata`.
fn add_object_fields(map: &mut Map) {
    static TEXT: LazyLock<Arc<Type>> =
        LazyLock::new(|| Arc::new(Type { scalar: Some(Scalar::Text), ..Type::default() }));
    static METADATA: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(of_model(OBJECT_META)));
    for (name, known) in [("apiVersion", &TEXT), ("kind", &TEXT), ("metadata", &METADATA)] {
        map.fields.insert(name.to_owned(), TypeRef::Known(Arc::clone(known)));
    }
}
