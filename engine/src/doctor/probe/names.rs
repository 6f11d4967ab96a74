//! The names of what a probe writes, and the documents.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::created::{CreatedObject, definition};
use crate::marks::{DEFINITIONS, alive_until, metadata};

/// The names of a probe's definitions. The group is unique, so everything in it belongs to the probe.
pub(super) struct Names {
    pub(super) run: String,
    pub(super) group: String,
    /// The name of the definition that is measured. Its plural is that of the definitions of runs, which need no other
    /// permission.
    pub(super) definition: String,
    /// The path of its objects at `v1`.
    pub(super) collection: String,
}

/// An invalid definition.
pub(super) struct Invalid {
    /// What is wrong with it.
    pub(super) what: &'static str,
    /// The requirement that it violates.
    pub(super) requirement: &'static str,
    /// Its name.
    pub(super) name: String,
    /// The document.
    pub(super) body: Value,
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

    /// All definitions that a probe may have created.
    pub(super) fn definitions(&self) -> Vec<CreatedObject> {
        let invalid = self.invalid().into_iter().map(|invalid| invalid.name);
        [self.definition.clone(), self.draft()].into_iter().chain(invalid).map(CreatedObject::definition).collect()
    }

    /// The definition that is measured; `revision` is a default in its schema.
    pub(super) fn document(&self, revision: i64) -> Value {
        self.with_plural("things", "Thing", &versions(revision))
    }

    /// The name of the definition that is sent as a dry run only.
    pub(super) fn draft(&self) -> String {
        format!("drafts.{}", self.group)
    }

    /// A valid definition with the name [`Names::draft`].
    pub(super) fn draft_document(&self) -> Value {
        self.with_plural("drafts", "Draft", &versions(1))
    }

    /// Definitions that a server must refuse, each for one reason.
    pub(super) fn invalid(&self) -> [Invalid; 4] {
        let invalid = |what, requirement, plural: &str, kind, change: &dyn Fn(&mut Value)| {
            let mut body = self.with_plural(plural, kind, &versions(1));
            change(&mut body);
            let name = body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            Invalid { what, requirement, name, body }
        };
        let misnamed = format!("others.{}", self.group);
        [
            invalid("without scope", "CRDVAL-003", "scopeless", "Scopeless", &|body| {
                body.get_mut("spec").and_then(Value::as_object_mut).map(|spec| spec.remove("scope"));
            }),
            invalid("with the name of another one", "CRDVAL-001", "misnamed", "Misnamed", &|body| {
                body["metadata"]["name"] = json!(misnamed);
            }),
            invalid("without a storage version", "CRDVAL-014", "storeless", "Storeless", &|body| {
                body["spec"]["versions"][0]["storage"] = json!(false);
            }),
            invalid("with a schema without types", "STRUCT-002", "untyped", "Untyped", &|body| {
                for version in body["spec"]["versions"].as_array_mut().into_iter().flatten() {
                    version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["size"] =
                        json!({ "description": "a node without a type" });
                }
            }),
        ]
    }

    fn with_plural(&self, plural: &str, kind: &str, versions: &Value) -> Value {
        let alive_until = alive_until(Timestamp::now());
        let metadata = metadata(&format!("{plural}.{}", self.group), &self.run, Some(&alive_until));
        definition(&metadata, &self.group, "Cluster", plural, kind, versions)
    }

    /// An object at `v1`.
    pub(super) fn object(&self, name: &str, spec: &Value) -> Value {
        json!({
            "apiVersion": format!("{}/v1", self.group),
            "kind": "Thing",
            "metadata": { "name": name },
            "spec": spec,
        })
    }

    /// The path of an object at this version.
    pub(super) fn path(&self, version: &str, name: &str) -> String {
        format!("/apis/{}/{version}/things/{name}", self.group)
    }
}

/// The path of the definition with this name.
pub(super) fn definition_path(name: &str) -> String {
    format!("{DEFINITIONS}/{name}")
}

/// Two served versions with one schema. From the second revision on, it declares `added` and another colour.
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
    let schema = json!({
        "type": "object",
        "properties": { "spec": { "type": "object", "properties": properties } },
    });
    ["v1", "v2"]
        .map(|name| {
            json!({
                "name": name,
                "served": true,
                "storage": name == "v1",
                "schema": { "openAPIV3Schema": schema },
            })
        })
        .into_iter()
        .collect()
}
