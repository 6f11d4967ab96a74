//! Places below `spec` at which a node of a schema is put, with what leads there in objects and in causes.

use crdible_generators::{choice::Choices, json::Json};
use serde_json::{Value, json};

use crate::scenario::Content;

/// A place for a node: at `spec`, or below an object, a list, a map, an object that preserves unknown fields or is a resource, or two of
/// these; for an object also at the root.
#[derive(Clone, Debug)]
pub(in crate::properties) struct Frame {
    /// What is around the node at `spec`.
    containers: Vec<Container>,
    /// The node is the root: there are no containers.
    is_root: bool,
}

/// One level between `spec` and the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::properties) enum Container {
    /// The property `o` of an object.
    Object,
    /// The only element of the list `l`.
    List,
    /// The value at the key `k` of the map `m`.
    Map,
    /// The property `p` of an object that preserves unknown fields.
    Preserved,
    /// The property `r` of an embedded resource.
    Embedded,
}

/// The meta fields of what stands in [`Container::Embedded`].
const EMBEDDED_META: [(&str, &str); 2] = [("apiVersion", "v1"), ("kind", "Pod")];

impl Frame {
    /// Any place.
    pub(in crate::properties) fn draw(choices: &mut Choices) -> Self {
        let containers =
            [Container::Object, Container::List, Container::Map, Container::Preserved, Container::Embedded];
        Self::of_mean(choices, &containers, 2, 2)
    }

    /// Any place for an object that declares no meta fields, the root among them.
    pub(in crate::properties) fn draw_of_object(choices: &mut Choices) -> Self {
        if choices.chance(1, 3) { Self { containers: Vec::new(), is_root: true } } else { Self::draw(choices) }
    }

    /// Whether it is the root, which is an object always.
    pub(in crate::properties) fn is_root(&self) -> bool {
        self.is_root
    }

    /// A place that a merge patch reaches.
    pub(in crate::properties) fn of_objects(choices: &mut Choices) -> Self {
        Self::of(choices, &[Container::Object], 2)
    }

    /// A place below at most so many of these containers.
    pub(in crate::properties) fn of(choices: &mut Choices, containers: &[Container], most: usize) -> Self {
        Self::of_mean(choices, containers, most, 1)
    }

    fn of_mean(choices: &mut Choices, containers: &[Container], most: usize, mean: u64) -> Self {
        let containers = choices.many_average("container", 0, most, mean, |choices, _| *choices.pick(containers));
        Self { containers, is_root: false }
    }

    /// The place below just these containers.
    pub(in crate::properties) fn below(containers: &[Container]) -> Self {
        Self { containers: containers.to_vec(), is_root: false }
    }

    /// The root schema with the node at the place.
    pub(in crate::properties) fn schema(&self, node: Value) -> Value {
        if self.is_root {
            return node;
        }
        let object = |key: &str, inner: Value| json!({ "type": "object", "properties": { key: inner } });
        let flagged = |key: &str, inner: Value, extension: &str| {
            let mut node = object(key, inner);
            node[extension] = json!(true);
            node
        };
        let spec = self.containers.iter().rev().fold(node, |inner, container| match container {
            Container::Object => object("o", inner),
            Container::List => object("l", json!({ "type": "array", "items": inner })),
            Container::Map => object("m", json!({ "type": "object", "additionalProperties": inner })),
            Container::Preserved => flagged("p", inner, "x-kubernetes-preserve-unknown-fields"),
            Container::Embedded => flagged("r", inner, "x-kubernetes-embedded-resource"),
        });
        object("spec", spec)
    }

    /// The content of an object with the value at the place, alone.
    pub(in crate::properties) fn content(&self, value: Value) -> Value {
        if self.is_root {
            return value;
        }
        let spec = self.containers.iter().rev().fold(value, |inner, container| match container {
            Container::Object => json!({ "o": inner }),
            Container::List => json!({ "l": [inner] }),
            Container::Map => json!({ "m": { "k": inner } }),
            Container::Preserved => json!({ "p": inner }),
            Container::Embedded => {
                let [(version, v1), (kind, pod)] = EMBEDDED_META;
                json!({ version: v1, kind: pod, "r": inner })
            }
        });
        json!({ "spec": spec })
    }

    /// The same for a value of which every byte matters.
    pub(in crate::properties) fn body(&self, value: Content) -> Content {
        let value = match value {
            Content::Plain(value) => return Content::Plain(self.content(value)),
            Content::Exact(value) if self.is_root => return Content::Exact(value),
            Content::Exact(value) => value,
        };
        let object = |key: &str, inner: Json| Json::Object(vec![(key.to_owned(), inner)]);
        let spec = self.containers.iter().rev().fold(value, |inner, container| match container {
            Container::Object => object("o", inner),
            Container::List => object("l", Json::Array(vec![inner])),
            Container::Map => object("m", object("k", inner)),
            Container::Preserved => object("p", inner),
            Container::Embedded => {
                let meta = EMBEDDED_META.map(|(key, value)| (key.to_owned(), Json::String(value.to_owned())));
                Json::Object(meta.into_iter().chain([("r".to_owned(), inner)]).collect())
            }
        });
        Content::Exact(object("spec", spec))
    }

    /// The path of the place as causes write it; nothing for the root.
    pub(in crate::properties) fn field(&self) -> String {
        self.join(if self.is_root { "" } else { "spec" }, |container| match container {
            Container::Object => ".o",
            Container::List => ".l[0]",
            Container::Map => ".m.k",
            Container::Preserved => ".p",
            Container::Embedded => ".r",
        })
    }

    /// The JSON pointer to the place.
    pub(in crate::properties) fn pointer(&self) -> String {
        self.join(if self.is_root { "" } else { "/spec" }, |container| match container {
            Container::Object => "/o",
            Container::List => "/l/0",
            Container::Map => "/m/k",
            Container::Preserved => "/p",
            Container::Embedded => "/r",
        })
    }

    /// The path of the node in the schema, as causes write it.
    pub(in crate::properties) fn schema_path(&self) -> String {
        let start = if self.is_root { "openAPIV3Schema" } else { "openAPIV3Schema.properties[spec]" };
        self.join(start, |container| match container {
            Container::Object => ".properties[o]",
            Container::List => ".properties[l].items",
            Container::Map => ".properties[m].additionalProperties",
            Container::Preserved => ".properties[p]",
            Container::Embedded => ".properties[r]",
        })
    }

    fn join(&self, start: &str, segment: impl Fn(&Container) -> &'static str) -> String {
        self.containers.iter().fold(start.to_owned(), |path, container| path + segment(container))
    }
}
