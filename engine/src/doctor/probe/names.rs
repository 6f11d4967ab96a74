//! The names of what a probe writes, and the documents.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::created::definition;
use crate::marks::{DEFINITIONS, alive_until, metadata};

/// The names of the definition that a probe measures, and of its objects. The group is unique, so everything in it
/// belongs to the probe.
pub(super) struct Names {
    pub(super) run: String,
    pub(super) group: String,
    /// The name of the definition. Its plural is that of the definitions of runs, which need no other permission.
    pub(super) definition: String,
    /// The path of its objects at `v1`.
    pub(super) collection: String,
}

impl Names {
    pub(super) fn new(run: &str) -> Self {
        let group = format!("{run}.crdible.dev");
        Self {
            run: run.to_owned(),
            definition: format!("things.{group}"),
            collection: format!("/apis/{group}/v1/things"),
            group,
        }
    }

    /// The definition; `revision` is a default in its schema.
    pub(super) fn document(&self, revision: i64) -> Value {
        let metadata = metadata(&self.definition, &self.run, Some(&alive_until(Timestamp::now())));
        definition(&metadata, &self.group, "Cluster", "things", "Thing", &versions(revision))
    }

    /// The path of the definition.
    pub(super) fn definition_path(&self) -> String {
        format!("{DEFINITIONS}/{}", self.definition)
    }

    /// An object.
    pub(super) fn object(&self, name: &str, spec: &Value) -> Value {
        json!({
            "apiVersion": format!("{}/v1", self.group),
            "kind": "Thing",
            "metadata": { "name": name },
            "spec": spec,
        })
    }

    /// The path of an object.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.collection)
    }
}

/// One version. From the second revision on, its schema declares `added` and another colour.
pub(super) fn versions(revision: i64) -> Value {
    let mut properties = json!({
        "revision": { "type": "integer", "default": revision },
        "colour": { "type": "string", "enum": ["red", "green"] },
        "size": { "type": "integer" },
    });
    if revision > 1 {
        properties["added"] = json!({ "type": "integer" });
        properties["colour"]["enum"] = json!(["red", "green", "blue"]);
    }
    json!([{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": properties } },
    } } }])
}
