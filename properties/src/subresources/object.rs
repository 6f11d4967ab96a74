//! An object with a status, and what must become of it: a model of writes to both endpoints.

use crate::prelude::*;
use crate::shared::oracle::{Change, change, stored};

/// A finalizer in a write that must ignore it.
const IGNORED: &str = "crdible.dev/ignored";

/// Where a request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    Main,
    Status,
}

/// What a write says of the status.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// What it was.
    Unchanged,
    /// That there is none.
    Absent,
    /// That it is null.
    Null,
    /// These fields: all of them in a PUT and a JSON patch, and further ones in a merge patch.
    Fields(Value),
}

/// A write of an object: what its body says besides what was there.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub(super) method: Method,
    /// A field that is not in the status: where it is, and its value.
    pub(super) field: Option<(&'static str, Value)>,
    pub(super) status: Said,
    pub(super) labels: Option<Value>,
    /// It has a generation, too.
    pub(super) generation: bool,
}

/// The requirements that the checks of a write assert.
#[derive(Clone, Debug)]
pub(super) struct Asserts {
    pub(super) content: Vec<&'static str>,
    pub(super) generation: Vec<&'static str>,
    /// None if nothing is promised.
    pub(super) revision: Vec<&'static str>,
}

/// What the writes are about: the status, the spec, and a field beside both.
pub(super) fn schema() -> Value {
    let text = json!({ "type": "string" });
    object_of(json!({
        "spec": object_of(json!({ "a": { "type": "integer" }, "l": { "type": "array", "items": text } })),
        "status": object_of(json!({ "phase": text, "count": { "type": "integer" } })),
        "beside": text,
    }))
}

/// The same version with `/status`.
pub(super) fn with_status(version: Version) -> Version {
    Version { further: Map::from_iter([("subresources".to_owned(), json!({ "status": {} }))]), ..version }
}

/// Sets what is at a pointer of an object. Objects on the way are added.
fn set(object: &mut Value, pointer: &str, value: &Value) {
    let mut at = object;
    for name in pointer.trim_start_matches('/').split('/') {
        at = &mut at[name];
    }
    *at = value.clone();
}

/// A status. Few are possible, so that many writes change nothing.
pub(super) fn status(choices: &mut Choices) -> Value {
    choices.pick(&[json!({ "phase": "x" }), json!({ "phase": "y" }), json!({ "count": 1 }), json!({})]).clone()
}

impl Write {
    pub(super) fn draw(choices: &mut Choices) -> Self {
        let method = *choices.pick(&[Method::MergePatch, Method::JsonPatch, Method::Put]);
        let field = match choices.weighted(&[3, 2, 2, 2]) {
            0 => None,
            1 => Some(("/spec/a", json!(choices.between(1, 3)))),
            2 => Some(("/spec/l", choices.pick(&[json!(["x", "y"]), json!(["y", "x"])]).clone())),
            _ => Some(("/beside", json!(*choices.pick(&["x", "y"])))),
        };
        let status = match choices.weighted(&[2, 6, 1, 1]) {
            0 => Said::Unchanged,
            1 => Said::Fields(status(choices)),
            2 => Said::Absent,
            _ => Said::Null,
        };
        let labels = choices.chance(1, 3).then(|| json!({ "l": *choices.pick(&["x", "y"]) }));
        let generation = choices.chance(1, 6);
        Self { method, field, status, labels, generation }
    }

    /// Whether it tries to set a finalizer at this endpoint: it does with labels, where both are ignored.
    fn has_finalizer(&self, endpoint: Endpoint) -> bool {
        endpoint == Endpoint::Status && self.labels.is_some()
    }

    fn edits(&self, endpoint: Endpoint) -> Vec<Edit> {
        let set = |pointer: &str, value: &Value| Edit::Set(pointer.to_owned(), value.clone());
        let mut edits: Vec<Edit> = self.field.iter().map(|(pointer, value)| set(pointer, value)).collect();
        edits.extend(match &self.status {
            Said::Unchanged => None,
            Said::Absent => Some(Edit::Remove("/status".to_owned())),
            Said::Null => Some(set("/status", &Value::Null)),
            Said::Fields(fields) => Some(set("/status", fields)),
        });
        edits.extend(self.labels.iter().map(|labels| set("/metadata/labels", labels)));
        edits.extend(self.has_finalizer(endpoint).then(|| set("/metadata/finalizers", &json!([IGNORED]))));
        edits.extend(self.generation.then(|| set("/metadata/generation", &json!(99))));
        edits
    }

    fn merge_patch(&self, endpoint: Endpoint) -> Value {
        let mut patch = Map::new();
        if let Some((pointer, value)) = &self.field {
            let mut fields = json!({});
            set(&mut fields, pointer, value);
            patch.extend(fields.as_object().cloned().unwrap_or_default());
        }
        match &self.status {
            Said::Unchanged => {}
            Said::Absent | Said::Null => drop(patch.insert("status".into(), Value::Null)),
            Said::Fields(fields) => drop(patch.insert("status".into(), fields.clone())),
        }
        let mut metadata = Map::new();
        metadata.extend(self.labels.iter().map(|labels| ("labels".to_owned(), labels.clone())));
        metadata.extend(self.has_finalizer(endpoint).then(|| ("finalizers".to_owned(), json!([IGNORED]))));
        metadata.extend(self.generation.then(|| ("generation".to_owned(), json!(99))));
        if !metadata.is_empty() {
            patch.insert("metadata".into(), Value::Object(metadata));
        }
        Value::Object(patch)
    }

    fn json_patch(&self, endpoint: Endpoint, has_status: bool) -> Value {
        let add = |path: String, value: &Value| json!({ "op": "add", "path": path, "value": value });
        let mut patch: Vec<Value> =
            self.field.iter().map(|(pointer, value)| add((*pointer).to_owned(), value)).collect();
        patch.extend(match &self.status {
            Said::Absent | Said::Null if has_status => Some(json!({ "op": "remove", "path": "/status" })),
            Said::Fields(fields) => Some(add("/status".into(), fields)),
            _ => None,
        });
        patch.extend(self.labels.iter().map(|labels| add("/metadata/labels".into(), labels)));
        let finalizers = json!([IGNORED]);
        patch.extend(self.has_finalizer(endpoint).then(|| add("/metadata/finalizers".into(), &finalizers)));
        patch.extend(self.generation.then(|| add("/metadata/generation".into(), &json!(99))));
        json!(patch)
    }

    /// The status after the write, if it is about the status.
    fn status_after(&self, before: Option<&Value>) -> Option<Value> {
        match &self.status {
            Said::Unchanged => before.cloned(),
            Said::Absent | Said::Null => None,
            Said::Fields(fields) => {
                let mut after = fields.clone();
                if self.method == Method::MergePatch {
                    for (name, value) in before.and_then(Value::as_object).into_iter().flatten() {
                        if after.get(name).is_none() {
                            after[name.as_str()] = value.clone();
                        }
                    }
                }
                Some(after)
            }
        }
    }
}

/// An object that exists, and what is known of it.
pub(super) struct Object<'a> {
    pub(super) plan: &'a mut Plan,
    /// The step that created it.
    pub(super) created: StepId,
    /// The last step that returned it.
    pub(super) last: StepId,
    /// All but the status.
    pub(super) fields: Value,
    pub(super) status: Option<Value>,
    pub(super) labels: Value,
}

impl Object<'_> {
    pub(super) fn resource(&self, version: &str, endpoint: Endpoint) -> Resource {
        let main = self.plan.object_at(self.created, version);
        match endpoint {
            Endpoint::Main => main,
            Endpoint::Status => main.subresource("status"),
        }
    }

    pub(super) fn content(&self) -> Value {
        let mut content = self.fields.clone();
        if let Some(status) = &self.status {
            content["status"] = status.clone();
        }
        content
    }

    /// GET: the object as it was last, and not written since.
    pub(super) fn read(&mut self, version: &str, endpoint: Endpoint, asserts: &[&str]) -> StepId {
        let target = self.resource(version, endpoint);
        let read = self.plan.read(target);
        self.plan.check("read", asserts, read, Expectation::Content(self.content()));
        self.plan.check("read-labels", asserts, read, at("/metadata/labels", self.labels.clone()));
        self.plan.check("read-revision", asserts, read, Expectation::same_revision(self.last));
        read
    }

    /// Sends a write to an endpoint; `is_split` says whether `/status` is enabled at the version. A PUT sends back what
    /// `read` returned.
    pub(super) fn write(
        &mut self,
        (version, endpoint): (&str, Endpoint),
        is_split: bool,
        write: &Write,
        read: StepId,
        asserts: &Asserts,
    ) {
        let target = self.resource(version, endpoint);
        let body = match write.method {
            Method::Put => Body::Answer { step: read, edits: write.edits(endpoint) },
            Method::JsonPatch => Body::json(write.json_patch(endpoint, self.status.is_some())),
            _ => Body::json(write.merge_patch(endpoint)),
        };
        let written = self.plan.send(Request::new(write.method, target, body));
        let (mut of_content, mut of_labels) = (Change::Nothing, Change::Nothing);
        if endpoint == Endpoint::Main {
            if let Some((pointer, value)) = &write.field {
                let before = self.fields.clone();
                set(&mut self.fields, pointer, value);
                of_content = change(&before, &self.fields);
                self.fields = stored(&self.fields);
            }
            if let Some(labels) = &write.labels {
                of_labels = change(&self.labels, labels);
                self.labels = labels.clone();
            }
        }
        if endpoint == Endpoint::Status || !is_split {
            let after = write.status_after(self.status.as_ref());
            of_content = of_content.max(match (&self.status, &after) {
                (Some(before), Some(after)) => change(before, after),
                (None, None) => Change::Nothing,
                _ => Change::Something,
            });
            self.status = after.as_ref().map(stored);
        }
        let changes = of_content.max(of_labels);
        self.plan.check("written", &asserts.content, written, Expectation::Content(self.content()));
        self.plan.check("labels", &asserts.content, written, at("/metadata/labels", self.labels.clone()));
        if write.has_finalizer(endpoint) {
            self.plan.check("no-finalizers", &asserts.content, written, absent("/metadata/finalizers"));
        }
        // A write of the status keeps the generation.
        let counted = if endpoint == Endpoint::Main { of_content } else { Change::Nothing };
        let of_client: &[&str] = if write.generation { &["SUB-010"] } else { &[] };
        if let Some(generation) = counted.generation(self.last) {
            self.plan.check("generation", &[&asserts.generation, of_client].concat(), written, generation);
        }
        // Until 1.35 metadata in the body of a status write, though ignored, is recorded in managedFields, which is a
        // change (REST-041). A field beside the spec always is (SUB-005).
        let is_beside = write.field.as_ref().is_some_and(|(pointer, _)| !pointer.starts_with("/spec/"));
        let is_recorded = endpoint == Endpoint::Status && (write.labels.is_some() || write.generation || is_beside);
        let is_promised = !asserts.revision.is_empty() && (changes == Change::Something || !is_recorded);
        if let Some(revision) = changes.revision(self.last).filter(|_| is_promised) {
            self.plan.check("revision", &asserts.revision, written, revision);
        }
        self.last = written;
    }
}
