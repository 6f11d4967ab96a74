//! Compiles schemas to types for field management. The type of `metadata` is the same for every object, whatever its
//! schema: the server says which.

use std::sync::{Arc, LazyLock};

use super::types::{FieldType, List, Map, Scalar, Topology, TypeRef};
use crate::Schema;
use crate::schema::{AdditionalProperties, Items};

/// The type of the objects of a definition in one version, whose metadata has this type.
pub(crate) fn of_instances(schema: &Schema, metadata: &Arc<FieldType>) -> FieldType {
    let compiler = Compiler { metadata: Some(metadata) };
    let mut root = compiler.compile(schema, false);
    if let Some(map) = &mut root.map {
        compiler.add_object_fields(map);
    }
    root
}

/// The type of a built-in kind, from its published model with all references resolved. It embeds no objects.
pub fn of_model(schema: &Schema) -> FieldType {
    Compiler { metadata: None }.compile(schema, false)
}

struct Compiler<'m> {
    /// The type of the metadata of objects; `None` for a schema that embeds none.
    metadata: Option<&'m Arc<FieldType>>,
}

impl Compiler<'_> {
    /// The type of values of a schema. `preserves`: whether an enclosing schema preserves unknown fields, which it does
    /// down to the leaves.
    fn compile(&self, schema: &Schema, preserves: bool) -> FieldType {
        let preserves = preserves || schema.is_preserving();
        let scalar = |scalar| FieldType { scalar: Some(scalar), ..FieldType::default() };
        match schema.type_name.as_str() {
            "object" => FieldType { map: Some(self.map(schema, preserves)), ..FieldType::default() },
            "array" => FieldType { list: Some(self.list(schema, preserves)), ..FieldType::default() },
            "integer" | "number" => scalar(Scalar::Number),
            "boolean" => scalar(Scalar::Flag),
            "string" if matches!(schema.values.format.as_str(), "" | "byte") => scalar(Scalar::Text),
            // A string with another format may be any scalar.
            "string" => scalar(Scalar::Any),
            _ => FieldType {
                scalar: Some(Scalar::Any),
                list: Some(self.list(schema, preserves)),
                map: Some(self.map(schema, preserves)),
            },
        }
    }

    fn type_ref(&self, schema: &Schema, preserves: bool) -> TypeRef {
        TypeRef::Known(Arc::new(self.compile(schema, preserves)))
    }

    fn map(&self, schema: &Schema, preserves: bool) -> Map {
        let fields = schema.properties.iter().map(|(name, field)| (name.clone(), self.type_ref(field, preserves)));
        let others = match &schema.additional_properties {
            None if preserves || schema.properties.is_empty() => Some(TypeRef::Anything),
            Some(AdditionalProperties::Schema(schema)) => Some(self.type_ref(schema, preserves)),
            Some(AdditionalProperties::Allowed(true)) => Some(TypeRef::Anything),
            None | Some(AdditionalProperties::Allowed(false)) => None,
        };
        let is_atomic = schema.map_type.as_deref() == Some("atomic");
        let mut map = Map { fields: fields.collect(), others, is_atomic };
        if schema.embedded_resource {
            self.add_object_fields(&mut map);
        }
        map
    }

    fn list(&self, schema: &Schema, preserves: bool) -> List {
        let items = match &schema.items {
            Some(Items::Each(items)) => self.type_ref(items, preserves),
            _ => TypeRef::AnythingAtomic,
        };
        let topology = match schema.list_type.as_deref() {
            Some("set") => Topology::Set,
            Some("map") => {
                let default = |key: &String| {
                    schema
                        .item_schema()
                        .and_then(|items| items.properties.get(key))
                        .and_then(|field| field.default.clone())
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
    fn add_object_fields(&self, map: &mut Map) {
        static TEXT: LazyLock<Arc<FieldType>> =
            LazyLock::new(|| Arc::new(FieldType { scalar: Some(Scalar::Text), ..FieldType::default() }));
        let text = Some(&*TEXT);
        for (name, known) in [("apiVersion", text), ("kind", text), ("metadata", self.metadata)] {
            if let Some(known) = known {
                map.fields.insert(name.to_owned(), TypeRef::Known(Arc::clone(known)));
            }
        }
    }
}
