//! Types for field management: which values are atomic, and what identifies the elements of lists.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

/// The type of a value, which may allow several kinds of values.
#[derive(Debug, Default)]
pub struct FieldType {
    pub(super) scalar: Option<Scalar>,
    pub(super) list: Option<List>,
    pub(super) map: Option<Map>,
}

/// Which scalars are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Number,
    Text,
    Flag,
    Any,
}

#[derive(Debug)]
pub(super) struct List {
    pub(super) items: TypeRef,
    pub(super) topology: Topology,
}

/// What identifies the elements of a list.
#[derive(Debug)]
pub(super) enum Topology {
    /// Only their index: the list is one value.
    Atomic,
    /// Their value.
    Set,
    /// The values of these keys, each with its default.
    Map(Vec<(String, Option<Value>)>),
}

#[derive(Debug)]
pub(super) struct Map {
    pub(super) fields: BTreeMap<String, TypeRef>,
    /// The type of other fields; `None` if none are allowed.
    pub(super) others: Option<TypeRef>,
    /// Whether the map is one value.
    pub(super) is_atomic: bool,
}

/// The type of a field or an item.
#[derive(Clone, Debug)]
pub(super) enum TypeRef {
    Known(Arc<FieldType>),
    /// Anything: maps field by field, lists as one value (REST-039).
    Anything,
    /// Anything, as one value.
    AnythingAtomic,
}

impl TypeRef {
    pub(super) fn get(&self) -> &FieldType {
        match self {
            Self::Known(known) => known,
            Self::Anything => &ANYTHING,
            Self::AnythingAtomic => &ANYTHING_ATOMIC,
        }
    }
}

static ANYTHING: LazyLock<FieldType> = LazyLock::new(|| anything(TypeRef::Anything, false));
static ANYTHING_ATOMIC: LazyLock<FieldType> = LazyLock::new(|| anything(TypeRef::AnythingAtomic, true));

fn anything(others: TypeRef, is_atomic: bool) -> FieldType {
    FieldType {
        scalar: Some(Scalar::Any),
        list: Some(List { items: TypeRef::AnythingAtomic, topology: Topology::Atomic }),
        map: Some(Map { fields: BTreeMap::new(), others: Some(others), is_atomic }),
    }
}

impl Map {
    pub(super) fn at(&self, field: &str) -> Option<&TypeRef> {
        self.fields.get(field).or(self.others.as_ref())
    }

    /// Whether nothing is known of its fields.
    pub(super) fn is_unknown(&self) -> bool {
        let is_any = |type_ref: &TypeRef| matches!(type_ref, TypeRef::Anything) || type_ref.is_any_scalar();
        self.fields.is_empty() && self.others.as_ref().is_some_and(is_any)
    }
}

impl TypeRef {
    fn is_any_scalar(&self) -> bool {
        matches!(self, Self::Known(known) if known.scalar == Some(Scalar::Any))
    }
}

/// The kinds that a type allows for a value: only the kind of the value, or all if the type does not allow that or the
/// value is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds {
    scalar: bool,
    list: bool,
    map: bool,
}

/// How a value is treated. Maps take precedence over scalars, and scalars over lists.
pub(super) enum Form<'t> {
    Scalar(Scalar),
    List(&'t List),
    Map(&'t Map),
}

impl FieldType {
    pub(super) fn kinds(&self, value: Option<&Value>) -> Kinds {
        const NONE: Kinds = Kinds { scalar: false, list: false, map: false };
        match value {
            Some(Value::Object(_)) if self.map.is_some() => Kinds { map: true, ..NONE },
            Some(Value::Array(_)) if self.list.is_some() => Kinds { list: true, ..NONE },
            Some(Value::Number(_) | Value::String(_) | Value::Bool(_)) if self.scalar.is_some() => {
                Kinds { scalar: true, ..NONE }
            }
            _ => Kinds { scalar: self.scalar.is_some(), list: self.list.is_some(), map: self.map.is_some() },
        }
    }

    pub(super) fn form(&self, kinds: Kinds) -> Option<Form<'_>> {
        let map = self.map.as_ref().filter(|_| kinds.map).map(Form::Map);
        let scalar = self.scalar.filter(|_| kinds.scalar).map(Form::Scalar);
        map.or(scalar).or_else(|| self.list.as_ref().filter(|_| kinds.list).map(Form::List))
    }
}
