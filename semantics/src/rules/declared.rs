//! The types that rules see, and how large values can be (CEL-011 to CEL-013, CEL-040).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use crdible_cel::ast::Name;
use crdible_cel::{Bounds, ObjectTypes, Sizes, Type};

use super::names::{self, escaped};
use crate::release::Change;
use crate::{Release, Schema};

/// No request has more bytes.
const REQUEST: u64 = 3 * 1024 * 1024;

/// What rules see of a node.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    /// The type.
    pub(crate) of: Type,
    /// The most elements, entries or characters.
    most: u64,
    /// The fewest bytes that a value has in a request.
    pub(crate) least_bytes: u64,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Scalar,
    List(Arc<Declared>),
    Map(Arc<Declared>),
    /// By the names that expressions use.
    Object(BTreeMap<Name, Arc<Declared>>),
}

impl Declared {
    /// The type of a node; nothing if rules cannot see it. `is_resource`: it has the fields of every object (CEL-013).
    pub(crate) fn of(schema: &Schema, is_resource: bool, release: Release) -> Option<Self> {
        Self::named(schema, is_resource, "selfType", release)
    }

    fn named(schema: &Schema, is_resource: bool, name: &str, release: Release) -> Option<Self> {
        if schema.int_or_string {
            let bound = schema.values.max_length.filter(|_| release.has(Change::BoundedIntOrStrings));
            let most = bound.map_or(REQUEST - 2, |most| not_negative(most) * 4);
            return Some(Self { of: Type::Dyn, most, least_bytes: 1, shape: Shape::Scalar });
        }
        let scalar = |of: Type, least_bytes: u64, most: u64| Some(Self { of, most, least_bytes, shape: Shape::Scalar });
        match schema.type_name.as_str() {
            "object" => Self::object(schema, is_resource, name, release),
            "string" => Some(Self::text(schema)),
            "boolean" => scalar(Type::Bool, 4, 0),
            "number" => scalar(Type::Double, 1, 0),
            "integer" => scalar(Type::Int, 1, 0),
            "array" => Self::list(schema, name, release),
            _ => None,
        }
    }

    fn list(schema: &Schema, name: &str, release: Release) -> Option<Self> {
        let items = schema.item_schema()?;
        let element = Self::named(items, items.embedded_resource, &format!("{name}.@idx"), release)?;
        let most = schema.values.max_items.map_or((REQUEST - 2) / (element.least_bytes + 1), not_negative);
        let of = Type::list(element.of.clone());
        Some(Self { of, most, least_bytes: 2, shape: Shape::List(Arc::new(element)) })
    }

    fn object(schema: &Schema, is_resource: bool, name: &str, release: Release) -> Option<Self> {
        if let Some(values) = schema.value_schema() {
            let value = Self::named(values, values.embedded_resource, &format!("{name}.@elem"), release)?;
            let most = schema.values.max_properties.map_or((REQUEST - 2) / (value.least_bytes + 6), not_negative);
            let of = Type::map(Type::String, value.of.clone());
            return Some(Self { of, most, least_bytes: 2, shape: Shape::Map(Arc::new(value)) });
        }
        let (mut fields, mut least_bytes) = (BTreeMap::new(), 2);
        for property in field_names(schema, is_resource) {
            let Some(child) = field_of_release(schema, property, is_resource, release) else { continue };
            let in_expressions = escaped(property);
            let part = in_expressions.as_deref().unwrap_or(property);
            let name = format!("{name}.{part}");
            let Some(declared) = Self::named(&child, child.embedded_resource, &name, release) else { continue };
            if schema.values.required.iter().any(|required| required == property) && child.default.is_none() {
                least_bytes += property.len() as u64 + declared.least_bytes + 4;
            }
            if let Some(in_expressions) = in_expressions {
                fields.insert(Arc::from(in_expressions), Arc::new(declared));
            }
        }
        Some(Self { of: Type::object(name), most: 0, least_bytes, shape: Shape::Object(fields) })
    }

    fn text(schema: &Schema) -> Self {
        let declared = |of, least_bytes, most| Self { of, most, least_bytes, shape: Shape::Scalar };
        let longest = schema.values.max_length.map(not_negative);
        match schema.values.format.as_str() {
            // Of bytes, the length is that of the decoded value.
            "byte" => declared(Type::Bytes, 2, longest.unwrap_or(REQUEST - 2)),
            "duration" => declared(Type::Duration, 3, 32),
            "date" => declared(Type::Timestamp, 12, 12),
            "date-time" => declared(Type::Timestamp, 21, 32),
            _ => {
                let values = &schema.values.enumeration;
                let texts = values.iter().filter_map(|value| value.as_str().map(|text| text.len() as u64));
                let most = match longest {
                    Some(longest) => longest * 4,
                    None if !values.is_empty() => texts.max().unwrap_or(0),
                    None => REQUEST - 2,
                };
                declared(Type::String, 2, most)
            }
        }
    }

    /// What rules see of a property, by its name in the schema; nothing if they cannot name it, or see nothing of it.
    pub(crate) fn property(&self, name: &str) -> Option<&Arc<Self>> {
        match &self.shape {
            Shape::Object(fields) => fields.get(escaped(name)?.as_str()),
            _ => None,
        }
    }

    /// What rules see of the elements of a list, or of the values of a map.
    pub(crate) fn element(&self) -> Option<&Arc<Self>> {
        match &self.shape {
            Shape::List(element) | Shape::Map(element) => Some(element),
            _ => None,
        }
    }

    /// How often such a value can be in one request.
    pub(crate) fn most_in_a_request(&self) -> u64 {
        REQUEST / (self.least_bytes + 1)
    }

    /// The objects in it, with their names.
    fn objects(&self) -> Vec<(&Name, &BTreeMap<Name, Arc<Self>>)> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(declared) = open.pop() {
            match &declared.shape {
                Shape::Scalar => {}
                Shape::List(element) | Shape::Map(element) => open.push(element),
                Shape::Object(fields) => {
                    if let Type::Object(name) = &declared.of {
                        found.push((name, fields));
                    }
                    open.extend(fields.values().map(|field| &**field));
                }
            }
        }
        found
    }

    /// The fields of all objects in it, for the checker.
    pub(crate) fn types(&self) -> Objects {
        let fields_of = |fields: &BTreeMap<Name, Arc<Self>>| {
            fields.iter().map(|(name, field)| (Arc::clone(name), field.of.clone())).collect()
        };
        Objects(self.objects().into_iter().map(|(name, fields)| (Arc::clone(name), fields_of(fields))).collect())
    }
}

/// The fields of objects, by the names of their types.
#[derive(Debug)]
pub(crate) struct Objects(BTreeMap<Name, BTreeMap<Name, Type>>);

impl ObjectTypes for Objects {
    fn is_declared(&self, object: &str) -> bool {
        self.0.contains_key(object)
    }

    fn field(&self, object: &str, field: &str) -> Option<Type> {
        names::field(self.0.get(object)?, field).cloned()
    }
}

/// The sizes of what `self` and `oldSelf` lead to.
impl Sizes for Declared {
    fn size(&self, path: &[Name]) -> Option<Bounds> {
        let mut declared = self;
        let (_, rest) = path.split_first()?;
        for part in rest {
            declared = match (&**part, &declared.shape) {
                ("@items" | "@values", Shape::List(element) | Shape::Map(element)) => element,
                // A key is any text.
                ("@keys", Shape::Map(_)) => return Some(Bounds::new(0, 0)),
                (name, Shape::Object(fields)) => fields.get(name)?,
                _ => return None,
            };
        }
        Some(Bounds::new(0, declared.most))
    }
}

fn not_negative(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// What rules see of the fields that every object has (CEL-013), unless its schema declares all of them.
static TEXT: LazyLock<Schema> = LazyLock::new(|| Schema { type_name: "string".to_owned(), ..Schema::default() });
static METADATA: LazyLock<Schema> = LazyLock::new(|| {
    let names = ["name", "generateName"].map(|name| (name.to_owned(), TEXT.clone()));
    Schema { type_name: "object".to_owned(), properties: names.into(), ..Schema::default() }
});

/// Whether a schema declares all fields that every object has. Then it is what rules see of them.
fn declares_fields_of_all(schema: &Schema) -> bool {
    let is = |schema: &Schema, name: &str, of: &str| {
        schema.properties.get(name).is_some_and(|property| property.type_name == of)
    };
    is(schema, "kind", "string")
        && is(schema, "apiVersion", "string")
        && is(schema, "metadata", "object")
        && ["name", "generateName"].iter().all(|name| is(&schema.properties["metadata"], name, "string"))
}

/// Whether rules see a field as its schema declares it. `is_resource`: the object has the fields of every object.
pub(super) fn is_as_declared(schema: &Schema, name: &str, is_resource: bool) -> bool {
    let is_of_all = is_resource && matches!(name, "kind" | "apiVersion" | "metadata");
    !is_of_all || declares_fields_of_all(schema)
}

/// The schema of a field as rules see it, apart from how long names can be.
pub(crate) fn field<'s>(schema: &'s Schema, name: &str, is_resource: bool) -> Option<&'s Schema> {
    match name {
        name if is_as_declared(schema, name, is_resource) => schema.properties.get(name),
        "metadata" => Some(&METADATA),
        _ => Some(&TEXT),
    }
}

/// The schema of a field as rules see it in a release.
fn field_of_release<'s>(
    schema: &'s Schema,
    name: &str,
    is_resource: bool,
    release: Release,
) -> Option<Cow<'s, Schema>> {
    /// The longest name of an object.
    const LONGEST_NAME: i64 = 253;
    let field = field(schema, name, is_resource)?;
    if !std::ptr::eq(field, std::ptr::from_ref(&*METADATA)) || !release.has(Change::BoundedNames) {
        return Some(Cow::Borrowed(field));
    }
    let mut metadata = field.clone();
    let own = schema.properties.get("metadata");
    // What is generated has at least one byte.
    for (name, longest) in [("name", LONGEST_NAME), ("generateName", LONGEST_NAME - 1)] {
        let own = own.and_then(|own| own.properties.get(name)?.values.max_length);
        if let Some(text) = metadata.properties.get_mut(name) {
            text.values.max_length = Some(own.map_or(longest, |own| own.min(longest)));
        }
    }
    Some(Cow::Owned(metadata))
}

/// The names of all fields that rules may see.
fn field_names(schema: &Schema, is_resource: bool) -> BTreeSet<&str> {
    let own = schema.properties.keys().map(String::as_str);
    let of_all = ["apiVersion", "kind", "metadata"].into_iter().filter(|_| is_resource);
    own.chain(of_all).collect()
}
