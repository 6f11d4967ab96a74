//! One container on the way to a place.

use crate::shared::prelude::*;
use crate::shared::schema::{EMBEDDED, PRESERVE, object_of};

/// A node of a schema with one child, in which a place may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// An object; the child is a declared property.
    Object,
    /// A list; the child is its elements.
    List,
    /// A map; the child is its values (`additionalProperties`).
    Map,
    /// An object that preserves unknown fields; the child is a declared property.
    Preserved,
    /// The same without a type.
    Untyped,
    /// A list that preserves unknown fields; the child is its elements, which keep unknown keys of their own
    /// (PRUNE-009).
    PreservedList,
    /// An embedded resource; the child is a declared property, not a meta field.
    Embedded,
    /// The same that also preserves unknown fields.
    PreservedEmbedded,
    /// The metadata of an embedded resource; the child is a property that it declares. For schemas only: in objects it
    /// is rewritten (PRUNE-017).
    EmbeddedMetadata,
}

impl Container {
    /// Whether it is an embedded resource, or a part of one.
    pub(super) fn is_embedded(self) -> bool {
        matches!(self, Self::Embedded | Self::PreservedEmbedded | Self::EmbeddedMetadata)
    }

    /// Whether it is a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::List | Self::PreservedList)
    }
}

/// A container, and how its child is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) container: Container,
    /// The property, or the key in a map; unused in lists.
    pub(super) name: String,
    /// How many equal elements a list has in objects; 1 for others.
    pub(super) elements: usize,
}

impl Step {
    /// The container with one child that has the simplest name.
    pub(super) fn plain(container: Container) -> Self {
        Self::named(container, if container == Container::Map { "k" } else { "a" })
    }

    /// The container with one child of this name.
    pub(super) fn named(container: Container, name: impl Into<String>) -> Self {
        Self { container, name: name.into(), elements: 1 }
    }

    /// The container as a schema.
    pub(super) fn schema(&self, child: Value) -> Value {
        let name = self.name.as_str();
        match self.container {
            Container::Object => object_of(json!({ name: child })),
            Container::List => json!({ "type": "array", "items": child }),
            Container::Map => json!({ "type": "object", "additionalProperties": child }),
            Container::Preserved => json!({ "type": "object", PRESERVE: true, "properties": { name: child } }),
            Container::Untyped => json!({ PRESERVE: true, "properties": { name: child } }),
            Container::PreservedList => json!({ "type": "array", PRESERVE: true, "items": child }),
            Container::Embedded => json!({ "type": "object", EMBEDDED: true, "properties": { name: child } }),
            Container::PreservedEmbedded => {
                json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "properties": { name: child } })
            }
            Container::EmbeddedMetadata => {
                let metadata = object_of(json!({ name: child }));
                json!({ "type": "object", EMBEDDED: true, "properties": { "metadata": metadata } })
            }
        }
    }

    /// The container in an object: around the child's value, or empty without one.
    pub(super) fn value<T: Tree>(&self, child: Option<T>) -> T {
        if self.container.is_list() {
            return T::list(child.map_or_else(Vec::new, |child| vec![child; self.elements]));
        }
        let child = child.map(|child| (self.name.clone(), child));
        let (mut entries, inner) = match self.container {
            Container::EmbeddedMetadata => {
                (type_meta(), vec![("metadata".to_owned(), T::object(child.into_iter().collect()))])
            }
            container if container.is_embedded() => (type_meta(), child.into_iter().collect()),
            _ => (Vec::new(), child.into_iter().collect()),
        };
        entries.extend(inner);
        T::object(entries)
    }

    /// What the container adds to the path of a cause, for each of its children.
    pub(super) fn fields(&self) -> Vec<String> {
        match self.container {
            Container::List | Container::PreservedList => (0..self.elements).map(|at| format!("[{at}]")).collect(),
            Container::EmbeddedMetadata => vec![format!(".metadata.{}", self.name)],
            _ => vec![format!(".{}", self.name)],
        }
    }

    /// What the container adds to a JSON pointer to its first child.
    pub(super) fn pointer(&self) -> String {
        let segment = || pointer::escape(&self.name);
        match self.container {
            Container::List | Container::PreservedList => "/0".to_owned(),
            Container::EmbeddedMetadata => format!("/metadata/{}", segment()),
            _ => format!("/{}", segment()),
        }
    }

    /// What the container adds to the path of a schema node.
    pub(super) fn schema_path(&self) -> String {
        match self.container {
            Container::List | Container::PreservedList => ".items".to_owned(),
            Container::Map => ".additionalProperties".to_owned(),
            Container::EmbeddedMetadata => format!(".properties[metadata].properties[{}]", self.name),
            _ => format!(".properties[{}]", self.name),
        }
    }
}

/// A JSON tree that a container is built from: a plain one, or one that preserves every byte.
pub(crate) trait Tree: Clone {
    /// A string.
    fn text(text: &str) -> Self;
    /// A list.
    fn list(elements: Vec<Self>) -> Self;
    /// An object.
    fn object(entries: Vec<(String, Self)>) -> Self;
}

impl Tree for Value {
    fn text(text: &str) -> Self {
        Self::String(text.to_owned())
    }

    fn list(elements: Vec<Self>) -> Self {
        Self::Array(elements)
    }

    fn object(entries: Vec<(String, Self)>) -> Self {
        Self::Object(entries.into_iter().collect::<Map<_, _>>())
    }
}

impl Tree for Json {
    fn text(text: &str) -> Self {
        Self::String(text.to_owned())
    }

    fn list(elements: Vec<Self>) -> Self {
        Self::Array(elements)
    }

    fn object(entries: Vec<(String, Self)>) -> Self {
        Self::Object(entries)
    }
}

/// The fields that make an object a resource.
fn type_meta<T: Tree>() -> Vec<(String, T)> {
    [("apiVersion", "v1"), ("kind", "Pod")].map(|(key, value)| (key.to_owned(), T::text(value))).into()
}
