//! How a type of the API is declared: once, with all that its JSON, its `OpenAPI` model and its protobuf message need.
//! Names, types, numbers and what is required are those of upstream's types; the descriptions are our own.

use crdible_semantics::Release;
use crdible_semantics::release::Change;

/// A struct of the API, or a type that is written like one.
pub(crate) struct Type {
    /// The name of its `OpenAPI` model; empty if none is published.
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) content: Content,
    /// The fields that every object or list has; those of a body are decoded apart from the others.
    header: &'static [Field],
    own: &'static [Field],
    /// Group, version and kind of the objects of a type that is no resource of its own.
    pub(crate) kind: Option<[&'static str; 3]>,
    /// Whether server-side apply treats it as a single value.
    pub(crate) is_atomic: bool,
}

/// What the values of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Objects with the fields of the type.
    Struct,
    /// Schemas: the same, but the semantics decode them.
    Schema,
    /// A time in whole seconds, as a string; only protobuf has fields.
    Time,
    /// A time with microseconds, as a string.
    MicroTime,
    /// Any value of this JSON type, or of all if that is empty. In protobuf it is a message with JSON text.
    Json(&'static str),
    /// A list of texts that may be unset, which is a message in protobuf.
    Words,
    /// One of two values; only protobuf has a field for each. The second one counts if both are set.
    Either,
}

/// One field of a type, in the order in which upstream declares it.
pub(crate) struct Field {
    /// Its number in protobuf; 0 if the messages do not have it.
    pub(crate) number: u32,
    pub(crate) name: &'static str,
    pub(crate) count: Count,
    pub(crate) element: Element,
    /// Empty where upstream has none: only a reference without a description is a bare `$ref`.
    pub(crate) description: &'static str,
    presence: Presence,
    pub(crate) topology: Topology,
    /// Whether strategic merge patches merge the list by its keys, or add to the set, instead of replacing it.
    pub(crate) is_merged: bool,
    /// The allowed values; empty if any value is allowed.
    pub(crate) values: &'static [&'static str],
    default_since: Option<Change>,
    since: Option<Change>,
}

/// How often a field occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    One,
    List,
    /// Once for each key.
    Map,
}

/// The value of a field, or an element of its list or map.
#[derive(Clone, Copy)]
pub(crate) enum Element {
    Text,
    /// Base64 in JSON.
    Bytes,
    Flag,
    /// An integer of 32 bits.
    Int32,
    /// An integer of 64 bits.
    Int64,
    Double,
    Of(&'static Type),
}

/// The `x-kubernetes-list-type` of a list.
#[derive(Clone, Copy)]
pub(crate) enum Topology {
    Unspecified,
    Atomic,
    /// Atomic in the releases without a change.
    AtomicBefore(Change),
    Set,
    Map(&'static [&'static str]),
}

/// What becomes of a field without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// JSON leaves out the zero value.
    LeftOut,
    /// JSON has the zero value.
    Written,
    /// JSON has the zero value, and clients must set the field.
    Required,
    /// The absence of the field differs from its zero value: a pointer in Go.
    Optional,
}

impl Type {
    pub(super) const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description, content: Content::Struct, header: &[], own: &[], kind: None, is_atomic: false }
    }

    pub(super) const fn with(self, own: &'static [Field]) -> Self {
        Self { own, ..self }
    }

    pub(super) const fn headed(self, header: &'static [Field]) -> Self {
        Self { header, ..self }
    }

    pub(super) const fn containing(self, content: Content) -> Self {
        Self { content, ..self }
    }

    pub(super) const fn of_kind(self, kind: [&'static str; 3]) -> Self {
        Self { kind: Some(kind), ..self }
    }

    pub(super) const fn atomic(self) -> Self {
        Self { is_atomic: true, ..self }
    }

    /// All fields.
    pub(crate) fn fields(&self) -> impl DoubleEndedIterator<Item = &'static Field> {
        self.header.iter().chain(self.own)
    }

    /// The fields that a release has, without those that every object has.
    pub(crate) fn own_in(&self, release: Release) -> impl Iterator<Item = &'static Field> {
        self.own.iter().filter(move |field| field.is_in(release))
    }

    /// The fields of its model in a release.
    pub(crate) fn published_in(&self, release: Release) -> impl Iterator<Item = &'static Field> {
        let is_struct = self.is_struct();
        self.fields().filter(move |field| is_struct && field.is_in(release))
    }

    /// Whether its values are objects with known fields.
    pub(crate) fn is_struct(&self) -> bool {
        matches!(self.content, Content::Struct | Content::Schema)
    }
}

impl Field {
    const fn new(number: u32, name: &'static str, element: Element, description: &'static str) -> Self {
        Self {
            number,
            name,
            count: Count::One,
            element,
            description,
            presence: Presence::LeftOut,
            topology: Topology::Unspecified,
            is_merged: false,
            values: &[],
            default_since: None,
            since: None,
        }
    }

    pub(super) const fn required(self) -> Self {
        Self { presence: Presence::Required, ..self }
    }

    pub(super) const fn written(self) -> Self {
        Self { presence: Presence::Written, ..self }
    }

    pub(super) const fn optional(self) -> Self {
        Self { presence: Presence::Optional, ..self }
    }

    pub(super) const fn atomic(self) -> Self {
        Self { topology: Topology::Atomic, ..self }
    }

    pub(super) const fn topology(self, topology: Topology) -> Self {
        Self { topology, ..self }
    }

    pub(super) const fn merged(self) -> Self {
        Self { is_merged: true, ..self }
    }

    pub(super) const fn one_of(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }

    /// The model has a default since a change, although JSON leaves out the zero value.
    pub(super) const fn default_since(self, change: Change) -> Self {
        Self { default_since: Some(change), ..self }
    }

    /// The field came with a change.
    pub(super) const fn since(self, change: Change) -> Self {
        Self { since: Some(change), ..self }
    }

    fn is_in(&self, release: Release) -> bool {
        self.since.is_none_or(|change| release.has(change))
    }

    /// What becomes of the field without a value.
    pub(crate) fn presence(&self) -> Presence {
        match (self.presence, self.count, self.element) {
            // Go leaves out no structs.
            (Presence::LeftOut, Count::One, Element::Of(_)) => Presence::Written,
            (presence, _, _) => presence,
        }
    }

    /// Whether the model has a default in a release.
    pub(crate) fn has_default_in(&self, release: Release) -> bool {
        matches!(self.presence(), Presence::Written | Presence::Required)
            || self.default_since.is_some_and(|change| release.has(change))
    }

    /// The type of its value or of its elements, if that has a model.
    pub(crate) fn target(&self) -> Option<&'static Type> {
        match self.element {
            Element::Of(target) => Some(target),
            _ => None,
        }
    }
}

/// A field with one value.
pub(super) const fn field(number: u32, name: &'static str, element: Element, description: &'static str) -> Field {
    Field::new(number, name, element, description)
}

/// A field with a list.
pub(super) const fn list(number: u32, name: &'static str, element: Element, description: &'static str) -> Field {
    Field { count: Count::List, ..Field::new(number, name, element, description) }
}

/// A field with a map.
pub(super) const fn map(number: u32, name: &'static str, element: Element, description: &'static str) -> Field {
    Field { count: Count::Map, ..Field::new(number, name, element, description) }
}
